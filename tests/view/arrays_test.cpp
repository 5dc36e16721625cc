#include "engine/view/arrays.hpp"

#include <doctest/doctest.h>

namespace trellis::view {
namespace {

using format::Array;
using Numbers = std::vector<std::int64_t>;

StoredLevel level_of(std::int64_t size, format::Region region, std::vector<Strip> strips) {
  return {"", 0, "dimension 0", size, region, std::move(strips)};
}
Strip strip_of(Array which, Numbers items) {
  return {which, static_cast<std::int64_t>(items.size()), std::move(items)};
}

}  // namespace

TEST_CASE("arrays: an entry of csr has a row and a column") {
  StoredArrays csr;
  csr.levels = {level_of(3, format::Region::block, {}),
                level_of(4, format::Region::point,
                         {strip_of(Array::positions, {0, 2, 2, 3}), strip_of(Array::coordinates, {1, 3, 0})})};
  CHECK(spot_of(csr, 0, 2) == StoredSpot{{2}, {2}});
  CHECK(spot_of(csr, 1, 0) == StoredSpot{{0, 1}, {0, 1}});
  CHECK(spot_of(csr, 1, 1) == StoredSpot{{0, 3}, {0, 3}});
  CHECK(spot_of(csr, 1, 2) == StoredSpot{{2, 0}, {2, 0}});
  CHECK_FALSE(spot_of(csr, 1, 3));
}

TEST_CASE("arrays: an entry of coo has the coordinates of its own row of each array") {
  StoredArrays coo;
  coo.levels = {
      level_of(3, format::Region::point, {strip_of(Array::positions, {0, 2}), strip_of(Array::coordinates, {0, 2})}),
      level_of(4, format::Region::point, {strip_of(Array::coordinates, {3, 1})})};
  CHECK(spot_of(coo, 1, 1) == StoredSpot{{2, 1}, {2, 1}});
}

TEST_CASE("arrays: runs reach from behind the one before, or from where they start") {
  StoredArrays rle;
  rle.levels = {level_of(2, format::Region::block, {}),
                level_of(6, format::Region::run,
                         {strip_of(Array::positions, {0, 2, 3}), strip_of(Array::coordinates, {2, 5, 5})})};
  CHECK(spot_of(rle, 1, 0) == StoredSpot{{0, 0}, {0, 2}});
  CHECK(spot_of(rle, 1, 1) == StoredSpot{{0, 3}, {0, 5}});
  CHECK(spot_of(rle, 1, 2) == StoredSpot{{1, 0}, {1, 5}});
  rle.levels[1].strips.push_back(strip_of(Array::starts, {1, 4, 2}));
  CHECK(spot_of(rle, 1, 1) == StoredSpot{{0, 4}, {0, 5}});
}

TEST_CASE("arrays: a block covers as many coordinates as it has children") {
  StoredArrays vbl;
  vbl.levels = {level_of(
      9, format::Region::block,
      {strip_of(Array::positions, {0, 2}), strip_of(Array::coordinates, {2, 7}), strip_of(Array::offsets, {0, 2, 5})})};
  CHECK(spot_of(vbl, 0, 0) == StoredSpot{{1}, {2}});
  CHECK(spot_of(vbl, 0, 1) == StoredSpot{{5}, {7}});
  StoredArrays wide;
  wide.levels = {
      level_of(9, format::Region::block, {strip_of(Array::positions, {0, 2}), strip_of(Array::coordinates, {2, 7})}),
      level_of(2, format::Region::block, {})};
  wide.levels[0].width = 3;
  CHECK(spot_of(wide, 0, 1) == StoredSpot{{5}, {7}});
  CHECK(spot_of(wide, 1, 8) == StoredSpot{{6, 0}, {6, 0}});  // child 4: the second coordinate of the second block
}

TEST_CASE("arrays: a dense level within bounds has as many coordinates as its offsets say") {
  StoredArrays banded;
  banded.levels = {
      level_of(3, format::Region::block, {}),
      level_of(3, format::Region::block, {strip_of(Array::starts, {0, 0, 1}), strip_of(Array::offsets, {0, 2, 5, 7})})};
  CHECK(spot_of(banded, 1, 1) == StoredSpot{{0, 1}, {0, 1}});
  CHECK(spot_of(banded, 1, 4) == StoredSpot{{1, 2}, {1, 2}});
  CHECK(spot_of(banded, 1, 5) == StoredSpot{{2, 1}, {2, 1}});
}

}  // namespace trellis::view
