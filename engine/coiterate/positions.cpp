#include "engine/coiterate/positions.hpp"

#include <algorithm>
#include <cassert>

#include "engine/coiterate/conditions.hpp"
#include "engine/coiterate/lower_tensors.hpp"
#include "engine/coiterate/recursion.hpp"

namespace trellis::coiterate {

namespace {

// In a block each coordinate has a place of its own.
Position position_of(Context& in, const Entry& entry, const lang::Access& access, int level) {
  const Tensor& of = tensor(in, access.tensor);
  const format::Facts& facts = facts_of(of, level);
  if (facts.region != format::Region::block || facts.dense()) return entry.position;
  const lang::Expr& index = level_index(access, *info(in, access.tensor), level);
  return Position(PositionNode{flow::Within{of.name, level, entry.position.as<At>()->name, lower_expr(in, index)}});
}

}  // namespace

bool is_promised(Context& in, const lang::Access& access, const lang::Expr& index) {
  const auto* implied = index.as<lang::Cast>();
  const auto* chooser = (implied ? implied->operand : index).as<lang::Access>();
  const lang::TensorInfo* of = chooser && !chooser->step ? in.program.tensor(chooser->tensor) : nullptr;
  if (!of || in.tensors.written.contains(of->name) || in.tensors.declared.contains(of->name)) return false;
  const auto& [low, high] = std::pair(of->promises.low, of->promises.high);
  const auto proven = [&](const math::Affine& value) { return in.scope.ranges.non_negative(value); };
  if (!low || !high || !proven(*low)) return false;
  const std::vector<math::Affine>& shape = info(in, access.tensor)->shape;
  for (std::size_t d = 0; d < access.indices.size(); ++d)
    if (access.indices[d] == index && !proven(shape[d] - *high)) return false;
  for (std::size_t d = 0; d < chooser->indices.size(); ++d) {
    if (is_promised(in, *chooser, chooser->indices[d])) continue;
    const auto form = flow::quasi_affine(lower_expr(in, chooser->indices[d]));
    if (!form || !proven(*form) || !proven(of->shape[d] - *form - math::Affine(1))) return false;
  }
  return true;
}

std::optional<Site> index_check(Context& in, const lang::Access& access, const lang::Expr& index) {
  if (lang::affine(index) || is_promised(in, access, index)) return std::nullopt;
  const auto* implied = index.as<lang::Cast>();  // to i64, by the resolver
  return Site{index->span, "index " + lang::to_string(implied ? implied->operand : index) + " of " + access.tensor};
}

bool is_checked(Context& in, const lang::Access& access) {
  return std::ranges::any_of(access.indices,
                             [&](const lang::Expr& index) { return index_check(in, access, index).has_value(); });
}

std::string position_name(const Tensor& tensor, int level) {
  return "p" + tensor.name + (level + 1 == levels_of(tensor) ? "" : std::to_string(level + 1));
}

int found_levels(Context& in, const lang::Access& access, int most_levels) {
  int level = std::min(levels_of(tensor(in, access.tensor)), most_levels);
  while (level > 0 && !in.entries.contains(level_key(access, *info(in, access.tensor), level - 1))) --level;
  return level;
}

Descent descend(Context& in, const lang::Access& access, int most_levels, Checks checks) {
  assert(!access.step && "placement has turned timesteps into buffers");
  const Tensor& of = tensor(in, access.tensor);
  const lang::TensorInfo& described = *info(in, access.tensor);
  Descent result{root(), std::max(0, found_levels(in, access, most_levels) - 1), {}};
  for (const int levels = std::min(levels_of(of), most_levels); result.levels < levels; ++result.levels) {
    const int level = result.levels;
    const auto entry = in.entries.find(level_key(access, described, level));
    if (entry != in.entries.end()) {
      result.position = position_of(in, entry->second, access, level);
      result.missing = entry->second.missing;
    } else if (facts_of(of, level).dense()) {
      result.position = computed(in, access, level, result.position, checks);
    } else {
      break;
    }
  }
  return result;
}

Descent fiber_of(Context& in, const lang::Access& access, int level, Checks checks) {
  const auto segment = in.segments.find(level_key(access, *info(in, access.tensor), level));
  if (segment != in.segments.end()) return {segment->second.position, level, segment->second.missing};
  return descend(in, access, level, checks);
}

Position computed(Context& in, const lang::Access& access, int level, const Position& parent, Checks checks) {
  const lang::Expr& index = level_index(access, *info(in, access.tensor), level);
  const std::optional<Site> check = checks == Checks::kept ? index_check(in, access, index) : std::nullopt;
  return Position(PositionNode{Direct{tensor(in, access.tensor).name, level, parent, lower_expr(in, index), check}});
}

// Placement has proven affine indices in range where the access is read. Before a loop, which may run nowhere, that
// says nothing:
//   y(i) = sum(k)(A(i-1,k)) : k < i      A's row is fetched if 0 <= i - 1
std::optional<Expr> in_range(Context& in, const lang::Access& access, int level, Checks checks) {
  const Tensor& of = tensor(in, access.tensor);
  std::optional<Expr> all;
  for (int l = level - 1; l >= 0; --l) {
    const lang::Expr& at = level_index(access, *info(in, access.tensor), l);
    if (!facts_of(of, l).dense() || is_promised(in, access, at)) continue;
    if (checks == Checks::kept && index_check(in, access, at)) continue;
    const Expr index = lower_expr(in, at), end = of.levels[static_cast<std::size_t>(l)].size;
    const auto form = flow::quasi_affine(index), size = flow::quasi_affine(end);
    if (!form || !size || !in.scope.ranges.non_negative(*size - *form - math::Affine(1)))
      all = both(condition(format::BinaryOp::less, index, end), all);
    if (!form || !in.scope.ranges.non_negative(*form))
      all = both(condition(format::BinaryOp::less_equal, integer(0), index), all);
  }
  return all;
}

bool is_known(Context& in, const lang::Expr& e) {
  if (const auto* v = e.as<lang::Variable>()) return in.scope.bound.count(v->name) > 0;
  if (const auto* access = e.as<lang::Access>()) return is_known(in, *access);
  bool all = true;
  lang::for_each_child(e, [&](const lang::Expr& child) { all = all && is_known(in, child); });
  return all;
}

// By regions a variable may have no value of its own, where what it indexes has been found all the same.
bool is_known(Context& in, const lang::Access& access) {
  const lang::TensorInfo& described = *info(in, access.tensor);
  const Tensor& of = tensor(in, access.tensor);
  for (int level = std::max(0, found_levels(in, access) - 1); level < levels_of(of); ++level) {
    const format::Facts& facts = facts_of(of, level);
    const bool found = in.entries.contains(level_key(access, described, level));
    if (!found && !facts.dense()) return false;
    const bool by_index = !found || facts.region == format::Region::block;
    if (by_index && !is_known(in, level_index(access, described, level))) return false;
  }
  return true;
}

}  // namespace trellis::coiterate
