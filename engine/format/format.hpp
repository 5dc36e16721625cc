#pragma once
// Storage formats: a level format per stored dimension, outermost first, and a storage order.
//
//   csr             {dense, compressed}                             coo    {compressed(nonunique), singleton}
//   csc             {dense, compressed} @ (1, 0)                    dcsr   {compressed, compressed}
//   a Boolean csr   {dense, compressed, pattern}                    csf    compressed at every level
//
// Where a layout says more than an order (layout.hpp), levels store coordinates of its own, as many as it likes.
//
// What the rest of the engine knows about a level is in level.hpp; nothing else asks for its name.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/format/layout.hpp"

namespace trellis::format {

/// Of a dense level: below coordinate o of a level further out, only coordinates from one line up to another are
/// stored.
///
///   {dense, dense} : j <= i   below i from 0 on, up to but not with i + 1
struct Bounds {
  struct Line {
    std::int64_t slope = 0, at_0 = 0;
    bool operator==(const Line&) const = default;
  };
  int outer = 0;                           ///< that level
  std::optional<Line> low = {}, end = {};  ///< none: as far as the level reaches
  /// Below a coordinate, in a level of that size: low <= coordinate < end, where low <= end.
  struct Range {
    std::int64_t low = 0, end = 0;
  };
  Range below(std::int64_t coordinate, std::int64_t size) const;
  bool operator==(const Bounds&) const = default;
};

struct Level {
  std::string name = "dense";         ///< as written: "dense", "compressed", "rle", …
  std::vector<std::string> options;   ///< "nonunique", "wide", "4", …
  std::optional<Bounds> bounds = {};  ///< that a layout gives a dense level
  bool operator==(const Level&) const = default;
};

struct Format {
  std::string name = "dense";  ///< "dense", "csr", … or "" when levels were written out
  std::vector<Level> levels;   ///< one per stored dimension, outermost first
  /// Storage order: order[level] = dimension; (1, 0) is column-major. With a layout the levels' own, in their order.
  std::vector<int> order;
  bool pattern = false;                       ///< no values: each stored element is true
  std::shared_ptr<const Layout> layout = {};  ///< none: `order` is all there is
  bool operator==(const Format& other) const;

  /// A flat array, with a place for each element at a stride of its own.
  bool all_dense() const;
  /// Levels are dense, some perhaps within bounds: every element has a place from the start.
  bool all_known() const;
  int rank() const { return static_cast<int>(levels.size()); }  ///< the number of levels
  /// How many dimensions a tensor has.
  int dimensions() const { return layout ? static_cast<int>(layout->dimensions.size()) : rank(); }
  /// What is stored: a tensor of the levels' own coordinates. Itself without a layout.
  Format stored() const;
  static Format dense(int rank);
  /// Of the lists of where an index tensor of that rank holds each value: {dense, compressed…, pattern}.
  static Format inverse_lists(int rank);
  /// `csr`, `coo`, … for tensors of this rank; empty when there is no such format, or none of this rank.
  static std::optional<Format> named(const std::string& name, int rank);
};

/// The same storage, whatever the two are called.
bool same_storage(const Format& a, const Format& b);

/// As a declaration writes it after the colon: `csr`, `{dense, compressed(wide)} @ (1, 0)`; of one level `bytemap`.
std::string to_string(const Format& format);
std::string to_string(const Level& level);

/// The level formats and named formats (docs/design/language.md#names-of-formats), for messages and completion.
const std::vector<std::string>& level_names();
const std::vector<std::string>& format_names();

}  // namespace trellis::format
