#include "engine/schedule/wording.hpp"

#include <algorithm>

namespace trellis::schedule {
namespace {

bool writes(const Touch& touch) { return touch.kind != Touch::Kind::read; }

text::Point visible(const math::Assignment& point) {
  text::Point result;
  for (const auto& entry : point)
    if (entry.first.find('#') == std::string::npos) result.push_back(entry);
  return result;
}

std::optional<std::vector<std::int64_t>> element(const Touch& touch, const math::Assignment& point,
                                                 const math::Assignment& sizes) {
  std::vector<std::int64_t> index;
  for (const auto& form : touch.index) {
    const auto value =
        !form ? std::nullopt : form->evaluate([&](const std::string& name) -> std::optional<std::int64_t> {
          for (const auto* names : {&point, &sizes})
            for (const auto& [known, number] : *names)
              if (known == name) return number;
          return std::nullopt;
        });
    if (!value) return std::nullopt;
    index.push_back(*value);
  }
  return index;
}

// Of the two, one may name the element where the other cannot.
std::vector<std::int64_t> element(const Violation& v) {
  const Touch &first = v.dependence.first, &second = v.dependence.second;
  const auto one = element(first, v.source, v.sizes), two = element(second, v.sink, v.sizes);
  if (one && two) return one->size() >= two->size() ? *one : *two;
  return one.value_or(two.value_or(std::vector<std::int64_t>{}));
}

std::string iteration(const math::Assignment& point) {
  const text::Point shown = visible(point);
  return shown.empty() ? "the statement" : "iteration " + text::to_string(shown);
}

}  // namespace

std::string to_string(const Violation& v) {
  const Touch &first = v.dependence.first, &second = v.dependence.second;
  const std::string what = text::element_text(first.tensor, element(v)),
                    where = v.sizes.empty() ? "" : "at " + text::to_string(v.sizes) + ": ";
  if (!writes(first))
    return where + iteration(v.source) + " reads " + what + ", which " + iteration(v.sink) + " then writes";
  if (!writes(second))
    return where + iteration(v.sink) + " reads " + what + ", which " + iteration(v.source) + " writes";
  return where + iteration(v.source) + " writes " + what + ", and " + iteration(v.sink) + " writes it again";
}

text::Instance to_instance(const Violation& v) {
  const bool reads_first = !writes(v.dependence.first);
  return {v.dependence.first.tensor, visible(reads_first ? v.source : v.sink), element(v),
          visible(reads_first ? v.sink : v.source), v.sizes};
}

std::string describe(const Dependence& d) {
  const auto name = [](const Touch& touch) {
    std::string indices;
    for (const auto& index : touch.index)
      indices += (indices.empty() ? "" : ",") + (index ? math::to_string(*index) : "…");
    return indices.empty() ? touch.tensor : touch.tensor + "(" + indices + ")";
  };
  const std::string first = name(d.first), second = name(d.second);
  if (!writes(d.first)) return "it reads " + first + " before " + second + " is written";
  if (!writes(d.second)) return "it reads " + second + " after " + first + " is written";
  return "it writes " + first + " before " + second + " is written";
}

text::Span span_of(const lang::ScheduleStep& step, const std::string& loop) {
  const auto at = std::ranges::find(step.loops, loop);
  const auto k = static_cast<std::size_t>(at - step.loops.begin());
  return k < step.loop_spans.size() ? step.loop_spans[k] : step.span;
}

text::Diagnostic error(std::string code, text::Span span, std::string message) {
  text::Diagnostic d;
  d.code = std::move(code);
  d.span = span;
  d.message = std::move(message);
  return d;
}

void show(text::Diagnostic& d, const Violation& violation) {
  d.instance = to_instance(violation);
  d.instance_text = to_string(violation);
}

}  // namespace trellis::schedule
