#include "engine/loop/read.hpp"

#include <algorithm>
#include <set>

#include "engine/lang/parse.hpp"
#include "engine/lang/resolve_types.hpp"
#include "engine/lang/resolve_walk.hpp"

namespace trellis::loop {

namespace {

namespace syntax = lang::syntax;
using format::BinaryOp;
using format::ScalarType;

struct Update {
  std::optional<format::ReduceOp> reduction;
  std::optional<BinaryOp> operation;  ///< `t = t op e`
};

std::optional<Update> update_of(const std::string& written) {
  for (auto op : {format::ReduceOp::sum, format::ReduceOp::prod, format::ReduceOp::min, format::ReduceOp::max,
                  format::ReduceOp::any, format::ReduceOp::all}) {
    const std::string_view symbol = format::update_symbol(op);
    if (written == symbol || written == symbol.substr(0, symbol.size() - 1)) return Update{op, std::nullopt};
  }
  for (auto op : {BinaryOp::subtract, BinaryOp::divide, BinaryOp::modulo, BinaryOp::power, BinaryOp::bit_and,
                  BinaryOp::bit_or, BinaryOp::bit_xor, BinaryOp::shift_left, BinaryOp::shift_right}) {
    if (written == format::symbol(op) || written == std::string(format::symbol(op)) + "=") return Update{std::nullopt, op};
  }
  return std::nullopt;
}

/// Where the loop's variable indexes a dimension alone: that dimension's size.
void collect_extents(const Expr& expr, const std::string& variable, const lang::Program& program,
                     std::vector<math::Affine>& into) {
  if (auto* a = expr.as<lang::Access>()) {
    const lang::TensorInfo* info = program.tensor(a->tensor);
    for (std::size_t d = 0; info && d < a->indices.size(); ++d) {
      auto* v = a->indices[d].as<lang::Variable>();
      if (!v || v->name != variable) continue;
      if (std::find(into.begin(), into.end(), info->shape[d]) == into.end()) into.push_back(info->shape[d]);
    }
  }
  lang::for_each_child(expr, [&](const Expr& child) { collect_extents(child, variable, program, into); });
}

class Reader {
 public:
  Reader(const lang::Program& program, text::Diagnostics& diagnostics)
      : diagnostics_(diagnostics), resolution_{program, found_, overrides_, {}, {}, {}, {}} {}

  Stmt block(const syntax::Block& source) {
    const std::size_t outer = resolution_.program.tensors.size();
    std::vector<Stmt> statements;
    for (const syntax::Action& action : source.actions) {
      if (Stmt stmt = read(action)) statements.push_back(std::move(stmt));
    }
    resolution_.program.tensors.resize(outer);
    return loop::block(std::move(statements));
  }

 private:
  /// Empty when something was reported.
  Stmt read(const syntax::Action& action) {
    return action.match([&](const syntax::TensorDecl& d) { return declare(action, d); },
                        [&](const syntax::For& f) { return nest(action, f, 0); },
                        [&](const syntax::While& w) { return loop(action, w); },
                        [&](const syntax::If& i) { return condition(action, i); },
                        [&](const syntax::Let& l) { return let(action, l, 0); },
                        [&](const syntax::Lifecycle& l) { return lifecycle(action, l); },
                        [&](const syntax::Assign& a) { return assign(action, a); });
  }

  template <class T>
  Stmt make(const syntax::Action& action, T node) {
    return Stmt(StmtNode{std::move(node), action->span}, {{text::Stage::source, action.id()}});
  }

  /// The typed expression; in its own type when none is wanted. Empty when something was reported.
  Expr expr(const syntax::Expr& source, std::optional<ScalarType> wanted) {
    // What the elaborator proposes as a fix is an equation, which has no place here.
    const syntax::Equation equation{source, source, {}};
    lang::resolving::Draft draft;
    draft.source = &equation;
    draft.right = source;
    const auto refuse_reduction = [&](const syntax::Expr& e, const syntax::Reference& r, auto&&...) {
      found_.error("E0920", e->span, r.name.text + " inside a loop program is not available yet",
                   "write a loop that accumulates");
      return Expr();
    };
    lang::resolving::Elaborator elaborator(resolution_, draft, scope_, refuse_reduction);
    Expr typed;
    if (!lang::resolving::refuse_unavailable(resolution_, source)) {
      typed = wanted ? elaborator.elaborate(source, *wanted) : elaborator.elaborate(source);
    }
    report();
    return typed ? with_lets(typed) : typed;
  }

  void report() {
    for (text::Diagnostic diagnostic : found_.all()) {
      diagnostic.fixes.clear();
      diagnostics_.add(std::move(diagnostic));
    }
    found_ = {};
  }

  /// Lets that are no index take part as scalars until here, because their type is fixed.
  Expr with_lets(const Expr& expr) {
    auto* access = expr.as<lang::Access>();
    if (access && lets_.contains(access->tensor)) {
      return Expr(lang::ExprNode{lang::Variable{access->tensor}, expr->type, expr->span}, expr.origin(), expr.id());
    }
    return lang::map_children(expr, [&](const Expr& child) { return with_lets(child); });
  }

  bool is_free(const syntax::Name& name) {
    const bool taken = lang::resolving::contains(scope_, name.text) || resolution_.program.tensor(name.text) ||
                       resolution_.program.parameter(name.text);
    if (taken) diagnostics_.error("E0202", name.span, name.text + " has a meaning already", "choose another name");
    return !taken;
  }

  Stmt declare(const syntax::Action& action, const syntax::TensorDecl& declaration) {
    if (!is_free(declaration.name)) return {};
    lang::resolving::declare_tensor(resolution_, declaration, lang::resolving::Freshness::fresh);
    const bool sound = !found_.has_errors();
    report();
    if (!sound) return {};
    lang::TensorInfo& info = resolution_.program.tensors.back();
    info.kind = lang::TensorInfo::Kind::temporary;
    return make(action, Declare{info});
  }

  /// `for i, j` is a loop over i around a loop over j; `parallel` belongs to the outermost, `unroll` and `vectorize` to the
  /// innermost, `reduces` to each.
  Stmt nest(const syntax::Action& action, const syntax::For& source, std::size_t position) {
    const syntax::LoopVariable& variable = source.variables[position];
    const bool last = position + 1 == source.variables.size();
    For f{variable.name.text, {}, {}, variable.down, source.forall ? For::Kind::forall : For::Kind::serial, {},
          For::Execution::serial, 1, {}};
    if (variable.low) f.low = expr(*variable.low, ScalarType::i64);
    if (variable.high) f.high = expr(*variable.high, ScalarType::i64);
    if (!is_free(variable.name)) return {};
    scope_.push_back(f.variable);
    for (const syntax::LoopMark& mark : source.marks) apply(f, mark, position == 0, last);
    if (last) {
      f.body = block(source.body);
    } else if (const Stmt inner = nest(action, source, position + 1)) {
      f.body = loop::block({inner});
    }
    scope_.pop_back();
    if (!f.body || (!variable.low && !infer_range(f, variable)) || !f.low || !f.high) return {};
    return make(action, std::move(f));
  }

  void apply(For& f, const syntax::LoopMark& mark, bool outermost, bool innermost) {
    switch (mark.kind) {
      case syntax::LoopMark::Kind::reduces: f.reduces.push_back(mark.name.text); break;
      case syntax::LoopMark::Kind::parallel:
        if (outermost) f.execution = For::Execution::parallel;
        break;
      case syntax::LoopMark::Kind::unroll:
        if (innermost) f.unroll = static_cast<int>(mark.count);
        break;
      case syntax::LoopMark::Kind::vectorize:
        if (innermost) f.execution = For::Execution::vectorized;
        break;
      case syntax::LoopMark::Kind::until:
        if (innermost) f.until = expr(*mark.condition, ScalarType::boolean);
        break;
    }
  }

  bool infer_range(For& f, const syntax::LoopVariable& variable) {
    std::vector<math::Affine> extents;
    collect_in(f.body, f.variable, extents);
    if (extents.size() == 1) {
      f.low = lang::integer(0);
      f.high = lang::to_expr(extents.front(), {});
      return true;
    }
    if (extents.empty()) {
      diagnostics_.error("E0302", variable.name.span, "the range of " + f.variable + " is unknown",
                         "write " + f.variable + " in low:high");
    } else {
      diagnostics_.error("E0301", variable.name.span,
                         f.variable + " indexes dimensions of sizes " + math::to_string(extents[0]) + " and " +
                             math::to_string(extents[1]), "write " + f.variable + " in low:high");
    }
    return false;
  }

  void collect_in(const Stmt& stmt, const std::string& variable, std::vector<math::Affine>& into) {
    for_each(stmt, [&](const Stmt& inner) {
      map_children(
          inner, [](const Stmt& child) { return child; },
          [&](const Expr& e) {
            collect_extents(e, variable, resolution_.program, into);
            return e;
          });
    });
  }

  Stmt loop(const syntax::Action& action, const syntax::While& source) {
    Expr condition = expr(source.condition, ScalarType::boolean);
    Stmt body = block(source.body);
    return condition ? make(action, While{condition, body}) : Stmt();
  }

  Stmt condition(const syntax::Action& action, const syntax::If& source) {
    If result{expr(source.condition, ScalarType::boolean), block(source.then), std::nullopt};
    if (source.otherwise) result.otherwise = block(*source.otherwise);
    return result.condition ? make(action, std::move(result)) : Stmt();
  }

  Stmt let(const syntax::Action& action, const syntax::Let& source, std::size_t position) {
    const auto& [name, written] = source.bindings[position];
    const Expr value = expr(written, std::nullopt);
    if (!value || !is_free(name)) return {};
    const bool index = value->type == ScalarType::i64;
    if (index) {
      scope_.push_back(name.text);
    } else {
      lets_.insert(name.text);
      lang::TensorInfo scalar;
      scalar.name = name.text;
      scalar.type = value->type;
      resolution_.program.tensors.push_back(scalar);
    }
    const bool last = position + 1 == source.bindings.size();
    Stmt body = last ? block(source.body) : let(action, source, position + 1);
    if (index) {
      scope_.pop_back();
    } else {
      lets_.erase(name.text);
      resolution_.program.tensors.pop_back();
    }
    if (!body) return {};
    return make(action, Let{name.text, value, last ? body : loop::block({body})});
  }

  const lang::TensorInfo* known_tensor(const syntax::Name& name) {
    const lang::TensorInfo* info = resolution_.program.tensor(name.text);
    if (info && !lets_.contains(name.text)) return info;
    diagnostics_.error("E0201", name.span, info ? name.text + " is no tensor" : "unknown tensor " + name.text);
    return nullptr;
  }

  Stmt lifecycle(const syntax::Action& action, const syntax::Lifecycle& source) {
    return known_tensor(source.tensor) ? make(action, Lifecycle{source.thaw, source.tensor.text}) : Stmt();
  }

  Stmt assign(const syntax::Action& action, const syntax::Assign& source) {
    const auto& target = *source.target.as<syntax::Reference>();
    const lang::TensorInfo* info = known_tensor(target.name);
    if (!info) return {};
    const ScalarType type = info->type;
    if (source.update == ".=") {
      const Expr value = expr(source.value, type);
      return value ? make(action, Reset{target.name.text, value}) : Stmt();
    }
    const Expr access = expr(source.target, type);
    const bool plain = source.update == "=";
    const auto update = update_of(source.update);
    if (!plain && (!update || source.argument)) {
      diagnostics_.error("E0921", action->span, "the update " + source.update + " is not available yet");
      return {};
    }
    Expr value = expr(source.value, type);
    if (!access || !value) return {};
    if (plain) return make(action, Assign{access, std::nullopt, value});
    if (update->reduction) return make(action, Assign{access, update->reduction, value});
    return make(action, Assign{access, std::nullopt, lang::binary(*update->operation, access, value)});
  }

  text::Diagnostics& diagnostics_;
  text::Diagnostics found_;                 ///< of the step at hand
  lang::Overrides overrides_;
  lang::resolving::Resolution resolution_;  ///< its program has the temporaries in scope, too
  std::vector<std::string> scope_;          ///< loop variables and i64 lets
  std::set<std::string> lets_;              ///< of other types
};

}  // namespace

std::optional<Stmt> read(const syntax::Loops& loops, const lang::Program& program, text::Diagnostics& diagnostics) {
  text::Diagnostics found;
  const Stmt stmt = Reader(program, found).block(loops.body);
  diagnostics.append(found);
  if (found.has_errors()) return std::nullopt;
  return number(stmt);
}

std::optional<Stmt> read(std::string_view notation, const lang::Program& program, text::Diagnostics& diagnostics) {
  text::Sources sources;
  const int source = sources.add("loops", "loops {\n" + std::string(notation) + "\n}\n");
  text::Diagnostics found;
  const syntax::File file = lang::parse(sources, source, found);
  diagnostics.append(found);
  if (found.has_errors() || file.statements.size() != 1) return std::nullopt;
  auto* loops = file.statements.front().as<syntax::Loops>();
  return loops ? read(*loops, program, diagnostics) : std::nullopt;
}

Stmt without_notes(const Stmt& stmt) {
  Stmt inner = map_children(
      stmt, [](const Stmt& child) { return without_notes(child); }, [](const Expr& expr) { return expr; });
  auto* b = inner.as<Block>();
  if (!b) return inner;
  Block kept;
  for (const Stmt& child : b->statements) {
    if (!child.as<Note>()) kept.statements.push_back(child);
  }
  if (kept.statements.size() == b->statements.size()) return inner;
  return Stmt(StmtNode{std::move(kept), inner->span}, inner.origin(), inner.id());
}

}  // namespace trellis::loop
