#include "engine/flow/copy_entries.hpp"

#include <algorithm>

#include "engine/flow/fibers.hpp"
#include "engine/flow/levels.hpp"
#include "engine/flow/ranges.hpp"
#include "engine/flow/segments.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::flow {

namespace {

/// Statements that do something, with those in sequences one by one.
void collect_doing(const Stmt& s, std::vector<const Stmt*>& all) {
  const auto* seq = s.as<Seq>();
  const auto* test = s.as<Test>();
  if (test && test->certain) return collect_doing(test->then, all);
  if (!seq && !s.as<Note>()) all.push_back(&s);
  if (!seq) return;
  for (const Stmt& one : seq->statements) collect_doing(one, all);
}

/// The statement, where it is the only one.
template <class Node>
const Node* only(const Stmt& s) {
  std::vector<const Stmt*> all;
  collect_doing(s, all);
  return all.size() == 1 ? all.front()->as<Node>() : nullptr;
}

bool stores_points(const Tensor& tensor, int level) {
  const format::Facts& facts = facts_of(tensor, level);
  return facts.points() && facts.coordinates && !facts.table && facts.rises() && facts.child != format::Child::product;
}

/// It says so for sure.
bool depends_not_on(const Expr& coordinate, const std::string& variable) {
  const auto form = affine(coordinate);
  return form && !form->mentions(variable);
}

bool appends_runs(const Append& append) {
  return std::ranges::any_of(append.through, [](const auto& last) { return last.has_value(); });
}

/// An append of what the cursor stands at, as it is, to a matrix, from the last level of an operand.
std::optional<CopiedEntries> copied(const Flow& flow, const Coiterate& walk) {
  const Cursor* const cursor = walk.only();
  const auto* append =
      cursor && walk.execution == Loop::Execution::serial ? only<Append>(walk.points[0].body) : nullptr;
  if (!append || append->prune || append->counted || appends_runs(*append) || walk.unless) return std::nullopt;
  const Tensor &from = *flow.tensor(cursor->tensor), &to = *flow.tensor(append->tensor);
  const auto* value = append->value.as<Value>();
  const auto* at = value ? value->position.as<At>() : nullptr;
  const bool same =
      at && at->name == cursor->name && !at->several && value->tensor == from.name && from.type == to.type;
  const bool plain = from.storage == Tensor::Storage::operand && !from.pattern && !to.pattern && !to.readable;
  const bool forward = walk.direction == Loop::Direction::up && !cursor->reversed;
  if (!same || !plain || !forward || cursor->level + 1 != levels_of(from) || levels_of(to) != 2) return std::nullopt;
  if (!stores_points(from, cursor->level) || !stores_points(to, 1)) return std::nullopt;
  return CopiedEntries{&walk, append};
}

/// All entries of a matrix that the cursor is at.
std::optional<CopiedEntries> copied_whole(const Flow& flow, const Coiterate& walk) {
  const auto found = copied(flow, walk);
  const bool whole = found && found->cursor().level == 1 && !found->cursor().exists && !found->leaves_out();
  return whole ? found : std::nullopt;
}

}  // namespace

std::optional<CopiedEntries> copies_rows(const Flow& flow, const Loop& loop) {
  const auto* walk = only<Coiterate>(loop.body);
  auto found = walk ? copied_whole(flow, *walk) : std::nullopt;
  if (!found || !is_plain(loop, {But::carries}) || !loop.lists.empty() ||
      loop.closes != std::vector<std::string>{found->append->tensor})
    return std::nullopt;
  const Tensor &from = *flow.tensor(found->cursor().tensor), &to = *flow.tensor(found->append->tensor);
  const auto* row = found->cursor().parent.as<Direct>();
  const auto at = row && row->parent.as<Root>() && !row->check ? affine(row->coordinate) : std::nullopt;
  const bool rows =
      facts_of(from, 0).dense() && facts_of(to, 0).dense() && facts_of(from, 1).positions && facts_of(to, 1).positions;
  if (!rows || !at || (*at - math::Affine::name(loop.variable)).mentions(loop.variable)) return std::nullopt;
  const bool same_row = found->append->coordinates[0] == name(loop.variable);
  return same_row && depends_not_on(found->append->coordinates[1], loop.variable) ? found : std::nullopt;
}

std::optional<CopiedEntries> copies_fiber(const Flow& flow, const Coiterate& walk) {
  constexpr std::int64_t widest = 8;  // steps beyond leave out so much that a branch is foreseen
  const auto found = copied(flow, walk);
  if (!found || walk.carried || !walk.carries.empty()) return std::nullopt;
  const Cursor& cursor = found->cursor();
  const bool one_each = facts_of(*flow.tensor(cursor.tensor), cursor.level).unique && cursor.stretch == 1 &&
                        !cursor.is_product() && !cursor.takes_segments();
  const format::Facts& rows = facts_of(*flow.tensor(found->append->tensor), 0);
  return one_each && rows.dense() && cursor.stride <= widest && !cursor.from && !cursor.to ? found : std::nullopt;
}

std::optional<CopiedEntries> copies_tuples(const Flow& flow, const Coiterate& loop) {
  const Coiterate* const walk = carries_segment(flow, loop);
  if (!walk || only<Coiterate>(loop.points[0].body) != walk) return std::nullopt;
  const auto found = copied_whole(flow, *walk);
  const Cursor& outer = loop.cursors[0];
  if (!found || outer.takes_segments() || outer.level != 0 || !outer.parent.as<Root>() || outer.exists || outer.below ||
      outer.above || outer.stride != 1 || outer.reversed)
    return std::nullopt;
  const Tensor& to = *flow.tensor(found->append->tensor);
  const bool tuples = stores_points(to, 0) && !facts_of(to, 0).unique && facts_of(to, 1).covaries();
  const std::vector<Expr>& coordinates = found->append->coordinates;
  const bool apart = depends_not_on(coordinates[0], walk->variable) && depends_not_on(coordinates[1], loop.variable);
  return tuples && apart ? found : std::nullopt;
}

}  // namespace trellis::flow
