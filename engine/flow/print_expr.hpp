#pragma once
// Expressions and positions of the control flow as text: `A[pA] * x[j]`, `A.2 below [i]`.

#include <string>

#include "engine/flow/flow.hpp"
#include "engine/flow/literal_types.hpp"

namespace trellis::flow {

/// What a kernel is called that needs no name in its text.
inline constexpr const char* usual_kernel = "main";

class ExprPrinter {
 public:
  explicit ExprPrinter(text::TextBuilder& out) : out_(out) {}

  /// In parentheses where the expression binds less tightly than `context`. Literals of another type than is `wanted`
  /// here say so (literal_types.hpp).
  void expr(const Expr& e, int context = 0, format::ScalarType wanted = type_of_literals);
  void expr(const Expr& e, format::ScalarType wanted) { expr(e, 0, wanted); }
  /// A number that is no node.
  void literal(const format::Value& value, int context, format::ScalarType wanted);

 protected:
  void element(const std::string& tensor, const Position& position);
  /// `A.2 below [i]`: a level, counted from 1, and the position that its entries belong to.
  void place(const std::string& tensor, int level, const Position& parent);
  /// ` below [i]`; nothing where that is the root.
  void below(const Position& parent);

  text::TextBuilder& out_;

 private:
  template <class Print>
  void wrapped(int own, int context, Print&& print);
  void arguments(const std::vector<Expr>& all, const auto& wanted);
  void binary(const Binary& b, format::ScalarType wanted);
  void levels(const Position& position);
};

}  // namespace trellis::flow
