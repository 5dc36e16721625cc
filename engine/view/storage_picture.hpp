#pragma once
// Where a format stores a tensor's elements: the grid of the tensor beside the storage, level by level. Terminal,
// explorer and report draw the same value.
//
//        0  1   2  3          i/2  j/2  i%2  j%2       bcsr(2, 2) with A(0,1), A(2,2) and A(3,2)
//     0  0° 1 │ ·  ·            0    0    0  0:0° 1:1
//     1  2° 3°│ ·  ·                      1  0:2° 1:3°
//       ──────┼──────           1    1    0  0:4  1:5°
//     2  ·  · │ 4  5°                     1  0:6  1:7°
//     3  ·  · │ 6  7°
//
// Elements that share a place, as those of a symmetric matrix or of a run, have the same number.

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "engine/tensor/tensor.hpp"

namespace trellis::view {

struct StoragePicture {
  enum class Holds {
    entry,     ///< a value that somebody listed, as far as can be told
    padding,   ///< the fill, where a level stores what nobody listed
    nobody,    ///< a place of no element at all: an edge of a block that reaches beyond the tensor
    absent,    ///< an element that is not stored, and so the fill
    excluded,  ///< an element that the layout never stores
  };
  struct Element {
    Holds holds = Holds::absent;
    std::int64_t place = -1;                ///< among the values
    int group = -1;                         ///< the block, row or diagonal that it is stored with
    bool mirrored = false;                  ///< it shares the place of another element, which stands for both
    std::vector<std::int64_t> levels = {};  ///< coordinates by level, as storage counts them; empty: excluded
  };
  struct Cell {
    Holds holds = Holds::entry;
    std::int64_t first = 0, last = 0;  ///< coordinates at the last level, which are one unless it is a run
    std::int64_t place = 0;
    std::vector<std::int64_t> levels = {};   ///< as of an element, of the first one
    std::vector<std::size_t> elements = {};  ///< in `grid`, those that are shown
  };
  /// A fiber of the last level.
  struct Fiber {
    /// Coordinates of the levels above, the first and the last, which are one unless it is a run.
    std::vector<std::pair<std::int64_t, std::int64_t>> outer;
    std::size_t news = 0;  ///< the first of them that differs from the fiber before
    int group = 0;
    std::vector<Cell> cells;
    std::int64_t free = 0;    ///< slots that are not taken
    std::int64_t beyond = 0;  ///< places of elements that are not shown, in the fiber
  };
  struct Level {
    std::string stores, name;  ///< "j/3", "compressed"
    std::int64_t low = 0;      ///< its coordinates are those that storage has, and so much more
  };

  std::string tensor, format;
  tensor::Index shape;
  std::int64_t rows = 0, columns = 0;       ///< of the corner that is shown, in the last two dimensions
  bool corner = false;                      ///< there are more elements
  bool sample = false;                      ///< it holds nothing: drawn as if all its elements were stored
  std::vector<Element> grid;                ///< by rows
  std::vector<bool> row_cuts, column_cuts;  ///< before which rows and columns a new block begins; the first are false
  std::vector<Level> levels;
  std::vector<Fiber> fibers;  ///< in the order of storage

  bool empty() const { return grid.empty(); }
  /// Of a place in the grid.
  tensor::Index index_at(std::size_t at) const;
  const Element& at(std::int64_t row, std::int64_t column) const {
    return grid[static_cast<std::size_t>(row * columns + column)];
  }
};

constexpr std::int64_t most_pictured = 12;  ///< rows and columns
/// Of its first rows and columns; empty for a scalar, and where a size is 0.
StoragePicture storage_picture(const std::string& name, const tensor::Tensor& tensor);
/// The same of a tensor that holds nothing, as if all elements that can be were stored; empty where that many cannot.
StoragePicture storage_sample(const std::string& name, const tensor::Index& shape, const format::Format& format);

/// What is said of an element of the grid: "A(2,1) is at place 7: i/2 = 1, j/3 = 0, i%2 = 0, j%3 = 1".
std::string explain(const StoragePicture& picture, std::size_t at);
/// Of a place: "place 7 holds A(1,2) and A(2,1)".
std::string explain(const StoragePicture& picture, const StoragePicture::Cell& cell);
/// What the marks mean that the picture has, and how much of the tensor is shown.
struct StorageLegend {
  std::string mark;  ///< "padding", "nobody", "free", "mirrored", "absent", "excluded"; empty: a remark
  std::string words;
  std::string sign = {};  ///< in text
};
std::vector<StorageLegend> legend(const StoragePicture& picture);
std::string to_string(const StoragePicture& picture);
nlohmann::ordered_json to_json(const StoragePicture& picture);

}  // namespace trellis::view
