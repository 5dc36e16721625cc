// Sparse Cholesky by supernodes beside CXSparse, column by column, and CHOLMOD, by supernodes and a BLAS.
#include <memory>

#include "engine/lang/parse.hpp"
#include "engine/run/backends.hpp"
#include "engine/run/execute.hpp"
#include "engine/symbolic/eliminate.hpp"
#include "engine/symbolic/with_patterns.hpp"
#include "engine/tensor/entries.hpp"
#include "engine/tensor/from_lists.hpp"
#include "engine/tensor/supernodes.hpp"
#include "tests/bench/factor_problems.hpp"
#include "tests/bench/measure.hpp"

namespace trellis::bench {
namespace {

const std::string factorisation =
    "tensor A(n, n): csc\ntensor L(n, n): csc\n"
    "L(i,j) = (A(i,j) - sum(k)(L(i,k) * L(j,k))) / L(j,j) : k < j < i\n"
    "L(j,j) = sqrt(A(j,j) - sum(k)(L(j,k)^2)) : k < j\n"
    "order j k i\nsupernodes S of L relax 48\n";

/// From the matrix to all that the kernel finds, as a session does it.
class Analysis {
 public:
  explicit Analysis(const Columns& a) : n_(std::ssize(a.positions) - 1) {
    text::Sources sources;
    text::Diagnostics diagnostics;
    program_ = *lang::resolve(lang::parse(sources, sources.add("supernodes", factorisation), diagnostics), diagnostics);
    program_ = symbolic::with_patterns(std::move(program_), diagnostics);
    how_ = *symbolic::find_elimination(program_, program_.kernels.front());
    matrix_ = from_columns(a, format_of("L"));
    leaf_ = *tensor::entries_of(matrix_, format_of("A_entries"));
  }

  run::Bindings bindings() const {
    const auto size = [&](const math::Affine& of) {
      return *of.evaluate([&](const std::string&) { return std::optional(n_); });
    };
    const auto leaf = [&](const std::string&) -> const tensor::Tensor& { return leaf_; };
    const symbolic::Factor factor = symbolic::eliminate(how_, leaf, size);
    const tensor::Tensor mask = *symbolic::pattern_of(how_, factor, "L_mask", format_of("L_mask"));
    const tensor::ColumnsBelow columns(mask);
    const std::vector<std::int32_t> firsts = tensor::supernodes(columns, 48);
    const tensor::RunsOfColumns panels = tensor::panels(columns, firsts);
    run::Bindings data;
    data.sizes = {{"n", n_}};
    data.arrays["A"] = matrix_;
    data.arrays["S"] = *tensor::pattern_from(firsts, n_, format_of("S"));
    data.arrays["S_updates"] = *tensor::pattern_from(tensor::updates(panels), false, {n_, n_}, format_of("S_updates"));
    data.arrays["L_panels"] = *tensor::pattern_of(panels, true, format_of("L_panels"));
    data.arrays["L"] = *data.arrays["L_panels"].with_own_values(format::ScalarType::f64, format_of("L"), no_entry);
    return data;
  }

 private:
  const format::Format& format_of(const std::string& tensor) const { return program_.tensor(tensor)->format; }

  std::int64_t n_;
  lang::Program program_;
  symbolic::Elimination how_;
  tensor::Tensor matrix_, leaf_;
};

/// Analysis and kernel, on what the analysis has made.
std::optional<Measured> in_all(const Analysis& analysis) {
  auto compiled =
      run::compile(*module_of(factorisation + "fused\n"), only_small() ? run::Backend::jit : run::Backend::native);
  const auto* kernel = std::get_if<run::Kernel>(&compiled);
  if (!kernel) return std::nullopt;
  run::Limits limits;
  limits.trusted = true;
  limits.threads = 1;
  return Measured([analysis, kernel = *kernel, limits] {
    run::Bindings data;
    const double ms = time_once([&] { data = analysis.bindings(); });
    return ms + run::execute(kernel, data, limits, run::AfterFailure::abandoned).run_ms;
  });
}

}  // namespace

void supernodal_factors(Rows& rows, const FactorProblem& p) {
  const Columns& a = p.factored.a;
  const Analysis analysis(a);
  const run::Bindings data = analysis.bindings();
  const auto with = [&](int threads, const std::string& schedule) {
    const auto results = std::make_shared<run::Bindings>();
    const auto run = native(module_of(factorisation + schedule), data, threads, results);
    return std::pair(Entrant{"", run}, [results, &p] { return difference_at(results->arrays["L"], p.factored.l); });
  };
  const auto row = [&](const std::string& group, const Entrant& peer, double aim) {
    const auto [ours, apart] = with(1, "fused\n");
    rows.push_back(of_group(group, contest(group + ", " + p.name, ours, peer, 3, aim), apart));
  };
  row("Cholesky, supernodes", {"cs_chol", called([] {}, p.factored.factor)}, 2.5);
  const auto cholmod = cholmod_supernodal(a);
  if (cholmod) {
    row("Cholesky, supernodes of CHOLMOD", {"CHOLMOD", called([] {}, cholmod->factor)}, 1.3);
    const auto alike = [&](const std::string& group, const std::optional<Measured>& ours, const Measured& theirs,
                           double aim) {
      rows.push_back(
          of_group(group, contest(group + ", " + p.name, {"", ours}, {"CHOLMOD", theirs}, 3, aim), [] { return 0.0; }));
    };
    alike("analysis for supernodes", called([] {}, [analysis] { analysis.bindings(); }),
          called([] {}, cholmod->analyse), 0);
    const auto theirs = [cholmod] { cholmod->analyse(), cholmod->factor(); };
    alike("Cholesky, supernodes with their analysis", in_all(analysis), called([] {}, theirs), 1);
  }
  const std::string group = "Cholesky, supernodes on two threads";
  const auto [two, apart] = with(2, "fused\nparallel j\n");
  rows.push_back(of_group(
      group, contest(group + ", " + p.name, two, {"one thread", with(1, "fused\n").first.run}, 3, 1.7), apart));
}

}  // namespace trellis::bench
