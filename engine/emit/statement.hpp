#pragma once
// Control-flow statements to C statements: what each kind of statement becomes is a component's to say, or a
// function's; a body comes back here. They know each other only by what their headers offer.
//
//   Context        what all of them write with, and the scopes that are open
//   Memory         what is allocated, and what happens where that is refused
//   Workspaces     bytemaps and hash tables                  Temporaries   where any temporary is declared
//   Results        what is counted of sparse results         Counts        of iterations that append in parallel
//   Appends        entries of sparse results                 Threads       loops on several threads
//   Loops          over coordinates                          Coiterations  over what cursors offer, a CCursor each;
//   Arms           what is done by who stands at a coordinate    a point at a time (Merge), or by Regions
//   Tables         of fibers, and maps, by which entries are found

#include "engine/emit/append.hpp"
#include "engine/emit/arms.hpp"
#include "engine/emit/coiterate.hpp"
#include "engine/emit/context.hpp"
#include "engine/emit/count.hpp"
#include "engine/emit/loop.hpp"
#include "engine/emit/memory.hpp"
#include "engine/emit/result.hpp"
#include "engine/emit/tables.hpp"
#include "engine/emit/temporary.hpp"
#include "engine/emit/threads.hpp"
#include "engine/emit/workspace.hpp"

namespace trellis::emit {

class Statements {
 public:
  Statements(const flow::Flow& flow, Names& names, Prelude& prelude, Expressions& expressions,
             Growth growth = Growth::none)
      : out_(flow, names, prelude, expressions, growth) {}
  Statements(const Statements&) = delete;  // its parts know each other
  Statements& operator=(const Statements&) = delete;

  /// The kernel's body: allocations, statements, releases.
  c::Stmt body();
  /// Can the kernel fail for want of memory?
  bool allocates() const { return memory_.can_fail(); }

 private:
  void stmt(const flow::Stmt& stmt, bool last);
  void walk(const flow::Coiterate& loop, const text::Origin& origin, bool last);
  template <class F>
  void with_open_rows(const flow::Stmt& loop, F&& inside);
  c::Stmt block(const flow::Stmt& stmt);
  void seq(const flow::Seq& seq);
  void let(const flow::Let& let, const text::Origin& origin);
  void reset(const flow::Reset& reset, const flow::Tensor& tensor, const text::Origin& origin);
  void freeze(const flow::Tensor& tensor, const text::Origin& origin);
  void update(const flow::Assign& assign, const text::Origin& origin, bool last);

  const Body body_ = [this](const flow::Stmt& inner, bool last) { stmt(inner, last); };
  Context out_;
  Memory memory_{out_};
  Workspaces workspaces_{out_, memory_};
  Temporaries temporaries_{out_, memory_, workspaces_};
  Results results_{out_, memory_};
  Counts counts_{out_, memory_, results_};
  Appends appends_{out_, results_, counts_};
  Threads threads_{out_, memory_, temporaries_};
  OrderedIterations ordered_{out_, memory_};
  Loops loops_{out_, memory_, threads_, results_, counts_, ordered_, body_};
  Tables tables_{out_, memory_};
  Arms arms_{out_, body_};
  Coiterations coiterations_{out_, threads_, arms_, counts_, body_};
};

}  // namespace trellis::emit
