#pragma once
// Compiled kernels: from a Module to something that runs, in a child process or in this one.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/emit/module.hpp"
#include "engine/tensor/tensor.hpp"
#include "engine/text/cancel.hpp"

namespace trellis::run {

enum class Backend { jit, native };
const char* name_of(Backend backend);

struct Limits {
  double seconds = 60;     ///< of a kernel, and of the compiler before it
  std::size_t memory = 0;  ///< bytes of the child's own data; 0: half of the machine's memory
  bool trusted = false;    ///< in-process: no limits, no protection
  int threads = 1;         ///< OpenMP threads, native only
  bool aside = false;      ///< compilers run at the lowest priority: nobody waits for them
  text::Cancel cancel =
      {};  ///< ends kernels with Outcome::Status::interrupted, compilers with CompileError::Kind::interrupted
};

/// The values that a kernel runs on, by the module's argument names.
struct Bindings {
  std::map<std::string, std::int64_t> sizes;
  std::map<std::string, double> reals;
  std::map<std::string, tensor::Tensor> arrays;
};

/// A compiled kernel; keeps its code loaded. Copies share it.
class Kernel {
 public:
  struct Code;  ///< code.hpp
  Kernel() = default;
  Kernel(std::shared_ptr<Code> code, emit::Module module, Backend backend, double compile_ms, bool cached);
  const emit::Module& module() const { return module_; }
  Backend backend() const { return backend_; }
  double compile_ms() const { return compile_ms_; }
  bool cached() const { return cached_; }
  /// The adapter; see emit/module.hpp.
  using Entry = int (*)(void* const*);
  Entry entry() const;
  const Code* code() const { return code_.get(); }

 private:
  std::shared_ptr<Code> code_;
  emit::Module module_;
  Backend backend_ = Backend::jit;
  double compile_ms_ = 0;
  bool cached_ = false;
};

/// Refused: the back end could not compile what the emitter wrote, which is our bug, or there is no compiler.
struct CompileError {
  enum class Kind { refused, timed_out, interrupted };
  std::string message;
  Kind kind = Kind::refused;
};

struct Outcome {
  enum class Status { ok, fault, out_of_memory, timed_out, crashed, interrupted } status = Status::ok;
  double run_ms = 0;  ///< the kernel alone, without starting the child
  emit::FaultKind fault = emit::FaultKind::none;
  int site = -1;                 ///< index into Module::sites, for faults
  int signal = 0;                ///< crashed
  std::string message;           ///< one line for people; empty when ok
  std::int64_t ended_after = 0;  ///< so many steps the condition of `until` held; 0: it never did
};

const char* name_of(Outcome::Status status);

/// What becomes of the arrays when a run fails: they are put back as they were (snapshot.hpp says how), or the caller,
/// who has the old values elsewhere, throws them away.
enum class AfterFailure { restored, abandoned };

/// Runs once on the bindings' arrays, which the kernel updates in place; every argument of the module must be bound.
Outcome execute(const Kernel& kernel, const Bindings& bindings, const Limits& limits,
                AfterFailure arrays = AfterFailure::restored);

}  // namespace trellis::run
