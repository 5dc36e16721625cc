#include "engine/session/state/compile_failure.hpp"

namespace trellis::session {

void report(const run::CompileError& error, const Refusal& refusal, const lang::Kernel& kernel,
            text::Diagnostics& diagnostics, Exit& exit) {
  switch (error.kind) {
    case run::CompileError::Kind::refused:
      diagnostics.error(refusal.code, kernel.span, refusal.message, "").notes.push_back({{}, error.message});
      break;
    case run::CompileError::Kind::timed_out:
      diagnostics.error("E0504", kernel.span, "compiling kernel " + kernel.name + " did not finish in time", "")
          .notes.push_back({{}, "`--timeout S` sets the limit; " + error.message});
      exit = Exit::kernel_failed;
      break;
    case run::CompileError::Kind::interrupted:
      diagnostics.error("E0506", kernel.span, "compiling kernel " + kernel.name + " was interrupted", "");
      exit = Exit::interrupted;
      break;
  }
}

}  // namespace trellis::session
