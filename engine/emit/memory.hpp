#pragma once
// What a kernel allocates, and what it does where memory is refused.
//
//   int refused = 0;                              of threads
//   double *restrict w = allocate(n, sizeof(double));
//   if (!w) return 1;
//   …
//   free(w);
//   return refused;
//
// What an iteration needs for itself, its thread allocates once. From within a parallel loop nobody can return: a
// thread that is refused memory notes it, and goes on to the next iteration.

#include <functional>
#include <string>
#include <vector>

#include "engine/emit/context.hpp"

namespace trellis::emit {

/// What is allocated and declared at one place: at the top of the kernel, or at the start of each thread.
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

class Memory {
 public:
  explicit Memory(Context& out) : out_(out) {}

  // What is allocated once.

  /// An array in the room where temporaries go now; there may be one of that name already.
  void hoist(const std::string& type, const std::string& name, c::Expr memory);
  void declare(const c::Stmt& declaration) { room_->declarations.push_back(out_.with_origin(declaration)); }
  void release(const c::Stmt& release) { room_->releases.push_back(out_.with_origin(release)); }
  /// What threads share.
  void declare_at_top(const c::Stmt& declaration) { top_.declarations.push_back(out_.with_origin(declaration)); }
  bool at_top() const { return room_ == &top_; }
  /// A room for what is allocated and declared meanwhile.
  Room apart(const std::function<void()>& meanwhile);
  /// The kernel's body: allocations, its statements, releases.
  c::Stmt body(const std::vector<c::Stmt>& statements) const;

  // What can fail.

  /// Can the kernel fail for want of memory?
  bool can_fail() const { return !top_.arrays.empty() || refused_ || returns_; }
  /// Some statement outside of threads returns for want of memory.
  void may_return() { returns_ = true; }
  /// Behind a loop on threads.
  void return_if_refused();
  c::Stmt give_up();

  // Threads.

  /// Does what is emitted belong to an iteration of a parallel loop?
  bool on_thread() const { return depth_ > 0; }
  /// What threads do begins; memory may be refused to them in it.
  void begin_region() { region_refused_ = false; }
  bool may_be_refused() const { return region_refused_; }
  /// Allocations at the start of a thread, and what frees them at its end.
  void allocate(const Room& room);
  void release(const Room& room);
  /// Iterations over this variable run on threads from now on.
  void name_landing(const std::string& variable);
  /// `others_wait`: its end is noted whatever happens.
  void begin_iteration(bool parallel, bool others_wait = false);
  void end_iteration(bool parallel);

 private:
  Context& out_;
  Room top_;
  Room* room_ = &top_;           ///< where temporaries go now
  bool returns_ = false;         ///< something outside of threads may return
  bool refused_ = false;         ///< some thread allocates
  bool region_refused_ = false;  ///< a thread of the region does
  int depth_ = 0;                ///< of parallel loops
  std::string ready_;            ///< variable: does the thread have its memory?
  std::string landing_;          ///< the label at the end of an iteration
  bool lands_ = false;           ///< something goes there
  int landings_ = 0;
};

/// As many elements as the tensor has in all, allocated.
c::Expr allocation(Context& out, const flow::Tensor& tensor);

}  // namespace trellis::emit
