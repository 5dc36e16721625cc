#pragma once
// What one level of an operand offers at one loop: an ordered stream of disjoint regions of the loop's coordinate
// (docs/design/overview.md#one-lattice). A level, behind adapters that turn what is stored into coordinates of the loop
// (docs/design/coiteration.md#adapters):
//
//   A(i)       A.1                          regions as they are stored
//   A(i-2)     A.1 | shift 2                moved
//   A(n-1-i)   A.1 | reverse n - 1          rising becomes falling
//   A(2*i)     A.1 | slice 2                what the step leaves out is passed by
//   A(i/2)     A.1 | stretch 2              a point becomes a run
//   A(k/8,k%8) 8*A.1 + A.2                  two levels as one, by keys (access/product.hpp)
//   A(8*i+j)   A.1 | segments 8             at a loop over i, with one over j inside: entries of one i together
//   A(i), i in 2:m       A.1 | window 0:n   the level's range, where it is not known to be that of the loop
//
// Any chain of them is one inverse map and one window, in which coiteration, the emitter and the interpreter read it.
// No adapter is a mask: a condition on the loop's variable becomes bounds where it is affine (loop/hoist_guards,
// loop/split_bounds); where it reads operands, what they store bounds the support of what it guards
// (coiterate/support); what is left is tested.

#include <optional>
#include <string>

#include "engine/access/inverse.hpp"
#include "engine/access/level_index.hpp"
#include "engine/access/product.hpp"
#include "engine/format/level.hpp"

namespace trellis::access {

/// A loop's variable and bounds, low <= variable < high; those that are not affine are left out.
struct Extent {
  std::string variable;
  std::optional<math::Affine> low, high;
};

/// Outside of it, the level offers nothing.
struct Window {
  math::Affine low, high;  ///< low <= coordinate of the loop < high
  bool below = true;       ///< it may hold something before the loop's low bound,
  bool above = true;       ///< or from its high bound on
  bool spans = false;      ///< all of the loop is in it
  bool operator==(const Window&) const = default;

  bool is_extent() const { return spans && !below && !above; }
};

/// Of what stores coordinates from the first to the last.
Window window(const Inverse& inverse, const Inverse::Stored& stored, const Extent& loop,
              const NonNegative& non_negative);

struct Sequence {
  std::string tensor;
  int level = 0;
  format::Facts stored;  ///< of the level
  Inverse inverse = {};  ///< the loop's coordinate of what is stored
  Window window = {};
  bool full = false;              ///< it has an entry at every coordinate of the loop
  std::vector<Digit> above = {};  ///< of a product: levels above that are walked with it, outermost first
  math::DigitMap own = {};        ///< of a product: the last digit of what is stored
  bool operator==(const Sequence&) const = default;

  bool is_product() const { return !above.empty(); }
  bool takes_segments() const { return inverse.width > 1; }
  int first_level() const { return above.empty() ? level : above.front().level; }

  /// Regions may hold more than one coordinate: the loop can go through them at once.
  bool has_regions() const { return stored.region != format::Region::point; }
};

/// Where the level has its entries, and which of its index is known in the loop.
struct Place {
  Inverse::Stored stored;  ///< from which coordinate to which: of the level, or of a segment of it
  /// What loops inside will add to the rest.
  struct Inner {
    math::Affine known;
    Inverse::Stored added;
  };
  std::optional<Inner> inner;
  std::optional<Product> product = {};  ///< the level is the last one of it
};

/// What a level whose index varies with the loop's variable offers, where its fiber may be missing; nothing where the
/// index cannot be turned around, or an entry would be at several coordinates of which some repeat.
std::optional<Sequence> sequence(const lang::Access& access, const lang::TensorInfo& info, int level,
                                 const format::Facts& facts, const Place& place, const Extent& loop,
                                 const NonNegative& non_negative);

/// Levels are counted from 1: `A.2`.
std::string level_name(const std::string& tensor, int level);
/// The loop's coordinate of what is stored: `8*A.1 + A.2 - 3`, `c.1 / 8`.
std::string coordinate_text(const Sequence& sequence);
/// `A.2 | reverse n - 1 | slice 2 | window 0:n/2`, levels counted from 1.
std::string to_string(const Sequence& sequence);

}  // namespace trellis::access
