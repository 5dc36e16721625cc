#include "engine/explore/work.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "engine/explore/evaluate.hpp"

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
    return stmt.match([&](const loop::Block& b) { return sum(b.statements); },
                      [&](const loop::For& f) { return iterations(f); },
                      [&](const loop::While&) { return std::optional<double>(); },
                      [&](const loop::If& i) { return branch(i); }, [&](const loop::Let& l) { return inside(l); },
                      [&](const loop::Assign& a) {
                        return std::optional(of(a.target) + of(a.value) + (a.op && floating(a.value) ? 1 : 0));
                      },
                      [&](const loop::Declare&) { return std::optional(0.0); },
                      [&](const loop::Reset&) { return std::optional(0.0); },
                      [&](const loop::Lifecycle&) { return std::optional(0.0); },
                      [&](const loop::Exchange&) { return std::optional(0.0); },
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

  std::optional<std::int64_t> value(const Expr& e) const { return evaluate(e, names_); }

  std::map<std::string, std::int64_t> names_;
};

}  // namespace

std::optional<double> count_flops(const loop::Stmt& loops, const std::map<std::string, std::int64_t>& sizes) {
  return Work(sizes).of(loops);
}

}  // namespace trellis::explore
