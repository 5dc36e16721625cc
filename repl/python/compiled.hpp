#pragma once
// A specialisation, ready to be called: code of its kernels, where each argument comes from, how results are made.

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "engine/run/lent.hpp"
#include "repl/python/sizes.hpp"
#include "repl/python/specialise.hpp"
#include "repl/python/tiers.hpp"

namespace trellis::python {

struct Compiled {
  struct Argument {
    int slot = 0;
    emit::TensorArgument::Role role;
  };
  /// A kernel: what is entered in this process, which Ctrl-C can end, and what a child runs.
  struct Step {
    std::shared_ptr<const Compilation> compilation;
    emit::Callable callable = {};
    std::unique_ptr<Tiers> code = {};      ///< of the Callable
    std::unique_ptr<Tiers> isolated = {};  ///< the session's own, once a child has run it; with the mutex
    std::vector<Argument> tensors = {};    ///< of the Callable, by place; numbers of sizes and reals likewise
    std::vector<int> sizes = {}, reals = {};
    bool threads = false;  ///< its code asks OpenMP for them
  };
  struct Tensor {
    lang::TensorInfo info;
    int parameter = -1;      ///< of the call that brings it; -1: none does
    bool written = false;    ///< a result, or a temporary that one kernel leaves to another
    bool appended = false;   ///< its kernel appends to it
    bool converted = false;  ///< the operand comes in another format
    int entries_of = -1;     ///< the slot of the operand whose entries, and index arrays, it has; -1: it has its own
    std::vector<Form> shape = {};
    std::shared_ptr<const run::LentFormat> lent = {};
  };

  std::unique_ptr<session::Session> session;
  std::mutex mutex;  ///< of the session; locked without the GIL
  std::vector<Structure> key;
  std::vector<std::vector<std::int64_t>> shapes;  ///< that it holds for; empty: any
  std::vector<Tensor> tensors;                    ///< by number of the slot
  std::vector<int> results;                       ///< slots, in the order of the program
  std::vector<Step> steps;
  std::map<std::string, Step> others;  ///< by source: what operands made of a kernel in the session; with the mutex
  SizePlan sizes;
  std::atomic<bool> worth_native = false;  ///< it is called often, or for long
  std::vector<std::string> reals;          ///< names of real parameters, in their order
  std::vector<double> real_values;         ///< as the program says
  bool direct = true;     ///< no pattern, no mask but of operands, nothing that goes on from what a result holds
  bool promises = false;  ///< some operand promises something of its values
  int calls = 0;
  double estimated_ms = 0;                  ///< of one call, when it was compiled
  std::vector<std::int64_t> checked_sizes;  ///< for which bounds were found to be in range
  bool ends_by_values = false;              ///< how long it takes is not said by sizes and entries alone
  std::int64_t quick_entries = -1;          ///< with these sizes, and so many entries, a call was over at once
};

/// Throws Refused. Without the GIL; `operands` are only looked at.
std::unique_ptr<Compiled> compile(const Template& program, const std::vector<const Operand*>& operands,
                                  const std::vector<PyObject*>& owners, const lang::Overrides& overrides);

/// The step's code behind the interface for tensors: libtcc's, or the tier's. Throws Refused.
void make_code(Compiled::Step& step, Tier tier);

/// What holds for these sizes and no others: reads in range where a tensor is empty, bounds in 64 bits. Throws Refused.
/// With its mutex locked.
void check_sizes(const Compiled& compiled, const std::vector<std::int64_t>& sizes, bool some_empty);

}  // namespace trellis::python
