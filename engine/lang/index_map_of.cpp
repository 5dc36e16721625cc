#include "engine/lang/index_map_of.hpp"

#include <algorithm>

#include "engine/math/sizes.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::lang {

using format::BinaryOp;
using math::Affine;
using math::Index;
using Maybe = std::optional<Index>;

std::map<std::string, Affine> spans_of(const math::Domain& domain) {
  std::map<std::string, Affine> spans;
  for (const std::string& name : domain.variables) {
    const Affine variable = Affine::name(name);
    if (!contains(domain.constraints, math::Constraint{Affine(0), math::Relation::less_equal, variable})) continue;
    const auto below = std::ranges::find_if(domain.constraints, [&](const math::Constraint& c) {
      std::set<std::string> names;
      c.right.collect_names(names);
      const bool size = std::ranges::none_of(names, [&](const auto& n) { return contains(domain.variables, n); });
      return c.left == variable && c.relation == math::Relation::less && size && c.right.quotients.empty();
    });
    if (below != domain.constraints.end()) spans.emplace(name, below->right);
  }
  return spans;
}

namespace {

class Reader {
 public:
  explicit Reader(const std::map<std::string, Affine>& spans) : spans_(spans), maps_(spans) {}

  Maybe read(const Expr& e) const {
    if (e->type != format::ScalarType::i64) return std::nullopt;
    if (const auto* c = e.as<Constant>()) return Index{Affine(c->value.integer), {}};
    if (const auto* p = e.as<Parameter>()) return Index{Affine::name(p->name), {}};
    if (const auto* v = e.as<Variable>()) return spans_.contains(v->name) ? Maybe(Index::name(v->name)) : std::nullopt;
    const auto* b = e.as<Binary>();
    const Maybe left = b ? read(b->left) : std::nullopt, right = left ? read(b->right) : std::nullopt;
    if (!right) return std::nullopt;
    switch (b->op) {
      case BinaryOp::add: return maps_.sum(*left, *right);
      case BinaryOp::subtract: return difference(*left, *right);
      case BinaryOp::multiply:
        if (right->parts.empty()) return maps_.scaled(*left, right->constant);
        return left->parts.empty() ? maps_.scaled(*right, left->constant) : std::nullopt;
      case BinaryOp::divide: return right->parts.empty() ? quotient(*left, right->constant) : std::nullopt;
      case BinaryOp::modulo:
        return right->parts.empty() ? maps_.digit(*left, Affine(1), right->constant, false) : std::nullopt;
      default: return std::nullopt;
    }
  }

 private:
  Maybe difference(const Index& a, const Index& b) const {
    const Maybe minus = maps_.scaled(b, Affine(-1));
    return minus ? maps_.sum(a, *minus) : std::nullopt;
  }

  Maybe quotient(const Index& x, const Affine& over) const {
    const auto bounds = maps_.bounds(x);
    const auto span =
        bounds && bounds->first == Affine(0) ? math::exact_quotient(bounds->second + Affine(1), over) : std::nullopt;
    return span ? maps_.digit(x, over, *span, true) : std::nullopt;
  }

  const std::map<std::string, Affine>& spans_;
  math::IndexMaps maps_;
};

}  // namespace

Maybe index_map_of(const Expr& index, const std::map<std::string, Affine>& spans) { return Reader(spans).read(index); }

}  // namespace trellis::lang
