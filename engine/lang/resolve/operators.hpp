#pragma once
// Shape operators in syntax: what stands where in `concat(A(i,j), B(k,j), (i,k)->l)`, which names it binds and makes,
// and how long they are. The steps: names are checked and renamed apart as a draft is made, so that each name means one
// thing in an equation; sizes are found as tensors' shapes are (measure); then the typed expression is built.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/lang/resolve/resolve.hpp"
#include "engine/lang/resolve/walk.hpp"

namespace trellis::lang::resolving {

struct OperatorForm {
  Shape::Op op;
  std::vector<syntax::Expr> parts;
  std::vector<syntax::Name> from;          ///< bound: in all parts, of `concat` one a part
  std::vector<syntax::Name> to;            ///< made
  std::vector<syntax::Expr> numbers = {};  ///< slice: low, high, and perhaps a step; roll: one; pad: two
  std::optional<syntax::Expr> outside = {};

  /// The names that are bound in a part.
  std::vector<syntax::Name> bound_in(std::size_t part) const {
    if (op == Shape::Op::concat) return {from[part]};
    return from;
  }
};

/// Empty when it is malformed; `problem` then says why.
std::optional<OperatorForm> operator_form(const syntax::Reference& r, std::string* problem = nullptr);
/// Its form, where the reference is a shape operator.
std::optional<OperatorForm> operator_at(const Resolution& resolution, const syntax::Expr& e);

/// The names that stand for indices and values in an expression, free of its operators and reductions.
std::vector<std::string> free_names(const Resolution& resolution, const syntax::Expr& e);

/// Checks the operators of an expression, and gives what they bind names that nothing else has there. `around` is what
/// else uses names. `sound` becomes false when one is wrong. Names that constraints size are those that were written:
/// see `written_name`.
syntax::Expr write_out_operators(Resolution& resolution, const std::vector<syntax::Expr>& around,
                                 const std::vector<syntax::Constraint>& constraints, const syntax::Expr& e,
                                 bool& sound);

/// With argmin and argmax over several indices as those over the one that `collapse` makes of them.
syntax::Expr write_out_positions(const Resolution& resolution, const std::vector<syntax::Expr>& around,
                                 const syntax::Expr& e);
/// What is wrong with conditions among several indices of argmin or argmax.
void report_conditional_position(Resolution& resolution, const syntax::Expr& e, const syntax::Reference& r);

/// Finds the sizes of what operators in `e` bind and make. `known` has sizes of names that are no operators'.
enum class Measuring { trying, reporting };
void measure_operators(Resolution& resolution, const syntax::Expr& e, std::map<std::string, math::Affine> known,
                       const std::vector<syntax::Constraint>& constraints, bool& sound, Measuring how);
/// The same of an equation.
void measure_operators(Resolution& resolution, Draft& draft, Measuring how);

/// Names that operators in `e` bind, as the equation's constraints may call them.
std::vector<std::string> bound_by_operators(const Resolution& resolution, const syntax::Expr& e);
/// The name before it was made to differ from others.
std::string written_name(const Resolution& resolution, const std::string& name);

}  // namespace trellis::lang::resolving
