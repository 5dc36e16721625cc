#include "engine/schedule/instances.hpp"

#include "engine/loop/context.hpp"
#include "engine/schedule/touches.hpp"

namespace trellis::schedule {
namespace {

using lang::Expr;
using loop::Stmt;
using math::Affine;
using math::Constraint;
using math::Relation;

/// What stands around a statement.
struct Place {
  std::vector<Around> loops;
  math::Domain domain;
  Names names;
  std::vector<Touch> decisions;  ///< conditions of `while` and `until` that let it run
  bool exact = true;

  void require(const std::vector<Constraint>& more) {
    domain.constraints.insert(domain.constraints.end(), more.begin(), more.end());
  }
};

class Collector {
 public:
  std::vector<Site> found;

  /// Tensors that the statement declares stay known in `at`, to those behind it in the same block.
  void collect(const Stmt& stmt, Place& at) {
    stmt.match(
        [&](const loop::Block& b) {
          Place inside = at;
          for (const Stmt& child : b.statements) collect(child, inside);
        },
        [&](const loop::For& f) { loop(stmt, f, at); }, [&](const loop::While& w) { loop(stmt, w, at); },
        [&](const loop::If& i) { choice(stmt, i, at); }, [&](const loop::Let& l) { let(stmt, l, at); },
        [&](const loop::Declare& d) {
          at.names.scopes[d.tensor.name] = {++scopes_, at.loops.size()};
          add(stmt, at, {whole(d.tensor.name, at)});
        },
        [&](const loop::Assign& a) {
          Touch write = touch(a.op ? Touch::Kind::update : Touch::Kind::write, *a.target.as<lang::Access>(), at.names);
          write.op = a.op;
          write.floating = format::is_floating(a.target->type);
          std::vector<Touch> touches{std::move(write)};
          read(a.value, at, touches);
          for (const Expr& index : a.target.as<lang::Access>()->indices) read(index, at, touches);
          add(stmt, at, std::move(touches));
        },
        [&](const loop::Reset& r) {
          std::vector<Touch> touches{whole(r.tensor, at)};
          read(r.value, at, touches);
          add(stmt, at, std::move(touches));
        },
        [&](const loop::Exchange& e) { add(stmt, at, {whole(e.tensor, at)}); }, [](const loop::Lifecycle&) {},
        [](const loop::Note&) {});
  }

 private:
  void add(const Stmt& stmt, const Place& at, std::vector<Touch> touches, Site::Part part = Site::Part::action) {
    touches.insert(touches.end(), at.decisions.begin(), at.decisions.end());
    found.push_back({stmt.id(), part, at.loops, static_cast<int>(found.size()), at.domain,
                     at.exact && at.decisions.empty(), std::move(touches)});
  }

  void read(const Expr& expr, const Place& at, std::vector<Touch>& into) { add_reads(expr, at.names, {}, into); }

  // A condition or a bound that reads tensors is an instance of its own.
  void evaluate(const Stmt& stmt, const std::vector<Expr>& all, const Place& at) {
    std::vector<Touch> touches;
    for (const Expr& expr : all) read(expr, at, touches);
    if (!touches.empty()) add(stmt, at, std::move(touches));
  }

  // Without an index it is every element.
  static Touch whole(const std::string& tensor, const Place& at) {
    return touch(Touch::Kind::write, {tensor, {}, {}}, at.names);
  }

  Touch decision(const Place& at) {
    return {Touch::Kind::read, "the condition", {}, {}, {}, ++scopes_, at.loops.size()};
  }

  void decide(const Stmt& stmt, const Expr& condition, const Touch& decision, const Place& at) {
    std::vector<Touch> touches{decision};
    touches.front().kind = Touch::Kind::write;
    read(condition, at, touches);
    add(stmt, at, std::move(touches), Site::Part::decision);
  }

  void loop(const Stmt& stmt, const loop::For& f, Place& at) {
    evaluate(stmt, {f.low, f.high}, at);
    Place inside = at;
    const Affine variable = Affine::name(f.variable);
    inside.loops.push_back({++loops_, f.variable, f.descending});
    inside.domain.variables.push_back(f.variable);
    const auto bound = [&](const Expr& expr, auto&& constraint) {
      if (auto value = at.names.affine(expr)) inside.domain.constraints.push_back(constraint(*value));
      else inside.exact = false;
    };
    for (const Expr& low : bounds(f.low, format::Function::max))
      bound(low, [&](const Affine& value) { return Constraint{value, Relation::less_equal, variable}; });
    for (const Expr& high : bounds(f.high, format::Function::min))
      bound(high, [&](const Affine& value) { return Constraint{variable, Relation::less, value}; });
    if (!f.until) return collect(f.body, inside);
    const Touch ends = decision(at);
    inside.decisions.push_back(ends);
    collect(f.body, inside);
    decide(stmt, *f.until, ends, inside);
  }

  // The arguments of `max` in a low bound, of `min` in a high bound; else the bound.
  static std::vector<Expr> bounds(const Expr& bound, format::Function function) {
    const auto* call = bound.as<lang::Call>();
    if (!call || call->function != function) return {bound};
    std::vector<Expr> all;
    for (const Expr& argument : call->arguments) {
      const std::vector<Expr> inner = bounds(argument, function);
      all.insert(all.end(), inner.begin(), inner.end());
    }
    return all;
  }

  void loop(const Stmt& stmt, const loop::While& w, const Place& at) {
    Place inside = at;
    const std::string pass = "pass#" + std::to_string(stmt.id());  // a name that transformations keep
    inside.loops.push_back({++loops_, pass, false});
    inside.domain.variables.push_back(pass);
    inside.domain.constraints.push_back({0, Relation::less_equal, Affine::name(pass)});
    const Touch ends = decision(at);
    decide(stmt, w.condition, ends, inside);
    inside.decisions.push_back(ends);
    collect(w.body, inside);
  }

  void choice(const Stmt& stmt, const loop::If& i, const Place& at) {
    evaluate(stmt, {i.condition}, at);
    Place then = at, otherwise = at;
    then.require(at.names.where(i.condition));
    then.exact &= at.names.is_affine(i.condition);
    collect(i.then, then);
    const auto opposite = at.names.where_not(i.condition);
    otherwise.require(opposite);
    otherwise.exact &= !opposite.empty();
    if (i.otherwise) collect(*i.otherwise, otherwise);
  }

  void let(const Stmt& stmt, const loop::Let& l, const Place& at) {
    evaluate(stmt, {l.value}, at);
    Place inside = at;
    if (auto value = at.names.affine(l.value)) inside.names.values[l.name] = *value;
    else inside.names.opaque.push_back(l.name);
    collect(l.body, inside);
  }

  int scopes_ = 0;
  int loops_ = 0;
};

}  // namespace

std::vector<Site> sites(const Stmt& loops) {
  Collector collector;
  Place top;
  collector.collect(loops, top);
  return std::move(collector.found);
}

std::size_t common_loops(const Site& a, const Site& b) {
  std::size_t common = 0;
  while (common < a.loops.size() && common < b.loops.size() && a.loops[common].id == b.loops[common].id) ++common;
  return common;
}

}  // namespace trellis::schedule
