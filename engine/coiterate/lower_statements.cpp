#include "engine/coiterate/recursion.hpp"

#include <algorithm>

#include "engine/coiterate/known_elements.hpp"
#include "engine/coiterate/lower_assignments.hpp"
#include "engine/coiterate/lower_look_ups.hpp"
#include "engine/coiterate/lower_loops.hpp"
#include "engine/coiterate/lower_scalars.hpp"
#include "engine/coiterate/lower_tensors.hpp"
#include "engine/coiterate/lower_until.hpp"
#include "engine/loop/instead_of.hpp"

namespace trellis::coiterate {

namespace {

bool reads_sparse(Context& in, const lang::Expr& e) {
  bool found = false;
  for_each_read(e, [&](const Read& read) { found |= tensor(in, read.access.as<lang::Access>()->tensor).sparse(); });
  return found;
}

// What a condition reads in sparse formats is looked up anew each time that it is asked, so it becomes an assignment:
//   while c { S }   →   go = c; while go { S; go = c }       for j until c { S }   →   for j until stop { S; stop = c }
std::optional<loop::Stmt> with_condition_apart(Context& in, const loop::Stmt& s) {
  const auto* f = s.as<loop::For>();
  const auto* w = s.as<loop::While>();
  if (!w && !(f && f->until)) return std::nullopt;
  const lang::Expr condition = w ? w->condition : *f->until;
  if (!reads_sparse(in, condition)) return std::nullopt;
  std::string name = w ? "go" : "stop";
  while (in.tensors.alive.count(name) || in.scope.unused(name) != name)
    name += "_";  // of a loop around, which asks as well
  lang::TensorInfo go{std::move(name),
                      {},
                      format::Format::dense(0),
                      format::ScalarType::boolean,
                      format::Value::truth(false),
                      lang::TensorInfo::Kind::temporary,
                      s->span};
  if (const auto walk = f ? walked_to_entry(in, s, *f, go) : std::nullopt) return walk;
  const lang::Expr value(lang::ExprNode{lang::Access{go.name, {}, {}}, go.type, s->span});
  const loop::Stmt ask = loop::instead_of(s, loop::Assign{value, {}, condition});
  const loop::Stmt body = loop::instead_of(s, loop::Block{{w ? w->body : f->body, ask}});
  loop::Block all{{loop::instead_of(s, loop::Declare{go})}};
  if (w) {
    all.statements.push_back(ask);
    all.statements.push_back(loop::instead_of(s, loop::While{value, body}));
  } else {
    loop::For next = *f;
    next.body = body;
    next.until = value;
    all.statements.push_back(loop::instead_of(s, std::move(next)));
  }
  return loop::instead_of(s, std::move(all));
}

// Entries that were found for the statement's own reads are out of date in its body where that changes their tensor.
void forget_written(Context& in, const loop::Stmt& s) {
  const std::set<std::string> written = written_in(s);
  std::erase_if(in.entries, [&](const auto& entry) {
    return written.contains(entry.first.tensor) && !in.tensors.masked.contains(entry.first.tensor);
  });
}

bool is_hashed(const Tensor& tensor) {
  return std::ranges::any_of(tensor.levels,
                             [](const Level& l) { return l.facts.gaps && l.facts.locate == format::Locate::hash; });
}

// A hashed temporary keeps its entries as they come: they are sorted once, before the outermost loop that walks them
// and leaves them alone.
void freeze_walked(Context& in, const loop::Stmt& s, Seq& into) {
  if (!s.as<loop::For>()) return;
  const std::set<std::string> changed = written_in(s);
  for_each_read(s, [&](const Read& read) {
    const std::string& name = read.access.as<lang::Access>()->tensor;
    if (changed.count(name) || !in.tensors.alive.count(name) || in.tensors.frozen.count(name)) return;
    const Tensor& walked = tensor(in, name);
    if (!is_hashed(walked)) return;
    in.tensors.frozen.insert(name);
    into.statements.push_back(make(in, Freeze{walked.name}, s));
  });
}

/// Does what it becomes stand among its neighbours in the block? What a condition that holds guarded has no temporaries
/// of its own, or it keeps them to itself; so does each of several loops.
bool is_open(const loop::Stmt& s, const loop::Block& around) {
  const auto nests = [](const loop::Stmt& other) { return other.as<loop::For>() || other.as<loop::Block>(); };
  const auto declares = [](const loop::Stmt& other) { return other.as<loop::Declare>() != nullptr; };
  if (const auto* b = s.as<loop::Block>(); b && std::ranges::none_of(b->statements, declares)) return true;
  return s.as<loop::For>() && std::ranges::count_if(around.statements, nests) == 1;
}

Seq block(Context& in, const loop::Stmt& s, const loop::Block& b) {
  const Scoped untouched(in.scalars.untouched);
  for (const auto& [name, value] : sparse_scalars(in, s, b)) in.scalars.untouched.insert_or_assign(name, value);
  const Scoped alive(in.tensors.alive);
  const Scoped known(in.known_elements, {});
  Seq seq;
  for (const loop::Stmt& inner : b.statements) {
    if (inner.as<loop::Lifecycle>()) continue;
    const Scoped frozen(in.tensors.frozen);
    freeze_walked(in, inner, seq);
    const Stmt lowered = lower_stmt(in, inner);
    if (const auto* several = is_open(inner, b) ? lowered.as<Seq>() : nullptr) {
      seq.statements.insert(seq.statements.end(), several->statements.begin(), several->statements.end());
      for (const Stmt& one : several->statements)  // they live on to the end of this block
        if (const auto* d = one.as<Declare>()) in.tensors.alive[d->tensor] = d->tensor;
    } else {
      seq.statements.push_back(lowered);
    }
    note_assigned(in, inner);
  }
  return seq;
}

Stmt let(Context& in, const loop::Stmt& s, const loop::Let& l) {
  Expr value = lower_expr(in, l.value);
  forget_written(in, s);
  const Scoped scope(in.scope);
  in.scope.bound.insert(l.name);
  in.scope.ranges.enter(l.name);
  Stmt body = lower_stmt(in, l.body);
  return make(in, Let{l.name, value, body}, s);
}

/// What it reads has been found.
Stmt lower_found(Context& in, const loop::Stmt& s) {
  const Scoped stmt(in.origins.stmt, s.id() >= 0 ? s.id() : in.origins.stmt);
  return s.match([&](const loop::Block& b) { return make(in, block(in, s, b), s); },
                 [&](const loop::For& f) { return lower_loop(in, s, f); },
                 [&](const loop::While& w) {
                   Expr condition = lower_expr(in, w.condition);
                   forget_known(in, s);
                   return make(in, While{condition, lower_stmt(in, w.body)}, s);
                 },
                 [&](const loop::If& i) {
                   Expr condition = lower_expr(in, i.condition);
                   forget_written(in, s);
                   If result{condition, lower_stmt(in, i.then), std::nullopt};
                   if (i.otherwise) result.otherwise = lower_stmt(in, *i.otherwise);
                   return make(in, std::move(result), s);
                 },
                 [&](const loop::Let& l) { return let(in, s, l); },
                 [&](const loop::Declare& d) { return make(in, Declare{declare(in, d.tensor)}, s); },
                 [&](const loop::Assign& a) { return lower_assign(in, s, a); },
                 [&](const loop::Reset& r) {
                   Expr value = lower_expr(in, r.value);
                   return make(in, Reset{tensor(in, r.tensor).name, value}, s);
                 },
                 // Inferred: dense storage is always both, sparse is frozen where it is walked.
                 [&](const loop::Lifecycle&) { return make(in, Seq{}, s); },
                 [&](const loop::Exchange& e) {
                   flow::Exchange exchange{e.call, e.number, tensor(in, e.tensor).name};
                   for (const lang::Expr& key : e.keys) exchange.keys.push_back(lower_expr(in, key));
                   return make(in, std::move(exchange), s);
                 },
                 [&](const loop::Note& n) { return make(in, Note{n.text}, s); });
}

}  // namespace

// Something may have to be done before, and then the statement comes here again; most go straight to the last line.
Stmt lower_stmt(Context& in, const loop::Stmt& s) {
  if (const auto touched = where_touched(in, s)) return *touched;
  if (const auto apart = with_condition_apart(in, s)) return lower_found(in, *apart);
  if (const auto next = next_look_up(in, s)) return look_up(in, s, *next);
  if (const auto entry = deciding_entry(in, s)) return where_found(in, s, *entry);
  return lower_found(in, s);
}

}  // namespace trellis::coiterate
