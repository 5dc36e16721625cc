#include "engine/emit/product.hpp"

#include <utility>

#include "engine/emit/locate.hpp"
#include "engine/emit/shorthand.hpp"
#include "engine/math/division.hpp"

namespace trellis::emit {

using format::Array;

namespace {

/// The levels of a product, from the first one: number `last()` is that of the cursor.
class Chain {
 public:
  Chain(Context& out, const CCursor& w) : out_(out), w_(w) {}

  std::size_t last() const { return w_.above.size(); }
  int level(std::size_t k) const { return k < last() ? w_.above[k].level : w_.cursor->level; }
  const format::Facts& facts(std::size_t k) const { return facts_of(*w_.tensor, level(k)); }
  /// Where level k stands, if the cursor is at that entry: with that of the level below, where each has one for each.
  c::Expr position(std::size_t k, const c::Expr& entry) const {
    while (k < last() && w_.above[k].at.empty()) ++k;
    return k < last() ? c::token(w_.above[k].at) : entry;
  }
  c::Expr coordinate(std::size_t k, const c::Expr& position, const c::Expr& parent) const {
    if (!facts(k).dense()) return index(out_.expressions.array(*w_.tensor, level(k), Array::coordinates), position);
    return is_zero(parent) ? position : minus(position, times(parent, size(k)));
  }
  /// Where the children of a position begin, in the level below level k.
  c::Expr children(std::size_t k, const c::Expr& position) const {
    if (facts(k + 1).covaries()) return position;
    if (facts(k + 1).dense()) return is_zero(position) ? position : times(position, size(k + 1));
    return index(out_.expressions.array(*w_.tensor, level(k + 1), Array::positions), position);
  }
  const math::DigitMap& map(std::size_t k) const { return k < last() ? w_.cursor->digits[k].map : w_.cursor->own; }
  /// The digit that a coordinate of level k is, if it is one.
  c::Expr digit(std::size_t k, c::Expr coordinate) const {
    const math::DigitMap& map = this->map(k);
    if (map.offset != 0) coordinate = minus(in_64_bits(coordinate), c::number(map.offset));
    return map.factor == 1 ? coordinate : c::binary("/", coordinate, c::number(map.factor));
  }
  /// The coordinate that a digit of level k has.
  c::Expr coordinate_of(std::size_t k, c::Expr digit) const {
    const math::DigitMap& map = this->map(k);
    if (map.factor != 1) digit = times(c::number(map.factor), digit);
    return map.offset == 0 ? digit : plus(digit, c::number(map.offset));
  }
  /// Whether a coordinate of level k is no digit; nothing where it cannot happen.
  c::Expr left_out(std::size_t k, const c::Expr& coordinate) const {
    const math::DigitMap& map = this->map(k);
    c::Expr all;
    const auto add = [&](const c::Expr& one) { all = all ? c::binary("||", all, one) : one; };
    if (map.low) add(c::binary("<", coordinate, c::number(*map.low)));
    if (map.high) add(c::binary(">=", coordinate, c::number(*map.high)));
    if (map.factor == 1) return all;
    const std::int64_t up = math::floor_mod(-map.offset, map.factor);  // no remainder is negative
    const c::Expr moved = up == 0 ? coordinate : plus(in_64_bits(coordinate), c::number(up));
    add(c::binary("!=", c::binary("%", moved, c::number(map.factor)), c::number(0)));
    return all;
  }
  c::Expr parent() const { return out_.expressions.offset(w_.cursor->parent); }
  c::Expr size(std::size_t k) const { return out_.expressions.size(*w_.tensor, level(k)); }

  /// What the coordinates of the first `levels` levels add up to.
  c::Expr sum(std::size_t levels, const c::Expr& entry) const {
    c::Expr all;
    c::Expr above = parent();
    for (std::size_t k = 0; k < levels; ++k) {
      const c::Expr at = position(k, entry);
      c::Expr own = digit(k, coordinate(k, at, above));
      if (k < last()) own = times(c::number(w_.above[k].unit), facts(k).dense() ? own : in_64_bits(own));
      all = all ? plus(all, own) : own;
      above = at;
    }
    return all;
  }

 private:
  Context& out_;
  const CCursor& w_;
};

/// The first entry that is not before a key: level by level, as long as there is one at the key's digit.
class Seeking {
 public:
  Seeking(Context& out, const CCursor& w, const c::Expr& key, std::string name)
      : out_(out), chain_(out, w), w_(w), name_(std::move(name)) {
    key_ = out_.bind(name_ + "'key");
    out_.add(constant(key_, key));
  }

  /// Declares where each level stands then, among the first one's.
  std::vector<std::string> run(const c::Expr& first, const c::Expr& last) {
    if (chain_.facts(chain_.last()).covaries()) return {bisected(first, last)};
    digit(0);
    for (std::size_t k = 0; k <= chain_.last(); ++k) at_.push_back(out_.bind(name_ + "." + std::to_string(k + 1)));
    out_.add(variable(at_[0], found(0, first, last)));
    descend(0);
    if (c::Stmt within = below(0, last)) out_.add(within);
    return at_;
  }

 private:
  /// Declares all levels below, at the first child.
  void descend(std::size_t k) {
    for (; k < chain_.last(); ++k) out_.add(variable(at_[k + 1], chain_.children(k, c::token(at_[k]))));
  }

  void digit(std::size_t k) {
    const c::Expr rest = k == 0 ? c::token(key_) : c::token(rest_);
    if (k == chain_.last()) {
      digit_ = rest.as<c::Token>()->text;
      return;
    }
    const c::Expr unit = c::number(w_.above[k].unit);
    digit_ = out_.bind(name_ + "." + std::to_string(k + 1) + "'digit");
    out_.add(constant(digit_, c::call(out_.prelude.use(Helper::floor_div), {rest, unit})));
    rest_ = out_.bind(name_ + "." + std::to_string(k + 1) + "'rest");
    out_.add(constant(rest_, minus(rest, times(unit, c::token(digit_)))));
  }

  /// The first position of level k, from the first to the last, that is not before the digit.
  c::Expr found(std::size_t k, const c::Expr& first, const c::Expr& last) {
    const c::Expr wanted = chain_.coordinate_of(k, c::token(digit_));
    const format::Facts& facts = chain_.facts(k);
    if (!facts.dense()) {
      const c::Expr crd = out_.expressions.array(*w_.tensor, chain_.level(k), Array::coordinates);
      return c::call(out_.prelude.use_seek(facts.wide, Prelude::Likely::any), {crd, first, last, wanted});
    }
    const c::Expr at = is_zero(first) ? wanted : plus(first, wanted);
    const c::Expr most = choose(c::binary("<", wanted, minus(last, first)), at, last);
    return k > 0 && chain_.map(k).offset >= 0 ? most : choose(c::binary("<", wanted, c::number(0)), first, most);
  }

  /// What is to be done where level k has an entry at its digit: the same in its fiber.
  c::Stmt below(std::size_t k, const c::Expr& last) {
    if (k == chain_.last()) return {};
    const c::Expr at = c::token(at_[k]);
    const c::Expr parent = k == 0 ? chain_.parent() : c::token(at_[k - 1]);
    const c::Expr there = c::binary("==", chain_.coordinate(k, at, parent), chain_.coordinate_of(k, c::token(digit_)));
    out_.open();
    const c::Expr begin = c::token(at_[k + 1]);
    const std::string end = out_.bind(name_ + "." + std::to_string(k + 2) + "'end");
    out_.add(constant(end, chain_.children(k, plus(at, c::number(1)))));
    digit(k + 1);
    out_.add(set(at_[k + 1], "=", found(k + 1, begin, c::token(end))));
    for (std::size_t l = k + 1; l < chain_.last(); ++l)
      out_.add(set(at_[l + 1], "=", chain_.children(l, c::token(at_[l]))));
    if (c::Stmt within = below(k + 1, c::token(end))) out_.add(within);
    return c::stmt(c::If{c::binary("&&", c::binary("<", at, last), there), out_.close(), {}});
  }

  std::string bisected(const c::Expr& first, const c::Expr& last) {
    const std::string low = out_.bind(name_ + "'at"), high = out_.bind(name_ + "'high");
    out_.add(variable(low, first));
    out_.add(variable(high, last));
    out_.open();
    const std::string middle = out_.bind(name_ + "'middle");
    const c::Expr half = c::binary("/", minus(c::token(high), c::token(low)), c::number(2));
    out_.add(constant(middle, plus(c::token(low), half)));
    const c::Stmt up = c::stmt(c::Block{{set(low, "=", plus(c::token(middle), c::number(1)))}});
    const c::Stmt down = c::stmt(c::Block{{set(high, "=", c::token(middle))}});
    const c::Expr before = c::binary("<", emit::key(out_, w_, c::token(middle)), c::token(key_));
    out_.add(c::stmt(c::If{before, up, down}));
    const c::Stmt body = out_.close();
    out_.add(c::stmt(c::While{c::binary("<", c::token(low), c::token(high)), body}));
    return low;
  }

  Context& out_;
  Chain chain_;
  const CCursor& w_;
  const std::string name_;
  std::string key_, digit_, rest_;
  std::vector<std::string> at_;
};

/// Of the first level, below the cursor's parent.
std::pair<c::Expr, c::Expr> outermost(Context& out, const CCursor& w, const Chain& chain) {
  std::pair<c::Expr, c::Expr> all;
  if (chain.facts(0).dense()) {
    const c::Expr parent = chain.parent(), size = chain.size(0);
    all.first = is_zero(parent) ? parent : times(parent, size);
    all.second = is_zero(parent) ? size : plus(all.first, size);
  } else {
    all = fiber(out, *w.tensor, chain.level(0), w.cursor->parent);
  }
  return where_it_exists(out, *w.cursor, all);
}

}  // namespace

void open_product(Context& out, CCursor& w, const flow::Coiterate& loop) {
  const std::string& name = w.cursor->name;
  for (const flow::Cursor::Digit& digit : w.cursor->digits) w.above.push_back({digit.level, digit.unit, {}});
  const Chain chain(out, w);
  const auto [from, to] = outermost(out, w, chain);
  const std::string first = out.bind(name + "'first"), last = out.bind(name + "'last");
  out.add(constant(first, from));
  out.add(constant(last, to));
  // By level, up to which position nothing, and from which on all is outside.
  std::vector<c::Expr> begins{c::token(first)}, ends{c::token(last)};
  for (std::size_t k = 0; k < chain.last(); ++k) {
    begins.push_back(chain.children(k, begins.back()));
    ends.push_back(chain.children(k, ends.back()));
  }
  const auto seek_to = [&](const c::Expr& key, const char* suffix, std::vector<c::Expr>& into) {
    const std::vector<std::string> found = Seeking(out, w, key, name + suffix).run(c::token(first), c::token(last));
    into.clear();
    for (std::size_t k = 0; k <= chain.last(); ++k) into.push_back(c::token(found[std::min(k, found.size() - 1)]));
  };
  const bool above = w.cursor->reversed ? w.cursor->below : w.cursor->above;
  const bool below = w.cursor->reversed ? w.cursor->above : w.cursor->below;
  const auto bounds = above || below ? stored_bounds(out, w, loop) : std::pair<c::Expr, c::Expr>();
  if (below) seek_to(bounds.first, "_from", begins);
  if (above) seek_to(bounds.second, "_to", ends);
  w.first = begins.back();
  w.last = ends.back();
  if (chain.facts(chain.last()).covaries()) return;
  for (std::size_t k = 0; k < chain.last(); ++k) {
    w.above[k].at = out.bind(name + "." + std::to_string(k + 1));
    out.add(variable(w.above[k].at, w.backward ? ends[k] : begins[k]));
  }
}

c::Expr key(Context& out, const CCursor& w, const c::Expr& entry) {
  const Chain chain(out, w);
  return chain.sum(chain.last() + 1, entry);
}

namespace {

/// The levels above follow the cursor, each to the fiber that it is in.
void move_above(Context& out, const CCursor& w) {
  const Chain chain(out, w);
  for (std::size_t k = chain.last(); k-- > 0;) {
    if (w.above[k].at.empty()) continue;
    const c::Expr at = c::token(w.above[k].at), below = chain.position(k + 1, c::token(w.at));
    const c::Expr behind = w.backward ? c::binary(">", chain.children(k, at), below)
                                      : c::binary("<=", chain.children(k, plus(at, c::number(1))), below);
    const c::Expr goes_on = w.end.empty() ? behind : c::binary("&&", alive(w), behind);
    const c::Stmt move = set(w.above[k].at, w.backward ? "-=" : "+=", c::number(1));
    out.add(c::stmt(c::While{goes_on, c::stmt(c::Block{{move}})}));
  }
}

}  // namespace

c::Expr has_no_key(Context& out, const CCursor& w) {
  const Chain chain(out, w);
  const c::Expr entry = c::token(w.at);
  c::Expr all, above = chain.parent();
  for (std::size_t k = 0; k <= chain.last(); ++k) {
    const c::Expr at = chain.position(k, entry);
    if (const c::Expr one = chain.left_out(k, chain.coordinate(k, at, above)))
      all = all ? c::binary("||", all, one) : one;
    above = at;
  }
  return all;
}

void catch_up(Context& out, const CCursor& w) {
  if (!w.cursor->is_product()) return;
  move_above(out, w);
  if (!w.cursor->leaves_digits_out() || w.end.empty()) return;
  out.open();
  out.add(set(w.at, w.backward ? "-=" : "+=", c::number(1)));
  move_above(out, w);
  const c::Stmt body = out.close();
  out.add(c::stmt(c::While{c::binary("&&", alive(w), has_no_key(out, w)), body}));
}

void leave_fibers(Context& out, const CCursor& w, const std::string& i, bool down) {
  const Chain chain(out, w);
  const std::size_t k = chain.last() - 1;
  const std::string& name = w.above[k].at;
  if (name.empty()) return;
  const c::Expr base = chain.sum(chain.last(), c::token(w.at));
  const c::Expr far = w.backward ? base : plus(base, c::number(w.above[k].unit - 1));
  const c::Expr before = c::binary(down ? ">" : "<", moved_stored(out, w, far), strided(w, i));
  out.open();
  if (w.backward) {
    out.add(set(w.at, "=", minus(chain.children(k, c::token(name)), c::number(1))));
    out.add(set(name, "-=", c::number(1)));
  } else {
    out.add(set(name, "+=", c::number(1)));
    out.add(set(w.at, "=", chain.children(k, c::token(name))));
  }
  catch_up(out, w);
  const c::Stmt body = out.close();
  out.add(c::stmt(c::While{c::binary("&&", alive(w), before), body}));
}

}  // namespace trellis::emit
