#pragma once
// Formats that store the same levels over the dimensions in another order: csr and csc.

#include <optional>
#include <vector>

#include "engine/format/format.hpp"

namespace trellis::format {

/// With the name under which the language knows what it stores, if there is one.
Format with_known_name(Format format);

/// The same levels over the dimensions in that order, outermost first. Empty: it is the order that there is, or none in
/// which they can stand.
std::optional<Format> turned(const Format& format, const std::vector<int>& order);

}  // namespace trellis::format
