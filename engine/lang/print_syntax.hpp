#pragma once
// Expressions back to text, with the fewest parentheses that read back as the same tree. For the printer of statements.

#include <string>
#include <vector>

#include "engine/lang/syntax.hpp"
#include "engine/text/text.hpp"

namespace trellis::lang {

/// `A(i,j-1)` for plain indices; `max(a(i), b(j))` and `tensor A(n, m)` with blanks.
enum class Spacing { tight, wide };

void print(text::TextBuilder& out, const syntax::Expr& expr);
/// In parentheses where the grammar asks for a `sum` or a `bitor` and `expr` binds less tightly.
void print_sum(text::TextBuilder& out, const syntax::Expr& expr);
void print_bitor(text::TextBuilder& out, const syntax::Expr& expr);
void print_tuple(text::TextBuilder& out, const std::vector<syntax::Expr>& items, Spacing spacing);
void print_string(text::TextBuilder& out, const std::string& value);

}  // namespace trellis::lang
