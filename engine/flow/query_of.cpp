#include "engine/flow/query_of.hpp"

#include <algorithm>
#include <set>

#include "engine/flow/fibers.hpp"
#include "engine/format/storage_order.hpp"

namespace trellis::flow {

using find::Term;
using Maybe = std::optional<Term>;

namespace {

std::optional<std::int64_t> number(const Expr& e) {
  const auto* c = e.as<Constant>();
  return c && c->value.type == format::ScalarType::i64 ? std::optional(c->value.integer) : std::nullopt;
}

void collect_names(const Term& term, std::set<std::string>& into) {
  if (term.kind == Term::Kind::name) into.insert(term.name);
  for (const Term& part : term.parts) collect_names(part, into);
}

}  // namespace

Queries::Queries(const Flow& flow, const lang::Program& program)
    : flow_(flow), program_(program), written_(written_in(flow.root)) {}

void Queries::enter_loop(const std::string& variable, const Expr& low, const Expr& high, find::Loop::Way way) {
  loops_.push_back({variable, term(low), term(high), way});
}

void Queries::enter(const Stmt& stmt) {
  using Way = find::Loop::Way;
  const auto way = [](Loop::Direction direction) { return direction == Loop::Direction::up ? Way::up : Way::down; };
  stmt.match(
      [&](const Loop& l) {
        paths_.enter(l);
        parallel_ += l.execution == Loop::Execution::parallel;
        enter_loop(l.variable, l.low, l.high, l.among ? Way::any : way(l.direction));
      },
      [&](const Coiterate& c) {
        paths_.enter(c);
        parallel_ += c.execution == Loop::Execution::parallel;
        const bool sorted = std::ranges::none_of(c.cursors, [](const Cursor& one) { return one.unsorted; });
        enter_loop(c.variable, c.low, c.high, sorted ? way(c.direction) : Way::any);
      },
      [&](const Let& l) {
        paths_.enter(l);
        bound_[l.name] = l.value;
      },
      [&](const Locate& l) { paths_.enter(l); }, [&](const Insert& i) { paths_.enter(i); },
      [&](const While&) { ++whiles_; }, [](const auto&) {});
}

void Queries::leave(const Stmt& stmt) {
  stmt.match(
      [&](const Loop& l) {
        loops_.pop_back();
        parallel_ -= l.execution == Loop::Execution::parallel;
      },
      [&](const Coiterate& c) {
        loops_.pop_back();
        parallel_ -= c.execution == Loop::Execution::parallel;
      },
      [&](const Let& l) { bound_.erase(l.name); }, [&](const While&) { --whiles_; }, [](const auto&) {});
}

std::optional<find::Query> Queries::query(const Locate& locate) const {
  if (whiles_ > 0) return std::nullopt;
  applied_.clear();
  find::Query query{loops_, lang::size_assumptions(program_), {}, {}, {}};
  for (const Expr& coordinate : paths_.of(locate.parent)) {
    const Maybe one = term(coordinate);
    if (!one) return std::nullopt;
    query.fiber.push_back(*one);
  }
  const Maybe asked = term(locate.coordinate);
  if (!asked) return std::nullopt;
  query.asked = *asked;
  query.promises = applied_;
  return query;
}

std::size_t Queries::loops_above(const find::Query& query) const {
  std::set<std::string> names;
  for (const Term& one : query.fiber) collect_names(one, names);
  std::size_t known = 0;
  for (std::size_t l = 0; l < query.loops.size(); ++l)
    if (names.contains(query.loops[l].variable)) known = l + 1;
  return known;
}

Maybe Queries::term(const Expr& expr) const {
  if (const auto value = number(expr)) return find::number(*value);
  if (const auto* n = expr.as<Name>()) {
    if (n->kind == Name::Kind::real) return std::nullopt;
    const auto bound = bound_.find(n->name);
    if (bound != bound_.end()) return term(bound->second);
    const bool loop = std::ranges::any_of(loops_, [&](const find::Loop& l) { return l.variable == n->name; });
    return loop || n->kind == Name::Kind::size ? Maybe(find::name(n->name)) : std::nullopt;
  }
  if (const auto* c = expr.as<Cast>()) return format::is_floating(c->operand->type) ? std::nullopt : term(c->operand);
  if (const auto* c = expr.as<Checked>()) return term(c->coordinate);
  if (const auto* a = expr.as<After>()) return term(a->value);
  if (const auto* v = expr.as<Value>()) return value(*v);
  if (const auto* b = expr.as<Binary>()) return binary(*b);
  return std::nullopt;
}

/// An element of an index tensor, which nobody writes here.
Maybe Queries::value(const Value& value) const {
  const Tensor* tensor = flow_.tensor(value.tensor);
  const lang::TensorInfo* info = program_.tensor(value.tensor);
  if (!tensor || !info || tensor->sparse() || format::is_floating(tensor->type) || written_.contains(value.tensor))
    return std::nullopt;
  const Path path = paths_.of(value.position);
  std::vector<Term> indices(path.size());
  for (std::size_t level = 0; level < path.size(); ++level) {
    const Maybe index = term(path[level]);
    if (!index) return std::nullopt;
    indices[static_cast<std::size_t>(format::dimension_of(*tensor, level))] = *index;
  }
  applied_[value.tensor] = info->promises;
  return find::applied(value.tensor, std::move(indices));
}

Maybe Queries::binary(const Binary& b) const {
  using format::BinaryOp;
  const Maybe left = term(b.left), right = term(b.right);
  if (!left || !right) return std::nullopt;
  const auto factor = number(b.left), divisor = number(b.right);
  switch (b.op) {
    case BinaryOp::add: return find::sum({*left, *right});
    case BinaryOp::subtract: return find::sum({*left, find::scaled(-1, *right)});
    case BinaryOp::multiply:
      if (factor) return find::scaled(*factor, *right);
      return divisor ? Maybe(find::scaled(*divisor, *left)) : std::nullopt;
    case BinaryOp::divide: return divisor && *divisor > 0 ? Maybe(find::quotient(*left, *divisor)) : std::nullopt;
    case BinaryOp::modulo: return divisor && *divisor > 0 ? Maybe(find::remainder(*left, *divisor)) : std::nullopt;
    default: return std::nullopt;
  }
}

}  // namespace trellis::flow
