#pragma once
// Element types: what an expression is by itself, and its typed form in the type that its context needs. Literals,
// parameters and index variables have no type of their own ("flexible"); tensor values and casts do ("fixed").

#include <map>
#include <unordered_map>

#include "engine/lang/resolve/resolve.hpp"

namespace trellis::lang::resolving {

/// `c ? 1 : 0`, for fixes.
syntax::Expr as_number(const syntax::Expr& truth);

struct Natural {
  enum class Kind { unknown, integer, real, fixed } kind = Kind::unknown;  ///< ordered: the later decides
  format::ScalarType type = format::ScalarType::i64;                       ///< if fixed
  /// That of what is added up, where the sum itself is wider: a result that is declared so can be given it.
  format::ScalarType plain = format::ScalarType::i64;
  bool operator==(const Natural&) const = default;
  static Natural fixed(format::ScalarType type) { return {Kind::fixed, type, type}; }
};

/// The one that decides; of two integer types the smallest that holds both, of other fixed ones the one that holds
/// more.
Natural join(const Natural& a, const Natural& b);
/// The type where no context asks for one: i64, f64, or its own.
format::ScalarType default_type(const Natural& natural);

/// Are integers of that type, which the operation reduces, added up in the integer type that is wanted?
bool takes_width(format::ReduceOp op, const Natural& body, format::ScalarType wanted);

/// Of the arguments of a function of the user.
struct ArgumentTypes {
  std::vector<format::ScalarType> types;
  bool flexible = true;  ///< none has a type of its own: neither has the result
  bool known = true;
};

/// Types of subexpressions, each computed once. `results`: what is known so far of results whose type is inferred.
class NaturalTypes {
 public:
  explicit NaturalTypes(const Resolution& resolution, const std::map<std::string, Natural>* results = nullptr)
      : resolution_(resolution), results_(results) {}
  Natural of(const syntax::Expr& e);
  ArgumentTypes arguments(const syntax::Reference& application);

 private:
  Natural of_application(const syntax::Reference& r);
  Natural compute(const syntax::Expr& e);
  Natural of_reference(const syntax::Expr& e, const syntax::Reference& r);
  const Resolution& resolution_;
  const std::map<std::string, Natural>* results_;
  std::unordered_map<const syntax::ExprNode*, Natural> known_;
};

/// A quotient of integers from which the value is made by arithmetic, unless its literals divide evenly.
std::optional<syntax::Expr> rounded_quotient(const Resolution& resolution, NaturalTypes& types, const syntax::Expr& e);
/// The same value with exact quotients: operands of integers are converted before they are divided.
syntax::Expr with_exact_quotients(const Resolution& resolution, NaturalTypes& types, const syntax::Expr& e,
                                  format::ScalarType type);

/// E0201 at `e`, with the nearest of the tensors, the parameters and the names in `known`.
void report_unknown(Resolution& resolution, const syntax::Expr& e, const std::string& name,
                    std::vector<std::string> known);

/// `a && b && c` as its parts.
std::vector<Expr> conjuncts(const Expr& condition);

/// Turns syntax into typed expressions. `scope` holds the variables that are bound where it stands; reductions are left
/// to `build_reduce`, which knows about ranges and constraints. An empty result means that something was reported.
class Elaborator {
 public:
  using BuildReduce = std::function<Expr(const syntax::Expr&, const syntax::Reference&, format::ScalarType wanted)>;
  /// `locals`: operands and locals of a function, when it is one's body.
  Elaborator(Resolution& resolution, const Draft& draft, std::vector<std::string>& scope, BuildReduce build_reduce,
             const std::map<std::string, Natural>* locals = nullptr)
      : resolution_(resolution),
        draft_(draft),
        scope_(scope),
        build_reduce_(std::move(build_reduce)),
        locals_(locals),
        types_(resolution, locals) {}

  Expr elaborate(const syntax::Expr& e, format::ScalarType type);
  /// In its own type, or the default one.
  Expr elaborate(const syntax::Expr& e) { return elaborate(e, default_type(types_.of(e))); }
  Expr elaborate_index(const syntax::Expr& e);

 private:
  Expr elaborate_fitting(const syntax::Expr& e, format::ScalarType type);
  /// Of integers, in a type of other width that holds them; empty where the type does not (widths.cpp).
  std::optional<Expr> in_another_width(const syntax::Expr& e, const Natural& own, format::ScalarType type);
  bool wraps_alike(const syntax::Expr& e, format::ScalarType type);
  Expr mismatch(const syntax::Expr& e, format::ScalarType own, format::ScalarType needed);
  Expr reference(const syntax::Expr& e, const syntax::Reference& r, format::ScalarType type);
  Expr bare(const syntax::Expr& e, const std::string& name, format::ScalarType type);
  Expr access(const syntax::Expr& e, const syntax::Reference& r);
  Expr call(const syntax::Expr& e, const syntax::Reference& r, format::ScalarType type);
  Expr application(const syntax::Expr& e, const syntax::Reference& r, format::ScalarType type);
  Expr in_function(const syntax::Expr& e, const std::string& name, format::ScalarType type);
  Expr shape(const syntax::Expr& e, format::ScalarType type);
  Expr outside_of(const syntax::Expr& e, const Expr& part);
  Expr cast_call(const syntax::Expr& e, const syntax::Reference& r);
  Expr unary(const syntax::Expr& e, const syntax::Unary& u, format::ScalarType type);
  Expr binary_operation(const syntax::Expr& e, const syntax::Binary& b, format::ScalarType type);
  Expr arithmetic(const syntax::Expr& e, const syntax::Binary& b, format::ScalarType type);
  Expr with_known_divisor(format::BinaryOp op, const Expr& dividend, const Expr& divisor);
  Expr select(const syntax::Expr& e, const syntax::Select& s, format::ScalarType type);
  Expr logical(const syntax::Expr& e, const syntax::Binary& b);

  // Reads outside (missing.cpp).
  struct Inside {
    std::vector<Expr> else_missing,
        else_fill;  ///< conditions on the indices, by what stands for the element where they do not hold
  };
  void add_bounds(const Expr& index, const math::Affine& size, std::vector<Expr>& conditions) const;
  Expr read_where(const syntax::Expr& e, const Expr& read, const Inside& inside, const TensorInfo& info);
  /// Reports that a missing value is left over.
  Expr escaped(const syntax::Expr& e, format::ScalarType type);
  Expr missing(const syntax::Expr& e, format::ScalarType type);
  Expr coalesce(const syntax::Expr& e, const syntax::Reference& r, format::ScalarType type);
  /// What is evaluated only sometimes, elaborated knowing that `under` holds. `present` receives when it is not
  /// missing.
  Expr arm(const syntax::Expr& e, format::ScalarType type, const std::vector<Expr>& under, std::vector<Expr>& present);

  Expr unknown_name(const syntax::Expr& e, const std::string& name);
  Expr unsupported(const syntax::Expr& e, const std::string& operation, format::ScalarType type);

  Resolution& resolution_;
  const Draft& draft_;
  std::vector<std::string>& scope_;
  BuildReduce build_reduce_;
  const std::map<std::string, Natural>* locals_;
  NaturalTypes types_;
  std::vector<Expr>* present_ =
      nullptr;               ///< collects when what is being elaborated is not missing; none: it must not be
  std::vector<Expr> holds_;  ///< what the conditions around it say
};

}  // namespace trellis::lang::resolving
