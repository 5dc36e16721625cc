#include "engine/session/lattices.hpp"

#include <algorithm>

namespace trellis::session {

namespace {

using coiterate::NumberedLattice;
using lang::syntax::Name;

std::optional<LatticesAsked> all_of(State& state, const std::optional<Name>& name, Words& words) {
  const lang::Kernel* kernel = state.kernel(name, words.whole(), words.diagnostics());
  auto compilation = kernel ? state.compilation(*kernel, words.diagnostics()) : nullptr;
  if (!compilation) return std::nullopt;
  LatticesAsked asked{kernel->name, compilation, coiterate::distinct(compilation->lattices), {}};
  return asked;
}

bool all_dense(const LatticesAsked& asked) {
  const lang::Kernel& kernel = asked.compilation->kernel;
  const auto dense = [&](const std::string& name) { return asked.compilation->program.tensor(name)->format.all_dense(); };
  return std::ranges::all_of(kernel.operands(), dense) && std::ranges::all_of(kernel.results(), dense);
}

/// Instead of a lattice. `loops`: the kernel has some.
std::string nothing_sparse(const LatticesAsked& asked, bool loops) {
  const std::string why = !loops ? "it has no loop"
                          : all_dense(asked) ? "all of its tensors are dense, so each loop visits every coordinate"
                                             : "`show algebra " + asked.kernel + "` says why";
  return "# no loop of kernel " + asked.kernel + " walks sparse storage: " + why + "\n";
}

bool reads_sparse(const NumberedLattice& one) { return !one.lattice->operands.empty() || !one.lattice->refusals.empty(); }

void refuse_loop(const LatticesAsked& asked, const Name& loop, Words& words) {
  std::vector<std::string> known;
  for (const NumberedLattice& one : asked.lattices)
    if (const std::string& variable = one.lattice->for_().variable; std::ranges::find(known, variable) == known.end()) known.push_back(variable);
  std::string list;
  for (const std::string& name : known) list += " " + name;
  words.diagnostics().error("E0608", loop.span, "kernel " + asked.kernel + " has no loop over `" + loop.text + "`", "")
      .notes.push_back({{}, known.empty() ? "it has no loop at all" : "the loops are:" + list});
}

}  // namespace

LatticeWords read_lattice_words(State& state, Words& words) {
  LatticeWords names{words.optional_name(), {}};
  if (!names.loop) return names;
  const lang::Program* program = state.program(words.diagnostics());
  const auto is_kernel = [&](const Name& name) { return program && program->kernel(name.text); };
  names.kernel = words.optional_name();
  if (!names.kernel && is_kernel(*names.loop)) std::swap(names.loop, names.kernel);
  else if (names.kernel && !is_kernel(*names.kernel) && is_kernel(*names.loop)) std::swap(names.loop, names.kernel);
  return names;
}

std::optional<LatticesAsked> algebra_of(State& state, Words& words) {
  const auto name = words.optional_name();
  auto asked = words.finish() ? all_of(state, name, words) : std::nullopt;
  if (!asked) return std::nullopt;
  // Loops beside sparse tensors that they do not walk say themselves what asks for every coordinate.
  const bool sparse = !asked->lattices.empty() && !all_dense(*asked);
  if (sparse || std::ranges::any_of(asked->lattices, reads_sparse))
    asked->text = coiterate::print_algebra(asked->lattices);
  else asked->text.characters = nothing_sparse(*asked, !asked->lattices.empty());
  return asked;
}

std::optional<LatticesAsked> lattices_of(State& state, Words& words) {
  const LatticeWords names = read_lattice_words(state, words);
  return words.finish() ? lattices_of(state, names, words) : std::nullopt;
}

std::optional<LatticesAsked> lattices_of(State& state, const LatticeWords& names, Words& words) {
  auto asked = all_of(state, names.kernel, words);
  if (!asked) return std::nullopt;
  const bool loops = !asked->lattices.empty();
  auto found = coiterate::of_loop(asked->lattices, names.loop ? names.loop->text : "");
  if (names.loop && found.empty()) {
    refuse_loop(*asked, *names.loop, words);
    return std::nullopt;
  }
  asked->lattices = std::move(found);
  if (asked->lattices.empty()) asked->text.characters = nothing_sparse(*asked, loops);
  else asked->text = coiterate::print_lattices(asked->lattices);
  return asked;
}

}  // namespace trellis::session
