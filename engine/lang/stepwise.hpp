#pragma once
// Programs that grow statement by statement, as in a session: what stands by itself is resolved by itself, and not all
// that was there before with it.

#include <optional>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "engine/lang/program.hpp"

namespace trellis::lang {

/// What decides whether statements can be resolved without the text before them. Names alone join the two: a statement
/// stands by itself when it says nothing new about a name that the text before mentions, and when the program has what
/// it needs to know of the names that it mentions itself.
class Growth {
 public:
  using Statements = std::span<const syntax::Statement>;

  /// The statements have been resolved, behind all that it followed before: now the program is this, without errors.
  void follow(const Program& program, Statements statements);

  /// What tensors and equations that follow add to the program: their tensors, new sizes, and the equations in `main`.
  /// Empty, and nothing is said, where they do not stand by themselves or are wrong: then all is resolved together.
  std::optional<Program> addition(const Program& program, Statements more, text::Diagnostics& diagnostics,
                                  const Overrides& overrides) const;

 private:
  bool can_stand_alone(Statements more) const;
  void note(const syntax::Statement& statement);

  bool plain_ = true;                          ///< nothing but parameters, tensors, definitions, layouts and equations
  std::unordered_set<std::string> mentioned_;  ///< anywhere in the text
  std::unordered_set<std::string> defined_;    ///< by equations
  std::unordered_set<std::string> written_out_;  ///< functions, layouts, and parameters that are no plain numbers
};

/// The program becomes what all statements together resolve to.
void extend(Program& program, Program addition);

}  // namespace trellis::lang
