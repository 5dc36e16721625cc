// Expressions and positions, as the emitter writes them: in the same order, `&&`, `||` and choices without what is not
// needed.

#include "engine/flow/cursor_iterator.hpp"

namespace trellis::flow {

namespace {

format::Value divided(Machine& m, const Expr& e, const Binary& b) {
  const format::Value left = evaluate(m, b.left), right = evaluate(m, b.right);
  format::Fault fault = format::Fault::none;
  const format::Value result = format::apply(b.op, left, right, fault);
  if (fault == format::Fault::division_by_zero)
    m.fail(FaultKind::division_by_zero, e->span, "integer division by zero");
  if (fault == format::Fault::division_overflow)
    m.fail(FaultKind::division_overflow, e->span, "the smallest integer was divided by -1");
  return result;
}

/// A function of the user has tensors of its own: its operands and locals, all of them scalars.
format::Value applied(Machine& m, const Expr& e, const Apply& a) {
  const Function* function = nullptr;
  for (const Function& f : m.flow.functions)
    if (f.name == a.function) function = &f;
  if (!function) m.fail(FaultKind::unbound, e->span, "no function " + a.function);
  std::vector<format::Value> arguments;
  for (const Expr& argument : a.arguments) arguments.push_back(evaluate(m, argument));
  std::unordered_map<std::string, std::shared_ptr<Store>> own;
  for (const auto* tensors : {&function->parameters, &function->locals})
    for (const Tensor& tensor : *tensors)
      own[tensor.name] = std::make_shared<Workspace>(tensor, std::vector<std::int64_t>{});
  for (std::size_t k = 0; k < arguments.size(); ++k) own[function->parameters[k].name]->set(0, arguments[k]);
  std::swap(m.stores, own);
  const Stmt outside = m.current;
  execute(m, function->body);
  const format::Value result = evaluate(m, function->result);
  m.current = outside;
  std::swap(m.stores, own);
  return result;
}

format::Value named_value(Machine& m, const Expr& e, const Name& n) {
  if (n.kind == Name::Kind::variable) {
    if (const auto found = m.variables.find(n.name); found != m.variables.end()) return found->second;
    // Where a cursor stands, as a number.
    if (const auto spot = m.spots.find(n.name); spot != m.spots.end())
      return format::Value::of_integer(e->type, spot->second.position);
    throw Unsound{"no variable " + n.name};
  }
  const auto found = m.parameters.find(n.name);
  if (found == m.parameters.end()) m.fail(FaultKind::unbound, e->span, "no value for " + n.name);
  return found->second;
}

}  // namespace

format::Value evaluate(Machine& m, const Expr& e) {
  return e.match(
      [](const Constant& c) { return c.value; }, [&](const Name& n) { return named_value(m, e, n); },
      [&](const Value& v) { return read_element(m, v.tensor, element_at(m, v.tensor, v.position)); },
      [](const Here&) -> format::Value { throw Unsound{"a position that no let names"}; },
      [&](const Unary& u) { return format::apply(u.op, evaluate(m, u.operand)); },
      [&](const Binary& b) {
        if (!format::is_logical(b.op)) return divided(m, e, b);
        const bool left = evaluate(m, b.left).is_true();
        if (left == (b.op == format::BinaryOp::logical_or)) return format::Value::truth(left);
        return format::Value::truth(evaluate(m, b.right).is_true());
      },
      [&](const Select& s) { return evaluate(m, evaluate(m, s.condition).is_true() ? s.then : s.otherwise); },
      [&](const Cast& c) { return format::cast(e->type, evaluate(m, c.operand)); },
      [&](const Call& c) {
        std::vector<format::Value> arguments;
        for (const Expr& argument : c.arguments) arguments.push_back(evaluate(m, argument));
        return format::apply(c.function, arguments.data(), static_cast<int>(arguments.size()));
      },
      [&](const Apply& a) { return applied(m, e, a); },
      [&](const After& a) {
        evaluate(m, a.first);
        return evaluate(m, a.value);
      },
      [&](const Checked& c) {
        const std::int64_t coordinate = evaluate_coordinate(m, c.coordinate, c.check, m.store(c.tensor), c.level);
        return format::Value::of_integer(e->type, coordinate);
      },
      [&](const Stored& s) { return format::Value::of_integer(e->type, m.store(s.tensor).stored(s.level)); },
      [&](const Begin& b) {
        const Spot parent = evaluate(m, b.parent);
        return format::Value::of_integer(e->type, m.store(b.tensor).begin(b.level, parent.position));
      },
      [&](const Coordinate& c) {
        return format::Value::of_integer(e->type, m.store(c.tensor).coordinate(c.level, evaluate_integer(m, c.entry)));
      });
}

std::int64_t evaluate_integer(Machine& m, const Expr& e) { return evaluate(m, e).as_integer(); }

std::int64_t evaluate_coordinate(Machine& m, const Expr& e, const std::optional<Site>& check, const Store& store,
                                 int level) {
  const std::int64_t c = evaluate_integer(m, e);
  if (check && (c < 0 || c >= store.size(level)))
    m.fail(FaultKind::index_out_of_range, check->span, check->what + " is out of range");
  return c;
}

Spot evaluate(Machine& m, const Position& position) {
  if (const auto* at = position.as<At>()) {
    const auto found = m.spots.find(at->name);
    if (found == m.spots.end()) {  // a position that is computed
      const auto computed = m.variables.find(at->name);
      if (computed == m.variables.end()) throw Unsound{"no position " + at->name};
      return {computed->second.as_integer()};
    }
    if (!at->several && found->second.end) {
      Spot one = found->second;
      one.end = std::nullopt;
      return one;
    }
    return found->second;
  }
  if (const auto* w = position.as<Within>()) {
    const auto found = m.spots.find(w->name);
    if (found == m.spots.end()) throw Unsound{"no block " + w->name};
    Spot spot = found->second;
    const std::int64_t c = evaluate_integer(m, w->coordinate);
    spot.position = m.store(w->tensor).within(w->level, spot.position, c);
    if (!spot.trail.empty()) spot.trail.back() = {spot.position, c};
    return spot;
  }
  const auto* d = position.as<Direct>();
  if (!d) return {};
  Spot spot = evaluate(m, d->parent);
  const Store& store = m.store(d->tensor);
  const std::int64_t c = evaluate_coordinate(m, d->coordinate, d->check, store, d->level);
  spot.position = store.computed(d->level, spot.position, c);
  spot.end = std::nullopt;
  spot.trail.push_back({spot.position, c});
  return spot;
}

Spot element_at(Machine& m, const std::string& tensor, const Position& position) {
  Spot spot = evaluate(m, position);
  if (!m.observer || !spot.trail.empty() || !position.as<At>()) return spot;
  const Store& store = m.store(tensor);
  if (store.levels() != 2 || !store.facts(0).dense() || !store.facts(1).positions) return spot;
  const std::int64_t fiber =
      first_that({0, store.size(0)}, [&](std::int64_t k) { return store.begin(1, k + 1) > spot.position; });
  spot.trail = {{fiber, fiber}, {spot.position, store.coordinate(1, spot.position)}};
  return spot;
}

format::Value read_element(Machine& m, const std::string& tensor, const Spot& spot) {
  Store& store = m.store(tensor);
  const format::Value value = store.get(spot.position);
  if (m.observer)
    m.observer->read(m.moment(), {store.tensor(), spot.trail, spot.position, store.defined(spot.position)}, value);
  return value;
}

}  // namespace trellis::flow
