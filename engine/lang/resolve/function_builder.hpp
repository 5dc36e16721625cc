#pragma once
// A clause of a definition as a function of operands whose types are known.

#include <map>
#include <string>
#include <vector>

#include "engine/lang/resolve/types.hpp"

namespace trellis::lang::resolving {

/// What the clause gives: its expression, or that of its body's last step.
const syntax::Expr& value_of(const syntax::Clause& clause);

/// Operands have the types given; a local has the one that decides among what it is assigned.
std::map<std::string, Natural> types_in(const Resolution& resolution, const syntax::Clause& clause,
                                        const std::vector<format::ScalarType>& operands);

class FunctionBuilder {
 public:
  FunctionBuilder(Resolution& resolution, const syntax::Clause& clause, const std::vector<format::ScalarType>& types);

  /// Without a name; empty when something was reported.
  std::optional<Function> build();
  /// A literal of a property, in the type of what it stands for; empty when something was reported.
  std::optional<format::Value> literal(const syntax::Expr& e, format::ScalarType type);

 private:
  Expr expr(const syntax::Expr& e, format::ScalarType type);
  std::vector<FunctionStep> steps(const syntax::Body& body);

  Resolution& resolution_;
  const syntax::Clause& clause_;
  const std::vector<format::ScalarType>& types_;
  std::map<std::string, Natural> locals_;
  Draft draft_;
  std::vector<std::string> scope_;
  Elaborator elaborator_;
  bool sound_ = true;
};

}  // namespace trellis::lang::resolving
