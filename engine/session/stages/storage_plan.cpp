#include "engine/session/stages/storage_plan.hpp"

#include <algorithm>

namespace trellis::session {
namespace {

using coiterate::Lattice;
using Lattices = std::vector<Lattice>;

std::string named(const Lattice& lattice, Lattice::Role role, const std::string& what) {
  std::string out;
  for (const Lattice::Operand& operand : lattice.operands)
    if (operand.role == role) out += (out.empty() ? what + " " : ", ") + operand.literal.name;
  return out;
}

int depth(const Lattices& all, const Lattice& one) {
  return one.parent < 0 ? 0 : 1 + depth(all, all[static_cast<std::size_t>(one.parent)]);
}

std::string line(const Lattices& all, const Lattice& lattice) {
  std::string out;
  const std::string along = named(lattice, Lattice::Role::leads, "goes along");
  for (const std::string& part :
       {along.empty() ? "every coordinate" : along, named(lattice, Lattice::Role::follows, "takes along"),
        named(lattice, Lattice::Role::located, "looks up")})
    if (!part.empty()) out += (out.empty() ? "" : "; ") + part;
  return std::string(2 * static_cast<std::size_t>(depth(all, lattice)), ' ') + "for " + lattice.for_().variable + ": " +
         out + "\n";
}

}  // namespace

std::string storage_plan(const Compilation& compilation) {
  std::string out;
  for (const Lattice& lattice : compilation.lattices) out += line(compilation.lattices, lattice);
  for (const std::string& name : compilation.kernel.results()) {
    const auto said = [&](const results::Written& written) { return written.tensor == name; };
    if (std::ranges::none_of(compilation.written, said))
      out += name + ": " + format::to_string(compilation.program.tensor(name)->format) + ", written where it stands\n";
  }
  for (const results::Written& written : compilation.written)
    out += results::to_string(written, compilation.program) + "\n";
  for (const results::FindChoice& choice : compilation.choices)
    out += choice.tensor + ": how it is found is chosen when the kernel begins (`show find`)\n";
  return out;
}

}  // namespace trellis::session
