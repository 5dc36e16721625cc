#pragma once
// What takes a while to make of the one thing that somebody looks at: it is made on a thread of its own, so that what
// is typed is answered meanwhile; of things only the last one counts.
//
//   Aside<Key, Listing> listing(make, wake);   // `wake` is called on that thread when there is something new
//   listing.of(key)                            // null: under way

#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <utility>

#include "engine/text/cancel.hpp"

namespace trellis::session {

template <typename Key, typename Made>
class Aside {
 public:
  /// Ends early, with whatever there is, once that is wished for.
  using Make = std::function<Made(const Key&, const text::Cancel&)>;
  Aside(Make make, std::function<void()> wake) : make_(std::move(make)), wake_(std::move(wake)) {}
  ~Aside() { cancel_.request(); }
  Aside(const Aside&) = delete;
  Aside& operator=(const Aside&) = delete;

  /// Asks for it unless it is known. Called by one thread, once a frame.
  std::shared_ptr<const Made> of(const Key& key) {
    if (running_.valid() && !under_way()) {
      auto made = std::make_shared<const Made>(running_.get());
      if (!cancel_.requested()) made_ = std::move(made), known_ = asked_;
    }
    if (known_ == key) return made_;
    if (!running_.valid()) start(key);
    else if (asked_ != key) cancel_.request();
    return nullptr;
  }
  bool under_way() const {
    return running_.valid() && running_.wait_for(std::chrono::seconds(0)) != std::future_status::ready;
  }

 private:
  void start(const Key& key) {
    cancel_.clear();
    asked_ = key;
    running_ = std::async(std::launch::async, [key, make = make_, cancel = cancel_, wake = wake_] {
      Made made = make(key, cancel);
      wake();
      return made;
    });
  }

  const Make make_;
  const std::function<void()> wake_;
  const text::Cancel cancel_;
  std::optional<Key> known_, asked_;
  std::shared_ptr<const Made> made_;  ///< of `known_`
  std::future<Made> running_;         ///< of `asked_`; its end is waited for
};

}  // namespace trellis::session
