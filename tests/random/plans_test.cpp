// Plans of random programs: a kernel made of a kernel computes what the reference computes of the equations as written.
#include <doctest/doctest.h>

#include "engine/plan/copies.hpp"
#include "engine/run/backends.hpp"
#include "engine/tensor/convert.hpp"
#include "tests/random/candidates.hpp"
#include "tests/random/generate_sparse.hpp"
#include "tests/random/random_format.hpp"

namespace trellis::randomised {
namespace {

std::optional<Compilation> compiled(const plan::Copied& made) {
  text::Diagnostics said;
  Compilation compilation = compile(lang::part_for(made.program, made.kernel), made.kernel, said);
  return said.has_errors() || compilation.rejected ? std::nullopt : std::optional(std::move(compilation));
}

/// With what copies hold.
check::State laid_out(const plan::Copied& made, check::State before) {
  for (const std::string& copy : made.copies) {
    const lang::TensorInfo& info = *made.program.tensor(copy);
    const tensor::Tensor& of = before.tensors.at(info.entries_of);
    before.tensors[copy] = tensor::convert(of, info.format, tensor::ExplicitFills::kept).value();
  }
  return before;
}

Draft sparse(Dice& dice) { return generate_sparse(dice, {85, 30}); }

}  // namespace

TEST_CASE("random plans: copies of operands in the order of the loops hold what the loops would search for") {
  const int programs = wanted(60);
  int made = 0;
  for (std::uint64_t seed = first_seed(410000), attempts = 0;
       made < programs && attempts < 200 * static_cast<std::uint64_t>(programs); ++seed, ++attempts) {
    const auto c = candidate(seed, sparse);
    if (!c || !c->thrown.empty()) continue;
    lang::Kernel kernel = c->program.kernel();
    kernel.schedule.order = c->order;
    const auto copied = plan::with_copies(c->program.program, kernel, c->compilation);
    if (!copied) continue;
    const auto compilation = compiled(*copied);
    const auto code = compilation ? run::compile(compilation->module, run::Backend::jit) : run::CompileError{};
    ++made;
    const auto* runs = std::get_if<run::Kernel>(&code);
    const std::string difference = runs ? differs(c->program, c->seed,
                                                  [&](const check::State& before) {
                                                    return executed(c->program, *runs, laid_out(*copied, before));
                                                  })
                                        : "does not compile";
    CHECK_MESSAGE(difference.empty(), "seed " << seed << "\n"
                                              << c->program.source << "order " << lang::to_string(*c->order) << "\n"
                                              << difference);
  }
  CHECK(made == programs);
}

}  // namespace trellis::randomised
