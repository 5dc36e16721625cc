#pragma once
// A plan in words: who has what, and the loops with who runs them and what is sent where.

#include "engine/distribute/cuts.hpp"

namespace trellis::distribute {

/// How much an exchange sends in one execution of the kernel.
struct Volume : Sent {
  std::int64_t bytes = 0;
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> between;  ///< bytes, by sender and receiver
};
/// Of each of the plan's exchanges; empty where it depends on what is computed. A loop with `until` is taken to go on
/// to its end.
std::optional<Volume> volume(const Plan& plan, const Cuts& cuts, const Exchange& exchange);

/// The exchange's sections whatever the loops around stand at, at sizes that have numbers; ends of parts have none.
std::vector<math::Domain> over_all_iterations(const Plan& plan, const Numbers& sizes, const Exchange& exchange);

/// "(p, :)".
std::string home_text(const Plan& plan, const Home& home);

/// With `cuts` also where parts begin, and bytes.
std::string print(const Plan& plan, const Cuts* cuts);

}  // namespace trellis::distribute
