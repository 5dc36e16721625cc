#include "tests/random/generate_shapes.hpp"

#include <algorithm>

#include "engine/math/sizes.hpp"

namespace trellis::randomised {
namespace {

using math::Affine;
using Names = std::vector<std::string>;

struct Axis {
  std::string name;
  Affine size;
};
using Axes = std::vector<Axis>;

/// Grown from the result downwards: an operator makes one of the indices that are wanted of what has others.
class ShapesGenerator {
 public:
  ShapesGenerator(Dice& dice, SizeKind kind)
      : dice_(dice), n_(kind == SizeKind::named ? Affine::name("n") : Affine(dice.pick(std::vector<int>{2, 3, 4}))) {}

  Draft run() {
    Axes axes;
    for (int rank = dice_.pick(std::vector<int>{1, 1, 2, 2, 3}); rank > 0; --rank) axes.push_back(fresh(some_size()));
    left_ = axes;
    Tree right = grow(axes, 3);
    draft_.declarations.push_back("tensor Y(" + sizes(axes) + "): f64");
    draft_.equations.push_back({"Y(" + names(axes) + ")", std::move(right), constraints_});
    return draft_;
  }

 private:
  Affine some_size() {
    return dice_.pick(std::vector<Affine>{n_, n_, n_ + Affine(1), 2, 3, 2 * n_, *math::product(n_, n_)});
  }

  Axis fresh(Affine size) { return {std::string(1, "ijkl"[count_ % 4]) + std::to_string(count_++), std::move(size)}; }
  /// One that is not on the left, whose size a constraint repeats.
  Axis inner(Affine size) {
    Axis axis = fresh(std::move(size));
    constraints_.push_back(axis.name + " < " + math::to_string(axis.size));
    return axis;
  }

  static std::string names(const Axes& axes) {
    Names all;
    for (const Axis& a : axes) all.push_back(a.name);
    return list(all);
  }
  static std::string sizes(const Axes& axes) {
    std::string text;
    for (const Axis& a : axes) text += (text.empty() ? "" : ", ") + math::to_string(a.size);
    return text;
  }

  Tree access(Axes axes) {
    if (axes.size() > 1 && dice_.chance(30)) std::swap(axes.front(), axes.back());
    if (axes.size() > 1 && dice_.chance(15)) axes.pop_back();
    const std::string name(1, static_cast<char>('A' + tensors_++));
    draft_.declarations.push_back("tensor " + name + (axes.empty() ? "" : "(" + sizes(axes) + ")") + ": f64");
    return leaf(name + (axes.empty() ? "" : "(" + names(axes) + ")"));
  }

  Tree compute(const Axes& axes, int depth) {
    std::vector<Tree> parts{grow(axes, depth), grow(axes, depth)};
    const int kind = dice_.below(100);
    if (kind < 40) return join("(", std::move(parts), " + ", ")");
    if (kind < 80) return join("(", std::move(parts), "*", ")");
    return join(dice_.pick(Names{"max(", "min("}), std::move(parts), ", ", ")");
  }

  Tree reduction(Axes axes, int depth) {
    const Axis reduced = inner(dice_.pick(std::vector<Affine>{n_, 2}));
    axes.push_back(reduced);
    return join(dice_.pick(Names{"sum(", "sum(", "max("}) + reduced.name + ")(", {grow(axes, depth)}, "", ")");
  }

  Tree grow(const Axes& axes, int depth) {
    if (depth == 0 || tensors_ > 6) return access(axes);
    const int kind = dice_.below(100);
    if (kind < 18) return compute(axes, depth - 1);
    if (kind < 26) return reduction(axes, depth - 1);
    if (kind < 34 || axes.empty()) return access(axes);
    Axes rest = axes;
    const std::size_t at = static_cast<std::size_t>(dice_.below(static_cast<int>(axes.size())));
    const Axis made = rest[at];
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(at));
    return shape(rest, made, depth - 1);
  }

  Tree shape(const Axes& rest, const Axis& made, int depth) {
    switch (dice_.below(8)) {
      case 0:
      case 1: return concat(rest, made, depth);
      case 2: return slice(rest, made, depth);
      case 3: return roll(rest, made, depth);
      case 4: return pad(rest, made, depth);
      case 5:
        if (made.size.is_constant() && made.size.constant <= 3 && made.size.constant > 0)
          return stack(rest, made, depth);
        [[fallthrough]];
      case 6: return collapse(rest, made, depth);
      default: return split(rest, made, depth);
    }
  }

  Axes with(Axes rest, const Axis& axis) {
    rest.insert(rest.begin() + dice_.below(static_cast<int>(rest.size()) + 1), axis);
    return rest;
  }

  Tree concat(const Axes& rest, const Axis& made, int depth) {
    Affine first = 0;
    if (made.size.constant > 0)
      first = dice_.below(static_cast<int>(std::min<std::int64_t>(made.size.constant, 4)) + 1);
    else if (made.size.terms.size() == 1 && made.size.terms[0].second > 1)
      first = Affine::name(made.size.terms[0].first);
    const Axis a = inner(first), b = inner(made.size - first);
    return join("concat(", {grow(with(rest, a), depth), grow(with(rest, b), depth)}, ", ",
                ", (" + a.name + "," + b.name + ")->" + made.name + ")");
  }

  Tree stack(const Axes& rest, const Axis& made, int depth) {
    std::vector<Tree> parts;
    for (std::int64_t k = 0; k < made.size.constant; ++k) parts.push_back(grow(rest, k == 0 ? depth : 0));
    return join("stack(", std::move(parts), ", ", ", " + made.name + ")");
  }

  Tree slice(const Axes& rest, const Axis& made, int depth) {
    const int step = dice_.pick(std::vector<int>{1, 1, 2, -1, -2}), size = std::abs(step), from = dice_.below(3);
    const Axis old = inner(size * made.size + Affine(from + dice_.below(2)));
    const Affine low = step > 0 ? Affine(from) : size * made.size - Affine(size) + Affine(from);
    const std::string range =
        math::to_string(low) + ":" + math::to_string(low + step * made.size) + ":" + std::to_string(step);
    return join("slice(", {grow(with(rest, old), depth)}, "", ", " + old.name + "->" + made.name + ", " + range + ")");
  }

  Tree roll(const Axes& rest, const Axis& made, int depth) {
    const Axis old = inner(made.size);
    // Of what has no value no more than its size, which is what the program then assumes.
    const int far = made.size.is_constant() ? 7 : std::min(static_cast<int>(made.size.constant), 3);
    if (far < 0) return grow(with(rest, made), depth);
    return join("roll(", {grow(with(rest, old), depth)}, "",
                ", " + old.name + "->" + made.name + ", " + std::to_string(dice_.below(2 * far + 1) - far) + ")");
  }

  Tree pad(const Axes& rest, const Axis& made, int depth) {
    const auto room = std::clamp<std::int64_t>(made.size.constant, 0, 3);
    const int before = dice_.below(static_cast<int>(room) + 1),
              after = dice_.below(static_cast<int>(room) - before + 1);
    const Axis old = inner(made.size - Affine(before + after));
    return join("pad(", {grow(with(rest, old), depth)}, "",
                ", " + old.name + "->" + made.name + ", " + std::to_string(before) + ":" + std::to_string(after) +
                    ", " + dice_.pick(Names{"0", "0", "1", "-2"}) + ")");
  }

  /// The size as a product of two, where it is one.
  Tree collapse(const Axes& rest, const Axis& made, int depth) {
    Affine first = 1;
    for (const Affine& by : {Affine(2), Affine(3), n_})
      if (const auto quotient = math::exact_quotient(made.size, by); quotient && dice_.chance(60)) first = by;
    const Affine second = *math::exact_quotient(made.size, first);
    const bool swapped = dice_.chance(50);
    const Axis a = inner(swapped ? second : first), b = inner(swapped ? first : second);
    return join("collapse(", {grow(with(with(rest, a), b), depth)}, "",
                ", (" + a.name + "," + b.name + ")->" + made.name + ")");
  }

  Tree split(Axes rest, const Axis& made, int depth) {
    Names parts{made.name};
    Affine size = made.size;
    if (!rest.empty() && dice_.chance(85)) {
      const auto all = math::product(size, rest.back().size);
      size = *all;
      parts.insert(parts.begin() + dice_.below(2), rest.back().name);
      rest.pop_back();
    }
    const Axis old = inner(size);
    const std::string to = parts.size() == 1 ? parts[0] : "(" + list(parts) + ")";
    return join("split(", {grow(with(rest, old), depth)}, "", ", " + old.name + "->" + to + ")");
  }

  Dice& dice_;
  Affine n_;
  Draft draft_;
  Axes left_;
  Names constraints_;
  int count_ = 0, tensors_ = 0;
};

}  // namespace

Draft generate_shapes(Dice& dice, SizeKind kind) { return ShapesGenerator(dice, kind).run(); }

}  // namespace trellis::randomised
