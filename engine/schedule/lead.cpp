#include "engine/schedule/lead.hpp"

#include <algorithm>
#include <utility>

#include "engine/schedule/led_nest.hpp"
#include "engine/schedule/one_piece.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::schedule {
namespace {

using loop::For;
using loop::Stmt;

Purpose purpose_of(const std::string& tensor) { return {"E0145", tensor + " cannot lead: "}; }

Unfit unfit(const std::string& tensor, const std::string& why) { return purpose_of(tensor).unfit(why); }

/// Loops over these variables alone, from the statement on.
std::optional<Chain> chain_at(const Stmt& stmt, const Variables& variables) {
  Chain chain;
  Stmt now = stmt;
  while (now && now.as<For>() && contains(variables, now.as<For>()->variable)) {
    chain.loops.push_back(now);
    chain.body = now.as<For>()->body;
    now = only_statement(chain.body);
  }
  if (chain.loops.size() != variables.size()) return std::nullopt;
  return chain;
}

/// Rewrites the places where chains of the variables' loops hold the tensor; `several` of them in a row at once.
class ChainRewriter {
 public:
  using Rebuild = std::function<std::optional<Stmt>(const std::vector<Chain>&, const loop::Context&)>;
  ChainRewriter(const std::string& tensor, const Variables& variables, std::size_t several, Rebuild rebuild)
      : tensor_(tensor), variables_(variables), several_(several), rebuild_(std::move(rebuild)) {}

  Stmt visit(const Stmt& stmt, const loop::Context& known) {
    if (!mentions(stmt, tensor_)) return stmt;
    if (const auto one = chain_at(stmt, variables_); one && several_ == 1) return made({*one}, stmt, known);
    if (const auto* block = stmt.as<loop::Block>()) return visit(stmt, *block, known);
    bool first = true;
    return loop::map_children(
        stmt, [&](const Stmt& child) { return visit(child, known.within(stmt, std::exchange(first, false))); },
        [](const loop::Expr& e) { return e; });
  }

  int found = 0;
  bool failed = false;

 private:
  Stmt visit(const Stmt& stmt, const loop::Block& block, const loop::Context& known) {
    loop::Block next;
    bool changed = false;
    for (std::size_t k = 0; k < block.statements.size(); ++k) {
      std::vector<Chain> chains;
      for (std::size_t c = 0; c < several_ && k + c < block.statements.size(); ++c)
        if (auto one = chain_at(block.statements[k + c], variables_); one && mentions(block.statements[k + c], tensor_))
          chains.push_back(std::move(*one));
      const bool here = several_ > 1 && chains.size() == several_;
      const Stmt after = here ? made(chains, block.statements[k], known) : visit(block.statements[k], known);
      changed |= here || !after.same(block.statements[k]);
      const auto* several = after.as<loop::Block>();
      if (several && !after.same(block.statements[k]))
        next.statements.insert(next.statements.end(), several->statements.begin(), several->statements.end());
      else next.statements.push_back(after);
      if (here) k += several_ - 1;
    }
    return changed ? Stmt(loop::StmtNode{std::move(next), stmt->span}, stmt.origin(), stmt.id()) : stmt;
  }

  Stmt made(const std::vector<Chain>& chains, const Stmt& before, const loop::Context& known) {
    ++found;
    auto after = rebuild_(chains, known);
    failed |= !after;
    return after.value_or(before);
  }

  const std::string& tensor_;
  const Variables& variables_;
  const std::size_t several_;
  const Rebuild rebuild_;
};

}  // namespace

Transformed one_for_each_branch(const Stmt& loops, const lang::TensorInfo& tensor, math::Solver& solver) {
  auto variables = variables_of(loops, tensor.name, purpose_of(tensor.name));
  if (const auto* wrong = std::get_if<Unfit>(&variables)) return *wrong;
  const Variables& names = std::get<Variables>(variables);
  const Transformed whole = in_one_piece(loops, tensor.name, names, purpose_of(tensor.name), solver);
  const auto* moved = std::get_if<Moved>(&whole);
  if (!moved) return whole;
  const LedNest leading(tensor, names, bound_names(loops));
  if (leading.branches() == 1) return whole;
  ChainRewriter rewriter(tensor.name, names, 1, [&](const std::vector<Chain>& chains, const loop::Context&) {
    std::vector<Stmt> all;
    for (std::size_t b = 0; b < leading.branches(); ++b) all.push_back(leading.under(chains.front(), b));
    return loop::block(std::move(all), chains.front().body.origin());
  });
  Stmt result = rewriter.visit(moved->loops, loop::Context(solver));
  if (rewriter.found != 1) return unfit(tensor.name, "its loops hold more than one another");
  return Moved{std::move(result), moved->moves};
}

Transformed lead(const Stmt& loops, const lang::TensorInfo& tensor, math::Solver& solver) {
  auto variables = variables_of(loops, tensor.name, purpose_of(tensor.name));
  if (const auto* wrong = std::get_if<Unfit>(&variables)) return *wrong;
  const Variables& names = std::get<Variables>(variables);
  LedNest leading(tensor, names, bound_names(loops));
  Moves moves;
  ChainRewriter rewriter(
      tensor.name, names, leading.branches(),
      [&](const std::vector<Chain>& chains, const loop::Context& known) { return leading.nest(chains, known, moves); });
  Stmt result = rewriter.visit(loops, loop::Context(solver));
  if (rewriter.found != 1) return unfit(tensor.name, "its loops hold more than one another");
  if (rewriter.failed)
    return unfit(tensor.name, "a loop over its indices has bounds that are only known while it runs");
  return Moved{std::move(result), std::move(moves)};
}

}  // namespace trellis::schedule
