#pragma once
// Loop programs in the resolver: syntax to typed actions, and what loops say about results that nothing declares. The
// range of
// `for i` without bounds is that of the dimensions which i indexes alone in the loop.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/lang/action.hpp"
#include "engine/lang/resolve/types.hpp"
#include "engine/lang/resolve/walk.hpp"

namespace trellis::lang::resolving {

/// What assignments say about an undeclared left side: one past the largest index of each, where that is plain, and its
/// type.
struct Sighting {
  std::vector<std::vector<std::optional<math::Affine>>> largest;  ///< per assignment and dimension, the largest index
  Natural natural;
};
using Sightings = std::map<std::string, Sighting>;

/// Gives shapes to implicit results that only loops define, where they can be told by now. True if there was one.
bool infer_loop_shapes(Resolution& resolution);
/// Joins the types of what loops assign to implicit results. True if a type changed.
bool join_loop_types(const Resolution& resolution, std::map<std::string, Natural>& results);

class LoopReader {
 public:
  /// `sightings` collects what is assigned to results without a shape; `results` are types known so far of implicit
  /// ones.
  explicit LoopReader(Resolution& resolution, Sightings* sightings = nullptr,
                      const std::map<std::string, Natural>* results = nullptr)
      : resolution_(resolution), sightings_(sightings), results_(results) {}

  Actions block(const syntax::Block& source);
  Action read(const syntax::Loops& loops, text::Span span);
  /// Adds the largest indices to the sightings, now that all loops are closed.
  void report_indices() {
    for (Pending& one : pending_) (*sightings_)[one.tensor].largest.push_back(std::move(one.largest));
    pending_.clear();
  }

 private:
  /// A loop whose range is inferred from what stands inside it.
  struct OpenLoop {
    std::string name;
    std::vector<Range> ranges;
  };
  /// An index of an assignment to a result without a shape, until the loops around it have told their ranges.
  struct Pending {
    std::string tensor;
    std::vector<std::optional<math::Affine>> largest;
  };

  Action read(const syntax::Action& action);
  Action declare(const syntax::Action& action, const syntax::TensorDecl& declaration);
  Action nest(const syntax::Action& action, const syntax::For& source, std::size_t position);
  void apply(action::For& loop, const syntax::LoopMark& mark, bool outermost, bool innermost);
  bool infer_range(action::For& loop, const syntax::LoopVariable& variable, const OpenLoop& open, bool all_seen);
  void close(const action::For& loop, std::size_t first_pending);
  Action loop(const syntax::Action& action, const syntax::While& source);
  Action condition(const syntax::Action& action, const syntax::If& source);
  Action let(const syntax::Action& action, const syntax::Let& source, std::size_t position);
  Action lifecycle(const syntax::Action& action, const syntax::Lifecycle& source);
  Action assign(const syntax::Action& action, const syntax::Assign& source);
  void note_assignment(const syntax::Assign& source, const Expr& target);
  Expr updated(const syntax::Assign& source, format::ScalarType type);

  /// The typed expression; in its own type when none is wanted. Empty when something was reported.
  Expr expr(const syntax::Expr& written, std::optional<format::ScalarType> wanted);
  Expr bound(const syntax::Expr& source);
  syntax::Expr with_operators(const syntax::Expr& source, const std::vector<syntax::Expr>& around, bool& sound);
  Expr reduce(const syntax::Expr& e, const syntax::Reference& r, format::ScalarType wanted);
  std::optional<math::Domain> reduction_domain(const syntax::Expr& e, const syntax::Reference& r, const Binder& bound);
  Expr with_lets(const Expr& expr) const;
  bool is_free(const syntax::Name& name);
  bool is_bound(const std::string& name) const;
  const TensorInfo* target_tensor(const syntax::Name& name);
  NaturalTypes types() const { return NaturalTypes(resolution_, results_); }

  template <class T>
  Action make(const syntax::Action& action, T node) {
    return Action(action::Node{std::move(node), action->span}, {{text::Stage::source, action.id()}});
  }

  Resolution& resolution_;  ///< its program has the temporaries in scope, too
  Sightings* sightings_;
  const std::map<std::string, Natural>* results_;
  std::vector<std::string> scope_;  ///< variables of loops and reductions, and i64 lets
  std::set<std::string> lets_;      ///< of other types
  std::vector<OpenLoop> open_;
  std::map<std::string, math::Affine> loop_sizes_;  ///< of loops from 0 to a size that is written
  std::optional<syntax::Expr> assigned_;            ///< the target of the assignment whose value is read
  int reductions_ = 0;                              ///< around the expression
  std::vector<Pending> pending_;
};

/// Reports assignments to tensors that are frozen there.
void check_lifecycles(Resolution& resolution, const Actions& loops);

}  // namespace trellis::lang::resolving
