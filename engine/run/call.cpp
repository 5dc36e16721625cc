#include "engine/run/call.hpp"

#include <deque>

#include "engine/run/clock.hpp"
#include "engine/run/code.hpp"
#include "engine/run/execute.hpp"
#include "engine/run/lent.hpp"
#include "engine/run/native.hpp"
#include "engine/run/openmp.hpp"
#include "engine/text/deadline.hpp"

namespace trellis::run {
namespace {

using Status = Outcome::Status;

Status status_of(int status) {
  switch (status) {
    case TRELLIS_OK: return Status::ok;
    case TRELLIS_OUT_OF_MEMORY: return Status::out_of_memory;
    case TRELLIS_INTERRUPTED: return Status::interrupted;
    default: return Status::fault;
  }
}

Outcome not_bound(const std::string& name) { return {.status = Status::fault, .message = name + " has no value"}; }

}  // namespace

trellis_kernel entry_of(const Kernel& kernel) {
  const Kernel::Code& code = *kernel.code();
  const Kernel::Entry entry = code.entry ? code.entry : load_entry(code.file.c_str(), code.symbol.c_str());
  return reinterpret_cast<trellis_kernel>(reinterpret_cast<void*>(entry));
}

Outcome enter(trellis_kernel kernel, const Passed& passed, int threads, trellis_error& error) {
  const OpenMp openmp = threads > 0 ? OpenMp::find() : OpenMp{};
  if (openmp.set_threads) openmp.set_threads(threads);
  const auto start = Clock::now();
  const int status = kernel(passed.tensors.data(), passed.sizes.data(), passed.reals.data(), &error);
  Outcome outcome;
  outcome.run_ms = milliseconds_since(start);
  openmp.release_threads();
  outcome.status = status_of(status);
  if (status == TRELLIS_OK) return outcome;
  outcome.message = error.message;
  outcome.site = error.site;
  if (status < TRELLIS_OUT_OF_MEMORY) outcome.fault = static_cast<emit::FaultKind>(status);
  return outcome;
}

Outcome call(const Kernel& kernel, const emit::Callable& callable, const Bindings& bindings, int threads,
             std::size_t most_bytes) {
  std::vector<std::int64_t> sizes;
  std::vector<double> reals;
  std::deque<OwnLentTensor> lent;
  std::vector<trellis_tensor*> tensors;
  for (const std::string& name : callable.sizes) {
    const auto size = bindings.sizes.find(name);
    if (size == bindings.sizes.end()) return not_bound(name);
    sizes.push_back(size->second);
  }
  for (const std::string& name : callable.reals) {
    const auto real = bindings.reals.find(name);
    if (real == bindings.reals.end()) return not_bound(name);
    reals.push_back(real->second);
  }
  for (const emit::TensorArgument& argument : callable.tensors) {
    const auto tensor = bindings.arrays.find(argument.name);
    if (tensor == bindings.arrays.end()) return not_bound(argument.name);
    tensors.push_back(lent.emplace_back(tensor->second, argument.role, most_bytes).get());
  }
  const trellis_kernel entry = entry_of(kernel);
  if (!entry)
    return {.status = Status::crashed,
            .message = "the code of kernel `" + callable.module.kernel + "` cannot be loaded"};

  const text::OffTheClock running;  // nothing would end it
  trellis_error error{};
  Outcome outcome = enter(entry, {tensors, sizes, reals}, kernel.backend() == Backend::native ? threads : 0, error);
  if (outcome.fault != emit::FaultKind::none)
    outcome.message = fault_message(callable.module, outcome.fault, outcome.site);
  return outcome;
}

}  // namespace trellis::run
