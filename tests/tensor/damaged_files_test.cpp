// Readers face whatever lies on a disk: every damaged file gives a result or one diagnostic that names the file, a failure
// leaves the tensor as it was, and the sanitizers agree.

#include <doctest/doctest.h>
#include <zlib.h>

#include <cstring>
#include <random>

#include "engine/tensor/allocate.hpp"
#include "engine/tensor/load.hpp"
#include "engine/tensor/npy.hpp"
#include "tests/folder.hpp"
#include "tests/tensor/elements.hpp"

using namespace trellis;
using namespace trellis::tensor;
using namespace trellis::tensor::testing;

namespace {

constexpr int damages = 1000;

struct Sample {
  const char* name;
  std::string content;
  format::ScalarType type;  ///< of the tensor that it is loaded into
  Index shape;
};

std::string mtx(const std::string& rest) { return "%%MatrixMarket matrix " + rest; }

std::string big_endian(std::initializer_list<unsigned char> bytes) { return {bytes.begin(), bytes.end()}; }

std::vector<Sample> samples() {
  using enum format::ScalarType;
  return {
      {"general.mtx", mtx("coordinate real general\n% comment\n3 3 3\n1 1 1.5\n3 2 -2\n3 3 1e3\n"), f64, {3, 3}},
      {"skew.mtx", mtx("coordinate integer skew-symmetric\n3 3 2\n2 1 -4\n3 1 7\n"), i16, {3, 3}},
      {"array.mtx", mtx("array real symmetric\n2 2\n1\n2\n3\n"), f32, {2, 2}},
      {"pattern.mtx", mtx("coordinate pattern symmetric\n2 2 2\n1 1\n2 1\n"), boolean, {2, 2}},
      {"t.tns", "# comment\n1 2 3 5\n4 5 6 -7\n1 1 1 1\n", i64, {4, 5, 6}},
      {"i16.npy", npy_header(i16, {2, 2}, false) + "abcdefgh", i16, {2, 2}},
      {"f64.npy", npy_header(f64, {2, 1}, true) + "abcdefghijklmnop", f64, {2, 1}},
      {"a.fa", "; comment\n>one first\nACGT\nAC-*\n>two\nTTTT\n", u8, {8}},
      {"text.pgm", "P2\n# comment\n3 2 # and another\n15\n1 2 3\n4 5 15\n", u8, {2, 3}},
      {"bytes.pgm", "P5\n3 2\n255\nabcdef", u8, {2, 3}},
      {"words.pgm", "P5\n2 1 65535\nabcd", i32, {1, 2}},
      {"x-idx2-ubyte", big_endian({0, 0, 8, 2, 0, 0, 0, 2, 0, 0, 0, 3, 1, 2, 3, 4, 5, 6}), u8, {2, 3}},
      {"y.idx", big_endian({0, 0, 0x0D, 1, 0, 0, 0, 1, 0x3F, 0x80, 0, 0}), f32, {1}},
  };
}

std::string gzip(const std::string& content) {
  const trellis::testing::Folder folder;
  gzFile file = gzopen((folder / "z").c_str(), "wb");
  gzwrite(file, content.data(), static_cast<unsigned>(content.size()));
  gzclose(file);
  std::ifstream stream(folder / "z", std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::pair<std::size_t, std::size_t> random_line(const std::string& content, std::mt19937& random) {
  const std::size_t at = random() % content.size();
  const std::size_t before = content.rfind('\n', at == 0 ? 0 : at - 1);
  const std::size_t begin = before == std::string::npos ? 0 : before + 1;
  return {begin, content.find('\n', begin) == std::string::npos ? content.size() : content.find('\n', begin) + 1};
}

void replace_number(std::string& content, std::mt19937& random) {
  static const char* const numbers[] = {"99999999999999999999999", "9223372036854775807", "18446744073709551615", "-1", "0", "1e999", "4294967296"};
  const std::size_t begin = content.find_first_of("0123456789", random() % content.size());
  if (begin == std::string::npos) return;
  const std::size_t end = content.find_first_not_of("0123456789", begin);
  content.replace(begin, end == std::string::npos ? end : end - begin, numbers[random() % std::size(numbers)]);
}

void replace_word(std::string& content, std::mt19937& random) {
  static const char* const words[] = {"coordinate", "array", "real", "integer", "pattern", "complex", "general", "symmetric", "skew-symmetric",
                                      "hermitian", "P2", "P5", "P6", "<f8", "<i2", "|b1", ">u8", "True", "False", "(2, 2)", "()", "(9, 9, 9)"};
  const char* const from = words[random() % std::size(words)];
  const std::size_t at = content.find(from);
  if (at != std::string::npos) content.replace(at, std::strlen(from), words[random() % std::size(words)]);
}

std::string damage(std::string content, std::mt19937& random) {
  constexpr std::string_view likely = "0123456789-+.eE \n%#>;',()\0\xff";
  for (auto changes = 1 + random() % 3; changes > 0 && !content.empty(); --changes) {
    const std::size_t at = random() % content.size(), length = random() % 12;
    const auto [begin, end] = random_line(content, random);
    switch (random() % 10) {
      case 0: content[at] = static_cast<char>(content[at] ^ 1 << random() % 8); break;
      case 1: content[at] = likely[random() % likely.size()]; break;
      case 2: content.erase(at, length); break;
      case 3: content.insert(at, content.substr(at, length)); break;
      case 4: content.resize(at); break;
      case 5: content.erase(begin, end - begin); break;
      case 6: content.insert(begin, content.substr(begin, end - begin)); break;
      case 7: content.insert(begin, "1 1 1 1\n"); break;
      case 8: replace_number(content, random); break;
      default: replace_word(content, random); break;
    }
  }
  return content;
}

std::string bytes_of(const Tensor& tensor) {
  return {static_cast<const char*>(tensor.data()), static_cast<std::size_t>(tensor.count()) * format::size_of(tensor.type())};
}

/// A new file each time: some file systems write to the disk at once what replaces older contents.
std::string fresh_file(const trellis::testing::Folder& folder, const std::string& name, const std::string& content) {
  std::filesystem::remove(folder / name);
  return folder.file(name, content);
}

/// Loads the file into a tensor of ones. Returns whether it was accepted.
bool load_or_leave(const std::string& path, const Sample& sample) {
  text::Diagnostics sink;
  const int rank = static_cast<int>(sample.shape.size());
  Tensor tensor = Tensor::create(sample.type, sample.shape, format::Format::dense(rank), format::Value::of(sample.type, 1)).value();
  const std::string before = bytes_of(tensor);
  auto contents = read_contents({path, {}, limit}, sink);
  const bool accepted = contents && load_into(tensor, std::move(*contents), {}, sink);
  CHECK(accepted == sink.empty());
  CHECK(sink.all().size() <= 1);
  if (!contents) CHECK(sink.all().at(0).message.find(std::filesystem::path(path).filename().string()) != std::string::npos);
  if (!accepted) CHECK(bytes_of(tensor) == before);
  return accepted;
}

}  // namespace

TEST_CASE("the sound files are accepted") {
  const trellis::testing::Folder folder;
  for (const Sample& sample : samples()) {
    CAPTURE(sample.name);
    CHECK(load_or_leave(folder.file(sample.name, sample.content), sample));
    CHECK(load_or_leave(folder.file(sample.name + std::string(".gz"), gzip(sample.content)), sample));
  }
}

TEST_CASE("damaged files of every kind") {
  const trellis::testing::Folder folder;
  for (const Sample& sample : samples()) {
    CAPTURE(sample.name);
    std::mt19937 random(1);
    int refused = 0;
    for (int round = 0; round < damages; ++round)
      refused += !load_or_leave(fresh_file(folder, sample.name, damage(sample.content, random)), sample);
    CHECK(refused > damages / 20);
    CHECK(refused < damages);
  }
}

TEST_CASE("damaged gzip data") {
  const trellis::testing::Folder folder;
  const Sample sample = samples()[0];
  const std::string whole = gzip(sample.content);
  std::mt19937 random(2);
  int refused = 0;
  for (int round = 0; round < damages; ++round) refused += !load_or_leave(fresh_file(folder, "a.mtx.gz", damage(whole, random)), sample);
  CHECK(refused > damages * 9 / 10);
}

TEST_CASE("a small file that unpacks to much more than the limit is refused") {
  const trellis::testing::Folder folder;
  const Sample sample = samples()[0];
  CHECK_FALSE(load_or_leave(folder.file("a.mtx.gz", gzip(sample.content + std::string(1 << 24, '\n'))), sample));
}
