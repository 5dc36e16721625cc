#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

#include "engine/tensor/allocate.hpp"
#include "engine/tensor/convert.hpp"
#include "engine/tensor/load.hpp"
#include "engine/tensor/load_coordinates.hpp"
#include "engine/tensor/matrix_market.hpp"
#include "engine/tensor/npy.hpp"
#include "engine/tensor/save.hpp"
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

/// What a Matrix Market text holds, as a matrix of `type`; or the error.
std::string matrix_market(std::string_view content, ScalarType type = ScalarType::f64, double fill = 0) {
  text::Diagnostics sink;
  FileRequest request{"m.mtx", {}, limit};
  auto coordinates = parse_matrix_market(content, request, sink);
  if (!coordinates) return first_error(sink);
  auto tensor = allocate(type, coordinates->shape, Format::dense(2), Value::of(type, fill), {"A", {}, limit}, sink);
  if (!tensor || !load_into(*tensor, *coordinates, {}, sink)) return first_error(sink);
  return values(*tensor);
}

void write(const std::string& path, const std::string& content) { std::ofstream(path, std::ios::binary) << content; }

/// Saves and loads again into a tensor of the same kind.
std::string round_trip(const Tensor& tensor, const std::string& path) {
  text::Diagnostics sink;
  if (!save(tensor, path, {}, sink)) return first_error(sink);
  auto contents = read_contents({path, {}, limit}, sink);
  Tensor back = Tensor::create(tensor.type(), tensor.shape(), tensor.format(), tensor.fill()).value();
  if (!contents || !load_into(back, *contents, {}, sink)) return first_error(sink);
  return values(back);
}

const std::string general = "%%MatrixMarket matrix coordinate real general\n";

}  // namespace

TEST_CASE("coordinate files: comments, blank lines, any order, repetitions summed") {
  CHECK(matrix_market(general + "% a comment\n\n2 3 4\n2 1 5\n1 3 -2.5e1\n  % another\n2 1 0.5\n1 1 +1\n") ==
        "1 0 -25 5.5 0 0");
  CHECK(matrix_market("%%matrixmarket MATRIX Coordinate REAL General\r\n1 1 1\r\n1 1 3\r\n") == "3");
  CHECK(matrix_market(general + "2 2 0\n") == "0 0 0 0");
  CHECK(matrix_market(general + "0 0 0\n").empty());
  CHECK(matrix_market(general + "1 2 2\n1 1 1\n1 1 2\n", ScalarType::f64, 9) == "3 9");
}

TEST_CASE("fields: integer is exact, pattern is true") {
  std::string integer = "%%MatrixMarket matrix coordinate integer general\n";
  std::string pattern = "%%MatrixMarket matrix coordinate pattern general\n";
  CHECK(matrix_market(integer + "1 1 1\n1 1 9007199254740993\n", ScalarType::i64) == "9007199254740993");
  CHECK(matrix_market(pattern + "1 3 2\n1 1\n1 3\n") == "1 0 1");
  CHECK(matrix_market(pattern + "1 2 2\n1 1\n1 1\n", ScalarType::boolean) == "true false");
  CHECK(matrix_market(pattern + "1 2 2\n1 1\n1 1\n") == "2 0");
  CHECK(matrix_market(general + "1 1 1\n1 1 1e-400\n") == "0");
}

TEST_CASE("symmetric and skew-symmetric files stand for both triangles") {
  CHECK(matrix_market("%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 4\n2 1 3\n") == "4 3 3 0");
  CHECK(matrix_market("%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 3\n", ScalarType::i32) ==
        "0 -3 3 0");
  CHECK(matrix_market("%%MatrixMarket matrix array real symmetric\n2 2\n1\n2\n3\n") == "1 2 2 3");
  CHECK(matrix_market("%%MatrixMarket matrix array real skew-symmetric\n3 3\n1\n2\n3\n") == "0 -1 -2 1 0 -3 2 3 0");
}

TEST_CASE("other writers' Matrix Market files are read where their meaning is plain") {
  CHECK(matrix_market("%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 4\n1 2 3\n") == "4 3 3 0");
  CHECK(matrix_market("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n1 2 3\n") == "0 3 -3 0");
  CHECK(matrix_market("%%MatrixMarket matrix coordinate real hermitian\n2 2 1\n2 1 3\n") == "0 3 3 0");
  CHECK(matrix_market("%MatrixMarket matrix coordinate unsigned-integer general\n1 1 1\n1 1 18446744073709551615\n",
                      ScalarType::u64) == "18446744073709551615");
  CHECK(matrix_market("\xEF\xBB\xBF" + general + "1 3 3\n1 1 1.5D+03\n1 2 -25d-1\n1 3 1D2\n") == "1500 -2.5 100");
  CHECK(matrix_market(general + "1 1 1\n1 1 1d400\n") == "E0405 \"m.mtx\", line 3: the value '1d400' overflows f64");
  CHECK(matrix_market(general + "1 1 1\n1 1 1d\n").starts_with("E0405"));
}

TEST_CASE("array files go column by column") {
  CHECK(matrix_market("%%MatrixMarket matrix array real general\n2 3\n1\n2\n3\n4\n5\n6\n") == "1 3 5 2 4 6");
  CHECK(matrix_market("%%MatrixMarket matrix array real general\n0 3\n").empty());
}

TEST_CASE("what is wrong with a Matrix Market file is said by line") {
  CHECK(matrix_market("") == "E0403 \"m.mtx\": the file is empty");
  CHECK(matrix_market("1 1 1\n") ==
        "E0403 \"m.mtx\", line 1: this is no Matrix Market file: it must start with '%%MatrixMarket matrix …'");
  CHECK(matrix_market("%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 0 0\n") ==
        "E0403 \"m.mtx\", line 1: field 'complex' is not supported; use real, integer or pattern");
  CHECK(matrix_market("%%MatrixMarket matrix coordinate real diagonal\n1 1 1\n1 1 0\n") ==
        "E0403 \"m.mtx\", line 1: symmetry 'diagonal' is not supported; use general, symmetric or skew-symmetric");
  CHECK(matrix_market("%%MatrixMarket matrix coordinate pattern skew-symmetric\n2 2 1\n2 1\n") ==
        "E0403 \"m.mtx\", line 1: a pattern cannot be skew-symmetric: it has no values to negate");
  CHECK(matrix_market("%%MatrixMarket matrix array pattern general\n1 1\n").starts_with("E0403"));
  CHECK(matrix_market(general) == "E0404 \"m.mtx\": the size line is missing");
  CHECK(matrix_market(general + "3 3\n").starts_with("E0404 \"m.mtx\", line 2"));
  CHECK(matrix_market(general + "-3 3 0\n").starts_with("E0404"));
  CHECK(matrix_market("%%MatrixMarket matrix coordinate real symmetric\n2 3 0\n").starts_with("E0404"));
  CHECK(matrix_market(general + "2 2 1\n1 x 1\n") ==
        "E0405 \"m.mtx\", line 3: the column should be an integer, not 'x'");
  CHECK(matrix_market(general + "2 2 1\n1 1\n") == "E0405 \"m.mtx\", line 3: the line ends before its value");
  CHECK(matrix_market(general + "2 2 1\n1 1 2 7\n").starts_with("E0405 \"m.mtx\", line 3: nothing more is expected"));
  CHECK(matrix_market(general + "2 2 1\n1 1 1e400\n") == "E0405 \"m.mtx\", line 3: the value '1e400' overflows f64");
  CHECK(matrix_market(general + "2 2 1\n99999999999999999999 1 1\n").starts_with("E0405"));
  CHECK(matrix_market(general + "2 2 1\n3 1 1\n") == "E0406 \"m.mtx\", line 3: row 3 is outside 1..2");
  CHECK(matrix_market(general + "2 2 1\n1 0 1\n") ==
        "E0406 \"m.mtx\", line 3: column 0 is outside 1..2 (indices start at 1)");
  CHECK(matrix_market("%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n1 2 3\n3 1 1\n") ==
        "E0406 \"m.mtx\", line 4: a symmetric file lists entries on one side of the diagonal: this one is below it, "
        "earlier "
        "ones above");
  CHECK(matrix_market("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n1 1 3\n").starts_with("E0406"));
}

TEST_CASE("a header that lies costs an error, not memory") {
  CHECK(matrix_market(general + "2 2 2\n1 1 1\n") ==
        "E0407 \"m.mtx\": the header announces 2 entries, but the file has 1");
  CHECK(matrix_market(general + "2 2 1\n1 1 1\n2 2 1\n") ==
        "E0407 \"m.mtx\", line 4: the header announces 1 entries, but more follow");
  CHECK(matrix_market(general + "2 2 9000000000000000000\n1 1 1\n").starts_with("E0407"));
  CHECK(matrix_market("%%MatrixMarket matrix array real general\n1000000000 1000000000\n1\n").starts_with("E0407"));
  CHECK(matrix_market("%%MatrixMarket matrix array real general\n9000000000000000000 9\n1\n").starts_with("E0404"));
  CHECK(matrix_market(general + "1000000 1000000 1\n1 1 1\n") ==
        "E0410 A, dense 1000000 x 1000000 of f64, needs 7.3 TiB; the limit is 1.0 MiB");
}

TEST_CASE("entries that fit the file but not the memory are refused") {
  std::string content = "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 100\n", tns;
  for (int e = 0; e < 100; ++e) content += "2 1\n";
  for (int e = 0; e < 100; ++e) tns += "2 1 1\n";
  text::Diagnostics sink;
  CHECK_FALSE(parse_matrix_market(content, {"m.mtx", {}, 1024}, sink));
  CHECK_FALSE(parse_tns(tns, {"t.tns", {}, 1024}, sink));
  CHECK(sink.all().at(0).message == "\"m.mtx\", line 28: the entries so far exceed the memory limit of 1.0 KiB");
  CHECK(sink.all().at(1).code == "E0410");
}

TEST_CASE("values that the element type cannot hold are refused") {
  CHECK(matrix_market(general + "1 1 1\n1 1 1.5\n", ScalarType::i32) ==
        "E0409 element (0,0), 1.5 in line 3, does not fit i32");
  CHECK(matrix_market(general + "1 1 1\n1 1 300\n", ScalarType::u8).starts_with("E0409"));
  CHECK(matrix_market(general + "1 1 1\n1 1 -1\n", ScalarType::u64).starts_with("E0409"));
  CHECK(matrix_market(general + "1 1 1\n1 1 9223372036854775808\n", ScalarType::i64).starts_with("E0409"));
  CHECK(matrix_market(general + "1 1 1\n1 1 nan\n", ScalarType::i64).starts_with("E0409"));
  CHECK(matrix_market(general + "1 1 1\n1 1 1e300\n", ScalarType::f32).starts_with("E0409"));
  CHECK(matrix_market(general + "1 1 1\n1 1 255\n", ScalarType::u8) == "255");
  CHECK(matrix_market(general + "1 1 1\n1 1 inf\n", ScalarType::f32) == "inf");
}

TEST_CASE("files that cannot be read say why") {
  Folder folder;
  auto read_error = [&](const std::string& path) {
    text::Diagnostics sink;
    CHECK_FALSE(read_contents({path, {}, limit}, sink));
    return first_error(sink);
  };
  CHECK(read_error((folder / "none.mtx")) ==
        "E0400 cannot read \"" + (folder / "none.mtx") + "\": there is no such file");
  std::filesystem::create_directory((folder / "d.mtx"));
  CHECK(read_error((folder / "d.mtx")).ends_with("it is a directory"));
  CHECK(read_error("/dev/null.mtx").starts_with("E0400"));
  CHECK(read_error((folder / "a.xls")).starts_with("E0401"));
  write((folder / "big.mtx"), std::string(limit + 1, '%'));
  CHECK(read_error((folder / "big.mtx")).starts_with("E0410"));
}

TEST_CASE("gzip'ed files are read like others, damaged ones are refused") {
  Folder folder;
  std::string path = (folder / "a.MTX.gz");
  gzFile file = gzopen(path.c_str(), "wb");
  gzputs(file, (general + "1 2 1\n1 2 7\n").c_str());
  gzclose(file);
  text::Diagnostics sink;
  auto contents = read_contents({path, {}, limit}, sink);
  REQUIRE(contents);
  CHECK(contents->shape() == Index{1, 2});
  std::string whole = content_of(path);
  write(path, whole.substr(0, whole.size() - 6));
  CHECK_FALSE(read_contents({path, {}, limit}, sink));
  CHECK(first_error(sink).starts_with("E0402"));
}

TEST_CASE("an n x 1 matrix is a vector of n, other shapes must agree") {
  text::Diagnostics sink;
  FileRequest request{"m.mtx", {}, limit};
  auto column = parse_matrix_market("%%MatrixMarket matrix array real general\n3 1\n1\n2\n3\n", request, sink).value();
  Tensor vector = make(ScalarType::f64, {3}), longer = make(ScalarType::f64, {4}, 1);
  CHECK(load_into(vector, column, {}, sink));
  CHECK(values(vector) == "1 2 3");
  CHECK(shape_for_rank({column}, 1) == Index{3});
  CHECK(shape_for_rank({column}, 2) == Index{3, 1});
  CHECK_FALSE(shape_for_rank({column}, 3));
  CHECK_FALSE(load_into(longer, column, {}, sink));
  CHECK(first_error(sink) == "E0613 the file is 3 x 1, the tensor is 4");
  CHECK(values(longer) == "1 1 1 1");
}

TEST_CASE(".tns infers its shape, and fits into any larger tensor") {
  text::Diagnostics sink;
  FileRequest request{"t.tns", {}, limit};
  auto t = parse_tns("# x\n1 2 1 5\n2 1 1 -1.5\n", request, sink).value();
  CHECK(t.shape == Index{2, 2, 1});
  Tensor tensor = make(ScalarType::f64, {2, 3, 1});
  CHECK(load_into(tensor, t, {}, sink));
  CHECK(values(tensor) == "0 5 0 -1.5 0 0");
  CHECK_FALSE(parse_tns("1 1 1\n1 1 1 1\n", request, sink));
  CHECK_FALSE(parse_tns("0 1 1\n", request, sink));
  CHECK(sink.all()[0].message == "\"t.tns\", line 2: this line has 4 fields, the first one has 3");
  CHECK(sink.all()[1].code == "E0406");
}

TEST_CASE("saved tensors read back exactly") {
  Folder folder;
  Tensor matrix = make(ScalarType::f64, {2, 2});
  double numbers[] = {0.1, 1.0 / 3, -5e-324, std::numeric_limits<double>::infinity()};
  for (std::int64_t e = 0; e < 4; ++e) matrix.set_flat(e, Value::of(ScalarType::f64, numbers[e]));
  Format columns = Format::dense(2);
  columns.order = {1, 0};
  for (const Tensor& tensor : {matrix, with_format(matrix, columns).value()})
    for (const char* name : {"m.mtx", "m.tns", "m.npy"}) CHECK(round_trip(tensor, (folder / name)) == values(tensor));

  for (ScalarType type : {ScalarType::f32, ScalarType::i64, ScalarType::i32, ScalarType::i16, ScalarType::u64,
                          ScalarType::u32, ScalarType::u8, ScalarType::boolean}) {
    Tensor vector = make(type, {3}, 1);
    vector.set(Index{1}, format::lowest(type));
    vector.set(Index{2}, Value::of(type, 100));
    for (const char* name : {"v.mtx", "v.tns", "v.npy"}) CHECK(round_trip(vector, (folder / name)) == values(vector));
  }
  CHECK(round_trip(make(ScalarType::f64, {}, 3), (folder / "s.npy")) == "3");
  CHECK(round_trip(make(ScalarType::f64, {}, 3), (folder / "s.mtx")) == "3");
  CHECK(round_trip(make(ScalarType::f64, {0, 2}), (folder / "e.npy")).empty());
  CHECK(round_trip(make(ScalarType::f64, {2, 1, 2}, 4), (folder / "t.mtx")).starts_with("E0413"));
}

TEST_CASE("files look as other programs expect them") {
  Folder folder;
  text::Diagnostics sink;
  Tensor vector = make(ScalarType::f64, {2});
  vector.set(Index{1}, Value::of(ScalarType::f64, 0.1));
  REQUIRE(save(vector, (folder / "v.mtx"), {}, sink));
  CHECK(content_of((folder / "v.mtx")) == "%%MatrixMarket matrix array real general\n2 1\n0\n0.10000000000000001\n");
  REQUIRE(save(vector, (folder / "v.tns"), {}, sink));
  CHECK(content_of((folder / "v.tns")) == "# shape 2\n2 0.10000000000000001\n");
  std::string header = npy_header(ScalarType::f64, {3, 4}, true);
  CHECK(header.size() % 64 == 0);
  CHECK(header.substr(10, 58) == "{'descr': '<f8', 'fortran_order': True, 'shape': (3, 4), }");
  CHECK(npy_header(ScalarType::u8, {3}, false).find("'|u1'") != std::string::npos);
  CHECK(npy_header(ScalarType::u8, {3}, false).find("(3,)") != std::string::npos);
  CHECK(npy_header(ScalarType::u8, {}, false).find("()") != std::string::npos);
}

TEST_CASE(".npy files that lie or hold something else are refused") {
  FileRequest request{"a.npy", {}, limit};
  auto error = [&](const std::string& content) {
    text::Diagnostics sink;
    CHECK_FALSE(parse_npy(content, request, sink));
    return first_error(sink).substr(0, 5);
  };
  auto header = [](std::string text) {
    return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(text.size()) + '\0' + text;
  };
  CHECK(error("") == "E0403");
  CHECK(error("\x93NUMPY") == "E0403");
  CHECK(error(header("{'descr': '<c16', 'fortran_order': False, 'shape': (1,), }")) == "E0403");
  CHECK(error(header("{'descr': '<f8', 'fortran_order': False, 'shape': (-1,), }")) == "E0404");
  CHECK(error(header("{'descr': '<f8', 'shape': (1,), }")) == "E0404");
  CHECK(error(header("{'descr': '<f8")) == "E0404");
  CHECK(error(npy_header(ScalarType::f64, {2}, false) + "12345678") == "E0407");
  CHECK(error(npy_header(ScalarType::f64, {std::int64_t{1} << 40, std::int64_t{1} << 40}, false)) == "E0407");
}

TEST_CASE("a save that fails leaves what was there, and nothing else") {
  Folder folder;
  text::Diagnostics sink;
  Tensor vector = make(ScalarType::f64, {2});
  CHECK_FALSE(save(vector, (folder / "none/v.mtx"), {}, sink));
  CHECK(first_error(sink).starts_with("E0412"));
  std::filesystem::create_directory((folder / "d.mtx"));
  CHECK_FALSE(save(vector, (folder / "d.mtx"), {}, sink));
  CHECK_FALSE(save(vector, (folder / "v.xls"), {}, sink));
  CHECK(folder.count() == 1);
  {
    AtomicFile abandoned((folder / "half.mtx"));
    abandoned.write("half");
  }
  CHECK(folder.count() == 1);
  write((folder / "v.mtx"), "old");
  CHECK(save(vector, (folder / "v.mtx"), {}, sink));
  CHECK(content_of((folder / "v.mtx")) != "old");
  CHECK(folder.count() == 2);
}
