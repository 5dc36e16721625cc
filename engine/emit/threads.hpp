#pragma once
// Loops whose iterations run on several threads. What an iteration needs for itself, its thread allocates once:
//
//   #pragma omp parallel                       #pragma omp parallel for
//   {                                          for (int64_t i = 0; i < m; i++) {
//     double *w = …;                             int64_t pC = 0;
//     #pragma omp for                            … pC += 1;
//     for (int64_t i = 0; i < m; i++) …          C_pos[i + 1] = pC;
//     free(w);                                 }
//   }

#include <functional>
#include <set>
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

  /// A loop over `variable`: its iterations update the tensors `reduces` together.
  struct Work {
    std::string variable;
    std::vector<std::string> reduces;
    flow::Stmt body;
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
  void begin_iteration(bool parallel) { memory_.begin_iteration(parallel); }
  void end_iteration(bool parallel) { memory_.end_iteration(parallel); }

  /// Do several threads update it? Each has a part of its own of what C can reduce.
  bool update_together(const std::string& tensor) const { return shared_.count(tensor) > 0; }

 private:
  /// Of the pragma; what has none is shared.
  std::string clauses(const Work& work);

  Context& out_;
  Memory& memory_;
  Temporaries& temporaries_;
  std::set<std::string> shared_;  ///< updated together by the iterations of the parallel loop around
};

}  // namespace trellis::emit
