#include "engine/explore/reassociated.hpp"

#include <map>

#include "engine/text/sequence.hpp"

namespace trellis::explore {
namespace {

using text::Stage;

void append(const text::Origin& origin, Stage stage, std::vector<int>& into) {
  for (const text::NodeId& node : origin)
    if (node.stage == stage) add_once(into, node.id);
}

/// The nodes of a stage that the statements with these numbers come from.
std::vector<int> origins_of(const loop::Stmt& loops, const std::vector<int>& statements, Stage stage) {
  std::vector<int> found;
  loop::for_each(loops, [&](const loop::Stmt& s) {
    if (contains(statements, s.id())) append(s.origin(), stage, found);
  });
  return found;
}

/// By fragment, each with the first reason.
using Sums = std::map<int, std::string>;

/// Of equations: the sums that the statements with these numbers come from.
void add(const Compilation& c, const loop::Stmt& loops, const std::vector<int>& statements, const std::string& how,
         Sums& sums) {
  const std::vector<int> placed = origins_of(loops, statements, Stage::placement);
  for (const int id : origins_of(c.placed->nest, placed, Stage::fragments)) {
    const place::Fragment& f = c.analysis->fragments.fragments[static_cast<std::size_t>(id)];
    if (f.op && !f.reduced.empty()) sums.emplace(id, place::reassociated_in_words(c.kernel, f, how));
  }
}

std::vector<std::string> in_words(Sums sums) {
  std::vector<std::string> words;
  for (auto& [fragment, sentence] : sums) words.push_back(std::move(sentence));
  return words;
}

/// Which add to one of these tensors.
std::vector<int> updates_of(const loop::Stmt& loops, const std::vector<std::string>& tensors) {
  std::vector<int> found;
  loop::for_each(loops, [&](const loop::Stmt& s) {
    const auto* a = s.as<loop::Assign>();
    if (a && a->op && contains(tensors, a->target.as<lang::Access>()->tensor)) found.push_back(s.id());
  });
  return found;
}

}  // namespace

std::vector<std::string> reassociated_sums(const Compilation& c) {
  if (!c.analysis || !c.placed) return {};
  Sums sums;
  for (const place::Reassociated& one : c.placed->certificate.reassociated) sums.emplace(one.fragment, one.words);
  for (const schedule::Applied& step : c.steps)
    add(c, step.before, step.certificate.reassociating, "by `" + lang::to_string(step.step) + "`", sums);
  for (const flow::Reassociated& one : c.flow.reassociated) {
    std::vector<int> statements;
    append(one.origin, Stage::loops, statements);
    add(c, c.loops, statements, one.how, sums);
  }
  return in_words(std::move(sums));
}

std::vector<std::string> reassociated_by_parts(const Compilation& c) {
  Sums sums;
  std::vector<std::string> of_loops;
  for (const distribute::Renumbered& r : c.distributed->renumbered) {
    const std::string how = "with rows numbered by parts of " + r.by;
    if (c.analysis && c.placed) add(c, c.distributed->loops, updates_of(c.distributed->loops, r.sums), how, sums);
    else
      for (const std::string& sum : r.sums)
        of_loops.push_back("what goes to " + sum + " is added up in another order, " + how + ": reassociated");
  }
  for (std::string& words : in_words(std::move(sums))) of_loops.push_back(std::move(words));
  return of_loops;
}

}  // namespace trellis::explore
