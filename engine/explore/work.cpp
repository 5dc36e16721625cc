#include "engine/explore/work.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace trellis::explore {
namespace {

using format::BinaryOp;
using lang::Expr;

constexpr std::int64_t samples = 48;

class Work {
 public:
  explicit Work(std::map<std::string, std::int64_t> names) : names_(std::move(names)) {}

  /// Empty when it cannot be known.
  std::optional<double> of(const loop::Stmt& stmt) {
    return stmt.match(
        [&](const loop::Block& b) { return sum(b.statements); },
        [&](const loop::For& f) { return iterations(f); },
        [&](const loop::While&) { return std::optional<double>(); },
        [&](const loop::If& i) { return branch(i); },
        [&](const loop::Let& l) { return inside(l); },
        [&](const loop::Assign& a) { return std::optional(of(a.target) + of(a.value) + (a.op && floating(a.value) ? 1 : 0)); },
        [&](const loop::Declare&) { return std::optional(0.0); },
        [&](const loop::Reset&) { return std::optional(0.0); },
        [&](const loop::Lifecycle&) { return std::optional(0.0); },
        [&](const loop::Note&) { return std::optional(0.0); });
  }

 private:
  static bool floating(const Expr& e) { return format::is_floating(e->type); }

  double of(const Expr& e) {
    if (const auto* s = e.as<lang::Select>()) {
      const auto known = value(s->condition);
      const double then = of(s->then), otherwise = of(s->otherwise);
      return of(s->condition) + (known ? (*known ? then : otherwise) : std::max(then, otherwise));
    }
    double total = own(e);
    lang::for_each_child(e, [&](const Expr& child) { total += of(child); });
    return total;
  }

  static double own(const Expr& e) {
    if (!floating(e)) return 0;
    if (const auto* b = e.as<lang::Binary>()) return b->op == BinaryOp::power ? power(b->right) : 1;
    if (const auto* c = e.as<lang::Call>()) return std::max<double>(1, static_cast<double>(c->arguments.size()) - 1);
    return e.as<lang::Unary>() || e.as<lang::Apply>() ? 1 : 0;
  }

  static double power(const Expr& exponent) {
    const auto* c = exponent.as<lang::Constant>();
    const double value = c ? c->value.as_double() : 0;
    return value == 2 ? 1 : value == 3 ? 2 : 1;
  }

  std::optional<double> sum(const std::vector<loop::Stmt>& statements) {
    double total = 0;
    for (const loop::Stmt& s : statements) {
      const auto one = of(s);
      if (!one) return std::nullopt;
      total += *one;
    }
    return total;
  }

  std::optional<double> branch(const loop::If& i) {
    const auto known = value(i.condition);
    const auto then = known && !*known ? std::optional(0.0) : of(i.then);
    const auto otherwise = !i.otherwise || (known && *known) ? std::optional(0.0) : of(*i.otherwise);
    if (!then || !otherwise) return std::nullopt;
    return of(i.condition) + std::max(*then, *otherwise);
  }

  std::optional<double> inside(const loop::Let& l) {
    const auto known = value(l.value);
    if (known) names_[l.name] = *known;
    const auto body = of(l.body);
    names_.erase(l.name);
    if (!body) return std::nullopt;
    return of(l.value) + *body;
  }

  std::optional<double> iterations(const loop::For& f) {
    const auto low = value(f.low), high = value(f.high);
    if (!low || !high || f.until) return std::nullopt;
    const std::int64_t count = *high - *low;
    if (count <= 0) return 0;
    const std::int64_t tried = shapes_depend_on(f.body, f.variable) ? std::min(count, samples) : 1;
    double total = 0;
    for (std::int64_t k = 0; k < tried; ++k) {
      const double middle = (static_cast<double>(k) + 0.5) / static_cast<double>(tried) * static_cast<double>(count);
      names_[f.variable] = *low + std::min(count - 1, static_cast<std::int64_t>(middle));
      const auto one = of(f.body);
      if (!one) {
        names_.erase(f.variable);
        return std::nullopt;
      }
      total += *one;
    }
    names_.erase(f.variable);
    return total / static_cast<double>(tried) * static_cast<double>(count);
  }

  // Does the amount of work in the body depend on the variable: by a bound, a condition, or a let?
  static bool shapes_depend_on(const loop::Stmt& body, const std::string& variable) {
    bool depends = false;
    const auto look = [&](const Expr& e) {
      const auto names = lang::free_variables(e);
      depends |= std::ranges::find(names, variable) != names.end();
    };
    loop::for_each(body, [&](const loop::Stmt& s) {
      if (const auto* f = s.as<loop::For>()) look(f->low), look(f->high);
      if (const auto* i = s.as<loop::If>()) look(i->condition);
      if (const auto* l = s.as<loop::Let>()) look(l->value);
      if (const auto* a = s.as<loop::Assign>()) look_at_selects(a->value, look);
    });
    return depends;
  }

  template <class Look>
  static void look_at_selects(const Expr& e, const Look& look) {
    if (const auto* s = e.as<lang::Select>()) look(s->condition);
    lang::for_each_child(e, [&](const Expr& child) { look_at_selects(child, look); });
  }

  // Of integers and truth values that no tensor has a part in.
  std::optional<std::int64_t> value(const Expr& e) const {
    if (const auto* c = e.as<lang::Constant>()) return format::is_floating(e->type) ? std::nullopt : std::optional(c->value.as_integer());
    if (const auto* p = e.as<lang::Parameter>()) return named(p->name);
    if (const auto* v = e.as<lang::Variable>()) return named(v->name);
    if (const auto* c = e.as<lang::Cast>()) return format::is_floating(e->type) ? std::nullopt : value(c->operand);
    if (const auto* s = e.as<lang::Select>()) {
      const auto condition = value(s->condition);
      return condition ? value(*condition ? s->then : s->otherwise) : std::nullopt;
    }
    if (const auto* u = e.as<lang::Unary>()) {
      const auto operand = value(u->operand);
      if (!operand) return std::nullopt;
      return u->op == format::UnaryOp::negate ? -*operand : u->op == format::UnaryOp::logical_not ? !*operand : ~*operand;
    }
    if (const auto* b = e.as<lang::Binary>()) return value(*b);
    if (const auto* c = e.as<lang::Call>()) return value(*c);
    return std::nullopt;
  }

  std::optional<std::int64_t> named(const std::string& name) const {
    const auto found = names_.find(name);
    return found == names_.end() ? std::nullopt : std::optional(found->second);
  }

  std::optional<std::int64_t> value(const lang::Call& call) const {
    if (call.function != format::Function::min && call.function != format::Function::max) return std::nullopt;
    std::optional<std::int64_t> best;
    for (const Expr& argument : call.arguments) {
      const auto one = value(argument);
      if (!one) return std::nullopt;
      if (!best) best = one;
      else best = call.function == format::Function::min ? std::min(*best, *one) : std::max(*best, *one);
    }
    return best;
  }

  std::optional<std::int64_t> value(const lang::Binary& b) const {
    if (format::is_floating(b.left->type)) return std::nullopt;
    const auto left = value(b.left), right = value(b.right);
    if (!left || !right) return std::nullopt;
    switch (b.op) {
      case BinaryOp::add: return *left + *right;
      case BinaryOp::subtract: return *left - *right;
      case BinaryOp::multiply: return *left * *right;
      case BinaryOp::divide: return *right == 0 ? std::nullopt : std::optional(floor_divide(*left, *right));
      case BinaryOp::modulo: return *right == 0 ? std::nullopt : std::optional(*left - *right * floor_divide(*left, *right));
      case BinaryOp::equal: return *left == *right;
      case BinaryOp::not_equal: return *left != *right;
      case BinaryOp::less: return *left < *right;
      case BinaryOp::less_equal: return *left <= *right;
      case BinaryOp::greater: return *left > *right;
      case BinaryOp::greater_equal: return *left >= *right;
      case BinaryOp::logical_and: return *left && *right;
      case BinaryOp::logical_or: return *left || *right;
      default: return std::nullopt;
    }
  }

  static std::int64_t floor_divide(std::int64_t a, std::int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

  std::map<std::string, std::int64_t> names_;
};

}  // namespace

std::optional<double> count_flops(const loop::Stmt& loops, const std::map<std::string, std::int64_t>& sizes) { return Work(sizes).of(loops); }

}  // namespace trellis::explore
