#include "engine/coiterate/lattice_words.hpp"

#include <algorithm>

#include "engine/loop/print.hpp"

namespace trellis::coiterate {

namespace {

using Goes = Lattice::Point::Goes;
using Role = Lattice::Role;

constexpr std::size_t longest_body = 88;

std::string how_located(const format::Facts& facts) {
  switch (facts.locate) {
    case format::Locate::binary: return " by bisection";
    case format::Locate::hash: return " by hashing";
    case format::Locate::direct: return " at once";
    case format::Locate::one: return " by one comparison";
    case format::Locate::none: break;
  }
  return "";
}

void brief(const loop::Stmt& s, std::string& out) {
  if (s.as<loop::Note>() || s.as<loop::Lifecycle>() || s.as<loop::Declare>()) return;
  if (const auto* b = s.as<loop::Block>()) {
    for (const loop::Stmt& inner : b->statements) brief(inner, out);
    return;
  }
  const auto braces = [](const loop::Stmt& body) {
    std::string inside;
    brief(body, inside);
    return " { " + inside + " }";
  };
  std::string one;
  if (const auto* f = s.as<loop::For>()) {
    one = "for " + f->variable;
    const loop::Stmt* body = &f->body;
    for (const loop::For* inner = f; inner;) {
      const auto& statements = inner->body.as<loop::Block>()->statements;
      inner = statements.size() == 1 ? statements.front().as<loop::For>() : nullptr;
      if (!inner) break;
      one += ", " + inner->variable;
      body = &inner->body;
    }
    one += braces(*body);
  } else if (const auto* i = s.as<loop::If>()) {
    one =
        "if " + lang::to_string(i->condition) + braces(i->then) + (i->otherwise ? " else" + braces(*i->otherwise) : "");
  } else if (const auto* w = s.as<loop::While>()) {
    one = "while " + lang::to_string(w->condition) + braces(w->body);
  } else if (const auto* l = s.as<loop::Let>()) {
    one = "let " + l->name + " = " + lang::to_string(l->value) + braces(l->body);
  } else {
    one = loop::to_string(s);
    while (!one.empty() && one.back() == '\n') one.pop_back();
  }
  out += (out.empty() ? "" : "; ") + one;
}

/// Of a product: a line a level.
std::vector<std::string> levels_below(const access::Sequence& sequence) {
  if (!sequence.is_product()) return {};
  std::vector<access::Digit> digits = sequence.above;
  digits.push_back({sequence.level, 1, true, sequence.own});
  std::vector<std::string> lines;
  for (const access::Digit& digit : digits) {
    const std::size_t depth = lines.size();
    std::string line = depth == 0 ? "" : std::string(2 * (depth - 1), ' ') + "└ ";
    line += access::level_name(sequence.tensor, digit.level);
    line += std::string(2 * (digits.size() - 1 - depth) + 2, ' ');
    lines.push_back(line + (digit.stored ? "what is stored" : "every coordinate") + (depth == 0 ? "" : " below"));
  }
  return lines;
}

}  // namespace

std::size_t columns(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string listed(const Lattice& lattice, const std::vector<int>& operands, const char* between) {
  std::string out;
  for (const int k : operands)
    out += (out.empty() ? "" : between) + lattice.operands[static_cast<std::size_t>(k)].literal.name;
  return out;
}

std::vector<std::string> remarks(const Lattice& lattice) {
  std::vector<std::string> all;
  const std::string& i = lattice.for_().variable;
  const auto leads = lattice.with_role(Role::leads);
  if (!leads.empty()) all.push_back("leads " + listed(lattice, leads));
  else if (!lattice.everywhere.empty()) all.push_back("every " + i + ": " + lattice.everywhere);
  else if (lattice.refusals.empty()) all.push_back("every " + i + ": it indexes no sparse level");
  else all.push_back("every " + i);
  for (const Lattice::Operand& operand : lattice.operands) {
    if (operand.role == Role::leads && operand.literal.grows)
      all.push_back(operand.literal.name + " grows ahead of where the loop stands");
    if (operand.role == Role::leads) continue;
    const std::string what = operand.role == Role::follows
                                 ? "follows " + operand.literal.name
                                 : "looks up " + operand.literal.name + how_located(operand.literal.stored());
    all.push_back(what + (operand.why.empty() ? "" : ", which " + operand.why));
  }
  for (const Offers::Refusal& refusal : lattice.refusals)
    if (lattice.everywhere.find(refusal.name + " " + refusal.why) == std::string::npos)
      all.push_back("cannot walk " + refusal.name + ", which " + refusal.why);
  return all;
}

std::vector<std::string> cursors_in_words(const Lattice& lattice) {
  std::vector<std::string> lines;
  for (const Lattice::Operand& operand : lattice.operands) {
    const access::Sequence& sequence = operand.literal.sequence;
    if (operand.role == Role::located || (!sequence.is_product() && !sequence.takes_segments())) continue;
    const std::string& i = lattice.for_().variable;
    lines.push_back(operand.literal.name + ": " + i + " = " + access::coordinate_text(sequence) +
                    (sequence.takes_segments() ? ", all entries of one " + i + " together" : ""));
    for (std::string& line : levels_below(sequence)) lines.push_back("  " + std::move(line));
  }
  return lines;
}

std::string where_missing(const NumberedLattice& one) {
  const std::vector<int>& absent = one.lattice->absent;
  return absent.empty()
             ? ""
             : "where " + listed(*one.around, absent, " and ") + (absent.size() == 1 ? " is" : " are") + " missing";
}

std::string head(const Lattice& lattice) {
  const loop::For& f = lattice.for_();
  return "for " + f.variable + (f.descending ? " down" : "") + ": " + to_string(lattice.algebra, lattice.names());
}

std::string in_brief(const loop::Stmt& body) {
  std::string out;
  brief(body, out);
  if (out.empty()) return "nothing";
  if (columns(out) <= longest_body) return out;
  std::size_t end = longest_body - 2;
  while ((out[end] & 0xC0) == 0x80) --end;
  return out.substr(0, end) + " …";
}

std::string condition(const Lattice& lattice, const Lattice::Point& point) {
  const std::string regions = std::string(point.together ? " together" : "") + (point.by_regions ? ", by regions" : "");
  if (point.goes == Goes::everywhere) return "at every " + lattice.for_().variable + regions;
  const bool one = point.leads.size() == 1;
  return "while " + std::string(point.goes == Goes::while_any ? "any of " : "") +
         listed(lattice, point.leads, point.goes == Goes::while_any ? ", " : " and ") +
         (one || point.goes == Goes::while_any ? " has entries" : " have entries") + regions;
}

std::vector<std::string> brief_names(const Lattice& lattice) {
  std::vector<std::string> names;
  for (const Lattice::Operand& operand : lattice.operands) {
    const auto same = [&](const Lattice::Operand& other) {
      return other.literal.key.tensor == operand.literal.key.tensor;
    };
    const bool alone = std::ranges::count_if(lattice.operands, same) == 1;
    names.push_back(alone ? operand.literal.key.tensor : operand.literal.name);
  }
  return names;
}

std::string brief_condition(const Lattice& lattice, const Lattice::Point& point) {
  const std::string regions = std::string(point.together ? " together" : "") + (point.by_regions ? ", by regions" : "");
  if (point.goes == Goes::everywhere) return "at every " + lattice.for_().variable + regions;
  const std::vector<std::string> names = brief_names(lattice);
  std::string out = "while ";
  for (std::size_t k = 0; k < point.leads.size(); ++k)
    out += (k == 0                          ? ""
            : point.goes == Goes::while_any ? " ∨ "
                                            : " ∧ ") +
           names[static_cast<std::size_t>(point.leads[k])];
  return out + regions;
}

}  // namespace trellis::coiterate
