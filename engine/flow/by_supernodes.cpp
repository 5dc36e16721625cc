#include "engine/flow/by_supernodes.hpp"

#include <algorithm>

#include "engine/flow/panels.hpp"

namespace trellis::flow {

namespace {

using OfPartition = lang::Schedule::Supernodes;

class Tiling {
 public:
  /// All that are wanted by one partition.
  Tiling(Flow& flow, std::vector<const OfPartition*> wanted) : flow_(flow), wanted_(std::move(wanted)) {
    for (const OfPartition* one : wanted_) sides_.push_back({one->tensor, one->panels, one->diagonal, {}});
  }

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
    std::string reason;
    const auto found = left_looking(flow_, loop, sides_, reason);
    if (!found && !reason.empty()) why = reason;
    if (!found) return std::nullopt;
    declare(wanted_.front()->partition, 1), declare(wanted_.front()->updates(), 2);
    for_each_stmt(found->update, [&](const Stmt& inside) {
      if (inside.as<Assign>()) flow_.reassociated.push_back({inside.origin(), "supernode by supernode"});
    });
    tiled = true;
    const Stmt panels = Panels(flow_, *found, *wanted_.front(), {s->span, s.origin()}).all(loop.body);
    const auto gone = [&](const Tensor& t) {
      return t.name == found->own || std::ranges::any_of(found->sides, [&](const auto& o) { return o.sum == t.name; });
    };
    std::erase_if(flow_.tensors, gone);
    return panels;
  }

  /// A pattern that the session finds, whose last level lists coordinates.
  void declare(const std::string& name, std::size_t dimensions) {
    const Tensor& factor = *flow_.tensor(wanted_.front()->tensor);
    Tensor found;
    found.name = name;
    found.type = format::ScalarType::boolean;
    found.fill = format::Value::truth(false);
    found.pattern = true;
    for (std::size_t d = 0; d < dimensions; ++d) {
      found.order.push_back(static_cast<int>(d));
      found.levels.push_back({factor.levels[0].size});
    }
    found.levels.back().facts = format::facts(format::Level{"compressed", {}});
    // Tensors that are given stand before temporaries.
    const auto at = std::ranges::find(flow_.tensors, Tensor::Storage::temporary, &Tensor::storage);
    flow_.tensors.insert(at, std::move(found));
  }

  Flow& flow_;
  const std::vector<const OfPartition*> wanted_;
  std::vector<LeftLooking::Side> sides_;
};

bool in_columns(const Tensor* factor, const OfPartition& wanted) {
  return factor && factor->entries_of == wanted.panels && factor->levels.size() == 2 &&
         factor->levels[0].facts.dense() && factor->levels[1].facts.sorted_list() && format::is_floating(factor->type);
}

/// By partition, in the order in which they are wanted.
std::vector<std::vector<const OfPartition*>> by_partition(const lang::Schedule& schedule) {
  std::vector<std::vector<const OfPartition*>> all;
  for (const OfPartition& one : schedule.supernodes) {
    const auto known =
        std::ranges::find_if(all, [&](const auto& others) { return others.front()->partition == one.partition; });
    if (known != all.end()) known->push_back(&one);
    else all.push_back({&one});
  }
  return all;
}

}  // namespace

std::optional<Flow> by_supernodes(const Flow& flow, const lang::Kernel& kernel, text::Diagnostics& diagnostics) {
  Flow result = flow;
  for (const std::vector<const OfPartition*>& wanted : by_partition(kernel.schedule)) {
    Tiling tiling(result, wanted);
    const auto misfit = std::ranges::find_if(
        wanted, [&](const OfPartition* one) { return !in_columns(result.tensor(one->tensor), *one); });
    const OfPartition& first = *wanted.front();
    if (wanted.size() > 2) tiling.why = first.partition + " is of more than two triangles";
    else if (misfit == wanted.end()) result.root = tiling.visit(result.root);
    else if ((*misfit)->panels.empty()) tiling.why = "its mask is not one that the equations give";
    else tiling.why = (*misfit)->tensor + " does not list the rows of its columns";
    if (tiling.tiled) continue;
    diagnostics.error("E0158", first.span, "the supernodes of " + first.tensor + " cannot be panels: " + tiling.why,
                      "the loop over columns outside, then that over those before: `order j k i`");
    return std::nullopt;
  }
  return result;
}

}  // namespace trellis::flow
