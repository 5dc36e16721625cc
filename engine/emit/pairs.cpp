#include "engine/emit/pairs.hpp"

#include <algorithm>
#include <vector>

#include "engine/emit/blocks.hpp"
#include "engine/emit/carry.hpp"

namespace trellis::emit::c {

namespace {

/// Does an entry choose which element of some array the body reads or writes?
bool chooses(const Stmt& body, const std::string& p) {
  Mentioned entry{p};
  if (const auto* block = body.as<Block>())
    for (const Stmt& s : block->statements)
      if (const auto* d = s.as<Declaration>()) entry.insert(d->name);
  bool found = false;
  each_element(body, [&](const Index& element) {
    Mentioned by;
    collect(element.index, by);
    found |= element.index != token(p) && std::ranges::any_of(by, [&](const std::string& name) { return entry.contains(name); });
  });
  return found;
}

std::string end_name(const For& walk) { return walk.variable + "_end"; }

bool pairable(const Stmt& s, const std::set<std::string>& positions) {
  if (!carried_until(s, positions)) return false;
  const For& walk = *s.as<For>();
  Mentioned names;
  collect(s, names);
  return !names.contains(end_name(walk)) && chooses(walk.body, walk.variable);
}

}  // namespace

Stmt pairing_entries(const Stmt& whole, const std::set<std::string>& positions, const std::function<std::string()>& unsure) {
  return rewrite_blocks(whole, [&](const std::vector<Stmt>& statements) {
    std::vector<Stmt> result;
    for (const Stmt& s : statements) {
      if (!pairable(s, positions)) {
        result.push_back(s);
        continue;
      }
      const For& walk = *s.as<For>();
      const std::string end = end_name(walk);
      result.push_back(stmt(Pragma{"GCC unroll at_once"}));
      result.push_back(stmt(For{end, walk.condition.as<Binary>()->right, binary("<", token(walk.variable), token(end)),
                                walk.step + ", " + unsure() + "(" + end + ")", walk.body}, s.origin()));
    }
    return result;
  });
}

}  // namespace trellis::emit::c
