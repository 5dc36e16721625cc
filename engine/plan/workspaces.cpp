#include "engine/plan/workspaces.hpp"

#include <algorithm>

#include "engine/format/level.hpp"
#include "engine/format/storage_order.hpp"

namespace trellis::plan {
namespace {

using Workspace = lang::Schedule::Workspace;
using Kind = Workspace::Kind;
using results::Written;

Kind kind_of(const lang::TensorInfo& workspace) {
  const format::Facts last = format::facts(workspace.format.levels.back());
  if (last.dense()) return Kind::dense;
  return last.listed ? Kind::sort : last.locate == format::Locate::hash ? Kind::hash : Kind::bytemap;
}

/// What the result's equation calls its indices; none where one is no variable.
std::vector<std::string> index_names(const lang::Kernel& kernel, const std::string& result) {
  for (const lang::Equation& equation : kernel.equations) {
    if (equation.access().tensor != result) continue;
    std::vector<std::string> names;
    for (const lang::Expr& index : equation.access().indices) {
      const auto* variable = index.as<lang::Variable>();
      if (!variable) return {};
      names.push_back(variable->name);
    }
    return names;
  }
  return {};
}

}  // namespace

std::vector<Workspace> workspaces(const Compilation& compiled) {
  std::vector<Workspace> all;
  for (const Written& written : compiled.written) {
    const bool collects = written.how == Written::How::slices || written.how == Written::How::whole;
    const lang::TensorInfo* info = compiled.program.tensor(written.tensor);
    if (!collects || written.workspaces.size() != 1 || !info || info->format.layout) continue;
    const lang::TensorInfo& now = written.workspaces.front();
    std::vector<std::string> indices = index_names(compiled.kernel, written.tensor);
    const std::size_t inner = now.shape.size();
    if (inner == 0 || indices.size() != info->shape.size() || inner > indices.size()) continue;
    Workspace one{now.name, written.tensor, {}, Kind::dense, {}, {}};
    for (std::size_t level = indices.size() - inner; level < indices.size(); ++level) {
      const std::size_t dimension = format::dimension_of(info->format, level);
      one.inner.push_back(static_cast<int>(dimension));
      indices[dimension] = ":";
    }
    std::ranges::sort(one.inner);
    one.indices = std::move(indices);
    // A dense one would store all of its elements in the result.
    if (kind_of(now) == Kind::dense) continue;
    for (const Kind kind : {Kind::bytemap, Kind::hash, Kind::sort}) {
      one.kind = kind;
      if (kind != kind_of(now)) all.push_back(one);
    }
  }
  return all;
}

}  // namespace trellis::plan
