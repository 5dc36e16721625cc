#pragma once
// `distribute i over p [by A|by parts A|cyclic 8]`: which loop, over which ranks; `pipeline j 256`: which loop inside
// it goes block by block (docs/design/distributed.md).

#include <optional>

#include "engine/lang/resolve/resolve.hpp"

namespace trellis::lang::resolving {

/// As the command writes it; E0323 where it says something else, or blocks of a number that is not in 1:largest + 1.
std::optional<Schedule::Distribution> distribution_of(Resolution& resolution, const syntax::Command& command,
                                                      std::int64_t largest);

/// Among the kernel's, once. An error where ranks or the tensor are none, and E0152 where cuts are said in two ways.
void add_distribution(Resolution& resolution, Kernel& kernel, const Schedule::Distribution& d);

/// As the command writes it; E0323 where it says something else, or blocks of a number that is not in 1:largest + 1.
std::optional<Schedule::Pipeline> pipeline_of(Resolution& resolution, const syntax::Command& command,
                                              std::int64_t largest);

/// Among the kernel's, once. E0154 where a loop has blocks of two sizes.
void add_pipeline(Resolution& resolution, Kernel& kernel, const Schedule::Pipeline& pipeline);

}  // namespace trellis::lang::resolving
