#include "engine/distribute/phases.hpp"

#include <algorithm>

#include "engine/distribute/homes.hpp"

namespace trellis::distribute {
namespace {

using math::Affine;
using math::Constraint;
using math::Relation;
using schedule::Site;
using schedule::Touch;

/// What an assignment writes; null of other statements.
const Touch* target_of(const Nest& nest, const Site& site) {
  if (site.part != Site::Part::action || !nest.statements.at(site.statement).as<loop::Assign>()) return nullptr;
  return writes(site.touches.front()) ? &site.touches.front() : nullptr;
}

bool in_phase(const Plan& plan, const Nest& nest, const Site& site) {
  return std::ranges::any_of(site.loops, [&](const auto& a) { return plan.is_dealt(nest.number_of(a)); });
}

/// Of what all ranks have to find alike, a read of what is cut.
const Touch* cut_read(const Plan& plan, const Site& site) {
  for (const Touch& touch : site.touches)
    if (!writes(touch) && plan.home(tensor_of(touch))) return &touch;
  return nullptr;
}

}  // namespace

std::optional<std::size_t> dimension_along(const Plan& plan, const Tensor& tensor, const std::string& ranks) {
  const Home* home = plan.home(tensor);
  for (std::size_t d = 0; home && d < home->size(); ++d)
    if ((*home)[d] >= 0 && plan.partitions[static_cast<std::size_t>((*home)[d])].ranks == ranks) return d;
  return std::nullopt;
}

int phase_of(const Plan& plan, const Nest& nest, const Site& site) {
  for (const auto& around : site.loops)
    if (plan.is_shared(nest.number_of(around))) return nest.number_of(around);
  return site.statement;
}

std::optional<Place> place_of(const Plan& plan, const Nest& nest, const Site& site, const std::string& ranks) {
  if (const auto loop = dealt_around(plan, nest, site, ranks)) {
    const Deal& deal = plan.dealt.at(*loop);
    const std::string& variable = nest.statements.at(*loop).as<loop::For>()->variable;
    return Place{deal.partition, Affine::name(variable) + Affine(deal.offset)};
  }
  const Touch* target = target_of(nest, site);
  if (!target || is_private(plan, nest, site, *target)) return std::nullopt;
  const auto d = dimension_along(plan, tensor_of(*target), ranks);
  if (!d || *d >= target->index.size() || !target->index[*d]) return std::nullopt;
  return Place{(*plan.home(tensor_of(*target)))[*d], *target->index[*d]};
}

bool is_at_home(const Plan& plan, const Nest& nest, const Site& site, const Touch& touch, const std::string& ranks) {
  const auto place = place_of(plan, nest, site, ranks);
  const auto d = dimension_along(plan, tensor_of(touch), ranks);
  if (!place || !d || *d >= touch.index.size() || !touch.index[*d]) return false;
  return place->partition == (*plan.home(tensor_of(touch)))[*d] && *touch.index[*d] == place->coordinate;
}

std::vector<Constraint> own_iterations(const Plan& plan, const Nest& nest, const Site& site) {
  std::vector<Constraint> all;
  for (const lang::RanksInfo& ranks : plan.grid)
    if (const auto place = place_of(plan, nest, site, ranks.name))
      for (Constraint& c : inside(plan.partitions[static_cast<std::size_t>(place->partition)], place->coordinate))
        all.push_back(std::move(c));
  return all;
}

bool find_guards(Plan& plan, const Nest& nest, text::Span asked, text::Diagnostics& diagnostics) {
  for (const Site& site : nest.sites()) {
    const loop::Stmt& stmt = nest.statements.at(site.statement);
    const bool beside = !in_phase(plan, nest, site);
    const Touch* target = target_of(nest, site);
    if (beside && !target && !stmt.as<loop::Reset>()) {
      const Touch* tested = cut_read(plan, site);
      if (!tested) continue;
      diagnostics
          .error("E0153", asked, "ranks would part ways: what all of them test is cut",
                 tested->tensor + " is cut, and a loop or condition around others depends on it")
          .notes.push_back({stmt->span, "each rank has only its part of it here"});
      return false;
    }
    if (target)
      for (const lang::RanksInfo& ranks : plan.grid) {
        const auto d = dimension_along(plan, tensor_of(*target), ranks.name);
        const bool placed = !d || is_private(plan, nest, site, *target) || place_of(plan, nest, site, ranks.name);
        if (placed) {
          const auto place = place_of(plan, nest, site, ranks.name);
          if (place && !dealt_around(plan, nest, site, ranks.name))
            for (Constraint& c : inside(plan.partitions[static_cast<std::size_t>(place->partition)], place->coordinate))
              plan.guards[site.statement].push_back(std::move(c));
          continue;
        }
        diagnostics
            .error("E0152", asked, "no rank is known to compute an element of " + target->tensor,
                   target->tensor + " is cut in dimension " + std::to_string(*d) + ", where its index is not affine")
            .notes.push_back({stmt->span, "written here"});
        return false;
      }
  }
  return true;
}

}  // namespace trellis::distribute
