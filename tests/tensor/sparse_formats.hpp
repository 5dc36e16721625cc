#pragma once
// Formats and contents to try storage with: random ones, and a map from indices to values that says what must come
// back.

#include <map>
#include <random>
#include <string>
#include <vector>

#include "engine/format/level.hpp"
#include "engine/tensor/convert.hpp"
#include "engine/tensor/pack.hpp"
#include "engine/tensor/tensor.hpp"

namespace trellis::tensor::testing {

using Random = std::mt19937_64;
using Model = std::map<Index, double>;  ///< stored elements, explicit fills too

std::int64_t draw(Random& random, std::int64_t below);

format::Value f64(double number);
/// An array of a level that is not wide.
using Numbers32 = std::vector<std::int32_t>;
Numbers32 numbers(const Tensor& tensor, int level, format::Array which);
std::vector<double> stored_values(const Tensor& tensor);

/// `{dense, compressed(wide)} @ (1, 0)`, without the order: levels and options as the language writes them.
format::Format levels(const std::vector<std::string>& names, std::vector<int> order = {});
/// Levels of points and dense ones; any that hold any number of entries; those of a single region too.
enum class Wanted { points, any_number, all };
/// Any that can be stored; without singletons below unique levels, which hold few tensors.
format::Format random_format(Random& random, int rank, Wanted wanted = Wanted::points);
Index random_shape(Random& random, int rank);
/// Up to about `most` elements, some of them fills.
Model random_model(Random& random, const Index& shape, int most, double fill);

/// Of runs, blocks and equal rows, some of them fills: what levels of regions are made for.
Model random_regions(Random& random, const Index& shape, double fill);

/// The model's elements as columns, in random order and each in several parts that sum up to it.
struct Triplets {
  std::vector<std::vector<std::int64_t>> columns;
  std::vector<double> values;
  Entries entries() const;
};
Triplets shuffled(Random& random, const Model& model, int rank);

/// `values`: fills of the model need not be stored.
enum class Holds { exactly, values };
/// Fails the test case unless the tensor's arrays are sound, hold what the model says, and nothing else but fills.
void check_holds(const Tensor& tensor, const Model& model, Holds holds = Holds::exactly);

}  // namespace trellis::tensor::testing
