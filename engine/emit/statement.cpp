#include "engine/emit/statement.hpp"

#include <algorithm>

namespace trellis::emit {

namespace {

using flow::Loop;
using flow::Tensor;
using format::BinaryOp;
using format::ReduceOp;
using format::ScalarType;

text::Origin origin_of(const flow::Stmt& stmt) {
  return stmt.id() < 0 ? text::Origin{} : text::Origin{{text::Stage::cfir, stmt.id()}};
}

}  // namespace

c::Stmt Statements::body() {
  results_.begin();
  stmt(out_.flow.root, true);
  return memory_.body(out_.statements());
}

c::Stmt Statements::block(const flow::Stmt& inner) {
  out_.open();
  stmt(inner, true);
  return out_.close();
}

void Statements::stmt(const flow::Stmt& s, bool last) {
  const text::Origin origin = origin_of(s);
  s.match(
      [&](const flow::Seq& inner) {
        const bool scoped = std::any_of(inner.statements.begin(), inner.statements.end(),
                                        [](const auto& child) { return child.template as<flow::Declare>(); });
        if (last || !scoped) return seq(inner);
        out_.open();
        seq(inner);
        out_.add(out_.close());
      },
      [&](const Loop& l) { loops_.loop(s, l, origin); },
      [&](const flow::Coiterate& l) { coiterate(l, origin, last); },
      [&](const flow::Test& t) { test(t, origin, last); },
      [&](const flow::Locate& l) {
        if (!last) out_.open();
        locate(out_, memory_, l, origin);
        stmt(l.body, true);
        if (!last) out_.add(out_.close());
      },
      [&](const flow::Insert& i) {
        if (!last) out_.open();
        workspaces_.insert(i, origin);
        stmt(i.body, true);
        if (!last) out_.add(out_.close());
      },
      [&](const flow::While& w) {
        c::Expr condition = out_.expressions.expr(w.condition);
        out_.add(c::stmt(c::While{condition, block(w.body)}, origin));
      },
      [&](const flow::If& i) {
        c::Expr condition = out_.expressions.expr(i.condition);
        c::Stmt then = block(i.then);
        std::optional<c::Stmt> otherwise;
        if (i.otherwise) otherwise = block(*i.otherwise);
        out_.add(c::stmt(c::If{condition, then, otherwise}, origin));
      },
      [&](const flow::Let& l) { let(l, origin, last); },
      [&](const flow::Declare& d) { temporaries_.declare(*out_.flow.tensor(d.tensor), nullptr, origin); },
      [&](const flow::Reset& r) { reset(r, origin); },
      [&](const flow::Freeze& f) { freeze(*out_.flow.tensor(f.tensor), origin); },
      [&](const flow::Assign& a) { update(a, origin, last); },
      [&](const flow::Append& a) { appends_.append(a, origin, last); },
      [](const flow::Note&) {});  // readiness is for those who read loops; C says it by its order
}

// A scalar is declared where it gets its first value, when nothing before that mentions it.
void Statements::seq(const flow::Seq& all) {
  const auto& statements = all.statements;
  std::vector<const flow::Declare*> waiting;
  for (std::size_t k = 0; k < statements.size(); ++k) {
    const flow::Stmt& s = statements[k];
    const auto* declared = s.as<flow::Declare>();
    if (declared && out_.flow.tensor(declared->tensor)->levels.empty()) {
      waiting.push_back(declared);
      continue;
    }
    const auto* first = s.as<flow::Assign>();
    bool starts = false;
    std::erase_if(waiting, [&](const flow::Declare* d) {
      if (!flow::mentions(s, d->tensor)) return false;
      const bool here = first && !first->op && first->tensor == d->tensor;
      temporaries_.declare(*out_.flow.tensor(d->tensor), here ? first : nullptr, origin_of(s));
      starts |= here;
      return true;
    });
    if (!starts) stmt(s, k + 1 == statements.size());
  }
}

void Statements::let(const flow::Let& l, const text::Origin& origin, bool last) {
  if (!last) out_.open();
  const auto* position = l.value.as<flow::Here>();
  c::Expr value = position ? position_here(*position) : out_.expressions.expr(l.value);
  const std::string name = out_.bind(l.name);
  const std::string type = "const " + std::string(format::c_name(l.value->type));
  out_.add(c::stmt(c::Declaration{type, name, {}, without_cast(value, l.value->type)}, origin));
  if (position && position->several) {
    c::Expr end = c::token(out_.names.variable(position->cursor + "_end"));
    out_.add(c::stmt(c::Declaration{type, out_.bind(l.name + "_end"), {}, end}));
  }
  stmt(l.body, true);
  if (!last) out_.add(out_.close());
}

void Statements::update(const flow::Assign& a, const text::Origin& origin, bool last) {
  if (threads_.update_together(a.tensor)) return assign_together(out_, a, origin, last);
  assign(out_, a, origin);
}

void Statements::reset(const flow::Reset& r, const text::Origin& origin) {
  const Tensor& tensor = *out_.flow.tensor(r.tensor);
  if (tensor.levels.empty()) return update({r.tensor, flow::root(), {}, r.value}, origin, true);
  if (!tensor.sparse()) return fill(out_, r, origin);
  if (tensor.storage == Tensor::Storage::temporary)
    workspaces_.reset(tensor, origin);
  else
    results_.reset(tensor, origin);
}

void Statements::freeze(const Tensor& tensor, const text::Origin& origin) {
  if (tensor.storage == Tensor::Storage::temporary)
    workspaces_.order(tensor, origin);
  else
    results_.freeze(tensor);
}

}  // namespace trellis::emit
