#pragma once
// The parts of `trellis bench sparse`. Each adds its rows for one matrix; an empty one stands for a peer that this
// machine lacks.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/tensor/coordinates.hpp"
#include "tests/bench/bench.hpp"
#include "tests/bench/contest.hpp"
#include "tests/bench/peer_scipy.hpp"

namespace trellis::bench {

/// Two square matrices of one kind in csr, with A in csc as well, and what is multiplied with them.
struct SparseProblem {
  std::string name;  ///< "uniform, 200000 entries"
  std::int64_t n = 0;
  run::Bindings data;            ///< A B in csr, Ac in csc, x y dense, D E n × `rank`, n and r
  std::shared_ptr<Scipy> scipy;  ///< with A, B, Ac and x loaded; null without it
};

constexpr std::int64_t rank_of_factors = 16;

/// About `entries` entries, as many in each row: anywhere, or in a band around the diagonal.
enum class Spread { uniform, banded };
SparseProblem sparse_problem(Spread spread, std::int64_t entries, std::int64_t per_row = 10);
/// Each matrix in those folders of real data that has two rows or more, and its name.
std::vector<std::pair<std::string, tensor::Coordinates>> real_matrices(const Options& options,
                                                                       const std::vector<std::string>& folders = {
                                                                           "matrix", "graph"});

/// The arrays of one of its matrices, as peers take them.
Compressed compressed(const tensor::Tensor& matrix);
Compressed compressed(const SparseProblem& problem, const std::string& name);

using Rows = std::vector<std::optional<Row>>;
void matrix_vector_products(Rows& rows, const SparseProblem& problem);
void sampled_products(Rows& rows, const SparseProblem& problem);
void sparse_sums(Rows& rows, const SparseProblem& problem);
void sparse_products(Rows& rows, const SparseProblem& problem);

/// The format of a tensor that a program declares.
format::Format format_in(const std::string& program, const std::string& tensor);
/// What is declared in these words: "csr", "{dense, vbl} @ (1, 0)".
format::Format format_of(const std::string& words, int rank);
/// The entries in that format, with the fill's type.
tensor::Tensor packed(const tensor::Coordinates& entries, const format::Format& format, const format::Value& fill);
tensor::Tensor random_vector(std::int64_t n, std::uint64_t seed);
/// Each row has `per_row` different columns: anywhere, or among twice as many that are nearest to the diagonal.
tensor::Coordinates random_entries(Spread spread, std::int64_t n, std::int64_t per_row, std::uint64_t seed);

/// The problem's data with an empty csr matrix C that kernels append to.
run::Bindings with_result(const SparseProblem& problem);
/// A Python expression over the problem's matrices; empty without SciPy.
std::optional<Measured> scipy(const SparseProblem& problem, const std::string& expression);
/// A peer that says how many entries its result has, so that nothing is dropped by the compiler.
std::optional<Measured> counted(const std::optional<std::function<std::int64_t()>>& peer);

/// An array of a tensor's level, as a hand-written function takes it; level -1: the values.
emit::Argument level_array(const std::string& tensor, int level, format::Array array, bool written = false);

}  // namespace trellis::bench
