#pragma once
// A wish that the work under way should end: expressed by any thread or a signal handler, heard by the one thread that
// works.
//
//   Cancel wish;       // of a session         const CancelScope scope(wish);  // on the thread that works
//   wish.request();    // whoever wants it     stop_if_cancelled();            // throws Cancelled
//
// Long work anywhere in the engine asks between two steps, and whoever asked for the work catches: the way of salsa, on
// which rust-analyzer stands. Handing the wish through each stage would put it into the signature of every pass
// instead, pure or not. Without a scope nothing is ever thrown.

#include <atomic>
#include <functional>
#include <memory>

namespace trellis::text {

/// A handle: copies share one wish.
class Cancel {
 public:
  Cancel() : wish_(std::make_shared<Wish>()) {}

  /// Safe from any thread and in a signal handler, as long as a handle lives.
  void request() const noexcept;
  /// What was wished for before is forgotten. Called by the thread that works, when it begins with something else.
  void clear() const;
  bool requested() const noexcept { return wish_->requested.load(std::memory_order_relaxed); }
  /// The same question, for work that is handed a function to ask.
  std::function<bool()> question() const {
    return [wish = *this] { return wish.requested(); };
  }
  /// A file descriptor that is readable while the end is wished for, to be waited for beside others.
  int bell() const;

 private:
  struct Wish {
    std::atomic<bool> requested{false};
    std::atomic<int> bell{-1};  ///< made when somebody first waits
    ~Wish();
  };
  static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);
  std::shared_ptr<Wish> wish_;
};

/// Thrown by `stop_if_cancelled`; what was asked for is not done, and nothing that is kept has changed.
struct Cancelled {};

/// While it lives, work on this thread stops when `cancel` wishes it to. Scopes nest; the innermost counts.
class CancelScope {
 public:
  explicit CancelScope(const Cancel& cancel);
  ~CancelScope();
  CancelScope(const CancelScope&) = delete;
  CancelScope& operator=(const CancelScope&) = delete;

 private:
  const Cancel cancel_;
  const Cancel* outer_;
};

/// A look at an atomic flag: cheap beside a question to isl or a thousand steps of an interpreter.
void stop_if_cancelled();

}  // namespace trellis::text
