#pragma once
// Trees of a type that says once what its nodes hold: `Children::of(node, each)` calls `each` with every child of a
// node, in the order in which they are evaluated, as a reference that may be assigned to where the node may. What looks
// at children and what replaces them both follow from that.

#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

#include "engine/text/node.hpp"

namespace trellis::text {

/// What a `Children` is written with: of which kind a node is, which may be const, and children that may be absent or
/// are several.
struct ChildrenByKind {
  template <class N, class Kind>
  static constexpr bool is = std::is_same_v<std::remove_const_t<N>, Kind>;

  template <class Each>
  static auto maybe_of(Each& each) {
    return [&each](auto& one) {
      if (one) each(*one);
    };
  }
  template <class Each>
  static auto all_of(Each& each) {
    return [&each](auto& several) {
      for (auto& one : several) each(one);
    };
  }
};

/// The same tree with each child as `map` gives it back; the very same handle, nothing copied, when no child changed.
template <class Children, class Node, class Map>
Handle<Node> with_children(const Handle<Node>& tree, Map&& map) {
  const auto rebuilt = [&](const auto& kind) -> Handle<Node> {
    using Kind = std::remove_cvref_t<decltype(kind)>;
    std::optional<Node> copy;
    std::size_t same = 0;  // so many children before the first that changed
    Children::of(kind, [&](const auto& child) {
      if (copy) return;
      auto next = map(child);
      if (next.same(child)) {
        ++same;
        return;
      }
      copy = *tree;
      std::size_t at = 0;
      Children::of(std::get<Kind>(copy->is), [&](auto& own) {
        const std::size_t k = at++;
        if (k < same) return;
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(own)>, std::remove_cvref_t<decltype(next)>>)
          if (k == same) {
            own = std::move(next);
            return;
          }
        own = map(own);
      });
    });
    return copy ? Handle<Node>(std::move(*copy), tree.origin(), tree.id()) : tree;
  };
  return std::visit(rebuilt, tree->is);
}

/// Calls `visit` with every child.
template <class Children, class Node, class Visit>
void visit_children(const Handle<Node>& tree, Visit&& visit) {
  std::visit([&](const auto& kind) { Children::of(kind, visit); }, tree->is);
}

}  // namespace trellis::text
