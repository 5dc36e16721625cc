#include "engine/flow/segments.hpp"

#include "engine/flow/fibers.hpp"
#include "engine/flow/levels.hpp"

namespace trellis::flow {

namespace {

/// Serial, of one cursor that alone leads, point by point and upwards in storage.
const Cursor* single_cursor(const Flow& flow, const Coiterate& c) {
  const bool alone = c.points.size() == 1 && c.points[0].leads.size() == 1 && c.cursors.size() == 1;
  if (!alone || c.by_regions() || c.execution != Loop::Execution::serial || c.unless) return nullptr;
  const Cursor& cursor = c.cursors[0];
  const format::Facts& facts = facts_of(*flow.tensor(cursor.tensor), cursor.level);
  const bool backward = ((c.direction == Loop::Direction::down) != cursor.reversed) != facts.decreasing;
  const bool operand = flow.tensor(cursor.tensor)->storage == Tensor::Storage::operand;
  const bool points = operand && facts.points() && facts.ordered && facts.coordinates;
  return points && !backward && cursor.stretch == 1 && !cursor.is_product() ? &cursor : nullptr;
}

bool is_below(const Position& position, const std::string& entry) {
  return position.match([](const Root&) { return false; }, [&](const Direct& d) { return is_below(d.parent, entry); },
                        [&](const At& at) { return at.name == entry; },
                        [&](const Within& w) { return w.name == entry; });
}

/// How many statements name the entry as where something is below.
int uses_below(const Stmt& body, const std::string& entry) {
  int found = 0;
  for_each_stmt(body, [&](const Stmt& s) {
    if (const auto* c = s.as<Coiterate>())
      for (const Cursor& cursor : c->cursors) found += is_below(cursor.parent, entry);
    if (const auto* l = s.as<Locate>()) found += is_below(l->parent, entry);
    if (const auto* i = s.as<Insert>()) found += is_below(i->parent, entry);
    if (const auto* l = s.as<Loop>(); l && l->among) found += 1;
  });
  return found;
}

/// Each entry of the outer cursor's coordinate is one of the inner cursor.
bool is_whole_segment(const Flow& flow, const Cursor& outer, const Cursor& inner) {
  const auto* at = inner.parent.as<At>();
  if (!at || at->name != outer.name || !at->several || inner.tensor != outer.tensor) return false;
  const format::Facts& facts = facts_of(*flow.tensor(inner.tensor), inner.level);
  const bool same =
      outer.takes_segments() ? inner.level == outer.level : inner.level == outer.level + 1 && facts.covaries();
  return same && !inner.below && !inner.above && !inner.exists && !inner.takes_segments() && inner.stride == 1 &&
         facts.unique;
}

}  // namespace

const Coiterate* walks_segment(const Flow& flow, const Coiterate& loop) {
  const Cursor* const outer = single_cursor(flow, loop);
  const bool several =
      outer && (outer->takes_segments() || !facts_of(*flow.tensor(outer->tensor), outer->level).unique);
  if (!several || uses_below(loop.points[0].body, outer->name) != 1) return nullptr;
  const Coiterate* found = nullptr;
  map_once(loop.points[0].body, [&](const Stmt& each) {
    const auto* walk = each.as<Coiterate>();
    const Cursor* const inner = walk ? single_cursor(flow, *walk) : nullptr;
    if (inner && is_whole_segment(flow, *outer, *inner)) found = walk;
    return each;
  });
  return found;
}

const Coiterate* carries_segment(const Flow& flow, const Coiterate& loop) {
  const Coiterate* const found = walks_segment(flow, loop);
  return found && found->carried ? found : nullptr;
}

}  // namespace trellis::flow
