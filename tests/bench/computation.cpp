// What a contest needs around a peer that keeps its result, and around a program with many tensors.
#include "engine/lang/parse.hpp"
#include "engine/lang/program.hpp"
#include "tests/bench/contest.hpp"
#include "tests/bench/measure.hpp"
#include "tests/bench/sparse_bench.hpp"

namespace trellis::bench {

std::optional<Measured> measured(const std::optional<Computation>& peer, const std::string& name,
                                 const tensor::Tensor& like) {
  if (!peer) return std::nullopt;
  auto written = std::make_shared<run::Bindings>();
  auto run = [peer = *peer, name, like, written] {
    const double ms = time_once(peer.run);
    if (!only_once()) return ms;
    Stored stored = peer.result();
    tensor::Coordinates entries;
    entries.shape = like.shape();
    entries.indices.assign(stored.indices.begin(), stored.indices.end());
    entries.count = stored.values.size();
    entries.reals.assign(stored.values.begin(), stored.values.end());
    written->arrays[name] = packed(entries, like.format(), like.fill());
    return ms;
  };
  return Measured(std::move(run), written);
}

run::Bindings with_tensors(const std::string& program, run::Bindings data) {
  text::Sources texts;
  text::Diagnostics diagnostics;
  const auto file = lang::parse(texts, texts.add("bench", program), diagnostics);
  const auto resolved = lang::resolve(file, diagnostics);
  if (!resolved) return data;
  for (const lang::TensorInfo& info : resolved->tensors) {
    if (data.arrays.contains(info.name)) continue;
    tensor::Index shape;
    for (const math::Affine& size : info.shape)
      shape.push_back(*size.evaluate([&](const std::string& of) -> std::optional<std::int64_t> {
        const auto known = data.sizes.find(of);
        return known == data.sizes.end() ? std::nullopt : std::optional(known->second);
      }));
    data.arrays[info.name] = *tensor::Tensor::create(info.type, shape, info.format, info.fill);
  }
  return data;
}

}  // namespace trellis::bench
