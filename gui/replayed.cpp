#include "gui/replayed.hpp"

#include <algorithm>

#include "gui/views/views.hpp"

namespace trellis::gui {

std::size_t Replayed::violation_number() const {
  if (violations.empty()) return 0;
  const auto& all = drawn->account.violations;
  return static_cast<std::size_t>(std::ranges::lower_bound(all, now(), {}, &explore::Violation::reads) - all.begin()) +
         1;
}

text::Point Replayed::sizes(const session::ExplainedView& explained) const {
  text::Point sizes;
  const auto& extent = explained.why ? explained.why->extent : std::nullopt;
  for (const auto& [name, value] : execution->before.parameters) {
    const bool counts =
        !extent || std::ranges::any_of(extent->sizes, [&](const auto& one) { return one.first == name; });
    if (counts && format::is_integer(value.type)) sizes.emplace_back(name, value.as_integer());
  }
  return sizes;
}

Replayed replayed(const Scene& scene) {
  Replayed out;
  if (!scene.execution() || !scene.drawn()) return out;
  out.execution = scene.execution();
  out.drawn = scene.drawn();
  out.fragments = &scene.explained()->fragments;
  out.at = std::min(scene.steps.execution, out.length());
  if (out.at == 0) return out;
  out.step = &out.execution->trace.steps[out.now()];
  if (scene.predict) return out;
  const auto [begin, end] =
      std::ranges::equal_range(out.drawn->account.violations, out.now(), {}, &explore::Violation::reads);
  out.violations.assign(begin, end);
  return out;
}

void draw_no_execution(const Scene& scene, Ui& ui, Rect area) {
  if (!scene.snapshot->program)
    return draw_nothing(ui, area, "There is no program yet.", "Write one, or open an example with Ctrl+G.");
  if (!scene.kernel)
    return draw_nothing(ui, area, "The program has no kernel.", "Write an equation, such as y(i) = A(i,j) * x(j).");
  const session::ExplainedView* explained = scene.explained();
  if (explained && !explained->execution && !explained->undrawn.all().empty()) {
    const text::Diagnostic& why = explained->undrawn.all().front();
    return draw_nothing(ui, area, why.message, why.notes.empty() ? "" : why.notes.front().message);
  }
  if (explained && !explained->execution)
    return draw_nothing(ui, area, "This kernel cannot be stepped through.", "Explain says why.");
  draw_nothing(ui, area, scene.busy ? "Being executed …" : "Nothing has been executed yet.");
}

const Places& places_of(const Scene& scene, Ui& ui) {
  auto& kept = ui.memory<std::shared_ptr<const Places>>("places");
  const auto& execution = scene.explained()->execution;
  if (!kept || kept->of != execution)
    kept = std::make_shared<const Places>(
        Places{execution, view::points_or_loops(execution->trace, scene.drawn()->account.points)});
  return *kept;
}

view::EquationIndices equation_of(const Scene& scene, const Places& places, std::size_t step) {
  const explore::StepPoint& point = places.points[step];
  if (point.fragment >= 0) {
    const auto& fragments = scene.explained()->fragments;
    return view::indices_of(fragments, fragments.fragments[static_cast<std::size_t>(point.fragment)].equation);
  }
  view::EquationIndices of;
  of.fragments.insert(point.fragment);
  for (const auto& [name, value] : point.point) of.variables.push_back(name);
  return of;
}

float draw_point(const Scene& scene, Ui& ui, Point at, const text::Point& point) {
  for (const auto& [name, value] : point)
    at.x = ui.tag(at, name + "=" + std::to_string(value), colour_of_index(scene, ui.theme(), name)).right() + 6;
  return at.x;
}

}  // namespace trellis::gui
