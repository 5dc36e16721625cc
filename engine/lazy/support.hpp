#pragma once
// Where an expression may differ from its fill, whatever operands hold (docs/design/arrays.md#support). What is stored
// of a result, and whether it is sparse at all, follows from this, never from data.
//
//   support := everywhere | nowhere | Stored(table) | Union(support…) | Intersection(support…)
//            | Projection({field}, support) | Moved(shape, part, support)

#include <string>
#include <variant>
#include <vector>

#include "engine/lazy/logic.hpp"

namespace trellis::lazy {

struct SupportNode;
using Support = text::Handle<SupportNode>;

// clang-format off
struct Everywhere { bool operator==(const Everywhere&) const = default; };
struct Nowhere { bool operator==(const Nowhere&) const = default; };
/// Where the table stores something, at the points of its fields.
struct Stored { Expr table; bool operator==(const Stored&) const = default; };
struct Union { std::vector<Support> of; bool operator==(const Union&) const = default; };
struct Intersection { std::vector<Support> of; bool operator==(const Intersection&) const = default; };
/// At the points for which there are coordinates of `over` with which they are in it.
struct Projection { Fields over; Support of; bool operator==(const Projection&) const = default; };
/// Where the shape operator puts that part's points.
struct Moved { Expr shape; std::size_t part; Support of; bool operator==(const Moved&) const = default; };
struct SupportNode {
  std::variant<Everywhere, Nowhere, Stored, Union, Intersection, Projection, Moved> is;
  bool operator==(const SupportNode&) const = default;
};
// clang-format on

/// A superset of the points at which the expression differs from its fill; a field that it lacks is free there.
/// `is_full`: tables that store every element, and are everywhere.
Support support_of(const Expr& expr, text::FunctionRef<bool(const Table&)> is_full);
/// With no table taken for full.
Support support_of(const Expr& expr);
/// `A ∩ B`, `∃(A ∪ concat(B))`: tables by name, without their fields.
std::string to_string(const Support& support);

}  // namespace trellis::lazy
