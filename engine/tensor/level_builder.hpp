#pragma once
// From sorted coordinates to the arrays of levels: one pass, each level appended to.
//
//   {dense, compressed}, entries (0,1) (0,3) (2,0)     ->     positions 0 2 2 3, coordinates 1 3 0, places 0 1 2
//
// Arrays are set aside for as many entries as may come, and take memory only as they fill.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/tensor/storage.hpp"

namespace trellis::tensor {

class LevelBuilder {
 public:
  /// Room for `most_entries` entries. False when memory is refused, or when the arrays would need more than
  /// `limit_bytes` even with no padding (dense levels below sparse ones pad).
  bool begin(format::ScalarType type, const Index& shape, const format::Format& format, const format::Value& fill,
             std::int64_t most_entries, std::size_t limit_bytes);

  enum class Trouble { none, singleton_taken, too_large, no_memory };
  /// The next `count` entries: `coordinates[level]` has one for each. They come in storage order (of `decreasing`
  /// levels, falling; except that a level whose child position is a product always rises), repetitions in a row.
  /// `places` says where the value of each belongs: the same for repetitions. Returns how many were taken: fewer than
  /// `count` on trouble.
  std::size_t add(const std::vector<std::vector<std::int64_t>>& coordinates, std::size_t count,
                  std::span<std::int64_t> places);
  Trouble trouble() const { return trouble_; }
  std::size_t troubled_level() const { return troubled_level_; }  ///< of the singleton
  /// The array for the values, all of them fills as far as entries were added; none of a pattern.
  void* values() const { return storage_->values ? storage_->values->data() : nullptr; }

  /// Empty when memory for tables is refused.
  std::optional<Tensor> finish();

 private:
  struct Level {
    Numbers positions, coordinates;
    std::size_t reach;        ///< of a level that opens an entry for each difference down to this level
    std::int64_t opened = 0;  ///< parents whose first position is written, less one
  };
  void open(std::size_t level, std::int64_t coordinate);
  std::shared_ptr<SharedArray> reserve(std::size_t bytes) const;
  static bool has_room(const LevelStorage& level, std::int64_t parent);
  /// Fills up to so many places. False where there is no memory for them.
  bool pad(std::int64_t places);

  format::ScalarType type_ = format::ScalarType::f64;
  Index shape_;
  format::Format format_;
  format::Value fill_;
  std::shared_ptr<Storage> storage_;
  std::vector<Level> levels_;
  std::vector<std::size_t> first_;       ///< by the level of the first difference: where new positions begin
  std::vector<std::int64_t> last_, at_;  ///< coordinates of the last entry, and its position at each level
  std::int64_t most_places_ = 0, filled_ = 0;
  bool pads_ = false;     ///< places may stay fills
  bool in_file_ = false;  ///< what is not small
  Trouble trouble_ = Trouble::none;
  std::size_t troubled_level_ = 0;
};

}  // namespace trellis::tensor
