#pragma once
// What must never happen, and must not end a session when it does: an exception, a signal or a failed assertion of the
// engine itself. The command ends, and all is as it was before.
//
//   contain_signals();                                            // once, in main
//   if (const auto fault = contained([&] { carry_out(command); }))
//     report_fault(*fault, …);                                    // E0510, with the program saved beside it

#include <functional>
#include <optional>
#include <string>

#include "engine/session/state/state.hpp"

namespace trellis::session {

struct Fault {
  std::string what;  ///< "SIGSEGV: an address that is not its own, or the stack is full", or what the exception says
};

/// From here on a signal that the engine's own code raises (SEGV, BUS, FPE, ILL, ABRT) ends the `contained` work of its
/// thread; outside of it the process, as ever. Memory and locks that the work held stay lost. Does nothing under
/// sanitizers, whose reports are worth more.
void contain_signals();

/// Does the work; how it failed, if it did. Cancelled passes through.
std::optional<Fault> contained(const std::function<void()>& work);

/// For trying what comes after: fails in the way that the environment variable TRELLIS_FAULT asks for, `print` by an
/// exception in the command `print`, `print:signal` by a signal.
void fail_if_asked(const std::string& command);

/// What was under way.
struct Faulted {
  std::string command;  ///< "print", "the program"
  std::string written;  ///< the statement, or the whole text
  text::Span at;
};

/// Says E0510, with a file that holds the program and the statement that failed, and the line that runs it.
void report_fault(const Fault& fault, State& state, const Faulted& faulted, text::Diagnostics& diagnostics);

}  // namespace trellis::session
