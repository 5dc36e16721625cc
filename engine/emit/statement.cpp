#include "engine/emit/statement.hpp"

#include <algorithm>
#include <optional>

#include "engine/emit/assign.hpp"
#include "engine/emit/copy.hpp"
#include "engine/emit/exchange.hpp"
#include "engine/emit/locate.hpp"
#include "engine/emit/scatter.hpp"

namespace trellis::emit {

namespace {

using flow::Tensor;

text::Origin origin_of(const flow::Stmt& stmt) {
  return stmt.id() < 0 ? text::Origin{} : text::Origin{{text::Stage::flow, stmt.id()}};
}

/// Is the row one of its coordinates, so that no other row has the element?
bool is_of_row(const flow::Position& position, const std::string& row) {
  const auto* direct = position.as<flow::Direct>();
  if (!direct) return false;
  const auto* name = direct->coordinate.as<flow::Name>();
  return (name && name->name == row) || is_of_row(direct->parent, row);
}

bool declares(const flow::Seq& seq) {
  const auto is_declaration = [](const flow::Stmt& s) { return s.as<flow::Declare>() != nullptr; };
  return std::ranges::any_of(seq.statements, is_declaration);
}

}  // namespace

c::Stmt Statements::body() {
  out_.enter(origin_of(out_.flow.root));
  results_.begin();
  for (const flow::PositionMap& map : out_.flow.maps) tables_.fill(map);
  stmt(out_.flow.root, true);
  return memory_.body(out_.statements());
}

template <class F>
void Statements::with_open_rows(const flow::Stmt& loop, F&& inside) {
  const std::vector<std::string> opened = results_.open_row_of(loop);
  inside();
  results_.leave(opened);
}

c::Stmt Statements::block(const flow::Stmt& inner) {
  out_.open();
  stmt(inner, true);
  return out_.close();
}

void Statements::walk(const flow::Coiterate& l, const text::Origin& origin, bool last) {
  const auto as_any = [&] { coiterations_.coiterate(l, origin, last); };
  const auto copied = threads_.inside() ? std::nullopt : flow::copies_fiber(out_.flow, l);
  const Tensor* to = copied ? out_.flow.tensor(copied->append->tensor) : nullptr;
  if (!to || !(results_.by_rows(*to) || results_.has_open_row(*to))) return as_any();
  copy_fiber(out_, results_, l, *copied, origin, as_any);
}

void Statements::stmt(const flow::Stmt& s, bool last) {
  const text::Origin origin = origin_of(s), around = out_.enter(origin);
  const auto tensor = [&](const std::string& name) -> const Tensor& { return *out_.flow.tensor(name); };
  s.match([&](const flow::Seq& inner) { out_.scoped(last || !declares(inner), [&] { seq(inner); }); },
          [&](const flow::Loop& l) { with_open_rows(s, [&] { loops_.loop(l, origin); }); },
          [&](const flow::Coiterate& l) {
            if (const auto copied = flow::copies_tuples(out_.flow, l))
              return copy_tuples(out_, results_, l, *copied, origin);
            with_open_rows(s, [&] { walk(l, origin, last); });
          },
          [&](const flow::Test& t) { arms_.test(t, origin, last); },
          [&](const flow::Locate& l) {
            out_.scoped(last, [&] {
              locate(out_, memory_, l, origin);
              stmt(l.body, true);
            });
          },
          [&](const flow::Tabulate& t) { out_.scoped(last, [&] { tables_.around(t, [&] { stmt(t.body, false); }); }); },
          [&](const flow::Insert& i) {
            out_.scoped(last, [&] {
              workspaces_.insert(i, origin);
              stmt(i.body, true);
            });
          },
          [&](const flow::While& w) {
            const c::Expr condition = out_.expressions.expr(w.condition);
            out_.add(c::stmt(c::While{condition, block(w.body)}, origin));
          },
          [&](const flow::If& i) {
            const c::Expr condition = out_.expressions.expr(i.condition);
            const c::Stmt then = block(i.then);
            std::optional<c::Stmt> otherwise;
            if (i.otherwise) otherwise = block(*i.otherwise);
            out_.add(c::stmt(c::If{condition, then, otherwise}, origin));
          },
          [&](const flow::Let& l) { out_.scoped(last, [&] { let(l, origin); }); },
          [&](const flow::Declare& d) { temporaries_.declare(tensor(d.tensor), nullptr, origin); },
          [&](const flow::Reset& r) { reset(r, tensor(r.tensor), origin); },
          [&](const flow::Freeze& f) { freeze(tensor(f.tensor), origin); },
          [&](const flow::Assign& a) { update(a, origin, last); },
          [&](const flow::Append& a) { appends_.append(a, origin, last); },
          [&](const flow::Scatter& c) { out_.scoped(last, [&] { scatter(out_, results_, counts_, body_, c); }); },
          [&](const flow::Await& a) { ordered_.await(a); }, [&](const flow::Exchange& e) { exchange(out_, e, origin); },
          [](const flow::Note&) {});  // readiness is for those who read loops; C says it by its order
  out_.enter(around);
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

void Statements::let(const flow::Let& l, const text::Origin& origin) {
  const auto* position = l.value.as<flow::Here>();
  const c::Expr value = position ? arms_.position(*position) : out_.expressions.expr(l.value);
  const std::string name = out_.bind(l.name);
  const std::string type = "const " + std::string(format::c_name(l.value->type));
  out_.add(c::stmt(c::Declaration{type, name, {}, without_cast(value, l.value->type)}, origin));
  if (position && position->several) {
    const c::Expr end = c::token(out_.names.variable(position->cursor + "'end"));
    out_.add(c::stmt(c::Declaration{type, out_.bind(l.name + "'end"), {}, end}));
  }
  stmt(l.body, true);
}

void Statements::update(const flow::Assign& a, const text::Origin& origin, bool last) {
  if (a.atomic && out_.share && is_of_row(a.position, out_.share->row)) {  // which may be one thread's alone
    out_.open();
    assign(out_, a, origin);
    const c::Stmt alone = out_.close();
    out_.open();
    assign_together(out_, a, origin, true);
    return out_.add(c::stmt(c::If{c::token(out_.share->whole), alone, out_.close()}, origin));
  }
  if (a.atomic) assign_together(out_, a, origin, last);
  else assign(out_, a, origin);
}

void Statements::reset(const flow::Reset& r, const Tensor& tensor, const text::Origin& origin) {
  if (tensor.levels.empty()) update({r.tensor, flow::root(), {}, r.value}, origin, true);
  else if (!tensor.sparse()) fill(out_, r, origin);
  else if (tensor.storage == Tensor::Storage::temporary) workspaces_.reset(tensor, origin);
  else results_.reset(tensor, origin);
}

void Statements::freeze(const Tensor& tensor, const text::Origin& origin) {
  if (tensor.storage == Tensor::Storage::temporary) workspaces_.order(tensor, origin);
  else results_.freeze(tensor);
}

}  // namespace trellis::emit
