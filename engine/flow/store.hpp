#pragma once
// The memory of a tensor while a flow runs: its levels, of which each has entries below a position of the level above,
// and its values. Operands and results are the arrays of a tensor::Tensor; temporaries are kept here.

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/flow/flow.hpp"
#include "engine/tensor/tensor.hpp"

namespace trellis::flow {

/// The flow leaves an array: caught where the interpreter begins.
struct Unsound {
  std::string what;
};

struct Range {
  std::int64_t first = 0, last = 0;  ///< to before `last`
};

/// The first of the range for which the property, which stays once it holds, does; else its end.
template <class Holds>
std::int64_t first_that(Range range, const Holds& holds) {
  while (range.first < range.last) {
    const std::int64_t middle = range.first + (range.last - range.first) / 2;
    if (holds(middle)) range.last = middle;
    else range.first = middle + 1;
  }
  return range.first;
}

class Store {
 public:
  Store(const Tensor& tensor, std::vector<std::int64_t> sizes) : tensor_(tensor), sizes_(std::move(sizes)) {}
  virtual ~Store() = default;
  const Tensor& tensor() const { return tensor_; }
  const format::Facts& facts(int level) const { return tensor_.levels[static_cast<std::size_t>(level)].facts; }
  std::int64_t size(int level) const { return sizes_[static_cast<std::size_t>(level)]; }
  int levels() const { return static_cast<int>(sizes_.size()); }

  /// Of a level with gaps: the entries below a position, …
  virtual Range fiber(int level, std::int64_t parent) = 0;
  /// … the coordinate that one has, the last one of a region, …
  virtual std::int64_t coordinate(int level, std::int64_t entry) const = 0;
  /// … the first one of a region, in a fiber that begins with that entry, …
  virtual std::int64_t first_coordinate(int level, std::int64_t entry, std::int64_t /*begin*/) const {
    return coordinate(level, entry);
  }
  /// … in a block the place of a coordinate, …
  virtual std::int64_t within(int /*level*/, std::int64_t entry, std::int64_t /*coordinate*/) const { return entry; }
  /// … and the position that it is.
  virtual std::int64_t child(int level, std::int64_t parent, std::int64_t entry) const = 0;
  /// Of a dense level: the position of a coordinate.
  virtual std::int64_t computed(int level, std::int64_t parent, std::int64_t coordinate) const {
    return parent * size(level) + coordinate;
  }
  /// Of these entries the position that has the coordinate, or -1. Adds what it looked at to `tries`.
  virtual std::int64_t find(int level, std::int64_t parent, Range entries, std::int64_t coordinate,
                            std::int64_t& tries) const = 0;
  /// Coordinates of a live temporary, which grows while it is walked.
  virtual const std::set<std::int64_t>& ordered() const;
  /// The entries below a position are to be walked in order.
  virtual void arrange(int /*level*/, std::int64_t /*parent*/) {}

  /// Where the entries of a level below a position begin, which may be the one behind the last.
  virtual std::int64_t begin(int level, std::int64_t parent) const;
  /// The entries of a level in all.
  virtual std::int64_t stored(int level) const;
  virtual std::int64_t places() const = 0;
  virtual format::Value get(std::int64_t place) const = 0;
  virtual void set(std::int64_t place, const format::Value& value) = 0;
  virtual bool defined(std::int64_t /*place*/) const { return true; }
  /// Every element becomes the value; of sparse levels, nothing is stored. Gives how many elements that were.
  virtual std::int64_t reset(const format::Value& value);
  virtual void freeze() {}

 protected:
  void require(bool holds, const char* what) const;

 private:
  const Tensor& tensor_;
  std::vector<std::int64_t> sizes_;
};

/// The arrays of an operand, or of a result whose entries stay.
class Arrays : public Store {
 public:
  Arrays(const Tensor& tensor, tensor::Tensor memory);
  Range fiber(int level, std::int64_t parent) override;
  std::int64_t coordinate(int level, std::int64_t entry) const override;
  std::int64_t first_coordinate(int level, std::int64_t entry, std::int64_t begin) const override;
  std::int64_t within(int level, std::int64_t entry, std::int64_t coordinate) const override;
  std::int64_t child(int level, std::int64_t parent, std::int64_t entry) const override;
  std::int64_t computed(int level, std::int64_t parent, std::int64_t coordinate) const override;
  std::int64_t find(int level, std::int64_t parent, Range entries, std::int64_t coordinate,
                    std::int64_t& tries) const override;
  std::int64_t begin(int level, std::int64_t parent) const override;
  std::int64_t stored(int level) const override;
  std::int64_t places() const override { return places_; }
  format::Value get(std::int64_t place) const override;
  void set(std::int64_t place, const format::Value& value) override;

 protected:
  /// Positions, coordinates or a table of hash slots: 32 bits each, or 64 of a wide level.
  struct Numbers {
    void* data = nullptr;
    bool wide = false;
    std::int64_t count = 0;
  };
  std::int64_t number(const Numbers& numbers, std::int64_t k) const;
  void put(const Numbers& numbers, std::int64_t k, std::int64_t value);
  struct Columns {
    Numbers positions, coordinates, table, starts, offsets;
  };
  tensor::Tensor memory_;
  std::vector<Columns> columns_;
  std::int64_t places_ = 0;
};

/// A result in a sparse format: entries come in storage order, one after another, into arrays that have room for them.
/// An entry of a fiber first opens all fibers up to that one, so that it does not matter which loops ran in between.
class Appended : public Arrays {
 public:
  /// `room` holds what the result did, as Tensor::with_room makes it.
  Appended(const Tensor& tensor, tensor::Tensor room);
  Range fiber(int level, std::int64_t parent) override;
  std::int64_t reset(const format::Value& value) override;
  /// The fibers after the last entry are empty.
  void freeze() override;
  bool full() const;
  /// Of the next element: larger than those of all before. The trail to it. Where a level keeps runs, it stands for all
  /// coordinates up to that of `through`.
  std::vector<std::pair<std::int64_t, std::int64_t>> append(const std::vector<std::int64_t>& coordinates,
                                                            const std::vector<std::int64_t>& through,
                                                            const format::Value& value);
  std::int64_t appended() const { return appended_; }
  // Of a scattered result: an entry more in the fiber of these coordinates; all are counted, and each fiber begins
  // where those before it end. False where there is no room for them. From then on `append` puts entries into their
  // fibers.
  void count(const std::vector<std::int64_t>& coordinates);
  bool begin_fibers();
  tensor::Tensor& room() { return memory_; }

 private:
  int group(int level) const;  ///< the level that counts the entries of a singleton
  int reach(int level) const;  ///< the last of the singletons that have an entry for each one of the level
  int last_sparse() const;
  std::int64_t& entries(int level) { return entries_[static_cast<std::size_t>(group(level))]; }
  void begin();
  void open_fibers(int level, std::int64_t last);
  std::int64_t entry(int level, std::int64_t parent, const std::vector<std::int64_t>& coordinates,
                     const std::vector<std::int64_t>& through);
  std::int64_t run(std::int64_t parent, std::int64_t first, std::int64_t last, const format::Value& value);

  std::vector<std::int64_t> entries_, opened_;  ///< by level: entries so far, and fibers that have a beginning
  std::int64_t fibers() const;                  ///< of the last level, where those above are dense
  std::int64_t fiber_of(const std::vector<std::int64_t>& coordinates) const;
  std::vector<std::int64_t> next_;  ///< scattered: by fiber how many entries, then where the next one goes
  std::int64_t appended_ = 0;       ///< elements since it began
  bool begun_ = false;
};

/// A temporary: dense, or with a bytemap as its last level, or with hashed levels.
class Workspace : public Store {
 public:
  Workspace(const Tensor& tensor, std::vector<std::int64_t> sizes);
  Range fiber(int level, std::int64_t parent) override;
  std::int64_t coordinate(int level, std::int64_t entry) const override;
  std::int64_t child(int level, std::int64_t parent, std::int64_t entry) const override;
  std::int64_t find(int level, std::int64_t parent, Range entries, std::int64_t coordinate,
                    std::int64_t& tries) const override;
  const std::set<std::int64_t>& ordered() const override { return ordered_; }
  void arrange(int level, std::int64_t parent) override;
  std::int64_t places() const override { return static_cast<std::int64_t>(values_.size()); }
  format::Value get(std::int64_t place) const override;
  void set(std::int64_t place, const format::Value& value) override;
  bool defined(std::int64_t place) const override { return defined_[static_cast<std::size_t>(place)]; }
  std::int64_t reset(const format::Value& value) override;
  void freeze() override;
  /// It comes to life, undefined.
  void declare();
  /// The position of a coordinate, with a new entry where there was none.
  std::int64_t insert(int level, std::int64_t parent, std::int64_t coordinate, bool& fresh);

 private:
  bool hashed(int level) const { return facts(level).gaps && facts(level).locate == format::Locate::hash; }
  bool mapped(int level) const { return facts(level).gaps && facts(level).locate == format::Locate::direct; }
  struct Level {
    std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> numbers;  ///< hashed: of (parent, coordinate)
    std::vector<std::pair<std::int64_t, std::int64_t>> entries;             ///< hashed: the other way round
    std::vector<std::int64_t> order, start;        ///< hashed and frozen: entries of each parent, in order
    std::vector<std::vector<std::int64_t>> lists;  ///< mapped: coordinates of each parent as they came
    std::vector<bool> stored;                      ///< mapped: by position
  };
  void empty();
  std::vector<Level> levels_;
  std::set<std::int64_t> ordered_;  ///< of a live one
  std::vector<format::Value> values_;
  std::vector<bool> defined_;
};

}  // namespace trellis::flow
