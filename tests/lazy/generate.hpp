#pragma once
// Random expressions, built twice: as lazy arrays, and by the functions of ndarray.hpp on arrays.

#include <map>
#include <string>
#include <vector>

#include "engine/lazy/array.hpp"
#include "tests/lazy/ndarray.hpp"
#include "tests/random/generate.hpp"

namespace trellis::lazy {

struct Pair {
  Array lazy;
  NdArray computed;
};

struct Wishes {
  bool empty = true;  ///< axes of size 0 now and then
  bool wide = false;  ///< values up to the limits of their types rather than small ones
};

class Generator {
 public:
  Generator(randomised::Dice& dice, Wishes wishes) : dice_(dice), wishes_(wishes) {}

  /// Of that shape and type, so many operators deep.
  Pair make(const Sizes& shape, format::ScalarType type, int depth);
  Sizes shape();
  format::ScalarType type();

  /// The operands that it used, each in a random format.
  const std::map<std::string, tensor::Tensor>& operands() const { return operands_; }
  /// How often each kind of operator was drawn.
  const std::map<std::string, int>& drawn() const { return drawn_; }

 private:
  using Type = format::ScalarType;
  format::Value value(Type type);
  format::Value fill(Type type);
  Pair operand(Sizes shape, Type type);
  Pair leaf(const Sizes& shape, Type type);
  Pair full(const Sizes& shape, Type type, int depth);
  std::optional<Pair> drawn(const std::string& kind, const Sizes& shape, Type type, int depth);
  Pair unary(const Sizes& shape, Type type, int depth);
  Pair binary(const Sizes& shape, Type type, int depth);
  Pair compared(const Sizes& shape, int depth);
  Pair converted(const Sizes& shape, Type type, int depth);
  Pair chosen(const Sizes& shape, Type type, int depth);
  Pair reduced(const Sizes& shape, Type type, int depth);
  Pair meant(const Sizes& shape, int depth);
  Pair best(const Sizes& shape, int depth);
  Pair permuted(const Sizes& shape, Type type, int depth);
  Pair spread(const Sizes& shape, Type type, int depth);
  Pair contracted(const Sizes& shape, Type type, int depth);
  Pair sliced(Sizes shape, Type type, int depth);
  Pair rolled(const Sizes& shape, Type type, int depth);
  Pair padded(Sizes shape, Type type, int depth);
  Pair joined(const Sizes& shape, Type type, int depth);
  Pair stacked(Sizes shape, Type type, int depth);
  std::optional<Pair> reshaped(const Sizes& shape, Type type, int depth);

  int axis_of(const Sizes& shape) { return dice_.below(static_cast<int>(shape.size())); }

  randomised::Dice& dice_;
  Wishes wishes_;
  std::map<std::string, tensor::Tensor> operands_;
  std::vector<Pair> used_;
  std::map<std::string, int> drawn_;
};

/// A random format for that rank, storable for any data.
format::Format random_storage(randomised::Dice& dice, int rank);

}  // namespace trellis::lazy
