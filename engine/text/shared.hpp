#pragma once
// A value that many hold and few change: copies share it until one of them is changed.

#include <memory>
#include <utility>

namespace trellis::text {

template <class Value>
class Shared {
 public:
  Shared() : value_(std::make_shared<Value>()) {}
  Shared(Value value) : value_(std::make_shared<Value>(std::move(value))) {}  // NOLINT: a value is one

  const Value& operator*() const { return *value_; }
  const Value* operator->() const { return value_.get(); }
  /// To be changed: from here on a value of its own.
  Value& own() {
    if (value_.use_count() > 1) value_ = std::make_shared<Value>(*value_);
    return *value_;
  }

 private:
  std::shared_ptr<Value> value_;
};

}  // namespace trellis::text
