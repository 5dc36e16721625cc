#pragma once
// Shape operators by their definition, with numbers for sizes: which element of which operand an element is. Shared by
// the reference evaluators alone, so that they judge what the compiler makes of operators.

#include <cstdint>
#include <vector>

#include "engine/lang/expr.hpp"

namespace trellis::check {

class ShapePlaces {
 public:
  /// `size` gives a form its value.
  template <class Size>
  ShapePlaces(const lang::Shape& shape, Size&& size)
      : op_(shape.op), parts_(static_cast<std::int64_t>(shape.parts.size())) {
    for (const math::Affine& form : shape.from_sizes) from_.push_back(size(form));
    for (const math::Affine& form : shape.to_sizes) to_.push_back(size(form));
    for (const math::Affine& form : shape.numbers) numbers_.push_back(size(form));
  }

  /// The operand, or -1 outside of them all, and the values of what is bound there.
  struct Place {
    std::int64_t part = 0;
    std::vector<std::int64_t> from;
  };
  Place at(const std::vector<std::int64_t>& to) const;
  bool inside(const std::vector<std::int64_t>& to) const;

 private:
  using Op = lang::Shape::Op;
  Op op_;
  std::int64_t parts_;
  std::vector<std::int64_t> from_, to_, numbers_;
};

}  // namespace trellis::check
