#include "repl/python/tiers.hpp"

#include <unistd.h>

#include <mutex>
#include <set>

#include "engine/run/backends.hpp"
#include "repl/python/errors.hpp"

namespace trellis::python {
namespace {

/// Those that have a thread, to be ended with the process.
struct Running {
  std::mutex mutex;
  std::set<Tiers*> all;
};
Running& running() {
  static Running& one = *new Running;
  return one;
}

Refused not_compiled(const emit::Module& module, const std::string& by, const std::string& why) {
  Refused refused = refusal("E0501", "the " + by + " back end could not compile " + module.kernel);
  text::Diagnostic d = refused.diagnostics.all().front();
  d.notes.push_back({{}, why});
  refused.diagnostics = {};
  refused.diagnostics.add(std::move(d));
  return refused;
}

}  // namespace

Tiers::Tiers(const emit::Module& module, Tier tier) : tier_(tier) {
  auto made = run::compile(module, run::Backend::jit);
  if (const auto* error = std::get_if<run::CompileError>(&made)) throw not_compiled(module, "jit", error->message);
  jit_ = std::move(std::get<run::Kernel>(made));
  entry_ = run::entry_of(jit_);
  if (tier != Tier::native) return;
  begun_ = true;
  if (!become_native({})) throw not_compiled(module, "native", "is there a C compiler? $CC, or else cc, is run");
}

Tiers::~Tiers() {
  if (!compiler_.joinable()) return;
  {
    const std::lock_guard hold(running().mutex);
    running().all.erase(this);
  }
  if (process_ == getpid()) {
    cancel_.request();
    compiler_.join();
  } else {
    compiler_.detach();
  }
}

bool Tiers::become_native(const text::Cancel& cancel) {
  run::Limits limits;
  limits.cancel = cancel;
  auto made = run::compile(jit_.module(), run::Backend::native, limits);
  auto* const kernel = std::get_if<run::Kernel>(&made);
  if (!kernel) return false;
  const trellis_kernel loaded = run::entry_of(*kernel);
  if (!loaded) return false;
  native_code_ = std::move(*kernel);
  entry_.store(loaded, std::memory_order_release);
  native_.store(true, std::memory_order_release);
  return true;
}

void Tiers::improve() {
  if (begun_ || tier_ != Tier::automatic) return;
  begun_ = true;
  process_ = getpid();
  const std::lock_guard hold(running().mutex);
  running().all.insert(this);
  compiler_ = std::thread([this] { become_native(cancel_); });
}

void Tiers::stop_all() {
  const std::lock_guard hold(running().mutex);
  for (Tiers* const one : running().all) {
    if (one->process_ != getpid()) continue;
    one->cancel_.request();
    one->compiler_.join();
  }
  running().all.clear();
}

}  // namespace trellis::python
