#include "engine/flow/column_end.hpp"

#include <algorithm>

#include "engine/flow/only_statement.hpp"
#include "engine/flow/ranges.hpp"
#include "engine/flow/rename.hpp"

namespace trellis::flow {

namespace {

bool is_value_at(const Expr& e, const std::string& tensor, const std::string& entry) {
  const auto* v = e.as<Value>();
  const auto* at = v && v->tensor == tensor ? v->position.as<At>() : nullptr;
  return at && !at->several && at->name == entry;
}

bool is_column_of(const Cursor& cursor, const std::string& column) {
  const auto* d = cursor.parent.as<Direct>();
  const auto* n = d && !d->check && d->parent.as<Root>() ? d->coordinate.as<Name>() : nullptr;
  return cursor.plain() && cursor.level == 1 && !cursor.exists && n && n->name == column;
}

/// Does one cursor lead it, along the column of a side?
bool leads_column(const Coiterate& c, const LeftLooking::Side& side, const std::string& column) {
  const std::vector<int>& leads = c.points[0].leads;
  const Cursor* const lead = leads.size() == 1 ? &c.cursors[static_cast<std::size_t>(leads[0])] : nullptr;
  return lead && is_column_of(*lead, column) && (lead->tensor == side.factor || lead->tensor == side.pattern);
}

/// The one assignment to the factor's entry.
const Assign* only_assignment(const Stmt& s, const ColumnEnd& end) {
  const Stmt* only = only_statement(s);
  const auto* a = only ? only->as<Assign>() : nullptr;
  const auto* at = a && !a->op && a->tensor == end.factor ? a->position.as<At>() : nullptr;
  return at && at->name == end.entry ? a : nullptr;
}

/// The entry's values, with the operand's and without: both in one.
std::optional<Expr> whole_of(const Stmt& body, const ColumnEnd& end) {
  const Stmt* inside = only_statement(body);
  const auto* here = inside ? inside->as<Test>() : nullptr;
  if (here && here->cursor == end.entry && here->certain) inside = only_statement(here->then);
  if (!inside) return std::nullopt;
  if (!end.operand) {
    const Assign* const all = only_assignment(*inside, end);
    return all ? std::optional(all->value) : std::nullopt;
  }
  const auto* given = inside->as<Test>();
  if (!given || given->cursor != end.operand->name || !given->otherwise) return std::nullopt;
  const Assign *const with = only_assignment(given->then, end), *const without =
                                                                    only_assignment(*given->otherwise, end);
  if (!with || !without) return std::nullopt;
  const auto absent = [&](const Expr& e, const auto& self) -> Expr {
    if (is_value_at(e, end.operand->tensor, end.operand->name)) return constant(format::Value::of(e->type, 0));
    return map_children(e, [&](const Expr& child) { return self(child, self); });
  };
  return absent(with->value, absent) == without->value ? std::optional(with->value) : std::nullopt;
}

bool of_entries(const Expr& e, const ColumnEnd& end) {
  bool found =
      is_value_at(e, end.factor, end.entry) || (end.operand && is_value_at(e, end.operand->tensor, end.operand->name));
  for_each_child(e, [&](const Expr& child) { found = found || of_entries(child, end); });
  return found;
}

/// Parameters and numbers stay; all else that is no entry's is kept. False where one of them has another type.
bool keep_others(const Expr& e, ColumnEnd& end, format::ScalarType type) {
  const auto* n = e.as<Name>();
  if (e.as<Constant>() || (n && n->kind != Name::Kind::variable)) return true;
  if (is_value_at(e, end.factor, end.entry) || (end.operand && is_value_at(e, end.operand->tensor, end.operand->name)))
    return true;
  if (!of_entries(e, end)) {
    if (std::ranges::find(end.kept, e) == end.kept.end()) end.kept.push_back(e);
    return e->type == type && !e.as<After>();
  }
  bool fine = !e.as<Apply>() && !e.as<After>() && !e.as<Checked>();
  for_each_child(e, [&](const Expr& child) { fine = fine && keep_others(child, end, type); });
  return fine;
}

}  // namespace

Expr ColumnEnd::value(const Expr& given, const Expr& sum, const std::function<Expr(std::size_t)>& kept_one) const {
  const auto visit = [&](const Expr& e, const auto& self) -> Expr {
    if (is_value_at(e, factor, entry)) return sum;
    if (operand && is_value_at(e, operand->tensor, operand->name)) return given;
    const auto at = std::ranges::find(kept, e);
    if (at != kept.end()) return kept_one(static_cast<std::size_t>(at - kept.begin()));
    return map_children(e, [&](const Expr& child) { return self(child, self); });
  };
  return visit(whole, visit);
}

Stmt ColumnEnd::with(const Stmt& body, const Stmt& instead) const {
  if (body.same(walk)) return instead;
  return map_children(
      body, [&](const Stmt& child) { return with(child, instead); }, [](const Expr& e) { return e; });
}

std::optional<ColumnEnd> column_end(const LeftLooking& of, const LeftLooking::Side& side, const Stmt& body,
                                    const Tensor& factor) {
  std::vector<Stmt> own;
  std::size_t loops = 0;
  for_each_stmt(body, [&](const Stmt& s) {
    loops += s.as<Coiterate>() || s.as<Loop>() || s.as<While>();
    const auto* c = s.as<Coiterate>();
    if (c && c->points.size() == 1 && leads_column(*c, side, of.column)) own.push_back(s);
  });
  const auto* c = own.size() == 1 && loops == of.sides.size() ? own[0].as<Coiterate>() : nullptr;
  const auto low = c ? affine(c->low) : std::nullopt;
  const math::Affine column = math::Affine::name(of.column);
  if (!c || c->by_regions() || c->unless || c->execution != Loop::Execution::serial ||
      c->direction != Domain::Direction::up || !(c->high == of.size) || !low ||
      !(*low == column || *low == column + math::Affine(1)))
    return std::nullopt;
  const Coiterate::Point& point = c->points[0];
  if (point.follows.size() > 1 || c->cursors.size() != 1 + point.follows.size()) return std::nullopt;
  const Cursor& lead = c->cursors[static_cast<std::size_t>(point.leads[0])];
  ColumnEnd end{{}, {}, own[0], side.factor, lead.name, {}, *low == column};
  if (!point.follows.empty()) {
    end.operand = c->cursors[static_cast<std::size_t>(point.follows[0])];
    if (!is_column_of(*end.operand, of.column)) return std::nullopt;
  }
  const auto whole = whole_of(point.body, end);
  if (!whole || names(*whole, c->variable) || !keep_others(*whole, end, factor.type)) return std::nullopt;
  end.whole = *whole;
  return end;
}

}  // namespace trellis::flow
