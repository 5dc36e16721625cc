// Packing: coordinates in random order into formats, and from one format to another.
#include <malloc.h>
#include <sys/resource.h>

#include <cstdio>
#include <fstream>
#include <random>

#include "engine/tensor/convert.hpp"
#include "engine/tensor/pack.hpp"
#include "engine/tensor/verify.hpp"
#include "tests/bench/bench.hpp"
#include "tests/bench/measure.hpp"

namespace trellis::bench {
namespace {

using tensor::Tensor;

/// Of entries.
std::size_t count() { return static_cast<std::size_t>(sized(10'000'000, 10'000)); }

struct Triplets {
  std::vector<std::vector<std::int32_t>> columns;
  std::vector<double> values;
  tensor::Index shape;

  Triplets(std::vector<std::int32_t> sizes, std::uint64_t seed)
      : columns(sizes.size()), shape(sizes.begin(), sizes.end()) {
    std::mt19937_64 random(seed);
    for (std::size_t d = 0; d < sizes.size(); ++d)
      for (std::size_t e = 0; e < count(); ++e)
        columns[d].push_back(static_cast<std::int32_t>(random() % static_cast<std::uint64_t>(sizes[d])));
    for (std::size_t e = 0; e < count(); ++e) values.push_back(static_cast<double>(random() % 1000));
  }

  tensor::Entries entries() const {
    tensor::Entries all;
    all.count = count();
    for (const auto& column : columns) all.indices.emplace_back(std::span<const std::int32_t>(column));
    all.values = values.data();
    return all;
  }

  std::optional<Tensor> pack(const format::Format& format) const {
    tensor::PackFailure failure;
    return tensor::pack(format::ScalarType::f64, shape, format, format::Value::of(format::ScalarType::f64, 0),
                        entries(), failure);
  }
};

/// Bytes in memory at most since the last call, and now. Linux.
std::size_t status_bytes(const char* field) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(field)) return std::stoull(line.substr(line.find(':') + 1)) * 1024;
  return 0;
}
void forget_peak() { std::ofstream("/proc/self/clear_refs") << "5"; }

/// Packing gives arrays that are sound.
void check(Table& table, const std::string& name, const std::optional<Tensor>& packed) {
  if (!packed || !verify(*packed).empty()) table.broken.push_back(name);
}

Row timed(Table& table, const std::string& name, const std::function<std::optional<Tensor>()>& make, double target) {
  malloc_trim(0);
  forget_peak();
  const std::size_t before = status_bytes("VmRSS");
  std::size_t result = 0;
  {
    const auto tensor = make();
    if (only_once()) check(table, name, tensor);
    if (tensor) result = tensor->bytes();
  }
  const std::size_t peak = status_bytes("VmHWM");
  const double beyond = static_cast<double>(peak) - static_cast<double>(before) - static_cast<double>(result);
  const Summary summary = time_repeated(3, [&] { (void)make(); });
  char text[96];
  std::snprintf(text, sizeof text, "%s, %.0f MB + %.0f", name.c_str(), static_cast<double>(result) / 1e6,
                std::max(0.0, beyond) / 1e6);
  return {text, summary.median, summary.deviation, "", 0, target};
}

}  // namespace

Table bench_pack(const Options&) {
  using format::Format;
  Table table{"pack",
              std::to_string(count()) +
                  " entries of f64; the result's size, and what was needed beside it and the input at most",
              {}};
  {
    const Triplets matrix({1'000'000, 1'000'000}, 1);
    for (const char* name : {"csr", "csc", "coo", "dcsr"})
      table.rows.push_back(timed(
          table, std::string("shuffled to ") + name, [&] { return matrix.pack(*Format::named(name, 2)); },
          std::string(name) == "csr" ? 2000 : 0));
    const auto csr = matrix.pack(*Format::named("csr", 2));
    for (const char* name : {"csc", "coo"})
      table.rows.push_back(timed(
          table, std::string("csr to ") + name, [&] { return with_format(*csr, *Format::named(name, 2)); }, 0));
  }
  const Triplets rows({1'000, 1'000'000'000}, 2);
  table.rows.push_back(timed(
      table, "shuffled to csr, 1000 rows", [&] { return rows.pack(*Format::named("csr", 2)); }, 2000));
  const Triplets cube({10'000, 10'000, 10'000}, 3);
  table.rows.push_back(timed(
      table, "shuffled to csf, rank 3", [&] { return cube.pack(*Format::named("csf", 3)); }, 0));
  return table;
}

}  // namespace trellis::bench
