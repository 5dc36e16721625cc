// Products and sums whose results are collected in lists that are sorted in the end: the same as in a table, to the
// bit.
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/random/draft.hpp"
#include "tests/random/generate.hpp"
#include "tests/random/wanted.hpp"
#include "tests/session/transcript.hpp"

namespace trellis::randomised {
namespace {

using testing::Transcript;
using Names = std::vector<std::string>;

/// A kernel in random formats and a random order, but for how it collects its result.
std::string program(Dice& dice) {
  const Names kernels{"C(i,j) = A(i,k) * B(k,j)",          "C(i,j) = A(k,i) * B(k,j)",
                      "C(i,j) = A(l,i) * B(l,k) * A(k,j)", "C(i,j) = min(k)(A(i,k) + B(k,j))",
                      "C(i,j) = max(k)(A(k,i) * B(k,j))",  "C(i,j) = A(i,j) + B(j,i)",
                      "C(i,j) = A(i,k) * B(k,j) + A(i,j)"};
  const std::string kernel = dice.pick(kernels);
  const std::string fill = kernel.find("min") != std::string::npos ? " fill inf" : "";
  std::string text = "param n = " + std::to_string(1 + dice.below(80)) + "\n";
  for (const char* name : {"A", "B", "C"})
    text +=
        std::string("tensor ") + name + "(n, n): " + dice.pick(Names{"csr", "csc", "dcsr", "coo", "dense"}) + fill +
        (*name == 'C' ? ""
                      : "\nrandom " + std::string(name) + " seed " + std::to_string(dice.below(100)) + " density 0.1") +
        "\n";
  Names order{"i", "j", "k"};
  if (kernel.find('l') != std::string::npos) order.push_back("l");
  if (kernel.find('k') == std::string::npos) order.pop_back();
  for (std::size_t k = order.size(); k > 1; --k)
    std::swap(order[k - 1], order[static_cast<std::size_t>(dice.below(static_cast<int>(k)))]);
  text += kernel + "\norder";
  for (const std::string& index : order) text += " " + index;
  return text + "\nworkspace w for C(" + dice.pick(Names{"i,:", ":,j", ":,:"}) + ") ";
}

const tensor::Tensor* result(Transcript& t) { return t.session().state().data.held("C"); }

}  // namespace

TEST_CASE("random lists: what is sorted in the end is the same as in a table") {
  int listed = 0;
  for (std::uint64_t seed = first_seed(1200); listed < wanted(40); ++seed) {
    CAPTURE(seed);
    Dice dice(seed);
    const std::string text = program(dice);
    CAPTURE(text);
    Transcript sorted, hashed;
    const bool runs = hashed.say(text + "hash\nrun").ok();
    CHECK(sorted.say(text + "sort\nrun").ok() == runs);
    if (!runs) continue;
    listed += testing::contains(sorted.say("show flow").output, "in lists until it is frozen");
    CHECK(result(sorted)->entries() == result(hashed)->entries());
    tensor::for_each_index(result(sorted)->shape(),
                           [&](const tensor::Index& at) { CHECK(result(sorted)->get(at) == result(hashed)->get(at)); });
  }
}

}  // namespace trellis::randomised
