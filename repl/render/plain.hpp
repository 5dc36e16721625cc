#pragma once
// For terminals whose locale is not UTF-8: the letters that Trellis draws with, as ASCII.

#include <string>
#include <string_view>

namespace trellis::repl {

/// `✓ a ≤ b … │` becomes `+ a <= b ... |`; a letter that has no likeness becomes `?`, and columns stay as wide as they
/// can.
std::string as_ascii(std::string_view utf8);

}  // namespace trellis::repl
