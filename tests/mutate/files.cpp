#include "tests/mutate/files.hpp"

#include <zlib.h>

#include <cstring>

#include "engine/tensor/allocate.hpp"
#include "engine/tensor/load.hpp"
#include "engine/tensor/npy.hpp"
#include "engine/tensor/verify.hpp"
#include "tests/folder.hpp"

namespace trellis::mutate {
namespace {

using tensor::Tensor;

/// How many bytes a file of these tests may need.
constexpr std::size_t most_bytes = 1 << 20;

std::string mtx(const std::string& rest) { return "%%MatrixMarket matrix " + rest; }

std::string bytes(std::initializer_list<unsigned char> all) { return {all.begin(), all.end()}; }

/// Where a line begins and ends.
std::pair<std::size_t, std::size_t> random_line(const std::string& content, std::mt19937_64& random) {
  const std::size_t at = random() % content.size();
  const std::size_t before = content.rfind('\n', at == 0 ? 0 : at - 1);
  const std::size_t begin = before == std::string::npos ? 0 : before + 1;
  const std::size_t newline = content.find('\n', begin);
  return {begin, newline == std::string::npos ? content.size() : newline + 1};
}

void replace_number(std::string& content, std::mt19937_64& random) {
  static const char* const numbers[] = {
      "99999999999999999999999", "9223372036854775807", "18446744073709551615", "-1", "0", "1e999", "4294967296"};
  const std::size_t begin = content.find_first_of("0123456789", random() % content.size());
  if (begin == std::string::npos) return;
  const std::size_t end = content.find_first_not_of("0123456789", begin);
  content.replace(begin, end == std::string::npos ? end : end - begin, numbers[random() % std::size(numbers)]);
}

void replace_word(std::string& content, std::mt19937_64& random) {
  static const char* const words[] = {
      "coordinate", "array",  "real", "integer",   "pattern", "complex", "general", "symmetric", "skew-symmetric",
      "hermitian",  "P2",     "P5",   "P6",        "<f8",     "<i2",     "|b1",     ">u8",       "True",
      "False",      "(2, 2)", "()",   "(9, 9, 9)", ",",       ";",       "\t",      "A",         "C"};
  const char* const from = words[random() % std::size(words)];
  const std::size_t at = content.find(from);
  if (at != std::string::npos) content.replace(at, std::strlen(from), words[random() % std::size(words)]);
}

void change(std::string& content, std::mt19937_64& random) {
  constexpr std::string_view likely = "0123456789-+.eE \n%#>;',()\0\xff";
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

/// In row-major order.
std::string elements_of(const Tensor& tensor) {
  std::string all;
  const auto add = [&](const tensor::Index& at) { all += format::to_string(tensor.get(at)) + " "; };
  tensor::for_each_index(tensor.shape(), add);
  return all;
}

std::vector<format::Format> formats_of(int rank) {
  std::vector<format::Format> all = {format::Format::dense(rank)};
  const auto add = [&](const char* name) {
    if (const auto format = format::Format::named(name, rank)) all.push_back(*format);
  };
  if (rank == 2) add("csr"), add("csc");
  if (rank == 3) add("csf");
  if (rank >= 2) add("coo");
  return all;
}

std::string objection_to(const Tensor& tensor, bool accepted, const std::string& before) {
  if (!accepted && elements_of(tensor) != before) return "the tensor is another one, though the file was refused";
  if (const std::string wrong = verify(tensor); !wrong.empty()) return "the tensor's arrays are unsound: " + wrong;
  return "";
}

std::string objection_to(const text::Diagnostics& sink, bool accepted, bool read, const std::string& name) {
  if (accepted != sink.empty()) return accepted ? "accepted with a diagnostic" : "refused without one";
  if (sink.all().size() > 1) return "refused more than once";
  const bool named = read || sink.all().at(0).message.find(name) != std::string::npos;
  return named ? "" : "the message does not name the file: " + sink.all().at(0).message;
}

}  // namespace

const std::vector<SoundFile>& sound_files() {
  using enum format::ScalarType;
  using tensor::npy_header;
  static const std::vector<SoundFile> all = {
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
      {"x-idx2-ubyte", bytes({0, 0, 8, 2, 0, 0, 0, 2, 0, 0, 0, 3, 1, 2, 3, 4, 5, 6}), u8, {2, 3}},
      {"y.idx", bytes({0, 0, 0x0D, 1, 0, 0, 0, 1, 0x3F, 0x80, 0, 0}), f32, {1}},
      {"named.csv", "# comment\nwidth,height\n1.5,-2\n3,4e2\n", f64, {2, 2}},
      {"semicolons.csv", "1;2;3\n4;5;6\n", i32, {2, 3}},
      {"t.tsv", "1\t2\t3\n", u8, {3}},
      {"letters.txt", "# comment\n   A  C\nA  5 -4\nC -4  5\n", i32, {128, 128}},
      {"t.dat", "  1 2\n 3   4\n# comment\n\n", f32, {2, 2}},
  };
  return all;
}

std::string gzipped(const std::string& content) {
  const trellis::testing::Folder folder;
  gzFile file = gzopen((folder / "z").c_str(), "wb");
  gzwrite(file, content.data(), static_cast<unsigned>(content.size()));
  gzclose(file);
  std::ifstream stream(folder / "z", std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::string damaged(std::string content, std::mt19937_64& random) {
  for (auto changes = 1 + random() % 3; changes > 0 && !content.empty(); --changes) change(content, random);
  return content;
}

Loading load(const SoundFile& into, const std::string& content, bool zipped) {
  static const trellis::testing::Folder folder;
  const std::string name = into.name + std::string(zipped ? ".gz" : "");
  // A new file each time: some file systems write to the disk at once what replaces older contents.
  std::filesystem::remove(folder / name);
  const std::string path = folder.file(name, content);
  Loading loading;
  for (const format::Format& format : formats_of(static_cast<int>(into.shape.size()))) {
    text::Diagnostics sink;
    Tensor tensor = Tensor::create(into.type, into.shape, format, format::Value::of(into.type, 1)).value();
    const std::string before = elements_of(tensor);
    auto contents = tensor::read_contents({path, {}, most_bytes}, sink);
    const bool read = contents.has_value();
    loading.accepted = read && tensor::load_into(tensor, std::move(*contents), {}, sink);
    loading.objection = objection_to(sink, loading.accepted, read, name);
    if (loading.objection.empty()) loading.objection = objection_to(tensor, loading.accepted, before);
    if (!loading.objection.empty()) return loading;
  }
  return loading;
}

}  // namespace trellis::mutate
