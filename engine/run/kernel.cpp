#include "engine/run/kernel.hpp"

#include <utility>

#include "engine/run/code.hpp"

namespace trellis::run {

const char* name_of(Backend backend) { return backend == Backend::jit ? "jit" : "native"; }

const char* name_of(Outcome::Status status) {
  switch (status) {
    case Outcome::Status::ok: return "ok";
    case Outcome::Status::fault: return "fault";
    case Outcome::Status::out_of_memory: return "out of memory";
    case Outcome::Status::timed_out: return "timed out";
    case Outcome::Status::crashed: return "crashed";
    case Outcome::Status::interrupted: return "interrupted";
  }
  return "";
}

Kernel::Kernel(std::shared_ptr<Code> code, emit::Module module, Backend backend, double compile_ms, bool cached)
    : code_(std::move(code)), module_(std::move(module)), backend_(backend), compile_ms_(compile_ms), cached_(cached) {}

Kernel::Entry Kernel::entry() const { return code_ ? code_->entry : nullptr; }

}  // namespace trellis::run
