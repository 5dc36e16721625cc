// Global alignment of two sequences, the whole table, beside the same loops by hand and parasail's scalar code.
#include <cstring>
#include <random>

#include "engine/tensor/load.hpp"
#include "tests/bench/contest.hpp"
#include "tests/bench/dense_bench.hpp"
#include "tests/bench/peers.hpp"

namespace trellis::bench {
namespace {

std::size_t length() { return static_cast<std::size_t>(sized(1500, 100)); }

std::string alignment_program(const std::string& schedule) {
  return "param gap = -2\ntensor a(n): u8\ntensor b(m): u8\ntensor S(4, 4): i32\ntensor H(n+1, m+1): i32\n"
         "H(i,0) = gap*i\nH(0,j) = gap*j : 1 <= j\n"
         "H(i,j) = max(H(i-1,j-1) + S(a(i-1), b(j-1)), H(i-1,j) + gap, H(i,j-1) + gap) : 1 <= i, 1 <= j\n" +
         schedule + "\n";
}

emit::Module alignment_in_c() {
  using Kind = emit::Argument::Kind;
  using format::ScalarType;
  return by_hand(
      "static void hand(long n, long m, const unsigned char *restrict a, const unsigned char *restrict b,\n"
      "                 const int *restrict S, int *restrict H) {\n"
      "  const int gap = -2;\n"
      "  for (long j = 0; j <= m; j++) H[j] = gap * (int)j;\n"
      "  for (long i = 1; i <= n; i++) {\n"
      "    H[i * (m + 1)] = gap * (int)i;\n"
      "    for (long j = 1; j <= m; j++) {\n"
      "      const int both = H[(i - 1) * (m + 1) + j - 1] + S[a[i - 1] * 4 + b[j - 1]];\n"
      "      const int up = H[(i - 1) * (m + 1) + j] + gap, left = H[i * (m + 1) + j - 1] + gap;\n"
      "      const int best = both > up ? both : up;\n"
      "      H[i * (m + 1) + j] = best > left ? best : left;\n    }\n  }\n}\n",
      "hand",
      {{Kind::size, "n", ScalarType::i64, false},
       {Kind::size, "m", ScalarType::i64, false},
       {Kind::array, "a", ScalarType::u8, false},
       {Kind::array, "b", ScalarType::u8, false},
       {Kind::array, "S", ScalarType::i32, false},
       {Kind::array, "H", ScalarType::i32, true}});
}

std::string random_letters(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::string letters;
  while (letters.size() < length()) letters += "ACGT"[random() % 4];
  return letters;
}

/// The first `length()` letters of a sequence's file; empty when it cannot be read.
std::string letters_of(const std::string& path) {
  text::Diagnostics diagnostics;
  const auto contents = tensor::read_contents({path, {}, std::size_t{1} << 24}, diagnostics);
  const auto* array = contents ? std::get_if<tensor::ArrayContents>(&contents->is) : nullptr;
  const tensor::Tensor* letters = array ? &array->tensor : nullptr;
  std::string result;
  for (std::int64_t i = 0; letters && i < letters->count() && result.size() < length(); ++i)
    result += static_cast<char>(letters->get_flat(i).as_integer());
  return result.find_first_not_of("ACGT") == std::string::npos ? result : "";
}

template <class T>
tensor::Tensor tensor_of(format::ScalarType type, tensor::Index shape, const std::vector<T>& values) {
  const int rank = static_cast<int>(shape.size());
  auto result =
      *tensor::Tensor::create(type, std::move(shape), format::Format::dense(rank), format::Value::of(type, 0));
  if (!values.empty()) std::memcpy(result.data(), values.data(), values.size() * sizeof(T));
  return result;
}

run::Bindings data_of(const std::string& a, const std::string& b) {
  auto codes = [](const std::string& letters) {
    std::vector<std::uint8_t> result;
    for (const char letter : letters) result.push_back(static_cast<std::uint8_t>(std::string("ACGT").find(letter)));
    return tensor_of(format::ScalarType::u8, {static_cast<std::int64_t>(letters.size())}, result);
  };
  std::vector<std::int32_t> scores;
  for (int i = 0; i < 16; ++i) scores.push_back(i / 4 == i % 4 ? 3 : -1);
  const auto n = static_cast<std::int64_t>(a.size()), m = static_cast<std::int64_t>(b.size());
  run::Bindings data;
  data.sizes = {{"n", n}, {"m", m}, {"gap", -2}};
  data.arrays = {{"a", codes(a)},
                 {"b", codes(b)},
                 {"S", tensor_of(format::ScalarType::i32, {4, 4}, scores)},
                 {"H", tensor_of<std::int32_t>(format::ScalarType::i32, {n + 1, m + 1}, {})}};
  return data;
}

/// The result must not be dropped by the compiler.
std::optional<Measured> aligned(const std::optional<std::function<int(const std::string&, const std::string&)>>& align,
                                const std::string& a, const std::string& b) {
  if (!align) return std::nullopt;
  return called([] {},
                [align = *align, a, b] {
                  volatile int score = align(a, b);
                  static_cast<void>(score);
                });
}

}  // namespace

void alignments(std::vector<std::optional<Row>>& rows, const Options& options) {
  std::string a = letters_of(options.data + "/seq/ecoli_16S.fa"),
              b = letters_of(options.data + "/seq/bsubtilis_16S.fa");
  const bool real = !a.empty() && !b.empty();
  if (!real) a = random_letters(1), b = random_letters(2);
  const run::Bindings data = data_of(a, b);
  const std::string name = std::string("Needleman-Wunsch, two ") + (real ? "16S genes" : "random sequences") + " of " +
                           std::to_string(length());
  const Entrant mine{"", native(module_of(alignment_program("order i j")), data)};
  rows.push_back(contest(name, mine, {"by hand", native(alignment_in_c(), data)}, 15, 0.95));
  rows.push_back(contest(name, mine, {"parasail nw (score only)", aligned(parasail_score(), a, b)}, 15, 1));
  rows.push_back(contest(name, mine, {"parasail nw_table", aligned(parasail_table(), a, b)}, 15, 1.7));
  const Entrant skewed{"", native(module_of(alignment_program("order i j\nskew i j\nreorder j i\nvectorize i")), data)};
  rows.push_back(contest(name + ", skewed, vectorised", skewed,
                         {"parasail nw (score only)", aligned(parasail_score(), a, b)}, 9, 0));
}

}  // namespace trellis::bench
