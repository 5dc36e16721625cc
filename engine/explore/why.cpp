#include "engine/explore/why.hpp"

#include <algorithm>
#include <map>

#include "engine/math/points.hpp"

namespace trellis::explore {
namespace {

using place::Fragment;

// Big enough that a pattern shows, small enough to count by hand.
constexpr std::int64_t extent_size = 3;

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

math::Point values_at(const std::vector<math::Affine>& index, const Fragment& f, const math::Point& point,
                      const math::Assignment& sizes) {
  math::Point element;
  for (const math::Affine& a : index) {
    const auto value = a.evaluate([&](const std::string& name) -> std::optional<std::int64_t> {
      for (std::size_t k = 0; k < f.domain.variables.size(); ++k)
        if (f.domain.variables[k] == name) return point[k];
      for (const auto& [size, number] : sizes)
        if (size == name) return number;
      return std::nullopt;
    });
    element.push_back(value.value_or(0));
  }
  return element;
}

std::optional<std::int64_t> coordinate(const Fragment& f, const math::Point& point, const std::string& name) {
  for (std::size_t k = 0; k < f.domain.variables.size(); ++k)
    if (f.domain.variables[k] == name) return point[k];
  return std::nullopt;
}

/// Does the order run the writing iteration after the reading one, going by the loops that both have?
bool runs_after(const lang::Order& order, const Fragment& writer, const math::Point& written, const Fragment& reader,
                const math::Point& at) {
  for (const lang::LoopName& loop : order) {
    const auto w = coordinate(writer, written, loop.name);
    const auto r = coordinate(reader, at, loop.name);
    if (!w || !r || *w == *r) continue;
    return loop.descending ? *w < *r : *w > *r;
  }
  return false;
}

const place::Read* read_of(const Fragment& reader, const place::Failure& failure) {
  const place::Read* found = nullptr;
  for (const place::Read& read : reader.reads)
    if (read.access.tensor == failure.instance.read && (!found || read.span == failure.read_span)) found = &read;
  return found;
}

std::optional<Extent> measure_extent(const place::Analysis& analysis, const lang::Order& order,
                                     const place::Failure& failure) {
  if (failure.reader < 0 || failure.writer < 0) return std::nullopt;
  const auto& fragments = analysis.fragments.fragments;
  const Fragment& reader = fragments[static_cast<std::size_t>(failure.reader)];
  const Fragment& writer = fragments[static_cast<std::size_t>(failure.writer)];
  const place::Read* read = read_of(reader, failure);
  if (!read) return std::nullopt;
  std::vector<math::Affine> index;
  for (const auto& a : read->index) {
    if (!a) return std::nullopt;
    index.push_back(*a);
  }
  const math::Assignment sizes = sizes_for(analysis, failure.instance);
  std::map<math::Point, math::Point> written_at;
  math::for_each_point(writer.domain, sizes, [&](const math::Point& p) {
    written_at.emplace(values_at(writer.write_index, writer, p, sizes), p);
  });
  math::Domain reading = reader.domain;
  reading.constraints.insert(reading.constraints.end(), read->guards.begin(), read->guards.end());

  Extent extent;
  for (const auto& [name, value] : sizes) extent.sizes.emplace_back(name, value);
  for (const lang::LoopName& loop : order) {
    const auto has = [&](const Fragment& f) { return std::ranges::count(f.domain.variables, loop.name) > 0; };
    if (has(reader) && has(writer)) extent.distances.push_back({loop.name, 0, 0});
  }
  math::for_each_point(reading, sizes, [&](const math::Point& at) {
    const auto write = written_at.find(values_at(index, reader, at, sizes));
    if (write == written_at.end()) return;
    ++extent.reads;
    if (!runs_after(order, writer, write->second, reader, at)) return;
    const bool first = extent.violations++ == 0;
    for (Extent::Distance& d : extent.distances) {
      const std::int64_t step = *coordinate(writer, write->second, d.name) - *coordinate(reader, at, d.name);
      d.least = first ? step : std::min(d.least, step);
      d.most = first ? step : std::max(d.most, step);
    }
  });
  if (extent.violations == 0) return std::nullopt;
  return extent;
}

std::string swaps_in_words(int swaps) {
  static const char* const words[] = {"no swap", "one swap", "two swaps", "three swaps"};
  return swaps < 4 ? words[swaps] : std::to_string(swaps) + " swaps";
}

}  // namespace

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
  Why result{order, false, {}, {}, {}};
  const place::Placement placement = place::place(analysis, order);
  const auto* rejected = std::get_if<place::Rejected>(&placement);
  result.legal = rejected == nullptr;
  if (result.legal) return result;
  result.failure = rejected->failure;
  result.extent = measure_extent(analysis, order, rejected->failure);
  result.nearest = nearest_legal(analysis, order);
  return result;
}

text::Diagnostic to_diagnostic(const Why& why, text::Span order_span) {
  text::Diagnostic d;
  const place::Failure& failure = *why.failure;
  d.code = "E0101";
  d.message = "order " + lang::to_string(why.order) + " " + failure.reason;
  d.span = failure.read_span;
  d.label = failure.loop.empty() ? "" : "read here";
  if (failure.write_span.known()) d.notes.push_back({failure.write_span, "computed here"});
  if (order_span.known())
    d.notes.push_back({order_span, failure.loop.empty() ? "the order" : "loop " + failure.loop + " comes too early"});
  d.instance = failure.instance;
  if (!failure.instance.read.empty()) d.instance_text = text::to_string(failure.instance);
  if (why.extent) d.extent = to_string(*why.extent);
  for (const Verdict& verdict : why.nearest.orders)
    d.fixes.push_back({"order " + lang::to_string(verdict.order), swaps_in_words(verdict.distance), verdict.distance});
  if (why.nearest.orders.empty())
    d.notes.push_back({{}, why.nearest.complete ? "no order of these loops is legal"
                                                : "no legal order was found near this one within 200 ms"});
  return d;
}

}  // namespace trellis::explore
