#include "engine/explore/concordance.hpp"

#include <algorithm>

#include "engine/format/storage_order.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::explore {
namespace {

/// The only variable of an index; empty: it has none or several.
std::string variable_of(const lang::Expr& index) {
  const auto names = lang::free_variables(index);
  return std::ranges::size(names) == 1 ? *std::ranges::begin(names) : std::string();
}

}  // namespace

Concordance::Concordance(const loop::Stmt& loops, const lang::Program& program) {
  const auto look = [&](const lang::Expr& part) {
    const auto* access = part.as<lang::Access>();
    const lang::TensorInfo* info = access ? program.tensor(access->tensor) : nullptr;
    if (!info || info->format.layout || info->format.all_dense()) return;
    if (info->format.levels.size() != access->indices.size()) return;
    std::vector<std::string> variables;
    for (std::size_t level = 0; level < access->indices.size(); ++level)
      if (std::string name = variable_of(access->indices[format::dimension_of(info->format, level)]); !name.empty())
        variables.push_back(std::move(name));
    add_once(stored_, variables);
  };
  const auto visit = [&](const auto& self, const lang::Expr& e) -> void {
    look(e);
    lang::for_each_child(e, [&](const lang::Expr& child) { self(self, child); });
  };
  loop::for_each(loops, [&](const loop::Stmt& s) {
    loop::for_each_child(
        s, [](const loop::Stmt&) {}, [&](const loop::Expr& e) { visit(visit, e); });
  });
}

std::vector<bool> Concordance::against(const lang::Order& order) const {
  const auto place = [&](const std::string& variable) {
    return std::ranges::find(order, variable, [](const lang::LoopName& loop) { return lang::variable_of(loop.name); }) -
           order.begin();
  };
  std::vector<bool> found;
  for (const std::vector<std::string>& variables : stored_)
    found.push_back(!std::ranges::is_sorted(variables, {}, place));
  return found;
}

std::vector<lang::Order> Concordance::undominated(const std::vector<lang::Order>& orders) const {
  std::vector<std::vector<bool>> all;
  for (const lang::Order& order : orders) all.push_back(against(order));
  const auto fewer = [](const std::vector<bool>& a, const std::vector<bool>& b) {
    bool less = false;
    for (std::size_t k = 0; k < a.size(); ++k) {
      if (a[k] && !b[k]) return false;
      less |= !a[k] && b[k];
    }
    return less;
  };
  std::vector<lang::Order> kept;
  for (std::size_t k = 0; k < orders.size(); ++k)
    if (std::ranges::none_of(all, [&](const std::vector<bool>& other) { return fewer(other, all[k]); }))
      kept.push_back(orders[k]);
  return kept;
}

}  // namespace trellis::explore
