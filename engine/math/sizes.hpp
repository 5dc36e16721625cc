#pragma once
// Products of sizes. Affine forms know no products, so one of several sizes is a name of its own, `m*n`: its factors in
// order, joined by
// `*`. What evaluates or replaces names looks at the factors (affine.cpp); isl sees a name like any other.

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/math/affine.hpp"

namespace trellis::math {

/// What the name multiplies: `m*n` gives m and n, any other name itself.
std::vector<std::string> factors_of(const std::string& name);
bool is_product(const std::string& name);
std::string product_name(std::vector<std::string> factors);

/// The product of two forms over sizes; empty where one that is no constant has quotients.
std::optional<Affine> product(const Affine& a, const Affine& b);
/// `whole / part`, where that is a form whatever the sizes are.
std::optional<Affine> exact_quotient(const Affine& whole, const Affine& part);

/// Every name, products taken apart.
void collect_factors(const Affine& size, std::set<std::string>& into);

}  // namespace trellis::math
