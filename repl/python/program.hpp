#pragma once
// A program that Python compiled, and its calls:
//
//   objects ──view──► operands ──trust──► structures ──► Compiled ──sizes, results, enter──► objects
//
// The GIL is the lock of what is cached here; whatever takes long is done without it.

#include <pybind11/pybind11.h>

#include <memory>
#include <span>
#include <vector>

#include "repl/python/compiled.hpp"

namespace trellis::python {

/// What `run` says beside operands.
struct RunOptions {
  bool isolate = false;                 ///< in a child process
  double seconds = 60;                  ///< of the child
  std::size_t memory = 0;               ///< bytes that the child may take; 0: half of the machine's
  bool check = false;                   ///< look at index arrays again
  pybind11::dict out;                   ///< by result: the ndarray that it goes to
  std::map<std::string, double> reals;  ///< values of parameters
  lang::Overrides integers;
  std::map<std::string, double>* stored = nullptr;  ///< of what kernels append, by name: for who asks
};

/// A call's operands, and what keeps them where they are. Made and dropped with the GIL.
struct Lent {
  std::vector<Operand> operands;      ///< by parameter
  std::vector<const Operand*> given;  ///< the same; null: the call brings none
  std::vector<Ref> owners;            ///< the object, or the copy that is lent in its place
  std::vector<PyObject*> objects;     ///< as the call brought them
  pybind11::list copies;              ///< what was copied: "A: sorted and summed, 1.5 MiB"
};

class Program {
 public:
  explicit Program(Options options) : template_(std::move(options)) {}

  /// Runs it on objects by parameter, null where there is none. A new reference; throws Refused and what Python raises.
  PyObject* call(std::span<PyObject* const> arguments, const RunOptions& options);

  const Template& definition() const { return template_; }
  /// For these objects (null or fewer: what keywords say), compiled if need be. Throws as `call`.
  std::shared_ptr<Compiled> specialised(std::span<PyObject* const> arguments);
  /// The one that was used last, or without operands where none was.
  std::shared_ptr<Compiled> last();
  const pybind11::list& copies() const { return copies_; }

 private:
  std::shared_ptr<Compiled> compiled_for(const Lent& lent, const lang::Overrides& overrides);
  void note_copies(const Lent& lent);

  Template template_;
  std::vector<std::pair<std::string, std::shared_ptr<Compiled>>> compiled_;  ///< by overrides; the last one used first
  pybind11::list copies_;
};

/// Views of the objects; copies are made of what cannot be lent as it is, and said. `check`: looks at index arrays
/// again.
Lent lend(const Template& program, std::span<PyObject* const> arguments, bool check);

/// Runs in this process, with results that Python owns.
PyObject* run_here(Compiled& compiled, const Template& program, Lent& lent, const RunOptions& options);
/// Runs in the session: in a child process, or whatever the direct way does not know. Throws Refused.
PyObject* run_in_session(Compiled& compiled, const Template& program, Lent& lent, const RunOptions& options);

/// Results in the classes of Python: dense ones as they are, sparse ones in that of the first sparse operand; several
/// as a named tuple.
PyObject* hand_over(std::vector<pybind11::object> results, const std::vector<std::string>& names, const Lent& lent);

/// Refuses a dense result that is far larger than what was sparse, E0702, or warns of it, W0702.
void mind_density(const Compiled& compiled, const Template& program, const Lent& lent,
                  const std::vector<std::int64_t>& sizes);

Refused fault(const run::Outcome& outcome, const Compiled& compiled, const Compilation& compilation);

void bind_program(pybind11::module_& module);

}  // namespace trellis::python
