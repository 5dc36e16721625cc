#include "engine/place/tree.hpp"

#include <algorithm>

namespace trellis::place {

bool Tree::is_under(int fragment, const std::vector<int>& path) const {
  const Site& s = site(fragment);
  return s.placed && s.loops.size() >= path.size() && std::equal(path.begin(), path.end(), s.loops.begin());
}

std::vector<int> Tree::below(const std::vector<int>& path) const {
  std::vector<int> result;
  for (int f = 0; f < static_cast<int>(sites.size()); ++f) {
    if (is_under(f, path)) result.push_back(f);
  }
  return result;
}

Child Tree::child(int fragment, std::size_t depth) const {
  const Site& s = site(fragment);
  if (depth < s.loops.size()) return {Child::Kind::loop, s.loops[depth]};
  return {Child::Kind::statement, fragment};
}

std::vector<std::pair<int, int>> Tree::equalities(int f, int g, std::size_t depth) const {
  std::vector<std::pair<int, int>> result;
  for (std::size_t k = 0; k < depth; ++k) result.emplace_back(site(f).picks[k], site(g).picks[k]);
  return result;
}

std::size_t Tree::common(int f, int g) const {
  const std::vector<int>&a = site(f).loops, &b = site(g).loops;
  std::size_t depth = 0;
  while (depth < a.size() && depth < b.size() && a[depth] == b[depth]) ++depth;
  return depth;
}

namespace {

void sketch_body(const Tree& tree, const std::vector<Child>& body, int depth, Sketch& out) {
  for (const Child& child : body) {
    if (child.kind == Child::Kind::statement) {
      out.push_back({depth, {}, child.id});
      continue;
    }
    out.push_back({depth, tree.loop(child.id).name, -1});
    sketch_body(tree, tree.loop(child.id).body, depth + 1, out);
  }
}

}  // namespace

Sketch sketch(const Tree& tree) {
  Sketch out;
  sketch_body(tree, tree.root, 0, out);
  return out;
}

}  // namespace trellis::place
