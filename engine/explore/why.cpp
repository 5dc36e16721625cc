#include "engine/explore/why.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include "engine/math/points.hpp"
#include "engine/place/no_order.hpp"

namespace trellis::explore {
namespace {

math::Assignment sizes_for(const place::Analysis& analysis, const text::Instance& instance) {
  math::Assignment sizes;
  for (const lang::ParameterInfo& p : analysis.program.parameters) {
    if (p.real) continue;
    std::int64_t size = extent_size;
    for (const auto& [name, value] : instance.sizes)
      if (name == p.name) size = std::max(size, value);
    sizes.emplace_back(p.name, size);
  }
  return sizes;
}

/// The loops that both have and that say which element is written, with their distances over the pairs seen so far.
class Distances {
 public:
  Distances(const lang::Order& order, const place::Fragment& writer, const place::Fragment& reader) {
    const auto position = [](const std::vector<std::string>& names, const std::string& name) {
      return std::ranges::find(names, name) - names.begin();
    };
    const auto &written = writer.domain.variables, &read = reader.domain.variables;
    for (const lang::LoopName& loop : order) {
      const auto w = position(written, loop.name), r = position(read, loop.name);
      if (w == std::ssize(written) || r == std::ssize(read) || std::ranges::count(writer.reduced, loop.name) > 0)
        continue;
      columns_.emplace_back(static_cast<std::size_t>(w), written.size() + static_cast<std::size_t>(r));
      distances_.push_back(
          {loop.name, std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()});
    }
  }

  void add(const math::Point& pair) {
    for (std::size_t k = 0; k < columns_.size(); ++k) {
      const std::int64_t step = pair[columns_[k].second] - pair[columns_[k].first];
      distances_[k].least = std::min(distances_[k].least, step);
      distances_[k].most = std::max(distances_[k].most, step);
    }
  }

  std::vector<Extent::Distance> take() { return std::move(distances_); }

 private:
  std::vector<std::pair<std::size_t, std::size_t>>
      columns_;  ///< in a pair: where the loop stands for writer and reader
  std::vector<Extent::Distance> distances_;
};

/// What a replay of the order violates of the dependence that the failure names.
std::optional<Extent> measure_extent(const place::Analysis& analysis, const place::Failure& failure,
                                     const lang::Order& order) {
  if (lang::has_tiles(order)) return std::nullopt;  // it is about all partitions: there are no points to count
  const auto replay = place::place_ignoring(analysis, order);
  if (!replay) return std::nullopt;
  const auto found = std::ranges::find_if(replay->violated, [&](const place::Violation& v) {
    const bool whole =
        failure.read_span == analysis.fragments.fragments[static_cast<std::size_t>(v.reader)].span;  // a reduction
    return v.reader == failure.reader && v.writer == failure.writer && (whole || v.read_span == failure.read_span);
  });
  if (found == replay->violated.end()) return std::nullopt;
  const auto& fragments = analysis.fragments.fragments;
  const place::Fragment& reader = fragments[static_cast<std::size_t>(found->reader)];
  const math::Assignment sizes = sizes_for(analysis, found->instance);
  Distances distances(order, fragments[static_cast<std::size_t>(found->writer)], reader);
  std::set<math::Point> late;
  for (const math::Domain& pairs : found->pairs) {
    math::for_each_point(pairs, sizes, [&](const math::Point& pair) {
      late.emplace(pair.end() - std::ssize(reader.domain.variables), pair.end());
      distances.add(pair);
    });
  }
  if (late.empty()) return std::nullopt;

  Extent extent;
  extent.violations = std::ssize(late);
  math::Domain reading = reader.domain;
  const auto& guards = reader.reads[static_cast<std::size_t>(found->read)].guards;
  reading.constraints.insert(reading.constraints.end(), guards.begin(), guards.end());
  count_reads(extent, reading, sizes);
  extent.distances = distances.take();
  return extent;
}

std::string swaps_in_words(int swaps) {
  static const char* const words[] = {"no swap", "one swap", "two swaps", "three swaps"};
  return swaps < 4 ? words[swaps] : std::to_string(swaps) + " swaps";
}

/// Under the loop that is at fault when the user wrote it, else under the whole order.
text::Note blame_loop(const lang::Order& order, const place::Failure& failure, text::Span order_span,
                      const std::vector<text::Span>& loop_spans) {
  const auto loop = std::ranges::find_if(order, [&](const lang::LoopName& l) { return l.name == failure.loop; });
  if (loop == order.end()) return {order_span, "the order"};
  const auto position = static_cast<std::size_t>(loop - order.begin());
  if (position < loop_spans.size())
    return {loop_spans[position], failure.fault.empty() ? "this loop comes too early" : failure.fault};
  return {order_span, "loop " + failure.loop + (failure.fault.empty() ? " comes too early" : ": " + failure.fault)};
}

}  // namespace

void count_reads(Extent& extent, const math::Domain& reading, const math::Assignment& sizes) {
  math::for_each_point(reading, sizes, [&](const math::Point&) { ++extent.reads; });
  std::set<std::string> named;
  for (const math::Constraint& c : reading.constraints) {
    c.left.collect_names(named);
    c.right.collect_names(named);
  }
  for (const auto& [name, value] : sizes)
    if (named.contains(name)) extent.sizes.emplace_back(name, value);
}

std::string to_string(const Extent& extent) {
  std::string out = std::to_string(extent.violations) + " of " + std::to_string(extent.reads) + " reads";
  if (!extent.sizes.empty()) out += " at " + text::to_string(extent.sizes);
  if (extent.distances.empty()) return out;
  std::string names, values;
  for (const Extent::Distance& d : extent.distances) {
    names += (names.empty() ? "" : ",") + d.name;
    values += (values.empty() ? "" : ", ") + std::to_string(d.least);
    if (d.most != d.least) values += ".." + std::to_string(d.most);
  }
  return out + "; distance (" + names + ") = (" + values + ")";
}

Why why(const place::Analysis& analysis, const lang::Order& order) {
  Why result{order, false, {}, {}, {}, {}, {}, {}};
  const place::Placement placement = place::place(analysis, order);
  const auto* rejected = std::get_if<place::Rejected>(&placement);
  result.legal = rejected == nullptr;
  if (result.legal) {
    for (const place::Reassociated& sum : std::get<place::Placed>(placement).certificate.reassociated)
      result.reassociated.push_back(sum.words);
    return result;
  }
  result.failure = rejected->failure;
  result.reason = rejected->failure.reason;
  result.instance = rejected->failure.instance;
  result.extent = measure_extent(analysis, rejected->failure, order);
  result.nearest = nearest_legal(judge(analysis), order);
  if (result.nearest.orders.empty() && !result.nearest.complete)
    if (auto chosen = place::choose_order(analysis))
      result.nearest.orders.push_back({std::move(*chosen), 0, true, {}, {}, {}});
  if (result.nearest.orders.empty() && result.nearest.complete)
    if (const auto both = place::needed_both_ways(analysis, order)) {
      text::Diagnostic own;
      own.span = rejected->failure.read_span;
      place::offer_own_loop(analysis, *both, own);
      result.renamings = std::move(own.fixes);
      result.advice = std::move(own.notes);
    }
  return result;
}

text::Diagnostic to_diagnostic(const Why& why, text::Span order_span, const std::vector<text::Span>& loop_spans) {
  text::Diagnostic d;
  const place::Failure& failure = *why.failure;
  d.code = "E0101";
  d.message = "order " + lang::to_string(why.order) + " " + failure.reason;
  d.span = failure.read_span;
  d.label = failure.need;
  if (failure.write_span.known()) d.notes.push_back({failure.write_span, "computed here"});
  if (order_span.known()) d.notes.push_back(blame_loop(why.order, failure, order_span, loop_spans));
  d.instance = failure.instance;
  if (!failure.instance.read.empty()) d.instance_text = text::to_string(failure.instance);
  add_remedies(d, why);
  return d;
}

void add_remedies(text::Diagnostic& d, const Why& why) {
  if (why.extent) d.extent = to_string(*why.extent);
  for (const Verdict& verdict : why.nearest.orders)
    d.fixes.push_back({"order " + lang::to_string(verdict.order),
                       verdict.distance == 0 ? "the compiler's own choice" : swaps_in_words(verdict.distance),
                       verdict.distance});
  if (why.nearest.orders.empty())
    d.notes.push_back({{},
                       why.nearest.complete ? "no order of these loops is legal"
                                            : "no legal order was found near this one within 200 ms"});
  d.fixes.insert(d.fixes.end(), why.renamings.begin(), why.renamings.end());
  d.notes.insert(d.notes.end(), why.advice.begin(), why.advice.end());
}

}  // namespace trellis::explore
