#include "engine/coiterate/inner_range.hpp"

#include <algorithm>
#include <vector>

#include "engine/coiterate/lower_tensors.hpp"
#include "engine/loop/context.hpp"
#include "engine/math/sizes.hpp"

namespace trellis::coiterate {

namespace {

using math::Affine;

/// A loop inside, and bounds that its variable keeps.
struct Inner {
  std::string variable;
  std::optional<Affine> least, most;
};

/// Of several bounds one will do; the distance between numbers is known.
std::optional<Affine> simplest(const std::vector<Affine>& bounds) {
  const auto number = std::ranges::find_if(bounds, &Affine::is_constant);
  if (number != bounds.end()) return *number;
  return bounds.empty() ? std::nullopt : std::optional(bounds.front());
}

class Ranging {
 public:
  Ranging(Context& in, const loop::For& loop, const lang::Access& access, int level)
      : in_(in),
        loop_(loop),
        key_(level_key(access, *info(in, access.tensor), level)),
        tensor_(access.tensor),
        level_(level),
        form_(*lang::affine(level_index(access, *info(in, access.tensor), level))) {}

  std::optional<access::Place::Inner> run() {
    access::Place::Inner result{form_, {}};
    for (const auto& [name, factor] : form_.terms)
      if (!is_known(name)) {
        added_ = added_ + Affine::name(name, factor);
        result.known = result.known - Affine::name(name, factor);
      }
    if (!form_.quotients.empty() || added_ == Affine(0)) return std::nullopt;
    statement(loop_.body);
    if (!sound_ || !least_) return std::nullopt;
    result.added = {*least_, *most_};
    return result;
  }

 private:
  bool is_known(const std::string& name) const {
    return name == loop_.variable || in_.scope.bound.contains(name) || in_.program.parameter(name) ||
           math::is_product(name);
  }

  void statement(const loop::Stmt& stmt) {
    const std::size_t around = inner_.size();
    if (const auto* f = stmt.as<loop::For>()) {
      std::optional<Affine> most = simplest(loop::alternatives(f->high, format::Function::min));
      if (most) most = *most - Affine(1);
      inner_.push_back({f->variable, simplest(loop::alternatives(f->low, format::Function::max)), most});
    }
    loop::for_each_child(
        stmt, [&](const loop::Stmt& child) { statement(child); }, [&](const lang::Expr& e) { expression(e); });
    inner_.resize(around);
  }

  void expression(const lang::Expr& e) {
    const auto* access = e.as<lang::Access>();
    if (access && access->tensor == tensor_ && level_key(*access, *info(in_, tensor_), level_) == key_) meet();
    lang::for_each_child(e, [&](const lang::Expr& child) { expression(child); });
  }

  /// The access is read here.
  void meet() {
    const auto least = extreme(false), most = extreme(true);
    if (!least || !most) {
      sound_ = false;
    } else if (!least_) {
      least_ = least, most_ = most;
    } else {
      const Affine lower = *least - *least_, higher = *most - *most_;
      sound_ = sound_ && lower.is_constant() && higher.is_constant();
      if (lower.constant < 0) least_ = least;
      if (higher.constant > 0) most_ = most;
    }
  }

  std::optional<Affine> extreme(bool greatest) const {
    Affine form = added_;
    for (std::size_t k = inner_.size(); k-- > 0;) {
      const std::int64_t factor = form.coefficient(inner_[k].variable);
      if (factor == 0) continue;
      const auto& end = (factor > 0) == greatest ? inner_[k].most : inner_[k].least;
      if (!end) return std::nullopt;
      form = form + factor * (*end - Affine::name(inner_[k].variable));
    }
    std::set<std::string> names;
    form.collect_names(names);
    const auto is_before = [&](const std::string& name) { return name != loop_.variable && is_known(name); };
    return std::ranges::all_of(names, is_before) ? std::optional(form) : std::nullopt;
  }

  Context& in_;
  const loop::For& loop_;
  const access::LevelKey key_;
  const std::string tensor_;
  const int level_;
  const Affine form_;
  Affine added_;
  std::vector<Inner> inner_;
  std::optional<Affine> least_, most_;
  bool sound_ = true;
};

}  // namespace

std::optional<access::Place::Inner> inner_range(Context& in, const loop::For& loop, const lang::Access& access,
                                                int level) {
  const lang::TensorInfo& described = *info(in, access.tensor);
  if (!lang::affine(level_index(access, described, level))) return std::nullopt;
  return Ranging(in, loop, access, level).run();
}

}  // namespace trellis::coiterate
