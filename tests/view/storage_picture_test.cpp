// Where formats have elements, as pictures: each element has the place that look-up finds, and text says it all.
#include <doctest/doctest.h>

#include <algorithm>

#include "engine/view/element_levels.hpp"
#include "engine/view/plot.hpp"
#include "engine/view/storage_picture.hpp"

#include "tests/session/transcript.hpp"
#include "tests/tensor/sparse_formats.hpp"

using namespace trellis;
using testing::Transcript;
using view::StoragePicture;

namespace {

const std::string layouts =
    "layout sym: (i, j) -> (max(i, j), min(i, j)) {dense, compressed}\n"
    "layout lower: (i, j) -> (i, j) {dense, dense} : j <= i\n"
    "layout nm(N, M): (i, j) -> (i, j/M, j%M) {dense, dense, compressed(N)}\n"
    "layout tiles: (i, j) -> (i/2, j/2, i%2, j%2) {dense, dense, dense, dense}\n";

tensor::Tensor held(Transcript& t, const std::string& name) { return *t.session().state().data.held(name); }

/// What `show formats T` draws, without what it says before.
std::string drawn(Transcript& t, const std::string& name) {
  const std::string all = t.say("show formats " + name).output;
  const std::size_t begin = all.find("\n\n");
  return begin == std::string::npos ? "" : all.substr(begin + 2);
}

}  // namespace

TEST_CASE("storage picture: each element has the place that is found for it") {
  for (const std::string format : {"dense",
                                   "dense @ (1, 0)",
                                   "csr",
                                   "csc",
                                   "coo",
                                   "dcsr",
                                   "bcsr(2, 3)",
                                   "bcsr(3, 2)",
                                   "dia",
                                   "ell(7)",
                                   "lower",
                                   "nm(4, 4)",
                                   "tiles",
                                   "{dense, rle}",
                                   "{rle, dense}",
                                   "{dense, sparse_rle}",
                                   "{dense, vbl}",
                                   "{dense, band}",
                                   "{dense, hashed}",
                                   "{compressed, bytemap} @ (1, 0)",
                                   "{dense, compressed(decreasing)}"}) {
    Transcript t;
    const std::string fill = format == "lower" ? "[[1, 0, 0, 0, 0, 0, 0], [2, 3, 0, 0, 0, 0, 0], "
                                                 "[0, 0, 0, 0, 0, 0, 0], [0, 4, 4, 4, 0, 0, 0]]"
                                               : "[[1, 0, 0, 2, 2, 2, 0], [0, 0, 3, 0, 0, 0, 0], "
                                                 "[0, 0, 0, 0, 0, 0, 0], [0, 4, 4, 0, 0, 0, 5]]";
    REQUIRE(t.say(layouts + "tensor A(4, 7): " + format + "; fill_with A " + fill).ok());
    const tensor::Tensor A = held(t, "A");
    const StoragePicture picture = view::storage_picture("A", A);
    REQUIRE(picture.rows == 4);
    REQUIRE(picture.columns == 7);
    CHECK_FALSE(picture.corner);
    for (std::size_t at = 0; at < picture.grid.size(); ++at)
      CHECK_MESSAGE(picture.grid[at].place == A.find(picture.index_at(at)), format << " " << at);
    std::size_t cells = 0, elements = 0;
    for (const StoragePicture::Fiber& fiber : picture.fibers)
      for (const StoragePicture::Cell& cell : fiber.cells) {
        ++cells, elements += cell.elements.size();
        for (const std::size_t at : cell.elements) CHECK_MESSAGE(picture.grid[at].place == cell.place, format);
      }
    const auto stored = std::ranges::count_if(picture.grid, [](const auto& element) { return element.place >= 0; });
    CHECK_MESSAGE(elements == static_cast<std::size_t>(stored), format);
    // Every value has its place in the picture, once; those of a bytemap are as many as it has coordinates.
    if (format.find("bytemap") != std::string::npos) continue;
    std::size_t free = 0;
    for (const StoragePicture::Fiber& fiber : picture.fibers) free += static_cast<std::size_t>(fiber.free);
    const bool slots = format::facts(A.format()).back().slots > 0;
    CHECK_MESSAGE(cells + (slots ? free : 0) == A.array_bytes(-1, format::Array::values) / 8, format);
  }
}

TEST_CASE("storage picture: random formats") {
  tensor::testing::Random random(3);
  for (int k = 0; k < 300; ++k) {
    const int rank = static_cast<int>(tensor::testing::draw(random, 3)) + 1;
    const tensor::Index shape = tensor::testing::random_shape(random, rank);
    const format::Format format = tensor::testing::random_format(random, rank, tensor::testing::Wanted::any_number);
    const auto triplets = tensor::testing::shuffled(random, tensor::testing::random_regions(random, shape, 0), rank);
    tensor::PackFailure failure;
    const auto tensor =
        tensor::pack(format::ScalarType::f64, shape, format, tensor::testing::f64(0), triplets.entries(), failure);
    REQUIRE(tensor);
    const StoragePicture picture = view::storage_picture("A", *tensor);
    for (std::size_t at = 0; at < picture.grid.size(); ++at)
      CHECK_MESSAGE(picture.grid[at].place == tensor->find(picture.index_at(at)), format::to_string(format));
    CHECK_FALSE((picture.empty() && tensor->count() > 0));
    if (!picture.empty()) CHECK(view::to_string(picture).find("numbers are places") != std::string::npos);
  }
}

TEST_CASE("storage picture: blocks are framed, and their padding is told apart") {
  Transcript t;
  REQUIRE(t.say("tensor A(3, 5): bcsr(2, 3); fill_with A [[1, 2, 0, 0, 0], [0, 3, 0, 0, 0], [0, 0, 0, 0, 4]]").ok());
  CHECK(drawn(t, "A") ==
        "     0  1  2    3  4       i/2  j/3  i%2  j%3\n"
        "  0  0  1  2°│  ·  ·       0    0    0    0:0  1:1  2:2°\n"
        "  1  3° 4  5°│  ·  ·                 1    0:3°  1:4  2:5°\n"
        "    ─────────┼───────      1    1    0    0:6°  1:7  2:-\n"
        "  2  ·  ·  · │  6° 7                 1    0:-  1:-  2:-\n"
        "  numbers are places among the values, coordinate:place; ° padding: stored, at the fill\n"
        "  - padding that no element has; · not stored\n");
}

TEST_CASE("storage picture: elements that share a place have its number") {
  Transcript t;
  REQUIRE(t.say(layouts + "tensor S(3, 3): sym; fill_with S [[1, 5, 0], [5, 0, 0], [0, 0, 2]]").ok());
  CHECK(drawn(t, "S") ==
        "     0  1  2      i  j\n"
        "  0  0  1' ·      0  0:0\n"
        "  1  1  ·  ·      1  0:1\n"
        "  2  ·  ·  2      2  2:2\n"
        "  numbers are places among the values, coordinate:place; ' shares its place; · not stored\n");
  const StoragePicture picture = view::storage_picture("S", held(t, "S"));
  CHECK(view::explain(picture, 1) == "S(0,1) is at place 1: i = 1, j = 0");
  CHECK(view::explain(picture, picture.fibers[1].cells[0]) == "place 1 holds S(1,0), S(0,1)");
}

TEST_CASE("storage picture: what is never stored, and slots that are not taken") {
  Transcript t;
  REQUIRE(t.say(layouts + "tensor L(3, 3): lower; tensor E(3, 3): ell(2)\n"
                          "fill_with E [[1, 0, 2], [0, 0, 0], [0, 3, 0]]")
              .ok());
  const std::string lower = drawn(t, "L"), ell = drawn(t, "E");
  CHECK(lower.find("  0  0  ×  ×") != std::string::npos);
  CHECK(lower.find("× never stored") != std::string::npos);
  CHECK(lower.find("L holds nothing: drawn as if all were stored") != std::string::npos);
  CHECK(ell.find("1            free  free\n") != std::string::npos);
  CHECK(ell.find("2            1:4  free\n") != std::string::npos);
}

TEST_CASE("storage picture: of a large tensor a corner, with the places that it really has") {
  Transcript t;
  REQUIRE(t.say("tensor A(300, 200): bcsr(2, 3); random A density 0.01 seed 1").ok());
  const tensor::Tensor A = held(t, "A");
  const StoragePicture picture = view::storage_picture("A", A);
  CHECK(picture.corner);
  CHECK(picture.rows == 12);
  for (std::size_t at = 0; at < picture.grid.size(); ++at)
    CHECK(picture.grid[at].place == A.find(picture.index_at(at)));
  CHECK(drawn(t, "A").find("the first 12 x 12 of 300 x 200") != std::string::npos);
  const view::BlockCuts cuts = view::block_cuts(A, 7);
  CHECK(cuts.rows == std::vector<bool>{false, false, true, false, true, false, true});
  CHECK(cuts.columns == std::vector<bool>{false, false, false, true, false, false, true});
}

TEST_CASE("spy of a layout: lines between its blocks, padding in another shade") {
  Transcript t;
  REQUIRE(t.say("tensor A(3, 5): bcsr(2, 3); fill_with A [[1, 2, 0, 0, 0], [0, 3, 0, 0, 0], [0, 0, 0, 0, 4]]").ok());
  CHECK(view::spy_sketch(held(t, "A"), "A") ==
        "0 │████░░│    \n"
        "  │░░██░░│    \n"
        "  │──────┼────\n"
        "2 │      │░░██\n"
        "  └───────────\n"
        "   0         4\n"
        "A: 3 x 5, 4 elements stored (26.67 %), and 4 of padding ░\n");
  std::size_t lines = 0, pale = 0;
  for (const auto& shape : view::spy(held(t, "A"), "A").shapes) {
    if (const auto* line = std::get_if<view::Picture::Rectangle>(&shape))
      lines += line->width == 1 || line->height == 1;
    if (const auto* raster = std::get_if<view::Picture::Raster>(&shape))
      pale += static_cast<std::size_t>(std::ranges::count(raster->cells, 214, &view::Colour::red));
  }
  CHECK(lines == 6);  // the frame's four, and one between blocks in each direction
  CHECK(pale == 4);
  CHECK(view::block_cuts(held(t, "A"), 9).columns == std::vector<bool>{false, false, false, true, false});
  REQUIRE(t.say("tensor B(3, 5): csr; fill_with B [[1, 2, 0, 0, 0], [0, 3, 0, 0, 0], [0, 0, 0, 0, 4]]").ok());
  CHECK(view::spy_sketch(held(t, "B"), "B").find("padding") == std::string::npos);
}

TEST_CASE("storage picture: runs share a place, rows below a run a line") {
  Transcript t;
  REQUIRE(t.say("tensor R(3, 2): {rle, dense}; fill_with R [[1, 2], [1, 2], [0, 3]]").ok());
  CHECK(drawn(t, "R") ==
        "     0  1       dimension 0  dimension 1\n"
        "  0  0  1       0..1         0:0  1:1\n"
        "  1  0' 1'      2            0:2°  1:3\n"
        "  2  2° 3\n"
        "  numbers are places among the values, coordinate:place; ° padding: stored, at the fill\n"
        "  ' shares its place\n");
}
