#pragma once
// What the user says about how a kernel runs, resolved from the schedule commands of LANGUAGE section 5.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/text/source.hpp"

namespace trellis::lang {

struct LoopName {
  std::string name;
  bool descending = false;
  auto operator<=>(const LoopName&) const = default;
};

/// Outermost first; prints as `j k i-`.
using Order = std::vector<LoopName>;
std::string to_string(const Order& order);
/// From `j k i-`, also with commas as in `--set order=j,k,i-`; empty if it is not a list of names.
std::optional<Order> parse_order(const std::string& text);

/// The commands of LANGUAGE section 5, which are part of a program rather than done at once: `order`, `parallel`, `split`, …
bool is_schedule_command(std::string_view name);

struct Schedule {
  std::optional<Order> order;
  text::Span order_span;
  std::vector<text::Span> loop_spans;  ///< of each loop in `order`, where the user wrote it
  struct Parallel {
    std::string loop;
    text::Span span;
  };
  std::vector<Parallel> parallel;
};

}  // namespace trellis::lang
