#include "engine/distribute/pipeline.hpp"

#include <algorithm>

#include "engine/schedule/apply.hpp"
#include "engine/schedule/nests.hpp"
#include "engine/schedule/wording.hpp"
#include "engine/text/sequence.hpp"
#include "engine/text/unseen.hpp"

namespace trellis::distribute {
namespace {

using lang::ScheduleStep;
using loop::For;
using loop::Stmt;

std::string fresh(std::string wanted, const Stmt& loops, const lang::Program& program) {
  const std::vector<std::string> bound = schedule::bound_names(loops);
  const auto taken = [&](const std::string& name) {
    return contains(bound, name) || program.tensor(name) || program.parameter(name);
  };
  while (taken(wanted)) wanted += "_";
  return wanted;
}

/// The variables of the loops from this one down to the one over `variable`, inclusive; empty where it holds none.
std::vector<std::string> loops_down_to(const Stmt& stmt, const std::string& variable) {
  const auto* f = stmt.as<For>();
  if (f && f->variable == variable) return {variable};
  std::vector<std::string> found;
  loop::for_each_child(
      stmt,
      [&](const Stmt& child) {
        if (found.empty()) found = loops_down_to(child, variable);
      },
      [](const loop::Expr&) {});
  if (f && !found.empty()) found.insert(found.begin(), f->variable);
  return found;
}

/// With another name for the nest's loops over a variable.
Stmt renamed(const Stmt& stmt, int nest, const std::string& from, const std::string& to,
             const std::vector<std::string>& names, bool inside = false) {
  inside |= stmt.id() == nest;
  const auto walk = [&](const Stmt& child) { return renamed(child, nest, from, to, names, inside); };
  const auto* f = stmt.as<For>();
  if (!inside || !f || f->variable != from)
    return loop::map_children(stmt, walk, [](const loop::Expr& e) { return e; });
  schedule::Moves moves;
  For other = *f;
  other.variable = to;
  other.body = schedule::replace(f->body, from, math::Affine::name(to), names, moves);
  return schedule::rebuilt(std::move(other), stmt);
}

ScheduleStep step(ScheduleStep::Kind kind, std::vector<std::string> loops, const lang::Schedule::Pipeline& asked) {
  ScheduleStep made{kind, std::move(loops), {}, {}, asked.span, {}};
  made.loop_spans.resize(made.loops.size(), asked.loop_span);
  return made;
}

/// The violation with the loop's own name.
schedule::Violation named(schedule::Violation violation, const std::string& from, const std::string& to) {
  for (math::Assignment* point : {&violation.source, &violation.sink})
    for (auto& [name, number] : *point)
      if (name == from) name = to;
  for (schedule::Touch* touch : {&violation.dependence.first, &violation.dependence.second})
    for (auto& index : touch->index)
      if (index) index = index->substitute({{from, math::Affine::name(to)}});
  return violation;
}

text::Diagnostic refused(const lang::Schedule::Pipeline& asked, const std::string& why) {
  return schedule::error("E0154", asked.span, "`" + lang::to_string(asked) + "` " + why);
}

}  // namespace

std::variant<InBlocks, text::Diagnostic> in_blocks(const Stmt& loops, int nest, const lang::Schedule::Pipeline& asked,
                                                   const lang::Program& program, math::Solver& solver) {
  const text::Unseen unseen;
  Stmt at;
  loop::for_each(loops, [&](const Stmt& s) {
    if (s.id() == nest) at = s;
  });
  std::vector<std::string> chain = loops_down_to(at, asked.loop);
  if (chain.size() < 2) return refused(asked, "cannot be: what waits for other ranks holds no loop over " + asked.loop);
  const std::string own = fresh(asked.loop + "_p", loops, program);
  const std::string outer = fresh(asked.loop + "_o", loops, program), inner = fresh(asked.loop + "_i", loops, program);
  std::vector<std::string> names = schedule::bound_names(loops);
  names.insert(names.end(), {own, outer, inner});
  const Stmt alone = loop::number(renamed(loops, nest, asked.loop, own, names));

  chain.back() = own;
  lang::Order swapped{{own, false}};
  for (std::size_t k = 0; k + 1 < chain.size(); ++k) swapped.push_back({chain[k], false});
  ScheduleStep split = step(ScheduleStep::Kind::split, {own}, asked);
  split.into = {outer, inner};
  split.factors = {asked.block};
  const auto taken = schedule::take(alone, split, program, solver);
  if (const auto* problem = std::get_if<text::Diagnostic>(&taken)) {
    text::Diagnostic d = refused(asked, "cannot be: " + problem->message);
    d.notes = problem->notes;
    return d;
  }
  ScheduleStep reorder = step(ScheduleStep::Kind::reorder, {outer}, asked);
  reorder.loops.insert(reorder.loops.end(), chain.begin(), chain.end() - 1);
  reorder.loops.push_back(inner);
  reorder.loop_spans.resize(reorder.loops.size(), asked.loop_span);
  const auto moved = schedule::take(std::get<schedule::Applied>(taken).after, reorder, program, solver);
  if (const auto* done = std::get_if<schedule::Applied>(&moved)) return InBlocks{done->after, {outer, asked.block}};

  // Whole loops that change places say in fewer words why blocks of them do not.
  const auto whole = schedule::try_order(alone, schedule::analyse(alone, program, solver), swapped, program, solver);
  const auto* why = std::get_if<schedule::Refusal>(&whole);
  if (!why || !why->violation)
    return refused(asked, "cannot be: " + (why ? why->reason : std::get<text::Diagnostic>(moved).message));
  text::Diagnostic d = refused(asked,
                               "would change the result: iterations of a block need what a later one computes, or "
                               "overwrite what a later one reads");
  const schedule::Violation violation = named(*why->violation, own, asked.loop);
  d.label = schedule::describe(violation.dependence);
  schedule::show(d, violation);
  return d;
}

void find_pipelines(Plan& plan, const std::vector<Blocks>& blocks) {
  loop::for_each(plan.loops, [&](const Stmt& s) {
    const auto* f = s.as<For>();
    const auto found = f ? std::ranges::find(blocks, f->variable, &Blocks::variable) : blocks.end();
    if (found == blocks.end()) return;
    const Stmt nest = schedule::only_statement(f->body);
    const auto deal = nest ? plan.dealt.find(nest.id()) : plan.dealt.end();
    if (deal == plan.dealt.end()) return;
    const Partition& p = plan.partitions[static_cast<std::size_t>(deal->second.partition)];
    plan.pipelines[s.id()] = {nest.id(), p.ranks, found->size, nest.as<For>()->descending};
  });
}

}  // namespace trellis::distribute
