#pragma once
// A statement written into the text of a program where a person would write it:
//
//   C(i,k) = 2 * A(i,k)      an equation takes the place of the one that it is about
//   order i j k              an order that of the kernel's order, format A csr that of its format of A;
//                            else they stand behind the kernel's equations and schedule, as other commands do
//   param n = 5              before everything else

#include <cstdint>
#include <string>
#include <string_view>

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

/// The kernel that a statement belongs to: by name, or because the span, of that text, lies in it; else what stands
/// outside of kernels, which is `main`.
struct StatementScope {
  std::string kernel = {};
  text::Span about = {};
};

/// `statement` is one statement without errors. A text with syntax errors counts as far as it is understood.
TextEdit edit_for(std::string_view content, const std::string& statement, const StatementScope& scope);

}  // namespace trellis::lang
