#include "engine/coiterate/choice.hpp"

#include <algorithm>
#include <set>

#include "engine/coiterate/offers.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::coiterate {

namespace {

using format::BinaryOp;
using Ties = Choice::Ties;

void collect(const loop::Stmt& body, std::vector<loop::Stmt>& all) {
  if (const auto* b = body.as<loop::Block>())
    for (const loop::Stmt& s : b->statements) collect(s, all);
  else if (!body.as<loop::Note>()) all.push_back(body);
}

const std::string& tensor_of(const lang::Expr& target) { return target.as<lang::Access>()->tensor; }

/// What an `if` without another arm guards, when that is assignments, each of a tensor of its own.
std::vector<loop::Assign> guarded_by(const loop::If& test) {
  std::vector<loop::Assign> all;
  std::set<std::string> written;
  for (const loop::Stmt& s : statements_in(test.then)) {
    const auto* const a = s.as<loop::Assign>();
    if (!a || test.otherwise || !written.insert(tensor_of(a->target)).second) return {};
    all.push_back(*a);
  }
  return all;
}

lang::Expr none_yet(const lang::Expr& at) { return lang::binary(BinaryOp::less, at, lang::integer(0)); }

/// All ways to write that a candidate wins, where it does so if it is as good and ties go to it.
std::vector<lang::Expr> ways_to_win(const Choice& choice, const lang::Expr& candidate) {
  const lang::Expr better = lang::binary(choice.better, candidate, choice.best);
  const auto either = [](const lang::Expr& a, const lang::Expr& b) { return lang::binary(BinaryOp::logical_or, a, b); };
  switch (choice.ties) {
    case Ties::least: return {choice.wins(candidate, choice.index)};
    case Ties::first: {
      const lang::Expr as_good = lang::binary(BinaryOp::equal, candidate, choice.best);
      return {either(better, lang::binary(BinaryOp::logical_and, none_yet(choice.at), as_good))};
    }
    case Ties::any_first: return {either(better, none_yet(choice.at)), either(none_yet(choice.at), better)};
    case Ties::never: break;
  }
  const BinaryOp mirrored = choice.better == BinaryOp::less ? BinaryOp::greater : BinaryOp::less;
  return {better, lang::binary(mirrored, choice.best, candidate)};
}

/// Whether the condition is one that makes a choice of the candidate, and then how it settles ties.
bool chooses(Choice& choice, const lang::Expr& condition, const lang::Expr& candidate,
             const std::vector<loop::Assign>& guarded) {
  for (const BinaryOp better : {BinaryOp::less, BinaryOp::greater}) {
    choice.better = better;
    const auto is = [&](Ties ties) {
      choice.ties = ties;
      return contains(ways_to_win(choice, candidate), condition);
    };
    if (is(Ties::never)) return true;
    for (const loop::Assign& a : guarded) {
      if (a.op || a.target == choice.best || a.value->type != format::ScalarType::i64) continue;
      choice.at = a.target;
      choice.index = a.value;
      if (is(Ties::least) || is(Ties::first) || is(Ties::any_first)) return true;
    }
  }
  return false;
}

bool reads_any(const lang::Expr& e, const std::vector<lang::Expr>& targets) {
  bool found = false;
  for_each_read(e, [&](const Read& read) {
    found |= std::ranges::any_of(targets, [&](const lang::Expr& t) { return tensor_of(t) == tensor_of(read.access); });
  });
  return found;
}

/// What a choice goes by stays as it is while it chooses.
bool stays(const Choice& choice) {
  const auto& indices = choice.best.as<lang::Access>()->indices;
  return choice.value->type == choice.best->type && !reads_any(choice.value, choice.targets) &&
         std::ranges::none_of(indices, [&](const lang::Expr& index) { return reads_any(index, choice.targets); });
}

}  // namespace

std::vector<loop::Stmt> statements_in(const loop::Stmt& body) {
  std::vector<loop::Stmt> all;
  collect(body, all);
  return all;
}

lang::Expr Choice::wins(const lang::Expr& candidate, const lang::Expr& its_index) const {
  const lang::Expr first =
      lang::binary(BinaryOp::logical_or, none_yet(at), lang::binary(BinaryOp::less, its_index, at));
  const lang::Expr tie = lang::binary(BinaryOp::logical_and, lang::binary(BinaryOp::equal, candidate, best), first);
  return lang::binary(BinaryOp::logical_or, lang::binary(better, candidate, best), tie);
}

std::optional<Choice> choice_of(const loop::Stmt& s) {
  const auto* const let = s.as<loop::Let>();
  const std::vector<loop::Stmt> inner = let ? statements_in(let->body) : std::vector{s};
  const auto* const test = inner.size() == 1 ? inner.front().as<loop::If>() : nullptr;
  if (!test) return std::nullopt;
  const std::vector<loop::Assign> guarded = guarded_by(*test);
  for (const loop::Assign& best : guarded) {
    const auto* const named = best.value.as<lang::Variable>();
    if (best.op || (let && !(named && named->name == let->name))) continue;
    Choice choice{s, let ? let->value : best.value, best.target, BinaryOp::less, Ties::never, {}, {}, {}};
    for (const loop::Assign& a : guarded) choice.targets.push_back(a.target);
    if (stays(choice) && chooses(choice, test->condition, best.value, guarded)) return choice;
  }
  return std::nullopt;
}

loop::Stmt pass(const std::string& variable, const Passing& passing, const loop::Stmt& from) {
  const auto made = [&](auto node) {
    return loop::Stmt(loop::StmtNode{std::move(node), from->span}, from.origin(), from.id());
  };
  const lang::Expr there = lang::binary(BinaryOp::equal, lang::variable(variable), passing.gap);
  const loop::Stmt next = made(loop::Assign{passing.counter, format::ReduceOp::sum, lang::integer(1)});
  return made(loop::If{there, loop::block({next}), {}});
}

std::optional<Passing> passing_of(const loop::Stmt& s, const std::string& variable) {
  const auto* const test = s.as<loop::If>();
  const std::vector<loop::Assign> guarded = test ? guarded_by(*test) : std::vector<loop::Assign>{};
  if (guarded.size() != 1) return std::nullopt;
  const loop::Assign& next = guarded.front();
  const auto* const there = test->condition.as<lang::Binary>();
  const bool counts = next.op == format::ReduceOp::sum && next.value == lang::integer(1);
  if (!counts || !there || there->op != BinaryOp::equal || !(there->left == lang::variable(variable)))
    return std::nullopt;
  const auto* const shifted = there->right.as<lang::Binary>();
  const bool moved = shifted && shifted->op == BinaryOp::add && shifted->right == next.target &&
                     !reads_any(shifted->left, {next.target});
  return moved || there->right == next.target ? std::optional(Passing{next.target, there->right}) : std::nullopt;
}

}  // namespace trellis::coiterate
