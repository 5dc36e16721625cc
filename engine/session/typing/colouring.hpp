#pragma once
// Which stretches of a text are words of the language, numbers, comments and so on: what terminal and windows colour.
// It needs no correct program, so that text can be coloured while it is typed.

#include <cstddef>
#include <string_view>
#include <vector>

namespace trellis::session {

enum class TextLanguage { program, c };
enum class Word { key_word, type, function, number, string, comment, name };

struct ColouredStretch {
  std::size_t begin = 0, end = 0;  ///< bytes
  Word word = Word::name;
};
/// In order; what lies between them is punctuation and blanks.
std::vector<ColouredStretch> coloured_stretches(std::string_view text, TextLanguage language);

}  // namespace trellis::session
