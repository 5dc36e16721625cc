#pragma once
// `trellis bench`: figures beside a peer that is measured in the same run, never pass or fail. Run once, results do.

#include <optional>
#include <string>
#include <vector>

namespace trellis::bench {

/// One line of a table. A ratio above 1 means that Trellis is faster than the peer.
struct Row {
  std::string name;      ///< "matmul i k j, n = 500"
  double ours_ms = 0;    ///< median
  double spread_ms = 0;  ///< median absolute deviation of ours
  std::string peer;      ///< "the same loops by hand"; empty when there is none
  double peer_ms = 0;
  double target = 0;                      ///< of `ours_ms` when there is no peer, else of the ratio; 0: none
  std::optional<double> agreement = {};   ///< rank correlation of estimates and medians
  std::string group = {};                 ///< of rows of one kind, which stand together and have a mean; "" of others
  std::optional<double> difference = {};  ///< of our result and the peer's
  std::optional<double> mean = {};        ///< of the ratios of a group, geometric: the row is that and nothing else
  std::string failed = {};                ///< why there is no figure of ours; empty: there is one
  double ratio() const { return mean ? *mean : ours_ms > 0 ? peer_ms / ours_ms : 0; }
};

struct Table {
  std::string name;
  std::string remark;
  std::vector<Row> rows;
  std::vector<std::string> broken = {};  ///< rows of which our own side does not compile
};

struct Options {
  std::string data;   ///< folder of real data; empty: everything is generated
  bool once = false;  ///< each row runs once, for its result: no figure counts, what differs does
};

/// Source text to C, to machine code and to a first result; legality of all orders.
Table bench_compile(const Options& options);
/// From a changed character of a program to each wave of its snapshots.
Table bench_edits(const Options& options);
/// Kernels of the native back end beside hand-written C, with the same compiler and flags, and beside libraries;
/// interleaved.
Table bench_dense(const Options& options);
/// The same over sparse matrices.
Table bench_sparse(const Options& options);
/// Products of which a mask asks for a part, beside the whole ones and beside GraphBLAS.
Table bench_masks(const Options& options);
/// Blocks, bands, patterns, triangles and runs beside the same matrices in csr or csc, by hand, and pictures beside
/// OpenCV.
Table bench_structures(const Options& options);
/// Matrices put together and taken apart by shape operators, beside loops by hand.
Table bench_shapes(const Options& options);
Table bench_layouts(const Options& options);
/// Unsorted coordinates to sparse formats, and from one format to another: time and memory.
Table bench_pack(const Options& options);

/// Triangular solves and sparse factors beside CXSparse.
Table bench_recurrences(const Options& options);

/// Products over semirings, triangles and searches of graphs beside GraphBLAS.
Table bench_arrays(const Options& options);

/// Estimates of loop orders beside their medians.
Table bench_cost(const Options& options);

/// Plans of lazy arrays: the one that is chosen beside the fastest.
Table bench_plans(const Options& options);

/// Equations alone, as a session runs them, beside the best by hand and beside SciPy and NumPy.
Table bench_defaults(const Options& options);

/// Kernels with the first line that `suggest` offers, beside the same as they stood.
Table bench_advice(const Options& options);

/// Ranks over MPI beside the same by hand; without MPI nothing, which is said.
Table bench_ranks(const Options& options);

/// What the estimate knows of a machine, measured on this one and kept for sessions; no rows.
Table bench_machine(const Options& options);

/// Runs the benchmarks named, or all; prints tables or JSON. 2 when there is no such benchmark; 4 when, run once, a row
/// differs from its peer or does not compile.
int run(const std::vector<std::string>& names, const Options& options, bool json);

}  // namespace trellis::bench
