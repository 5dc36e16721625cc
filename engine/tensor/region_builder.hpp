#pragma once
// From sorted entries to levels some of which keep runs, blocks or single regions: fibers are opened and closed, inner
// ones first, each level appended to.
//
//   {rle, dense} of [[1, 2], [1, 2], [0, 3]]     ->     positions 0 2, coordinates 1 2, values 1 2 0 3
//
// A run whose child is finished is compared with the run before it in its fiber. When the two touch, and both added
// equal tails to each array below, bit for bit, the new tail is cut and the run before reaches further. So equal rows
// are stored once, with no second buffer. Coordinates that a level must store although nobody listed them have an empty
// child, down to fills. Source: LevelBuilder's, and Finch, section 3.2, which keeps a buffer for the child of a run.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/tensor/column.hpp"
#include "engine/tensor/packing.hpp"
#include "engine/tensor/storage.hpp"

namespace trellis::tensor {

class RegionBuilder {
 public:
  /// Whether a format has such levels: of others, a LevelBuilder makes the same arrays, faster.
  static bool builds(const format::Format& format);
  /// No array may take more than `limit_bytes`.
  RegionBuilder(format::ScalarType type, const Index& shape, const format::Format& format, const format::Value& fill,
                std::size_t limit_bytes);

  /// The next entry, in storage order as of LevelBuilder, no element twice; `value` is final. `number` names it in case
  /// of trouble. False on trouble, which may be an earlier entry's.
  bool add(const Index& coordinates, const format::Value& value, std::size_t number) {
    return add(coordinates, coordinates, value, number);
  }
  /// The same of all from the coordinates of `first` to those of `last`, which are others at levels of runs alone.
  /// Entries of one child give the same ones for its run.
  bool add(const Index& first, const Index& last, const format::Value& value, std::size_t number);
  /// What happened when `add` or `finish` failed.
  const PackFailure& failure() const { return failure_; }

  /// Empty on trouble, or when memory is refused.
  std::optional<Tensor> finish();

 private:
  /// Lengths of a level's arrays; of the values, `children` alone.
  struct Mark {
    std::size_t positions = 0, coordinates = 0, starts = 0, offsets = 0;
    std::int64_t children = 0;
  };
  using Marks = std::vector<Mark>;  ///< of the levels below one, and the values
  struct Level {
    format::Facts facts;
    std::optional<format::Bounds> bounds;
    std::int64_t size = 0;
    Column<std::int64_t> positions{0}, coordinates, starts, offsets{0};
    std::int64_t children = 0;
    // Of the fiber that is open:
    std::int64_t first = 0,
                 last = -1;     ///< of the region that came last; -1: none yet, or before what bounds begin with
    std::int64_t end = 0;       ///< of a level in bounds: where its coordinates end
    bool has_child = false;     ///< one is open, that of `last`
    bool has_run = false;       ///< one is finished
    std::size_t opened_by = 0;  ///< the entry that began the run
    Marks previous, before,
        after;  ///< where the child of the finished run begins, of the run at hand, and where that ends
  };

  void mark(std::size_t below, Marks& marks) const;
  bool equal_tails(std::size_t l, const Mark& a, const Mark& b, const Mark& c) const;
  void cut(std::size_t l, const Mark& to);

  void open_fiber(std::size_t l);
  void begin_bounds(std::size_t l);
  void close_fiber(std::size_t l);
  void open_child(std::size_t l);
  void close_child(std::size_t l);
  void pad(std::size_t l, std::int64_t end);
  static std::int64_t taken_slots(const Level& level);
  void take(std::size_t l, std::int64_t coordinate, std::int64_t last, std::size_t number);
  void take_run(std::size_t l, std::int64_t first, std::int64_t last, std::size_t number);
  void run_without_entries(std::size_t l, std::int64_t last);
  void finish_run(std::size_t l);
  void close_block(std::size_t l);
  void fail(const PackFailure& failure);
  void refuse(std::size_t l, std::size_t number);
  void check_room(std::size_t count, std::size_t width);
  bool store(Storage& storage) const;

  format::ScalarType type_;
  Index shape_;
  format::Format format_;
  format::Value fill_, value_;
  std::size_t limit_bytes_, value_bytes_;
  std::vector<Level> levels_;
  Column<std::byte> values_;
  std::int64_t value_count_ = 0;
  std::size_t number_ = 0;  ///< of the last entry
  Index at_;                ///< coordinates of the last entry; empty: none yet
  bool failed_ = false;
  PackFailure failure_;
};

}  // namespace trellis::tensor
