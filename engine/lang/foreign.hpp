#pragma once
// Arrays in the notation of other languages: `A'`, `A @ B`, `A .* B`, `A(0,:)`. The parser reads it, so that a message
// can say what it would be here, as references with names that no program can spell: `'(A)`, `@(A, B)`, `.*(A, B)`, and
// `:` as an index. Nothing but that message (E0240) knows what they mean.

#include <optional>
#include <string>
#include <string_view>

#include "engine/format/operation.hpp"
#include "engine/lang/syntax.hpp"

namespace trellis::lang {

inline constexpr std::string_view transposed = "'";
inline constexpr std::string_view matrix_product = "@";
inline constexpr std::string_view whole_dimension = ":";

/// The operator behind the dot of `.*`.
inline std::optional<format::BinaryOp> dotted_operator(std::string_view name) {
  using format::BinaryOp;
  for (const BinaryOp op : {BinaryOp::multiply, BinaryOp::divide, BinaryOp::add, BinaryOp::subtract, BinaryOp::power})
    if (name.starts_with('.') && name.substr(1) == format::symbol(op)) return op;
  return std::nullopt;
}

inline bool is_foreign(std::string_view name) {
  return name == transposed || name == matrix_product || name == whole_dimension || dotted_operator(name);
}

/// The reference, when it is such notation; else null.
inline const syntax::Reference* foreign(const syntax::Expr& e) {
  const auto* r = e.as<syntax::Reference>();
  return r && is_foreign(r->name.text) ? r : nullptr;
}

/// What is written instead.
inline std::string instead_of(std::string_view name) {
  if (name == transposed) return "a transpose is its indices swapped, as in A(j,i)";
  if (name == matrix_product) return "a product of matrices is summed over an index, as in A(i,k) * B(k,j)";
  if (name == whole_dimension)
    return "an index runs over a whole dimension, as in y(j) = A(0,j); a slice says both ends, as in A(0, 0:n)";
  const std::string op(name.substr(1));
  return "`" + op + "` of elements is element by element, as in A(i,j) " + op + " B(i,j)";
}

}  // namespace trellis::lang
