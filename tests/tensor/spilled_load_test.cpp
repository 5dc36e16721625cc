// Entries of files that are too large for memory (tensor/column.hpp, bring_together.hpp), and that several threads
// read.
#include <doctest/doctest.h>
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <random>

#include "engine/tensor/bring_together.hpp"
#include "engine/tensor/load.hpp"
#include "engine/tensor/npy.hpp"
#include "engine/tensor/verify.hpp"
#include "tests/folder.hpp"
#include "tests/mutate/files.hpp"
#include "tests/tensor/sparse_formats.hpp"
#include "tests/tensor/spilling.hpp"

namespace trellis::testing {
namespace {

using tensor::FileRequest;
using tensor::Tensor;

constexpr std::size_t little = 100'000, plenty = std::size_t{1} << 30;

struct LoadedEntries {
  std::optional<Tensor> tensor;
  std::string trouble;  ///< the first one's code and message
};

struct EntryFile {
  std::string file;
  format::ScalarType type = format::ScalarType::f64;
  tensor::Index shape;
};

LoadedEntries load_entries(const EntryFile& one, const format::Format& format, std::size_t most, int threads) {
  text::Diagnostics sink;
  const auto trouble = [&] { return sink.all().at(0).code + " " + sink.all().at(0).message; };
  auto contents = tensor::read_contents(FileRequest{one.file, {}, plenty, std::nullopt, {}, threads, most}, sink);
  if (!contents) return {std::nullopt, trouble()};
  auto made = Tensor::create(one.type, one.shape, format, format::Value::of_integer(one.type, 0));
  REQUIRE(made);
  if (!tensor::load_into(*made, std::move(*contents), {}, sink)) return {std::nullopt, trouble()};
  return {std::move(made), ""};
}

bool same_bytes(const Tensor& a, const Tensor& b, int level, format::Array which) {
  const std::size_t bytes = a.array_bytes(level, which);
  return bytes == b.array_bytes(level, which) &&
         (bytes == 0 || std::memcmp(a.array(level, which), b.array(level, which), bytes) == 0);
}

bool same_arrays(const Tensor& a, const Tensor& b) {
  bool same = a.entries() == b.entries() && (a.format().pattern || same_bytes(a, b, -1, format::Array::values));
  for (int l = 0; l < a.levels(); ++l)
    for (const format::Array which : format::level_arrays)
      same = same && (!a.array(l, which) == !b.array(l, which)) && (!a.array(l, which) || same_bytes(a, b, l, which));
  return same;
}

/// So many lines "7 3 -1.25", in no order, some places twice, of a matrix or, with `depth`, of a tensor; a triangle of
/// a symmetric one.
std::string lines_of_entries(int count, int size, const char* value, bool triangle = false, int depth = 0) {
  std::mt19937_64 random(static_cast<std::uint64_t>(count + depth));
  std::string text;
  const auto below = [&](int end) { return static_cast<int>(random() % static_cast<std::uint64_t>(end)) + 1; };
  for (int k = 0; k < count; ++k) {
    int i = below(size), j = below(size);
    if (triangle && i <= j) std::swap(i, j), i = std::min(size, i + (i == j));
    if (triangle && i == j) --j;
    text += std::to_string(i) + " " + std::to_string(j);
    if (depth > 0) text += " " + std::to_string(below(depth));
    if (std::strcmp(value, "real") == 0) text += " " + std::to_string(below(2000) - 1000) + ".3";
    if (std::strcmp(value, "integer") == 0) text += " " + std::to_string(below(2000) - 1000);
    text += k % 1000 == 0 ? "\n% a comment\n\n" : "\n";
  }
  return text;
}

std::string market_file(const std::string& words, int count, int size, const char* value, bool triangle = false) {
  return "%%MatrixMarket matrix coordinate " + words + "\n" + std::to_string(size) + " " + std::to_string(size) + " " +
         std::to_string(count) + "\n" + lines_of_entries(count, size, value, triangle);
}

std::string with_hashes(std::string text) {
  for (char& c : text)
    if (c == '%') c = '#';
  return text;
}

TEST_CASE("entries that lie in files are stored as those in memory, in every format") {
  using format::ScalarType;
  using tensor::testing::levels;
  const Folder folder, spilled;
  const int many = 30'000, size = 900;
  const std::vector<EntryFile> matrices = {
      {folder.file("real.mtx", market_file("real general", many, size, "real")), ScalarType::f64, {size, size}},
      {folder.file("single.mtx", market_file("real general", many, size, "real")), ScalarType::f32, {size, size}},
      {folder.file("lower.mtx", market_file("real symmetric", many, size, "real", true)),
       ScalarType::f64,
       {size, size}},
      {folder.file("skew.mtx", market_file("integer skew-symmetric", many, size, "integer", true)),
       ScalarType::i64,
       {size, size}},
      {folder.file("true.mtx", market_file("pattern general", many, size, "")), ScalarType::boolean, {size, size}},
      {folder.file("count.mtx", market_file("pattern general", many, size, "")), ScalarType::i32, {size, size}},
      {folder.file("zeros.mtx", market_file("integer general", many, size, "integer")),
       ScalarType::boolean,
       {size, size}},
      {folder.file("two.tns", with_hashes(lines_of_entries(many, size, "integer") + "900 900 0.5\n")),
       ScalarType::f64,
       {size, size}}};
  const std::vector<format::Format> formats = {format::Format::dense(2),
                                               levels({"dense", "compressed"}, {}),
                                               levels({"dense", "compressed"}, {1, 0}),
                                               levels({"compressed", "compressed"}, {}),
                                               levels({"compressed(nonunique)", "singleton"}, {}),
                                               levels({"dense", "hashed"}, {}),
                                               levels({"dense", "bytemap"}, {}),
                                               levels({"compressed", "dense"}, {1, 0}),
                                               levels({"dense", "vbl"}, {}),
                                               levels({"dense", "sparse_rle"}, {}),
                                               levels({"dense", "compressed(decreasing)"}, {})};
  const auto agree = [&](const EntryFile& one, const format::Format& format) {
    CAPTURE(one.file);
    CAPTURE(format::to_string(format));
    const LoadedEntries plain = load_entries(one, format, plenty, 1), threads = load_entries(one, format, plenty, 3);
    REQUIRE_MESSAGE(plain.tensor, plain.trouble);
    REQUIRE_MESSAGE(threads.tensor, threads.trouble);
    CHECK(same_arrays(*plain.tensor, *threads.tensor));
    const Spilling spilling(spilled, little);
    const LoadedEntries files = load_entries(one, format, little, 2);
    REQUIRE_MESSAGE(files.tensor, files.trouble);
    CHECK(same_arrays(*plain.tensor, *files.tensor));
    CHECK(tensor::verify(*files.tensor).empty());
    if (one.type == ScalarType::f64) CHECK(files.tensor->array_place(-1, format::Array::values));
  };
  for (const EntryFile& one : matrices)
    for (const format::Format& format : formats) agree(one, format);
  const EntryFile cube{folder.file("cube.tns", with_hashes(lines_of_entries(many, 300, "real", false, 7))),
                       ScalarType::f64,
                       {300, 300, 7}};
  for (const auto& format :
       {levels({"compressed", "compressed", "compressed"}, {}),
        levels({"compressed(nonunique)", "singleton(nonunique)", "singleton"}, {}),
        levels({"dense", "compressed", "compressed"}, {2, 0, 1}), levels({"compressed", "hashed", "dense"}, {1, 0, 2})})
    agree(cube, format);
  CHECK(spilled.count() == 0);
}

TEST_CASE("whatever is wrong in a file is said alike, whoever reads it") {
  const Folder folder;
  const format::Format csr = tensor::testing::levels({"dense", "compressed"}, {});
  const auto alike = [&](const std::string& name, const std::string& text, const std::string& code) {
    const EntryFile one{folder.file(name, text), format::ScalarType::f64, {900, 900}};
    const LoadedEntries alone = load_entries(one, csr, plenty, 1), threads = load_entries(one, csr, plenty, 4);
    CHECK_MESSAGE(alone.trouble.starts_with(code), alone.trouble);
    CHECK(alone.trouble == threads.trouble);
  };
  const std::string whole = market_file("real general", 30'000, 900, "real");
  const auto with = [&](std::size_t at, const std::string& line) {
    std::string text = whole;
    text.insert(text.find('\n', at) + 1, line + "\n");
    return text;
  };
  for (const std::size_t at : {std::size_t{60}, whole.size() / 3, whole.size() / 2, whole.size() - 40}) {
    alike("a.mtx", with(at, "1 x 3"), "E0405 \"");
    alike("a.mtx", with(at, "901 1 3"), "E0406 \"");
    alike("a.mtx", with(at, "1 1 3"), "E0407 \"");
    alike("a.tns", with_hashes(with(at, "1 1 1 3").substr(whole.find('\n', 50) + 1)), "E0405 \"");
  }
  alike("b.mtx", market_file("real general", 30'000, 900, "real") + "\n\n% no more\n1 1 1", "E0407");
  alike("c.mtx", whole.substr(0, whole.size() / 2), "E040");
  const std::string lower = market_file("real symmetric", 30'000, 900, "real", true);
  std::string both = lower;
  both.replace(both.find('\n', both.size() / 2) + 1, 0, "1 7 3\n");
  alike("d.mtx", both, "E0406 \"");
  std::string signs = market_file("integer general", 30'000, 900, "integer");
  signs.replace(signs.find('\n', signs.size() / 2) + 1, 0, "1 7 18446744073709551615\n");
  alike("e.mtx", signs, "E0405 \"");
}

TEST_CASE("gzip'ed entries are read as a stream, and damage is found where it is") {
  const Folder folder, spilled;
  const format::Format csr = tensor::testing::levels({"dense", "compressed"}, {});
  const std::string text = market_file("real general", 30'000, 900, "real"), packed = mutate::gzipped(text);
  const EntryFile plain{folder.file("a.mtx", text), format::ScalarType::f64, {900, 900}};
  const EntryFile zipped{folder.file("a.mtx.gz", packed), format::ScalarType::f64, {900, 900}};
  const LoadedEntries whole = load_entries(plain, csr, plenty, 1);
  const Spilling spilling(spilled, little);
  const LoadedEntries stream = load_entries(zipped, csr, little, 2);
  REQUIRE_MESSAGE(stream.tensor, stream.trouble);
  CHECK(same_arrays(*whole.tensor, *stream.tensor));
  const EntryFile half{
      folder.file("b.mtx.gz", packed.substr(0, packed.size() / 2)), format::ScalarType::f64, {900, 900}};
  CHECK(load_entries(half, csr, little, 2).trouble.starts_with("E0402"));
}

TEST_CASE("a gzip'ed array file that memory cannot hold is unpacked into files") {
  const Folder folder, spilled;
  std::string numbers = tensor::npy_header(format::ScalarType::f64, {200, 150}, false);
  numbers.resize(numbers.size() + 200 * 150 * sizeof(double), '\1');
  const EntryFile one{folder.file("x.npy.gz", mutate::gzipped(numbers)), format::ScalarType::f64, {200, 150}};
  const LoadedEntries plain = load_entries(one, format::Format::dense(2), plenty, 1);
  const Spilling spilling(spilled, little);
  const LoadedEntries files = load_entries(one, format::Format::dense(2), little, 1);
  REQUIRE_MESSAGE(files.tensor, files.trouble);
  CHECK(same_arrays(*plain.tensor, *files.tensor));
  CHECK(files.tensor->array_place(-1, format::Array::values));
}

TEST_CASE("how far a large file is read is told") {
  const Folder folder;
  std::string text = "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 1\n";
  for (int line = 0; line < 10'000; ++line) text += "%" + std::string(1000, ' ') + "\n";
  std::vector<std::int64_t> so_far;
  text::Diagnostics sink;
  FileRequest request{folder.file("a.mtx", text), {}, plenty};
  request.told = [&](std::int64_t read, std::int64_t all) {
    so_far.push_back(read);
    CHECK(all == 9);
  };
  CHECK(tensor::read_contents(request, sink));
  REQUIRE(so_far.size() > 5);
  CHECK(so_far.front() == 0);
  CHECK(so_far.back() == 9);
  CHECK(std::ranges::is_sorted(so_far));
}

TEST_CASE("a disk that is full is an error, and the tensor keeps what it had") {
  const Folder folder, spilled;
  const EntryFile one{
      folder.file("a.mtx", market_file("real general", 30'000, 900, "real")), format::ScalarType::f64, {900, 900}};
  const format::Format csr = tensor::testing::levels({"dense", "compressed"}, {});
  const Spilling spilling(spilled, little);
  struct rlimit before;
  REQUIRE(getrlimit(RLIMIT_FSIZE, &before) == 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  for (const rlim_t most : {100'000, 300'000, 450'000}) {
    const struct rlimit less { most, before.rlim_max };
    REQUIRE(setrlimit(RLIMIT_FSIZE, &less) == 0);
    const LoadedEntries refused = load_entries(one, csr, little, 2);
    CHECK_MESSAGE(refused.trouble.starts_with("E0411"), refused.trouble);
    CHECK(refused.trouble.find("the folder of --spill has ") != std::string::npos);
  }
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  CHECK(load_entries(one, csr, little, 2).tensor);
}

TEST_CASE("entries of a part stay in the order of the file") {
  const Folder folder;
  const Spilling spilling(folder, little);
  tensor::Coordinates c;
  c.shape = {64, 3};
  c.count = 20'000;
  std::mt19937_64 random(1);
  for (std::size_t e = 0; e < c.count; ++e) {
    c.indices.push_back(static_cast<std::int64_t>(random() % 64));
    c.indices.push_back(static_cast<std::int64_t>(random() % 3));
    c.reals.push_back(static_cast<double>(e));
  }
  const tensor::Coordinates before = c;
  CHECK_FALSE(tensor::bring_together(c, {0, 1}, [] { return true; }));
  CHECK(std::ranges::equal(c.reals, before.reals));
  CHECK(tensor::bring_together(c, {0, 1}));
  std::vector<double> last(64 * 3, -1);
  std::size_t falls = 0;
  for (std::size_t e = 0; e < c.count; ++e) {
    const auto i = static_cast<std::size_t>(3 * c.index(e)[0] + c.index(e)[1]);
    const auto from = static_cast<std::size_t>(c.reals[e]);
    CHECK(std::ranges::equal(c.index(e), before.index(from)));
    falls += c.reals[e] < last[i];
    last[i] = c.reals[e];
  }
  CHECK(falls == 0);
  CHECK(!std::ranges::equal(c.reals, before.reals));
}

}  // namespace
}  // namespace trellis::testing
