// Files as other programs write them: .tns with headers, .npy headers, tables.
#include <doctest/doctest.h>

#include <fstream>

#include "engine/tensor/allocate.hpp"
#include "engine/tensor/load.hpp"
#include "engine/tensor/load_coordinates.hpp"
#include "engine/tensor/npy.hpp"
#include "engine/tensor/save.hpp"
#include "engine/tensor/table.hpp"
#include "engine/tensor/tns.hpp"
#include "tests/folder.hpp"
#include "tests/tensor/elements.hpp"

using namespace trellis;
using namespace trellis::tensor;
using namespace trellis::tensor::testing;
using format::Format;
using format::ScalarType;
using format::Value;
using trellis::testing::Folder;

namespace {

std::string shown(const std::optional<Coordinates>& list, const text::Diagnostics& sink) {
  if (!list) return first_error(sink);
  text::Diagnostics other;
  Tensor tensor = make(ScalarType::f64, list->shape);
  if (!load_into(tensor, *list, {}, other)) return first_error(other);
  return shape_text(list->shape) + ": " + values(tensor);
}

std::string tns(const std::string& content) {
  text::Diagnostics sink;
  return shown(parse_tns(content, {"t.tns", {}, limit}, sink), sink);
}

std::string table(const std::string& content, const std::string& kind = ".csv", ScalarType type = ScalarType::f64) {
  text::Diagnostics sink;
  auto found = parse_table(content, kind, {"t" + kind, {}, limit}, sink);
  if (!found) return first_error(sink);
  const FileContents contents{std::move(*found)};
  Tensor tensor = make(type, contents.shape());
  return load_into(tensor, contents, {}, sink) ? shape_text(tensor.shape()) + ": " + values(tensor) : first_error(sink);
}

/// An array of two bytes behind this header.
std::string npy(const std::string& header) {
  text::Diagnostics sink;
  std::string content =
      std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(header.size()) + '\0' + header + "\x07\x09";
  const auto array = parse_npy(content, {"a.npy", {}, limit}, sink);
  return array ? shape_text(array->tensor.shape()) + ": " + values(array->tensor) : first_error(sink);
}

}  // namespace

TEST_CASE(".tns: headers say a shape, and how many entries there are") {
  CHECK(tns("# shape 2 3\n1 2 5\n") == "2 x 3: 0 5 0 0 0 0");
  CHECK(tns("# extended FROSTT format\n2 1\n2 3\n1 2 5\n") == "2 x 3: 0 5 0 0 0 0");
  CHECK(tns("2 1\n2 3\n1 2 5\n") == "2 x 3: 0 5 0 0 0 0");
  CHECK(tns("2\n2 3\n1 2 5\n") == "2 x 3: 0 5 0 0 0 0");
  CHECK(tns("1\n3\n1 5\n") == "3: 5 0 0");
  CHECK(tns("1 1\n3\n2 5\n") == "3: 0 5 0");
  CHECK(tns("sptensor\n2\n2 3\n1\n1 2 5\n") == "2 x 3: 0 5 0 0 0 0");
  CHECK(tns("# extended FROSTT format\n2 0\n2 1\n") == "2 x 1: 0 0");
  CHECK(tns("3 0\n1 2 1\n") == "1 x 2 x 1: 0 0");
  CHECK(tns("2 4\n3 5\n") == "3: 0 4 5");  // two entries of a vector
  CHECK(tns("2 2\n2 3\n1 2 5\n") == "E0407 \"t.tns\": the header announces 2 entries, but the file has 1");
  CHECK(tns("2 1\n2 3\n1 4 5\n") == "E0406 \"t.tns\", line 3: index 4 is outside 1..3");
}

TEST_CASE(".tns: what holds nothing comes back, and so do rows at the end") {
  const Folder folder;
  const Tensor empty =
      Tensor::create(ScalarType::f64, {2, 3}, *Format::named("csr", 2), Value::of(ScalarType::f64, 0)).value();
  text::Diagnostics sink;
  REQUIRE(save(empty, folder / "e.tns", {}, sink));
  const auto contents = read_contents({folder / "e.tns", {}, limit}, sink);
  REQUIRE(contents);
  CHECK(shape_for_rank(*contents, 2) == Index{2, 3});
}

TEST_CASE(".npy: headers of other writers") {
  const std::string right = "1 x 2: 7 9";
  CHECK(npy("{'descr': '|u1', 'fortran_order': False, 'shape': (1, 2), }") == right);
  CHECK(npy("{\"descr\": \"|u1\", \"fortran_order\": false, \"shape\": [1, 2]}") == right);
  CHECK(npy("{'descr' : u'u1',\n\t'fortran_order' :\tFalse,'shape':(1L,2L)}\n") == right);
  CHECK(npy("{'shape': (1, 2), 'fortran_order': 0, 'descr': '<u1'}") == right);
  CHECK(npy("{'descr': '?', 'fortran_order': False, 'shape': (2,)}").starts_with("2: "));
  CHECK(npy("{'descr': [('a', '|u1')], 'fortran_order': False, 'shape': (2,)}").starts_with("E0404"));
  CHECK(npy("{'descr': '|u1', 'fortran_order': maybe, 'shape': (2,)}").starts_with("E0404"));
}

TEST_CASE("tables: commas, semicolons, tabs and blanks") {
  CHECK(table("1,2,3\n4,5,6\n") == "2 x 3: 1 2 3 4 5 6");
  CHECK(table("\xEF\xBB\xBF"
              "1;2.5\r\n\r\n3;-4e-1\r\n") == "2 x 2: 1 2.5 3 -0.4");
  CHECK(table("width,\"height, in m\"\n1,\"2\"\n# no more\n") == "1 x 2: 1 2");
  CHECK(table("1\t2\n3\t4\n", ".tsv") == "2 x 2: 1 2 3 4");
  CHECK(table("  1   2\n3 inf\n", ".txt") == "2 x 2: 1 2 3 inf");
  CHECK(table("true,FALSE\n", ".csv", ScalarType::boolean) == "1 x 2: true false");
  CHECK(table("1,9007199254740993\n", ".csv", ScalarType::i64) == "1 x 2: 1 9007199254740993");
  CHECK(table("") == "E0403 \"t.csv\": the file holds no row");
  CHECK(table("1,2\n3\n") == "E0405 \"t.csv\", line 2: this line has 1 fields, the first one has 2");
  CHECK(table("1,2\n3,\n") == "E0405 \"t.csv\", line 2: field 2 is empty");
  CHECK(table("1,2\n3,x\n") == "E0405 \"t.csv\", line 2: the field 2 should be a number, not 'x'");
  CHECK(table("1,2\n3,4 5\n").starts_with("E0405 \"t.csv\", line 2: nothing more"));
}

TEST_CASE("tables: letters that name rows and columns are indices") {
  text::Diagnostics sink;
  for (const char* text : {"# scores\n   A  C\nA  5 -4\nC -3  6\n", ",A,C\nA,5,-4\nC,-3,6\n"}) {
    const std::string kind = text[0] == ',' ? ".csv" : ".txt";
    const auto read = parse_table(text, kind, {"t", {}, limit}, sink);
    REQUIRE(read);
    const auto* list = std::get_if<Coordinates>(&*read);
    REQUIRE(list);
    CHECK(list->shape == Index{'C' + 1, 'C' + 1});
    CHECK(list->extent == Coordinates::Extent::inferred);
    Tensor scores =
        Tensor::create(ScalarType::i32, {128, 128}, *Format::named("csr", 2), Value::of(ScalarType::i32, 0)).value();
    REQUIRE(load_into(scores, *list, {}, sink));
    CHECK(scores.entries() == 4);
    CHECK(scores.get(Index{'C', 'A'}) == Value::of(ScalarType::i32, -3));
    CHECK(scores.get(Index{'A', 'C'}) == Value::of(ScalarType::i32, -4));
  }
  CHECK(table("a,b\n1,2\n") == "1 x 2: 1 2");
  CHECK(table("  A  C\nA  5 -4\n -3  6\n", ".txt")
            .starts_with("E0405 \"t.txt\", line 3: this line does not begin with a letter"));
}

TEST_CASE("tables: a sparse tensor stores what differs from its fill, and what is saved comes back") {
  const Folder folder;
  text::Diagnostics sink;
  std::ofstream(folder / "a.csv") << "0,1.5\n0,0\n2,0\n";
  auto contents = read_contents({folder / "a.csv", {}, limit}, sink);
  REQUIRE(contents);
  Tensor sparse =
      Tensor::create(ScalarType::f64, {3, 2}, *Format::named("csr", 2), Value::of(ScalarType::f64, 0)).value();
  REQUIRE(load_into(sparse, *contents, {}, sink));
  CHECK(sparse.entries() == 2);
  std::ofstream(folder / "x.csv") << "1,2,3\n";
  contents = read_contents({folder / "x.csv", {}, limit}, sink);
  REQUIRE(contents);
  CHECK(shape_for_rank(*contents, 1) == Index{3});
  Tensor vector = make(ScalarType::f64, {3});
  REQUIRE(load_into(vector, *contents, {}, sink));
  CHECK(values(vector) == "1 2 3");
  REQUIRE(save(sparse, folder / "b.tsv", {}, sink));
  CHECK(content_of(folder / "b.tsv") == "0\t1.5\n0\t0\n2\t0\n");
  CHECK_FALSE(can_save(ScalarType::f64, 3, folder / "c.csv", {}, sink));
  CHECK(first_error(sink).starts_with("E0413"));
}
