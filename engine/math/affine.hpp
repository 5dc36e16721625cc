#pragma once
// Quasi-affine expressions over named integers (index variables and symbolic sizes), as plain values:
//
//   affine := constant + Σ coefficient * name + Σ coefficient * (affine div d | affine mod d),   d > 0
//
// `div` rounds down and `mod` is never negative. Index maps, bounds, constraints and sizes are all made of these;
// isl objects are built from them inside this folder and never leave it.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/text/shared_vector.hpp"

namespace trellis::math {

struct Affine;

/// `numerator div divisor` or `numerator mod divisor`, times a coefficient.
struct Quotient {
  enum class Kind { div, mod };
  std::int64_t coefficient = 1;
  Kind kind = Kind::div;
  std::shared_ptr<const Affine> numerator;
  std::int64_t divisor = 1;
  bool operator==(const Quotient& other) const;
};

struct Affine {
  std::int64_t constant = 0;
  text::SharedVector<std::pair<std::string, std::int64_t>> terms;  ///< sorted by name, no zero coefficient
  std::vector<Quotient> quotients;

  Affine() = default;
  Affine(std::int64_t value) : constant(value) {}  // NOLINT: integers are affine
  static Affine name(std::string variable, std::int64_t coefficient = 1);
  static Affine div(const Affine& numerator, std::int64_t divisor);
  static Affine mod(const Affine& numerator, std::int64_t divisor);

  bool is_constant() const { return terms.empty() && quotients.empty(); }
  /// The name, when this is exactly one name and nothing else.
  std::optional<std::string> as_name() const;
  /// Coefficient of `name` outside quotients; 0 if absent.
  std::int64_t coefficient(const std::string& name) const;
  bool mentions(const std::string& name) const;
  void collect_names(std::set<std::string>& into) const;

  Affine substitute(const std::map<std::string, Affine>& replacements) const;
  /// Empty if a name has no value.
  std::optional<std::int64_t> evaluate(
      const std::function<std::optional<std::int64_t>(const std::string&)>& value) const;

  bool operator==(const Affine&) const = default;
};

Affine operator+(const Affine& a, const Affine& b);
Affine operator-(const Affine& a, const Affine& b);
Affine operator-(const Affine& a);
Affine operator*(std::int64_t factor, const Affine& a);

/// As the language writes it: `n - i + 1`, `(i + j)%2`, `k/4`.
std::string to_string(const Affine& affine);

enum class Relation { less, less_equal, equal, not_equal, greater_equal, greater };
std::string_view symbol(Relation relation);  ///< "<" … "!="

struct Constraint {
  Affine left;
  Relation relation = Relation::less;
  Affine right;
  bool operator==(const Constraint&) const = default;

  bool mentions(const std::string& name) const { return left.mentions(name) || right.mentions(name); }
  Constraint substitute(const std::map<std::string, Affine>& replacements) const;
  std::optional<bool> holds(const std::function<std::optional<std::int64_t>(const std::string&)>& value) const;
};
std::string to_string(const Constraint& constraint);

/// Conjunction over named variables: the integer points of `variables` that satisfy all constraints.
/// Names that are not variables are parameters (symbolic sizes).
struct Domain {
  std::vector<std::string> variables;
  std::vector<Constraint> constraints;
  bool operator==(const Domain&) const = default;
  Domain substitute(const std::map<std::string, Affine>& replacements) const;  ///< constraints only
};
std::string to_string(const Domain& domain);

}  // namespace trellis::math
