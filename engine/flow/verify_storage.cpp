#include "engine/flow/verify_storage.hpp"

#include "engine/text/sequence.hpp"

namespace trellis::flow {

namespace {

void check_storage(const Flow& flow, const Stmt& s) {
  const auto sparse = [&](const std::string& name, int level) {
    const Tensor* tensor = flow.tensor(name);
    require(tensor && level >= 0 && level < static_cast<int>(tensor->levels.size()) &&
                !tensor->levels[static_cast<std::size_t>(level)].facts.dense(),
            name + " has no such sparse level");
  };
  const auto together = [&](const Effects& effects) {
    for (const std::string& name : effects.reduces) require(flow.tensor(name), "unknown tensor " + name);
    for (const Partial& partial : effects.partials)
      require(contains(effects.reduces, partial.tensor), partial.tensor + " is in parts, and not updated together");
    if (effects.merge_path) sparse(effects.merge_path->tensor, effects.merge_path->level);
  };
  if (const auto* l = s.as<Loop>()) together(*l);
  if (const auto* l = s.as<Locate>()) sparse(l->tensor, l->level);
  if (const auto* i = s.as<Insert>()) sparse(i->tensor, i->level);
  if (const auto* t = s.as<Tabulate>()) sparse(t->tensor, t->level);
  if (const auto* r = s.as<Reset>()) require(flow.tensor(r->tensor), "unknown tensor " + r->tensor);
  const auto* c = s.as<Coiterate>();
  if (!c) return;
  together(*c);
  for (const Cursor& cursor : c->cursors) sparse(cursor.tensor, cursor.level);
  const auto all_known = [&](const std::vector<int>& numbers) {
    for (const int k : numbers)
      require(k >= 0 && k < static_cast<int>(c->cursors.size()), "a point of a cursor that is not there");
  };
  for (const Coiterate::Point& point : c->points) all_known(point.leads), all_known(point.follows);
}

}  // namespace

void verify_storage(const Flow& flow) {
  for_each_stmt(flow.root, [&](const Stmt& s) { check_storage(flow, s); });
}

}  // namespace trellis::flow
