#include "engine/run/background.hpp"

#include <algorithm>
#include <csignal>
#include <utility>

#include "engine/run/backends.hpp"

namespace trellis::run {

Background::~Background() { stop(); }

bool Background::want(const emit::Module& module, double seconds) {
  const std::lock_guard hold(mutex_);
  if (failed_) return false;
  const auto same = [&](const Wish& one) { return one.module.source == module.source; };
  if (std::ranges::any_of(wishes_, same)) return true;
  wishes_.push_back({module, seconds});
  if (works_) return true;
  if (thread_.joinable()) thread_.join();  // which has nothing left to do
  works_ = true;
  // Signals are for the main thread.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread([this] { work(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return true;
}

void Background::work() {
  for (;;) {
    Limits limits;
    emit::Module module;
    {
      const std::lock_guard hold(mutex_);
      if (wishes_.empty() || cancel_.requested()) {
        works_ = false;
        return;
      }
      module = wishes_.front().module;
      limits.seconds = wishes_.front().seconds;
    }
    limits.cancel = cancel_;
    limits.aside = true;
    auto made = compile(module, Backend::native, limits);
    const std::lock_guard hold(mutex_);
    if (cancel_.requested()) continue;
    failed_ = std::holds_alternative<CompileError>(made);
    wishes_.pop_front();
    if (failed_) wishes_.clear();
    done_.push_back(std::move(made));
  }
}

std::vector<std::variant<Kernel, CompileError>> Background::take() {
  const std::lock_guard hold(mutex_);
  return std::exchange(done_, {});
}

void Background::stop() {
  cancel_.request();
  if (thread_.joinable()) thread_.join();
  const std::lock_guard hold(mutex_);
  wishes_.clear();
  cancel_.clear();
}

}  // namespace trellis::run
