#pragma once
// Which tensors have the format that a command gives them.

#include <set>
#include <string>
#include <vector>

#include "engine/lang/syntax.hpp"

namespace trellis::lang {

/// Of `format` commands in their order: those that none takes back, as `format A auto` does.
std::set<std::string> given_formats(const std::vector<const syntax::Command*>& commands);

}  // namespace trellis::lang
