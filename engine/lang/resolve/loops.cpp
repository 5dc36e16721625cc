// Loop programs: from syntax to typed actions.

#include "engine/lang/resolve/loops.hpp"

namespace trellis::lang::resolving {

using action::For;
using format::BinaryOp;
using format::ScalarType;
using math::Affine;

Action LoopReader::read(const syntax::Loops& loops, text::Span span) {
  return Action(action::Node{action::Block{block(loops.body)}, span});
}

Actions LoopReader::block(const syntax::Block& source) {
  const std::size_t outer = resolution_.program.tensors.size();
  Actions actions;
  for (const syntax::Action& one : source.actions)
    if (Action read_one = read(one)) actions.push_back(std::move(read_one));
  resolution_.program.tensors.resize(outer);
  return actions;
}

Action LoopReader::read(const syntax::Action& action) {
  return action.match([&](const syntax::TensorDecl& d) { return declare(action, d); },
                      [&](const syntax::For& f) { return nest(action, f, 0); },
                      [&](const syntax::While& w) { return loop(action, w); },
                      [&](const syntax::If& i) { return condition(action, i); },
                      [&](const syntax::Let& l) { return let(action, l, 0); },
                      [&](const syntax::Lifecycle& l) { return lifecycle(action, l); },
                      [&](const syntax::Assign& a) { return assign(action, a); });
}

bool LoopReader::is_bound(const std::string& name) const { return contains(scope_, name) || lets_.contains(name); }

bool LoopReader::is_free(const syntax::Name& name) {
  const bool taken = is_bound(name.text) || resolution_.tensor(name.text) || resolution_.is_parameter(name.text);
  if (taken) resolution_.error("E0202", name.span, name.text + " has a meaning already", "choose another name");
  return !taken;
}

Action LoopReader::declare(const syntax::Action& action, const syntax::TensorDecl& declaration) {
  if (!is_free(declaration.name)) return {};
  std::vector<ParameterInfo>& parameters = resolution_.program.parameters;
  const std::size_t tensors = resolution_.program.tensors.size(), known = parameters.size();
  declare_tensor(resolution_, declaration, Freshness::fresh);
  const bool declared = resolution_.program.tensors.size() > tensors;
  if (parameters.size() > known) {
    const ParameterInfo& size = parameters.back();
    const bool variable = is_bound(size.name);
    resolution_.error("E0262", size.span,
                      "the size " + size.name + " of " + declaration.name.text + (variable ? " varies" : " is unknown"),
                      variable ? "it is no parameter" : "no parameter or tensor outside has it");
    parameters.resize(known);
    if (declared) resolution_.program.tensors.resize(tensors);
    resolution_.poisoned.insert(declaration.name.text);
    return {};
  }
  if (!declared) return {};
  resolution_.program.tensors.back().kind = TensorInfo::Kind::temporary;
  return make(action, action::Declare{resolution_.program.tensors.back()});
}

/// `for i, j` is a loop over i around a loop over j; `parallel` and `jam` belong to the outermost, `unroll`,
/// `vectorize` and `until` to the innermost, `reduces` to each.
Action LoopReader::nest(const syntax::Action& action, const syntax::For& source, std::size_t position) {
  const syntax::LoopVariable& variable = source.variables[position];
  const bool last = position + 1 == source.variables.size();
  For f{variable.name.text,
        {},
        {},
        variable.down,
        source.forall ? For::Kind::forall : For::Kind::serial,
        {},
        For::Execution::serial,
        1,
        {},
        {}};
  if (variable.low) f.low = bound(*variable.low);
  if (variable.high) f.high = bound(*variable.high);
  if (!is_free(variable.name)) return {};
  scope_.push_back(f.variable);
  open_.push_back({f.variable, {}});
  loop_sizes_.erase(f.variable);
  if (const auto high = f.low && f.high && affine(f.low) == Affine(0) ? affine(f.high) : std::nullopt)
    loop_sizes_[f.variable] = *high;
  const std::size_t reported = resolution_.diagnostics.all().size();
  const std::size_t first_pending = pending_.size();
  if (last) {
    f.body = block(source.body);
  } else if (Action inner = nest(action, source, position + 1)) {
    f.body = {inner};
  }
  for (const syntax::LoopMark& mark : source.marks) apply(f, mark, position == 0, last);
  const OpenLoop open = std::move(open_.back());
  open_.pop_back();
  scope_.pop_back();
  // Of a body with errors, or with results of unknown shape, not everything was seen.
  const bool all_seen = resolution_.poisoned.empty() && resolution_.diagnostics.all().size() == reported;
  const bool ranged = variable.low || infer_range(f, variable, open, all_seen);
  close(f, first_pending);
  if (!ranged || !f.low || !f.high) return {};
  return make(action, std::move(f));
}

void LoopReader::apply(For& f, const syntax::LoopMark& mark, bool outermost, bool innermost) {
  switch (mark.kind) {
    case syntax::LoopMark::Kind::reduces:
      if (f.kind == For::Kind::serial)
        resolution_.error("E0269", mark.name.span, "a `for` runs in order: only `forall` reduces", "write forall");
      else if (target_tensor(mark.name)) f.reduces.push_back(mark.name.text);
      break;
    case syntax::LoopMark::Kind::parallel:
      if (outermost) f.execution = For::Execution::parallel;
      break;
    case syntax::LoopMark::Kind::unroll:
      if (innermost) f.unroll = static_cast<int>(mark.count);
      break;
    case syntax::LoopMark::Kind::jam:
      if (!outermost) break;
      if (is_jam(mark.count)) f.jam = static_cast<int>(mark.count);
      else resolution_.error("E0324", mark.name.span, jam_wanted(mark.count));
      break;
    case syntax::LoopMark::Kind::registers: f.registers = true; break;
    case syntax::LoopMark::Kind::vectorize:
      if (!innermost) break;
      f.execution = For::Execution::vectorized;
      if (mark.count == 0) break;
      if (is_lanes(mark.count)) f.lanes = static_cast<int>(mark.count);
      else resolution_.error("E0324", mark.name.span, lanes_wanted(mark.count));
      break;
    case syntax::LoopMark::Kind::until:
      if (innermost && f.kind == For::Kind::forall)
        resolution_.error("E0269", (*mark.condition)->span, "a `forall` has no order in which it could stop early",
                          "write for");
      else if (innermost) f.until = expr(*mark.condition, ScalarType::boolean);
      break;
  }
}

bool LoopReader::infer_range(For& f, const syntax::LoopVariable& variable, const OpenLoop& open, bool all_seen) {
  bool sound = true;
  const auto range = common_range(resolution_, f.variable, open.ranges, sound);
  if (range && sound) {
    f.low = integer(0);
    f.high = to_expr(range->size, {});
    return true;
  }
  if (!range && all_seen)
    resolution_.error("E0302", variable.name.span, "the range of " + f.variable + " is unknown",
                      "write " + f.variable + " in low:high");
  return false;
}

/// The largest indices inside the loop, for all of its iterations.
void LoopReader::close(const For& f, std::size_t first_pending) {
  const auto low = f.low ? affine(f.low) : std::nullopt, high = f.high ? affine(f.high) : std::nullopt;
  for (std::size_t k = first_pending; k < pending_.size(); ++k)
    for (std::optional<Affine>& index : pending_[k].largest) {
      if (!index || !index->mentions(f.variable)) continue;
      const std::int64_t factor = index->coefficient(f.variable);
      const std::optional<Affine> worst = factor > 0 && high ? std::optional(*high - Affine(1))
                                          : factor < 0       ? low
                                                             : std::nullopt;
      index = worst ? std::optional(index->substitute({{f.variable, *worst}})) : std::nullopt;
    }
}

Action LoopReader::loop(const syntax::Action& action, const syntax::While& source) {
  Expr condition = expr(source.condition, ScalarType::boolean);
  Actions body = block(source.body);
  return condition ? make(action, action::While{condition, std::move(body)}) : Action();
}

Action LoopReader::condition(const syntax::Action& action, const syntax::If& source) {
  action::If result{expr(source.condition, ScalarType::boolean), block(source.then), {}};
  if (source.otherwise) result.otherwise = block(*source.otherwise);
  return result.condition ? make(action, std::move(result)) : Action();
}

Action LoopReader::let(const syntax::Action& action, const syntax::Let& source, std::size_t position) {
  const auto& [name, written] = source.bindings[position];
  const Expr value = expr(written, std::nullopt);
  if (!value || !is_free(name)) return {};
  const bool index = value->type == ScalarType::i64;
  if (index) {
    scope_.push_back(name.text);
  } else {
    lets_.insert(name.text);
    TensorInfo scalar;
    scalar.name = name.text;
    scalar.type = value->type;
    scalar.span = name.span;
    resolution_.program.tensors.push_back(scalar);
  }
  const std::size_t first_pending = pending_.size();
  Actions body;
  if (position + 1 == source.bindings.size()) body = block(source.body);
  else if (Action inner = let(action, source, position + 1)) body = {inner};
  if (index) {
    scope_.pop_back();
  } else {
    lets_.erase(name.text);
    resolution_.program.tensors.pop_back();
  }
  for (std::size_t k = first_pending; k < pending_.size(); ++k)
    for (std::optional<Affine>& one : pending_[k].largest)
      if (const auto form = affine(value); one && one->mentions(name.text))
        one = form ? std::optional(one->substitute({{name.text, *form}})) : std::nullopt;
  return make(action, action::Let{name.text, value, std::move(body)});
}

/// The tensor that a statement writes; reports a name that is none.
const TensorInfo* LoopReader::target_tensor(const syntax::Name& name) {
  if (resolution_.poisoned.contains(name.text)) return nullptr;
  if (is_bound(name.text)) {
    resolution_
        .error("E0263", name.span, name.text + " is bound here and cannot be assigned",
               lets_.contains(name.text) ? "let gives it its only value" : "its loop or let gives it its value")
        .notes.push_back({{}, "what changes is a tensor; a scalar is declared as tensor NAME"});
    return nullptr;
  }
  if (const ParameterInfo* parameter = resolution_.program.parameter(name.text)) {
    resolution_.error("E0204", name.span, name.text + " is a parameter; a loop program cannot change it")
        .notes.push_back({parameter->span, "it gets its meaning here"});
    return nullptr;
  }
  if (const TensorInfo* info = resolution_.tensor(name.text)) return info;
  report_unknown(resolution_, syntax::Expr(syntax::ExprNode{syntax::Reference{name, {}, {}, {}}, name.span}), name.text,
                 {});
  return nullptr;
}

Action LoopReader::lifecycle(const syntax::Action& action, const syntax::Lifecycle& source) {
  return target_tensor(source.tensor) ? make(action, action::Lifecycle{source.thaw, source.tensor.text}) : Action();
}

namespace {

std::optional<format::ReduceOp> reduction_of(const std::string& written) {
  for (auto op : {format::ReduceOp::sum, format::ReduceOp::prod, format::ReduceOp::min, format::ReduceOp::max,
                  format::ReduceOp::any, format::ReduceOp::all}) {
    const std::string_view symbol = format::update_symbol(op);
    if (written == symbol || written == symbol.substr(0, symbol.size() - 1)) return op;
  }
  return std::nullopt;
}

std::optional<BinaryOp> operation_of(const std::string& written) {
  for (auto op : {BinaryOp::subtract, BinaryOp::divide, BinaryOp::modulo, BinaryOp::power, BinaryOp::bit_and,
                  BinaryOp::bit_or, BinaryOp::bit_xor, BinaryOp::shift_left, BinaryOp::shift_right})
    if (written == format::symbol(op) || written == std::string(format::symbol(op)) + "=") return op;
  return std::nullopt;
}

}  // namespace

Action LoopReader::assign(const syntax::Action& action, const syntax::Assign& source) {
  const auto& target = *source.target.as<syntax::Reference>();
  const TensorInfo* info = target_tensor(target.name);
  if (!info) return {};
  const ScalarType type = info->type;
  if (source.update == ".=") {
    if (target.arguments && !info->shape.empty())
      resolution_.error("E0267", source.target->span, ".= sets all of " + target.name.text,
                        "write " + target.name.text + " .=");
    if (sightings_) note_assignment(source, {});
    const Expr value = expr(source.value, type);
    return value ? make(action, action::Reset{target.name.text, value}) : Action();
  }
  Expr access = expr(source.target, type);
  // A padded tensor is guarded where it is read; nothing can be written outside of it.
  if (const auto* guarded = access ? access.as<Select>() : nullptr) access = guarded->then;
  if (sightings_) note_assignment(source, access);
  if (!access) return {};
  const auto reduction = source.argument ? std::nullopt : reduction_of(source.update);
  assigned_ = source.target;
  const Expr value = source.update == "=" || reduction ? expr(source.value, type) : updated(source, type);
  assigned_.reset();
  if (!value) return {};
  if (reduction && format::is_boolean(type) &&
      (*reduction == format::ReduceOp::sum || *reduction == format::ReduceOp::prod)) {
    resolution_.error("E0223", action->span, source.update + " is not defined for bool");
    return {};
  }
  return make(action, action::Assign{access, reduction, value});
}

/// What `t op= e` sets t to, for an operator that is no reduction, a function, or `choose(d)`, which keeps t unless it
/// is d.
Expr LoopReader::updated(const syntax::Assign& source, ScalarType type) {
  const text::Span span = text::cover(source.target->span, source.value->span);
  const auto build = [&](auto node) { return syntax::Expr(syntax::ExprNode{std::move(node), span}); };
  if (const auto op = operation_of(source.update); op && !source.argument)
    return expr(build(syntax::Binary{*op, source.target, source.value}), type);
  if (source.update == "choose" && source.argument) {
    const syntax::Expr free = build(syntax::Binary{BinaryOp::equal, source.target, *source.argument});
    return expr(build(syntax::Select{free, source.value, source.target}), type);
  }
  syntax::Reference call{{source.update, span}, {}, std::vector<syntax::Argument>(2), {}};
  (*call.arguments)[0].value = source.target;
  (*call.arguments)[1].value = source.value;
  if (source.argument ||
      (kind_of(resolution_, call) != ReferenceKind::call && kind_of(resolution_, call) != ReferenceKind::application)) {
    resolution_.error("E0265", span,
                      source.argument ? source.update + "(…)= is no update" : "there is no function " + source.update,
                      source.argument ? "only choose(d)= takes an argument" : "");
    return {};
  }
  return expr(build(std::move(call)), type);
}

void LoopReader::note_assignment(const syntax::Assign& source, const Expr& target) {
  const std::string& name = source.target.as<syntax::Reference>()->name.text;
  Sighting& sighting = (*sightings_)[name];
  const bool choice = source.update == "choose";
  sighting.natural = join(sighting.natural, types().of(source.value));
  if (choice || !target) return;
  Pending pending{name, {}};
  for (const Expr& index : target.as<Access>()->indices) pending.largest.push_back(affine(index));
  pending_.push_back(std::move(pending));
}

}  // namespace trellis::lang::resolving
