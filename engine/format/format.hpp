#pragma once
// Storage formats as the user names them: a level format per stored dimension and a storage order.
// Facts about levels (region kind, gaps, locate, …) join here when operands become sparse.

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
  bool operator==(const Format&) const = default;

  bool all_dense() const;
  static Format dense(int rank);
};

/// The level formats and named formats of LANGUAGE section 1, for messages and completion.
const std::vector<std::string>& level_names();
const std::vector<std::string>& format_names();

}  // namespace trellis::format
