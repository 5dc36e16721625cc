#pragma once
// `trellis help [TOPIC]` and `trellis examples [NAME]`.

#include <string>

namespace trellis::repl {

/// 0, or 2 when there is no such topic.
int show_help(const std::string& topic);
/// 0, or 2 when there is no such example.
int show_examples(const std::string& name);

}  // namespace trellis::repl
