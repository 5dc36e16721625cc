#include "engine/flow/entries.hpp"

#include "engine/flow/ranges.hpp"

namespace trellis::flow {

std::string entries_of(const Flow& flow, const std::string& name) {
  const Tensor& tensor = *flow.tensor(name);
  if (tensor.storage == Tensor::Storage::operand) return name;
  return tensor.storage == Tensor::Storage::result ? tensor.entries_of : "";
}

bool is_same(const Position& a, const Position& b) {
  if (a.as<Root>() || b.as<Root>()) return a.as<Root>() && b.as<Root>();
  if (const auto* x = a.as<At>(), *y = b.as<At>(); x && y) return x->name == y->name && !x->several && !y->several;
  const auto *x = a.as<Direct>(), *y = b.as<Direct>();
  return x && y && x->level == y->level && x->coordinate == y->coordinate && is_same(x->parent, y->parent);
}

bool stores_fibers(const Tensor& tensor) {
  if (tensor.levels.size() != 2 || !tensor.levels[0].facts.dense()) return false;
  const format::Facts& facts = tensor.levels[1].facts;
  return facts.sorted_list() && facts.positions && facts.slots == 0;
}

bool are_transposed(const Tensor& a, const Tensor& b) {
  return stores_fibers(a) && stores_fibers(b) && a.order[0] == b.order[1] && a.order[1] == b.order[0] &&
         a.levels[0].size == b.levels[1].size && a.levels[1].size == b.levels[0].size &&
         a.levels[1].facts.wide == b.levels[1].facts.wide;
}

bool is_plain(const Flow& flow, const Locate& l) {
  return !l.several && !l.exists && !l.check && affine(l.coordinate) && !entries_of(flow, l.tensor).empty();
}

}  // namespace trellis::flow
