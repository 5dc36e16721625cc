#pragma once
// What is looked up in the fibers of a level while loops run, as integer terms: the question that decides how it may be
// found (docs/design/layouts.md#queries).
//
//   for i in 0:n { y(i) = x(p(i)) }      asked: p(i), of the one fiber of x, by a loop over i that rises

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/format/promises.hpp"
#include "engine/math/affine.hpp"

namespace trellis::find {

/// An integer; quotients round down, remainders are not negative.
struct Term {
  enum class Kind { number, name, applied, sum, scaled, quotient, remainder } kind = Kind::number;
  std::int64_t number = 0;       ///< `scaled`: the factor; `quotient`, `remainder`: the divisor
  std::string name = {};         ///< of a loop's variable, a size, or of the index tensor that is applied
  std::vector<Term> parts = {};  ///< indices, terms of the sum, or the one operand
  bool operator==(const Term&) const = default;
};
Term number(std::int64_t value);
Term name(std::string name);
Term applied(std::string tensor, std::vector<Term> indices);
Term sum(std::vector<Term> parts);
Term scaled(std::int64_t factor, Term part);
Term quotient(Term part, std::int64_t divisor);
Term remainder(Term part, std::int64_t divisor);
Term term(const math::Affine& form);
/// Empty where an index tensor is applied.
std::optional<math::Affine> affine(const Term& term);
std::string to_string(const Term& term);

/// A loop around the look-up, outermost first. `any`: by entries in no order.
struct Loop {
  enum class Way { up, down, any };
  std::string variable;
  std::optional<Term> low, high;  ///< low <= variable < high, as far as known
  Way way = Way::up;
  bool operator==(const Loop&) const = default;
};

struct Query {
  std::vector<Loop> loops;
  std::vector<math::Constraint> assumed;             ///< of sizes
  std::vector<Term> fiber;                           ///< coordinates of the levels above
  Term asked;                                        ///< the coordinate that is looked up
  std::map<std::string, format::Promises> promises;  ///< of the index tensors that are applied
  bool operator==(const Query&) const = default;
};
std::string to_string(const Query& query);

}  // namespace trellis::find
