#include "engine/coiterate/bodies.hpp"

#include <algorithm>

#include "engine/text/sequence.hpp"

namespace trellis::coiterate {

namespace {

/// What operands will offer a loop, as far as that can be said outside of it: each its first sparse level that the
/// loop's variable indexes.
Offers foreseen(const loop::For& f, const Surroundings& around) {
  Offers all;
  const std::set<std::string> changed = written_in(f.body);
  for_each_read(f.body, [&](const Read& read) {
    const auto& access = *read.access.as<lang::Access>();
    const lang::TensorInfo* info = around.tensor(access.tensor);
    if (!info || changed.contains(access.tensor)) return;
    for (int level = 0; level < std::ssize(info->format.levels); ++level) {
      const format::Facts facts = format::facts(info->format.levels[static_cast<std::size_t>(level)]);
      if (facts.dense() || !contains(lang::free_variables(level_index(access, *info, level)), f.variable)) continue;
      access::LevelKey key = level_key(access, *info, level);
      if (std::ranges::find(all.literals, key, &Literal::key) != all.literals.end()) return;
      all.literals.push_back(
          {.key = std::move(key),
           .name = access.tensor,
           .access = read.access,
           .sequence = {.tensor = access.tensor, .level = level, .stored = facts, .full = facts.full()},
           .last = level + 1 == std::ssize(info->format.levels),
           .fill = info->fill});
      return;
    }
  });
  return all;
}

void add_points(const Algebra& algebra, std::vector<Algebra>& points) {
  if (algebra.is_nowhere() || contains(points, algebra)) return;
  points.push_back(algebra);
  for (const int literal : algebra.literals()) add_points(algebra.with(literal, false), points);
}

/// Of all subsets of its literals, how many are there where it holds.
double cases_of(const Algebra& algebra) {
  if (algebra.literals().empty()) return algebra.is_nowhere() ? 0 : 1;
  const int first = algebra.literals().front();
  const auto in = [&](bool present) {
    const Algebra part = algebra.with(first, present);
    const auto free = algebra.literals().size() - 1 - part.literals().size();
    return cases_of(part) * static_cast<double>(std::size_t{1} << free);
  };
  return in(false) + in(true);
}

double bodies_of(const loop::For& f, const Surroundings& around) {
  const double inside = bodies_inside(f.body, around);
  const double own = f.until ? 1 : bodies_of(support(f.body, foreseen(f, around), around));
  return own * inside > most_bodies ? inside : own * inside;
}

}  // namespace

double bodies_of(const Algebra& algebra) {
  const std::vector<int>& operands = algebra.literals();
  const bool all_needed =
      std::ranges::all_of(operands, [&](int literal) { return algebra.with(literal, false).is_nowhere(); });
  if (all_needed || operands.size() > most_merged) return 1;
  std::vector<Algebra> points;
  add_points(algebra, points);
  double sum = 0;
  for (const Algebra& point : points) sum += cases_of(point);
  return sum;
}

double bodies_inside(const loop::Stmt& body, const Surroundings& around) {
  double sum = 0;
  const auto add = [&](const loop::Stmt& inner) { sum += bodies_inside(inner, around); };
  body.match([&](const loop::Block& b) { std::ranges::for_each(b.statements, add); },
             [&](const loop::For& f) { sum += bodies_of(f, around); }, [&](const loop::While& w) { add(w.body); },
             [&](const loop::Let& l) { add(l.body); },
             [&](const loop::If& i) {
               add(i.then);
               if (i.otherwise) add(*i.otherwise);
             },
             [](const auto&) {});
  return std::max(sum, 1.0);
}

}  // namespace trellis::coiterate
