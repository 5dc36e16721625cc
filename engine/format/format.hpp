#pragma once
// Storage formats: a level format per stored dimension, outermost first, and a storage order.
//
//   csr             {dense, compressed}                             coo    {compressed(nonunique), singleton}
//   csc             {dense, compressed} @ (1, 0)                    dcsr   {compressed, compressed}
//   a Boolean csr   {dense, compressed, pattern}                    csf    compressed at every level
//
// What the rest of the engine knows about a level is in level.hpp; nothing else asks for its name.

#include <optional>
#include <string>
#include <vector>

namespace trellis::format {

struct Level {
  std::string name = "dense";         ///< as written: "dense", "compressed", "rle", …
  std::vector<std::string> options;   ///< "nonunique", "wide", …
  bool operator==(const Level&) const = default;
};

struct Format {
  std::string name = "dense";   ///< "dense", "csr", … or "" when levels were written out
  std::vector<Level> levels;    ///< one per stored dimension, outermost first
  std::vector<int> order;       ///< storage order: order[level] = dimension; (1, 0) is column-major
  bool pattern = false;         ///< no values: each stored element is true
  bool operator==(const Format&) const = default;

  bool all_dense() const;
  int rank() const { return static_cast<int>(levels.size()); }
  static Format dense(int rank);
  /// `csr`, `coo`, … for tensors of this rank; empty when there is no such format, or none of this rank.
  static std::optional<Format> named(const std::string& name, int rank);
};

/// The same storage, whatever the two are called.
bool same_storage(const Format& a, const Format& b);

/// As a declaration writes it after the colon: `csr`, `{dense, compressed(wide)} @ (1, 0)`; of one level `bytemap`.
std::string to_string(const Format& format);
std::string to_string(const Level& level);

/// The level formats and named formats of LANGUAGE section 1, for messages and completion.
const std::vector<std::string>& level_names();
const std::vector<std::string>& format_names();

}  // namespace trellis::format
