// Entries around coordinate 2^31: what a random program computes of them is what it computes of the same entries at
// small coordinates. The reference cannot say so, as it visits every coordinate; a translation can. All windows are
// moved by a multiple of 6, so that entries that steps of 2 and 3 leave out stay the same ones.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "tests/folder.hpp"
#include "tests/random/generate.hpp"
#include "tests/random/wanted.hpp"
#include "tests/session/transcript.hpp"

namespace trellis::randomised {
namespace {

using FarNames = std::vector<std::string>;

constexpr std::int64_t far_window = 16;
constexpr std::int64_t near_base = 60, far_base = 2147483640;  // 2^31 lies within the window
static_assert((far_base - near_base) % 6 == 0);

/// An index on the right, and the coordinate of the entry that it names at i, where n is the size of i's range.
struct FarWay {
  std::string index, extent;
  std::int64_t (*at)(std::int64_t i, std::int64_t n);
};

const std::vector<FarWay> far_ways = {
    {"i", "n", [](std::int64_t i, std::int64_t) { return i; }},
    {"i+1", "n+1", [](std::int64_t i, std::int64_t) { return i + 1; }},
    {"n-1-i", "n", [](std::int64_t i, std::int64_t n) { return n - 1 - i; }},
    {"2*i+1", "2*n", [](std::int64_t i, std::int64_t) { return 2 * i + 1; }},
    {"3*i", "3*n", [](std::int64_t i, std::int64_t) { return 3 * i; }},
    {"2*n-1-2*i", "2*n", [](std::int64_t i, std::int64_t n) { return 2 * n - 1 - 2 * i; }},
    {"i/2", "n", [](std::int64_t i, std::int64_t) { return i / 2; }},
    {"(i+1)/3", "n", [](std::int64_t i, std::int64_t) { return (i + 1) / 3; }}};

struct FarOperand {
  FarWay way;
  std::string format;
  std::vector<std::pair<std::vector<std::int64_t>, int>> entries;  ///< at places of the window, of each dimension
};

struct FarCase {
  int rank = 1;
  std::vector<FarOperand> operands;
  std::string right, result, order;
};

std::string far_with_j(std::string index) {
  std::replace(index.begin(), index.end(), 'i', 'j');
  return index;
}

std::string far_expression(Dice& dice, const FarCase& c, int depth) {
  if (depth == 0 || dice.chance(20)) {
    const int k = dice.below(static_cast<int>(c.operands.size()));
    const std::string& index = c.operands[static_cast<std::size_t>(k)].way.index;
    return std::string(1, static_cast<char>('A' + k)) + "(" + index + (c.rank == 2 ? ", " + far_with_j(index) : "") +
           ")";
  }
  const std::string left = far_expression(dice, c, depth - 1), right = far_expression(dice, c, depth - 1);
  return "(" + left + dice.pick(FarNames{" + ", " - ", "*", "*"}) + right + ")";
}

FarCase draw_far(Dice& dice) {
  FarCase c;
  c.rank = dice.chance(60) ? 1 : 2;
  for (int count = 2 + dice.below(2); count > 0; --count) {
    const FarNames formats = c.rank == 1 ? FarNames{"{compressed}", "{compressed}", "{hashed}"}
                                         : FarNames{"dcsr", "dcsr", "coo", "{compressed, hashed}"};
    FarOperand operand{
        c.operands.empty() || dice.chance(40) ? far_ways.front() : dice.pick(far_ways), dice.pick(formats), {}};
    std::set<std::vector<std::int64_t>> places;
    for (int entries = dice.below(9); entries > 0; --entries) {
      std::vector<std::int64_t> place;
      for (int d = 0; d < c.rank; ++d) place.push_back(dice.below(far_window));
      places.insert(place);
    }
    for (const auto& place : places) operand.entries.emplace_back(place, 1 + dice.below(9));
    c.operands.push_back(std::move(operand));
  }
  c.right = far_expression(dice, c, 2);
  c.result = dice.pick(FarNames{"X", "s"});
  c.order = c.rank == 1 ? dice.pick(FarNames{"i", "i", "i-"}) : dice.pick(FarNames{"i j", "i j", "j i", "i- j-"});
  return c;
}

/// The entries that the result has, with its coordinates counted from the base; or why there are none to compare.
struct FarEntries {
  std::string entries, refused;
};

FarEntries run_far(const FarCase& c, std::int64_t base) {
  const testing::Folder folder;
  const std::int64_t n = base + far_window;
  const std::string variables = c.rank == 1 ? "i" : "i,j", sizes = c.rank == 1 ? "n" : "n, n";
  std::string program = "param n = " + std::to_string(n) + "\n", loads;
  for (std::size_t k = 0; k < c.operands.size(); ++k) {
    const FarOperand& operand = c.operands[k];
    const std::string name(1, static_cast<char>('A' + k));
    const std::string& extent = operand.way.extent;
    program += "tensor " + name + "(" + extent + (c.rank == 2 ? ", " + extent : "") + "): i64 " + operand.format + "\n";
    std::map<std::vector<std::int64_t>, int> at;  // stretched entries are named by several places
    for (const auto& [place, value] : operand.entries) {
      std::vector<std::int64_t> coordinates;
      for (const std::int64_t i : place) coordinates.push_back(operand.way.at(base + i, n));
      at.emplace(coordinates, value);
    }
    std::string lines;
    for (const auto& [coordinates, value] : at) {
      for (const std::int64_t x : coordinates) lines += std::to_string(x + 1) + " ";
      lines += std::to_string(value) + "\n";
    }
    if (!at.empty()) loads += "load " + name + " \"" + folder.file(name + ".tns", lines) + "\"\n";
  }
  const bool scalar = c.result == "s";
  program +=
      scalar ? "tensor s: i64\n" : "tensor X(" + sizes + "): i64 " + (c.rank == 1 ? "{compressed}" : "dcsr") + "\n";
  program += scalar ? "s = sum(" + variables + ")(" + c.right + ")\n" : "X(" + variables + ") = " + c.right + "\n";
  program += "order " + c.order + "\n";
  testing::Transcript t;
  const auto flow = t.say(program + "show flow");
  if (!flow.ok()) return {"", flow.messages()};
  for (const char* dense : {"loop i", "loop j", " each\n"})
    if (testing::contains(flow.output, dense)) return {"", "it visits every coordinate"};
  const auto ran = t.say(loads + "run\nprint " + c.result);
  if (!ran.ok()) return {"", program + ran.messages()};
  std::string entries;
  const auto printed = ran.last("print");
  for (const auto& entry : printed["entries"]) {
    for (const auto& x : entry.at(0)) entries += std::to_string(x.get<std::int64_t>() - base) + " ";
    entries += entry.at(1).dump() + "\n";
  }
  return {scalar ? ran.output : entries, ""};
}

TEST_CASE("random programs near 2^31: the same as near 0") {
  const int programs = wanted(60);
  int compared = 0;
  for (std::uint64_t seed = first_seed(280000), attempts = 0;
       compared < programs && attempts < 40 * static_cast<std::uint64_t>(programs); ++seed, ++attempts) {
    Dice dice(seed);
    const FarCase c = draw_far(dice);
    const FarEntries close = run_far(c, near_base);
    if (!close.refused.empty()) continue;
    const FarEntries distant = run_far(c, far_base);
    CAPTURE(seed);
    CAPTURE(c.right);
    CAPTURE(c.order);
    CHECK_MESSAGE(distant.refused.empty(), distant.refused);
    CHECK(distant.entries == close.entries);
    ++compared;
  }
  CHECK(compared == programs);
}

}  // namespace
}  // namespace trellis::randomised
