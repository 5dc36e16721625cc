#include "engine/run/execute.hpp"

#include <signal.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <new>

#include "engine/run/clock.hpp"
#include "engine/run/openmp.hpp"
#include "engine/run/sandbox.hpp"
#include "engine/run/snapshot.hpp"

namespace trellis::run {
namespace {

using Status = Outcome::Status;

/// What the child tells, in a page that both processes see.
struct Report {
  std::int32_t fault[2];  ///< {kind, site}, as the module's ABI says
  std::int32_t result;    ///< of the entry
};

// The module's arguments in order, then the fault record. Addresses stay valid while `bindings` and `capacities` do.
std::vector<void*> argument_pointers(const emit::Module& module, const Bindings& bindings, std::vector<std::int64_t>& capacities,
                                     Report& report) {
  std::vector<void*> pointers;
  capacities.reserve(module.arguments.size());
  for (const emit::Argument& argument : module.arguments) switch (argument.kind) {
      case emit::Argument::Kind::size: pointers.push_back(const_cast<std::int64_t*>(&bindings.sizes.at(argument.name))); break;
      case emit::Argument::Kind::real: pointers.push_back(const_cast<double*>(&bindings.reals.at(argument.name))); break;
      case emit::Argument::Kind::array:
        pointers.push_back(bindings.arrays.at(argument.name).array(argument.level, argument.array));
        break;
      case emit::Argument::Kind::capacity:
        pointers.push_back(&capacities.emplace_back(bindings.arrays.at(argument.name).capacity()));
        break;
    }
  pointers.push_back(report.fault);
  return pointers;
}

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

std::string fault_message(const emit::Module& module, emit::FaultKind kind, int site) {
  const bool known = site >= 0 && static_cast<std::size_t>(site) < module.sites.size();
  switch (kind) {
    case emit::FaultKind::division_by_zero: return "integer division by zero";
    case emit::FaultKind::division_overflow: return "the smallest integer was divided by -1";
    case emit::FaultKind::index_out_of_range:
      return (known ? module.sites[static_cast<std::size_t>(site)].what : std::string("an index")) + " is out of range";
    case emit::FaultKind::result_too_large:
      return (known ? module.sites[static_cast<std::size_t>(site)].what : std::string("a result")) + " has more entries than there is room for";
    case emit::FaultKind::none: break;
  }
  return {};
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

// The child's end and its report, as one outcome. Only Ending::Kind::returned makes the report complete.
Outcome judge(const emit::Module& module, const Ending& ending, const Report& report, const Limits& limits, std::size_t memory) {
  const std::string& kernel = module.kernel;
  switch (ending.kind) {
    case Ending::Kind::returned: break;
    case Ending::Kind::timed_out:
      return {.status = Status::timed_out,
              .message = "kernel `" + kernel + "` did not end within its time limit of " + in_seconds(limits.seconds)};
    case Ending::Kind::interrupted:
      return {.status = Status::interrupted, .message = "kernel `" + kernel + "` was interrupted"};
    case Ending::Kind::killed_by_signal:
      if (ending.code == SIGKILL) return out_of_memory(kernel, limits, memory);  // nobody else kills it but the system, for memory
      return {.status = Status::crashed, .signal = ending.code, .message = crash_message(kernel, ending.code)};
    case Ending::Kind::exited:
      return {.status = Status::crashed,
              .message = "kernel `" + kernel + "` ended its process with exit code " + std::to_string(ending.code)};
    case Ending::Kind::not_started:
      return {.status = Status::crashed,
              .message = "no process could be started for kernel `" + kernel + "`: " + std::strerror(ending.code)};
  }
  if (report.result != 0) return out_of_memory(kernel, limits, memory);
  if (report.fault[0] != 0) {
    const auto kind = static_cast<emit::FaultKind>(report.fault[0]);
    return {.status = Status::fault, .fault = kind, .site = report.fault[1], .message = fault_message(module, kind, report.fault[1])};
  }
  return {};
}

}  // namespace

Outcome execute_times(const Kernel& kernel, const Bindings& bindings, const Limits& limits, std::span<double> times, AfterFailure arrays) {
  const emit::Module& module = kernel.module();
  const std::size_t memory = limits.memory ? limits.memory : default_memory_limit();
  const auto shared = tensor::SharedArray::allocate(sizeof(Report) + times.size() * sizeof(double), tensor::Writer::child_process);
  const bool writable = limits.trusted || share_written(module, bindings);
  const std::optional<Snapshot> before = arrays == AfterFailure::abandoned ? Snapshot() : Snapshot::take(module, bindings);
  if (!shared || !writable || !before)
    return {.status = Status::out_of_memory,
            .message = "there is no memory to keep the present values of what kernel `" + module.kernel + "` writes"};

  double* const ms = static_cast<double*>(shared->data());
  Report& report = *new (ms + times.size()) Report{};
  std::vector<std::int64_t> capacities;
  const std::vector<void*> arguments = argument_pointers(module, bindings, capacities, report);
  const OpenMp openmp = kernel.backend() == Backend::native ? OpenMp::find() : OpenMp{};
  const auto body = [&] {
    if (openmp.set_threads) openmp.set_threads(limits.threads);
    for (std::size_t run = 0; run < times.size(); ++run) {
      if (run > 0) before->restore();
      const auto start = Clock::now();
      report.result = kernel.entry()(arguments.data());
      ms[run] = milliseconds_since(start);
      if (report.result != 0 || report.fault[0] != 0) return;
    }
  };

  Ending ending{Ending::Kind::returned};
  if (limits.trusted) {
    body();
    openmp.release_threads();
  } else {
    ending = run_in_child(body, {limits.seconds, memory, limits.cancel});
  }
  Outcome outcome = judge(module, ending, report, limits, memory);
  if (outcome.status != Status::ok) before->restore();
  std::memcpy(times.data(), ms, times.size_bytes());
  if (!times.empty()) outcome.run_ms = times.back();
  return outcome;
}

Outcome execute(const Kernel& kernel, const Bindings& bindings, const Limits& limits, AfterFailure arrays) {
  double ms = 0;
  return execute_times(kernel, bindings, limits, {&ms, 1}, arrays);
}

}  // namespace trellis::run
