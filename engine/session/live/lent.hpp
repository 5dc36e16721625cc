#pragma once
// Values that any thread may read, but only one may free: those that hold objects of isl. They come back when nobody
// reads them any more, and wait for their thread.
//
//   Lent lent;                                    // of the thread that makes them
//   auto reply = lent.lend(Reply(…));             // handed over, read and dropped anywhere
//   lent.free_returned();                         // on the thread that made them, now and then

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace trellis::session {

class Lent {
 public:
  /// What comes back after this thread's end is freed by whoever drops it: nobody else uses isl's context then.
  ~Lent() {
    {
      const std::lock_guard hold(returned_->mutex);
      returned_->open = false;
    }
    free_returned();
  }

  template <class Value>
  std::shared_ptr<const Value> lend(Value value) {
    const auto back = [returned = returned_](const Value* one) { returned->take(std::shared_ptr<const Value>(one)); };
    return std::shared_ptr<const Value>(new Value(std::move(value)), back);
  }

  void free_returned() {
    std::vector<std::shared_ptr<const void>> dead;
    const std::lock_guard hold(returned_->mutex);
    dead.swap(returned_->values);
  }

 private:
  struct Returned {
    std::mutex mutex;
    bool open = true;
    std::vector<std::shared_ptr<const void>> values;
    void take(std::shared_ptr<const void> one) {
      const std::lock_guard hold(mutex);
      if (open) values.push_back(std::move(one));
    }
  };
  std::shared_ptr<Returned> returned_ = std::make_shared<Returned>();
};

}  // namespace trellis::session
