#pragma once
// Loops whose iterations run on several threads. What an iteration needs for itself, its thread allocates once:
//
//   #pragma omp parallel reduction(+:s) reduction(|:refused)
//   {
//     double *w = …;
//     #pragma omp for nowait
//     for (int64_t i = 0; i < m; i++) …
//     free(w);
//   }
//
// In the end each such region becomes a function (emit/apart.hpp).

#include <functional>
#include <string>
#include <vector>

#include "engine/emit/context.hpp"
#include "engine/emit/memory.hpp"
#include "engine/emit/temporary.hpp"

namespace trellis::emit {

class Threads {
 public:
  Threads(Context& out, Memory& memory, Temporaries& temporaries)
      : out_(out), memory_(memory), temporaries_(temporaries) {}

  /// A loop over `variable`: each thread has a part of the scalars `partials`.
  struct Work {
    std::string variable;
    std::vector<flow::Partial> partials;
    flow::Stmt body;
    bool wait = false;                       ///< they are handed out one by one, in their order
    c::Expr iterations = {};                 ///< how many there are
    std::optional<flow::Domain> range = {};  ///< of the loop; none: whether threads pay is not asked
  };
  /// `loop` adds a `for`; the arrays and sparse temporaries of the body become those of a thread.
  void run(const Work& work, const std::function<void()>& loop);
  /// The same for a loop that may be parallel, and is where no loop around it is.
  void run_if(bool parallel, const Work& work, const std::function<void()>& loop);
  /// Does what is emitted belong to an iteration of such a loop?
  bool inside() const { return memory_.on_thread(); }
  /// Behind a loop whose threads may have been refused memory.
  void return_if_refused() { memory_.return_if_refused(); }
  /// At the start and at the end of its iterations.
  void begin_iteration(bool parallel, bool wait = false) { memory_.begin_iteration(parallel, wait); }
  void end_iteration(bool parallel) { memory_.end_iteration(parallel); }

 private:
  /// Whether threads are woken at all, where it is known how much they do: ` if(i_pays)`.
  std::string condition(const Work& work);
  /// Of the pragma.
  std::string clauses(const Work& work) const;
  /// Which iterations a thread takes: where they differ, some at a time, as it is done with others.
  std::string shares(const Work& work);

  Context& out_;
  Memory& memory_;
  Temporaries& temporaries_;
};

}  // namespace trellis::emit
