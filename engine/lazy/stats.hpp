#pragma once
// How much expressions store, without computing them: entries, and for each field how many entries each coordinate has,
// the degrees (docs/design/arrays.md#statistics). Of tables they are counted, of all else they are expected values for
// operands with these degrees that know nothing of each other.

#include <map>
#include <span>
#include <string>
#include <vector>

#include "engine/lazy/support.hpp"
#include "engine/tensor/tensor.hpp"

namespace trellis::lazy {

/// Of a tensor: in one pass over what it stores, padding left out. `degrees[d][x]`: entries at coordinate x of
/// dimension d.
struct Counted {
  double entries = 0;
  std::vector<std::vector<double>> degrees;
};
Counted count_entries(const tensor::Tensor& tensor);
using CountedTables = std::map<std::string, Counted>;

/// Of a set of points over some fields.
struct Statistics {
  Fields fields;
  double entries = 0;                        ///< expected
  std::vector<std::vector<double>> degrees;  ///< by field, in their order; each sums to `entries`

  static Statistics full(const Fields& fields);
  static Statistics empty(const Fields& fields);
  /// Of all points there are.
  double density() const;
};

/// As a table whose dimensions are these fields, each of them once.
Counted counted(const Statistics& of, const std::vector<Field>& fields);
/// The table's entries at these fields, of which one may stand twice.
Statistics at(const Counted& counted, const std::vector<Field>& fields);

/// What is in all of them, over all fields of any of them: Π entries · Π over shared fields x of Σₓ Π shares, which is
/// exact for two of which each field has one operand or, of one field, two.
Statistics joined(std::span<const Statistics> parts);
double joined_entries(std::span<const Statistics* const> parts);
/// What is in any of them: a + b - a·b/N, or a + b where no point is in two of them.
enum class Overlap { none, by_chance };
Statistics united(std::span<const Statistics> parts, Overlap overlap = Overlap::by_chance);
/// Coordinates of the other fields at which there is anything. One that λ entries hit on average is there with 1 -
/// e^-λ; coordinates of like degree are taken together where there are several fields.
Statistics reduced(const Statistics& of, const Fields& over);
/// Over more fields, along which it repeats.
Statistics repeated(const Statistics& of, const Fields& fields);

/// The same with so many entries, but no more than there are points.
Statistics scaled(const Statistics& of, double entries);

/// What a result with this support stores, over `fields`. Tables that are not in `tables` count as full.
Statistics estimate(const Support& support, const Fields& fields, const CountedTables& tables);

}  // namespace trellis::lazy
