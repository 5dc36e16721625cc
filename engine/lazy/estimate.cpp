// Supports and what shape operators move, in numbers.

#include <algorithm>
#include <numeric>

#include "engine/lazy/stats.hpp"

namespace trellis::lazy {

namespace {

using Op = lang::Shape::Op;
using Degrees = std::vector<double>;

/// From which coordinate of a part's own field the one at k comes; outside of it from none.
std::int64_t source_of(const Shape& shape, std::size_t part, std::int64_t k) {
  switch (shape.op) {
    case Op::slice: return shape.numbers[0] + shape.numbers[1] * k;
    case Op::pad: return k - shape.numbers[0];
    case Op::roll: {
      const std::int64_t size = shape.from[0].size, back = (k - shape.numbers[0]) % size;
      return back < 0 ? back + size : back;
    }
    case Op::concat: {
      for (std::size_t p = 0; p < part; ++p) k -= shape.from[p].size;
      return k;
    }
    default: return k;
  }
}

/// Of one field, which takes the place of another: the degrees of what it shows of that.
Degrees seen_through(const Shape& shape, std::size_t part, const Degrees& before) {
  Degrees after;
  for (std::int64_t k = 0; k < shape.to[0].size; ++k) {
    const std::int64_t source = source_of(shape, part, k);
    const bool inside = source >= 0 && source < static_cast<std::int64_t>(before.size());
    after.push_back(inside ? before[static_cast<std::size_t>(source)] : 0);
  }
  return after;
}

void scale_to(Degrees& degrees, double entries) {
  const double sum = std::accumulate(degrees.begin(), degrees.end(), 0.0);
  for (double& degree : degrees) degree *= sum > 0 ? entries / sum : 0;
}

/// Parts of one concat or stack lie beside each other.
Overlap overlap(const std::vector<Support>& supports) {
  const auto* first = supports.front().as<Moved>();
  const bool beside = first && std::ranges::all_of(supports, [&](const Support& support) {
                        const auto* moved = support.as<Moved>();
                        return moved && moved->shape.same(first->shape);
                      });
  return beside ? Overlap::none : Overlap::by_chance;
}

class Estimating {
 public:
  explicit Estimating(const CountedTables& tables) : tables_(tables) {}

  Statistics of(const Support& support) const {
    return support.match([](const Everywhere&) { return Statistics::full({}); },
                         [](const Nowhere&) { return Statistics::empty({}); },
                         [&](const Stored& s) { return of_table(*s.table.as<Table>()); },
                         [&](const Union& u) { return united(all(u.of), overlap(u.of)); },
                         [&](const Intersection& i) { return joined(all(i.of)); },
                         [&](const Projection& p) {
                           const Statistics s = of(p.of);
                           return reduced(s, common(s.fields, p.over));
                         },
                         [&](const Moved& m) { return moved(*m.shape.as<Shape>(), m.part, of(m.of)); });
  }

 private:
  Statistics of_table(const Table& table) const {
    const auto counted = tables_.find(table.name);
    return counted == tables_.end() ? Statistics::full(as_set(table.fields)) : at(counted->second, table.fields);
  }

  std::vector<Statistics> all(const std::vector<Support>& supports) const {
    std::vector<Statistics> parts;
    for (const Support& support : supports) parts.push_back(of(support));
    return parts;
  }

  /// Other fields keep their shares; digits of a reshaped number are taken to be even.
  static Statistics moved(const Shape& shape, std::size_t part, const Statistics& operand) {
    const Fields bound = shape.bound_in(part);
    const Statistics before = repeated(operand, lazy::united(operand.fields, bound));
    Degrees at_to(shape.op == Op::stack ? static_cast<std::size_t>(shape.to[0].size) : 0, 0.0);
    if (shape.op == Op::stack) at_to[part] = before.entries;
    if (bound.size() == 1 && shape.to.size() == 1) {
      const auto place = std::ranges::find(before.fields, bound[0]) - before.fields.begin();
      at_to = seen_through(shape, part, before.degrees[static_cast<std::size_t>(place)]);
    }
    const bool even = at_to.empty() && !(bound.size() == 1 && shape.to.size() == 1);
    const double entries = even ? before.entries : std::accumulate(at_to.begin(), at_to.end(), 0.0);
    Statistics after = Statistics::empty(lazy::united(without(before.fields, bound), as_set(shape.to)));
    after.entries = entries;
    for (std::size_t f = 0; f < after.fields.size(); ++f) {
      const Field& field = after.fields[f];
      const auto kept = std::ranges::find(before.fields, field);
      if (kept != before.fields.end())
        after.degrees[f] = before.degrees[static_cast<std::size_t>(kept - before.fields.begin())];
      else if (even) std::ranges::fill(after.degrees[f], 1.0);
      else after.degrees[f] = at_to;
      scale_to(after.degrees[f], entries);
    }
    return after;
  }

  const CountedTables& tables_;
};

}  // namespace

Statistics estimate(const Support& support, const Fields& fields, const CountedTables& tables) {
  return repeated(Estimating(tables).of(support), fields);
}

}  // namespace trellis::lazy
