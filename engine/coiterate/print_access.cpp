#include "engine/coiterate/print_access.hpp"

#include <algorithm>
#include <array>

namespace trellis::coiterate {

namespace {

using Role = Lattice::Role;
/// What is read, what it offers, and what becomes of that.
using Line = std::array<std::string, 3>;

std::string told(const Lattice::Operand& operand) {
  const access::Sequence& sequence = operand.literal.sequence;
  std::string text = operand.role == Role::leads ? "leads" : operand.role == Role::follows ? "follows" : "looked up";
  if (operand.role != Role::leads && !operand.why.empty()) text += ", which " + operand.why;
  if (operand.role == Role::located) return text;
  // One cursor below the other.
  for (std::size_t k = sequence.above.size(); k-- > 0;)
    text += (k + 1 == sequence.above.size() ? ", " + sequence.tensor + "." + std::to_string(sequence.level + 1) : "") +
            " below " + sequence.tensor + "." + std::to_string(sequence.above[k].level + 1);
  if (sequence.takes_segments()) text += ", all entries of one coordinate together";
  return text;
}

std::vector<Line> lines_of(const Lattice& lattice) {
  std::vector<Line> lines;
  for (const Lattice::Operand& operand : lattice.operands)
    lines.push_back({operand.literal.name, access::to_string(operand.literal.sequence), told(operand)});
  for (const Offers::Refusal& refusal : lattice.refusals) lines.push_back({refusal.name, "none", refusal.why});
  return lines;
}

int depth_of(const std::vector<NumberedLattice>& all, const NumberedLattice& one) {
  const auto around = std::ranges::find(all, one.parent, &NumberedLattice::number);
  return one.parent < 0 || around == all.end() ? 0 : depth_of(all, *around) + 1;
}

}  // namespace

text::Text print_access(const std::vector<NumberedLattice>& all) {
  std::size_t name = 0, sequence = 0;
  for (const NumberedLattice& one : all)
    for (const Line& line : lines_of(*one.lattice)) {
      name = std::max(name, line[0].size());
      sequence = std::max(sequence, line[1].size());
    }
  text::TextBuilder out;
  const auto padded = [](const std::string& text, std::size_t to) { return text + std::string(to - text.size(), ' '); };
  for (const NumberedLattice& one : all) {
    const std::string indent(2 * static_cast<std::size_t>(depth_of(all, one)), ' ');
    const std::string missing = where_missing(one);
    out << indent + "for " + one.lattice->for_().variable + (missing.empty() ? "" : " " + missing);
    out.newline();
    for (const Line& line : lines_of(*one.lattice)) {
      out << indent + "  " + padded(line[0], name) + "  " + padded(line[1], sequence) + "  " + line[2];
      out.newline();
    }
  }
  return out.take();
}

}  // namespace trellis::coiterate
