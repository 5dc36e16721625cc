#pragma once
// The nest that a statement stands in, and the elements that it touches there.

#include <set>
#include <string>
#include <vector>

#include "engine/cost/data.hpp"
#include "engine/flow/paths.hpp"
#include "engine/math/affine.hpp"

namespace trellis::cost {

/// A loop around the statement.
struct Level {
  std::string variable;
  double trips = 1;                  ///< of one run of the loop, on average
  double runs = 1;                   ///< of the whole loop
  double share = 1;                  ///< of the loop that the present place stands for, where several are looked at
  bool sparse = false;               ///< goes from entry to entry
  bool unrolled = false;             ///< its iterations are part of those of the loop around it
  std::set<std::string> along = {};  ///< sparse: the loops that choose the fiber

  double executions() const { return runs * trips * share; }  ///< of its body
};

/// An element that an iteration reads, or writes.
struct Access {
  struct Coordinate {
    std::optional<math::Affine> form;  ///< of loop variables; empty where data has a part in it
    std::set<std::string> variables;   ///< that it moves with
  };
  const flow::Tensor* tensor = nullptr;
  std::vector<Coordinate> path;  ///< by level
  bool read = false, written = false;
  double times = 1;  ///< in each iteration
  double bytes = 8;

  bool moves_with(const std::string& variable) const;
  /// From an element to the next one in memory.
  bool is_contiguous(const std::string& variable) const;
};

/// The regions in a fiber of a level on average, the loop being over all of it.
double fiber_of(const flow::Tensor& tensor, std::size_t level, const Data& data);
/// The coordinates of a level.
double size_of(const flow::Tensor& tensor, std::size_t level, const Data& data);

}  // namespace trellis::cost
