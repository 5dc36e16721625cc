#include "engine/distribute/deals.hpp"

#include <algorithm>
#include <set>

#include "engine/distribute/phases.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::distribute {
namespace {

using math::Affine;
using math::Relation;
using schedule::Site;
using schedule::Touch;

/// A loop over v, and what it could be told apart by: v + offset in 0:size.
class Dealer {
 public:
  Dealer(Plan& plan, const Nest& nest, int loop, const std::string& ranks, math::Solver& solver)
      : plan_(plan), nest_(nest), loop_(loop), ranks_(ranks), solver_(solver) {}

  std::optional<Deal> deal() {
    const loop::For& f = *nest_.statements.at(loop_).as<loop::For>();
    for (const bool written : {true, false})
      for (const Site& site : nest_.sites())
        if (is_around(site))
          for (const Touch& touch : site.touches)
            if (writes(touch) == written)
              if (const auto deal = by(touch, f.variable)) return deal;
    const auto low = lang::affine(f.low), high = lang::affine(f.high);
    const std::int64_t offset = low && low->is_constant() ? -std::min<std::int64_t>(0, low->constant) : 0;
    std::vector<Affine> sizes;
    if (high && is_of_sizes(*high)) sizes.push_back(*high + Affine(offset));
    for (const auto& [tensor, info] : nest_.tensors)
      for (const Affine& size : info.shape)
        if (is_of_sizes(size)) add_once(sizes, size);
    for (const Affine& size : sizes)
      if (has_all(f.variable, offset, size)) return Deal{partition_of(plan_, ranks_, size), offset};
    return std::nullopt;
  }

 private:
  bool is_around(const Site& site) const {
    return std::ranges::any_of(site.loops, [&](const auto& a) { return nest_.number_of(a) == loop_; });
  }

  /// Each iteration of the loop has a tensor of its own.
  bool is_inside(const Site& site, const Touch& touch) const {
    for (std::size_t k = 0; touch.scope >= 0 && k < touch.shared && k < site.loops.size(); ++k)
      if (nest_.number_of(site.loops[k]) == loop_) return true;
    return false;
  }

  std::optional<Deal> by(const Touch& touch, const std::string& variable) {
    const auto d = dimension_along(plan_, tensor_of(touch), ranks_);
    if (!d || *d >= touch.index.size()) return std::nullopt;
    const auto offset = offset_from(touch.index[*d], variable);
    const int partition = (*plan_.home(tensor_of(touch)))[*d];
    const Partition& p = plan_.partitions[static_cast<std::size_t>(partition)];
    if (!offset || !has_all(variable, *offset, p.base + Affine(p.extra))) return std::nullopt;
    return Deal{partition, *offset};
  }

  /// Every iteration that leaves something behind is in 0:size.
  bool has_all(const std::string& variable, std::int64_t offset, const Affine& size) {
    const Affine coordinate = Affine::name(variable) + Affine(offset);
    for (const auto& [known, known_size, answer] : asked_)
      if (known == offset && known_size == size) return answer;
    const bool answer = std::ranges::all_of(nest_.sites(), [&](const Site& site) {
      if (!is_around(site)) return true;
      return std::ranges::all_of(site.touches, [&](const Touch& touch) {
        if (!writes(touch) || is_inside(site, touch)) return true;
        math::Domain domain = site.domain;
        domain.constraints.insert(domain.constraints.end(), touch.guards.begin(), touch.guards.end());
        return solver_.implies_all(domain,
                                   {{Affine(0), Relation::less_equal, coordinate}, {coordinate, Relation::less, size}});
      });
    });
    asked_.push_back({offset, size, answer});
    return answer;
  }

  /// It moves with no loop.
  bool is_of_sizes(const Affine& form) const {
    std::set<std::string> names;
    form.collect_names(names);
    return std::ranges::none_of(names, [&](const std::string& name) {
      return std::ranges::any_of(nest_.loop_of, [&](const loop::Stmt& s) {
        const auto* f = s ? s.as<loop::For>() : nullptr;
        return f && f->variable == name;
      });
    });
  }

  struct Asked {
    std::int64_t offset;
    Affine size;
    bool answer;
  };

  Plan& plan_;
  const Nest& nest_;
  const int loop_;
  const std::string& ranks_;
  math::Solver& solver_;
  std::vector<Asked> asked_;
};

}  // namespace

int partition_of(Plan& plan, const std::string& ranks, const Affine& size) {
  const Affine base = base_of(size);
  const std::int64_t extra = size.is_constant() ? 0 : std::max<std::int64_t>(0, size.constant);
  for (std::size_t k = 0; k < plan.partitions.size(); ++k) {
    const Partition& p = plan.partitions[k];
    if (p.ranks == ranks && p.base == base && p.extra == extra) return static_cast<int>(k);
  }
  const auto g = std::ranges::find(plan.grid, ranks, &lang::RanksInfo::name) - plan.grid.begin();
  const std::int64_t cyclic = g < std::ssize(plan.cyclic) ? plan.cyclic[static_cast<std::size_t>(g)] : 0;
  if (cyclic > 0) {
    plan.partitions.push_back(
        {ranks, base, extra, "at_" + ranks, "end_" + ranks, cyclic, plan.grid[static_cast<std::size_t>(g)].count});
    return static_cast<int>(plan.partitions.size()) - 1;
  }
  // Sizes that differ by a number begin their parts at the same places.
  const auto same =
      std::ranges::find_if(plan.partitions, [&](const Partition& p) { return p.ranks == ranks && p.base == base; });
  const auto other = std::ranges::count(plan.partitions, ranks, &Partition::ranks);
  const std::string suffix = ranks + (other > 0 ? "_" + std::to_string(other + 1) : "");
  const std::string low = same == plan.partitions.end() ? "lo_" + suffix : same->low;
  plan.partitions.push_back({ranks, base, extra, low, "hi_" + suffix});
  return static_cast<int>(plan.partitions.size()) - 1;
}

std::optional<Deal> deal_of(Plan& plan, const Nest& nest, int loop, const std::string& ranks, math::Solver& solver) {
  return Dealer(plan, nest, loop, ranks, solver).deal();
}

}  // namespace trellis::distribute
