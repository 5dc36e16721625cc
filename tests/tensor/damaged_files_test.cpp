// Readers face whatever lies on a disk: every damaged file gives a result or a diagnostic, and the sanitizers agree.

#include <doctest/doctest.h>

#include <random>

#include "engine/tensor/matrix_market.hpp"
#include "engine/tensor/npy.hpp"
#include "engine/tensor/tns.hpp"

using namespace trellis;
using namespace trellis::tensor;

namespace {

/// One to four changes: a byte replaced, a stretch removed, or a stretch repeated.
std::string damage(std::string content, std::mt19937& random) {
  constexpr std::string_view likely = "0123456789-+.eE \n%#',()\0\xff";
  for (auto changes = 1 + random() % 4; changes > 0 && !content.empty(); --changes) {
    std::size_t at = random() % content.size(), length = random() % 12;
    switch (random() % 3) {
      case 0: content[at] = likely[random() % likely.size()]; break;
      case 1: content.erase(at, length); break;
      default: content.insert(at, content.substr(at, length)); break;
    }
  }
  return content;
}

template <class Read>
void survives(const std::string& content, Read read) {
  std::mt19937 random(1);
  FileRequest request{"f", {}, 1 << 16};
  int refused = 0;
  for (int round = 0; round < 3000; ++round) {
    text::Diagnostics sink;
    bool accepted = static_cast<bool>(read(damage(content, random), request, sink));
    CHECK(accepted == sink.empty());
    refused += !accepted;
  }
  CHECK(refused > 100);
}

}  // namespace

TEST_CASE("damaged Matrix Market files") {
  for (std::string banner : {"coordinate real general\n3 3 3\n1 1 1.5\n3 2 -2\n3 3 1e3\n", "coordinate integer skew-symmetric\n3 3 1\n3 1 7\n",
                             "array real symmetric\n2 2\n1\n2\n3\n", "coordinate pattern symmetric\n2 2 2\n1 1\n2 1\n"})
    survives("%%MatrixMarket matrix " + banner, parse_matrix_market);
}

TEST_CASE("damaged .tns files") { survives("# comment\n1 2 3 0.5\n4 5 6 -7\n1 1 1 1e-3\n", parse_tns); }

TEST_CASE("damaged .npy files") {
  survives(npy_header(format::ScalarType::i16, {2, 2}, false) + "abcdefgh", parse_npy);
}
