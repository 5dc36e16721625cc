#include "engine/session/live/disassembly.hpp"

#include "engine/run/assembly.hpp"

namespace trellis::session {
namespace {

Listing listing_of(const emit::Module& module, const run::Limits& limits) {
  const auto made = run::assembly_of(module, limits);
  if (const auto* error = std::get_if<run::CompileError>(&made)) return {{}, error->message};
  return {run::annotated(std::get<std::vector<run::MachineFunction>>(made), module, run::LinesOfC::apart), ""};
}

}  // namespace

void Disassembly::start(const Kernel& kernel) {
  cancel_.clear();
  asked_ = kernel;
  run::Limits limits;
  limits.cancel = cancel_;
  running_ = std::async(std::launch::async, [kernel, limits, wake = wake_] {
    Listing listing = listing_of(kernel->compilation.module, limits);
    wake();
    return listing;
  });
}

std::shared_ptr<const Listing> Disassembly::of(const Kernel& kernel) {
  if (running_.valid() && running_.wait_for(std::chrono::seconds(0)) == std::future_status::ready) {
    auto listing = std::make_shared<const Listing>(running_.get());
    if (!cancel_.requested()) listing_ = std::move(listing), known_ = asked_;
  }
  if (known_ == kernel) return listing_;
  if (!running_.valid()) start(kernel);
  else if (asked_ != kernel) cancel_.request();
  return nullptr;
}

}  // namespace trellis::session
