// What is there when a run begins, and may be read in it: elements are written once more where they were written
// before.
#include <algorithm>

#include "engine/schedule/narrow_runs.hpp"

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

}  // namespace

std::optional<math::Affine> counted_step(const Expr& element) {
  const Expr& slot = element.as<Access>()->indices[0];
  if (const auto* c = slot.as<lang::Constant>()) return math::Affine(c->value.integer);
  const auto* b = slot.as<lang::Binary>();
  return b && b->op == BinaryOp::modulo ? lang::affine(b->left) : std::nullopt;
}

std::optional<math::Affine> NarrowRuns::step_past(const For& loop) const {
  std::optional<math::Affine> found;
  bool one = true;
  loop::for_each(loop.body, [&](const Stmt& s) {
    const auto* a = s.as<Assign>();
    const Narrowed* of = a ? values_.of(a->target) : nullptr;
    if (!of || of->slots == 1) return;
    const auto step = counted_step(a->target);
    if (!step) return void(one = false);
    const math::Affine past = *step - math::Affine::name(loop.variable);
    one &= (!found || *found == past) && past.is_constant();
    found = past;
  });
  return one ? found : std::nullopt;
}

std::vector<Stmt> NarrowRuns::within(const Window& window, const Expr& element, std::vector<Stmt> visited) const {
  const auto step = counted_step(element);
  if (!step) throw Unsuited{"it is not known of which step " + lang::to_string(element) + " is", element->span};
  const Expr& slot = element.as<Access>()->indices[0];
  // Steps that are numbers are among the first ones, which the first run alone may read (lang/resolve/narrowed.cpp).
  const Expr read = step->is_constant()
                        ? lang::binary(BinaryOp::equal, lang::variable(names_.run), lang::integer(0))
                        : lang::binary(BinaryOp::logical_and,
                                       lang::binary(BinaryOp::less_equal, window.low, slot.as<lang::Binary>()->left),
                                       lang::binary(BinaryOp::less, slot.as<lang::Binary>()->left, window.high));
  return {made(If{read, loop::block(std::move(visited)), {}})};
}

std::vector<Stmt> NarrowRuns::written_by(const Stmt& stmt, const Window* window, const Visit& visit) const {
  const auto inner = [&](const Stmt& body) { return written_by(body, window, visit); };
  const auto known_before = [&](const Expr& e) {
    if (values_.reads_results(e))
      throw Unsuited{"what is written depends on " + lang::to_string(e) + ", which is computed here", e->span};
    return e;
  };
  std::vector<Stmt> all;
  if (const auto* b = stmt.as<Block>()) {
    for (const Stmt& child : b->statements) add_all(all, inner(child));
  } else if (const auto* f = stmt.as<For>()) {
    const auto past = window ? step_past(*f) : std::nullopt;
    std::vector<Stmt> body = past ? written_by(f->body, nullptr, visit) : inner(f->body);
    if (body.empty()) return all;
    Expr low = known_before(f->low), high = known_before(f->high);
    if (past) {
      const Expr by = lang::integer(past->constant);
      low = greater(low, minus(window->low, by));
      high = lesser(high, minus(window->high, by));
    }
    all.push_back(over(f->variable, low, high, std::move(body)));
  } else if (const auto* i = stmt.as<If>()) {
    std::vector<Stmt> then = inner(i->then), otherwise = i->otherwise ? inner(*i->otherwise) : std::vector<Stmt>();
    if (then.empty() && otherwise.empty()) return all;
    If kept{known_before(i->condition), loop::block(std::move(then)), {}};
    if (!otherwise.empty()) kept.otherwise = loop::block(std::move(otherwise));
    all.push_back(made(std::move(kept)));
  } else if (const auto* l = stmt.as<Let>()) {
    std::vector<Stmt> body = inner(l->body);
    if (!body.empty()) all.push_back(made(Let{l->name, known_before(l->value), loop::block(std::move(body))}));
  } else if (const auto* a = stmt.as<Assign>()) {
    const Narrowed* one = values_.of(a->target);
    if (one && one->slots > 1) all = window ? within(*window, a->target, visit(a->target)) : visit(a->target);
  }
  return all;
}

std::vector<Stmt> NarrowRuns::whole(const Narrowed& one, const Visit& visit, Columns columns) const {
  Access element{one.wide.name, {}, {}};
  std::vector<std::string> names;
  for (std::size_t d = 0; d < one.wide.shape.size(); ++d) {
    names.push_back(names_.run + "_" + std::to_string(d));
    element.indices.push_back(lang::variable(names.back()));
  }
  std::vector<Stmt> all = visit(Expr(lang::ExprNode{std::move(element), one.wide.type, {}}));
  for (std::size_t d = names.size(); d-- > 0;) {
    const Expr size = lang::to_expr(one.wide.shape[d], {});
    const bool cut = strips_ && columns == Columns::of_strip;
    all = {over(names[d], cut ? strips_->first() : lang::integer(0), cut ? lesser(size, strips_->past()) : size,
                std::move(all))};
  }
  return all;
}

std::vector<Stmt> NarrowRuns::whole(const Visit& visit) const {
  std::vector<Stmt> all;
  for (const Narrowed& one : values_.tensors())
    if (one.slots == 1) add_all(all, whole(one, visit, Columns::of_strip));
  return all;
}

void NarrowRuns::find_window() {
  if (steps_of_.until || steps_of_.descending || steps_of_.execution != For::Execution::serial)
    throw Unsuited{"loop " + steps_of_.variable + " ends early, runs downwards or on threads, and is not taken in runs",
                   steps_of_.low->span};
  std::optional<std::int64_t> least, most;
  loop::for_each(loop_, [&](const Stmt& s) {
    const auto* a = s.as<Assign>();
    const Narrowed* one = a ? values_.of(a->target) : nullptr;
    if (!one || one->slots == 1) return;
    window_ = std::max<std::int64_t>(window_, one->slots - 1);
    const auto step = counted_step(a->target);
    const math::Affine past = step ? *step - math::Affine::name(steps_of_.variable) : math::Affine::name("");
    if (!past.is_constant())
      throw Unsuited{"loop " + steps_of_.variable + " does not take the steps of " + one->tensor + " one by one",
                     s->span};
    least = std::min(least.value_or(past.constant), past.constant);
    most = std::max(most.value_or(past.constant), past.constant);
  });
  offset_ = least.value_or(0);
  window_ += most.value_or(0) - offset_;
}

std::vector<Stmt> NarrowRuns::last_steps(const Stmt& body, const Expr& end, const Visit& visit) const {
  const Expr low = greater(steps_of_.low, minus(end, lang::integer(window_)));
  std::vector<Stmt> visited = written_by(body, nullptr, visit);
  return visited.empty() ? visited : std::vector<Stmt>{over(steps_of_.variable, low, end, std::move(visited))};
}

std::vector<Stmt> NarrowRuns::written_before(const Expr& first, const Expr& end, const Visit& visit) const {
  const Window window{plus(first, lang::integer(offset_ - window_)), plus(end, lang::integer(offset_ + window_))};
  std::vector<Stmt> all;
  for (const Stmt& s : before_)
    if (writes(s, values_)) add_all(all, written_by(s, &window, visit));
  return all;
}

std::vector<Stmt> NarrowRuns::there(const Expr& first, const Expr& end, const Stmt& body) const {
  const Visit itself = [&](const Expr& element) { return std::vector<Stmt>{set(element, element)}; };
  std::vector<Stmt> all;
  for (const Stmt& s : written_before(first, end, itself))
    add_all(all, strips_ ? strips_->clipped(s, strips_->left(), strips_->past()) : std::vector<Stmt>{s});
  add_all(all, last_steps(body, first, itself));
  return all;
}

std::vector<Stmt> NarrowRuns::handed_on(const Expr& first, const Expr& end) const {
  const Visit itself = [&](const Expr& element) { return std::vector<Stmt>{set(element, element)}; };
  std::vector<Stmt> all = written_before(first, end, itself);
  add_all(all, last_steps(steps_of_.body, first, itself));
  return strips_->handed_on(all);
}

}  // namespace trellis::schedule
