#include "engine/coiterate/print_lattice.hpp"

#include <algorithm>
#include <map>

#include "engine/loop/print.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::coiterate {

namespace {

using Goes = Lattice::Point::Goes;
using Role = Lattice::Role;

/// Remarks start in this column at the latest, unless what they are about is longer.
constexpr std::size_t furthest_remark = 48;
constexpr std::size_t longest_body = 88;

std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string spaces(std::size_t n) { return std::string(n, ' '); }

std::string padded(const std::string& text, std::size_t to) { return text + spaces(width(text) < to ? to - width(text) : 0); }

std::string listed(const Lattice& lattice, const std::vector<int>& operands, const char* between = ", ") {
  std::string out;
  for (const int k : operands) out += (out.empty() ? "" : between) + lattice.operands[static_cast<std::size_t>(k)].literal.name;
  return out;
}

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
    one = "if " + lang::to_string(i->condition) + braces(i->then) + (i->otherwise ? " else" + braces(*i->otherwise) : "");
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

void collect(const Lattice::Case& c, Outcome so_far, std::vector<Outcome>& all) {
  if (c.tested < 0) {
    so_far.body = c.body;
    all.push_back(std::move(so_far));
    return;
  }
  Outcome there = so_far;
  there.present.push_back(c.tested);
  collect(c.branches.front(), std::move(there), all);
  if (c.certain) return;
  so_far.absent.push_back(c.tested);
  collect(c.branches.back(), std::move(so_far), all);
}

std::string in_set(const Lattice& lattice, const Lattice::Point& point) {
  if (point.goes == Goes::everywhere) return "{every " + lattice.for_().variable + "}";
  return "{" + listed(lattice, point.leads) + "}";
}

/// The points by level, which is how much may still run out before the end, with lines along the edges between levels.
class Picture {
 public:
  explicit Picture(const Lattice& lattice) : lattice_(lattice) {
    std::vector<std::size_t> level(lattice.points.size());
    for (std::size_t p = level.size(); p-- > 0;)  // edges lead to later points
      for (const Lattice::Edge& edge : lattice.points[p].edges)
        level[p] = std::max(level[p], edge.to < 0 ? 1 : level[static_cast<std::size_t>(edge.to)] + 1);
    rows_.resize(*std::max_element(level.begin(), level.end()));
    for (std::size_t p = level.size(); p-- > 0;) rows_[rows_.size() - level[p]].push_back(static_cast<int>(p));
    rows_.push_back({-1});
  }

  std::vector<std::string> lines() {
    std::size_t widest = 0;
    for (const auto& row : rows_) widest = std::max(widest, row_width(row));
    for (const auto& row : rows_) {
      std::size_t at = (widest - row_width(row)) / 2;
      for (const int p : row) {
        column_[p] = at + width(name(p)) / 2;
        at += width(name(p)) + gap;
      }
    }
    std::vector<std::string> out;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      if (r > 0) out.push_back(between(rows_[r - 1], rows_[r]));
      out.push_back(row_text(rows_[r], widest));
    }
    return out;
  }

 private:
  static constexpr std::size_t gap = 3;

  std::string name(int p) const { return p < 0 ? "end" : in_set(lattice_, lattice_.points[static_cast<std::size_t>(p)]); }

  std::size_t row_width(const std::vector<int>& row) const {
    std::size_t all = gap * (row.size() - 1);
    for (const int p : row) all += width(name(p));
    return all;
  }

  std::string row_text(const std::vector<int>& row, std::size_t widest) const {
    std::string text = spaces((widest - row_width(row)) / 2);
    for (std::size_t k = 0; k < row.size(); ++k) text += (k > 0 ? spaces(gap) : "") + name(row[k]);
    return text;
  }

  std::string between(const std::vector<int>& above, const std::vector<int>& below) const {
    std::map<std::size_t, std::string> marks;
    for (const int p : above)
      for (const Lattice::Edge& edge : lattice_.points[static_cast<std::size_t>(p)].edges) {
        if (!contains(below, edge.to)) continue;
        const std::size_t from = column_.at(p), to = column_.at(edge.to);
        const std::string mark = from > to + 1 ? "╱" : to > from + 1 ? "╲" : "│";
        std::string& here = marks[(from + to) / 2];
        here = here.empty() || here == mark ? mark : "╳";
      }
    std::string text;
    std::size_t at = 0;
    for (const auto& [column, mark] : marks) {
      text += spaces(column - at) + mark;
      at = column + 1;
    }
    return text;
  }

  const Lattice& lattice_;
  std::vector<std::vector<int>> rows_;
  std::map<int, std::size_t> column_;
};

class LatticePrinter {
 public:
  void lattice(const NumberedLattice& one) {
    const Lattice& l = *one.lattice;
    text::TextBuilder::Scope scope(out_, {text::Stage::lattice, one.id}, {{text::Stage::loops, l.loop.id()}, {text::Stage::algebra, one.number}});
    const std::string where = where_missing(one);
    line(head(l) + (where.empty() ? "" : "    " + where));
    out_.indent();
    for (const std::string& remark : remarks(l)) line(remark);
    if (l.points.size() > 1)
      for (const std::string& row : Picture(l).lines()) line("  " + row);
    for (std::size_t p = 0; p < l.points.size(); ++p) point(one, static_cast<int>(p));
    out_.dedent();
  }

  text::Text take() { return out_.take(); }
  void blank() { out_.newline(); }

 private:
  void line(const std::string& text) {
    out_ << text;
    out_.newline();
  }

  void point(const NumberedLattice& one, int p) {
    const Lattice& l = *one.lattice;
    const Lattice::Point& point = l.points[static_cast<std::size_t>(p)];
    text::TextBuilder::Scope scope(out_, {text::Stage::lattice, one.point_id(p)}, made_of(one, point.body));
    const std::vector<int> kept = kept_leads(l, point);
    line(condition(l, point) + (kept.empty() ? "" : ", with " + listed(l, kept) + " following"));
    out_.indent();
    if (point.by_cases) cases(one, p);
    else outcome(one, p, 0, "in any case: ", point.body);
    edges(l, point);
    out_.dedent();
  }

  /// The loop, where the body is none of its statements but was put together of some.
  static text::Origin made_of(const NumberedLattice& one, const loop::Stmt& body) {
    const int statement = body.id() < 0 ? one.lattice->loop.id() : body.id();
    return {{text::Stage::loops, statement}, {text::Stage::algebra, one.number}};
  }

  void outcome(const NumberedLattice& one, int p, int number, const std::string& when, const loop::Stmt& body) {
    {
      text::TextBuilder::Scope scope(out_, {text::Stage::lattice, one.outcome_id(p, number)}, made_of(one, body));
      out_ << when + in_brief(body);
    }
    out_.newline();
  }

  static std::vector<int> kept_leads(const Lattice& l, const Lattice::Point& point) {
    std::vector<int> kept;
    for (const int k : point.follows)
      if (l.operands[static_cast<std::size_t>(k)].role == Role::leads) kept.push_back(k);
    return kept;
  }

  void cases(const NumberedLattice& one, int p) {
    const Lattice& l = *one.lattice;
    const std::vector<Outcome> all = outcomes(l.points[static_cast<std::size_t>(p)]);
    std::vector<std::string> names;
    std::size_t widest = 0;
    for (const Outcome& each : all) {
      names.push_back(in_algebra(l, each));
      widest = std::max(widest, width(names.back()));
    }
    if (all.size() == 1) return outcome(one, p, 0, "", all.front().body);
    for (std::size_t k = 0; k < all.size(); ++k)
      outcome(one, p, static_cast<int>(k), padded(names[k], widest) + "   ", all[k].body);
  }

  static std::string in_algebra(const Lattice& l, const Outcome& outcome) {
    std::string text;
    for (std::size_t k = 0; k < l.operands.size(); ++k) {
      const auto holds = [&](const std::vector<int>& numbers) { return contains(numbers, static_cast<int>(k)); };
      if (!holds(outcome.present) && !holds(outcome.absent)) continue;
      text += (text.empty() ? "" : " ∩ ") + std::string(holds(outcome.absent) ? "¬" : "") + l.operands[k].literal.name;
    }
    return text;
  }

  void edges(const Lattice& l, const Lattice::Point& point) {
    for (const Lattice::Edge& edge : point.edges) {
      const std::string to = edge.to < 0 ? "end" : in_set(l, l.points[static_cast<std::size_t>(edge.to)]);
      if (edge.runs_out >= 0) line(l.operands[static_cast<std::size_t>(edge.runs_out)].literal.name + " runs out → " + to);
      else if (point.goes == Goes::while_any) line("all have run out → " + to);
    }
  }

  text::TextBuilder out_;
};

}  // namespace

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
    if (lattice.everywhere.find(refusal.name + " " + refusal.why) == std::string::npos) all.push_back("cannot walk " + refusal.name + ", which " + refusal.why);
  return all;
}

std::string where_missing(const NumberedLattice& one) {
  const std::vector<int>& absent = one.lattice->absent;
  return absent.empty() ? "" : "where " + listed(*one.around, absent, " and ") + (absent.size() == 1 ? " is" : " are") + " missing";
}

std::string head(const Lattice& lattice) {
  const loop::For& f = lattice.for_();
  return "for " + f.variable + (f.descending ? " down" : "") + ": " + to_string(lattice.algebra, lattice.names());
}

std::vector<int> same_lattices(const std::vector<Lattice>& all) {
  std::vector<int> same_as(all.size());
  std::map<std::string, int> known;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const Lattice& l = all[k];
    const int parent = l.parent < 0 ? -1 : same_as[static_cast<std::size_t>(l.parent)];
    std::string key = std::to_string(parent) + "|" + std::to_string(l.loop.id()) + "|" + head(l) + "|" + loop::to_string(l.for_().body);
    for (const std::string& remark : remarks(l)) key += "|" + remark;
    same_as[k] = known.emplace(key, static_cast<int>(k)).first->second;
  }
  return same_as;
}

std::vector<NumberedLattice> distinct(const std::vector<Lattice>& all) {
  const std::vector<int> same_as = same_lattices(all);
  std::vector<NumberedLattice> kept;
  int id = 0;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const Lattice& l = all[k];
    if (same_as[k] != static_cast<int>(k)) continue;
    const int parent = l.parent < 0 ? -1 : same_as[static_cast<std::size_t>(l.parent)];
    kept.push_back({&l, l.parent < 0 ? nullptr : &all[static_cast<std::size_t>(l.parent)], static_cast<int>(k), parent, id});
    id += static_cast<int>(l.points.size()) + 2;
  }
  for (NumberedLattice& one : kept) {
    one.first_outcome = id;
    id = one.outcome_id(static_cast<int>(one.lattice->points.size()), 0);
  }
  return kept;
}

int NumberedLattice::outcome_id(int point, int outcome) const {
  std::size_t before = 0;
  for (int p = 0; p < point; ++p) before += outcomes(lattice->points[static_cast<std::size_t>(p)]).size();
  return first_outcome + static_cast<int>(before) + outcome;
}

std::vector<NumberedLattice> of_loop(const std::vector<NumberedLattice>& all, const std::string& variable) {
  std::vector<NumberedLattice> found;
  for (const NumberedLattice& one : all)
    if (variable.empty() ? !one.lattice->operands.empty() : one.lattice->for_().variable == variable) found.push_back(one);
  return found;
}

std::vector<Outcome> outcomes(const Lattice::Point& point) {
  std::vector<Outcome> all;
  if (point.by_cases) collect(point.cases, {}, all);
  else all.push_back({{}, {}, point.body});
  return all;
}

std::string in_brief(const loop::Stmt& body) {
  std::string out;
  brief(body, out);
  if (out.empty()) return "nothing";
  if (width(out) <= longest_body) return out;
  std::size_t end = longest_body - 2;
  while ((out[end] & 0xC0) == 0x80) --end;
  return out.substr(0, end) + " …";
}

std::string condition(const Lattice& lattice, const Lattice::Point& point) {
  const std::string regions = std::string(point.together ? " together" : "") + (point.by_regions ? ", by regions" : "");
  if (point.goes == Goes::everywhere) return "at every " + lattice.for_().variable + regions;
  const bool one = point.leads.size() == 1;
  return "while " + std::string(point.goes == Goes::while_any ? "any of " : "") + listed(lattice, point.leads, point.goes == Goes::while_any ? ", " : " and ") +
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

text::Text print_algebra(const std::vector<NumberedLattice>& all) {
  std::map<int, std::size_t> depth;
  std::vector<std::string> heads;
  std::size_t column = 0;
  for (const NumberedLattice& one : all) {
    depth[one.number] = one.parent < 0 ? 0 : depth[one.parent] + 1;
    heads.push_back(spaces(2 * depth[one.number]) + head(*one.lattice));
    if (width(heads.back()) <= furthest_remark) column = std::max(column, width(heads.back()));
  }
  text::TextBuilder out;
  for (std::size_t k = 0; k < all.size(); ++k) {
    text::TextBuilder::Scope scope(out, {text::Stage::algebra, all[k].number}, {{text::Stage::loops, all[k].lattice->loop.id()}});
    std::vector<std::string> notes = remarks(*all[k].lattice);
    if (const std::string where = where_missing(all[k]); !where.empty()) notes.front() += ", " + where;
    for (std::size_t n = 0; n < notes.size(); ++n) {
      out << padded(n == 0 ? heads[k] : "", std::max(column, n == 0 ? width(heads[k]) : 0)) << "    " << notes[n];
      out.newline();
    }
  }
  return out.take();
}

text::Text print_lattices(const std::vector<NumberedLattice>& shown) {
  LatticePrinter printer;
  for (std::size_t k = 0; k < shown.size(); ++k) {
    if (k > 0) printer.blank();
    printer.lattice(shown[k]);
  }
  return printer.take();
}

}  // namespace trellis::coiterate
