#pragma once
// Vectors that are copied far more often than they are changed: copies share their elements until one of them changes.

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

namespace trellis::text {

template <class T>
class SharedVector {
 public:
  using value_type = T;
  using const_iterator = const T*;

  const T* begin() const { return elements_ ? elements_->data() : nullptr; }
  const T* end() const { return begin() + size(); }
  std::size_t size() const { return elements_ ? elements_->size() : 0; }
  bool empty() const { return size() == 0; }
  const T& operator[](std::size_t k) const { return (*elements_)[k]; }
  const T& front() const { return elements_->front(); }
  const T& back() const { return elements_->back(); }

  /// To be changed: nobody else sees that. It is invalid once this is copied or gone.
  std::vector<T>& own() {
    if (!elements_) elements_ = std::make_shared<std::vector<T>>();
    else if (elements_.use_count() > 1) elements_ = std::make_shared<std::vector<T>>(*elements_);
    return *elements_;
  }

  bool operator==(const SharedVector& other) const {
    return elements_ == other.elements_ || std::equal(begin(), end(), other.begin(), other.end());
  }

 private:
  std::shared_ptr<std::vector<T>> elements_;  ///< none: nothing in it
};

}  // namespace trellis::text
