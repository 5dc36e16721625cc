#pragma once
// Control-flow statements to C statements. Scopes follow C's: a variable lives to the end of its block.

#include <set>
#include <string>
#include <vector>

#include "engine/coiterate/cfir.hpp"
#include "engine/emit/c.hpp"
#include "engine/emit/expression.hpp"

namespace trellis::emit {

class Statements {
 public:
  Statements(const coiterate::Flow& flow, Names& names, Prelude& prelude, Expressions& expressions)
      : flow_(flow), names_(names), prelude_(prelude), expressions_(expressions) {}

  /// The kernel's body: allocations, statements, releases.
  c::Stmt body();
  /// Can the kernel fail for want of memory?
  bool allocates() const { return !hoisted_.empty() || refused_; }

 private:
  struct Scope {
    std::vector<c::Stmt> statements;
    std::vector<std::string> variables;  ///< bound until the end
    std::vector<std::string> arrays;     ///< allocated here, to be freed at the end
  };

  c::Stmt block(const coiterate::Stmt& stmt);
  void stmt(const coiterate::Stmt& stmt, bool last);
  void seq(const coiterate::Seq& seq);
  void loop(const coiterate::Loop& loop, const text::Origin& origin);
  void let(const coiterate::Let& let, const text::Origin& origin, bool last);
  void declare(const coiterate::Tensor& tensor, const coiterate::Assign* first, const text::Origin& origin);
  /// The temporaries of one parallel iteration, all at its start: only there can it give up.
  void declare_private(const coiterate::Stmt& body);
  void allocate_private(const coiterate::Tensor& tensor, const text::Origin& origin);
  void reset(const coiterate::Reset& reset, const text::Origin& origin);
  void assign(const coiterate::Assign& assign, const text::Origin& origin);
  void update(const coiterate::Assign& assign, const text::Origin& origin);

  c::Expr bound(const coiterate::Expr& e, const std::string& name);
  c::Expr allocation(const coiterate::Tensor& tensor);
  bool runs_in_vectors(const coiterate::Loop& l) const;
  std::string pragma(const coiterate::Loop& loop) const;
  void allocate_hoisted(std::vector<c::Stmt>& into);

  void add(c::Stmt stmt) { scopes_.back().statements.push_back(std::move(stmt)); }
  void open() { scopes_.emplace_back(); }
  c::Stmt close();
  std::string bind(const std::string& name);

  const coiterate::Flow& flow_;
  Names& names_;
  Prelude& prelude_;
  Expressions& expressions_;
  std::vector<Scope> scopes_;
  std::vector<std::string> hoisted_;  ///< temporaries allocated at the top
  std::set<std::string> shared_;      ///< updated together by the iterations of the parallel loop around
  int parallel_depth_ = 0;
  bool refused_ = false;  ///< some parallel iteration allocates
};

}  // namespace trellis::emit
