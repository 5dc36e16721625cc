#include "engine/text/kin.hpp"

#include <algorithm>
#include <iterator>

namespace trellis::text {
namespace {

/// More of them than a node and those next to it: the node is known beyond its own stage.
constexpr std::size_t few_stages = 3;

std::set<Stage> stages_of(const std::set<NodeId>& nodes) {
  std::set<Stage> stages;
  for (const NodeId& node : nodes) stages.insert(node.stage);
  return stages;
}

}  // namespace

void Kin::add(const NodeId& node, const Origin& origin) {
  std::set<NodeId>& from = origins_[node];
  for (const NodeId& one : origin) {
    if (one == node) continue;
    from.insert(one);
    made_[one].insert(node);
  }
}

void Kin::add(const Text& text) {
  for (const TextSpan& span : text.spans) add(span.node, span.origin);
}

std::set<NodeId> Kin::reach(const std::set<NodeId>& start, const Links& links) {
  std::set<NodeId> found;
  std::vector<NodeId> todo(start.begin(), start.end());
  while (!todo.empty()) {
    const auto next = links.find(todo.back());
    todo.pop_back();
    if (next == links.end()) continue;
    for (const NodeId& node : next->second)
      if (found.insert(node).second) todo.push_back(node);
  }
  return found;
}

std::set<NodeId> Kin::of(const NodeId& node) const {
  std::set<NodeId> kin = reach({node}, origins_);
  kin.merge(reach({node}, made_));
  kin.insert(node);
  const std::set<Stage> known = stages_of(kin);
  if (const auto from = origins_.find(node); from != origins_.end())
    for (const NodeId& cousin : reach(from->second, made_))
      if (!known.contains(cousin.stage)) kin.insert(cousin);
  add_passed_by(node, kin);
  return kin;
}

void Kin::add_passed_by(const NodeId& node, std::set<NodeId>& kin) const {
  const std::set<Stage> known = stages_of(kin);
  std::set<NodeId> found;
  for (int passed = 1; passed < static_cast<int>(node.stage); ++passed) {
    const auto stage = static_cast<Stage>(passed);
    const auto before = std::ranges::find_if(known.rbegin(), known.rend(), [&](Stage one) { return one < stage; });
    if (known.contains(stage) || before == known.rend()) continue;
    for (const NodeId& from : kin)
      if (const auto made = made_.find(from); from.stage == *before && made != made_.end())
        std::ranges::copy_if(made->second, std::inserter(found, found.end()),
                             [&](const NodeId& one) { return one.stage == stage; });
  }
  kin.merge(found);
}

Kin::Lit Kin::lit(const std::vector<NodeId>& nested) const {
  Lit lit;
  if (nested.empty()) return lit;
  lit.strong = of(nested.front());
  if (stages_of(lit.strong).size() > few_stages) return lit;
  for (auto around = nested.begin() + 1; around != nested.end(); ++around) {
    lit.weak = of(*around);
    if (stages_of(lit.weak).size() > few_stages) break;
  }
  return lit;
}

std::vector<NodeId> nodes_at(const Text& text, std::uint32_t offset) {
  std::vector<NodeId> nodes;
  for (const TextSpan& span : text.spans)
    if (span.begin <= offset && offset < span.end) nodes.push_back(span.node);
  std::ranges::reverse(nodes);
  return nodes;
}

}  // namespace trellis::text
