// `trellis bench shapes`: sparse matrices put together and taken apart, beside the loops that one would write by hand,
// and what is computed of such a matrix beside first making it.
#include "tests/bench/shapes_bench.hpp"

namespace trellis::bench {
namespace {

using format::Array;

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
  for (const Contender& c : contenders()) {
    run::Bindings data = p.data;
    add_result(data, "R", shape_of(p, c.result), c.result_format);
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
  add_result(data, "R", {n + n, p.columns()}, "csr");
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

Table bench_shapes(const Options& options) {
  Rows rows;
  std::vector<ShapesProblem> all = real_shapes_problems(options);
  for (const Spread spread : {Spread::uniform, Spread::banded})
    for (const std::int64_t entries : {200000, 2000000}) {
      const ShapesProblem p = shapes_problem(spread, entries);
      copies(rows, p);
      products(rows, p);
      all.push_back(p);
    }
  shapes_beside_scipy(rows, all);
  return table_of("shapes", rows);
}

}  // namespace trellis::bench
