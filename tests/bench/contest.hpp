#pragma once
// Two ways to compute the same thing, measured in turns: what a benchmark's row is made of.

#include <concepts>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "engine/emit/module.hpp"
#include "engine/run/kernel.hpp"
#include "tests/bench/bench.hpp"
#include "tests/bench/peers.hpp"

namespace trellis::bench {

/// Runs once and says how many milliseconds that took. What has to be put back before is not counted.
class Measured {
 public:
  Measured() = default;
  template <std::invocable Run>
  Measured(Run run) : run_(std::move(run)) {}
  Measured(std::function<double()> run, std::shared_ptr<const run::Bindings> written)
      : run_(std::move(run)), written_(std::move(written)) {}

  double operator()() const { return run_(); }
  /// What the first run writes; null when that is not known.
  const run::Bindings* written() const { return written_.get(); }

 private:
  std::function<double()> run_;
  std::shared_ptr<const run::Bindings> written_;
};

/// The only kernel of a program, with the schedule that the program gives; patterns that it asks for are operands.
/// Empty when it does not compile.
std::optional<emit::Module> module_of(const std::string& program);

/// C by hand: `function` is defined in `source` and takes the arguments in their order, sizes as int64_t.
emit::Module by_hand(const std::string& source, const std::string& function, std::vector<emit::Argument> arguments);

/// The module by the native back end, in this process, on one thread or more, each time on fresh copies of the written
/// arrays, or on empty ones where levels are appended to. `results`, if any, gets what the first run writes. Empty when
/// there is no compiler. On small problems it is the just-in-time back end, which takes no time to compile.
std::optional<Measured> native(const std::optional<emit::Module>& module, const run::Bindings& data, int threads = 1,
                               std::shared_ptr<run::Bindings> results = nullptr);

/// Any function on the same terms.
Measured called(std::function<void()> prepare, std::function<void()> run);

/// A peer on the same terms: what it stores, in a tensor like the one of that name that ours writes, is compared.
std::optional<Measured> measured(const std::optional<Computation>& peer, const std::string& name,
                                 const tensor::Tensor& like);

/// The data with a tensor that holds its fill for each one that the program declares and the data lacks.
run::Bindings with_tensors(const std::string& program, run::Bindings data);

struct Entrant {
  std::string name;
  std::optional<Measured> run;
  bool same = true;  ///< what it writes is what the other side should write
};

/// Some rows take long: who waits before a terminal sees which.
void tell_row(const std::string& name);

/// Rows whose names lack it are left out, in all benchmarks.
std::string& only_rows();

/// Each row is run once, and not measured: what both sides write is compared.
bool& only_once();

/// Besides, on problems that are small, by the back end that takes no time to compile.
bool& only_small();

/// A size of a problem: the usual one, or that of a small one.
std::int64_t sized(std::int64_t usually, std::int64_t small);

/// Two runs each to warm up, then at least `turns` turns, more where they are short and fewer where they take seconds:
/// medians. Empty when one of them cannot run.
std::optional<Row> contest(const std::string& name, const Entrant& ours, const Entrant& peer, int turns, double target);

/// A row of a group, of which `apart` says, after the runs, how far the results are apart.
std::optional<Row> of_group(const std::string& group, std::optional<Row> row, const std::function<double()>& apart);

/// The rows that there are, those of a group side by side and their geometric mean behind them, and how many peers were
/// missing.
Table table_of(const std::string& name, std::vector<std::optional<Row>> rows);

/// A dense tensor of f64, random between 0 and 1.
tensor::Tensor random_matrix(std::int64_t rows, std::int64_t columns, std::uint64_t seed);

}  // namespace trellis::bench
