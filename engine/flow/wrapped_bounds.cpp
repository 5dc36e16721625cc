#include "engine/flow/wrapped_bounds.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace trellis::flow {

namespace overflowing {
namespace {

using format::BinaryOp;

__extension__ typedef __int128 Wide;

struct Interval {
  Wide low = 0, high = 0;
};
/// Empty: it may be anything, such as an element.
using Known = std::optional<Interval>;

std::string digits_of(Wide value) {
  if (value == 0) return "0";
  const bool negative = value < 0;
  std::string text;
  for (; value != 0; value /= 10)
    text += static_cast<char>('0' + static_cast<int>(negative ? -(value % 10) : value % 10));
  if (negative) text += '-';
  std::ranges::reverse(text);
  return text;
}

Wide floor_div(Wide a, Wide b) { return a / b - (a % b < 0 ? 1 : 0); }

Interval joined(const Interval& a, const Interval& b) { return {std::min(a.low, b.low), std::max(a.high, b.high)}; }

Interval product(const Interval& a, const Interval& b) {
  const std::array<Wide, 4> ends{a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
  return {std::ranges::min(ends), std::ranges::max(ends)};
}

Known combined(BinaryOp op, const Interval& a, const Interval& b) {
  const bool divides = b.low == b.high && b.low > 0;
  switch (op) {
    case BinaryOp::add: return Interval{a.low + b.low, a.high + b.high};
    case BinaryOp::subtract: return Interval{a.low - b.high, a.high - b.low};
    case BinaryOp::multiply: return product(a, b);
    case BinaryOp::divide: return divides ? Known({floor_div(a.low, b.low), floor_div(a.high, b.low)}) : std::nullopt;
    case BinaryOp::modulo: return divides ? Known({0, b.low - 1}) : std::nullopt;
    default: return std::nullopt;
  }
}

/// Bounds, conditions and indices have to be what they say; values of elements wrap.
enum class Of { bounds, values };

class Search {
 public:
  explicit Search(const std::map<std::string, std::int64_t>& sizes) : sizes_(sizes) {}

  void visit(const Stmt& s) {
    if (found_) return;
    const auto* loop = s.as<Loop>();
    const auto* walk = s.as<Coiterate>();
    const std::size_t around = known_.size();
    if (loop && !enter(loop->variable, loop->low, loop->high)) return;
    if (walk && !enter(walk->variable, walk->low, walk->high)) return;
    if (const auto* let = s.as<Let>()) known_.emplace_back(let->name, value(let->value, Of::values));
    const bool values = s.as<Assign>() || s.as<Append>() || s.as<Reset>() || s.as<Let>();
    if (const auto* append = s.as<Append>())
      for (const Expr& coordinate : append->coordinates) value(coordinate, Of::bounds);
    if (const auto* assign = s.as<Assign>()) look_at(assign->position);
    for_each_child(
        s, [&](const Stmt& child) { visit(child); },
        [&](const Expr& e) { value(e, values ? Of::values : Of::bounds); });
    known_.resize(around);
  }

  std::optional<Overflow> found() && { return std::move(found_); }

 private:
  /// False: none of its iterations runs.
  bool enter(const std::string& variable, const Expr& low, const Expr& high) {
    const Known from = value(low, Of::bounds), to = value(high, Of::bounds);
    if (found_ || (from && to && from->low >= to->high)) return false;
    known_.emplace_back(variable, from && to ? Known({from->low, to->high - 1}) : std::nullopt);
    return true;
  }

  void look_at(const Position& position) {
    for_each_child(position, [&](const Expr& coordinate) { value(coordinate, Of::bounds); });
  }

  Known value(const Expr& e, Of of) {
    if (const auto* c = e.as<Constant>())
      return format::is_integer(e->type) ? Known({c->value.integer, c->value.integer}) : std::nullopt;
    if (const auto* n = e.as<Name>()) return name(*n);
    if (const auto* b = e.as<Binary>()) return binary(e, *b, of);
    if (const auto* v = e.as<Value>()) {
      look_at(v->position);
      return std::nullopt;
    }
    if (const auto* s = e.as<Select>()) {
      value(s->condition, Of::bounds);
      const Known then = value(s->then, of), otherwise = value(s->otherwise, of);
      return then && otherwise ? Known(joined(*then, *otherwise)) : std::nullopt;
    }
    if (const auto* c = e.as<Call>()) return call(*c, of);
    for_each_child(e, [&](const Expr& child) { value(child, of); });
    return std::nullopt;
  }

  Known call(const Call& c, Of of) {
    std::vector<Known> all;
    for (const Expr& argument : c.arguments) all.push_back(value(argument, of));
    const bool least = c.function == format::Function::min;
    if ((!least && c.function != format::Function::max) ||
        std::ranges::count(all, true, &Known::has_value) < std::ssize(all))
      return std::nullopt;
    Interval found = *all.front();
    for (const Known& k : all)
      found = least ? Interval{std::min(found.low, k->low), std::min(found.high, k->high)}
                    : Interval{std::max(found.low, k->low), std::max(found.high, k->high)};
    return found;
  }

  Known binary(const Expr& e, const Binary& b, Of of) {
    const Known left = value(b.left, of), right = value(b.right, of);
    if (!left || !right || e->type != format::ScalarType::i64) return std::nullopt;
    const Known all = combined(b.op, *left, *right);
    if (!all || (all->low >= -largest_bound && all->high <= largest_bound)) return all;
    if (of == Of::bounds && !found_) found_ = Overflow{e, digits_of(all->high > largest_bound ? all->high : all->low)};
    return std::nullopt;
  }

  Known name(const Name& n) const {
    for (auto at = known_.rbegin(); at != known_.rend(); ++at)
      if (n.kind == Name::Kind::variable && at->first == n.name) return at->second;
    const auto size = sizes_.find(n.name);
    const bool known = n.kind == Name::Kind::size && size != sizes_.end();
    return known ? Known({size->second, size->second}) : std::nullopt;
  }

  const std::map<std::string, std::int64_t>& sizes_;
  std::vector<std::pair<std::string, Known>> known_;  ///< of variables of loops around
  std::optional<Overflow> found_;
};

}  // namespace
}  // namespace overflowing

std::optional<Overflow> find_overflow(const Flow& flow, const std::map<std::string, std::int64_t>& sizes) {
  overflowing::Search search(sizes);
  search.visit(flow.root);
  return std::move(search).found();
}

}  // namespace trellis::flow
