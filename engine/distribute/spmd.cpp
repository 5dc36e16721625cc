#include "engine/distribute/spmd.hpp"

#include <algorithm>
#include <set>

#include "engine/distribute/localise.hpp"
#include "engine/distribute/overlap.hpp"
#include "engine/format/level.hpp"
#include "engine/format/storage_order.hpp"
#include "engine/schedule/nests.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::distribute {
namespace {

using format::RanksCall;
using loop::Expr;
using loop::Stmt;
using math::Affine;
using math::Constraint;

/// Takes forms apart: what of them moves with the loops around becomes keys.
class Keys {
 public:
  explicit Keys(const std::vector<std::string>& around) : around_(around) {}

  /// `modulus`: of a form of which no more matters than its remainder; 0: all of it does.
  Affine rest_of(const Affine& of, std::int64_t modulus = 0) {
    const Affine form = with_remainders(of);
    Affine rest, moving;
    rest.constant = form.constant;
    for (const auto& [name, coefficient] : form.terms) {
      Affine& part = contains(around_, name) ? moving : rest;
      part = part + Affine::name(name, coefficient);
    }
    for (const math::Quotient& q : form.quotients) {
      Affine alone;
      if (moves_alone(*q.numerator)) {
        alone.quotients = {q};
        moving = moving + alone;
      } else {
        math::Quotient inside = q;
        const bool remainder = q.kind == math::Quotient::Kind::mod;
        inside.numerator = std::make_shared<const Affine>(rest_of(*q.numerator, remainder ? q.divisor : 0));
        alone.quotients = {std::move(inside)};
        rest = rest + alone;
      }
    }
    if (moving.is_constant()) return rest;
    return rest + key(modulus > 0 ? Affine::mod(moving, modulus) : moving);
  }

  std::vector<Affine> found;

 private:
  /// a - 2*(a/2), as isl says it, is a%2.
  static Affine with_remainders(const Affine& of) {
    Affine plain = of;
    plain.quotients.clear();
    Affine all;
    for (const math::Quotient& q : of.quotients) {
      const std::int64_t times = q.kind == math::Quotient::Kind::div ? -q.coefficient / q.divisor : 0;
      const bool remains = q.coefficient == -times * q.divisor && q.numerator->quotients.empty() &&
                           std::ranges::all_of(q.numerator->terms, [&](const auto& term) {
                             return plain.coefficient(term.first) == times * term.second;
                           });
      Affine one;
      one.quotients = {q};
      if (times != 0 && remains) {
        one.quotients = {{times, math::Quotient::Kind::mod, q.numerator, q.divisor}};
        plain = plain - times * *q.numerator;
      }
      all = all + one;
    }
    return all + plain;
  }

  /// Of nothing but variables of loops around.
  bool moves_alone(const Affine& form) const {
    std::set<std::string> names;
    form.collect_names(names);
    return !names.empty() && std::ranges::all_of(names, [&](const auto& name) { return contains(around_, name); });
  }

  Affine key(const Affine& form) {
    const std::int64_t first = form.terms.empty() ? form.quotients.front().coefficient : form.terms.front().second;
    const std::int64_t sign = first < 0 ? -1 : 1;
    const Affine wanted = sign * form;
    auto at = std::ranges::find(found, wanted);
    if (at == found.end()) at = found.insert(found.end(), wanted);
    return Affine::name(key_name(static_cast<std::size_t>(at - found.begin())), sign);
  }

  const std::vector<std::string>& around_;
};

/// What stands before a statement, or behind it.
class Calls {
 public:
  explicit Calls(const Plan& plan) : plan_(plan), variables_(schedule::bound_names(plan.loops)) {
    for (const Exchange& e : plan.exchanges) keys_.push_back(keyed(e).keys);
  }

  std::vector<Stmt> start(const Stmt& s) const { return calls(s, Exchange::Kind::ghosts, {RanksCall::start}); }
  std::vector<Stmt> finish(const Stmt& s) const { return calls(s, Exchange::Kind::ghosts, {RanksCall::finish}); }
  std::vector<Stmt> before(const Stmt& s) const {
    std::vector<Stmt> all = start(s);
    append(all, finish(s));
    append(all, calls(s, Exchange::Kind::ghosts, {RanksCall::receive}, true));
    append(all, calls(s, Exchange::Kind::sums, {RanksCall::open}));
    return all;
  }
  std::vector<Stmt> behind(const Stmt& s) const {
    std::vector<Stmt> all = calls(s, Exchange::Kind::written, {RanksCall::start, RanksCall::finish});
    append(all, calls(s, Exchange::Kind::sums, {RanksCall::combine}));
    append(all, calls(s, Exchange::Kind::ghosts, {RanksCall::pass}, true));
    return all;
  }

 private:
  static void append(std::vector<Stmt>& all, std::vector<Stmt> more) {
    std::ranges::move(more, std::back_inserter(all));
  }

  std::vector<Stmt> calls(const Stmt& s, Exchange::Kind kind, std::initializer_list<RanksCall> made,
                          bool onward = false) const {
    std::vector<Stmt> all;
    for (std::size_t k = 0; k < plan_.exchanges.size(); ++k) {
      const Exchange& e = plan_.exchanges[k];
      if (e.statement != s.id() || e.kind != kind || e.onward != onward) continue;
      for (const RanksCall call : made) {
        loop::Exchange exchange{call, static_cast<int>(k), e.tensor.name};
        for (const Affine& key : keys_[k]) exchange.keys.push_back(lang::to_expr(key, variables_));
        all.push_back(Stmt({std::move(exchange), s->span}, s.origin()));
      }
    }
    return all;
  }

  const Plan& plan_;
  const std::vector<std::string> variables_;
  std::vector<std::vector<Affine>> keys_;
};

bool is_flat(const lang::TensorInfo& info) { return info.format.all_dense() && !info.format.layout; }

}  // namespace

std::string key_name(std::size_t key) { return "#key" + std::to_string(key); }

Keyed keyed(const Exchange& exchange) {
  Keys keys(exchange.around);
  Keyed result;
  for (math::Domain section : exchange.sections) {
    for (Constraint& c : section.constraints) c = {keys.rest_of(c.left - c.right), c.relation, Affine(0)};
    result.sections.push_back(std::move(section));
  }
  result.keys = std::move(keys.found);
  return result;
}

namespace {

/// Why a rank cannot have its part of a result; "": it can. In sparse formats, what a rank appends is joined to what
/// the others do (run/ranks/entries.h).
std::string no_result(const Plan& plan, const std::string& name, const lang::TensorInfo& info) {
  if (is_flat(info)) return "";
  const format::Format& format = info.format;
  if (format.layout) return name + " is written, and has a layout";
  if (info.shape.size() > most_levels) return name + " has too many dimensions";
  const bool bounded = std::ranges::any_of(format.levels, [](const format::Level& l) { return l.bounds.has_value(); });
  if (bounded) return name + " is written, and has a level within bounds";
  const std::vector<format::Facts> facts = format::facts(format);
  const Home* home = plan.home({name, -1});
  for (std::size_t l = 0; l < facts.size(); ++l) {
    const bool cut = home && (*home)[format::dimension_of(format, l)] >= 0;
    if (cut && facts[l].coordinates && !facts[l].points()) return name + " is cut where it stores runs or blocks";
    if (!info.entries_of.empty() && facts[l].coordinates &&
        (!facts[l].points() || facts[l].slots > 0 || facts[l].child == format::Child::product))
      return name + " is written where entries of another tensor are, which are not lists";
  }
  return "";
}

}  // namespace

std::string not_compiled(const Plan& plan) {
  for (const Exchange& e : plan.exchanges) {
    if (!is_flat(plan.tensors.at(e.tensor))) return e.tensor.name + " is sent, and is not a flat array";
    if (plan.tensors.at(e.tensor).shape.size() > most_levels) return e.tensor.name + " has too many dimensions";
    if (keyed(e).keys.size() > most_keys)
      return "what is sent of " + e.tensor.name + " depends on too many loops around";
  }
  std::string found;
  loop::for_each(plan.loops, [&](const Stmt& s) {
    const auto* a = s.as<loop::Assign>();
    const auto* r = s.as<loop::Reset>();
    const std::string name = a ? a->target.as<lang::Access>()->tensor : r ? r->tensor : "";
    const auto info = plan.tensors.find({name, -1});
    if (info == plan.tensors.end() || !found.empty()) return;
    found = no_result(plan, name, info->second);
  });
  for (const auto& [tensor, home] : plan.homes)
    if (const lang::TensorInfo& info = plan.tensors.at(tensor); info.format.all_dense() && info.format.layout)
      found = tensor.name + " is cut, and has a layout";
  return found;
}

namespace {

/// A rank's own rows are not those of the whole dimension, so their entries are not counted ahead: what appends runs in
/// one thread.
Stmt appending_in_one_thread(const Plan& plan, const Stmt& s) {
  const Stmt same = loop::map_children(
      s, [&](const Stmt& child) { return appending_in_one_thread(plan, child); }, [](const Expr& e) { return e; });
  const auto* f = same.as<loop::For>();
  if (!f || f->execution != loop::For::Execution::parallel || !appends(plan, same)) return same;
  loop::For serial = *f;
  serial.execution = loop::For::Execution::serial;
  return Stmt({std::move(serial), same->span}, same.origin());
}

}  // namespace

Stmt loops_of_rank(const Plan& plan, const lang::Program& program, math::Solver& solver) {
  const Calls calls(plan);
  return loop::number(appending_in_one_thread(
      plan, localise(plan, plan.loops,
                     {[&](const Stmt& s) { return calls.before(s); }, [&](const Stmt& s) { return calls.behind(s); },
                      overlapped_phases(plan, program, solver), [&](const Stmt& s) { return calls.start(s); },
                      [&](const Stmt& s) { return calls.finish(s); }})));
}

lang::Program program_of_rank(const Plan& plan, const lang::Program& program) {
  lang::Program own = program;
  for (const Partition& p : plan.partitions)
    for (const std::string& end : {p.low, p.high})
      if (!own.parameter(end)) own.parameters.push_back({end, false, {}, {}});
  for (Constraint& c : part_constraints(plan.partitions)) own.assumed.push_back(std::move(c));
  return own;
}

}  // namespace trellis::distribute
