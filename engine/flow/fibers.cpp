#include "engine/flow/fibers.hpp"

#include "engine/flow/ranges.hpp"

namespace trellis::flow {

std::set<std::string> written_in(const Stmt& stmt) {
  std::set<std::string> written;
  for_each_stmt(stmt, [&](const Stmt& s) {
    if (const auto* a = s.as<Assign>()) written.insert(a->tensor);
    if (const auto* r = s.as<Reset>()) written.insert(r->tensor);
    if (const auto* f = s.as<Freeze>()) written.insert(f->tensor);
    if (const auto* a = s.as<Append>()) written.insert(a->tensor);
    if (const auto* e = s.as<Exchange>()) written.insert(e->tensor);
  });
  return written;
}

const Cursor* walks_fiber(const Flow& flow, const Coiterate& loop, const std::set<std::string>& written) {
  const Cursor* const cursor = loop.only();
  const auto* parent = cursor ? cursor->parent.as<At>() : nullptr;
  if (parent && parent->several) return nullptr;
  if (!cursor || loop.execution != Loop::Execution::serial || cursor->exists || cursor->stretch > 1) return nullptr;
  const Tensor& tensor = *flow.tensor(cursor->tensor);
  if (tensor.storage == Tensor::Storage::temporary || written.contains(tensor.name)) return nullptr;
  const format::Facts& facts = tensor.levels[static_cast<std::size_t>(cursor->level)].facts;
  const bool backward = ((loop.direction == Loop::Direction::down) != cursor->reversed) != facts.decreasing;
  const bool clipped = facts.ordered && (cursor->below || cursor->above);
  const bool entries = facts.positions && facts.unique && facts.points() && facts.child != format::Child::product &&
                       facts.locate != format::Locate::one;
  return entries && !backward && !clipped ? cursor : nullptr;
}

const Cursor* fibers_waited_for(const Flow& flow, const Loop& loop) {
  const std::set<std::string> written = written_in(loop.body);
  const Cursor* found = nullptr;
  int awaits = 0, named = 0;
  for_each_stmt(loop.body, [&](const Stmt& s) {
    awaits += s.as<Await>() && s.as<Await>()->loop == loop.variable;
    const auto* walk = s.as<Coiterate>();
    const Cursor* const cursor = walk ? walk->only() : nullptr;
    if (!cursor || !cursor->plain() || cursor->exists || written.contains(cursor->tensor)) return;
    const Tensor& tensor = *flow.tensor(cursor->tensor);
    const format::Facts& facts = tensor.levels[static_cast<std::size_t>(cursor->level)].facts;
    const bool stored =
        tensor.storage != Tensor::Storage::temporary && facts.positions && facts.unique && facts.points();
    if (!stored || !Iterations{loop.variable, true}.of(cursor->parent)) return;
    const auto* all = walk->points.front().body.as<Seq>();
    const auto* await = all && !all->statements.empty() ? all->statements.front().as<Await>() : nullptr;
    const auto* number = await ? await->coordinate.as<Name>() : nullptr;
    if (!number || number->name != walk->variable || await->loop != loop.variable) return;
    ++named;
    if (!found || (cursor->tensor == found->tensor && cursor->level == found->level)) found = cursor;
  });
  return named == awaits ? found : nullptr;
}

bool Iterations::of(const Position& parent) const {
  if (const auto* at = parent.as<At>()) return !by_coordinate && !at->several && at->name == fiber;
  const auto* direct = parent.as<Direct>();
  if (!by_coordinate || !direct || !direct->parent.as<Root>() || direct->check) return false;
  return affine(direct->coordinate) == math::Affine::name(fiber) - first;
}

std::optional<Iterations> iterations_of(const Flow& flow, const Stmt& loop, const std::set<std::string>& written) {
  if (const auto* l = loop.as<Loop>()) {
    const auto first = affine(l->low);
    if (!first || l->unroll > 1 || !is_plain(*l, {But::unless, But::until, But::carries})) return {};
    return Iterations{l->variable, true, *first};
  }
  const auto* c = loop.as<Coiterate>();
  if (!c || c->execution != Loop::Execution::serial) return {};
  const bool everywhere = c->points.size() == 1 && c->points[0].leads.empty() && !c->by_regions();
  if (everywhere && c->direction == Loop::Direction::up && is_zero(c->low)) return Iterations{c->variable, true};
  // A slice, or an entry outside the loop's bounds, leaves an iteration out.
  const Cursor* const cursor = walks_fiber(flow, *c, written);
  const bool all = cursor && cursor->parent.as<Root>() && cursor->stride == 1 && !cursor->below && !cursor->above;
  return all ? std::optional(Iterations{cursor->name}) : std::nullopt;
}

}  // namespace trellis::flow
