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

/// What is computed of an operand that an operator makes.
struct Fused {
  const char* name;
  const char* published;  ///< fused beside unfused: "Compilation of Shape Operators on Sparse Arrays", figure 26
  const char* result;
  const char* format;
  const char* equation;  ///< with OPERAND in the place of
  const char* operand;
  const char* made;  ///< the operand, as a tensor M of its own,
  const char* made_format;
  const char* reads;  ///< which is read as
};

const Fused fused_kernels[] = {
    {"flattened csr times vector", "1.42", "R(n*m)", "{compressed}", "R(k) = OPERAND * c(k)",
     "collapse(B(i,j), (i,j)->k)", "M(n*m)", "{compressed}", "M(k)"},
    {"vstack csr times x", "2.23", "R(n+n)", "dense", "R(l) = sum(j)(OPERAND * x(j))",
     "concat(A(i,j), B(k,j), (i,k)->l)", "M(n+n, m)", "csr", "M(l,j)"},
    {"slice csr times csr", "1.22", "R(n/2, m)", "csr", "R(s,j) = OPERAND * slice(B(i,j), i->s, 0:n/2:1)",
     "slice(A(i,j), i->s, 0:2*(n/2):2)", "M(n/2, m)", "csr", "M(s,j)"},
};

/// As one kernel, beside making the operand first.
void beside_unfused(Rows& rows, const ShapesProblem& p) {
  for (const Fused& one : fused_kernels) {
    const std::string equation = one.equation;
    if (!p.flattens && equation.find("c(k)") != std::string::npos) continue;
    run::Bindings data = p.data;
    add_result(data, "R", shape_of(p, one.result), one.format);
    add_result(data, "M", shape_of(p, "R" + std::string(one.made).substr(1)), one.made_format);
    const auto with = [&](const std::string& operand) {
      std::string text = equation;
      return text.replace(text.find("OPERAND"), 7, operand) + "\n";
    };
    const std::string declared = p.declarations + "tensor " + one.result + ": " + one.format + "\n";
    const std::string made = "tensor " + std::string(one.made) + ": " + one.made_format + "\n";
    const auto fused = module_of(declared + with(one.operand));
    const std::string step = std::string(one.reads) + " = " + one.operand + "\n";
    const auto first = module_of(declared + made + step + with(one.reads));
    auto row = contest(std::string(one.name) + ", " + p.name, {"", native(fused, data)},
                       {"made first", native(first, data)}, 9, std::stod(one.published));
    if (row) row->group = std::string(one.name) + " beside unfused";
    rows.push_back(std::move(row));
  }
}

/// A product with stacked matrices by hand.
void products(Rows& rows, const ShapesProblem& p) {
  run::Bindings data = p.data;
  const std::int64_t n = data.sizes.at("n");
  add_result(data, "y", {n + n}, "dense");
  const auto fused =
      module_of(p.declarations + "tensor y(n+n)\ny(l) = sum(j)(concat(A(i,j), B(k,j), (i,k)->l) * x(j))\n");
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
  const Entrant ours{"", native(fused, data)}, peer{"by hand", native(hand, data)};
  rows.push_back(contest("vstack csr times x, " + p.name, ours, peer, 9, 0.95));
}

}  // namespace

Table bench_shapes(const Options& options) {
  Rows rows;
  std::vector<ShapesProblem> all = real_shapes_problems(options);
  for (const Spread spread : {Spread::uniform, Spread::banded})
    for (const std::int64_t entries : {sized(200000, 200), sized(2000000, 300)}) {
      const ShapesProblem p = shapes_problem(spread, entries);
      copies(rows, p);
      products(rows, p);
      all.push_back(p);
    }
  for (const ShapesProblem& p : all) beside_unfused(rows, p);
  shapes_beside_scipy(rows, all);
  return table_of("shapes", rows);
}

}  // namespace trellis::bench
