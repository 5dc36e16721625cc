#pragma once
// What an estimate knows of the data: sizes, and how much is stored.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/cost/degrees.hpp"
#include "engine/flow/flow.hpp"
#include "engine/tensor/tensor.hpp"

namespace trellis::cost {

struct Data {
  std::map<std::string, std::int64_t> sizes;
  /// By tensor, for each of its levels in storage order: the regions that it stores, those of a dense level being all
  /// its positions. A tensor that is not there yet stores `usual_entries` in each fiber.
  std::map<std::string, std::vector<double>> regions;
  /// By loop variable and tensor, where somebody has counted them: its entries that one run of the loop walks, on
  /// average. Else fibers are taken to be equally long, whoever walks them.
  std::map<std::string, std::map<std::string, double>> walked = {};
  /// By tensor, for each of its levels: its entries at each coordinate, where somebody has counted them.
  std::map<std::string, std::vector<Degrees::Key>> degrees = {};
  std::shared_ptr<Degrees> counted = {};  ///< what is asked of them, where there are any
};

constexpr double usual_size = 1000;      ///< of what has no value yet
constexpr double usual_entries = 10;     ///< of a fiber that nobody has filled yet
constexpr double usual_iterations = 10;  ///< of a loop that data ends

/// What a tensor in memory stores.
std::vector<double> regions_of(const tensor::Tensor& tensor);

/// What `flow::Stored` is called among names that have values: "x.1".
std::string name_of_stored(const std::string& tensor, int level);
/// All that has a value: sizes, and how much levels store.
std::map<std::string, std::int64_t> names_of(const Data& data);

/// An integer expression where the names have these values; empty for anything that tensors have a part in.
std::optional<double> value_of(const flow::Expr& expr, const std::map<std::string, std::int64_t>& names);

}  // namespace trellis::cost
