#pragma once
// Loops on threads whose iterations append: all of them count what they will append, counts become positions, and then
// all of them fill (flow/count_appends.hpp).

#include "engine/emit/context.hpp"
#include "engine/emit/count.hpp"
#include "engine/emit/threads.hpp"

namespace trellis::emit {

struct CountedLoop {
  Threads::Work work;
  flow::Stmt counting;
  c::Expr low, high;  ///< of all coordinates, those that no iteration is for among them
};

/// What an iteration does, at the coordinate that a variable has.
using AtCoordinate = std::function<void(const std::string& variable)>;

/// Results that a loop's body appends to.
std::vector<const flow::Tensor*> appended_in(const flow::Flow& flow, const flow::Stmt& body);

/// `iterations` adds the `for`, twice.
void count_then_fill(Context& out, Threads& threads, Counts& counts, const Body& body, const CountedLoop& loop,
                     const std::function<void(const AtCoordinate& inside)>& iterations);

}  // namespace trellis::emit
