#pragma once
// Who has which elements and who runs which loops, to a fixed point: loops that the user names give what they write a
// home, and homes deal out the loops that write by them (docs/design/distributed.md#homes, #who-computes).

#include "engine/distribute/nest.hpp"
#include "engine/text/diagnostic.hpp"

namespace trellis::distribute {

/// Fills in partitions, homes and dealt-out loops. False when a loop that is named cannot be dealt out anywhere, or two
/// places say where a tensor is cut, which is reported.
bool find_homes(Plan& plan, const Nest& nest, const lang::Kernel& kernel, math::Solver& solver,
                text::Diagnostics& diagnostics);

/// Whether each iteration of a dealt-out loop around the statement has a tensor of its own.
bool is_private(const Plan& plan, const Nest& nest, const schedule::Site& site, const schedule::Touch& touch);

/// The number of the dealt-out loop around the statement along a dimension of ranks, if there is one.
std::optional<int> dealt_around(const Plan& plan, const Nest& nest, const schedule::Site& site,
                                const std::string& ranks);

}  // namespace trellis::distribute
