#pragma once
// Where a cursor stands while its loop runs. The one place that knows how a sequence goes from entry to entry, and how
// what is stored becomes the loop's coordinate: a shift, a reversal, a slice, a stretch, the key of a product.
//
//   CursorIterator w(cursor, …);
//   for (; w.alive(); w.advance()) if (w.coordinate() == i) w.stand_at(i), use(w.spot());
//
// Where the loop goes by regions, an entry reaches from `low()` to `high()`, and is left where it ends.

#include "engine/flow/keys.hpp"
#include "engine/flow/machine.hpp"
#include "engine/math/division.hpp"

namespace trellis::flow {

class CursorIterator {
 public:
  /// The entries within the loop's bounds, which are known where some can lie outside.
  struct Bounds {
    std::int64_t low = 0, high = 0;
  };
  /// Of a product, the entries are those of its first level.
  CursorIterator(const Cursor& cursor, const Coiterate& loop, Store& store, const Spot& parent, Range entries,
                 std::int64_t offset, const std::optional<Bounds>& bounds);

  const Cursor& cursor() const { return cursor_; }
  bool alive() const { return backward_ ? at_ >= end_ : at_ < end_; }
  /// Of the loop, at the next entry; times the stride, as a slice leaves out what it does not divide.
  std::int64_t moved() const { return moved(at_); }
  bool left_out() const { return math::floor_mod(moved(), cursor_.stride) >= cursor_.width; }
  std::int64_t coordinate() const { return regions_ ? low() : math::floor_div(moved(), cursor_.stride); }
  /// The first and the last of the loop's coordinates in the region that it is at; a slice may leave none in between.
  std::int64_t low() const { return ends(at_).first; }
  std::int64_t high() const { return ends(at_).last; }
  /// Is the loop's coordinate before that of the next entry, in the loop's direction?
  bool before(std::int64_t i) const;
  /// Past what is before the coordinate.
  void skip_to(std::int64_t i, Machine& m);
  /// Past what a slice leaves out.
  void skip_left_out(Machine& m);
  /// Decides whether it is there: then `spot` is what the body names, all entries of the coordinate where they may
  /// repeat.
  void stand_at(std::int64_t i);
  void leave() { here_ = false; }
  bool here() const { return here_; }
  Spot spot() const;
  /// Past the coordinate where it stands.
  void advance(Machine& m);
  /// One entry on, wherever it is.
  void move(Machine& m);
  Entry entry() const;
  Standing standing() const;
  std::int64_t left() const { return backward_ ? at_ - end_ + 1 : end_ - at_; }

 private:
  std::int64_t moved(std::int64_t counted) const;
  std::int64_t stored(std::int64_t entry) const {
    return keys_ ? keys_->of(entry) : store_.coordinate(cursor_.level, entry);
  }
  Range ends(std::int64_t entry) const;
  std::int64_t entry_of(std::int64_t counted) const { return regions_ ? counted : counted / cursor_.stretch; }
  void clip_regions(const Bounds& bounds, Range& entries) const;
  void clip(const Bounds& bounds, Range& counted) const;
  void open_live(const std::optional<Bounds>& bounds);
  void seek_live(std::int64_t coordinate);
  bool is_before(std::int64_t moved, std::int64_t i) const;
  void pass_left_out();
  bool leave_fiber(std::int64_t i, Machine& m);
  void tell(Machine& m) const;

  const Cursor& cursor_;
  Store& store_;
  const Spot parent_;
  const std::int64_t offset_;
  std::optional<Keys> keys_;  ///< of a product
  const bool regions_;
  const bool live_;           ///< coordinates are counted: new ones may come ahead
  const std::int64_t begin_;  ///< the fiber's first entry
  bool down_, falls_, backward_, several_;
  bool clipped_;  ///< of a product: entries may be no keys, and are passed by wherever it moves
  Range counted_;
  std::int64_t at_ = 0, end_ = 0;  ///< what is counted: entries, times the stretch; the next, and where to stop
  std::int64_t next_ = 0;          ///< after the coordinate where it stands
  std::optional<std::int64_t> passed_ = {};  ///< of a live one: where the loop stood last
  bool here_ = false;
};

}  // namespace trellis::flow
