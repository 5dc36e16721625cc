// `trellis bench shapes`: sparse matrices put together and taken apart, beside the loops that one would write by hand,
// and what is computed of such a matrix beside first making it.
#include <algorithm>
#include <random>

#include "tests/bench/sparse_bench.hpp"

namespace trellis::bench {
namespace {

using format::Array;

constexpr std::int64_t columns = 8192, per_row = 10;

/// Matrices A, B, D in csr and E, F, G of the same entries in coo, n rows each; c: the entries of A as a vector.
struct ShapesProblem {
  std::string name;
  std::string declarations;
  run::Bindings data;
};

tensor::Coordinates entries_of(Spread spread, std::int64_t n, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  tensor::Coordinates c;
  c.shape = {n, columns};
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t width = spread == Spread::uniform ? columns : 4 * per_row;
    const std::int64_t low = spread == Spread::uniform ? 0 : i * (columns - width) / n;
    for (std::int64_t k = 0; k < per_row; ++k) {  // one in each of as many parts, so that none repeats
      const std::int64_t part = width / per_row;
      c.indices.insert(c.indices.end(),
                       {i, low + k * part + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(part))});
      c.reals.push_back(static_cast<double>(random() % 1000 + 1) / 1000);
    }
  }
  c.count = c.reals.size();
  return c;
}

ShapesProblem shapes_problem(Spread spread, std::int64_t entries) {
  const std::int64_t n = entries / per_row;
  const format::Value zero = format::Value::of(format::ScalarType::f64, 0);
  ShapesProblem p;
  p.name = std::string(spread == Spread::uniform ? "uniform" : "banded") + ", " + std::to_string(entries) + " entries";
  p.declarations = "param n = " + std::to_string(n) + "\nparam m = " + std::to_string(columns) +
                   "\ntensor A(n, m): csr\ntensor B(n, m): csr\ntensor E(n, m): coo\ntensor F(n, m): coo\n"
                   "tensor c(n*m): {compressed}\ntensor x(m)\n";
  p.data.sizes = {{"n", n}, {"m", columns}};
  const char* const names[][2] = {{"A", "E"}, {"B", "F"}};
  for (std::size_t k = 0; k < std::size(names); ++k) {
    const tensor::Coordinates entries_k = entries_of(spread, n, k + 1);
    p.data.arrays[names[k][0]] = packed(entries_k, format_of("csr", 2), zero);
    p.data.arrays[names[k][1]] = packed(entries_k, format_of("coo", 2), zero);
    if (k > 0) continue;
    tensor::Coordinates flat = entries_k;
    flat.shape = {n * columns};
    flat.indices.clear();
    for (std::size_t e = 0; e < flat.count; ++e)
      flat.indices.push_back(entries_k.indices[2 * e] * columns + entries_k.indices[2 * e + 1]);
    p.data.arrays["c"] = packed(flat, format_of("{compressed}", 1), zero);
  }
  p.data.arrays["x"] = random_vector(columns, 5);
  return p;
}

void add_result(run::Bindings& data, const std::string& name, std::vector<std::int64_t> shape,
                const std::string& format) {
  const auto rank = static_cast<int>(shape.size());
  data.arrays[name] = *tensor::Tensor::create(format::ScalarType::f64, std::move(shape), format_of(format, rank),
                                              format::Value::of(format::ScalarType::f64, 0));
}

using Arguments = std::vector<emit::Argument>;

Arguments sizes() {
  using Kind = emit::Argument::Kind;
  return {{Kind::size, "n", format::ScalarType::i64, false}, {Kind::size, "m", format::ScalarType::i64, false}};
}

void add_levels(Arguments& to, const std::string& tensor, const std::string& format, bool written = false) {
  const bool coo = format == "coo";
  const int first = format == "csr" ? 1 : 0;
  to.push_back(level_array(tensor, first, Array::positions, written));
  to.push_back(level_array(tensor, first, Array::coordinates, written));
  if (coo) to.push_back(level_array(tensor, 1, Array::coordinates, written));
  to.push_back(level_array(tensor, -1, Array::values, written));
}

/// Loops by hand over operands in a format, and a result R.
struct Contender {
  std::string name, result, result_format, equation;
  std::vector<std::pair<std::string, std::string>> operands;  ///< and their formats
  std::string body;
};

std::string parameters(const std::string& tensor, const std::string& format, bool written) {
  const std::string array = std::string(written ? "" : "const ") + "int *restrict " + tensor;
  return ", " + array + "pos, " + array + "crd" + (format == "coo" ? ", " + array + "col" : "") + ", " +
         (written ? "" : "const ") + "double *restrict " + tensor;
}

emit::Module hand_of(const Contender& c) {
  std::string head = "static void hand(long n, long m";
  Arguments arguments = sizes();
  for (const auto& [name, format] : c.operands) {
    head += parameters(name, format, false);
    add_levels(arguments, name, format);
  }
  head += parameters("R", c.result_format, true);
  add_levels(arguments, "R", c.result_format, true);
  return by_hand(head + ") {\n" + c.body + "}\n", "hand", arguments);
}

std::vector<Contender> contenders() {
  const auto row = [](const std::string& t) { return "for (int p = " + t + "pos[i]; p < " + t + "pos[i + 1]; p++) "; };
  const auto all = [](const std::string& t) { return "for (int p = " + t + "pos[0]; p < " + t + "pos[1]; p++) "; };
  const std::string rows = "for (long i = 0; i < n; i++) ", none = "int q = 0; Rpos[0] = 0;\n";
  return {
      {"reshape csr",
       "R(n*m)",
       "{compressed}",
       "R(k) = collapse(A(i,j), (i,j)->k)",
       {{"A", "csr"}},
       none + rows + row("A") + "{ Rcrd[q] = (int)(i * m) + Acrd[p]; R[q++] = A[p]; }\nRpos[1] = q;\n"},
      {"vstack csr",
       "R(n+n, m)",
       "csr",
       "R(l,j) = concat(A(i,j), B(k,j), (i,k)->l)",
       {{"A", "csr"}, {"B", "csr"}},
       none + rows + "{ " + row("A") + "{ Rcrd[q] = Acrd[p]; R[q++] = A[p]; } Rpos[i + 1] = q; }\n" + rows + "{ " +
           row("B") + "{ Rcrd[q] = Bcrd[p]; R[q++] = B[p]; } Rpos[n + i + 1] = q; }\n"},
      {"hstack csr",
       "R(n, m+m)",
       "csr",
       "R(i,l) = concat(A(i,j), B(i,k), (j,k)->l)",
       {{"A", "csr"}, {"B", "csr"}},
       none + rows + "{ " + row("A") + "{ Rcrd[q] = Acrd[p]; R[q++] = A[p]; } " + row("B") +
           "{ Rcrd[q] = (int)m + Bcrd[p]; R[q++] = B[p]; } Rpos[i + 1] = q; }\n"},
      {"vstack coo",
       "R(n+n, m)",
       "coo",
       "R(l,j) = concat(E(i,j), F(k,j), (i,k)->l)",
       {{"E", "coo"}, {"F", "coo"}},
       none + all("E") + "{ Rcrd[q] = Ecrd[p]; Rcol[q] = Ecol[p]; R[q++] = E[p]; }\n" + all("F") +
           "{ Rcrd[q] = (int)n + Fcrd[p]; Rcol[q] = Fcol[p]; R[q++] = F[p]; }\nRpos[1] = q;\n"},
      {"split to csr",
       "R(n, m)",
       "csr",
       "R(i,j) = split(c(k), k->(i,j))",
       {{"c", "{compressed}"}},
       none + "int p = cpos[0];\n" + rows +
           "{ for (; p < cpos[1] && ccrd[p] < (i + 1) * m; p++) { Rcrd[q] = ccrd[p] - (int)(i * m); R[q++] = c[p]; } "
           "Rpos[i + 1] = q; }\n"},
      {"slice csr",
       "R(n/2, m)",
       "csr",
       "R(s,j) = slice(A(i,j), i->s, 0:n:2)",
       {{"A", "csr"}},
       none + "for (long s = 0; s < n / 2; s++) { const long i = 2 * s; " + row("A") +
           "{ Rcrd[q] = Acrd[p]; R[q++] = A[p]; } Rpos[s + 1] = q; }\n"},
  };
}

void copies(Rows& rows, const ShapesProblem& p) {
  const std::int64_t n = p.data.sizes.at("n");
  const std::map<std::string, std::vector<std::int64_t>> shapes = {{"R(n*m)", {n * columns}},
                                                                   {"R(n+n, m)", {n + n, columns}},
                                                                   {"R(n, m+m)", {n, columns + columns}},
                                                                   {"R(n, m)", {n, columns}},
                                                                   {"R(n/2, m)", {n / 2, columns}}};
  for (const Contender& c : contenders()) {
    run::Bindings data = p.data;
    add_result(data, "R", shapes.at(c.result), c.result_format);
    const auto ours =
        module_of(p.declarations + "tensor " + c.result + ": " + c.result_format + "\n" + c.equation + "\n");
    rows.push_back(
        contest(c.name + ", " + p.name, {"", native(ours, data)}, {"by hand", native(hand_of(c), data)}, 9, 0.95));
  }
}

/// A product with stacked matrices, which are not made, beside making them first.
void products(Rows& rows, const ShapesProblem& p) {
  run::Bindings data = p.data;
  const std::int64_t n = data.sizes.at("n");
  add_result(data, "y", {n + n}, "dense");
  add_result(data, "R", {n + n, columns}, "csr");
  const std::string declared = p.declarations + "tensor y(n+n)\ntensor R(n+n, m): csr\n";
  const auto fused = module_of(declared + "y(l) = sum(j)(concat(A(i,j), B(k,j), (i,k)->l) * x(j))\n");
  const auto apart = module_of(declared + "R(l,j) = concat(A(i,j), B(k,j), (i,k)->l)\ny(l) = sum(j)(R(l,j) * x(j))\n");
  Arguments arguments = sizes();
  add_levels(arguments, "A", "csr");
  add_levels(arguments, "B", "csr");
  arguments.push_back({emit::Argument::Kind::array, "x", format::ScalarType::f64, false});
  arguments.push_back({emit::Argument::Kind::array, "y", format::ScalarType::f64, true});
  const std::string part = "double sum = 0; for (int p = {}pos[i]; p < {}pos[i + 1]; p++) sum += {}[p] * x[{}crd[p]]; ";
  const auto of = [&](const std::string& t) {
    std::string text = part;
    for (std::size_t at = text.find("{}"); at != std::string::npos; at = text.find("{}")) text.replace(at, 2, t);
    return "for (long i = 0; i < n; i++) { " + text;
  };
  const auto hand = by_hand("static void hand(long n, long m" + parameters("A", "csr", false) +
                                parameters("B", "csr", false) + ", const double *restrict x, double *restrict y) {\n" +
                                of("A") + "y[i] = sum; }\n" + of("B") + "y[n + i] = sum; }\n}\n",
                            "hand", arguments);
  const Entrant ours{"", native(fused, data)};
  rows.push_back(contest("vstack csr times x, " + p.name, ours, {"by hand", native(hand, data)}, 9, 0.95));
  rows.push_back(contest("vstack csr times x, " + p.name, ours, {"stacked first", native(apart, data)}, 9, 1));
}

}  // namespace

Table bench_shapes(const Options&) {
  Rows rows;
  for (const Spread spread : {Spread::uniform, Spread::banded})
    for (const std::int64_t entries : {200000, 2000000}) {
      const ShapesProblem p = shapes_problem(spread, entries);
      copies(rows, p);
      products(rows, p);
    }
  return table_of("shapes", rows);
}

}  // namespace trellis::bench
