#include "engine/place/statements.hpp"

#include <algorithm>

namespace trellis::place {
namespace {

using format::BinaryOp;
using lang::Expr;
using loop::Stmt;

Stmt assign(const Expr& target, std::optional<format::ReduceOp> op, const Expr& value, const Fragment& f) {
  return Stmt({loop::Assign{target, op, value}, f.span}, {{text::Stage::fragments, f.id}});
}

template <class T>
std::vector<T> only(const std::vector<T>& all, const std::vector<bool>& kept) {
  std::vector<T> result;
  for (std::size_t k = 0; k < all.size(); ++k)
    if (kept[k]) result.push_back(all[k]);
  return result;
}

/// A name for the value at hand that no loop around it has.
std::string free_name(const LoopNames& names) {
  std::string name = "v";
  while (std::any_of(names.begin(), names.end(), [&](const auto& n) { return n.second == name; })) name += "_";
  return name;
}

}  // namespace

Statements::Statements(const lang::Program& program, const Fragments& fragments,
                       const std::vector<Initialiser>& initialisers, const BufferPlan& buffers)
    : program_(program), fragments_(fragments.fragments), buffers_(buffers), temporaries_(fragments.temporaries) {
  for (const Initialiser& i : initialisers) {
    const Fragment& f = fragments_[static_cast<std::size_t>(i.fragment)];
    if (f.temporary) kept_[f.write.tensor] = i.kept;
    if (f.best) kept_[f.best->tensor] = i.kept;
  }
  for (lang::TensorInfo& t : temporaries_) {
    auto kept = kept_.find(t.name);
    if (kept == kept_.end()) continue;
    t.shape = only(t.shape, kept->second);
    t.format = format::Format::dense(static_cast<int>(t.shape.size()));
  }
}

const lang::TensorInfo& Statements::info(const std::string& tensor) const {
  for (const lang::TensorInfo& t : temporaries_)
    if (t.name == tensor) return t;
  return *program_.tensor(tensor);
}

Expr Statements::rewrite(const Expr& e, const Fragment& f, const LoopNames& names) const {
  if (const auto* v = e.as<lang::Variable>()) {
    auto at = names.find(v->name);
    return at == names.end() || at->second == v->name
               ? e
               : Expr({lang::Variable{at->second}, e->type, e->span}, e.origin(), e.id());
  }
  if (const auto* a = e.as<lang::Access>(); a && (kept_.count(a->tensor) || a->step)) {
    const Expr result = access(*a, f, names);
    return Expr({result->is, e->type, e->span}, e.origin(), e.id());
  }
  return lang::map_children(e, [&](const Expr& child) { return rewrite(child, f, names); });
}

Expr Statements::access(const lang::Access& access, const Fragment& f, const LoopNames& names) const {
  if (access.step) return buffered(access, f, names);
  lang::Access result{access.tensor, {}, {}};
  for (const Expr& index : access.indices) result.indices.push_back(rewrite(index, f, names));
  if (auto kept = kept_.find(access.tensor); kept != kept_.end()) result.indices = only(result.indices, kept->second);
  return Expr({std::move(result), info(access.tensor).type, {}});
}

Expr Statements::buffered(const lang::Access& access, const Fragment& f, const LoopNames& names) const {
  const Buffers& buffers =
      *std::find_if(buffers_.begin(), buffers_.end(), [&](const Buffers& b) { return b.tensor == access.tensor; });
  for (const SavedSlice& s : buffers.saved)
    if (s.fragment == f.id && f.reads[static_cast<std::size_t>(s.reads[0])].access == access) return saved(s, names);
  lang::Access result{buffers.kept ? buffers.kept->name : access.tensor, {}, {}};
  if (buffers.kept) {
    const math::Affine step = *lang::affine(*access.step) + math::Affine(1);
    const math::Affine slot = buffers.slots == Buffers::all_steps ? step : math::Affine::mod(step, buffers.slots);
    result.indices.push_back(rewrite(lang::to_expr(slot, f.domain.variables), f, names));
  }
  for (const Expr& index : access.indices) result.indices.push_back(rewrite(index, f, names));
  return Expr({std::move(result), program_.tensor(access.tensor)->type, {}});
}

Expr Statements::saved(const SavedSlice& slice, const LoopNames& names) const {
  const Fragment& f = fragments_[static_cast<std::size_t>(slice.fragment)];
  lang::Access result{slice.temporary.name, {}, {}};
  for (std::size_t d = 0; d < slice.variables.size(); ++d) {
    const math::Affine index =
        math::Affine::name(f.domain.variables[static_cast<std::size_t>(slice.variables[d])]) - slice.lows[d];
    result.indices.push_back(rewrite(lang::to_expr(index, f.domain.variables), f, names));
  }
  return Expr({std::move(result), slice.temporary.type, {}});
}

Stmt Statements::save(const SavedSlice& slice, const LoopNames& names) const {
  const Fragment& f = fragments_[static_cast<std::size_t>(slice.fragment)];
  lang::Access element{f.reads[static_cast<std::size_t>(slice.reads[0])].access.tensor, {}, {}};
  for (const Expr& index : f.reads[static_cast<std::size_t>(slice.reads[0])].access.indices)
    element.indices.push_back(rewrite(index, f, names));
  return assign(saved(slice, names), {}, Expr({std::move(element), slice.temporary.type, {}}), f);
}

Stmt Statements::update(int fragment, const LoopNames& names) const {
  const Fragment& f = fragments_[static_cast<std::size_t>(fragment)];
  if (f.best) return update_best(f, names);
  const Expr target = access(f.write, f, names);
  const Expr value = rewrite(f.value, f, names);
  if (f.op != format::ReduceOp::user) return assign(target, f.op, value, f);
  return assign(target, {}, Expr({lang::Apply{f.function, {target, value}}, target->type, {}}), f);
}

Stmt Statements::store(int fragment, const LoopNames& names) const {
  const Fragment& f = fragments_[static_cast<std::size_t>(fragment)];
  lang::Access element{f.write.tensor, {}, {}};
  for (const Expr& index : f.write.indices) element.indices.push_back(rewrite(index, f, names));
  const Expr value = access(f.write, f, names);
  return assign(Expr({std::move(element), value->type, {}}), {}, value, f);
}

/// `let v = value { if v < best || v == best && (at < 0 || k < at) { best = v; at = k } }`, with `>` for argmax:
/// whatever the order, the first of equal ones, and no not-a-number.
Stmt Statements::update_best(const Fragment& f, const LoopNames& names) const {
  const std::string name = free_name(names);
  const Expr value = rewrite(f.value, f, names);
  const Expr v = Expr({lang::Variable{name}, value->type, {}});
  const Expr at = access(f.write, f, names), best = access(*f.best, f, names), here = rewrite(f.argument, f, names);
  const BinaryOp better = f.op == format::ReduceOp::argmin ? BinaryOp::less : BinaryOp::greater;
  const Expr none = lang::binary(BinaryOp::less, at, lang::integer(0));
  const Expr first = lang::binary(BinaryOp::logical_or, none, lang::binary(BinaryOp::less, here, at));
  const Expr tie = lang::binary(BinaryOp::logical_and, lang::binary(BinaryOp::equal, v, best), first);
  const Expr wins = lang::binary(BinaryOp::logical_or, lang::binary(better, v, best), tie);
  const text::Origin origin = {{text::Stage::fragments, f.id}};
  const Stmt both = loop::block({assign(best, {}, v, f), assign(at, {}, here, f)}, origin);
  const Stmt choice({loop::If{wins, both, std::nullopt}, f.span}, origin);
  return Stmt({loop::Let{name, value, loop::block({choice}, origin)}, f.span}, origin);
}

std::vector<Stmt> Statements::declarations(int fragment) const {
  const Fragment& f = fragments_[static_cast<std::size_t>(fragment)];
  std::vector<Stmt> result;
  auto declare = [&](const std::string& tensor) {
    result.push_back(Stmt({loop::Declare{info(tensor)}, f.span}, {{text::Stage::fragments, f.id}}));
  };
  if (f.temporary) declare(f.write.tensor);
  if (f.best) declare(f.best->tensor);
  return result;
}

std::vector<Stmt> Statements::identities(int fragment, const LoopNames& names) const {
  const Fragment& f = fragments_[static_cast<std::size_t>(fragment)];
  const Expr target = access(f.write, f, names);
  if (f.op == format::ReduceOp::user)
    return {assign(target, {}, lang::constant(*program_.function(f.function)->identity()), f)};
  if (!f.best) return {assign(target, {}, lang::constant(format::identity(*f.op, target->type)), f)};
  const Expr best = access(*f.best, f, names);
  return {assign(target, {}, lang::integer(-1), f),
          assign(best, {}, lang::constant(format::worst(*f.op, best->type)), f)};
}

}  // namespace trellis::place
