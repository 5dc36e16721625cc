#include "engine/session/live/snapshot.hpp"

#include "engine/loop/print.hpp"

namespace trellis::session {

Compilation without_analysis(Compilation compilation) {
  compilation.analysis = nullptr;
  return compilation;
}

const char* name_of(Wave wave) {
  switch (wave) {
    case Wave::read: return "read";
    case Wave::compiled: return "compiled";
    case Wave::explained: return "explained";
    case Wave::drawn: return "drawn";
    case Wave::ran: return "ran";
  }
  return "";
}

CompiledView::CompiledView(const Compilation& made)
    : compilation(without_analysis(made)),
      lattices(coiterate::distinct(compilation.lattices)),
      loops(loop::print(compilation.loops)),
      lattice(coiterate::print_lattices(coiterate::of_loop(lattices, ""))),
      c(compilation.module.shown),
      c_remarks(at_lines(find_notes(compilation), c)) {
  for (const coiterate::NumberedLattice& one : lattices) finds[one.number] = find_notes(compilation, *one.lattice);
}

const KernelView* Snapshot::kernel(const std::string& name) const {
  for (const KernelView& one : kernels)
    if (one.name == name) return &one;
  return nullptr;
}

}  // namespace trellis::session
