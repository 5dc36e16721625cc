#pragma once
// Expressions and positions of the control flow as text: `A[pA] * x[j]`, `A.2 below [i]`.

#include <string>

#include "engine/flow/flow.hpp"

namespace trellis::flow {

class ExprPrinter {
 public:
  explicit ExprPrinter(text::TextBuilder& out) : out_(out) {}

  /// In parentheses where the expression binds less tightly than `context`.
  void expr(const Expr& e, int context = 0);

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
  void parenthesised(const std::string& number, int context);
  void levels(const Position& position);
};

}  // namespace trellis::flow
