#include "engine/session/stages/lattices.hpp"

#include <algorithm>

#include "engine/coiterate/print_access.hpp"
#include "engine/session/running/planned.hpp"

namespace trellis::session {

namespace {

using coiterate::NumberedLattice;
using lang::syntax::Name;

std::optional<LatticesAsked> all_of(State& state, const std::optional<Name>& name, Words& words) {
  const lang::Kernel* kernel = state.kernel(name, words.whole(), words.diagnostics());
  auto compilation = kernel ? planned(state, *kernel, words.diagnostics()) : nullptr;
  if (!compilation) return std::nullopt;
  LatticesAsked asked{kernel->name, compilation, coiterate::distinct(compilation->lattices), {}};
  return asked;
}

bool all_dense(const Compilation& compilation) {
  const lang::Kernel& kernel = compilation.kernel;
  const auto dense = [&](const std::string& name) { return compilation.program.tensor(name)->format.all_dense(); };
  return std::ranges::all_of(kernel.operands(), dense) && std::ranges::all_of(kernel.results(), dense);
}

/// Instead of a lattice. `loops`: the kernel has some.
text::Text nothing_sparse(const Compilation& compilation, bool loops) {
  const std::string& kernel = compilation.kernel.name;
  const std::string why = !loops ? "it has no loop"
                          : all_dense(compilation)
                              ? "all of its tensors are dense, so each loop visits every coordinate"
                              : "`show algebra " + kernel + "` says why";
  return {"# no loop of kernel " + kernel + " walks sparse storage: " + why + "\n", {}};
}

bool reads_sparse(const NumberedLattice& one) {
  return !one.lattice->operands.empty() || !one.lattice->refusals.empty();
}

void refuse_loop(const LatticesAsked& asked, const Name& loop, Words& words) {
  std::vector<std::string> known;
  for (const NumberedLattice& one : asked.lattices)
    if (const std::string& variable = one.lattice->for_().variable; std::ranges::find(known, variable) == known.end())
      known.push_back(variable);
  std::string list;
  for (const std::string& name : known) list += " " + name;
  words.diagnostics()
      .error("E0608", loop.span, "kernel " + asked.kernel + " has no loop over `" + loop.text + "`", "")
      .notes.push_back({{}, known.empty() ? "it has no loop at all" : "the loops are:" + list});
}

}  // namespace

// Loops beside sparse tensors that they do not walk say themselves what asks for every coordinate.
text::Text algebra_text(const Compilation& compilation, const std::vector<NumberedLattice>& lattices) {
  const bool sparse = !lattices.empty() && !all_dense(compilation);
  return sparse || std::ranges::any_of(lattices, reads_sparse) ? coiterate::print_algebra(lattices)
                                                               : nothing_sparse(compilation, !lattices.empty());
}

text::Text lattice_text(const Compilation& compilation, const std::vector<NumberedLattice>& lattices) {
  const std::vector<NumberedLattice> walked = coiterate::of_loop(lattices, "");
  return walked.empty() ? nothing_sparse(compilation, !lattices.empty()) : coiterate::print_lattices(walked);
}

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

std::optional<LatticesAsked> access_of(State& state, Words& words) {
  const auto name = words.optional_name();
  auto asked = words.finish() ? all_of(state, name, words) : std::nullopt;
  if (!asked) return std::nullopt;
  const bool sparse = std::ranges::any_of(asked->lattices, reads_sparse);
  asked->text =
      sparse ? coiterate::print_access(asked->lattices) : nothing_sparse(*asked->compilation, !asked->lattices.empty());
  return asked;
}

std::optional<LatticesAsked> algebra_of(State& state, Words& words) {
  const auto name = words.optional_name();
  auto asked = words.finish() ? all_of(state, name, words) : std::nullopt;
  if (!asked) return std::nullopt;
  asked->text = algebra_text(*asked->compilation, asked->lattices);
  return asked;
}

std::optional<LatticesAsked> lattices_of(State& state, Words& words) {
  const LatticeWords names = read_lattice_words(state, words);
  return words.finish() ? lattices_of(state, names, words) : std::nullopt;
}

std::optional<LatticesAsked> lattices_of(State& state, const LatticeWords& names, Words& words) {
  auto asked = all_of(state, names.kernel, words);
  if (!asked) return std::nullopt;
  auto found = coiterate::of_loop(asked->lattices, names.loop ? names.loop->text : "");
  if (names.loop && found.empty()) {
    refuse_loop(*asked, *names.loop, words);
    return std::nullopt;
  }
  asked->text = names.loop ? coiterate::print_lattices(found) : lattice_text(*asked->compilation, asked->lattices);
  asked->lattices = std::move(found);
  return asked;
}

}  // namespace trellis::session
