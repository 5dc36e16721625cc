// Files that hold whole arrays: FASTA, grey images, idx, and the element types of .npy.

#include <doctest/doctest.h>

#include "engine/tensor/fasta.hpp"
#include "engine/tensor/idx.hpp"
#include "engine/tensor/load.hpp"
#include "engine/tensor/npy.hpp"
#include "engine/tensor/pgm.hpp"
#include "engine/tensor/save.hpp"
#include "tests/folder.hpp"
#include "tests/tensor/elements.hpp"

using namespace trellis;
using namespace trellis::tensor;
using namespace trellis::tensor::testing;
using format::Format;
using format::ScalarType;
using format::Value;

namespace {

template <class Parse>
std::string parsed(Parse parse, const std::string& content, std::optional<RecordChoice> record = {}) {
  text::Diagnostics sink;
  const FileRequest request{"f", {}, limit, std::move(record)};
  const auto contents = parse(content, request, sink);
  return contents ? std::string(format::name_of(contents->tensor.type())) + " " + values(contents->tensor)
                  : first_error(sink);
}

std::string letters(const std::string& content, std::optional<RecordChoice> record = {}) {
  text::Diagnostics sink;
  const FileRequest request{"f", {}, limit, std::move(record)};
  const auto contents = parse_fasta(content, request, sink);
  if (!contents) return first_error(sink);
  return {static_cast<const char*>(contents->tensor.data()), static_cast<std::size_t>(contents->tensor.count())};
}

/// The error of loading the file into a tensor of that type and shape, or its values.
std::string loaded(const std::string& path, ScalarType type, Index shape) {
  text::Diagnostics sink;
  auto contents = read_contents({path, {}, limit}, sink);
  const int rank = static_cast<int>(shape.size());
  Tensor tensor = Tensor::create(type, std::move(shape), Format::dense(rank), Value::of(type, 0)).value();
  if (!contents || !load_into(tensor, std::move(*contents), {}, sink)) return first_error(sink);
  return values(tensor);
}

std::string npy(const std::string& descriptor, const std::string& shape, const std::string& data) {
  const std::string text = "{'descr': '" + descriptor + "', 'fortran_order': False, 'shape': " + shape + ", }";
  return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(text.size()) + '\0' + text + data;
}

std::string bytes(std::initializer_list<int> list) {
  std::string out;
  for (const int b : list) out += static_cast<char>(b);
  return out;
}

}  // namespace

TEST_CASE("FASTA: letters of the first record, or of the one that is chosen") {
  const std::string file = "; old comment\n>one  description\nACgt\n NN*-\n\n>two|x\r\nTT TT\r\n>none\n";
  CHECK(letters(file) == "ACgtNN*-");
  CHECK(letters(file, RecordChoice{2, "", {}}) == "TTTT");
  CHECK(letters(file, RecordChoice{1, "two|x", {}}) == "TTTT");
  CHECK(letters(file, RecordChoice{3, "", {}}) == "");
  CHECK(letters(file, RecordChoice{4, "", {}}) == "E0420 \"f\" has no record 4");
  CHECK(letters(file, RecordChoice{1, "twox", {}}) == "E0420 \"f\" has no record \"twox\"");
  CHECK(letters("ACGT\n") == "E0403 \"f\", line 1: this is no FASTA file: its first line must start with '>'");
  CHECK(letters("") == "E0403 \"f\": the file holds no record");
  CHECK(letters(">a\nAC4\n") == "E0405 \"f\", line 2: column 3 holds '4', which is no letter");
  CHECK(letters(">a\nA\x01\n") == "E0405 \"f\", line 2: column 2 holds the byte 1, which is no letter");
}

TEST_CASE("grey images as text") {
  CHECK(parsed(parse_pgm, "P2\n# c\n3 2 #c\n15\n1 2 3\n4 5 15\n") == "u8 1 2 3 4 5 15");
  CHECK(parsed(parse_pgm, "P2 1 1 65535 40000") == "i32 40000");
  CHECK(parsed(parse_pgm, "P2\n2 1\n7\n1\n8\n") == "E0409 \"f\", line 5: the value 8 is above the file's maximum, 7");
  CHECK(parsed(parse_pgm, "P2\n2 1\n7\n1\n") == "E0407 \"f\": the header announces 2 pixels, but the file has 1");
  CHECK(parsed(parse_pgm, "P2\n1 1\n7\n1\n2\n") ==
        "E0407 \"f\", line 5: more follows than the 1 pixels that the header announces");
  CHECK(parsed(parse_pgm, "P2\n1 1\n7\nx\n").starts_with("E0405 \"f\", line 4"));
  CHECK(parsed(parse_pgm, "P2\n4000000000 4000000000\n7\nx\n").starts_with("E0407"));
}

TEST_CASE("grey images as bytes") {
  CHECK(parsed(parse_pgm, "P5\n3 1\n255\n" + bytes({0, 128, 255})) == "u8 0 128 255");
  CHECK(parsed(parse_pgm, "P5 1 2 256\n" + bytes({1, 0, 0, 7})) == "i32 256 7");
  CHECK(parsed(parse_pgm, "P5 1 1 100\n" + bytes({101})) ==
        "E0409 \"f\", byte 11: the value 101 is above the file's maximum, 100");
  CHECK(parsed(parse_pgm, "P5 2 1 100\n" + bytes({1})).starts_with("E0407"));
  CHECK(parsed(parse_pgm, "P5 2 1 70000\n").starts_with("E0404 \"f\", line 1: the maximum 70000"));
  CHECK(parsed(parse_pgm, "P6 2 1 255\n").starts_with("E0403 \"f\": this is no .pgm file"));
  CHECK(parsed(parse_pgm, "P5 -2 1 255\n").starts_with("E0404 \"f\", line 1: the width"));
  CHECK(parsed(parse_pgm, "P5 2") == "E0404 \"f\": the file ends before its height");
}

TEST_CASE("idx files: every element type, one to four dimensions, records") {
  CHECK(parsed(parse_idx, bytes({0, 0, 8, 1, 0, 0, 0, 2, 7, 255})) == "u8 7 255");
  CHECK(parsed(parse_idx, bytes({0, 0, 9, 1, 0, 0, 0, 2, 7, 255})) == "i16 7 -1");
  CHECK(parsed(parse_idx, bytes({0, 0, 0x0B, 1, 0, 0, 0, 1, 1, 2})) == "i16 258");
  CHECK(parsed(parse_idx, bytes({0, 0, 0x0C, 1, 0, 0, 0, 1, 255, 255, 255, 254})) == "i32 -2");
  CHECK(parsed(parse_idx, bytes({0, 0, 0x0D, 1, 0, 0, 0, 1, 0x3F, 0x80, 0, 0})) == "f32 1");
  CHECK(parsed(parse_idx, bytes({0, 0, 0x0E, 1, 0, 0, 0, 1, 0xC0, 0, 0, 0, 0, 0, 0, 0})) == "f64 -2");
  const std::string images = bytes({0, 0, 8, 3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 2, 1, 2, 3, 4});
  CHECK(parsed(parse_idx, images) == "u8 1 2 3 4");
  CHECK(parsed(parse_idx, images, RecordChoice{2, "", {}}) == "u8 3 4");
  CHECK(parsed(parse_idx, images, RecordChoice{3, "", {}}) == "E0420 \"f\" has 2 records, which have numbers only");
  CHECK(parsed(parse_idx, bytes({0, 0, 8, 4, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 9})) == "u8 9");
  CHECK(parsed(parse_idx, bytes({0, 0, 8, 5, 0, 0})) == "E0404 \"f\", byte 3: 5 dimensions, not 1 to 4");
  CHECK(parsed(parse_idx, bytes({0, 0, 1, 1, 0, 0, 0, 0})) == "E0403 \"f\", byte 2: 1 is no element type of idx files");
  CHECK(parsed(parse_idx, "text").starts_with("E0403"));
  CHECK(parsed(parse_idx, bytes({0, 0, 8, 2, 255, 255, 255, 255, 255, 255, 255, 255, 1})).starts_with("E0407"));
  for (const char* name : {"a/t10k-images-idx3-ubyte", "x.idx", "x.idx1-ubyte.gz"}) CHECK(is_idx_name(name));
  for (const char* name : {"idx", "x-ubyte", "idx3-ubyte.mtx", "fidx-ubyte"}) CHECK_FALSE(is_idx_name(name));
}

TEST_CASE(".npy files of every element type, in either byte order") {
  CHECK(parsed(parse_npy, npy("|b1", "(3,)", bytes({0, 1, 2}))) == "bool false true true");
  CHECK(parsed(parse_npy, npy("|i1", "(2,)", bytes({128, 1}))) == "i16 -128 1");
  CHECK(parsed(parse_npy, npy(">i2", "(2,)", bytes({255, 254, 1, 0}))) == "i16 -2 256");
  CHECK(parsed(parse_npy, npy("<u2", "(1,)", bytes({255, 255}))) == "i32 65535");
  CHECK(parsed(parse_npy, npy(">u4", "(1,)", bytes({255, 255, 255, 255}))) == "u32 4294967295");
  CHECK(parsed(parse_npy, npy(">u8", "(1,)", bytes({255, 255, 255, 255, 255, 255, 255, 255}))) ==
        "u64 18446744073709551615");
  CHECK(parsed(parse_npy, npy(">f8", "()", bytes({0xC0, 0, 0, 0, 0, 0, 0, 0}))) == "f64 -2");
  CHECK(parsed(parse_npy, npy(">f4", "(1,)", bytes({0x3F, 0xC0, 0, 0}))) == "f32 1.5");
  CHECK(parsed(parse_npy, npy("<f2", "(5,)", bytes({0, 0x3C, 1, 0, 0, 0xFC, 1, 0x7E, 0, 0x80}))) ==
        "f32 1 5.9604645e-08 -inf nan -0");
  for (const char* other : {"<c16", "<f16", "|O8", "<U4", "|b2", "<M8[ns]"}) {
    CAPTURE(other);
    CHECK(parsed(parse_npy, npy(other, "(0,)", "")).starts_with("E0403"));
  }
}

TEST_CASE("values that do not fit name their line or byte") {
  const trellis::testing::Folder folder;
  CHECK(loaded(folder.file("a.mtx", "%%MatrixMarket matrix coordinate real general\n%\n2 2 2\n1 1 3\n2 1 300\n"),
               ScalarType::u8, {2, 2}) == "E0409 element (1,0), 300 in line 5, does not fit u8");
  CHECK(loaded(folder.file("a.tns", "1 1\n\n2 1.5\n"), ScalarType::i32, {2}) ==
        "E0409 element (1), 1.5 in line 3, does not fit i32");
  CHECK(loaded(folder.file("a.npy", npy("<i2", "(2,)", bytes({1, 0, 0, 1}))), ScalarType::u8, {2}) ==
        "E0409 element (1), 256 at byte 69, does not fit u8");
  CHECK(loaded(folder.file("a.idx", bytes({0, 0, 8, 1, 0, 0, 0, 2, 1, 255})), ScalarType::boolean, {2}) == "true true");
  CHECK(loaded(folder.file("a.fa", ">x\nAC\nGT\n"), ScalarType::boolean, {4}) == "true true true true");
}

TEST_CASE("in a tensor of bool, an image's maximum is true") {
  const trellis::testing::Folder folder;
  CHECK(loaded(folder.file("a.pgm", "P2 2 1 255\n255 0"), ScalarType::boolean, {1, 2}) == "true false");
  CHECK(loaded(folder.file("a.pgm", "P2 2 1 255\n\n255\n1"), ScalarType::boolean, {1, 2}) ==
        "E0409 element (0,1), 1 in line 4, does not fit bool");
}

TEST_CASE("images are saved as others read them, and what is no image is refused") {
  const trellis::testing::Folder folder;
  const auto saved = [&](ScalarType type, Index shape, double value) {
    text::Diagnostics sink;
    const int rank = static_cast<int>(shape.size());
    const Tensor tensor = Tensor::create(type, std::move(shape), Format::dense(rank), Value::of(type, value)).value();
    if (!save(tensor, folder / "x.pgm", {}, sink)) return first_error(sink);
    std::ifstream stream(folder / "x.pgm", std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(stream), {});
  };
  CHECK(saved(ScalarType::u8, {1, 3}, 65) == "P5\n3 1\n255\nAAA");
  CHECK(saved(ScalarType::i16, {1, 1}, 0x4142) == "P5\n1 1\n65535\nAB");
  CHECK(saved(ScalarType::boolean, {2, 1}, 1) == "P5\n1 2\n1\n\x01\x01");
  CHECK(saved(ScalarType::i32, {1, 1}, -1) ==
        "E0413 element (0,0), -1, is outside 0..65535, which is what a .pgm file holds; save to .tns or .npy instead");
  CHECK(saved(ScalarType::u8, {3}, 0).starts_with("E0413"));
  CHECK(saved(ScalarType::f64, {1, 1}, 0).starts_with("E0413"));
  text::Diagnostics sink;
  const Tensor letters = Tensor::create(ScalarType::u8, {3}, Format::dense(1), Value::of(ScalarType::u8, 65)).value();
  CHECK_FALSE(save(letters, folder / "x.fa", {}, sink));
  CHECK(first_error(sink).starts_with("E0401 FASTA and idx files are only read"));
}

TEST_CASE("a record is chosen of files that have records only") {
  const trellis::testing::Folder folder;
  text::Diagnostics sink;
  const FileRequest request{folder.file("a.tns", "1 1\n"), {}, limit, RecordChoice{}};
  CHECK_FALSE(read_contents(request, sink));
  CHECK(first_error(sink).starts_with("E0421"));
}
