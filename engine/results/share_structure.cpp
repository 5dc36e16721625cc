#include "engine/results/share_structure.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "engine/access/level_index.hpp"
#include "engine/format/level.hpp"
#include "engine/results/share_results.hpp"
#include "engine/results/vanishes.hpp"
#include "engine/schedule/nests.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::results {
namespace {

using loop::Expr;
using loop::Stmt;

/// So many outer levels are alike, and sparse to the last one, below which the result is dense; 0: none.
std::size_t levels_alike(const lang::TensorInfo& result, const lang::TensorInfo& operand) {
  const std::vector<format::Facts> facts = format::facts(result.format), others = format::facts(operand.format);
  const auto is_alike = [&](std::size_t l) {
    return l < others.size() && facts[l] == others[l] && keeps_order(facts[l]) &&
           access::level_size(result, static_cast<int>(l)) == access::level_size(operand, static_cast<int>(l));
  };
  std::size_t shared = 0;
  while (shared < facts.size() && is_alike(shared)) ++shared;
  while (shared > 0 && facts[shared - 1].dense()) --shared;  // whatever is dense needs nobody
  // Rows of a layout's own bounds say where each begins, which the operand does not.
  const bool dense_below = std::all_of(facts.begin() + static_cast<std::ptrdiff_t>(shared), facts.end(),
                                       [](const format::Facts& level) { return level.dense() && !level.starts; });
  return dense_below ? shared : 0;
}

class Structure {
 public:
  Structure(const lang::TensorInfo& result, const lang::TensorInfo& operand, std::size_t levels,
            const lang::Program& program)
      : result_(result), operand_(operand), levels_(levels), program_(program) {}

  bool holds(const Stmt& loops) {
    visit(loops);
    return fits_ && writes_ > 0;
  }

 private:
  void visit(const Stmt& s) {
    if (!fits_) return;
    if (const auto* r = s.as<loop::Reset>()) fits_ = r->tensor != result_.name && !reads(r->value);
    if (s.as<loop::While>()) fits_ = !schedule::mentions(s, result_.name);
    const auto* i = s.as<loop::If>();
    if (i) fits_ = !schedule::mentions(s, result_.name);
    const auto* f = s.as<loop::For>();
    if (f && f->until) fits_ = !schedule::mentions(s, result_.name);
    if (f) around_.push_back(f);
    if (const auto* a = s.as<loop::Assign>()) assign(s, *a);
    loop::for_each_child(
        s, [&](const Stmt& child) { visit(child); }, [](const Expr&) {});
    if (f) around_.pop_back();
  }

  void assign(const Stmt& s, const loop::Assign& a) {
    fits_ = fits_ && !reads(a.value);
    const auto& target = *a.target.as<lang::Access>();
    for (const Expr& index : target.indices) fits_ = fits_ && !reads(index);
    if (!fits_ || target.tensor != result_.name) return;
    ++writes_;
    fits_ = goes_through_all(target) && is_there_alone(a.value, target) && vanishes_elsewhere(s, a, target);
  }

  bool reads(const Expr& e) const {
    if (const auto* access = e.as<lang::Access>(); access && access->tensor == result_.name) return true;
    bool found = false;
    lang::for_each_child(e, [&](const Expr& child) { found = found || reads(child); });
    return found;
  }

  /// Its loops over the shared levels come by each coordinate.
  bool goes_through_all(const lang::Access& target) const {
    std::set<std::string> names;
    for (std::size_t l = 0; l < levels_; ++l) {
      const auto* v = access::level_index(target, result_, static_cast<int>(l)).as<lang::Variable>();
      const auto f = std::ranges::find_if(around_, [&](const loop::For* one) { return v && one->variable == v->name; });
      if (f == around_.end() || !names.insert(v->name).second) return false;
      const auto low = lang::affine((*f)->low), high = lang::affine((*f)->high);
      if (!low || !(*low == math::Affine(0)) || !high || !(*high == access::level_size(result_, static_cast<int>(l))))
        return false;
    }
    return true;
  }

  bool is_operand_there(const lang::Access& access, const lang::Access& target) const {
    if (access.tensor != operand_.name) return false;
    for (std::size_t l = 0; l < levels_; ++l)
      if (!(access::level_index(access, operand_, static_cast<int>(l)) ==
            access::level_index(target, result_, static_cast<int>(l))))
        return false;
    return true;
  }

  /// No other operand says on its own that there is nothing: each that has gaps is met inside.
  bool is_there_alone(const Expr& e, const lang::Access& target) const {
    bool alone = true;
    if (const auto* access = e.as<lang::Access>()) {
      const lang::TensorInfo* info = program_.tensor(access->tensor);
      const bool gaps = info && !info->format.all_known() && !is_operand_there(*access, target);
      std::set<std::string> shared;
      for (std::size_t l = 0; l < levels_; ++l)
        shared.insert(access::level_index(target, result_, static_cast<int>(l)).as<lang::Variable>()->name);
      const auto is_inner = [&](const std::string& name) { return !shared.contains(name); };
      alone = !gaps || std::ranges::any_of(access->indices, [&](const Expr& index) {
        return std::ranges::any_of(lang::free_variables(index), is_inner);
      });
    }
    lang::for_each_child(e, [&](const Expr& child) { alone = alone && is_there_alone(child, target); });
    return alone;
  }

  bool vanishes_elsewhere(const Stmt& s, const loop::Assign& a, const lang::Access& target) const {
    bool read = false;
    const auto known = [&](const lang::Access& access) -> std::optional<format::Value> {
      if (!is_operand_there(access, target)) return std::nullopt;
      read = true;
      return operand_.fill;
    };
    if (a.op)
      return *a.op != format::ReduceOp::user && format::identity(*a.op, result_.type) == result_.fill &&
             vanishes(s, known) && (at_fill(a.value, known), read);
    const Expr value = at_fill(a.value, known);
    const auto* constant = value.as<lang::Constant>();
    return read && constant && constant->value == result_.fill;
  }

  const lang::TensorInfo& result_;
  const lang::TensorInfo& operand_;
  const std::size_t levels_;
  const lang::Program& program_;
  std::vector<const loop::For*> around_ = {};
  bool fits_ = true;
  int writes_ = 0;
};

}  // namespace

const lang::TensorInfo* structure_for(const lang::TensorInfo& result, const Stmt& loops, const lang::Program& program) {
  if (result.format.pattern || result.format.layout) return nullptr;
  std::set<std::string> written, read;
  const std::function<void(const Expr&)> look = [&](const Expr& e) {
    if (const auto* access = e.as<lang::Access>()) read.insert(access->tensor);
    lang::for_each_child(e, look);
  };
  loop::for_each(loops, [&](const Stmt& s) {
    if (const auto* r = s.as<loop::Reset>()) written.insert(r->tensor);
    if (const auto* a = s.as<loop::Assign>()) written.insert(a->target.as<lang::Access>()->tensor), look(a->value);
  });
  for (const std::string& name : read) {
    const lang::TensorInfo* operand = program.tensor(name);
    if (!operand || written.contains(name) || operand->format.layout || operand->format.all_known()) continue;
    const std::size_t levels = levels_alike(result, *operand);
    if (levels > 0 && Structure(result, *operand, levels, program).holds(loops)) return operand;
  }
  return nullptr;
}

}  // namespace trellis::results
