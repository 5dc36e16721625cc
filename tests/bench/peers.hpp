#pragma once
// Libraries that some machines have and others lack. Each function is empty where its library was missing at build time.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace trellis::bench {

/// Boost.Graph: shortest paths between all pairs, in place on an n × n matrix of distances, row by row.
std::optional<std::function<void(std::vector<std::vector<double>>&)>> boost_floyd_warshall();

/// Parasail's scalar Needleman–Wunsch over the letters ACGT: 3 for a match, -1 for a mismatch, gaps of 2 a letter.
/// The first gives the score alone, the second keeps the whole table.
std::optional<std::function<int(const std::string&, const std::string&)>> parasail_score();
std::optional<std::function<int(const std::string&, const std::string&)>> parasail_table();

}  // namespace trellis::bench
