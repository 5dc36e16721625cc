// Where a cursor stands among what is stored, as `lattice step` writes it.
#include <algorithm>

#include "engine/session/reply/text.hpp"

namespace trellis::session {
namespace {

/// Entries near one, from the first that is listed on: `… 0  [2  3]  5  …`. Those from `from` to before `to` are here.
struct Listed {
  std::int64_t at, begin, end, first, from, to;
  const std::vector<std::int64_t>& stored;
  const std::vector<std::int64_t>& starts;
};

std::string text_of_entries(const Listed& c) {
  constexpr std::int64_t around = 6;
  const std::int64_t first = std::max(c.begin, c.at - around), stop = std::min(c.end, c.at + around + 1);
  const bool here = c.from < c.to;
  std::string out = first > c.begin ? "… " : "";
  for (std::int64_t k = first; k < stop; ++k) {
    const auto listed = static_cast<std::size_t>(k - c.first);
    std::string crd = c.stored[listed] == flow::no_key ? "·" : std::to_string(c.stored[listed]);
    if (!c.starts.empty() && c.starts[listed] != c.stored[listed]) crd = std::to_string(c.starts[listed]) + ".." + crd;
    out += here && k == std::max(c.from, first) ? "[" : !here && k == c.at ? "‹" : " ";
    out += crd + (here && k + 1 == std::min(c.to, stop) ? "]" : !here && k == c.at ? "›" : " ") + " ";
  }
  if (stop < c.end) return out + "…";
  while (out.ends_with(' ')) out.pop_back();
  return out;
}

/// Of a product, below its keys: the fiber of each level in which it is, and how its coordinates make the key.
///
///     A.1    0  [1]  2
///     └ A.2  2  [4]  7     8*1 + 4 = 12
std::string text_of_levels(const explore::LatticeStep::Cursor& c, const access::Sequence& sequence) {
  std::string out, key;
  std::int64_t sum = 0;
  for (std::size_t k = 0; k < c.levels.size(); ++k) {
    const flow::Standing::Level& level = c.levels[k];
    const std::int64_t coordinate = level.stored[static_cast<std::size_t>(level.at - level.first)];
    sum += level.unit * level.map.digit(coordinate);
    const math::DigitMap moved{level.map.offset, level.map.factor, {}, {}};
    const std::string digit = math::to_string(moved, std::to_string(coordinate));
    key += (k == 0 ? "" : " + ") + (level.unit == 1 ? "" : std::to_string(level.unit) + "*");
    key += moved.is_identity() ? digit : "(" + digit + ")";
    const std::string name = access::level_name(sequence.tensor, level.level);
    const std::size_t after = 2 * (c.levels.size() - k);
    out += "    " + (k == 0 ? "" : std::string(2 * (k - 1), ' ') + "└ ") + name + std::string(after, ' ');
    out += text_of_entries({level.at, level.begin, level.end, level.first, level.at, level.at + 1, level.stored, {}});
    out += k + 1 < c.levels.size() ? "\n" : "    " + key + " = " + std::to_string(sum) + "\n";
  }
  return out;
}

}  // namespace

std::string text_of_cursor(const explore::LatticeStep::Cursor& c, const coiterate::Lattice& lattice) {
  const coiterate::Literal& literal = lattice.operands[static_cast<std::size_t>(c.operand)].literal;
  const std::string mark = c.here ? "● " : c.ran_out ? "  " : "○ ";
  const std::string keys = literal.sequence.is_product() ? "keys " : "";
  const std::string entries = text_of_entries({c.at, c.begin, c.end, c.first, c.from, c.to, c.stored, c.starts});
  const std::string end = c.begin == c.end ? "nothing stored" : c.ran_out ? "  | ran out" : "";
  return mark + literal.name + "  " + keys + entries + end + "\n" + text_of_levels(c, literal.sequence);
}

}  // namespace trellis::session
