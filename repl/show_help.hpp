#pragma once
// `trellis help [TOPIC]`.

#include <string>

namespace trellis::repl {

/// 0, or 2 when there is no such topic.
int show_help(const std::string& topic);

}  // namespace trellis::repl
