#include "engine/plan/copies.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "engine/format/turned.hpp"
#include "engine/lang/fresh_name.hpp"
#include "engine/plan/searched.hpp"

namespace trellis::plan {
namespace {

using lang::Access;
using lang::Expr;
using lang::TensorInfo;

class Copier {
 public:
  Copier(const lang::Program& program, const lang::Kernel& kernel, const lang::Order& order, std::set<std::string> of)
      : made_{program, kernel, {}}, of_(std::move(of)) {
    for (std::size_t k = 0; k < order.size(); ++k) depth_[order[k].name] = k;
  }

  Made run() && {
    for (lang::Equation& equation : made_.kernel.equations) equation.right = copied(equation.right);
    return std::move(made_);
  }

 private:
  Expr copied(const Expr& e) {
    const auto* access = e.as<Access>();
    if (!access) return lang::map_children(e, [&](const Expr& child) { return copied(child); });
    const auto order = of_.contains(access->tensor) ? order_met(*access) : std::nullopt;
    const auto format = order ? format::turned(made_.program.tensor(access->tensor)->format, *order) : std::nullopt;
    if (!format) return e;
    lang::ExprNode node = *e;
    std::get<Access>(node.is).tensor = copy_of(access->tensor, *format);
    return Expr(std::move(node));
  }

  /// The dimensions as the loops come to them: those that an index tensor chooses with the innermost of its loops.
  /// Empty where an index is neither.
  std::optional<std::vector<int>> order_met(const Access& access) const {
    std::vector<std::pair<std::size_t, int>> met;
    for (std::size_t d = 0; d < access.indices.size(); ++d) {
      const Expr& index = access.indices[d];
      if (!index.as<lang::Variable>() && !index.as<Access>()) return std::nullopt;
      std::optional<std::size_t> depth;
      for (const std::string& variable : lang::free_variables(index)) {
        const auto loop = depth_.find(variable);
        if (loop == depth_.end()) return std::nullopt;
        depth = std::max(depth.value_or(0), loop->second);
      }
      if (!depth) return std::nullopt;
      met.emplace_back(*depth, static_cast<int>(d));
    }
    std::ranges::sort(met);
    std::vector<int> order;
    for (const auto& [depth, dimension] : met) order.push_back(dimension);
    return order;
  }

  std::string copy_of(const std::string& tensor, const format::Format& format) {
    for (const std::string& copy : made_.laid_out)
      if (const TensorInfo& info = *made_.program.tensor(copy);
          info.entries_of == tensor && format::same_storage(info.format, format))
        return copy;
    TensorInfo info = *made_.program.tensor(tensor);
    const std::string suffix = format.name.empty() ? "turned" : format.name;
    info.name = lang::fresh_name(made_.program, made_.kernel, tensor + "_" + suffix);
    info.format = format;
    info.entries_of = tensor;
    made_.laid_out.push_back(info.name);
    made_.program.tensors.push_back(std::move(info));
    return made_.laid_out.back();
  }

  Made made_;
  std::set<std::string> of_;
  std::map<std::string, std::size_t> depth_;  ///< of loops, outermost first
};

}  // namespace

std::optional<Made> with_copies(const lang::Program& program, const lang::Kernel& kernel, const Compilation& compiled) {
  if (!compiled.placed) return std::nullopt;
  std::set<std::string> tensors = searched(program, kernel, flow::look_ups(compiled.flow), [](const flow::LookUp& one) {
    return one.searches() && one.against_storage();
  });
  if (tensors.empty()) return std::nullopt;
  Made made = Copier(program, kernel, compiled.placed->order, std::move(tensors)).run();
  return made.laid_out.empty() ? std::nullopt : std::optional(std::move(made));
}

double cycles_to_lay_out(double entries, double fibers) { return 15 * entries + 2 * fibers; }

}  // namespace trellis::plan
