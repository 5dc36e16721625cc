#include "engine/coiterate/print_lattice.hpp"

#include <algorithm>
#include <map>

#include "engine/coiterate/lattice_picture.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::coiterate {

namespace {

using Goes = Lattice::Point::Goes;
using Role = Lattice::Role;

/// Remarks start in this column at the latest, unless what they are about is longer.
constexpr std::size_t furthest_remark = 48;

std::string padded(const std::string& text, std::size_t to) {
  return text + std::string(columns(text) < to ? to - columns(text) : 0, ' ');
}

class LatticePrinter {
 public:
  void lattice(const NumberedLattice& one) {
    const Lattice& l = *one.lattice;
    text::TextBuilder::Scope scope(out_, {text::Stage::lattice, one.id},
                                   {{text::Stage::loops, l.loop.id()}, {text::Stage::algebra, one.number}});
    const std::string where = where_missing(one);
    line(head(l) + (where.empty() ? "" : "    " + where));
    out_.indent();
    for (const std::string& remark : remarks(l)) line(remark);
    for (const std::string& cursor : cursors_in_words(l)) line("  " + cursor);
    if (l.points.size() > 1)
      for (const std::string& row : picture(l)) line("  " + row);
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
      widest = std::max(widest, columns(names.back()));
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
      if (edge.runs_out >= 0)
        line(l.operands[static_cast<std::size_t>(edge.runs_out)].literal.name + " runs out → " + to);
      else if (point.goes == Goes::while_any) line("all have run out → " + to);
    }
  }

  text::TextBuilder out_;
};

}  // namespace

text::Text print_algebra(const std::vector<NumberedLattice>& all) {
  std::map<int, std::size_t> depth;
  std::vector<std::string> heads;
  std::size_t column = 0;
  for (const NumberedLattice& one : all) {
    depth[one.number] = one.parent < 0 ? 0 : depth[one.parent] + 1;
    heads.push_back(std::string(2 * depth[one.number], ' ') + head(*one.lattice));
    if (columns(heads.back()) <= furthest_remark) column = std::max(column, columns(heads.back()));
  }
  text::TextBuilder out;
  for (std::size_t k = 0; k < all.size(); ++k) {
    text::TextBuilder::Scope scope(out, {text::Stage::algebra, all[k].number},
                                   {{text::Stage::loops, all[k].lattice->loop.id()}});
    std::vector<std::string> notes = remarks(*all[k].lattice);
    if (const std::string where = where_missing(all[k]); !where.empty()) notes.front() += ", " + where;
    for (std::size_t n = 0; n < notes.size(); ++n) {
      out << padded(n == 0 ? heads[k] : "", std::max(column, n == 0 ? columns(heads[k]) : 0)) << "    " << notes[n];
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
