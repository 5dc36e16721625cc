#pragma once
// A statement written into the text of a program where a person would write it:
//
//   C(i,k) = 2 * A(i,k)      an equation takes the place of the one that it is about, or that has its left side
//   sum(i)(x(i))             an expression that of the one that it is about, whether that stands after print or alone
//   order i j k              an order that of the kernel's order, format A csr that of its format of A;
//                            else they stand after the kernel's equations and schedule, as other commands do
//   param n = 5              a declaration takes the place of the one of that name; a new parameter stands before
//                            everything else
//
// What is about a statement that cannot be read takes its place.
//
// The session's fixes go to the same places of its own program.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/lang/syntax.hpp"
#include "engine/text/source.hpp"

namespace trellis::lang {

/// What takes the place of the bytes from `begin` to `end` of a text; where they are equal it is put in.
struct TextEdit {
  std::uint32_t begin = 0, end = 0;
  std::string text;

  std::string applied_to(std::string_view content) const;
  /// The first line of the statement in the new text, one-based.
  int line_in(std::string_view content) const;
  bool operator==(const TextEdit&) const = default;
};

/// The kernel that a statement belongs to: by name, or because the span lies in it; else what stands outside of
/// kernels, which is `main`.
struct StatementScope {
  std::string kernel = {};
  text::Span about = {};
};

/// The block of the kernel; null: outside of blocks.
const syntax::Statement* block_of(const syntax::File& file, const StatementScope& scope);
/// Commands of which the last one counts: a kernel's order, the format of a tensor.
bool supersedes(const syntax::Statement& one, const syntax::Statement& other);
/// The statement whose place a new one takes, or null.
const syntax::Statement* predecessor(const std::vector<syntax::Statement>& statements, const syntax::Statement& fresh,
                                     text::Span about);

/// `statement` is one statement without errors; the scope's span is of that text. A text with syntax errors counts as
/// far as it is understood.
TextEdit edit_for(std::string_view content, const std::string& statement, const StatementScope& scope);

}  // namespace trellis::lang
