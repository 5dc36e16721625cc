#include "engine/session/running/renumbered.hpp"

#include <algorithm>

#include "engine/distribute/renumber.hpp"
#include "engine/explore/reassociated.hpp"

namespace trellis::session {
namespace {

using Tensors = std::map<std::string, tensor::Tensor>;

/// False where memory is refused.
bool renumber(const Compilation& compilation, const distribute::Cuts& cuts, distribute::Into into, Tensors& tensors) {
  return std::ranges::all_of(tensors, [&](auto& entry) {
    const lang::TensorInfo* info = compilation.program.tensor(entry.first);
    if (!info || entry.second.reserved()) return true;
    auto made = distribute::renumbered(*compilation.distributed, cuts, *info, entry.second, into);
    if (made) entry.second = std::move(*made);
    return made.has_value();
  });
}

void report_no_memory(const Compilation& compilation, text::Span at, text::Diagnostics& diagnostics, Exit& exit) {
  diagnostics.error("E0503", at,
                    "there is no memory to number rows of the tensors of kernel " + compilation.kernel.name + " anew",
                    "");
  exit = Exit::kernel_failed;
}

bool has_numbers(const distribute::Cuts& cuts) {
  return std::ranges::any_of(cuts.numberings, [](const auto& numbering) { return numbering != nullptr; });
}

}  // namespace

std::optional<Prepared> in_numbers_of_ranks(const Prepared& prepared, const distribute::Cuts& cuts, text::Span at,
                                            text::Diagnostics& diagnostics, Exit& exit) {
  if (!has_numbers(cuts)) return prepared;
  const Compilation& compilation = *prepared.compilation;
  Prepared made = prepared;
  const auto into = distribute::Into::ranks;
  const std::vector<std::string> results = compilation.kernel.results();
  for (const std::string& name : results)  // which begin anew from what there was
    if (const auto array = made.bindings.arrays.find(name); array != made.bindings.arrays.end())
      array->second = made.before.tensors.at(name);
  if (renumber(compilation, cuts, into, made.before.tensors) && renumber(compilation, cuts, into, made.masks) &&
      renumber(compilation, cuts, into, made.bindings.arrays) && made.renew())
    return made;
  report_no_memory(compilation, at, diagnostics, exit);
  return std::nullopt;
}

bool take_results_back(const Prepared& ran, const distribute::Cuts& cuts, Prepared& prepared, text::Span at,
                       text::Diagnostics& diagnostics, Exit& exit) {
  if (has_numbers(cuts)) prepared.in_other_orders = explore::reassociated_by_parts(*prepared.compilation);
  Tensors results;
  for (const std::string& name : prepared.compilation->kernel.results())
    if (const auto array = ran.bindings.arrays.find(name); array != ran.bindings.arrays.end()) results.insert(*array);
  if (!renumber(*prepared.compilation, cuts, distribute::Into::user, results)) {
    report_no_memory(*prepared.compilation, at, diagnostics, exit);
    return false;
  }
  for (auto& [name, tensor] : results) prepared.bindings.arrays.insert_or_assign(name, std::move(tensor));
  return true;
}

}  // namespace trellis::session
