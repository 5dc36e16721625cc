// Scores of alignments from their equations, in memory for a few diagonals and in 16 bits, beside parasail's striped
// vectors of 16 bits, and of 32 where scores are larger; and all of the table, beside parasail's.
#include <random>

#include "tests/bench/contest.hpp"
#include "tests/bench/dense_bench.hpp"
#include "tests/bench/peers.hpp"

namespace trellis::bench {
namespace {

const std::string bases = "ACGT";

const char* const match = "H[i-1](j-1) + (a(i-1) == b(j-1) ? 3 : -1)";

std::string narrowed_program(const std::string& equations, const std::string& narrowed) {
  return "tensor a(n): u8\ntensor b(m): u8\ntensor H(m+1): i32\ntensor E(m+1): i32\ntensor F(m+1): i32\n"
         "tensor best: i32\nlayout fronts: (i, j) -> (i+j, j) {dense, dense}\ntensor T(n+1, m+1): fronts i32\n" +
         equations + "wavefront i j\norder i j\nvectorize j\nnarrow " + narrowed + " i16\n";
}

std::string global() {
  return "H[0](j) = -2*j\nH[i](0) = -2*i : 1 <= i <= n\nH[i](j) = max(" + std::string(match) +
         ", H[i-1](j) - 2, H[i](j-1) - 2) : 1 <= i <= n, 1 <= j\n";
}

std::string local() {
  return "H[0](j) = 0\nH[i](0) = 0 : 1 <= i <= n\nH[i](j) = max(0, " + std::string(match) +
         ", H[i-1](j) - 2, H[i](j-1) - 2) : 1 <= i <= n, 1 <= j\nbest = max(i,j)(H[i](j)) : 0 <= i <= n\n";
}

std::string affine() {
  return "H[0](j) = j == 0 ? 0 : -3 - j\nH[i](0) = -3 - i : 1 <= i <= n\nE[0](j) = -8000 - j\nF[0](j) = -8000 - j\n"
         "E[i](0) = -8000 - i : 1 <= i <= n\nF[i](0) = -8000 - i : 1 <= i <= n\n"
         "E[i](j) = max(E[i](j-1) - 1, H[i](j-1) - 4) : 1 <= i <= n, 1 <= j\n"
         "F[i](j) = max(F[i-1](j) - 1, H[i-1](j) - 4) : 1 <= i <= n, 1 <= j\n"
         "H[i](j) = max(" +
         std::string(match) + ", E[i](j), F[i](j)) : 1 <= i <= n, 1 <= j\n";
}

run::Bindings data_of(const std::string& program, const std::string& a, const std::string& b) {
  run::Bindings data;
  const auto codes = [](const std::string& sequence) {
    const auto count = static_cast<std::int64_t>(sequence.size());
    auto result = *tensor::Tensor::create(format::ScalarType::u8, {count}, format::Format::dense(1),
                                          format::Value::of(format::ScalarType::u8, 0));
    for (std::int64_t i = 0; i < count; ++i)
      static_cast<std::uint8_t*>(result.data())[i] =
          static_cast<std::uint8_t>(bases.find(sequence[static_cast<std::size_t>(i)]));
    return result;
  };
  data.sizes = {{"n", static_cast<std::int64_t>(a.size())}, {"m", static_cast<std::int64_t>(b.size())}};
  data.arrays = {{"a", codes(a)}, {"b", codes(b)}};
  return with_tensors(program, std::move(data));
}

using AlignmentPeer = std::optional<std::function<int(const std::string&, const std::string&)>>;

std::optional<Measured> measured_peer(const AlignmentPeer& peer, const std::string& a, const std::string& b) {
  if (!peer) return std::nullopt;
  return called([] {},
                [peer = *peer, a, b] {
                  volatile int score = peer(a, b);
                  static_cast<void>(score);
                });
}

}  // namespace

void narrow_alignments(std::vector<std::optional<Row>>& rows) {
  std::mt19937_64 random(1);
  const auto letters_of = [&](std::int64_t count) {
    std::string all;
    for (std::int64_t i = 0; i < count; ++i) all += bases[random() % 4];
    return all;
  };
  const std::string a = letters_of(sized(9860, 100)), b = letters_of(sized(9860, 100));
  const std::string longer = letters_of(sized(40000, 110)), other = letters_of(sized(40000, 110));
  const auto row = [&](const std::string& name, const std::string& text, const AlignmentPeer& peer,
                       const std::string& peers_name, double wanted, const std::string& x, const std::string& y,
                       int rounds) {
    const Entrant ours{"", native(module_of(text), data_of(text, x, y))};
    rows.push_back(contest(name + ", " + std::to_string(x.size()) + " letters each", ours,
                           {peers_name, measured_peer(peer, x, y), false}, rounds, wanted));
  };
  const auto narrow = Width::bits16, wide = Width::bits32;
  row("Needleman-Wunsch, score", narrowed_program(global(), "H"), parasail_striped(false, 2, 2, narrow),
      "parasail nw_striped_16", 1, a, b, 9);
  row("Smith-Waterman, score", narrowed_program(local(), "H"), parasail_striped(true, 2, 2, narrow),
      "parasail sw_striped_16", 1, a, b, 9);
  row("Gotoh, score", narrowed_program(affine(), "H E F"), parasail_striped(false, 4, 1, narrow),
      "parasail nw_striped_16, affine", 0.9, a, b, 9);
  row("Needleman-Wunsch, table", narrowed_program(global() + "T(i,j) = H[i](j)\n", "H"), parasail_table(),
      "parasail nw_table", 3, a, b, 9);
  // Scores that 16 bits do not hold: each strip of columns has a base of its own.
  row("Needleman-Wunsch, score", narrowed_program(global(), "H"), parasail_striped(false, 2, 2, wide),
      "parasail nw_striped_32", 1.5, longer, other, 3);
  row("Gotoh, score", narrowed_program(affine(), "H E F"), parasail_striped(false, 4, 1, wide),
      "parasail nw_striped_32, affine", 1.3, longer, other, 3);
}

}  // namespace trellis::bench
