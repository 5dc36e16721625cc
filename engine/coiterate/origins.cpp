#include "engine/coiterate/origins.hpp"

#include <functional>
#include <map>

#include "engine/coiterate/print_lattice.hpp"

namespace trellis::coiterate {

namespace {

/// A copy of a flow in which other nodes are named as origins.
class Renaming {
 public:
  explicit Renaming(std::function<text::NodeId(text::NodeId)> renamed) : renamed_(std::move(renamed)) {}

  flow::Stmt stmt(const flow::Stmt& s) const {
    const flow::Stmt inner = flow::map_children(
        s, [&](const flow::Stmt& child) { return stmt(child); }, [&](const flow::Expr& child) { return expr(child); });
    if (!inner.as<flow::Coiterate>()) return flow::Stmt(*inner, origin(s.origin()), s.id());
    flow::Coiterate c = *inner.as<flow::Coiterate>();
    for (flow::Coiterate::Point& point : c.points) point.origin = origin(point.origin);
    return flow::Stmt(flow::StmtNode{std::move(c), s->span}, origin(s.origin()), s.id());
  }

 private:
  flow::Expr expr(const flow::Expr& e) const {
    const flow::Expr inner = flow::map_children(e, [&](const flow::Expr& child) { return expr(child); });
    return flow::Expr(*inner, origin(e.origin()), e.id());
  }
  text::Origin origin(const text::Origin& all) const {
    text::Origin result;
    for (const text::NodeId node : all) result = text::merge(result, {renamed_(node)});
    return result;
  }

  std::function<text::NodeId(text::NodeId)> renamed_;
};

}  // namespace

text::NodeId Origins::in_lattice(int point, int outcome) {
  nodes.push_back({within.lattice, point, outcome});
  return {text::Stage::lattice, static_cast<int>(nodes.size()) - 1};
}

text::Origin Origins::of(int from) const {
  if (function) return *function;
  if (from < 0) return {};
  return text::merge({{text::Stage::loops, from}}, around);
}

text::Origin Origins::of(const lang::Expr& part) const {
  if (function || part.id() < 0) return here();
  return {{text::Stage::equations, part.id()}};
}

flow::Stmt with_shown_lattices(const flow::Stmt& root, const Origins& origins) {
  const std::vector<int> same_as = same_lattices(origins.lattices);
  std::map<int, NumberedLattice> shown;
  for (const NumberedLattice& one : distinct(origins.lattices)) shown.emplace(one.number, one);
  const auto number_of = [&](const Origins::LatticeNode& node) {
    const NumberedLattice& lattice = shown.at(same_as[static_cast<std::size_t>(node.lattice)]);
    if (node.point < 0) return lattice.id;
    return node.outcome < 0 ? lattice.point_id(node.point) : lattice.outcome_id(node.point, node.outcome);
  };
  return Renaming([&](text::NodeId node) {
           const auto number = static_cast<std::size_t>(node.id);
           if (node.stage == text::Stage::algebra) node.id = same_as[number];
           if (node.stage == text::Stage::lattice) node.id = number_of(origins.nodes[number]);
           return node;
         })
      .stmt(root);
}

}  // namespace trellis::coiterate
