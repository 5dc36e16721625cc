#include "engine/plan/copies.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "engine/flow/look_ups.hpp"
#include "engine/format/turned.hpp"
#include "engine/lang/fresh_name.hpp"

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

  Copied run() && {
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

  /// The dimensions as the loops come to them; empty where an index is no plain loop.
  std::optional<std::vector<int>> order_met(const Access& access) const {
    std::vector<std::pair<std::size_t, int>> met;
    for (std::size_t d = 0; d < access.indices.size(); ++d) {
      const auto* variable = access.indices[d].as<lang::Variable>();
      const auto depth = variable ? depth_.find(variable->name) : depth_.end();
      if (depth == depth_.end()) return std::nullopt;
      met.emplace_back(depth->second, static_cast<int>(d));
    }
    std::ranges::sort(met);
    std::vector<int> order;
    for (const auto& [depth, dimension] : met) order.push_back(dimension);
    return order;
  }

  std::string copy_of(const std::string& tensor, const format::Format& format) {
    for (const std::string& copy : made_.copies)
      if (const TensorInfo& info = *made_.program.tensor(copy);
          info.entries_of == tensor && format::same_storage(info.format, format))
        return copy;
    TensorInfo info = *made_.program.tensor(tensor);
    const std::string suffix = format.name.empty() ? "turned" : format.name;
    info.name = lang::fresh_name(made_.program, made_.kernel, tensor + "_" + suffix);
    info.format = format;
    info.entries_of = tensor;
    made_.copies.push_back(info.name);
    made_.program.tensors.push_back(std::move(info));
    return made_.copies.back();
  }

  Copied made_;
  std::set<std::string> of_;
  std::map<std::string, std::size_t> depth_;  ///< of loops, outermost first
};

/// Levels that hold any entries, and that counting lays out: a band or a run of one order is none in another.
bool can_be_turned(const format::Format& format) {
  return !format.layout && std::ranges::all_of(format.levels, [](const format::Level& level) {
    return level.name == "dense" || level.name == "compressed";
  });
}

/// What is searched against its storage, and stays as it is while the kernel runs.
std::set<std::string> searched(const lang::Program& program, const lang::Kernel& kernel, const flow::LookUps& now) {
  const std::vector<std::string> results = kernel.results();
  std::set<std::string> tensors;
  for (const flow::LookUp& one : now.all) {
    const TensorInfo* info = program.tensor(one.tensor);
    if (one.searches() && one.against_storage() && info && info->entries_of.empty() && !info->pad &&
        can_be_turned(info->format) && std::ranges::find(results, one.tensor) == results.end())
      tensors.insert(one.tensor);
  }
  return tensors;
}

}  // namespace

std::optional<Copied> with_copies(const lang::Program& program, const lang::Kernel& kernel,
                                  const Compilation& compiled) {
  if (!compiled.placed) return std::nullopt;
  std::set<std::string> tensors = searched(program, kernel, flow::look_ups(compiled.flow));
  if (tensors.empty()) return std::nullopt;
  Copied made = Copier(program, kernel, compiled.placed->order, std::move(tensors)).run();
  return made.copies.empty() ? std::nullopt : std::optional(std::move(made));
}

double cycles_to_lay_out(double entries, double fibers) { return 15 * entries + 2 * fibers; }

}  // namespace trellis::plan
