#pragma once
// Placement: fragments into the user's loop order, greedily, or the reason why that cannot be
// (docs/design/placement.md).
//
//   analyse(kernel)            fragments and exact dependences, once for all orders; ill-founded, overlapping and
//                              out-of-range definitions are found here
//   place(analysis, order)     a certified loop nest with the events of its making, or a Failure

#include <optional>
#include <string>
#include <vector>

#include "engine/place/analysis.hpp"
#include "engine/place/placement.hpp"
#include "engine/text/diagnostic.hpp"

namespace trellis::place {

/// Empty when the definitions themselves are wrong; `diagnostics` then says where, with an instance.
std::optional<Analysis> analyse(const lang::Program& program, const lang::Kernel& kernel,
                                text::Diagnostics& diagnostics);

text::Text print(const Graph& graph, const Fragments& fragments);

const char* name_of(Event::Kind kind);

Placement place(const Analysis& analysis, const lang::Order& order);

/// The same as `place`, with one buffer for these tensors also where a loop comes to run in order by it.
/// Each event holds the nest as it stood, so that their size is the square of the number of fragments: who shows none
/// drops them.
enum class Events { kept, dropped };
Placement place(const Analysis& analysis, const lang::Order& order, const std::vector<std::string>& in_place,
                Events events = Events::kept);

/// The order with those variables innermost, in the order in which they stand, that it does not list and for which none
/// of its loops can stand.
lang::Order completed(const Analysis& analysis, const lang::Order& order);

/// Places any order that names enough loops: dependences that stand in its way are dropped, and only those. Empty when
/// a variable finds no loop.
std::optional<Replay> place_ignoring(const Analysis& analysis, const lang::Order& order);

/// Legality only: no nest, no events kept. What `orders` asks thousands of times.
bool is_legal(const Analysis& analysis, const lang::Order& order);

/// The compiler's own choice when the user gives none, before anything has a size: of the legal ascending orders the
/// first of those with the fewest strided accesses in the innermost loops, preferring an outermost forall
/// (preference.hpp). Of more than a few loops not all orders are tried: where none is found there may be one.
constexpr std::size_t few_loops = 6;
std::optional<lang::Order> choose_order(const Analysis& analysis);

/// The order to place in: the user's, or the compiler's own choice. Empty, and E0105, when none is legal.
std::optional<lang::Order> order_for(const Analysis& analysis, const lang::Schedule& schedule, text::Diagnostics&);

/// "place V(i,0)".
std::string to_string(const Event& event);
/// The nest as far as it stands after the first `count` events, each fragment with `# ready V(i,0)` behind it once
/// that is known. Spans are of stage fragments.
text::Text print_sketch(const std::vector<Event>& events, std::size_t count, const Fragments& fragments);
/// Spans are of stage placement, numbered from `first` on: the loops that are shown above have the numbers before.
text::Text print_events(const std::vector<Event>& events, int first = 0);

}  // namespace trellis::place
