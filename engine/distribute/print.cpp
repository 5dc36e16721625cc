#include "engine/distribute/print.hpp"

#include <algorithm>
#include <cstdio>

#include "engine/distribute/nest.hpp"
#include "engine/distribute/wants.hpp"
#include "engine/loop/print.hpp"

namespace trellis::distribute {
namespace {

std::string counted(std::int64_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

std::string shape_text(const lang::TensorInfo& info) {
  std::string text;
  for (const math::Affine& size : info.shape) text += (text.empty() ? "(" : ", ") + math::to_string(size);
  return text.empty() ? text : text + ")";
}

/// The piece in words: what holds of each dimension, `#0 = lo_p - 1`.
std::string section_text(const std::vector<math::Domain>& sections, std::size_t most) {
  std::string text;
  for (std::size_t k = 0; k < sections.size() && k < most; ++k) {
    std::string piece;
    for (const math::Constraint& c : sections[k].constraints) piece += (piece.empty() ? "" : ", ") + math::to_string(c);
    text += (k ? "; or " : "") + piece;
  }
  return sections.size() > most ? text + "; or …" : text;
}

/// `u_steps(#0,#1)`, by which sections call it.
std::string element_text(const Plan& plan, const Exchange& e) {
  std::string text;
  for (std::size_t d = 0; d < plan.tensors.at(e.tensor).shape.size(); ++d) text += (d ? "," : "(") + element_name(d);
  return e.tensor.name + (text.empty() ? text : text + ")");
}

std::string accesses(const Exchange& e) {
  std::string text;
  for (const std::string& one : e.reads) text += (text.empty() ? "" : ", ") + one;
  return text;
}

std::string exchange_text(const Plan& plan, const Cuts* cuts, const Exchange& e) {
  using Kind = Exchange::Kind;
  std::string text = e.onward ? e.tensor.name + " for " + accesses(e) + " is handed on from rank to rank: " + e.pattern
                     : e.kind == Kind::ghosts ? "ghosts of " + e.tensor.name + " for " + accesses(e) + ": " + e.pattern
                     : e.kind == Kind::written
                         ? "behind it " + accesses(e) + " goes to where it lives"
                         : "behind it parts of " + e.tensor.name + " are added, in the order of ranks";
  const auto sent = cuts ? volume(plan, *cuts, e) : std::nullopt;
  if (!sent || sent->executions == 0) return text;
  const std::string most = is_exact(*cuts, e) ? "" : "at most ";
  text += ", " + most + counted(sent->bytes / sent->executions, "byte") + " in " +
          counted(sent->messages / sent->executions, "message");
  if (sent->executions > 1) text += ", " + std::to_string(sent->executions) + " times";
  return text;
}

std::string who_text(const std::vector<math::Constraint>& inside) {
  std::string text;
  for (std::size_t k = 0; k < inside.size(); k += inside[k].relation == math::Relation::equal ? 1 : 2)
    if (inside[k].relation == math::Relation::equal) text += (text.empty() ? "" : ", ") + math::to_string(inside[k]);
    else
      text += (text.empty() ? "" : ", ") + math::to_string(inside[k].left) + " <= " + math::to_string(inside[k].right) +
              " < " + math::to_string(inside[k + 1].right);
  return text;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

/// The number of the first line that shows the statement.
std::map<int, std::size_t> lines_by_statement(const text::Text& loops) {
  std::map<int, std::size_t> lines;
  for (const text::TextSpan& span : loops.spans) {
    if (span.node.stage != text::Stage::loops) continue;
    const auto begin = loops.characters.begin();
    lines.try_emplace(span.node.id, static_cast<std::size_t>(std::count(begin, begin + span.begin, '\n')));
  }
  return lines;
}

std::string annotated_loops(const Plan& plan, const Cuts* cuts) {
  const text::Text shown = loop::print(plan.loops);
  const std::map<int, std::size_t> at = lines_by_statement(shown);
  std::vector<std::string> lines = lines_of(shown.characters);
  std::vector<std::string> before(lines.size() + 1);
  const auto line = [&](int statement) { return at.contains(statement) ? at.at(statement) : lines.size(); };
  for (const Exchange& e : plan.exchanges) {
    const std::size_t k = line(e.statement);
    const std::string indent = k < lines.size() ? lines[k].substr(0, lines[k].find_first_not_of(' ')) : "";
    before[k] += indent + "# " + exchange_text(plan, cuts, e) + "\n";
    if (e.kind == Exchange::Kind::ghosts)
      before[k] += indent + "#   " + element_text(plan, e) + ": " + section_text(e.sections, 4) + "\n";
  }
  for (const auto& [statement, deal] : plan.dealt) {
    const auto* f = [&] {
      const loop::For* found = nullptr;
      loop::for_each(plan.loops, [&, id = statement](const loop::Stmt& s) {
        if (s.id() == id) found = s.as<loop::For>();
      });
      return found;
    }();
    const Partition& p = plan.partitions[static_cast<std::size_t>(deal.partition)];
    const math::Affine v = math::Affine::name(f->variable) + math::Affine(deal.offset);
    if (const std::size_t k = line(statement); k < lines.size())
      lines[k] += "   # over " + p.ranks + ": " + who_text(inside(p, v));
  }
  for (const auto& [statement, inside] : plan.guards)
    if (const std::size_t k = line(statement); k < lines.size()) lines[k] += "   # where " + who_text(inside);
  std::string out;
  for (std::size_t k = 0; k < lines.size(); ++k) out += before[k] + lines[k] + "\n";
  return out;
}

/// Of many the first and the last ones.
std::string places_text(const std::vector<std::int64_t>& places) {
  constexpr std::size_t most = 20, shown = 4;
  std::string out;
  for (std::size_t k = 0; k < places.size(); ++k) {
    if (places.size() > most && k >= shown && k + shown < places.size()) {
      if (k == shown) out += " …";
      continue;
    }
    out += " " + std::to_string(places[k]);
  }
  return out;
}

std::string rounded(double number) {
  char text[32];
  std::snprintf(text, sizeof text, number < 0.1 ? "%.3f" : "%.2f", number);
  return text;
}

std::string spread_text(const Spread& spread) {
  std::string text = "largest part " + rounded(spread.largest) + " of the mean, in rows and entries of " + spread.by;
  if (spread.ghosts) text += "; ghosts through it " + rounded(*spread.ghosts) + " a row";
  if (spread.in_file) text += ", " + rounded(*spread.in_file) + " if rows kept their numbers";
  return text;
}

std::string cuts_text(const Plan& plan, const Cuts* cuts) {
  std::string out;
  for (std::size_t k = 0; k < plan.partitions.size(); ++k) {
    const Partition& p = plan.partitions[k];
    const auto g =
        static_cast<std::size_t>(std::ranges::find(plan.grid, p.ranks, &lang::RanksInfo::name) - plan.grid.begin());
    const math::Affine size = p.base + math::Affine(p.extra);
    out += "0:" + math::to_string(size) + " over " + p.ranks + ": " +
           (p.cyclic > 0 ? "blocks of " + std::to_string(p.cyclic) + " in turn" : p.low + ":" + p.high);
    const bool parts = std::ranges::any_of(
        plan.renumbered, [&](const Renumbered& r) { return r.ranks == p.ranks && base_of(r.size) == p.base; });
    if (!plan.by[g].empty()) out += (parts ? ", numbered by parts of " : ", by rows and entries of ") + plan.by[g];
    if (cuts && p.cyclic == 0) { out += ", cut at" + places_text(cuts->places[k]); }
    out += "\n";
    if (!cuts) continue;
    for (const Spread& spread : cuts->spreads)
      if (spread.partition == static_cast<int>(k)) out += "# " + spread_text(spread) + "\n";
  }
  return out;
}

}  // namespace

std::string home_text(const Plan& plan, const Home& home) {
  std::string text;
  for (const int partition : home)
    text += (text.empty() ? "(" : ", ") +
            (partition < 0 ? std::string(":") : plan.partitions[static_cast<std::size_t>(partition)].ranks);
  return text + ")";
}

std::string print(const Plan& plan, const Cuts* cuts) {
  std::string out = "ranks";
  for (std::size_t g = 0; g < plan.grid.size(); ++g) {
    const std::int64_t count = cuts ? cuts->grid[g] : plan.grid[g].count;
    out += " " + plan.grid[g].name + (count > 0 ? "(" + std::to_string(count) + ")" : "");
  }
  out += "\n" + cuts_text(plan, cuts);
  std::string whole;
  for (const auto& [tensor, info] : plan.tensors) {
    const Home* home = plan.home(tensor);
    if (home) out += tensor.name + shape_text(info) + ": over " + home_text(plan, *home) + "\n";
    else if (tensor.scope < 0) whole += (whole.empty() ? "" : ", ") + tensor.name + shape_text(info);
  }
  if (!whole.empty()) out += "whole, on each rank: " + whole + "\n";
  return out + annotated_loops(plan, cuts);
}

}  // namespace trellis::distribute
