// Products of a matrix and a vector in the format that fits the matrix, beside csr or csc and beside the same loops by
// hand. By rows, each addition waits for the one before in either format; by columns a block is a loop that runs in
// vectors.
#include "tests/bench/structures_bench.hpp"

#include <random>

#include "tests/bench/sparse_bench.hpp"

namespace trellis::bench {
namespace {

using format::ScalarType;

const format::Value outside = format::Value::of(ScalarType::f64, 0);

struct Structure {
  std::string format, plain;  ///< "{dense, vbl}" beside "csr"
  std::string order;          ///< "i j": by rows; of ours, steps may follow
  std::string hand;           ///< C by hand
  std::string steps = "";     ///< of our schedule
};

const std::string vectors_in_c = "const double *restrict x, double *restrict y) {\n";
const std::string block_head =
    "static void hand(long n, const int *restrict pos, const int *restrict last, const int *restrict ofs,\n"
    "                 const double *restrict A, " +
    vectors_in_c;
const std::string band_head =
    "static void hand(long n, const int *restrict last, const int *restrict ofs,\n"
    "                 const double *restrict A, " +
    vectors_in_c;

const Structure blocks_by_rows{"{dense, vbl}", "csr", "i j",
                               block_head +
                                   "  for (long i = 0; i < n; i++) {\n"
                                   "    double sum = 0;\n"
                                   "    for (int b = pos[i]; b < pos[i + 1]; b++) {\n"
                                   "      const int length = ofs[b + 1] - ofs[b];\n"
                                   "      const double *a = A + ofs[b], *v = x + last[b] + 1 - length;\n"
                                   "      for (int k = 0; k < length; k++) sum += a[k] * v[k];\n"
                                   "    }\n"
                                   "    y[i] = sum;\n  }\n}\n"};

const Structure blocks_by_columns{"{dense, vbl} @ (1, 0)", "csc", "j i",
                                  block_head +
                                      "  for (long i = 0; i < n; i++) y[i] = 0;\n"
                                      "  for (long j = 0; j < n; j++)\n"
                                      "    for (int b = pos[j]; b < pos[j + 1]; b++) {\n"
                                      "      const int length = ofs[b + 1] - ofs[b];\n"
                                      "      const double *a = A + ofs[b];\n"
                                      "      double *restrict w = y + last[b] + 1 - length;\n"
                                      "      for (int k = 0; k < length; k++) w[k] += a[k] * x[j];\n"
                                      "    }\n}\n"};

const Structure band_by_rows{"{dense, band}", "csr", "i j",
                             band_head +
                                 "  for (long i = 0; i < n; i++) {\n"
                                 "    const int length = ofs[i + 1] - ofs[i];\n"
                                 "    const double *a = A + ofs[i], *v = x + last[i] + 1 - length;\n"
                                 "    double sum = 0;\n"
                                 "    for (int k = 0; k < length; k++) sum += a[k] * v[k];\n"
                                 "    y[i] = sum;\n  }\n}\n"};

const Structure band_by_columns{"{dense, band} @ (1, 0)", "csc", "j i",
                                band_head +
                                    "  for (long i = 0; i < n; i++) y[i] = 0;\n"
                                    "  for (long j = 0; j < n; j++) {\n"
                                    "    const int length = ofs[j + 1] - ofs[j];\n"
                                    "    const double *a = A + ofs[j];\n"
                                    "    double *restrict w = y + last[j] + 1 - length;\n"
                                    "    for (int k = 0; k < length; k++) w[k] += a[k] * x[j];\n"
                                    "  }\n}\n"};

std::string product(const std::string& format, const std::string& entry, const std::string& order) {
  return "tensor A(n, n): " + format + "\ntensor x(n)\ntensor y(n)\n" + "y(i) = sum(j)(" + entry + " * x(j))\norder " +
         order + "\n";
}

run::Bindings vectors(std::int64_t n) {
  run::Bindings data;
  data.sizes = {{"n", n}};
  data.arrays = {{"x", random_vector(n, 3)}, {"y", random_vector(n, 4)}};
  return data;
}

/// The same by rows, where a block is added up in eight parts.
Structure with_parts(Structure s) {
  const std::string loop = "for (int k = 0; k < length; k++) sum += a[k] * v[k];";
  s.hand.replace(s.hand.find(loop), loop.size(),
                 "double part[8] = {0};\n      long k = 0;\n"
                 "      for (; k + 8 <= length; k += 8) for (int l = 0; l < 8; l++) part[l] += a[k + l] * v[k + l];\n"
                 "      for (int l = 0; k < length; k++, l++) part[l] += a[k] * v[k];\n"
                 "      for (int l = 0; l < 4; l++) part[l] += part[l + 4];\n"
                 "      sum += (part[0] + part[2]) + (part[1] + part[3]);");
  s.steps = "vectorize j 8\n";
  return s;
}

/// The program's kernel, beside the plain one over the plain matrix, and beside C that takes the same arguments.
void beside(Rows& rows, const std::string& name, const std::string& program, const run::Bindings& data,
            const std::string& hand, const Entrant& plain, double aim) {
  const auto module = module_of(program);
  if (!module) return rows.push_back(std::nullopt);
  const Entrant ours{"", native(module, data)};
  rows.push_back(contest(name, ours, plain, 15, aim));
  rows.push_back(contest(name, ours, {"by hand", native(by_hand(hand, "hand", module->arguments), data)}, 15, 0.95));
}

Entrant plain_product(const std::string& format, const std::string& order, run::Bindings data,
                      const tensor::Coordinates& entries) {
  data.arrays["A"] = packed(entries, format_of(format, 2), outside);
  return {format, native(module_of(product(format, "A(i,j)", order)), data)};
}

void structured(Rows& rows, const std::string& name, const Structure& s, const tensor::Coordinates& entries,
                double aim) {
  run::Bindings data = vectors(entries.shape[0]);
  const Entrant plain = plain_product(s.plain, s.order, data, entries);
  data.arrays["A"] = packed(entries, format_of(s.format, 2), outside);
  const std::string ours = product(s.format, "A(i,j)", s.order) + s.steps;
  beside(rows, "SpMV " + s.format + (s.steps.empty() ? "" : ", in parts") + ", " + name, ours, data, s.hand, plain,
         aim);
}

constexpr std::int64_t block = 32, width = 64;

void stretch(tensor::Coordinates& entries, std::int64_t i, std::int64_t low, std::int64_t high) {
  for (std::int64_t j = low; j < high; ++j) {
    entries.indices.insert(entries.indices.end(), {i, j});
    entries.reals.push_back(static_cast<double>((i * 7 + j * 13) % 1000 + 1) / 1000);
  }
  entries.count = entries.reals.size();
}

/// Four square blocks in each row of blocks, no two of them side by side.
tensor::Coordinates blocks(std::int64_t n) {
  std::mt19937_64 random(1);
  tensor::Coordinates entries;
  entries.shape = {n, n};
  for (std::int64_t first = 0; first < n; first += block) {
    std::vector<std::int64_t> chosen;
    const std::int64_t quarter = n / block / 4;
    for (std::int64_t k = 0; k < 4; ++k) {
      const auto within = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(quarter - 1));
      chosen.push_back((k * quarter + within) * block);
    }
    for (std::int64_t i = first; i < first + block; ++i)
      for (const std::int64_t j : chosen) stretch(entries, i, j, j + block);
  }
  return entries;
}

tensor::Coordinates band(std::int64_t n) {
  tensor::Coordinates entries;
  entries.shape = {n, n};
  for (std::int64_t i = 0; i < n; ++i)
    stretch(entries, i, std::max<std::int64_t>(0, i - width / 2), std::min(n, i + width / 2));
  return entries;
}

void patterns(Rows& rows, const std::string& name, tensor::Coordinates entries) {
  run::Bindings data = vectors(entries.shape[0]);
  Entrant plain = plain_product("csr", "i j", data, entries);
  plain.same = false;  // the pattern's values are all 1
  entries.field = tensor::Coordinates::Field::pattern;
  data.arrays["A"] = packed(entries, format_of("csr pattern", 2), format::Value::truth(false));
  beside(rows, "SpMV csr pattern, " + name, product("csr pattern", "f64(A(i,j))", "i j"), data,
         "static void hand(long n, const int *restrict pos, const int *restrict crd, " + vectors_in_c +
             "  for (long i = 0; i < n; i++) {\n"
             "    double sum = 0;\n"
             "    for (int p = pos[i]; p < pos[i + 1]; p++) sum += x[crd[p]];\n"
             "    y[i] = sum;\n  }\n}\n",
         plain, 1.5);
}

/// The entries below the diagonal and their mirror images, with what stands on the diagonal in `d`.
void triangles(Rows& rows, const std::string& name, const tensor::Coordinates& entries) {
  tensor::Coordinates lower, whole;
  lower.shape = whole.shape = entries.shape;
  run::Bindings data = vectors(entries.shape[0]);
  data.arrays["d"] = random_vector(entries.shape[0], 5);
  const auto add = [](tensor::Coordinates& to, std::int64_t i, std::int64_t j, double value) {
    to.indices.insert(to.indices.end(), {i, j});
    to.reals.push_back(value);
    to.count = to.reals.size();
  };
  for (std::size_t k = 0; k < entries.count; ++k) {
    const std::int64_t i = entries.index(k)[0], j = entries.index(k)[1];
    if (j >= i) continue;
    add(lower, i, j, entries.reals[k]);
    add(whole, i, j, entries.reals[k]);
    add(whole, j, i, entries.reals[k]);
  }
  for (std::int64_t i = 0; i < entries.shape[0]; ++i) add(whole, i, i, data.arrays["d"].get_flat(i).real);
  const Entrant plain = plain_product("csr", "i j", data, whole);
  data.arrays["L"] = packed(lower, format_of("csr", 2), outside);
  beside(rows, "SpMV one triangle, " + name,
         "tensor L(n, n): csr\ntensor d(n)\ntensor x(n)\ntensor y(n)\n"
         "loops {\n  tensor s\n  for i {\n    s = d(i) * x(i)\n"
         "    for j { s += L(i,j) * x(j); y(j) += L(i,j) * x(i) }\n    y(i) = s\n  }\n}\n",
         data,
         "static void hand(long n, const int *restrict pos, const int *restrict crd, const double *restrict L,\n"
         "                 const double *restrict d, " +
             vectors_in_c +
             "  for (long i = 0; i < n; i++) {\n"
             "    double sum = d[i] * x[i];\n"
             "    for (int p = pos[i]; p < pos[i + 1]; p++) sum += L[p] * x[crd[p]], y[crd[p]] += L[p] * x[i];\n"
             "    y[i] = sum;\n  }\n}\n",
         plain, 1.3);
}

}  // namespace

void structured_products(Rows& rows) {
  for (const bool in_cache : {true, false}) {
    if (only_small() && !in_cache) continue;
    const std::string where = in_cache ? "in cache" : "out of cache";
    const double aim = in_cache ? 1.8 : 1.35;
    const tensor::Coordinates blocked = blocks(in_cache ? sized(512, 384) : 65'536),
                              banded = band(in_cache ? sized(1'024, 200) : 131'072);
    for (const Structure& s : {blocks_by_rows, with_parts(blocks_by_rows), blocks_by_columns})
      structured(rows, "blocks of 32, " + where, s, blocked, aim);
    for (const Structure& s : {band_by_rows, with_parts(band_by_rows), band_by_columns})
      structured(rows, "64 wide, " + where, s, banded, aim);
    triangles(rows, "64 wide, " + where, banded);
    for (const Spread spread : {Spread::uniform, Spread::banded}) {
      const std::string name = std::string(spread == Spread::uniform ? "uniform, " : "banded, ") + where;
      const tensor::Coordinates sparse = random_entries(spread, in_cache ? sized(6'000, 300) : 800'000, 10, 1);
      patterns(rows, name, sparse);
      triangles(rows, name, sparse);
    }
  }
}

Table bench_structures(const Options& options) {
  Rows rows;
  structured_products(rows);
  pictures(rows, options);
  return table_of("structures", std::move(rows));
}

}  // namespace trellis::bench
