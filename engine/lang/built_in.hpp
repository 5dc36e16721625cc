#pragma once
// Words with a meaning that no declaration may take: `min`, `f64`, `collapse`, …

#include <string_view>

namespace trellis::lang {

bool is_built_in(std::string_view name);

}  // namespace trellis::lang
