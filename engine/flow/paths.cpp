#include "engine/flow/paths.hpp"

#include "engine/format/storage_order.hpp"

namespace trellis::flow {
namespace {

Expr made(format::BinaryOp op, const Expr& left, const Expr& right) {
  return Expr(ExprNode{Binary{op, left, right}, format::ScalarType::i64, {}});
}

/// What the level stores where the loop's coordinate is that variable.
Expr stored(const Cursor& cursor, const std::string& variable) {
  const Expr i = name(variable);
  if (cursor.plain()) return i;
  const Expr counted = cursor.stride == 1 ? i : made(format::BinaryOp::multiply, integer(cursor.stride), i);
  const Expr moved = cursor.reversed ? made(format::BinaryOp::subtract, cursor.offset, counted)
                                     : made(format::BinaryOp::subtract, counted, cursor.offset);
  return cursor.stretch == 1 ? moved : made(format::BinaryOp::divide, moved, integer(cursor.stretch));
}

/// The digits of what is stored, of a product.
Path digits_of_key(const Cursor& cursor, Expr key) {
  Path all;
  const auto coordinate = [](const math::DigitMap& map, Expr digit) {
    if (map.factor != 1) digit = made(format::BinaryOp::multiply, integer(map.factor), digit);
    return map.offset == 0 ? digit : made(format::BinaryOp::add, digit, integer(map.offset));
  };
  for (const Cursor::Digit& digit : cursor.digits) {
    all.push_back(coordinate(digit.map, made(format::BinaryOp::divide, key, integer(digit.unit))));
    key = made(format::BinaryOp::modulo, key, integer(digit.unit));
  }
  all.push_back(coordinate(cursor.own, key));
  return all;
}

}  // namespace

std::string element_text(const Tensor& tensor, const Path& path) {
  std::vector<std::string> indices(tensor.levels.size(), ":");
  for (std::size_t level = 0; level < path.size(); ++level)
    indices[format::dimension_of(tensor, level)] = to_string(path[level]);
  std::string text;
  for (const std::string& index : indices) text += (text.empty() ? "" : ",") + index;
  return tensor.name + "(" + text + ")";
}

void Paths::enter(const Coiterate& loop) {
  for (const Cursor& cursor : loop.cursors) {
    Path path = of(cursor.parent);
    // The index of a segment's entries is known to a loop inside.
    if (!cursor.takes_segments())
      for (const Expr& coordinate : digits_of_key(cursor, stored(cursor, loop.variable)))
        path.push_back(written(coordinate));
    entries_[cursor.name] = std::move(path);
  }
}

void Paths::enter(const Loop& loop) {
  if (loop.among) entries_[loop.among->entry] = {name(loop.variable), loop.among->coordinate};
}

void Paths::enter(const Let& let) {
  if (const auto* here = let.value.as<Here>()) entries_[let.name] = entries_[here->cursor];
  const auto* asked = let.value.as<Select>();
  if (const auto* checked = (asked ? asked->then : let.value).as<Checked>()) checked_[let.name] = checked->coordinate;
}

Path Paths::of(const Position& position) const {
  return position.match(
      [](const Root&) { return Path(); }, [&](const Direct& d) { return below(d.parent, d.coordinate); },
      [&](const At& at) { return of_entry(at.name); }, [&](const Within& w) { return of_entry(w.name); });
}

Path Paths::below(const Position& parent, const Expr& coordinate) const {
  Path all = of(parent);
  all.push_back(written(coordinate));
  return all;
}

const Path& Paths::of_entry(const std::string& name) const {
  static const Path none;
  const auto known = entries_.find(name);
  return known == entries_.end() ? none : known->second;
}

/// The index that a name stands for, where it was checked before.
Expr Paths::written(const Expr& coordinate) const {
  const auto* n = coordinate.as<Name>();
  const auto known = n ? checked_.find(n->name) : checked_.end();
  return known == checked_.end() ? coordinate : known->second;
}

}  // namespace trellis::flow
