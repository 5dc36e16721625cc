#pragma once
// A plan with numbers: so many ranks, these sizes, and where each partition is cut.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>

#include "engine/distribute/plan.hpp"

namespace trellis::distribute {

/// What an exchange sends, by all ranks together.
struct Sent {
  std::int64_t executions = 0, messages = 0, elements = 0;
  bool operator==(const Sent&) const = default;
};

using Numbers = std::map<std::string, std::int64_t>;

/// Numbers of rows on ranks: row i of the user has number to[i] there, and number k is row from[k].
struct Numbering {
  std::vector<std::int64_t> to, from;
};

/// How even the parts of a partition come out that is cut by a matrix.
struct Spread {
  int partition = 0;
  std::string by;
  double largest = 1;  ///< the rows and entries of the largest part, beside the mean of all
  /// What all ranks read of others through its rows, for each row of a square matrix: as the rows are numbered, and, if
  /// that is otherwise than in the file, by the file.
  std::optional<double> ghosts = {}, in_file = {};
};

/// Of an exchange that goes through sparse operands: the only coordinates, along one dimension of its tensor, of which
/// ranks are sent something (wants.hpp).
struct Wants {
  std::size_t dimension = 0;
  std::vector<std::shared_ptr<const std::vector<std::int64_t>>> by_rank = {};  ///< of each reader, and they rise
  const std::vector<std::int64_t>& of(std::int64_t rank) const { return *by_rank[static_cast<std::size_t>(rank)]; }
};

struct Cuts {
  std::vector<std::int64_t> grid;                 ///< ranks, by dimension of the grid
  Numbers sizes;                                  ///< of the program
  std::vector<std::vector<std::int64_t>> places;  ///< by partition: P + 1 numbers that rise; 0, 1, …, P of cyclic ones
  std::vector<std::shared_ptr<const Numbering>> numberings = {};  ///< by Plan::renumbered; null: the user's
  std::vector<Spread> spreads = {};                               ///< of partitions that are cut by a matrix
  /// By number of the exchange, where it sends less than its sections have. Empty: nobody has looked, and what goes
  /// through lists is at most that.
  std::optional<std::map<std::size_t, Wants>> wants = {};
  std::int64_t ranks() const;
};

/// Even in rows; `wanted` says by the number of a partition what else it is, if there is something (`by A`).
using Wanted = std::function<std::optional<std::vector<std::int64_t>>(const Partition&, std::int64_t parts)>;
/// Empty where a size has no value. Without numberings, spreads and wants.
std::optional<Cuts> cut(const Plan& plan, std::vector<std::int64_t> grid, Numbers sizes, const Wanted& wanted = {});

/// So many parts of 0:size, none of which has more than one element more than another.
std::vector<std::int64_t> even_cuts(std::int64_t size, std::int64_t parts);
/// Cuts between rows that have weights, so that the parts' weights come out as even as whole rows allow.
std::vector<std::int64_t> weighted_cuts(const std::vector<std::int64_t>& weights, std::int64_t parts);

/// The place of a rank in the grid, by dimension; the last one moves fastest.
std::vector<std::int64_t> coordinates_of(const Cuts& cuts, std::int64_t rank);
/// Is the coordinate in the part that these numbers say the ends of?
bool has(const Partition& partition, const Numbers& numbers, std::int64_t coordinate);
/// Sizes, and the ends of the rank's parts.
Numbers numbers_of(const Plan& plan, const Cuts& cuts, std::int64_t rank);

/// What the form comes to; empty where one of its names has no number.
std::optional<std::int64_t> number_in(const math::Affine& form, const Numbers& numbers);

/// How many points: of a domain all of whose names that are no variables have numbers.
std::int64_t count_points(const math::Domain& domain, const Numbers& numbers);

/// The elements of an exchange that `to` has from `from`, while the loops around stand at `numbers`, in which the ends
/// of parts are those of the rank whose section it is: of `to` for ghosts, else of `from`.
std::vector<math::Domain> elements_between(const Plan& plan, const Cuts& cuts, const Exchange& exchange,
                                           std::int64_t from, std::int64_t to);

}  // namespace trellis::distribute
