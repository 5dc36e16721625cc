#include "engine/place/for_all_sizes.hpp"

#include <algorithm>

#include "engine/lang/push_shapes.hpp"
#include "engine/place/definitions.hpp"
#include "engine/place/dependences.hpp"
#include "engine/place/read_kept.hpp"

namespace trellis::place {
namespace {

bool same(const Fragment& a, const Fragment& b) {
  const auto reads = [](const Read& one, const Read& other) { return one.access.tensor == other.access.tensor; };
  return a.kind == b.kind && a.name == b.name && a.op == b.op && a.write.tensor == b.write.tensor &&
         a.domain.variables == b.domain.variables && a.reduced == b.reduced &&
         a.initialised.variables == b.initialised.variables && a.reads.size() == b.reads.size() &&
         std::ranges::equal(a.reads, b.reads, reads);
}

}  // namespace

std::shared_ptr<const Analysis> for_all_sizes(const lang::Program& program, const lang::Kernel& kernel,
                                              const Analysis& with_values) {
  text::Diagnostics found;
  auto pushed = lang::push_shapes(program, kernel, found, lang::SizeValues::unused);
  if (!pushed) return nullptr;
  pushed->kernel = read_kept(program, std::move(pushed->kernel));
  Fragments fragments = fragment(program, pushed->kernel);
  if (!std::ranges::equal(fragments.fragments, with_values.fragments.fragments, same)) return nullptr;
  auto general =
      std::make_shared<Analysis>(Analysis{program, std::move(pushed->kernel), std::move(fragments), {}, nullptr});
  general->dependences = std::make_shared<Dependences>(lang::size_assumptions(program), general->fragments);
  check_overlaps(*general, found);
  return found.all().empty() ? general : nullptr;
}

}  // namespace trellis::place
