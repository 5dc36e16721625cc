#include "engine/run/execute.hpp"

#include <signal.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "engine/run/sandbox.hpp"
#include "engine/run/server.hpp"
#include "engine/run/snapshot.hpp"
#include "engine/run/work.hpp"
#include "engine/text/deadline.hpp"

namespace trellis::run {
namespace {

using Status = Outcome::Status;

/// False when memory is refused.
bool share_written(const emit::Module& module, const Bindings& bindings) {
  return std::ranges::all_of(module.arguments, [&](const emit::Argument& a) {
    return a.kind != emit::Argument::Kind::array || !a.written || bindings.arrays.at(a.name).share(a.level, a.array);
  });
}

std::string megabytes(std::size_t bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.0f MiB", static_cast<double>(bytes) / (1 << 20));
  return text;
}

Outcome out_of_memory(const std::string& kernel, const Limits& limits, std::size_t memory) {
  const std::string limit = limits.trusted ? "this machine has free" : "its limit of " + megabytes(memory);
  return {.status = Status::out_of_memory, .message = "kernel `" + kernel + "` needs more memory than " + limit};
}

std::string crash_message(const std::string& kernel, int signal) {
  const char* const name = sigdescr_np(signal);
  std::string message = "kernel `" + kernel + "` crashed: " + (name ? name : "signal " + std::to_string(signal));
  if (signal == SIGSEGV) message += " (an address that is not its own, or the stack is full)";
  return message;
}

Ending run_here(Work& work) {
  const text::OffTheClock running;  // nothing would end it
  if (find_entry(work)) perform(work);
  work.openmp.release_threads();
  return {Ending::Kind::returned};
}

Ending run_apart(Work& work, const SandboxLimits& limits) {
  if (const auto ending = run_in_server(work, limits)) return *ending;
  const auto body = [&] {
    if (!find_entry(work)) return;
    reach_arrays(work);
    perform(work);
  };
  return run_in_child(body, limits);
}

}  // namespace

Outcome judge(const emit::Module& module, const Ending& ending, const Report& report, const Limits& limits,
              std::size_t memory) {
  const std::string& kernel = module.kernel;
  switch (ending.kind) {
    case Ending::Kind::returned: break;
    case Ending::Kind::timed_out:
      return {.status = Status::timed_out,
              .message = "kernel `" + kernel + "` did not end within its time limit of " + in_seconds(limits.seconds)};
    case Ending::Kind::interrupted:
      return {.status = Status::interrupted, .message = "kernel `" + kernel + "` was interrupted"};
    case Ending::Kind::killed_by_signal:
      if (ending.code == SIGKILL)
        return out_of_memory(kernel, limits, memory);  // nobody else kills it but the system, for memory
      return {.status = Status::crashed, .signal = ending.code, .message = crash_message(kernel, ending.code)};
    case Ending::Kind::exited:
      return {.status = Status::crashed,
              .message = "kernel `" + kernel + "` ended its process with exit code " + std::to_string(ending.code)};
    case Ending::Kind::not_started:
      return {.status = Status::crashed,
              .message = "no process could be started for kernel `" + kernel + "`: " + std::strerror(ending.code)};
    case Ending::Kind::lost:
      return {.status = Status::crashed,
              .message = "the process that runs kernels died, and kernel `" + kernel + "` with it"};
  }
  if (!report.begun)
    return {.status = Status::crashed, .message = "the code of kernel `" + kernel + "` cannot be loaded"};
  if (report.result != 0) return out_of_memory(kernel, limits, memory);
  if (report.fault[0] != 0) {
    const auto kind = static_cast<emit::FaultKind>(report.fault[0]);
    return {.status = Status::fault,
            .fault = kind,
            .site = report.fault[1],
            .message = fault_message(module, kind, report.fault[1])};
  }
  return {.message = {}, .ended_after = report.steps};
}

std::string fault_message(const emit::Module& module, emit::FaultKind kind, int site) {
  const bool known = site >= 0 && static_cast<std::size_t>(site) < module.sites.size();
  switch (kind) {
    case emit::FaultKind::division_by_zero: return "integer division by zero";
    case emit::FaultKind::division_overflow: return "the smallest integer was divided by -1";
    case emit::FaultKind::index_out_of_range:
      return (known ? module.sites[static_cast<std::size_t>(site)].what : std::string("an index")) + " is out of range";
    case emit::FaultKind::result_too_large:
      return (known ? module.sites[static_cast<std::size_t>(site)].what : std::string("a result")) +
             " has more entries than there is room for";
    case emit::FaultKind::none: break;
  }
  return {};
}

Outcome execute_times(const Kernel& kernel, const Bindings& bindings, const Limits& limits, std::span<double> times,
                      AfterFailure arrays) {
  const emit::Module& module = kernel.module();
  const std::size_t memory = limits.memory ? limits.memory : default_memory_limit();
  const bool writable = limits.trusted || share_written(module, bindings);
  const std::optional<Snapshot> before =
      arrays == AfterFailure::abandoned ? Snapshot() : Snapshot::take(module, bindings);
  const auto work = before ? PreparedWork::make(kernel, bindings, limits.threads, times.size(), *before) : std::nullopt;
  if (!work || !writable)
    return {.status = Status::out_of_memory,
            .message = "there is no memory to keep the present values of what kernel `" + module.kernel + "` writes"};

  const Ending ending = limits.trusted ? run_here(**work) : run_apart(**work, {limits.seconds, memory, limits.cancel});
  Outcome outcome = judge(module, ending, (*work)->report, limits, memory);
  if (outcome.status != Status::ok) before->restore();
  std::ranges::copy((*work)->ms, times.begin());
  if (!times.empty()) outcome.run_ms = times.back();
  return outcome;
}

Outcome execute(const Kernel& kernel, const Bindings& bindings, const Limits& limits, AfterFailure arrays) {
  double ms = 0;
  return execute_times(kernel, bindings, limits, {&ms, 1}, arrays);
}

}  // namespace trellis::run
