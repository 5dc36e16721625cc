#include "tests/random/random_schedule.hpp"

#include <algorithm>
#include <set>

namespace trellis::randomised {
namespace {

using Names = std::vector<std::string>;

Names split(const std::string& text) {
  Names parts{""};
  for (const char c : text)
    if (c == ',') parts.emplace_back();
    else if (c != ' ') parts.back() += c;
  return parts;
}

/// `tensor A(n, m): f64 {…}` taken apart.
struct Declared {
  std::string name, type, attributes;
  Names extents;
  bool sparse = false;
};

std::vector<Declared> declared(const Draft& draft) {
  std::vector<Declared> all;
  for (const std::string& line : draft.declarations) {
    const std::size_t colon = line.find(':'), open = line.find('(');
    if (line.rfind("tensor ", 0) != 0 || colon == std::string::npos) continue;
    Declared d;
    const bool scalar = open > colon;
    d.name = line.substr(7, std::min(open, colon) - 7);
    if (!scalar) d.extents = split(line.substr(open + 1, line.find(')') - open - 1));
    const std::size_t end = std::min(line.find(' ', colon + 2), line.size());
    d.type = line.substr(colon + 2, end - colon - 2);
    d.attributes = line.substr(end);
    for (const char* format : {"{", " csr", " csc", " coo", " dcs", " csf"})
      d.sparse |= line.find(format, colon) != std::string::npos;
    all.push_back(std::move(d));
  }
  return all;
}

/// `X(i,j+1)`, and the variables among its indices.
struct Left {
  std::string name;
  Names indices;
};

std::vector<Left> lefts(const Draft& draft) {
  std::vector<Left> all;
  for (const DraftEquation& equation : draft.equations) {
    const std::size_t end = equation.left.find_first_of("([");
    const std::size_t open = equation.left.find('(');
    Left left{equation.left.substr(0, end), {}};
    if (open != std::string::npos)
      left.indices = split(equation.left.substr(open + 1, equation.left.rfind(')') - open - 1));
    all.push_back(std::move(left));
  }
  return all;
}

bool is_variable(const std::string& index) {
  return index.size() == 1 && index >= "a" && index <= "z" && index != "n" && index != "m";
}

Names variables(const Left& left) {
  Names names;
  for (const std::string& index : left.indices)
    if (is_variable(index)) names.push_back(index);
  return names;
}

const Declared* find(const std::vector<Declared>& all, const std::string& name) {
  const auto at = std::find_if(all.begin(), all.end(), [&](const Declared& d) { return d.name == name; });
  return at == all.end() ? nullptr : &*at;
}

void add_mask(Draft& draft, const Declared& result, Dice& dice, const SparseWishes& wishes) {
  const bool truths = dice.chance(50);
  FormatWishes format{static_cast<int>(result.extents.size()), truths ? Values::truths : Values::numbers, false, 100,
                      wishes.tuples};
  format.regions = 50;
  std::string attributes = random_attributes(dice, format);
  // In the result's own layout it lends the result its entries.
  const auto says = [&](const char* word) { return result.attributes.find(word) != std::string::npos; };
  if (result.sparse && !says("fill") && !says("pad") && !says("pattern") && dice.chance(60))
    attributes = result.attributes;
  draft.declarations.push_back("tensor M(" + list(result.extents) + "): " + (truths ? "bool" : "i32") + attributes);
  const std::string complement = dice.chance(25) ? "!" : "";
  const std::string by_value = dice.chance(25) ? " values" : "";
  draft.schedule.push_back("mask " + result.name + " " + complement + "M" + by_value);
}

void add_workspace(Draft& draft, const Left& left, Dice& dice) {
  Names indices;
  for (const std::string& index : left.indices) {
    if (!is_variable(index)) return;
    indices.push_back(dice.chance(50) ? ":" : index);
  }
  if (std::find(indices.begin(), indices.end(), ":") == indices.end()) indices.back() = ":";
  draft.schedule.push_back("workspace w for " + left.name + "(" + list(indices) + ") " +
                           dice.pick(Names{"bytemap", "hash", "sort", "dense"}));
}

/// Refused where the loops read the tensor as it is stored.
void add_copy(Draft& draft, const Declared& operand, Dice& dice) {
  const Names all(operand.extents.size(), ":");
  draft.schedule.push_back("workspace v for " + operand.name + "(" + list(all) + ") " +
                           dice.pick(Names{"bytemap", "hash", "sort", "dense"}));
}

}  // namespace

Draft with_schedule(Draft draft, Dice& dice, const SparseWishes& wishes) {
  const std::vector<Declared> tensors = declared(draft);
  std::set<std::string> masked, collected;
  const std::vector<Left> results = lefts(draft);
  for (const Declared& operand : tensors)
    if (operand.sparse && operand.extents.size() > 1 && std::ranges::count(results, operand.name, &Left::name) == 0 &&
        dice.chance(15)) {
      add_copy(draft, operand, dice);
      break;
    }
  for (const Left& left : lefts(draft)) {
    const Declared* result = find(tensors, left.name);
    if (!result || left.indices.empty()) continue;
    const Names names = variables(left);
    if (masked.empty() && dice.chance(20)) {
      masked.insert(left.name);
      add_mask(draft, *result, dice, wishes);
    }
    if (result->sparse && collected.empty() && dice.chance(30)) {
      collected.insert(left.name);
      add_workspace(draft, left, dice);
    }
    if (names.empty()) continue;
    const std::string v = dice.pick(names);
    if (dice.chance(35)) draft.schedule.push_back("parallel " + v);
    else if (dice.chance(10))
      draft.schedule.push_back("split " + v + " into " + v + "o " + v + "i " + std::to_string(1 + dice.below(3)));
    else if (dice.chance(8)) draft.schedule.push_back("unroll " + v + " 3");
    else if (dice.chance(15)) draft.schedule.push_back("jam " + v + " " + std::to_string(2 + dice.below(3)));
    else if (dice.chance(8)) draft.schedule.push_back("vectorize " + v);
  }
  for (const Declared& operand : tensors) {
    const bool written = std::ranges::count(results, operand.name, &Left::name) > 0;
    if (!operand.sparse || operand.extents.size() < 2 || written || !dice.chance(12)) continue;
    draft.schedule.push_back("parallel " + operand.name);
    break;
  }
  return draft;
}

Draft on_threads(Draft draft, Dice& dice) {
  std::set<std::string> parallel;
  for (const Left& left : lefts(draft))
    if (const Names names = variables(left); !names.empty())
      parallel.insert(dice.chance(60) ? names.front() : dice.pick(names));
  for (const std::string& v : parallel) draft.schedule.push_back("parallel " + v);
  return draft;
}

Draft on_ranks(Draft draft, Dice& dice) {
  std::set<std::string> all;
  for (const Left& left : lefts(draft))
    for (const std::string& v : variables(left)) all.insert(v);
  if (all.empty()) return draft;
  const Names names(all.begin(), all.end());
  const bool grid = names.size() > 1 && dice.chance(30);
  const std::string first = dice.pick(names);
  if (!grid && dice.chance(25)) {  // blocks in turn
    draft.declarations.push_back("ranks pe(" + std::to_string(1 + dice.below(3)) + ")");
    draft.schedule.push_back("distribute " + first + " over pe cyclic " + std::to_string(1 + dice.below(3)));
    return draft;
  }
  draft.declarations.push_back(grid ? "ranks pe qe" : "ranks pe");
  draft.schedule.push_back("distribute " + first + " over pe");
  if (!grid) return draft;
  const std::string second = dice.pick(names);
  if (second != first) draft.schedule.push_back("distribute " + second + " over qe");
  return draft;
}

Draft on_ranks_by_parts(Draft draft, Dice& dice) {
  const std::vector<Left> results = lefts(draft);
  const std::vector<Declared> tensors = declared(draft);
  const Left left = dice.pick(results);
  const Declared* result = find(tensors, left.name);
  for (std::size_t d = 0; result && d < left.indices.size(); ++d) {
    const std::string& v = left.indices[d];
    if (v.size() != 1 || d >= result->extents.size() || dice.chance(20)) continue;
    const std::string& size = result->extents[d];
    draft.declarations.push_back("tensor graph(" + size + "," + size + "): bool csr");
    draft.declarations.push_back("ranks pe");
    draft.schedule.push_back("distribute " + v + " over pe by parts graph");
    break;
  }
  return draft;
}

Draft with_inherited(Draft draft, Dice& dice) {
  for (const Declared& d : declared(draft))
    if (d.sparse && dice.chance(35)) draft.declarations.push_back("random " + d.name + " density 0.5");
  return draft;
}

}  // namespace trellis::randomised
