#pragma once
// Why a loop visits every coordinate, for people (docs/design/coiteration.md#support).

#include "engine/coiterate/support.hpp"

namespace trellis::coiterate {

/// What asks for it in a body whose support is everywhere: "d(i) is dense", "exp(A(i)) is 1 where nothing is stored,
/// not 0".
std::string why_everywhere(const loop::Stmt& body, const std::string& variable, const Offers& offers,
                           const Surroundings& around);

}  // namespace trellis::coiterate
