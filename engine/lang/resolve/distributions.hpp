#pragma once
// `distribute i over p [by A]`: which loop, over which ranks (docs/design/distributed.md).

#include <optional>

#include "engine/lang/resolve/resolve.hpp"

namespace trellis::lang::resolving {

/// From the command's name to its last word.
text::Span whole_of(const syntax::Command& command);

/// As the command writes it; E0323 where it says something else.
std::optional<Schedule::Distribution> distribution_of(Resolution& resolution, const syntax::Command& command);

/// Among the kernel's, once. An error where ranks or the tensor are none, and E0152 where cuts are said in two ways.
void add_distribution(Resolution& resolution, Kernel& kernel, const Schedule::Distribution& d);

}  // namespace trellis::lang::resolving
