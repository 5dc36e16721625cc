#pragma once
// How many entries cursors and fibers have: of tensors by what they store, of workspaces by what is inserted between
// two resets.

#include <map>
#include <string>
#include <utility>

#include "engine/cost/data.hpp"
#include "engine/cost/entries.hpp"

namespace trellis::cost {

class Occupancy {
 public:
  Occupancy(const flow::Flow& flow, const Data& data) : flow_(flow), data_(data) {}

  /// The entries of a cursor within the loop of that variable, over so many coordinates.
  double entries(const flow::Cursor& cursor, const std::string& variable, double range) const;
  /// Of the fibers of a level, those that store a coordinate: as many as the level has entries for each.
  double storing_fibers(const std::string& tensor, int level) const;

  /// A level of a workspace is inserted into, or the workspace reset, so many times more.
  void insert(const std::string& workspace, int level, double times) { inserted_[{workspace, level}] += times; }
  void reset(const std::string& workspace, double times) { resets_[workspace] += times; }

  /// What a level of a workspace collects between two resets, as far as it was inserted into by now.
  Collected collected(const flow::Tensor& workspace, std::size_t level) const;
  /// Of a temporary whose elements have places of their own: pages that the kernel is the first to touch.
  double fresh_pages(const flow::Tensor& temporary) const;
  /// The data, with what workspaces collect.
  Data with_collected() const;

 private:
  /// Fibers of the level.
  double fibers(const flow::Tensor& workspace, std::size_t level) const;

  const flow::Flow& flow_;
  const Data& data_;
  std::map<std::pair<std::string, int>, double> inserted_;  ///< by workspace and level
  std::map<std::string, double> resets_;                    ///< of workspaces
};

}  // namespace trellis::cost
