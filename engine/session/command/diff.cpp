// diff.
#include <algorithm>

#include "engine/explore/diff.hpp"
#include "engine/lang/parse.hpp"
#include "engine/loop/print.hpp"
#include "engine/session/command/commands.hpp"
#include "engine/session/running/estimates.hpp"
#include "engine/session/running/trial.hpp"

namespace trellis::session {
namespace {

using lang::syntax::Word;

/// One side: a name to print, and the session as it would be.
struct Side {
  std::string name;
  State state;
};

// A snapshot's name, or in quotes an order or schedule commands for the kernel that is compared.
std::optional<Side> read_side(State& state, const std::string& kernel, Words& words) {
  const Word word = *words.peek();
  if (word.kind != Word::Kind::string) {
    const auto name = words.name("a snapshot, or an order in quotes");
    const Content* content = name ? find_snapshot(state, *name, words.diagnostics()) : nullptr;
    if (!content) return std::nullopt;
    Side side{name->text, state};
    side.state.restore(*content);
    return side;
  }
  words.string("an order in quotes");
  const std::string commands = lang::parse_order(word.text) ? "order " + word.text : word.text;
  return Side{word.text, with_commands(state, kernel, commands, words.diagnostics())};
}

struct Seen {
  std::string text;
  double cycles = 0;
};

// Every kernel of it, or the one that was asked for, at the stage that is compared. Empty is reported.
std::optional<Seen> look(Side& side, const std::string& stage, const std::optional<lang::syntax::Name>& only,
                         Words& words) {
  text::Diagnostics& diagnostics = words.diagnostics();
  const lang::Program* program = side.state.program(diagnostics);
  if (!program) return std::nullopt;
  Seen seen;
  for (const lang::Kernel& kernel : program->kernels) {
    if (only && kernel.name != only->text) continue;
    const auto compilation = side.state.compilation(kernel, diagnostics);
    if (!compilation) return std::nullopt;
    if (program->kernels.size() > 1) seen.text += "kernel " + kernel.name + "\n";
    const std::string text =
        stage == "c" ? compilation->module.shown.characters : loop::print(compilation->loops).characters;
    seen.text += text + (text.empty() || text.back() == '\n' ? "" : "\n");
    seen.cycles += estimated_cycles(side.state, *compilation);
  }
  return seen;
}

}  // namespace

CommandResult diff(State& state, Words& words) {
  if (words.at_end()) {
    words.unexpected("a snapshot, or an order in quotes");
    return {};
  }
  text::Diagnostics ignored;
  const lang::Kernel* main = state.kernel(std::nullopt, words.whole(), ignored);
  std::string target = main ? main->name : "";
  std::optional<lang::syntax::Name> only;
  std::vector<Side> sides;
  std::string stage = "loops";
  while (!words.at_end()) {
    if (words.accept("loops") || words.accept("c")) stage = words.previous();
    else if (words.accept("kernel")) {
      only = words.name("a kernel");
      if (!only || !state.kernel(only, words.whole(), words.diagnostics())) return {};
      target = only->text;
    } else if (sides.size() < 2) {
      auto side = read_side(state, target, words);
      if (!side) return {};
      sides.push_back(std::move(*side));
    } else {
      words.unexpected("`loops` or `c`", {"loops", "c"});
      return {};
    }
  }
  if (sides.empty()) {
    words.unexpected("a snapshot, or an order in quotes");
    return {};
  }
  if (sides.size() == 1) sides.push_back({"now", state});
  std::vector<Seen> seen;
  for (Side& side : sides) {
    auto one = look(side, stage, only, words);
    if (!one) return {};
    seen.push_back(std::move(*one));
  }
  return {Differed{stage,
                   {sides[0].name, seen[0].cycles},
                   {sides[1].name, seen[1].cycles},
                   explore::unified_diff(seen[0].text, seen[1].text)}};
}

}  // namespace trellis::session
