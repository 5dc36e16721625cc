#include "engine/distribute/homes.hpp"

#include <algorithm>
#include <set>

#include "engine/distribute/deals.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::distribute {
namespace {

using schedule::Around;
using schedule::Site;
using schedule::Touch;

/// Along one dimension of ranks.
class Along {
 public:
  Along(const Nest& nest, std::string ranks, const std::vector<std::string>& named)
      : nest_(nest), ranks_(std::move(ranks)) {
    for (const auto& [tensor, info] : nest.tensors) {
      const auto cut = std::ranges::find(info.over, ranks_);
      if (!info.over.empty()) said_.insert(tensor);
      if (cut != info.over.end()) homes_[tensor] = static_cast<std::size_t>(cut - info.over.begin());
    }
    for (std::size_t id = 1; id < nest.loop_of.size(); ++id) {
      const auto* f = nest.loop_of[id].as<loop::For>();
      if (f && contains(named, f->variable)) named_.insert(static_cast<int>(id));
    }
    dealt_ = named_;
    for (const Site& site : nest.sites())
      for (std::size_t k = 0; k < site.loops.size(); ++k)
        for (std::size_t outer = 0; outer < k; ++outer) around_[site.loops[k].id].insert(site.loops[outer].id);
    drop_inner();
  }

  void settle() {
    for (bool changed = true; changed;) {
      const auto before = std::pair(homes_.size(), dealt_);
      for (const Site& site : nest_.sites()) give_homes(site);
      for (const Site& site : nest_.sites()) deal_out(site);
      std::erase_if(dealt_, [&](int loop) {
        const bool strays = writes_elsewhere(loop);
        if (strays) never_.insert(loop);
        return strays;
      });
      drop_inner();
      changed = before != std::pair(homes_.size(), dealt_);
    }
  }

  /// What nothing writes lies as what is cut: a size that is cut is cut everywhere.
  void cut_by_size() {
    std::vector<math::Affine> cut;
    for (const auto& [tensor, dimension] : homes_) cut.push_back(base_of(nest_.tensors.at(tensor).shape[dimension]));
    for (const auto& [tensor, info] : nest_.tensors) {
      if (homes_.contains(tensor) || said_.contains(tensor) || nest_.written.contains(tensor)) continue;
      for (std::size_t d = 0; d < info.shape.size(); ++d)
        if (contains(cut, base_of(info.shape[d]))) {
          homes_[tensor] = d;
          break;
        }
    }
  }

  const std::map<Tensor, std::size_t>& homes() const { return homes_; }
  const std::set<int>& dealt() const { return dealt_; }

  bool is_private(const Site& site, const Touch& touch) const {
    if (touch.scope < 0) return false;
    for (std::size_t k = 0; k < touch.shared && k < site.loops.size(); ++k)
      if (dealt_.contains(site.loops[k].id)) return true;
    return false;
  }

  /// The dimension and offset by which the access lies by the loop.
  std::optional<std::int64_t> lies_by(const Touch& touch, const std::string& variable) const {
    const auto home = homes_.find(tensor_of(touch));
    if (home == homes_.end() || home->second >= touch.index.size()) return std::nullopt;
    return offset_from(touch.index[home->second], variable);
  }

  /// A write in the loop that does not lie by it: why the loop is not dealt out.
  const Touch* stray(int loop, const Site** where = nullptr) const {
    for (const Site& site : nest_.sites()) {
      const auto at = std::ranges::find(site.loops, loop, &Around::id);
      if (at == site.loops.end()) continue;
      for (const Touch& touch : site.touches) {
        // Where the user deals a loop out, what it adds elsewhere is sent to its owners.
        const bool binds = touch.kind == Touch::Kind::write || (writes(touch) && !named_.contains(loop));
        if (!binds || is_inside(site, touch, loop) || !homes_.contains(tensor_of(touch))) continue;
        const bool by_outer = std::any_of(site.loops.begin(), at, [&](const Around& outer) {
          return dealt_.contains(outer.id) && lies_by(touch, outer.variable);
        });
        if (lies_by(touch, at->variable) || by_outer) continue;
        if (where) *where = &site;
        return &touch;
      }
    }
    return nullptr;
  }

 private:
  /// The ranks share the iterations of a loop once: those of a loop inside run with their own.
  bool is_inner(int loop) const {
    const auto outer = around_.find(loop);
    return outer != around_.end() && std::ranges::any_of(outer->second, [&](int o) { return dealt_.contains(o); });
  }
  void drop_inner() {
    std::set<int> outer = dealt_;
    std::erase_if(outer, [&](int loop) { return is_inner(loop); });
    dealt_ = std::move(outer);
  }

  bool writes_elsewhere(int loop) const { return stray(loop) != nullptr; }

  /// It is declared in the loop.
  static bool is_inside(const Site& site, const Touch& touch, int loop) {
    if (touch.scope < 0) return false;
    for (std::size_t k = 0; k < touch.shared && k < site.loops.size(); ++k)
      if (site.loops[k].id == loop) return true;
    return false;
  }

  std::vector<const Around*> dealt_around(const Site& site) const {
    std::vector<const Around*> around;
    for (const Around& a : site.loops)
      if (dealt_.contains(a.id)) around.push_back(&a);
    return around;
  }

  /// One dimension for each of the ranks', the first.
  void give(const Touch& touch, const std::vector<const Around*>& by) {
    const Tensor tensor = tensor_of(touch);
    if (homes_.contains(tensor) || said_.contains(tensor) || !nest_.tensors.contains(tensor)) return;
    for (std::size_t d = 0; d < touch.index.size(); ++d)
      for (const Around* a : by)
        if (offset_from(touch.index[d], a->variable)) {
          homes_[tensor] = d;
          return;
        }
  }

  void give_homes(const Site& site) {
    const std::vector<const Around*> inside = dealt_around(site);
    for (const Touch& touch : site.touches) {
      const bool given = writes(touch) ? !is_private(site, touch) : !nest_.written.contains(tensor_of(touch));
      if (given) give(touch, inside);
    }
    if (!inside.empty()) return;
    std::vector<const Around*> copied;  // loops by which something lies that is read here: a copy lies likewise
    for (const Around& a : site.loops)
      for (const Touch& touch : site.touches)
        if (!writes(touch) && lies_by(touch, a.variable)) copied.push_back(&a);
    for (const Touch& touch : site.touches)
      if (touch.kind == Touch::Kind::write) give(touch, copied);
  }

  void add(int loop) {
    const auto* f = nest_.loop_of[static_cast<std::size_t>(loop)].as<loop::For>();
    if (f && !f->until && !never_.contains(loop) && !is_inner(loop)) dealt_.insert(loop);
  }

  void deal_out(const Site& site) {
    for (const Touch& touch : site.touches)
      if (writes(touch) && !is_private(site, touch))
        for (const Around& a : site.loops)
          if (lies_by(touch, a.variable)) add(a.id);
    if (!dealt_around(site).empty()) return;
    const bool adds_up = std::ranges::any_of(
        site.touches, [](const Touch& touch) { return touch.kind == Touch::Kind::update && touch.index.empty(); });
    for (const Touch& touch : site.touches)
      if (adds_up && !writes(touch))
        for (const Around& a : site.loops)
          if (dealt_around(site).empty() && lies_by(touch, a.variable)) add(a.id);
  }

  const Nest& nest_;
  const std::string ranks_;
  std::map<Tensor, std::size_t> homes_;
  std::set<Tensor> said_;  ///< by the user
  std::set<int> named_, dealt_, never_;
  std::map<int, std::set<int>> around_;  ///< of each loop, those that it lies in
};

bool refuse(const Along& along, const Nest& nest, const lang::Schedule::Distribution& asked,
            text::Diagnostics& diagnostics) {
  const auto named = [&](const loop::Stmt& s) {
    const auto* f = s ? s.as<loop::For>() : nullptr;
    return f && f->variable == asked.loop;
  };
  const auto at = std::find_if(nest.loop_of.begin() + 1, nest.loop_of.end(), named);
  if (at == nest.loop_of.end()) {
    diagnostics.error("E0106", asked.loop_span, "there is no loop over " + asked.loop + " here")
        .notes.push_back({{}, "no iteration of it is left to be dealt out"});
    return false;
  }
  const Site* where = nullptr;
  const Touch* touch = along.stray(static_cast<int>(at - nest.loop_of.begin()), &where);
  text::Diagnostic& d =
      diagnostics.error("E0152", asked.loop_span, "loop " + asked.loop + " has no place on ranks " + asked.ranks);
  if (!touch) {
    d.notes.push_back({{}, "it ends early, by until, or by something that is no size"});
    return false;
  }
  const lang::TensorInfo& info = nest.tensors.at(tensor_of(*touch));
  const std::size_t dimension = along.homes().at(tensor_of(*touch));
  d.label =
      touch->tensor + " is cut in dimension " + std::to_string(dimension) + ", where its index is not " + asked.loop;
  if (!info.over.empty()) d.notes.push_back({info.over_span, "cut so here"});
  d.notes.push_back({nest.statements.at(where->statement)->span, "written here"});
  return false;
}

}  // namespace

bool find_homes(Plan& plan, const Nest& nest, const lang::Kernel& kernel, math::Solver& solver,
                text::Diagnostics& diagnostics) {
  std::vector<Along> all;
  for (const lang::RanksInfo& ranks : plan.grid) {
    std::vector<std::string> named;
    for (const auto& asked : kernel.schedule.distributions)
      if (asked.ranks == ranks.name) named.push_back(asked.loop);
    all.emplace_back(nest, ranks.name, named);
    Along& along = all.back();
    along.settle();
    along.cut_by_size();
    for (const auto& [tensor, d] : along.homes()) {
      const lang::TensorInfo& info = nest.tensors.at(tensor);
      Home& home = plan.homes[tensor];
      home.resize(info.shape.size(), -1);
      if (home[d] < 0) home[d] = partition_of(plan, ranks.name, info.shape[d]);
    }
  }
  bool sound = true;
  for (std::size_t g = 0; g < all.size(); ++g) {
    const std::string& ranks = plan.grid[g].name;
    std::set<std::string> dealt;
    for (const int loop : all[g].dealt()) {
      const loop::Stmt& stmt = nest.loop_of[static_cast<std::size_t>(loop)];
      const auto deal = deal_of(plan, nest, stmt.id(), ranks, solver);
      if (!deal) continue;
      plan.dealt.emplace(stmt.id(), *deal);
      dealt.insert(stmt.as<loop::For>()->variable);
    }
    for (const auto& asked : kernel.schedule.distributions)
      if (asked.ranks == ranks && !dealt.contains(asked.loop)) sound = refuse(all[g], nest, asked, diagnostics);
  }
  return sound;
}

bool is_private(const Plan& plan, const Nest& nest, const Site& site, const Touch& touch) {
  if (touch.scope < 0) return false;
  for (std::size_t k = 0; k < touch.shared && k < site.loops.size(); ++k)
    if (plan.is_dealt(nest.number_of(site.loops[k]))) return true;
  return false;
}

std::optional<int> dealt_around(const Plan& plan, const Nest& nest, const Site& site, const std::string& ranks) {
  for (const Around& around : site.loops) {
    const auto deal = plan.dealt.find(nest.number_of(around));
    if (deal != plan.dealt.end() && plan.partitions[static_cast<std::size_t>(deal->second.partition)].ranks == ranks)
      return deal->first;
  }
  return std::nullopt;
}

}  // namespace trellis::distribute
