#include "tests/random/random_format.hpp"

#include <algorithm>
#include <numeric>

namespace trellis::randomised {
namespace {

using Names = std::vector<std::string>;

std::string joined(const Names& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::string with_options(const std::string& level, const Names& options) {
  return options.empty() ? level : level + "(" + joined(options) + ")";
}

/// Options that any level with coordinates may have.
Names some_options(Dice& dice) {
  Names options;
  if (dice.chance(7)) options.push_back("decreasing");
  else if (dice.chance(7)) options.push_back("unordered");
  if (dice.chance(6)) options.push_back("wide");
  return options;
}

/// `count` levels that list whole tuples of coordinates, as coo does.
void tuples(Dice& dice, int count, Names& levels) {
  for (int k = 0; k < count; ++k) {
    Names options = k == 0 ? some_options(dice) : Names{};
    if (k + 1 < count) options.insert(options.begin(), "nonunique");
    levels.push_back(with_options(k == 0 ? "compressed" : "singleton", options));
  }
}

/// A result may turn out to have more than the one region of interval and pinpoint, so that is drawn less often.
Names regions(Dice& dice, const FormatWishes& wishes) {
  Names all{"rle", "sparse_rle", "vbl", "vbl(2)", "band"};
  if (!wishes.result || dice.chance(50)) all.insert(all.end(), {"interval", "pinpoint"});
  return all;
}

Names random_levels(Dice& dice, const FormatWishes& wishes) {
  Names levels;
  while (std::ssize(levels) < wishes.rank) {
    const int left = wishes.rank - static_cast<int>(levels.size()), kind = dice.below(100);
    if (left == 1 && wishes.regions > 0 && dice.chance(wishes.regions)) {
      levels.push_back(dice.pick(regions(dice, wishes)));
    } else if (kind < 14 && left >= 2 && wishes.tuples) {
      tuples(dice, dice.chance(70) ? left : 2, levels);
    } else if (kind < 36) {
      levels.push_back("dense");
    } else if (kind < 64) {
      Names options = some_options(dice);
      if (left == 1 && !wishes.result && wishes.tuples && dice.chance(7)) options.insert(options.begin(), "nonunique");
      levels.push_back(with_options("compressed", options));
    } else if (kind < 72) {
      levels.push_back("hashed");
    } else if (kind < 80) {
      levels.push_back("bytemap");
    } else {
      Names all = regions(dice, wishes);
      if (left > 1) std::erase(all, "interval");  // below which all rows would have to be alike
      levels.push_back(dice.pick(all));
    }
  }
  return levels;
}

std::string named_format(Dice& dice, int rank, bool tuples) {
  if (rank == 2) return dice.pick(Names{"csr", "csr", "csc", tuples ? "coo" : "csr", "dcsr", "dcsc"});
  return rank == 3 ? dice.pick(Names{"csf", tuples ? "coo" : "csf"}) : "";
}

/// A layout of matrices that any matrix can have.
std::string random_layout(Dice& dice) {
  const auto number = [&] { return std::to_string(1 + dice.below(3)); };
  switch (dice.below(8)) {
    case 0: return "dia";
    case 1: return "ell(9)";
    case 2: return "tiled(" + number() + ", " + number() + ")";
    case 3: return "skewed";
    case 4: return "folded";
    case 5: return "shifted";
    case 6: return "unaligned(" + number() + ", " + number() + ")";
    default: return "bcsr(" + number() + ", " + number() + ")";
  }
}

std::string random_order(Dice& dice, int rank) {
  Names dimensions;
  for (int d = 0; d < rank; ++d) dimensions.push_back(std::to_string(d));
  for (std::size_t d = dimensions.size(); d > 1; --d)
    std::swap(dimensions[d - 1], dimensions[static_cast<std::size_t>(dice.below(static_cast<int>(d)))]);
  return " @ (" + joined(dimensions) + ")";
}

std::string random_fill(Dice& dice, Values values) {
  if (values == Values::truths) return dice.chance(20) ? " fill true" : "";
  if (values == Values::distances) return dice.chance(85) ? " fill inf" : dice.pick(Names{"", " fill 1"});
  return dice.chance(68) ? "" : dice.pick(Names{" fill 1", " fill 1", " fill 2", " fill 3"});
}

bool has_gaps(const std::string& level) { return level != "dense"; }
/// Stores coordinates that nobody listed, which no pattern tells from others.
bool pads(const std::string& level) {
  return level == "dense" || level == "rle" || level == "band" || level.starts_with("vbl(");
}

}  // namespace

std::string random_attributes(Dice& dice, const FormatWishes& wishes) {
  const std::string fill = random_fill(dice, wishes.values);
  if (wishes.rank == 0) return fill;
  if (!dice.chance(wishes.sparse))
    return (wishes.rank > 1 && dice.chance(25) ? random_order(dice, wishes.rank) : "") + fill;
  if (wishes.layouts && wishes.rank == 2 && dice.chance(25)) return " " + random_layout(dice) + fill;
  if (dice.chance(40 - wishes.regions / 2)) {
    const std::string name = named_format(dice, wishes.rank, wishes.tuples);
    if (!name.empty()) return " " + name + fill;
  }
  Names levels = random_levels(dice, wishes);
  const bool all_dense = std::none_of(levels.begin(), levels.end(), has_gaps);
  const bool pattern =
      wishes.values == Values::truths && !wishes.result && fill.empty() && !pads(levels.back()) && dice.chance(50);
  if (all_dense) levels.back() = "compressed";
  if (pattern) levels.push_back("pattern");
  return " {" + joined(levels) + "}" + (wishes.rank > 1 && dice.chance(35) ? random_order(dice, wishes.rank) : "") +
         fill;
}

Draft with_runs(Draft draft, Dice& dice) {
  for (std::string& line : draft.declarations) {
    const std::size_t open = line.find('('), colon = line.find(": ");
    const bool plain = line.starts_with("tensor ") && open < colon && line.find(' ', colon + 2) == std::string::npos;
    if (!plain || line.starts_with("tensor p(") || !dice.chance(85)) continue;
    line += " {";
    for (auto above = std::count(line.begin() + static_cast<std::ptrdiff_t>(open),
                                 line.begin() + static_cast<std::ptrdiff_t>(colon), ',');
         above > 0; --above)
      line += dice.chance(85) ? "dense, " : "compressed, ";
    line += dice.pick(Names{"rle", "rle", "sparse_rle"}) + "}";
  }
  return draft;
}

Draft with_formats(Draft draft, Dice& dice, const SparseWishes& chances) {
  auto assigned = [&](const std::string& name) {
    const std::string text = to_string(draft);
    for (const char* open : {"(", "[", " "})
      for (const char* before : {"\n", "    "})
        if (text.find(before + name + open) != std::string::npos) return true;
    return false;
  };
  for (std::string& line : draft.declarations) {
    const std::size_t name_at = std::string("tensor ").size(), colon = line.find(':');
    if (line.rfind("tensor ", 0) != 0 || colon == std::string::npos) continue;
    const std::string name = line.substr(name_at, line.find_first_of("(:", name_at) - name_at);
    const std::string head = line.substr(0, colon);
    const std::string type = line.substr(colon + 2, line.find(' ', colon + 2) - colon - 2);
    FormatWishes wishes;
    wishes.rank =
        head.find('(') == std::string::npos ? 0 : 1 + static_cast<int>(std::count(head.begin(), head.end(), ','));
    wishes.values = type == "bool" ? Values::truths : Values::numbers;
    wishes.result = assigned(name);
    wishes.sparse = 100;
    wishes.tuples = chances.tuples;
    wishes.regions = wishes.values == Values::truths ? 50 : 0;
    wishes.layouts = true;
    if (wishes.rank == 0 || name == "p" || !dice.chance(wishes.result ? chances.results : chances.operands)) continue;
    line = head + ": " + type + random_attributes(dice, wishes);
  }
  const auto says = [&](const char* name) {
    return std::ranges::any_of(draft.declarations,
                               [&](const std::string& line) { return line.find(name) != std::string::npos; });
  };
  if (says(" tiled("))
    draft.declarations.insert(
        draft.declarations.begin(),
        "layout tiled(R, C): (i, j) -> (j/C, i/R, i%R, j%C) {compressed, compressed, dense, dense}");
  for (const auto& [name, layout] :
       {std::pair(" skewed", "layout skewed: (i, j) -> (i + j, j) {dense, compressed}"),
        std::pair(" folded", "layout folded: (i, j) -> (i + j, j) {dense, dense} : 0 <= i"),  // no column above its row
        std::pair(" shifted", "layout shifted: (i, j) -> (i, i + j) {compressed, dense} : 0 <= j"),
        std::pair(" unaligned(", "layout unaligned(R, C): (i, j) -> (i/R, j, i%R) {dense, vbl(C), dense}")})
    if (says(name)) draft.declarations.insert(draft.declarations.begin(), layout);
  return draft;
}

namespace {

/// One declaration's simpler forms, the simplest first.
Names simpler(const std::string& line) {
  Names result;
  auto without = [&](std::size_t from, std::size_t to) { result.push_back(line.substr(0, from) + line.substr(to)); };
  const std::size_t open = line.find(" {"), close = line.find('}'), order = line.find(" @ (");
  if (open != std::string::npos) without(open, close + 1);
  if (line.rfind("layout ", 0) == 0) return {};
  for (const char* layout : {" bcsr(", " tiled(", " ell(", " skewed", " dia", " folded", " shifted", " unaligned("})
    if (const std::size_t at = line.find(layout); at != std::string::npos) {
      const std::size_t end =
          layout[std::string(layout).size() - 1] == '(' ? line.find(')', at) + 1 : at + std::string(layout).size();
      result.push_back(line.substr(0, at) + " csr" + line.substr(end));
    }
  for (const char* name : {" csr", " csc", " coo", " dcsr", " dcsc", " csf"}) {
    const std::size_t at = line.find(name);
    if (at == std::string::npos) continue;
    without(at, at + std::string(name).size());
    if (std::string(name) != " csr" && std::string(name) != " csf")
      result.push_back(line.substr(0, at) + " csr" + line.substr(at + std::string(name).size()));
  }
  if (order != std::string::npos) without(order, line.find(')', order) + 1);
  if (const std::size_t fill = line.find(" fill "); fill != std::string::npos)
    without(fill, std::min(line.find(' ', fill + 6), line.size()));
  if (open == std::string::npos) return result;
  for (const char* level :
       {"hashed", "bytemap", "sparse_rle", "rle", "vbl", "band", "interval", "pinpoint", "compressed"}) {
    for (std::size_t at = line.find(level); at != std::string::npos; at = line.find(level, at + 1)) {
      const std::size_t end = at + std::string(level).size();
      const bool options = end < line.size() && line[end] == '(';
      if (options) without(end, line.find(')', end) + 1);
      else if (std::string(level) != "compressed")
        result.push_back(line.substr(0, at) + "compressed" + line.substr(end));
      else result.push_back(line.substr(0, at) + "dense" + line.substr(end));
    }
  }
  return result;
}

}  // namespace

std::vector<Draft> with_simpler_formats(const Draft& draft) {
  std::vector<Draft> result;
  for (std::size_t d = 0; d < draft.declarations.size(); ++d) {
    for (const std::string& line : simpler(draft.declarations[d])) {
      result.push_back(draft);
      result.back().declarations[d] = line;
    }
  }
  return result;
}

}  // namespace trellis::randomised
