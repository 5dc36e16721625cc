#pragma once
// A variable that is something else until the end of a scope: what a walk over a tree knows where it stands.
//
//   const Scoped scope(in.scope);      whatever becomes of it, afterwards it is what it is now
//   const Scoped stmt(in.stmt, 7);     7 until then

#include <utility>

namespace trellis::text {

template <class Value>
class [[nodiscard]] Scoped {
 public:
  explicit Scoped(Value& variable) : variable_(variable), outside_(variable) {}
  Scoped(Value& variable, Value inside) : variable_(variable), outside_(std::exchange(variable, std::move(inside))) {}
  ~Scoped() { variable_ = std::move(outside_); }
  Scoped(const Scoped&) = delete;
  Scoped& operator=(const Scoped&) = delete;

 private:
  Value& variable_;
  Value outside_;
};

}  // namespace trellis::text

namespace trellis {

using text::Scoped;

}  // namespace trellis
