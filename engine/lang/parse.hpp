#pragma once
// Source text to syntax tree, by recursive descent with two tokens of look-ahead (docs/design/language.md#grammar).

#include "engine/lang/syntax.hpp"
#include "engine/text/diagnostic.hpp"
#include "engine/text/text.hpp"

namespace trellis::lang {

/// Reports every syntax error and goes on at the next statement; statements without errors are in the result.
syntax::File parse(const text::Sources& sources, int source, text::Diagnostics& diagnostics);

/// True if the text ends inside a bracket, so that a prompt should ask for another line.
bool is_incomplete(std::string_view text);

/// As the language writes it, in normal form; `parse(print(x)) == x`. Spans are of stage `source`.
text::Text print(const syntax::File& file);
std::string to_string(const syntax::Expr& expr);
std::string to_string(const syntax::Statement& statement);

}  // namespace trellis::lang
