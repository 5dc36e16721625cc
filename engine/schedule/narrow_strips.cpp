#include "engine/schedule/narrow_strips.hpp"

#include <algorithm>
#include <numeric>

#include "engine/loop/instead_of.hpp"
#include "engine/loop/simplify_expressions.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::schedule {

namespace {

using format::BinaryOp;
using lang::Access;
using loop::Assign;
using loop::Block;
using loop::For;
using loop::If;
using loop::Let;
using loop::Stmt;
using math::Affine;

// More columns on the left than these are too many to note one by one.
constexpr int most_needed = 4;

Expr less_equal(const Expr& a, const Expr& b) { return lang::binary(BinaryOp::less_equal, a, b); }
Expr less(const Expr& a, const Expr& b) { return lang::binary(BinaryOp::less, a, b); }
Expr both(const Expr& a, const Expr& b) { return lang::binary(BinaryOp::logical_and, a, b); }
/// Is it known that a form is not 0, whatever its names are?
bool is_never_zero(const Affine& form) {
  std::int64_t divisor = 0;
  for (const auto& [name, coefficient] : form.terms) divisor = std::gcd(divisor, coefficient);
  if (!form.quotients.empty()) return false;
  return divisor == 0 ? form.constant != 0 : form.constant % divisor != 0;
}

const Expr& column_index(const Expr& element) { return element.as<Access>()->indices.back(); }

}  // namespace

std::optional<ColumnStrips> ColumnStrips::find(const Stmt& steps, const std::vector<Stmt>& before,
                                               const NarrowValues& values, int columns) {
  ColumnStrips result(steps, values, columns);
  if (!result.suits()) return std::nullopt;
  if (!std::ranges::all_of(before, [&](const Stmt& s) { return result.has_one_column(s); })) return std::nullopt;
  return result;
}

bool ColumnStrips::suits() {
  for (const Narrowed& one : values_.tensors())
    if (one.wide.shape.size() != (one.slots > 1 ? 2 : 1)) return false;
  const auto& loop = *steps_.as<For>();
  bool known = true;
  loop::for_each(steps_, [&](const Stmt& s) {
    const auto* a = s.as<Assign>();
    if (!a) return;
    written_.insert(a->target.as<Access>()->tensor);
    const Narrowed* one = values_.of(a->target);
    if (!one || one->slots == 1) return;
    const auto step = counted_step(a->target);
    const Affine past = step ? *step - Affine::name(loop.variable) : Affine::name("");
    known &= past.is_constant() && step_written_.emplace(one->wide.name, past).first->second == past;
  });
  return known && suits(loop.body) && has_one_column(loop.body);
}

bool ColumnStrips::suits(const Stmt& stmt) {
  if (const auto* a = stmt.as<Assign>()) return suits(*a);
  if (const auto* f = stmt.as<For>())
    if (f->execution == For::Execution::parallel || f->descending || f->until || f->jam > 1) return false;
  if (const auto* i = stmt.as<If>(); i && reads_written(i->condition)) return false;
  if (!stmt.as<Block>() && !stmt.as<For>() && !stmt.as<If>() && !stmt.as<Let>() && !stmt.as<loop::Note>()) return false;
  bool all = true;
  loop::for_each_child(
      stmt, [&](const Stmt& child) { all = all && suits(child); }, [&](const Expr& e) { all &= !reads_written(e); });
  return all;
}

bool ColumnStrips::suits(const Assign& assign) {
  const auto& target = *assign.target.as<Access>();
  const std::vector<Expr> reads = steps_read(assign.value);
  if (!values_.of(assign.target)) {
    if (reads.empty()) return !reads_written(assign.value) && !assign.op;
    // A result's column is that of what it is computed from; its elements are then written in the same order as before.
    const auto is_column = [&](const Expr& index) {
      return std::ranges::any_of(reads, [&](const Expr& r) {
        const auto form = lang::affine(index);
        return form && form == lang::affine(column_index(r));
      });
    };
    const auto at = std::ranges::find_if(target.indices, is_column) - target.indices.begin();
    const auto dimension = static_cast<std::size_t>(at);
    if (dimension == target.indices.size() && !(target.indices.empty() && assign.op)) return false;
    if (dimension_.emplace(target.tensor, dimension).first->second != dimension) return false;
  }
  if (reads_written(assign.value)) return false;
  for (const Expr& index : target.indices)
    if (reads_written(index) || !steps_read(index).empty()) return false;
  const auto column = column_of(assign);
  const auto form = column ? lang::affine(*column) : std::nullopt;
  return form && std::ranges::all_of(reads, [&](const Expr& read) { return note_left_read(read, *form); });
}

/// Of what other statements write in these loops, no elements but steps may be read: they would not be there yet.
bool ColumnStrips::reads_written(const Expr& e) const {
  const auto* a = e.as<Access>();
  bool found = a && !values_.of(e) && written_.contains(a->tensor);
  lang::for_each_child(e, [&](const Expr& child) { found |= reads_written(child); });
  return found;
}

bool ColumnStrips::note_left_read(const Expr& read, const Affine& column) {
  const auto at = lang::affine(column_index(read));
  const auto apart = at ? *at - column : Affine::name("");
  if (!apart.is_constant() || apart.constant > 0 || apart.constant < -std::min(width_, most_needed)) return false;
  if (apart.constant == 0) return true;
  const Narrowed& one = *values_.of(read);
  const auto step = counted_step(read), written = one.slots > 1 ? counted_step(read) : std::nullopt;
  if (!step || !written || !step_written_.contains(one.wide.name)) return false;
  // Of an earlier step, and not of one whose place this step takes.
  const Affine past = *step - step_written_.at(one.wide.name) - Affine::name(steps_.as<For>()->variable);
  if (!past.is_constant() || past.constant % one.slots == 0) return false;
  const auto known = std::ranges::find(needed_, one.wide.name, &Needed::tensor);
  const int columns = static_cast<int>(-apart.constant);
  if (known == needed_.end()) needed_.push_back({one.wide.name, columns, {}, {}});
  else known->columns = std::max(known->columns, columns);
  return true;
}

std::vector<Expr> ColumnStrips::steps_read(const Expr& e) const {
  if (values_.of(e)) return {e};
  std::vector<Expr> all;
  lang::for_each_child(e, [&](const Expr& child) {
    for (const Expr& read : steps_read(child)) all.push_back(read);
  });
  return all;
}

std::optional<Expr> ColumnStrips::column_of(const Assign& assign) const {
  if (values_.of(assign.target)) return column_index(assign.target);
  const auto& target = *assign.target.as<Access>();
  const std::vector<Expr> reads = steps_read(assign.value);
  if (reads.empty()) return lang::integer(0);  // whichever strip does it
  const auto at = dimension_.find(target.tensor);
  if (at == dimension_.end()) return std::nullopt;
  if (at->second < target.indices.size()) return target.indices[at->second];
  return column_index(reads.front());
}

std::vector<Affine> ColumnStrips::columns_in(const Stmt& stmt) const {
  std::vector<Affine> all;
  loop::for_each(stmt, [&](const Stmt& s) {
    const auto* a = s.as<Assign>();
    const auto column = a ? column_of(*a) : std::nullopt;
    if (const auto form = column ? lang::affine(*column) : std::nullopt) add_once(all, *form);
  });
  return all;
}

/// How far the columns of all that a loop does are past its variable, where that is one number.
std::optional<Affine> ColumnStrips::past_variable(const For& loop) const {
  const std::vector<Affine> columns = columns_in(loop.body);
  if (columns.size() != 1) return std::nullopt;
  const Affine past = columns.front() - Affine::name(loop.variable);
  return past.is_constant() ? std::optional(past) : std::nullopt;
}

/// Does each loop go over columns one by one, or through one that it does not name?
bool ColumnStrips::has_one_column(const Stmt& stmt) const {
  bool all = true;
  loop::for_each(stmt, [&](const Stmt& s) {
    if (const auto* a = s.as<Assign>(); a && values_.of(a->target)) {
      all &= lang::affine(column_index(a->target)).has_value() && lang::affine(a->target.as<Access>()->indices[0]);
    } else if (const auto* f = s.as<For>()) {
      const auto names_it = [&](const Affine& column) { return column.mentions(f->variable); };
      all &= past_variable(*f).has_value() || std::ranges::none_of(columns_in(f->body), names_it);
    }
  });
  return all;
}

void ColumnStrips::name(const std::function<std::string(const std::string&)>& fresh) {
  const std::string of = values_.tensors().front().tensor;
  variable_ = fresh(of + "_strip");
  for (Needed& one : needed_) {
    const auto at = std::ranges::find(values_.tensors(), one.tensor, [](const Narrowed& n) { return n.wide.name; });
    one.border = fresh(at->tensor + "_border");
    one.before = fresh(at->tensor + "_before");
  }
}

Expr ColumnStrips::count() const {
  std::optional<Expr> columns;
  for (const Narrowed& one : values_.tensors()) {
    const Expr size = lang::to_expr(one.wide.shape.back(), {});
    columns = columns ? greater(*columns, size) : size;
  }
  return loop::simplify(
      lang::binary(BinaryOp::divide, plus(*columns, lang::integer(width_ - 1)), lang::integer(width_)));
}

Expr ColumnStrips::first() const {
  return lang::binary(BinaryOp::multiply, lang::integer(width_), lang::variable(variable_));
}
Expr ColumnStrips::past() const { return plus(first(), lang::integer(width_)); }
Expr ColumnStrips::left() const {
  int most = 0;
  for (const Needed& one : needed_) most = std::max(most, one.columns);
  return minus(first(), lang::integer(most));
}

const ColumnStrips::Needed* ColumnStrips::needed(const Expr& element) const {
  const auto at = std::ranges::find(needed_, element.as<Access>()->tensor, &Needed::tensor);
  return at == needed_.end() ? nullptr : &*at;
}

Stmt ColumnStrips::made(decltype(loop::StmtNode::is) is) const {
  return Stmt(loop::StmtNode{std::move(is), steps_->span}, steps_.origin());
}

std::vector<Stmt> ColumnStrips::when(const Expr& condition, std::vector<Stmt> then) const {
  if (then.empty()) return {};
  return {made(If{loop::simplify(condition), loop::block(std::move(then)), {}})};
}

std::vector<Stmt> ColumnStrips::clipped(const Stmt& stmt, const Expr& low, const Expr& past) const {
  std::vector<Stmt> all;
  if (const auto* a = stmt.as<Assign>()) {
    const Expr column = *column_of(*a);
    return when(both(less_equal(low, column), less(column, past)), {stmt});
  }
  if (const auto* b = stmt.as<Block>()) {
    for (const Stmt& child : b->statements) add_all(all, clipped(child, low, past));
    return all;
  }
  if (stmt.as<loop::Note>()) return all;
  if (const auto* f = stmt.as<For>()) {
    For kept = *f;
    if (const auto by = past_variable(*f)) {
      kept.low = greater(f->low, minus(low, lang::integer(by->constant)));
      kept.high = lesser(f->high, minus(past, lang::integer(by->constant)));
    } else {
      std::vector<Stmt> body = clipped(f->body, low, past);
      if (body.empty()) return all;
      kept.body = loop::block(std::move(body), f->body.origin());
    }
    return {loop::instead_of(stmt, std::move(kept))};
  }
  bool empty = true;
  const Stmt kept = loop::map_children(
      stmt,
      [&](const Stmt& child) {
        std::vector<Stmt> inner = clipped(child, low, past);
        empty &= inner.empty();
        return loop::block(std::move(inner), child.origin());
      },
      [](const Expr& e) { return e; });
  return empty ? all : std::vector<Stmt>{kept};
}

std::vector<Stmt> ColumnStrips::at(const Stmt& stmt, const Expr& column, const Visit& visit,
                                   const Replaced& replaced) const {
  std::vector<Stmt> all;
  const auto now = [&](const Expr& e) { return loop::simplify(lang::substitute(e, replaced)); };
  if (const auto* b = stmt.as<Block>()) {
    for (const Stmt& child : b->statements) add_all(all, at(child, column, visit, replaced));
  } else if (const auto* f = stmt.as<For>()) {
    const auto by = past_variable(*f);
    if (!by) {
      std::vector<Stmt> body = at(f->body, column, visit, replaced);
      if (body.empty()) return all;
      For kept;
      kept.variable = f->variable;
      kept.low = now(f->low);
      kept.high = now(f->high);
      kept.body = loop::block(std::move(body));
      return {made(std::move(kept))};
    }
    const Expr value = minus(column, lang::integer(by->constant));
    Replaced more = replaced;
    more.emplace_back(f->variable, value);
    return when(both(less_equal(now(f->low), value), less(value, now(f->high))), at(f->body, column, visit, more));
  } else if (const auto* i = stmt.as<If>()) {
    all = when(now(i->condition), at(i->then, column, visit, replaced));
    if (i->otherwise) {
      const Expr not_so = lang::binary(BinaryOp::equal, now(i->condition),
                                       lang::constant(format::Value::of(format::ScalarType::boolean, 0)));
      add_all(all, when(not_so, at(*i->otherwise, column, visit, replaced)));
    }
  } else if (const auto* l = stmt.as<Let>()) {
    std::vector<Stmt> body = at(l->body, column, visit, replaced);
    if (!body.empty()) all.push_back(made(Let{l->name, now(l->value), loop::block(std::move(body))}));
  } else if (const auto* a = stmt.as<Assign>(); a && values_.of(a->target) && values_.of(a->target)->slots > 1) {
    Access element = *a->target.as<Access>();
    const Expr here = now(element.indices.back());
    const Affine apart = *lang::affine(here) - *lang::affine(column);
    if (is_never_zero(apart)) return all;
    element.indices = {now(element.indices[0]), column};
    all = visit(Expr(lang::ExprNode{std::move(element), a->target->type, a->target->span}));
    if (apart != Affine(0)) all = when(lang::binary(BinaryOp::equal, here, column), std::move(all));
  }
  return all;
}

Expr ColumnStrips::border_of(const Needed& needed, int column, const Expr& step) const {
  const auto one = std::ranges::find(values_.tensors(), needed.tensor, [](const Narrowed& n) { return n.wide.name; });
  return Expr(lang::ExprNode{Access{needed.border, {lang::integer(column), step}, {}}, one->wide.type, steps_->span});
}

Stmt ColumnStrips::step(const Expr& first_step) const {
  const auto& loop = *steps_.as<For>();
  const Expr number = minus(lang::variable(loop.variable), first_step);
  std::vector<Stmt> all, behind;
  for (const Needed& one : needed_)
    for (int k = 0; k < one.columns; ++k) {
      const auto of_this = [&](const Expr& element) { return needed(element) == &one; };
      const Expr back = lang::integer(one.columns - k), border = border_of(one, k, number);
      add_all(all,
              at(loop.body, minus(first(), back),
                 [&](const Expr& e) { return of_this(e) ? std::vector{set(e, border)} : std::vector<Stmt>(); }, {}));
      add_all(behind,
              at(loop.body, minus(past(), back),
                 [&](const Expr& e) { return of_this(e) ? std::vector{set(border, e)} : std::vector<Stmt>(); }, {}));
    }
  add_all(all, clipped(loop.body, first(), past()));
  add_all(all, behind);
  return loop::block(std::move(all), loop.body.origin());
}

std::vector<Stmt> ColumnStrips::handed_on(const std::vector<Stmt>& there) const {
  std::vector<Stmt> all, behind;
  for (const Needed& one : needed_)
    for (int k = 0; k < one.columns; ++k)
      for (const Stmt& stmt : there) {
        const auto noted = [&](const Expr& element) {
          return Expr(lang::ExprNode{Access{one.before, {lang::integer(k), element.as<Access>()->indices[0]}, {}},
                                     element->type, element->span});
        };
        const Expr back = lang::integer(one.columns - k);
        add_all(all, at(stmt, minus(first(), back),
                        [&](const Expr& e) {
                          return needed(e) == &one ? std::vector{set(e, noted(e))} : std::vector<Stmt>();
                        },
                        {}));
        add_all(behind, at(stmt, minus(past(), back),
                           [&](const Expr& e) {
                             return needed(e) == &one ? std::vector{set(noted(e), e)} : std::vector<Stmt>();
                           },
                           {}));
      }
  add_all(all, behind);
  return all;
}

std::vector<lang::TensorInfo> ColumnStrips::borders(int steps) const {
  std::vector<lang::TensorInfo> all;
  for (const Needed& one : needed_) {
    const auto of = std::ranges::find(values_.tensors(), one.tensor, [](const Narrowed& n) { return n.wide.name; });
    for (const auto& [name, size] : {std::pair(one.border, steps), std::pair(one.before, of->slots)}) {
      lang::TensorInfo info = of->wide;
      info.name = name;
      info.shape = {Affine(one.columns), Affine(size)};
      info.format = format::Format::dense(2);
      info.kind = lang::TensorInfo::Kind::temporary;
      info.steps_of = {};
      all.push_back(std::move(info));
    }
  }
  return all;
}

std::vector<std::string> ColumnStrips::border_names() const {
  std::vector<std::string> all;
  for (const Needed& one : needed_) all.push_back(one.border);
  return all;
}

}  // namespace trellis::schedule
