#pragma once
// Why an order is illegal: the read that comes before its write, the smallest instance, how widespread it is, and the
// nearest orders that are legal, each checked before it is offered.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/explore/orders.hpp"
#include "engine/place/place.hpp"
#include "engine/schedule/apply.hpp"
#include "engine/text/diagnostic.hpp"

namespace trellis::explore {

/// The size that reads are counted at: big enough that a pattern shows, small enough to count by hand.
constexpr std::int64_t extent_size = 3;

/// How many of the reads of one access come before their write when the order is followed all the same, at small sizes.
struct Extent {
  std::int64_t violations = 0;
  std::int64_t reads = 0;
  text::Point sizes;
  /// Smallest and largest distance (reading minus writing iteration) per loop name shared by both (the writer's
  /// reductions apart), over the violations.
  struct Distance {
    std::string name;
    std::int64_t least = 0, most = 0;
  };
  std::vector<Distance> distances;
};
std::string to_string(const Extent& extent);
/// Notes how many reads there are at these sizes, and those sizes on which that depends.
void count_reads(Extent& extent, const math::Domain& reading, const math::Assignment& sizes);

struct Why {
  lang::Order order;
  bool legal = false;
  std::string reason;       ///< when illegal, one line
  text::Instance instance;  ///< and where it shows; reads nothing when the loops cannot take the order at all
  std::optional<place::Failure> failure;     ///< of equations
  std::optional<schedule::Refusal> refusal;  ///< of a loop program
  std::optional<Extent> extent;              ///< when it is a single dependence
  Nearest nearest;
  std::vector<std::string> reassociated =
      {};  ///< when legal: sums that are added up in another order than the equations say
  std::vector<text::Fix> renamings = {};  ///< when no order at all is legal: equations with an index of their own
  std::vector<text::Note> advice = {};    ///< what is to be done where no fix says it
};

Why why(const place::Analysis& analysis, const lang::Order& order);

/// Of equations, the same as an error to print, E0101 (docs/design/language.md#errors). `order_span` is where the user
/// wrote the order, `loop_spans` where each of its loops, if that is known.
text::Diagnostic to_diagnostic(const Why& why, text::Span order_span, const std::vector<text::Span>& loop_spans = {});

/// Adds the extent, and the nearest legal orders as fixes or the note that there are none.
void add_remedies(text::Diagnostic& diagnostic, const Why& why);

}  // namespace trellis::explore
