#pragma once
// Of what ranks send "through A": which coordinates they need. An element that the compiled loops read only where a
// walk of a sparse operand's rows stands is wanted by the ranks whose rows have an entry there, and by no others. Each
// rank can tell for all of them, as it has the operand's arrays.
//
//   y(i) += A(i,k) * x(k)      of x a rank needs, beside its own, the coordinates of its rows of A

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/compile.hpp"
#include "engine/distribute/wants.hpp"
#include "engine/run/rank_job.hpp"

namespace trellis::session {

/// `of_rank`: the kernel of a rank. Exchanges of which nothing is said send what their sections have.
std::vector<run::RankPlan::Through> needed_through(const distribute::Plan& plan, const Compilation& of_rank);

/// What ranks then want of each exchange. `rows_of`: of an operand, along a dimension, where it has entries; null where
/// that is not known. `anew`: rows and coordinates are numbered as the cuts say, and `rows_of` as the user does. Empty
/// where something is not known.
using RowsOf = std::function<const distribute::Pattern*(const std::string& operand, std::size_t along)>;
std::optional<std::map<std::size_t, distribute::Wants>> wants_through(const distribute::Plan& plan,
                                                                      const distribute::Cuts& cuts,
                                                                      const Compilation& of_rank, bool anew,
                                                                      const RowsOf& rows_of);

}  // namespace trellis::session
