#include "engine/coiterate/lowering.hpp"

#include <algorithm>
#include <cassert>

#include "engine/text/sequence.hpp"

namespace trellis::coiterate {

Stmt Lowering::stmt(const loop::Stmt& s) {
  if (const auto touched = where_touched(s)) return *touched;
  if (const auto apart = with_condition_apart(s)) return plain(*apart);
  const auto next = next_to_locate(s);
  return next ? located(s, next->first, next->second) : plain(s);
}

// What a condition reads in sparse formats is looked up anew each time that it is asked, so it becomes an assignment:
//   while c { S }   →   go = c; while go { S; go = c }
std::optional<loop::Stmt> Lowering::with_condition_apart(const loop::Stmt& s) {
  const auto* f = s.as<loop::For>();
  const auto* w = s.as<loop::While>();
  if (!w && !(f && f->until)) return std::nullopt;
  const lang::Expr condition = w ? w->condition : *f->until;
  bool looked_up = false;
  for_each_read(condition, [&](const Read& read) { looked_up |= lookup(read.access.as<lang::Access>()->tensor).sparse(); });
  if (!looked_up) return std::nullopt;
  const auto made = [&](auto node) { return loop::Stmt(loop::StmtNode{std::move(node), s->span}, s.origin(), s.id()); };
  lang::TensorInfo go{fresh(w ? "go" : "stop"), {}, format::Format::dense(0), format::ScalarType::boolean, format::Value::truth(false),
                      lang::TensorInfo::Kind::temporary, s->span};
  const lang::Expr value(lang::ExprNode{lang::Access{go.name, {}, {}}, go.type, s->span});
  const loop::Stmt ask = made(loop::Assign{value, {}, condition});
  const loop::Stmt body = made(loop::Block{{w ? w->body : f->body, ask}});
  loop::Block all{{made(loop::Declare{go})}};
  if (w) {
    all.statements.push_back(ask);
    all.statements.push_back(made(loop::While{value, body}));
  } else {
    loop::For next = *f;
    next.body = body;
    next.until = value;
    all.statements.push_back(made(std::move(next)));
  }
  return made(std::move(all));
}

Stmt Lowering::plain(const loop::Stmt& s) {
  const int outer = stmt_;
  if (s.id() >= 0) stmt_ = s.id();
  Stmt lowered = s.match(
      [&](const loop::Block& b) {
        const Untouched outside = untouched_;
        for (const auto& one : sparse_scalars(s, b)) untouched_.insert_or_assign(one.first, one.second);
        Stmt all = make(block(b), s);
        untouched_ = outside;
        return all;
      },
      [&](const loop::For& f) { return loop(s, f); },
      [&](const loop::While& w) {
        Expr condition = expr(w.condition);
        unsettle(s);
        return make(While{condition, stmt(w.body)}, s);
      },
      [&](const loop::If& i) {
        Expr condition = expr(i.condition);
        forget_written(s);
        If result{condition, stmt(i.then), std::nullopt};
        if (i.otherwise) result.otherwise = stmt(*i.otherwise);
        return make(std::move(result), s);
      },
      [&](const loop::Let& l) {
        Expr value = expr(l.value);
        forget_written(s);
        const bool fresh_name = bound_.insert(l.name).second;
        ranges_.enter(l.name);
        Stmt body = stmt(l.body);
        ranges_.leave();
        if (fresh_name) bound_.erase(l.name);
        return make(Let{l.name, value, body}, s);
      },
      [&](const loop::Declare& d) { return make(Declare{declare(d.tensor)}, s); },
      [&](const loop::Assign& a) { return assign(s, a); },
      [&](const loop::Reset& r) {
        Expr value = expr(r.value);
        return make(Reset{lookup(r.tensor).name, value}, s);
      },
      [&](const loop::Lifecycle&) { return make(Seq{}, s); },  // inferred: dense storage is always both, sparse is frozen where it is walked
      [&](const loop::Note& n) { return make(Note{n.text}, s); });
  stmt_ = outer;
  return lowered;
}

// Entries that were found for the statement's own reads are out of date in its body where that changes their tensor.
void Lowering::forget_written(const loop::Stmt& s) {
  for (const std::string& tensor : written_in(s))
    std::erase_if(states_, [&](const auto& state) { return state.first.tensor == tensor; });
}

// What the only loop of a block became stands among its neighbours; of several loops, each keeps its temporaries to itself.
Seq Lowering::block(const loop::Block& b) {
  const std::map<std::string, std::string> outside = alive_;
  const bool alone = std::count_if(b.statements.begin(), b.statements.end(), [](const loop::Stmt& s) { return s.as<loop::For>() || s.as<loop::Block>(); }) == 1;
  const auto settled = std::exchange(settled_, {});
  Seq seq;
  for (const loop::Stmt& inner : b.statements) {
    if (inner.as<loop::Lifecycle>()) continue;
    const std::set<std::string> frozen = frozen_;
    freeze_walked(inner, seq);
    const Stmt lowered = stmt(inner);
    // What a condition that holds guarded has no temporaries of its own, or it keeps them to itself.
    const auto* const guarded = inner.as<loop::Block>();
    const bool open =
        guarded && std::ranges::none_of(guarded->statements, [](const loop::Stmt& s) { return s.as<loop::Declare>(); });
    const auto* const several = open || (alone && inner.as<loop::For>()) ? lowered.as<Seq>() : nullptr;
    if (several) {
      seq.statements.insert(seq.statements.end(), several->statements.begin(), several->statements.end());
      for (const Stmt& s : several->statements)  // they live on to the end of this block
        if (const auto* d = s.as<Declare>()) alive_[d->tensor] = d->tensor;
    } else {
      seq.statements.push_back(lowered);
    }
    frozen_ = frozen;
    settle(inner);
  }
  settled_ = settled;
  alive_ = outside;
  return seq;
}

// A hashed temporary keeps its entries as they come: they are sorted once, before the outermost loop that walks them and
// leaves them alone.
void Lowering::freeze_walked(const loop::Stmt& s, Seq& into) {
  if (!s.as<loop::For>()) return;
  const std::set<std::string> changed = written_in(s);
  for_each_read(s, [&](const Read& read) {
    const std::string& tensor = read.access.as<lang::Access>()->tensor;
    if (changed.count(tensor) || !alive_.count(tensor) || frozen_.count(tensor)) return;
    const Tensor& t = lookup(tensor);
    const bool hashed = std::any_of(t.levels.begin(), t.levels.end(), [](const Level& l) { return l.facts.gaps && l.facts.locate == format::Locate::hash; });
    if (!hashed) return;
    frozen_.insert(tensor);
    into.statements.push_back(Stmt(StmtNode{Freeze{t.name}, s->span}, origin(s)));
  });
}

namespace {

/// The coordinate where variables have come to the ends of their runs.
Expr through(const Expr& coordinate, const std::map<std::string, std::string>& runs) {
  const auto* n = coordinate.as<Name>();
  if (const auto run = n ? runs.find(n->name) : runs.end(); run != runs.end()) return name(run->second);
  return flow::map_children(coordinate, [&](const Expr& child) { return through(child, runs); });
}

}  // namespace

Stmt Lowering::assign(const loop::Stmt& s, const loop::Assign& a) {
  const lang::Access& access = *a.target.as<lang::Access>();
  const Tensor tensor = lookup(access.tensor);
  if (!tensor.sparse()) {
    const Position at = resolve(access).position;
    return make(Assign{tensor.name, at, a.op, expr(a.value)}, s);
  }
  if (tensor.storage == Tensor::Storage::temporary) return store(s, a);
  assert(!a.op && "results in sparse formats are appended to");
  Append append{tensor.name, {}, expr(a.value), tensor.pattern};
  for (int l = 0; l < static_cast<int>(tensor.levels.size()); ++l) append.coordinates.push_back(expr(level_index(access, *info(access.tensor), l)));
  append.prune = append.prune || (may_be_fill(access) && !reads_touched(a.value));
  for (const Expr& coordinate : append.coordinates) {
    const Expr last = through(coordinate, runs_);
    append.through.push_back(last == coordinate ? std::nullopt : std::optional(last));
  }
  if (std::ranges::none_of(append.through, [](const auto& last) { return last.has_value(); })) append.through.clear();
  return make(std::move(append), s);
}

// A fill that stands where every coordinate is visited says nothing about the pattern.
bool Lowering::may_be_fill(const lang::Access& access) {
  const Tensor& tensor = lookup(access.tensor);
  int innermost = 0;
  for (int l = 0; l < static_cast<int>(tensor.levels.size()); ++l)
    if (!tensor.levels[static_cast<std::size_t>(l)].facts.dense()) innermost = l;
  const std::vector<std::string> variables = lang::free_variables(level_index(access, *info(access.tensor), innermost));
  return std::any_of(variables.begin(), variables.end(), [&](const std::string& v) { return everywhere_.count(v) > 0; });
}

// Into a workspace. A fill is only stored over what is there already.
Stmt Lowering::store(const loop::Stmt& s, const loop::Assign& a) {
  const lang::Access& access = *a.target.as<lang::Access>();
  const Tensor tensor = lookup(access.tensor);
  Expr value = expr(a.value);
  const auto put = [&](const Expr& what) { return [&, what](const Position& at) { return make(Assign{tensor.name, at, a.op, what}, s); }; };
  if (a.op || value.as<Constant>() || !may_be_fill(access) || reads_touched(a.value)) return insert(s, a, put(value));
  const std::string kept = fresh(tensor.name + "_value");
  names_.insert(kept);
  const Expr local(ExprNode{Name{Name::Kind::variable, kept}, value->type, value->span});
  const Expr differs(ExprNode{Binary{format::BinaryOp::not_equal, local, constant(tensor.fill)}, format::ScalarType::boolean, {}});
  If stored{differs, insert(s, a, put(local)), {}};
  if (!fresh_.count(access.tensor)) stored.otherwise = overwrite(s, access, 0, root(), put(local));
  names_.erase(kept);
  return make(Let{kept, value, make(std::move(stored), s)}, s);
}

// Where the element is stored already.
Stmt Lowering::overwrite(const loop::Stmt& s, const lang::Access& access, int level, const Position& parent, const std::function<Stmt(const Position&)>& inner) {
  const Tensor tensor = lookup(access.tensor);
  if (level == static_cast<int>(tensor.levels.size())) return inner(parent);
  const lang::Expr& index = level_index(access, *info(access.tensor), level);
  if (tensor.levels[static_cast<std::size_t>(level)].facts.dense())
    return overwrite(s, access, level + 1, Position(PositionNode{Direct{tensor.name, level, parent, expr(index), check(access, index)}}), inner);
  Locate found{fresh("p" + tensor.name + std::to_string(level + 1)), tensor.name, level, parent, expr(index), {}, false, check(access, index), {}};
  names_.insert(found.name);
  const Expr present = is_found(found.name);
  found.body = make(If{present, overwrite(s, access, level + 1, Position(PositionNode{At{found.name}}), inner), {}}, s);
  names_.erase(found.name);
  return make(std::move(found), s);
}

Stmt Lowering::insert(const loop::Stmt& s, const loop::Assign& a, const std::function<Stmt(const Position&)>& inner) {
  const lang::Access& access = *a.target.as<lang::Access>();
  const Tensor tensor = lookup(access.tensor);
  const std::function<Stmt(int, const Position&)> go = [&](int level, const Position& parent) -> Stmt {
    if (level == static_cast<int>(tensor.levels.size())) return inner(parent);
    const lang::Expr& index = level_index(access, *info(access.tensor), level);
    if (tensor.levels[static_cast<std::size_t>(level)].facts.dense())
      return go(level + 1, Position(PositionNode{Direct{tensor.name, level, parent, expr(index), check(access, index)}}));
    const bool last = level + 1 == static_cast<int>(tensor.levels.size());
    Insert result{fresh("p" + tensor.name + (last ? "" : std::to_string(level + 1))), tensor.name, level, parent, expr(index), check(access, index), {}};
    names_.insert(result.name);
    result.body = go(level + 1, Position(PositionNode{At{result.name}}));
    names_.erase(result.name);
    return make(std::move(result), s);
  };
  return go(0, root());
}

}  // namespace trellis::coiterate
