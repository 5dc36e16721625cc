// Sparse factors beside CXSparse, which factors column by column, looking up: Cholesky's and LU's, into the entries of
// masks and without any; and where they have entries.
#include <memory>

#include "engine/lang/parse.hpp"
#include "engine/symbolic/eliminate.hpp"
#include "engine/symbolic/with_patterns.hpp"
#include "engine/tensor/convert.hpp"
#include "engine/tensor/entries.hpp"
#include "tests/bench/factor_problems.hpp"

namespace trellis::bench {
namespace {

using format::ScalarType;

const std::string csc_pattern = "{dense, compressed, pattern} @ (1, 0)", csr_pattern = "{dense, compressed, pattern}";

std::string cholesky_in(const std::string& format) {
  return "tensor A(n, n): " + format + "\ntensor L(n, n): " + format + "\n" +
         "L(i,j) = (A(i,j) - sum(k)(L(i,k) * L(j,k))) / L(j,j) : k < j < i\n"
         "L(i,i) = sqrt(A(i,i) - sum(k)(L(i,k)^2)) : k < i\n";
}
const std::string cholesky = cholesky_in("csc");

format::Format named(const std::string& name) { return *format::Format::named(name, 2); }

std::string replaced(std::string text, const std::string& from, const std::string& by) {
  return text.replace(text.find(from), from.size(), by);
}

/// So many rows at most that a kernel that looks at all of n² takes a second or so.
constexpr std::int64_t most_of_cholesky = 8000, most_of_lu = 10000;

}  // namespace

void cholesky_factors(Rows& rows, const FactorProblem& p) {
  const Factored& f = p.factored;
  const auto stored = [&](const std::string& format, const std::string& own, const std::string& across) {
    run::Bindings data;
    data.sizes = {{"n", f.n}};
    data.arrays["A"] = from_columns(f.a, named(format));
    data.arrays["L_mask"] = pattern_of(f.l, own);
    data.arrays["L_mask_t"] = pattern_of(f.l, across);
    data.arrays["L"] = *data.arrays["L_mask"].with_own_values(ScalarType::f64, named(format), no_entry);
    return data;
  };
  const run::Bindings data = stored("csc", csc_pattern, csr_pattern);
  const Entrant peer{"cs_chol", called([] {}, f.factor)};
  const auto row = [&](const std::string& group, const run::Bindings& with, const std::string& program, double aim) {
    const auto results = std::make_shared<run::Bindings>();
    const Entrant ours{"", native(module_of(program), with, 1, results)};
    const auto apart = [&] { return difference(results->arrays["L"], f.l); };
    rows.push_back(of_group(group, contest(group + ", " + p.name, ours, peer, 3, aim), apart));
  };
  const auto masked = [](const std::string& order) { return "mask L auto\norder " + order + "\n"; };
  for (const auto& [order, aim] :
       {std::pair{"i k j", 1.1}, {"j k i", 1.1}, {"i j k", 0.3}, {"j i k", 0.3}, {"k j i", 0.3}, {"k i j", 0.3}})
    row(std::string("Cholesky, csc ") + order, data, cholesky + masked(order), aim);
  const run::Bindings by_rows = stored("csr", csr_pattern, csc_pattern);
  for (const char* order : {"i k j", "j k i", "i j k", "j i k", "k j i", "k i j"})
    row(std::string("Cholesky, csr ") + order, by_rows, cholesky_in("csr") + masked(order), 0.3);
  // The sums of the diagonal within an iteration, so that iterations only wait for those whose columns they take.
  const std::string by_columns = replaced(cholesky, "L(i,i) = sqrt(A(i,i) - sum(k)(L(i,k)^2)) : k < i",
                                          "L(j,j) = sqrt(A(j,j) - sum(k)(L(j,k)^2)) : k < j") +
                                 "mask L auto\norder j k i\n";
  const auto results = std::make_shared<run::Bindings>();
  const Entrant two{"", native(module_of(by_columns + "parallel j\n"), data, 2, results)};
  const Entrant one{"one thread", native(module_of(by_columns), data)};
  const std::string group = "Cholesky, csc j k i, two threads";
  rows.push_back(of_group(group, contest(group + ", " + p.name, two, one, 3, 1.35),
                          [&] { return difference(results->arrays["L"], f.l); }));
  if (f.n <= most_of_cholesky) row("Cholesky, csc j k i, no mask", data, cholesky + "order j k i\n", 0.74);
}

void lu_factors(Rows& rows, const FactorProblem& p) {
  const auto lu = cxsparse_lu(p.factored.a);
  if (!lu) return;
  const Entrant peer{"cs_lu", called([] {}, lu->factor)};
  const auto row = [&](const std::string& group, const std::string& format, const std::string& pattern,
                       const std::string& order, bool masked, double aim) {
    run::Bindings data;
    data.sizes = {{"n", p.factored.n}};
    data.arrays["A"] = from_columns(p.factored.a, named(format));
    data.arrays["ML"] = pattern_of(lu->l, pattern);
    data.arrays["MU"] = pattern_of(lu->u, pattern);
    data.arrays["L"] = *data.arrays["ML"].with_own_values(ScalarType::f64, named(format), no_entry);
    data.arrays["U"] = *data.arrays["MU"].with_own_values(ScalarType::f64, named(format), no_entry);
    std::string program;
    for (const std::string name : {"A", "L", "U"}) program += "tensor " + name + "(n, n): " + format + "\n";
    for (const std::string name : {"ML", "MU"}) program += "tensor " + name + "(n, n): " + pattern + " bool\n";
    program +=
        "U(i,j) = A(i,j) - sum(k)(L(i,k) * U(k,j)) : k < i <= j\n"
        "L(i,j) = (A(i,j) - sum(k)(L(i,k) * U(k,j))) / U(j,j) : k < j < i\n"
        "order " +
        order + "\n";
    if (masked) program += "mask L ML\nmask U MU\n";
    const auto results = std::make_shared<run::Bindings>();
    const Entrant ours{"", native(module_of(program), data, 1, results)};
    const auto apart = [&] {
      return std::max(difference(results->arrays["L"], lu->l), difference(results->arrays["U"], lu->u));
    };
    rows.push_back(of_group(group, contest(group + ", " + p.name, ours, peer, 3, aim), apart));
  };
  row("LU, csc j k i", "csc", csc_pattern, "j k i", true, 1.45);
  row("LU, csr i k j", "csr", csr_pattern, "i k j", true, 1.45);
  if (p.factored.n <= most_of_lu) row("LU, csc j k i, no mask", "csc", csc_pattern, "j k i", false, 1.45);
}

void factor_patterns(Rows& rows, const FactorProblem& p) {
  text::Sources sources;
  text::Diagnostics diagnostics;
  const int source = sources.add("pattern", cholesky + "mask L auto\n");
  auto program = lang::resolve(lang::parse(sources, source, diagnostics), diagnostics);
  program = symbolic::with_patterns(std::move(*program), diagnostics);
  const auto how = symbolic::find_elimination(*program, program->kernels.front());
  const Factored& f = p.factored;
  const tensor::Tensor leaf =
      *tensor::entries_of(from_columns(f.a, named("csc")), program->tensor("A_entries")->format);
  const auto find = [how, program, leaf, n = f.n] {
    const auto factor = symbolic::eliminate(
        *how, [&](const std::string&) -> const tensor::Tensor& { return leaf; },
        [&](const math::Affine& size) { return *size.evaluate([&](const std::string&) { return std::optional(n); }); });
    const auto mask = symbolic::pattern_of(*how, factor, "L_mask", program->tensor("L_mask")->format);
    tensor::entries_of(*mask, program->tensor("L_mask_t")->format);
    return mask;
  };
  const auto apart = [&] {
    const tensor::Tensor expected = pattern_of(f.l, csc_pattern);
    const auto same = tensor::to_coordinates(*find()).indices == tensor::to_coordinates(expected).indices;
    return same ? 0.0 : 1.0;
  };
  const std::string group = "pattern of Cholesky";
  rows.push_back(of_group(group,
                          contest(group + ", " + p.name, {"", called([] {}, find)},
                                  {"cs_etree, cs_ereach", called([] {}, f.pattern)}, 3, 0),
                          apart));
}

}  // namespace trellis::bench
