#pragma once
// How many entries cursors and fibers have: of tensors by what they store, of workspaces by what is inserted between
// two resets.

#include <map>
#include <string>

#include "engine/cost/data.hpp"

namespace trellis::cost {

class Occupancy {
 public:
  Occupancy(const flow::Flow& flow, const Data& data) : flow_(flow), data_(data) {}

  /// The entries of a cursor within the loop of that variable, over so many coordinates.
  double entries(const flow::Cursor& cursor, const std::string& variable, double range) const;
  /// Of the fibers of a level, those that store a coordinate: as many as the level has entries for each.
  double storing_fibers(const std::string& tensor, int level) const;

  /// A workspace is inserted into, or reset, so many times more.
  void insert(const std::string& workspace, double times) { inserted_[workspace] += times; }
  void reset(const std::string& workspace, double times) { resets_[workspace] += times; }

 private:
  double inserted(const flow::Tensor& workspace, std::size_t level) const;

  const flow::Flow& flow_;
  const Data& data_;
  std::map<std::string, double> inserted_, resets_;  ///< of workspaces
};

}  // namespace trellis::cost
