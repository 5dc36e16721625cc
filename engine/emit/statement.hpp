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
#include "engine/emit/cursor.hpp"
#include "engine/emit/locate.hpp"
#include "engine/emit/memory.hpp"
#include "engine/emit/temporary.hpp"
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
  void loop(const flow::Stmt& stmt, const flow::Loop& loop, const text::Origin& origin);
  void let(const flow::Let& let, const text::Origin& origin, bool last);
  void reset(const flow::Reset& reset, const text::Origin& origin);
  void assign(const flow::Assign& assign, const text::Origin& origin, bool last);
  void update(const flow::Assign& assign, const text::Origin& origin);

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
  // threads.cpp: loops whose iterations run on several threads.
  /// `loop` adds a `for`; the arrays and sparse temporaries of `body` become those of a thread. `clauses`: of the pragma.
  void on_threads(const std::string& variable, const flow::Stmt& body, const std::string& clauses,
                  const std::function<void()>& loop);
  std::string clauses(const std::vector<std::string>& reduces, const flow::Stmt& body);
  void count_then_fill(const flow::Loop& loop, c::Expr low, c::Expr high, const text::Origin& origin);
  void begin_counting(const flow::Tensor& tensor);
  void count(const flow::Tensor& tensor, const std::vector<std::string>& coordinates);
  void end_counting(const flow::Tensor& tensor, c::Expr iteration);
  void add_up(const std::string& variable, const flow::Tensor& tensor, c::Expr low, c::Expr high);
  void begin_filling(const flow::Tensor& tensor, c::Expr iteration);
  void end_filling(const flow::Tensor& tensor, c::Expr iteration);
  c::Expr begin_of(const flow::Tensor& tensor, int level, c::Expr iteration);
  c::Expr fibers_before(const flow::Tensor& tensor, int level, c::Expr iteration);
  std::string last_seen(const flow::Tensor& tensor, int level);

  // append.cpp: results in sparse formats.
  void append(const flow::Append& a, const text::Origin& origin, bool last);
  void store(const flow::Tensor& tensor, const std::vector<std::string>& coordinates, c::Expr value);
  c::Expr descend(const flow::Tensor& tensor, int levels, const std::vector<std::string>& coordinates);
  void store_run(const flow::Tensor& tensor, const std::vector<std::string>& coordinates, c::Expr through,
                 c::Expr value);
  void show_entries(const flow::Tensor& tensor, const std::vector<std::string>& coordinates);
  void find_row_loops();
  void begin_rows(const flow::Stmt& loop);
  void end_rows(const flow::Stmt& loop);
  void freeze(const flow::Freeze& f, const text::Origin& origin);
  void reset_result(const flow::Tensor& tensor, const text::Origin& origin);
  std::string entries(const flow::Tensor& tensor, int level);  ///< the variable that counts a level's entries
  std::string opened(const flow::Tensor& tensor, int level);   ///< the variable that counts its fibers
  bool read_meanwhile(const flow::Tensor& tensor) const;
  std::string counter(const std::string& wanted);
  void open_fibers(const flow::Tensor& tensor, int level, c::Expr last);        ///< up to this one
  void open_fibers_while(const flow::Tensor& tensor, int level, c::Expr condition);
  void open_fibers_before(const flow::Tensor& tensor, int level, c::Expr end);
  c::Expr block_below(const flow::Tensor& tensor, int level);
  c::Expr append_entry(const flow::Tensor& tensor, int level, c::Expr parent,
                       const std::vector<std::string>& coordinates);

  void in_blocks(const flow::Loop& loop, c::Expr low, c::Expr high, const text::Origin& origin,
                 const std::function<void(c::Expr, c::Expr)>& iterations);
  /// The condition of a loop that is left early.
  c::Expr going_on(c::Expr condition, const std::optional<flow::Expr>& unless);
  c::Expr bound(const flow::Expr& e, const std::string& name);
  bool runs_in_vectors(const flow::Loop& l) const;

  Context out_;
  Memory memory_{out_};
  Workspaces workspaces_{out_, memory_};
  Temporaries temporaries_{out_, memory_, workspaces_};
  std::map<std::string, int> row_loops_;  ///< results whose rows a loop goes through, and that loop's number
  std::set<std::string> counters_;     ///< of those that the preamble declares
  std::map<std::string, Walk> walks_;  ///< by the cursor's name
  std::string region_next_;            ///< variable: up to where the loop by regions has got
  std::set<std::string> decided_;      ///< leads whose tests have an arm for each case, so that the arms move them on
  std::vector<std::string> present_;   ///< those of them that stand at the loop's coordinate
  std::set<std::string> shared_;      ///< updated together by the iterations of the parallel loop around
  std::set<std::string> apart_;      ///< results that the iterations of the parallel loop around count or fill
};

}  // namespace trellis::emit
