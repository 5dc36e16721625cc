#pragma once
// How wide text is on a terminal. UTF-8 bytes in, one glyph per code point out, none of which can move the
// cursor: control characters and malformed bytes come back as the replacement character.

#include <string>
#include <string_view>
#include <vector>

namespace trellis::text {

struct Glyph {
  std::string shown;
  int bytes = 1;  ///< in the input
  int width = 1;  ///< columns: 0 for combining marks, 2 for wide East Asian letters; a tab is `tab_width` spaces
};

constexpr int tab_width = 4;

std::vector<Glyph> glyphs(std::string_view utf8);

/// The text with what could move the cursor, or do more, as it is written in programs: `\x1b]0;…`. Line ends and tabs
/// stay.
std::string printable(std::string_view utf8);
/// A word for a shell: as it is, or quoted where the shell would take it for more than a word.
std::string shell_word(std::string_view word);

}  // namespace trellis::text
