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

}  // namespace

std::vector<std::string> reassociated_sums(const Compilation& c) {
  if (!c.analysis || !c.placed) return {};
  std::map<int, std::string> sums;  // by fragment, each with the first reason
  for (const place::Reassociated& one : c.placed->certificate.reassociated) sums.emplace(one.fragment, one.words);
  const auto add = [&](const loop::Stmt& loops, const std::vector<int>& statements, const std::string& how) {
    const std::vector<int> placed = origins_of(loops, statements, Stage::placement);
    for (const int id : origins_of(c.placed->nest, placed, Stage::fragments)) {
      const place::Fragment& f = c.analysis->fragments.fragments[static_cast<std::size_t>(id)];
      if (f.op && !f.reduced.empty()) sums.emplace(id, place::reassociated_in_words(c.kernel, f, how));
    }
  };
  for (const schedule::Applied& step : c.steps)
    add(step.before, step.certificate.reassociating, "by `" + lang::to_string(step.step) + "`");
  for (const flow::Reassociated& one : c.flow.reassociated) {
    std::vector<int> statements;
    append(one.origin, Stage::loops, statements);
    add(c.loops, statements, one.how);
  }
  std::vector<std::string> words;
  for (auto& [fragment, sentence] : sums) words.push_back(std::move(sentence));
  return words;
}

}  // namespace trellis::explore
