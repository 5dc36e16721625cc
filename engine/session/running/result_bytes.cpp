#include "engine/session/running/result_bytes.hpp"

#include <algorithm>
#include <cmath>

#include "engine/format/storage_order.hpp"
#include "engine/lazy/notation.hpp"
#include "engine/lazy/structure.hpp"
#include "engine/session/running/kernel_queries.hpp"
#include "engine/tensor/allocate.hpp"

namespace trellis::session {
namespace {

struct Expected {
  double elements = 1, entries = 0;
};

/// In each level, its children and what its arrays take; a level lists no more coordinates than there are entries.
double bytes_in(const format::Format& format, const tensor::Index& shape, format::ScalarType type, double entries) {
  double bytes = 0, positions = 1;
  const tensor::Index sizes = format::level_sizes(format, shape);
  for (std::size_t level = 0; level < format.levels.size(); ++level) {
    const format::Facts facts = format::facts(format.levels[level]);
    const double width = facts.wide ? 8 : 4;
    if (facts.positions) bytes += width * (positions + 1);
    positions *= static_cast<double>(sizes[level]);
    if (!facts.dense()) positions = std::min(positions, entries);
    if (facts.coordinates) bytes += width * positions;
  }
  return bytes + positions * static_cast<double>(format::size_of(type));
}

std::optional<Expected> expected(const State& state, const lang::Program& program, const lang::TensorInfo& result,
                                 const tensor::Index& shape) {
  for (const lang::Kernel& kernel : program.kernels) {
    const auto translated = queries_of(state, program, kernel);
    const auto* queries = std::get_if<KernelQueries>(&translated);
    if (!queries || !queries->unfilled.empty()) continue;
    for (const lazy::Query& query : queries->queries) {
      if (query.name != result.name) continue;
      const auto reads = lazy::tables_of(query.expr);
      const bool known = std::ranges::all_of(reads, [&](const std::string& name) {
        return filled(state, name) && (program.tensor(name)->format.all_dense() || queries->counted.contains(name));
      });
      if (!known) return std::nullopt;
      Expected found;
      for (const std::int64_t size : shape) found.elements *= static_cast<double>(size);
      found.entries = lazy::estimate(lazy::support_of(query.expr), query.fields, queries->counted).entries;
      return found;
    }
  }
  return std::nullopt;
}

std::string in_bytes(double bytes) { return tensor::human_bytes(static_cast<std::size_t>(std::llround(bytes))); }

std::string bytes_of_either(const State& state, const lang::Program& program, const lang::TensorInfo& result) {
  tensor::Index shape;
  for (const math::Affine& size : result.shape) shape.push_back(state.value_of(size).value_or(0));
  if (shape.empty() || std::ranges::any_of(shape, [](std::int64_t size) { return size <= 0; })) return "";
  const auto found = expected(state, program, result, shape);
  if (!found || found->entries > found->elements) return "";
  const double dense = found->elements * static_cast<double>(format::size_of(result.type));
  const bool is_dense = result.format.all_dense();
  const int rank = static_cast<int>(shape.size());
  const format::Format sparse = is_dense ? lazy::sparse_format(rank) : result.format;
  const double listed = bytes_in(sparse, shape, result.type, found->entries);
  const std::string name = format::to_string(sparse);
  const std::string entries = "some " + std::to_string(std::llround(found->entries)) + " of " +
                              std::to_string(std::llround(found->elements)) + " elements are expected to be stored";
  return is_dense ? in_bytes(dense) + " dense; " + entries + " in " + name + ", " + in_bytes(listed)
                  : entries + ", " + in_bytes(listed) + " in " + name + "; dense it would be " + in_bytes(dense);
}

}  // namespace

text::Diagnostics with_bytes(const State& state, const lang::Program& program, const text::Diagnostics& diagnostics) {
  text::Diagnostics told;
  for (text::Diagnostic d : diagnostics.all()) {
    const auto meant = std::ranges::find_if(program.tensors, [&](const lang::TensorInfo& info) {
      const bool implicit = info.kind == lang::TensorInfo::Kind::implicit && info.span == d.span;
      return implicit && d.message.find(" " + info.name + "(") != std::string::npos;
    });
    if (d.code == "N0201" && !d.notes.empty() && meant != program.tensors.end())
      if (std::string bytes = bytes_of_either(state, program, *meant); !bytes.empty())
        d.notes.push_back({{}, std::move(bytes)});
    told.add(std::move(d));
  }
  return told;
}

}  // namespace trellis::session
