#pragma once
// Source text to tokens. Line ends and `;` become separators, but only where they end a statement: not while a `(` or
// `[` is open, and not before a line that starts with `:` or `else`. Every bracket knows its partner, so that the
// parser can skip a broken statement as a whole. A token that could not be read has been reported and is of kind
// `error`.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/text/diagnostic.hpp"
#include "engine/text/source.hpp"

namespace trellis::lang {

struct Token {
  enum class Kind : std::uint8_t { name, reserved, integer, real, character, string, symbol, separator, end, error };
  Kind kind = Kind::end;
  std::string_view text;  ///< as written; it lives as long as the source
  text::Span span;
  bool joined = false;  ///< nothing stands between this token and the one before
  int partner = -1;     ///< of a bracket: where its other half is; negative when it has none

  bool is(std::string_view spelling) const {
    return (kind == Kind::symbol || kind == Kind::reserved) && text.size() == spelling.size() && text == spelling;
  }
  bool is_word(std::string_view spelling) const { return kind == Kind::name && text == spelling; }
  bool ends_statement() const { return kind == Kind::separator || kind == Kind::end; }
};

struct TokenList {
  std::vector<Token> tokens;  ///< the last one is of kind `end`
  bool open = false;          ///< the text stops inside a bracket
};

TokenList tokenize(std::string_view content, int source, text::Diagnostics& diagnostics);

/// The second half of `tokenize`: finds partners and drops the line ends that end nothing.
TokenList join_lines(std::vector<Token> tokens);

/// What a literal that the lexer has accepted stands for.
std::uint8_t character_code(std::string_view literal);
std::string string_value(std::string_view literal);

}  // namespace trellis::lang
