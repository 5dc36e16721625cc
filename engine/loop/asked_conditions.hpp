#pragma once
// The conditions under which an element of a temporary is read, in terms of that element: where a loop reads t(i-1),
// and i is nothing but a way to say which element, `m(i)` is m(#0 + 1), #0 being the element's first index.

#include <optional>
#include <string>
#include <vector>

#include "engine/loop/conditional_reads.hpp"

namespace trellis::loop {

/// What has to be asked, in this order, before the read happens. Conditions are left out that depend on more than the
/// element and what is bound around everything; so is what is asked after one that might be needed to ask it.
std::vector<Expr> asked_conditions(const ConditionalRead& read, const lang::Program& program);

/// The same conditions at a place that computes the element with these indices.
std::vector<Expr> at_element(const std::vector<Expr>& conditions, const std::vector<Expr>& indices);

}  // namespace trellis::loop
