#pragma once
// Why a plan was chosen: what it costs, what came second, and how many entries of which operand would change that
// (docs/design/arrays.md#why). A value, which is printed as text or read by whoever draws it.

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace trellis::lazy {

struct Why {
  struct Kernel {
    std::string name, equation, order, format;
    std::vector<std::string> reads;  ///< tables and results
    std::string copy_of;             ///< the table that it lays out anew; else empty
    double nanoseconds = 0;          ///< estimated
    double entries = 0;              ///< estimated, of its result
    double bytes = 0;                ///< of its result, estimated
    std::optional<double> stored;    ///< entries, once it has run
    bool asked_for = false;          ///< else temporary
  };
  struct Way {
    std::vector<Kernel> kernels;
    double nanoseconds = 0;
    std::string outline;
    /// Of near ties, what the engine's cost model says of those kernels that are not the same in all plans.
    std::optional<double> compiled = {};
  };
  /// Another plan wins where the table has so many entries instead.
  struct Flip {
    std::string table;
    double entries = 0, instead = 0;
    std::string outline;
  };
  struct Operand {
    std::string name, format;
    double entries = 0;
  };
  Way chosen;
  std::optional<Way> second;
  std::vector<Operand> operands;
  std::vector<Flip> flips;            ///< the nearest first
  std::vector<std::string> rewrites;  ///< "rounds, factor_out: * distributes over sum"
  std::size_t plans = 0, costed = 0;
  bool associates = false;  ///< rounding: products are associated anew and distributed
  bool greedy = false;
};

/// What its kernels stored, by name of their results.
void add_stored(Why& why, const std::map<std::string, double>& entries);

/// "740", "20000", "2.1e+08".
std::string count_text(double count);
/// "about 31 ms, 16 ms as compiled".
std::string estimate_of(const Why::Way& way);
/// The equation; "csr, order i j"; "4000 entries expected, 3977 stored, 40 µs".
std::vector<std::string> lines_of(const Why::Kernel& kernel);
/// What would change the choice, and what was done before, a line each.
std::vector<std::string> remarks_of(const Why& why);

/// All of it: the chosen plan and the runner-up as boxes, then what would change that, and what was done before.
std::string to_string(const Why& why);
/// The chosen plan: a query a box, an arrow for each table that it reads, and on that how much the table stores.
///
///                 ┌──────────────────────────────┐
///     B ── 200 ──> │ t1(j) = sum(k)(B(j,k) * v(k)) │
///     v ──  20 ──> │ dense, order j k, 20 entries  │
///                 └──────────────────────────────┘
std::string picture_of(const Why& why);

}  // namespace trellis::lazy
