#include "engine/emit/flatten.hpp"

#include <algorithm>

#include "engine/emit/blocks.hpp"

namespace trellis::emit::c {

namespace {

Mentioned declared_in(const std::vector<Stmt>& statements) {
  Mentioned names;
  for (const Stmt& s : statements)
    if (const auto* d = s.as<Declaration>()) names.insert(d->name);
  return names;
}

bool meet(const Mentioned& a, const Mentioned& b) {
  return std::any_of(a.begin(), a.end(), [&](const std::string& name) { return b.count(name) > 0; });
}

std::vector<Stmt> opened_up(const std::vector<Stmt>& children) {
  if (std::ranges::none_of(children, [](const Stmt& child) { return child.as<Block>() != nullptr; })) return children;
  Mentioned beside = declared_in(children);
  const std::map<std::string, std::size_t> last = last_mentions(children);
  const auto mentioned_behind = [&](const Mentioned& names, std::size_t k) {
    return std::ranges::any_of(names, [&](const std::string& name) {
      const auto found = last.find(name);
      return found != last.end() && found->second > k;
    });
  };
  std::vector<Stmt> all;
  for (std::size_t k = 0; k < children.size(); ++k) {
    const auto* block = children[k].as<Block>();
    const bool governed = k > 0 && children[k - 1].as<Pragma>();
    const Mentioned own = block ? declared_in(block->statements) : Mentioned();
    if (!block || governed || meet(own, beside) || mentioned_behind(own, k)) {
      all.push_back(children[k]);
      continue;
    }
    beside.insert(own.begin(), own.end());
    all.insert(all.end(), block->statements.begin(), block->statements.end());
  }
  return all;
}

}  // namespace

Stmt flattened(const Stmt& s) { return rewrite_blocks(s, opened_up); }

}  // namespace trellis::emit::c
