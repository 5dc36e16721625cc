#pragma once
// Programs for dense tensors whose results are stored otherwise.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/lang/program.hpp"

namespace trellis::results {

using Formats = std::map<std::string, std::string>;

/// The loops of a program for dense tensors once some have a named format, and below them how each result is written.
std::string written(const std::string& source, const Formats& formats, const std::set<std::string>& inherited = {},
                    const std::vector<lang::Schedule::Workspace>& workspaces = {},
                    const std::vector<lang::Schedule::Mask>& masks = {});

/// Recurrences of L, and the beginning of an `order`.
extern const std::string cholesky;

}  // namespace trellis::results
