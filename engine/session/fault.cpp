#include "engine/session/fault.hpp"

#include <setjmp.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <stdexcept>

#include "engine/session/state/saved_program.hpp"
#include "engine/text/cancel_kept.hpp"

namespace trellis::session {
namespace {

constexpr std::array signals{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

/// Their reports say more than we could.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool left_to_sanitizers = true;
#else
constexpr bool left_to_sanitizers = false;
#endif

/// Where the thread goes on when its work ends by a signal; null outside of such work.
thread_local sigjmp_buf* way_out = nullptr;

std::string name_of(int signal) {
  switch (signal) {
    case SIGSEGV: return "SIGSEGV: an address that is not its own, or the stack is full";
    case SIGBUS: return "SIGBUS: memory that is not there";
    case SIGFPE: return "SIGFPE: a division by zero, or one that overflows";
    case SIGILL: return "SIGILL: an instruction that does not exist";
    default: return "SIGABRT: an assertion does not hold";
  }
}

void leave(int signal) {
  if (way_out) siglongjmp(*way_out, signal);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

/// A stack for handlers: the thread's own may be full.
class HandlerStack {
 public:
  HandlerStack() {
    stack_t stack{};
    stack.ss_sp = memory_.data();
    stack.ss_size = memory_.size();
    sigaltstack(&stack, &before_);
  }
  ~HandlerStack() { sigaltstack(&before_, nullptr); }
  HandlerStack(const HandlerStack&) = delete;
  HandlerStack& operator=(const HandlerStack&) = delete;

 private:
  std::array<char, 64 * 1024> memory_;
  stack_t before_{};
};

std::optional<Fault> without_exceptions(const std::function<void()>& work) try {
  work();
  return std::nullopt;
} catch (const std::exception& e) { return Fault{e.what()}; }

/// Empty when it cannot be written.
std::string kept(const std::string& text) {
  std::error_code error;
  std::string path = (std::filesystem::temp_directory_path(error) / "trellis-fault-XXXXXX.tr").string();
  const int file = error ? -1 : mkstemps(path.data(), 3);
  if (file < 0) return "";
  const bool written = ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  close(file);
  return written ? path : "";
}

}  // namespace

void contain_signals() {
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is one that cannot be written, which is said
  if (left_to_sanitizers) return;
  struct sigaction action {};
  action.sa_handler = leave;
  action.sa_flags = SA_ONSTACK | SA_NODEFER;
  for (const int signal : signals) sigaction(signal, &action, nullptr);
}

std::optional<Fault> contained(const std::function<void()>& work) {
  const HandlerStack stack;
  const text::CancelKept scopes;
  sigjmp_buf here;
  sigjmp_buf* const outer = way_out;
  struct Restored {
    sigjmp_buf* outer;
    ~Restored() { way_out = outer; }
  } const restored{outer};
  if (const int signal = sigsetjmp(here, 1)) return Fault{name_of(signal)};
  way_out = &here;
  return without_exceptions(work);
}

void fail_if_asked(const std::string& command) {
  const char* const wish = std::getenv("TRELLIS_FAULT");
  if (!wish) return;
  if (command == wish) throw std::logic_error("asked for by TRELLIS_FAULT");
  if (command + ":signal" == wish) std::raise(SIGSEGV);
}

void report_fault(const Fault& fault, State& state, const Faulted& faulted, text::Diagnostics& diagnostics) {
  SavedProgram saved;
  // What is wrong with the session may be wrong again.
  if (contained([&] { saved = saved_program(state, std::filesystem::temp_directory_path()); })) saved = {};
  const std::string path =
      kept("# `" + faulted.command + "`, which comes last, ended in a fault of Trellis: " + fault.what + "\n" +
           saved.text + "\n" + faulted.written + "\n");
  auto& error = diagnostics.error("E0510", faulted.at, "a fault in Trellis ended `" + faulted.command + "`",
                                  "all is as it was before");
  error.notes.push_back({{}, fault.what});
  if (!path.empty())
    error.notes.push_back(
        {{}, "`trellis run" + saved.options + " " + path + "` shows it again: please report that file"});
}

}  // namespace trellis::session
