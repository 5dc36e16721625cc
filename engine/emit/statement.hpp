#pragma once
// Control-flow statements to C statements. Scopes follow C's: a variable lives to the end of its block.

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/flow/flow.hpp"
#include "engine/emit/c.hpp"
#include "engine/emit/expression.hpp"

namespace trellis::emit {

class Statements {
 public:
  Statements(const flow::Flow& flow, Names& names, Prelude& prelude, Expressions& expressions)
      : flow_(flow), names_(names), prelude_(prelude), expressions_(expressions) {}

  /// The kernel's body: allocations, statements, releases.
  c::Stmt body();
  /// Can the kernel fail for want of memory?
  bool allocates() const { return !top_.arrays.empty() || refused_ || gives_up_; }

 private:
  struct Scope {
    std::vector<c::Stmt> statements;
    std::vector<std::string> variables;  ///< bound until the end
  };

  c::Stmt block(const flow::Stmt& stmt);
  void stmt(const flow::Stmt& stmt, bool last);
  void seq(const flow::Seq& seq);
  void loop(const flow::Stmt& stmt, const flow::Loop& loop, const text::Origin& origin);
  void let(const flow::Let& let, const text::Origin& origin, bool last);
  void declare(const flow::Tensor& tensor, const flow::Assign* first, const text::Origin& origin);
  void reset(const flow::Reset& reset, const text::Origin& origin);
  void assign(const flow::Assign& assign, const text::Origin& origin, bool last);
  void update(const flow::Assign& assign, const text::Origin& origin);

  // walk.cpp: what sequences offer.
  /// A cursor in C: where it stands, until where, and what it finds there.
  struct Walk {
    const flow::Cursor* cursor = nullptr;
    const flow::Tensor* tensor = nullptr;
    format::Facts facts;
    std::string at, end;    ///< variables: the entry that is next, and the first (or, backwards, last) that is not
    std::string coordinate; ///< variable with the loop's coordinate of that entry, for leads
    bool backward = false;
    bool several = false;
    bool computed = false;  ///< the position is not what is counted
    bool settles = false;   ///< it leads, and is never at what a slice leaves out
    bool regions = false;   ///< the loop goes by regions: entries are counted, whatever coordinates they are at
    std::string begin;      ///< variable: the fiber's first entry, of regions
    std::string low, high;  ///< variables: the first and the last of the loop's coordinates in the region that it is at
    c::Expr first, last;    ///< bounds, as expressions
    c::Expr here;           ///< does it stand at the loop's coordinate?
    c::Expr both, only;     ///< of two leads that decide which arm runs: do both stand there, or this one alone?
    std::string variable;   ///< the loop's, which each arm then declares
  };
  void coiterate(const flow::Coiterate& loop, const text::Origin& origin, bool last);
  text::Origin enter(const flow::Coiterate::Point& point, const text::Origin& loop);
  Walk open_walk(const flow::Cursor& cursor, const flow::Coiterate& loop);
  void declare_walk(const Walk& walk);
  c::Expr alive(const Walk& walk) const;
  void single(const flow::Coiterate& loop, const flow::Coiterate::Point& point, Walk& walk, const text::Origin& origin);
  void merge(const flow::Coiterate& loop, const flow::Coiterate::Point& point, std::vector<Walk>& walks,
             const text::Origin& origin);
  void follow(Walk& walk, const std::string& i, bool down);
  void visit_all(const flow::Coiterate& loop, const flow::Coiterate::Point& point, std::vector<Walk>& walks,
                 const text::Origin& origin);

  // cursor.cpp: where it stands, and how it moves.
  c::Expr beyond(const Walk& w, const flow::Coiterate& loop, const std::string& i);
  std::pair<c::Expr, c::Expr> stored_bounds(const Walk& walk, const flow::Coiterate& loop);
  c::Expr seek(const Walk& walk, c::Expr first, c::Expr last, c::Expr coordinate);
  void clip(Walk& walk, const flow::Coiterate& loop);
  void trim(Walk& walk, const flow::Coiterate& loop, bool before, bool behind);
  bool falls(const Walk& walk) const;
  c::Expr entry_of(const Walk& walk, c::Expr counted) const;
  c::Expr stored_coordinate(const Walk& walk, c::Expr entry);
  c::Expr moved_coordinate(const Walk& walk, c::Expr counted);
  c::Expr entry_coordinate(const Walk& walk, c::Expr counted);
  c::Expr compared(const Walk& walk, c::Expr counted, const char* op, const std::string& i);  ///< with the loop's coordinate
  c::Expr left_out(const Walk& walk);
  void move_while(const Walk& walk, c::Expr condition);
  c::Expr position_of(const Walk& walk);
  bool binds(const Walk& walk) const;
  void bind_position(const Walk& walk);
  void segment(const Walk& walk, const std::string& i);
  c::Expr position_here(const flow::Here& here);
  void step(const Walk& walk, c::Expr here);

  // regions.cpp: loops that go by regions.
  void walk_regions(const flow::Coiterate& loop, std::vector<Walk>& walks, const text::Origin& origin);
  void by_regions(const flow::Coiterate& loop, const flow::Coiterate::Point& point, std::vector<Walk>& walks,
                  const text::Origin& origin);
  void region_by_region(const flow::Coiterate& loop, const flow::Coiterate::Point& point, Walk& walk,
                        const text::Origin& origin);
  void open_regions(Walk& walk, const flow::Coiterate& loop);
  void bind_region(Walk& walk, const flow::Coiterate& loop, bool may_be_over);
  void bind_far(const std::vector<Walk*>& walked, const std::string& near, const std::string& far, bool down,
                const c::Expr& end);
  void skip_to(const Walk& walk, const flow::Coiterate& loop, const c::Expr& next);
  c::Expr near_end(const std::vector<Walk*>& leads, bool down, const c::Expr& next);
  c::Expr reaches(const Walk& walk, const std::string& coordinate, bool down);
  std::pair<c::Expr, c::Expr> region_of(const Walk& walk);
  c::Expr stored_first(const flow::Tensor& tensor, int level, const c::Expr& entry, const c::Expr& begin);
  c::Expr region_found(const flow::Locate& locate, c::Expr coordinate);

  // ahead.cpp: rows of entries to come.
  void fetch_ahead(const Walk& walk, const std::string& i, std::size_t from);
  c::Expr children(const flow::Tensor& tensor, int level);

  // arms.cpp: what is done at a coordinate.
  /// What runs where these cursors are known to stand at the loop's coordinate; behind it they move on.
  void arm(const flow::Stmt& body);
  void test(const flow::Test& t, const text::Origin& origin, bool last);
  void locate(const flow::Locate& l, const text::Origin& origin, bool last);
  c::Expr marched(const flow::Locate& l, c::Expr coordinate);
  c::Expr found(const flow::Tensor& tensor, int level, const flow::Position& parent, c::Expr coordinate);
  std::pair<c::Expr, c::Expr> fiber(const flow::Tensor& tensor, int level, const flow::Position& parent);

  // threads.cpp: loops whose iterations run on several threads.
  /// What is allocated and declared where: at the top of the kernel, or at the start of each thread.
  struct Room {
    struct Array {
      std::string type, name;
      c::Expr memory;
      text::Origin origin;
    };
    std::vector<Array> arrays;
    std::vector<c::Stmt> declarations;  ///< counters of results and workspaces
    std::vector<c::Stmt> releases;      ///< of what workspaces grew into
  };
  /// `loop` adds a `for`; the arrays and sparse temporaries of `body` become those of a thread. `clauses`: of the pragma.
  void on_threads(const std::string& variable, const flow::Stmt& body, const std::string& clauses,
                  const std::function<void()>& loop);
  std::string clauses(const std::vector<std::string>& reduces, const flow::Stmt& body);
  Room private_room(const flow::Stmt& body);
  void skip_without_memory();
  c::Stmt give_up();  ///< memory was refused
  void land();        ///< where iterations go that give up
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

  // workspace.cpp: temporaries with bytemap and hashed levels.
  void declare_workspace(const flow::Tensor& tensor, const text::Origin& origin);
  void order_workspace(const flow::Tensor& tensor, const text::Origin& origin);
  void reset_workspace(const flow::Tensor& tensor, const text::Origin& origin);
  void insert(const flow::Insert& i, const text::Origin& origin, bool last);
  std::string part_of_values(const flow::Tensor& tensor);
  std::string part(const flow::Tensor& tensor, int level, const std::string& suffix);

  void in_blocks(const flow::Loop& loop, c::Expr low, c::Expr high, const text::Origin& origin,
                 const std::function<void(c::Expr, c::Expr)>& iterations);
  /// The condition of a loop that is left early.
  c::Expr going_on(c::Expr condition, const std::optional<flow::Expr>& unless);
  c::Expr bound(const flow::Expr& e, const std::string& name);
  c::Expr allocation(const flow::Tensor& tensor);
  bool runs_in_vectors(const flow::Loop& l) const;
  void allocate(const Room& room, std::vector<c::Stmt>& into);
  static c::Stmt release(const Room::Array& array);

  void add(const c::Stmt& stmt) { scopes_.back().statements.push_back(with_origin(stmt)); }
  /// What does not say where it comes from comes from the flow statement that is being written.
  c::Stmt with_origin(const c::Stmt& stmt) const { return stmt.origin().empty() ? c::Stmt(*stmt, from_, stmt.id()) : stmt; }
  void open() { scopes_.emplace_back(); }
  c::Stmt close();
  void close_plain();
  std::string bind(const std::string& name);

  const flow::Flow& flow_;
  Names& names_;
  Prelude& prelude_;
  Expressions& expressions_;
  std::vector<Scope> scopes_;
  text::Origin from_;  ///< the flow statement that is being written
  void hoist(const std::string& type, const std::string& name, c::Expr memory);
  Room top_;
  Room* room_ = &top_;                 ///< where temporaries go now
  std::map<std::string, int> row_loops_;  ///< results whose rows a loop goes through, and that loop's number
  std::set<std::string> declared_workspaces_;
  std::set<std::string> counters_;     ///< of those that the preamble declares
  std::map<std::string, Walk> walks_;  ///< by the cursor's name
  std::string region_next_;            ///< variable: up to where the loop by regions has got
  std::set<std::string> decided_;      ///< leads whose tests have an arm for each case, so that the arms move them on
  std::vector<std::string> present_;   ///< those of them that stand at the loop's coordinate
  bool gives_up_ = false;              ///< some workspace may outgrow memory
  std::set<std::string> shared_;      ///< updated together by the iterations of the parallel loop around
  int parallel_depth_ = 0;
  bool refused_ = false;  ///< some thread allocates
  std::string ready_;     ///< does the thread have its memory?
  std::string landing_;   ///< the label of `land`
  bool lands_ = false;    ///< something goes there
  int landings_ = 0;
  std::set<std::string> apart_;      ///< results that the iterations of the parallel loop around count or fill
  std::set<std::string> valueless_;  ///< workspaces of which only the coordinates matter
};

}  // namespace trellis::emit
