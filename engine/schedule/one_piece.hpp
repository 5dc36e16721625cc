#pragma once
// An operand's loops in one piece: those over its indices hold one another and nothing else, and what stood beside them
// has loops of its own. For `lead A` and `parallel A`.

#include <string>
#include <variant>
#include <vector>

#include "engine/schedule/nests.hpp"

namespace trellis::schedule {

using Variables = std::vector<std::string>;

/// What is asked for, for messages: "E0145" and "A cannot lead: ".
struct Purpose {
  std::string code, cannot;
  Unfit unfit(const std::string& why) const;
};

/// The variables that index the tensor, by dimension; an error where they are not the same everywhere, unless those of
/// the first read are asked for.
enum class Reads { alike, first };
std::variant<Variables, Unfit> variables_of(const loop::Stmt& loops, const std::string& tensor, const Purpose& purpose,
                                            Reads reads = Reads::alike);

/// The nest with the variables' loops in one piece, others inside.
Transformed in_one_piece(const loop::Stmt& loops, const std::string& tensor, const Variables& variables,
                         const Purpose& purpose, math::Solver& solver);

}  // namespace trellis::schedule
