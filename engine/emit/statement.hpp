#pragma once
// Control-flow statements to C statements. Scopes follow C's: a variable lives to the end of its block.

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/flow/flow.hpp"
#include "engine/emit/c.hpp"
#include "engine/emit/context.hpp"
#include "engine/emit/append.hpp"
#include "engine/emit/assign.hpp"
#include "engine/emit/count.hpp"
#include "engine/emit/cursor.hpp"
#include "engine/emit/locate.hpp"
#include "engine/emit/loop.hpp"
#include "engine/emit/memory.hpp"
#include "engine/emit/result.hpp"
#include "engine/emit/temporary.hpp"
#include "engine/emit/threads.hpp"
#include "engine/emit/workspace.hpp"

namespace trellis::emit {

class Statements {
 public:
  Statements(const flow::Flow& flow, Names& names, Prelude& prelude, Expressions& expressions)
      : out_(flow, names, prelude, expressions) {}

  /// The kernel's body: allocations, statements, releases.
  c::Stmt body();
  /// Can the kernel fail for want of memory?
  bool allocates() const { return memory_.can_fail(); }

 private:
  c::Stmt block(const flow::Stmt& stmt);
  void stmt(const flow::Stmt& stmt, bool last);
  void seq(const flow::Seq& seq);
  void let(const flow::Let& let, const text::Origin& origin, bool last);
  void reset(const flow::Reset& reset, const text::Origin& origin);
  void freeze(const flow::Tensor& tensor, const text::Origin& origin);
  void update(const flow::Assign& assign, const text::Origin& origin, bool last);

  // walk.cpp: what sequences offer.
  void coiterate(const flow::Coiterate& loop, const text::Origin& origin, bool last);
  void single(const flow::Coiterate& loop, const flow::Coiterate::Point& point, Walk& walk, const text::Origin& origin);
  void merge(const flow::Coiterate& loop, const flow::Coiterate::Point& point, std::vector<Walk>& walks,
             const text::Origin& origin);
  void follow(Walk& walk, const std::string& i, bool down);
  void visit_all(const flow::Coiterate& loop, const flow::Coiterate::Point& point, std::vector<Walk>& walks,
                 const text::Origin& origin);

  c::Expr position_here(const flow::Here& here);

  // regions.cpp: loops that go by regions.
  void walk_regions(const flow::Coiterate& loop, std::vector<Walk>& walks, const text::Origin& origin);
  void by_regions(const flow::Coiterate& loop, const flow::Coiterate::Point& point, std::vector<Walk>& walks,
                  const text::Origin& origin);
  void region_by_region(const flow::Coiterate& loop, const flow::Coiterate::Point& point, Walk& walk,
                        const text::Origin& origin);
  void bind_far(const std::vector<Walk*>& walked, const std::string& near, const std::string& far, bool down,
                const c::Expr& end);
  c::Expr near_end(const std::vector<Walk*>& leads, bool down, const c::Expr& next);
  // ahead.cpp: rows of entries to come.
  void fetch_ahead(const Walk& walk, const std::string& i, std::size_t from);
  c::Expr children(const flow::Tensor& tensor, int level);

  // arms.cpp: what is done at a coordinate.
  /// What runs where these cursors are known to stand at the loop's coordinate; behind it they move on.
  void arm(const flow::Stmt& body);
  void test(const flow::Test& t, const text::Origin& origin, bool last);
  Context out_;
  Memory memory_{out_};
  Workspaces workspaces_{out_, memory_};
  Temporaries temporaries_{out_, memory_, workspaces_};
  Results results_{out_, memory_};
  Counts counts_{out_, memory_, results_};
  Appends appends_{out_, results_, counts_};
  Threads threads_{out_, memory_, temporaries_};
  Loops loops_{out_, memory_, threads_, results_, counts_, [this](const flow::Stmt& s, bool last) { stmt(s, last); }};
  std::map<std::string, Walk> walks_;  ///< by the cursor's name
  std::string region_next_;            ///< variable: up to where the loop by regions has got
  std::set<std::string> decided_;      ///< leads whose tests have an arm for each case, so that the arms move them on
  std::vector<std::string> present_;   ///< those of them that stand at the loop's coordinate
};

}  // namespace trellis::emit
