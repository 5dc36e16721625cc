#pragma once
// The layouts that the language comes with, as users would write them.

#include <string>
#include <string_view>

#include "engine/lang/syntax.hpp"

namespace trellis::lang {

/// Their text, a line each.
std::string_view standard_layouts();
/// The one of that name, of matrices; null when there is none.
const syntax::LayoutDecl* standard_layout(const std::string& name);

}  // namespace trellis::lang
