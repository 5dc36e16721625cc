#include "engine/explore/loop_extent.hpp"

#include <algorithm>
#include <set>

#include "engine/math/points.hpp"

namespace trellis::explore {
namespace {

using loop::Stmt;
using schedule::Touch;

bool reads_data(const lang::Expr& expr) {
  bool found = expr.as<lang::Access>() != nullptr;
  lang::for_each_child(expr, [&](const lang::Expr& child) { found |= reads_data(child); });
  return found;
}

/// A choice in an expression that data makes.
bool chooses_by_data(const lang::Expr& expr) {
  const auto* select = expr.as<lang::Select>();
  bool found = select && reads_data(select->condition);
  lang::for_each_child(expr, [&](const lang::Expr& child) { found |= chooses_by_data(child); });
  return found;
}

/// Whether values in memory decide if the statement of this number runs, or where.
bool decided_by_data(const Stmt& stmt, int statement, bool decided) {
  decided |= stmt.as<loop::While>() != nullptr;
  if (const auto* f = stmt.as<loop::For>())
    decided |= f->until.has_value() || reads_data(f->low) || reads_data(f->high);
  if (const auto* i = stmt.as<loop::If>()) decided |= reads_data(i->condition);
  if (const auto* l = stmt.as<loop::Let>()) decided |= reads_data(l->value);
  if (const auto* a = stmt.as<loop::Assign>()) decided |= chooses_by_data(a->value);
  if (stmt.id() == statement) return decided;
  bool found = false;
  loop::for_each_child(
      stmt, [&](const Stmt& child) { found |= decided_by_data(child, statement, decided); }, [](const loop::Expr&) {});
  return found;
}

bool is_known(const Touch& touch) {
  return std::ranges::all_of(touch.index, [](const auto& index) { return index.has_value(); });
}

math::Assignment sizes_for(const lang::Program& program, const math::Assignment& smallest) {
  math::Assignment sizes;
  for (const lang::ParameterInfo& p : program.parameters) {
    if (p.real) continue;
    std::int64_t size = extent_size;
    for (const auto& [name, value] : smallest)
      if (name == p.name) size = std::max(size, value);
    sizes.emplace_back(p.name, size);
  }
  return sizes;
}

}  // namespace

std::optional<Extent> measure_extent(const Stmt& loops, const schedule::Nest& nest,
                                     const schedule::Violation& violation, const lang::Program& program) {
  const schedule::Dependence& d = violation.dependence;
  const bool reads_first = d.first.kind == Touch::Kind::read;
  if ((!reads_first && d.second.kind != Touch::Kind::read) || !is_known(d.first) || !is_known(d.second))
    return std::nullopt;
  const schedule::Site &source = nest.sites[d.source], &sink = nest.sites[d.sink];
  for (const schedule::Site* site : {&source, &sink})
    if (decided_by_data(loops, site->statement, false)) return std::nullopt;

  const math::Assignment sizes = sizes_for(program, violation.sizes);
  const std::ptrdiff_t sources = std::ssize(source.domain.variables);
  std::set<math::Point> late;
  for (const math::Domain& pairs : violation.pairs)
    math::for_each_point(pairs, sizes, [&](const math::Point& pair) {
      if (reads_first) late.emplace(pair.begin(), pair.begin() + sources);
      else late.emplace(pair.begin() + sources, pair.end());
    });
  if (late.empty()) return std::nullopt;

  Extent extent;
  extent.violations = std::ssize(late);
  const Touch& read = reads_first ? d.first : d.second;
  math::Domain reading = reads_first ? source.domain : sink.domain;
  reading.constraints.insert(reading.constraints.end(), read.guards.begin(), read.guards.end());
  count_reads(extent, reading, sizes);
  return extent;
}

}  // namespace trellis::explore
