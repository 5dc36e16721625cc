#include "engine/place/late_pairs.hpp"

#include <algorithm>

namespace trellis::place {
namespace {

bool stands_before(const Tree& tree, int f, int g, std::size_t depth) {
  const auto& loops = tree.site(f).loops;
  const std::vector<Child>& body = tree.body({loops.begin(), loops.begin() + static_cast<std::ptrdiff_t>(depth)});
  auto at = [&](int fragment) { return std::find(body.begin(), body.end(), tree.child(fragment, depth)); };
  return at(f) < at(g);
}

}  // namespace

std::vector<Dependences::Id> late_pairs(const Tree& tree, Dependences& dependences, int writer, int reader,
                                        Dependences::Id pairs) {
  std::vector<Dependences::Id> result;
  auto add = [&](Dependences::Id late) {
    if (dependences.any(late)) result.push_back(late);
  };
  const std::size_t common = tree.common(writer, reader);
  for (std::size_t k = 0; k < common; ++k) {
    const bool down = tree.loop(tree.site(writer).loops[k]).name.descending;
    const Dependences::Pair here{tree.site(writer).picks[k], tree.site(reader).picks[k]};
    const auto same = dependences.agreeing(pairs, writer, tree.equalities(writer, reader, k));
    add(dependences.where(same, writer, here, down ? math::Relation::less : math::Relation::greater));
  }
  if (writer == reader || !stands_before(tree, writer, reader, common)) {
    add(dependences.agreeing(pairs, writer, tree.equalities(writer, reader, common)));
  }
  return result;
}

}  // namespace trellis::place
