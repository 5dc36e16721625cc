// Elements outside of an expression's support are its fill, on random expressions and operands.
#include "engine/lazy/support.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "engine/lazy/fills.hpp"
#include "tests/lazy/dense.hpp"
#include "tests/lazy/generate.hpp"

namespace trellis::lazy {
namespace {

using Op = lang::Shape::Op;

/// Is the point in the support, for what these operands store? Fields that the support's expression lacks do not
/// matter.
class Points {
 public:
  explicit Points(const std::map<std::string, tensor::Tensor>& tables) : tables_(tables) {}

  bool has(const Support& support, const At& at) const {
    return support.match(
        [](const Everywhere&) { return true; }, [](const Nowhere&) { return false; },
        [&](const Stored& s) {
          const auto* t = s.table.as<Table>();
          tensor::Index index;
          for (const Field& field : t->fields) index.push_back(at.at(field));
          return !(tables_.at(t->name).get(index) == t->fill);
        },
        [&](const Union& u) { return std::ranges::any_of(u.of, [&](const Support& s) { return has(s, at); }); },
        [&](const Intersection& i) { return std::ranges::all_of(i.of, [&](const Support& s) { return has(s, at); }); },
        [&](const Projection& p) { return somewhere(p.over, p.of, at, [](const At&) { return true; }); },
        [&](const Moved& m) {
          const auto* s = m.shape.as<Shape>();
          const Fields bound = s->bound_in(m.part);
          return somewhere(bound, m.of, at, [&](const At& from) { return leads(*s, m.part, from, at); });
        });
  }

 private:
  bool somewhere(const Fields& over, const Support& of, const At& at,
                 const std::function<bool(const At&)>& counts) const {
    bool found = false;
    for_each_point(over, [&](const At& inner) {
      At all = inner;
      all.insert(at.begin(), at.end());
      found = found || (counts(inner) && has(of, all));
    });
    return found;
  }

  /// Does the shape operator put that part's element there?
  static bool leads(const Shape& s, std::size_t part, const At& from, const At& to) {
    const auto flat = [](const std::vector<Field>& digits, const At& at) {
      std::int64_t number = 0;
      for (const Field& digit : digits) number = number * digit.size + at.at(digit);
      return number;
    };
    const std::int64_t k = to.at(s.to[0]);
    switch (s.op) {
      case Op::stack: return k == static_cast<std::int64_t>(part);
      case Op::slice: return from.at(s.from[0]) == s.numbers[0] + s.numbers[1] * k;
      case Op::roll: return (from.at(s.from[0]) + s.numbers[0] - k) % s.to[0].size == 0;
      case Op::pad: return from.at(s.from[0]) + s.numbers[0] == k;
      case Op::concat: {
        std::int64_t before = 0;
        for (std::size_t p = 0; p < part; ++p) before += s.from[p].size;
        return from.at(s.from[part]) + before == k;
      }
      default: return flat(s.from, from) == flat(s.to, to);
    }
  }

  const std::map<std::string, tensor::Tensor>& tables_;
};

}  // namespace

TEST_CASE("what is outside of the support is the fill") {
  int outside = 0, inside = 0;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    randomised::Dice dice(440000 + seed);
    Generator generator(dice, {});
    INFO(seed);
    const Expr e = generator.make(generator.shape(), generator.type(), 1 + dice.below(3)).lazy.expr();
    if (!is_finite_within(e, generator.operands())) continue;
    const DenseArray all = dense(e, generator.operands());
    const Support support = support_of(e);
    const format::Value fill = fill_of(e);
    const Points points(generator.operands());
    CAPTURE(to_string(e));
    CAPTURE(to_string(support));
    CAPTURE(seed);
    for_each_point(all.fields, [&](const At& at) {
      if (points.has(support, at)) {
        ++inside;
        return;
      }
      ++outside;
      CHECK(alike(element(all, at), fill));
    });
  }
  CHECK(outside > 1000);
  CHECK(inside > 1000);
}

}  // namespace trellis::lazy
