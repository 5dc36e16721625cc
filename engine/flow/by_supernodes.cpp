#include "engine/flow/by_supernodes.hpp"

#include <algorithm>

#include "engine/flow/panels.hpp"

namespace trellis::flow {

namespace {

class Tiling {
 public:
  Tiling(Flow& flow, const lang::Schedule::Supernodes& wanted) : flow_(flow), wanted_(wanted) {}

  bool tiled = false;
  std::string why = "no loop over its columns adds up products of those before";

  Stmt visit(const Stmt& s) {
    const auto* l = s.as<Loop>();
    if (l && !tiled)
      if (const auto panels = in_panels(s, *l)) return *panels;
    return map_children(
        s, [&](const Stmt& child) { return visit(child); }, [](const Expr& e) { return e; });
  }

 private:
  std::optional<Stmt> in_panels(const Stmt& s, const Loop& loop) {
    const Tensor factor = *flow_.tensor(wanted_.tensor);
    std::string reason;
    const auto found = left_looking(flow_, loop, factor, reason);
    if (!found && !reason.empty()) why = reason;
    if (!found) return std::nullopt;
    if (!found->own.empty() && !found->own_is_term) {
      why = "what it adds up on the diagonal is not what it adds up below";
      return std::nullopt;
    }
    if (found->diagonal != wanted_.diagonal) {
      why = "its diagonal is not where the equations have it";
      return std::nullopt;
    }
    declare_firsts();
    for_each_stmt(found->update, [&](const Stmt& inside) {
      if (inside.as<Assign>()) flow_.reassociated.push_back({inside.origin(), "supernode by supernode"});
    });
    tiled = true;
    const Stmt panels = Panels(flow_, *found, wanted_.partition, {s->span, s.origin()}).all(loop.body);
    std::erase_if(flow_.tensors, [&](const Tensor& t) { return t.name == found->sum || t.name == found->own; });
    return panels;
  }

  /// The first columns, which the session finds.
  void declare_firsts() {
    const Tensor& factor = *flow_.tensor(wanted_.tensor);
    Tensor firsts;
    firsts.name = wanted_.partition;
    firsts.type = format::ScalarType::boolean;
    firsts.fill = format::Value::truth(false);
    firsts.pattern = true;
    firsts.order = {0};
    Level level;
    level.size = factor.levels[0].size;
    level.facts = format::facts(format::Level{"compressed", {}});
    firsts.levels = {level};
    // Tensors that are given stand before temporaries.
    const auto at = std::ranges::find(flow_.tensors, Tensor::Storage::temporary, &Tensor::storage);
    flow_.tensors.insert(at, std::move(firsts));
  }

  Flow& flow_;
  const lang::Schedule::Supernodes& wanted_;
};

bool in_columns(const Tensor* factor, const lang::Schedule::Supernodes& wanted) {
  return factor && factor->entries_of == wanted.panels && factor->levels.size() == 2 &&
         factor->levels[0].facts.dense() && factor->levels[1].facts.sorted_list() && format::is_floating(factor->type);
}

}  // namespace

std::optional<Flow> by_supernodes(const Flow& flow, const lang::Kernel& kernel, text::Diagnostics& diagnostics) {
  Flow result = flow;
  for (const lang::Schedule::Supernodes& wanted : kernel.schedule.supernodes) {
    Tiling tiling(result, wanted);
    const bool listed = in_columns(result.tensor(wanted.tensor), wanted);
    if (listed) result.root = tiling.visit(result.root);
    else if (wanted.panels.empty()) tiling.why = "its mask is not one that the equations give";
    else tiling.why = wanted.tensor + " does not list the rows of its columns";
    if (tiling.tiled) continue;
    diagnostics.error("E0158", wanted.span, "the supernodes of " + wanted.tensor + " cannot be panels: " + tiling.why,
                      "the loop over columns outside, then that over those before: `order j k i`");
    return std::nullopt;
  }
  return result;
}

}  // namespace trellis::flow
