#include "engine/loop/read.hpp"

#include <set>

#include "engine/lang/parse.hpp"
#include "engine/loop/expand_reductions.hpp"

namespace trellis::loop {

namespace {

namespace action = lang::action;

void collect_names(const Expr& expr, std::set<std::string>& into) {
  if (const auto* v = expr.as<lang::Variable>()) into.insert(v->name);
  if (const auto* r = expr.as<lang::Reduce>()) into.insert(r->domain.variables.begin(), r->domain.variables.end());
  lang::for_each_child(expr, [&](const Expr& child) { collect_names(child, into); });
}

/// Every name that has a meaning somewhere in the loops.
std::set<std::string> names_in(const lang::Actions& loops, const lang::Program& program) {
  std::set<std::string> names;
  for (const auto& tensor : program.tensors) names.insert(tensor.name);
  for (const auto& parameter : program.parameters) names.insert(parameter.name);
  for (const lang::Action& one : loops)
    action::for_each(one, [&](const lang::Action& inner) {
      if (const auto* d = inner.as<action::Declare>()) names.insert(d->tensor.name);
      if (const auto* f = inner.as<action::For>()) names.insert(f->variable);
      if (const auto* l = inner.as<action::Let>()) names.insert(l->name);
      for (const Expr& expr : action::expressions(inner)) collect_names(expr, names);
    });
  return names;
}

class Reader {
 public:
  Reader(const lang::Actions& loops, const lang::Program& program, Fresh fresh)
      : fresh_(fresh), reductions_(names_in(loops, program), program) {}

  Stmt block(const lang::Actions& actions) {
    std::vector<Stmt> statements;
    for (std::size_t k = 0; k < actions.size(); ++k) {
      read(actions[k], statements);
      const auto* d = actions[k].as<action::Declare>();
      if (d && fresh_ == Fresh::filled && !(k + 1 < actions.size() && overwrites(actions[k + 1], d->tensor.name)))
        statements.push_back(fill(actions[k], d->tensor));
    }
    return loop::block(std::move(statements));
  }

 private:
  template <class T>
  static Stmt make(const lang::Action& from, T node) {
    return Stmt(StmtNode{std::move(node), from->span}, from.origin());
  }

  /// Does the action give every element of the tensor a value at once, without reading it?
  static bool overwrites(const lang::Action& action, const std::string& tensor) {
    const auto* reset = action.as<action::Reset>();
    const auto* assign = action.as<action::Assign>();
    if (reset) return reset->tensor == tensor && !reads(reset->value, tensor);
    if (!assign || assign->op) return false;
    const auto& target = *assign->target.as<lang::Access>();
    return target.tensor == tensor && target.indices.empty() && !reads(assign->value, tensor);
  }

  static bool reads(const Expr& expr, const std::string& tensor) {
    const auto* access = expr.as<lang::Access>();
    bool found = access && access->tensor == tensor;
    lang::for_each_child(expr, [&](const Expr& child) { found = found || reads(child, tensor); });
    return found;
  }

  static Stmt fill(const lang::Action& from, const lang::TensorInfo& tensor) {
    const Expr value = lang::constant(tensor.fill);
    if (!tensor.shape.empty()) return make(from, Reset{tensor.name, value});
    const Expr target(lang::ExprNode{lang::Access{tensor.name, {}, {}}, tensor.type, from->span});
    return make(from, Assign{target, std::nullopt, value});
  }

  void read(const lang::Action& a, std::vector<Stmt>& into) {
    a.match([&](const action::Block& b) { into.push_back(block(b.actions)); },
            [&](const action::Declare& d) { into.push_back(make(a, Declare{d.tensor})); },
            [&](const action::For& f) { read_for(a, f, into); },
            [&](const action::While& w) { read_while(a, w, into); },
            [&](const action::If& i) {
              prepared(a, into, [&](Preparation& before) {
                If result{reductions_.expand(i.condition, before), block(i.then), std::nullopt};
                if (!i.otherwise.empty()) result.otherwise = block(i.otherwise);
                return make(a, std::move(result));
              });
            },
            [&](const action::Let& l) {
              prepared(a, into, [&](Preparation& before) {
                const Expr value = reductions_.expand(l.value, before);
                return make(a, Let{l.name, value, block(l.body)});
              });
            },
            [&](const action::Assign& s) {
              prepared(a, into, [&](Preparation& before) {
                const Expr value = reductions_.expand(s.value, before);
                return make(a, Assign{reductions_.expand(s.target, before), s.op, value});
              });
            },
            [&](const action::Reset& r) {
              prepared(a, into, [&](Preparation& before) {
                return make(a, Reset{r.tensor, reductions_.expand(r.value, before)});
              });
            },
            [&](const action::Lifecycle& l) {
              into.push_back(make(a, Lifecycle{l.thaw, l.tensor}));
            });
  }

  /// The statement behind what it needs; in a block of its own when that declares anything.
  template <class F>
  static void prepared(const lang::Action& from, std::vector<Stmt>& into, F&& build) {
    Preparation before;
    Stmt statement = build(before);
    if (before.empty()) return into.push_back(std::move(statement));
    into.push_back(enclosed(from, before, std::move(statement)));
  }

  static Stmt enclosed(const lang::Action& from, const Preparation& before, Stmt statement) {
    Block all{before.declarations};
    for (const Stmt& s : before.statements) all.statements.push_back(from_action(s, from));
    all.statements.push_back(std::move(statement));
    return make(from, std::move(all));
  }

  /// What an expression was taken apart into comes from its statement.
  static Stmt from_action(const Stmt& stmt, const lang::Action& from) {
    const Stmt inner = map_children(
        stmt, [&](const Stmt& child) { return from_action(child, from); }, [](const Expr& expr) { return expr; });
    return Stmt(*inner, from.origin());
  }

  static Stmt with_more(const Stmt& body, const lang::Action& from, const Preparation& before) {
    Block all = *body.as<Block>();
    for (const Stmt& s : before.statements) all.statements.push_back(from_action(s, from));
    return loop::block(std::move(all.statements));
  }

  void read_while(const lang::Action& a, const action::While& w, std::vector<Stmt>& into) {
    Preparation before;
    const Expr condition = reductions_.expand(w.condition, before);
    const Stmt body = block(w.body);
    if (before.empty()) return into.push_back(make(a, While{condition, body}));
    into.push_back(enclosed(a, before, make(a, While{condition, with_more(body, a, before)})));
  }

  void read_for(const lang::Action& a, const action::For& f, std::vector<Stmt>& into) {
    Preparation before, after;
    using Kind = action::For::Kind;
    using Execution = action::For::Execution;
    For result{f.variable,
               reductions_.expand(f.low, before),
               reductions_.expand(f.high, before),
               f.descending,
               f.kind == Kind::forall ? For::Kind::forall : For::Kind::serial,
               f.reduces,
               f.execution == Execution::parallel     ? For::Execution::parallel
               : f.execution == Execution::vectorized ? For::Execution::vectorized
                                                      : For::Execution::serial,
               f.unroll,
               {},
               {},
               f.lanes,
               f.jam,
               f.registers};
    if (f.until) result.until = reductions_.expand(*f.until, after);
    result.body = with_more(block(f.body), a, after);
    before.declarations.insert(before.declarations.end(), after.declarations.begin(), after.declarations.end());
    if (before.empty()) return into.push_back(make(a, std::move(result)));
    into.push_back(enclosed(a, before, make(a, std::move(result))));
  }

  Fresh fresh_;
  ReductionExpander reductions_;
};

}  // namespace

Stmt read(const lang::Actions& loops, const lang::Program& program, Fresh fresh) {
  const Stmt whole = Reader(loops, program, fresh).block(loops);
  const auto& blocks = whole.as<Block>()->statements;
  return number(blocks.size() == 1 && blocks.front().as<Block>() ? blocks.front() : whole);
}

std::optional<Stmt> read(std::string_view notation, const lang::Program& program, text::Diagnostics& diagnostics) {
  text::Sources sources;
  const int source = sources.add("loops", "loops {\n" + std::string(notation) + "\n}\n");
  text::Diagnostics found;
  const lang::syntax::File file = lang::parse(sources, source, found);
  diagnostics.append(found);
  if (found.has_errors() || file.statements.size() != 1) return std::nullopt;
  const auto* loops = file.statements.front().as<lang::syntax::Loops>();
  const auto actions = loops ? lang::resolve(*loops, program, diagnostics) : std::nullopt;
  return actions ? std::optional(read(*actions, program, Fresh::undefined)) : std::nullopt;
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
