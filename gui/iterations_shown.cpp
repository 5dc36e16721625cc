#include "gui/iterations_shown.hpp"

#include <algorithm>

namespace trellis::gui {
namespace {

using view::Iterations;

/// What the user wants to see, as long as nothing is stepped.
struct ChosenSlice {
  std::shared_ptr<const session::Recorded> of;
  std::size_t at = 0;
  std::optional<text::Point> slice;
};

text::Point slice_at(const std::vector<std::string>& variables, const text::Point& point) {
  text::Point slice;
  for (std::size_t v = 3; v < variables.size(); ++v)
    for (const auto& one : point)
      if (one.first == variables[v]) slice.push_back(one);
  return slice;
}

/// The step whose equation is shown: the last one taken, before the first the one that comes.
std::size_t shown_step(const Replayed& r) { return r.at == 0 ? 0 : r.now(); }

// What elements do not tell the point of, such as a buffer for one step, stands in its loops.
std::vector<explore::StepPoint> points_by_loops(const Replayed& r, const Places& places, std::size_t step) {
  const auto& steps = r.execution->trace.steps;
  const int statement = steps[step].statement;
  std::vector<explore::StepPoint> points = places.points;
  for (std::size_t k = 0; k < points.size(); ++k)
    if (steps[k].statement == statement) points[k] = {view::statement_equation(statement), steps[k].loops};
  return points;
}

IterationsShown gathered(const std::vector<explore::StepPoint>& points, view::EquationIndices equation,
                         std::size_t step, const std::optional<text::Point>& chosen) {
  IterationsShown shown;
  shown.equation = std::move(equation);
  shown.chosen = chosen.has_value();
  shown.slice = chosen ? *chosen : slice_at(shown.equation.variables, points[step].point);
  shown.slices = view::slices_of(points, shown.equation);
  shown.iterations = view::iterations_of(points, shown.equation, shown.slice);
  return shown;
}

IterationsShown gathered_at(const Scene& scene, const Replayed& r, const Places& places,
                            const std::optional<text::Point>& chosen) {
  const std::size_t step = shown_step(r);
  IterationsShown shown = gathered(places.points, equation_of(scene, places, step), step, chosen);
  if (shown.iterations.place_of_step[step] < 0 && (!chosen || shown.iterations.places.empty())) {
    view::EquationIndices own{{}, {view::statement_equation(r.execution->trace.steps[step].statement)}};
    for (const auto& [name, value] : r.execution->trace.steps[step].loops) own.variables.push_back(name);
    shown = gathered(points_by_loops(r, places, step), std::move(own), step, chosen);
  }
  shown.of = scene.explained()->execution;
  return shown;
}

/// The slice in which that index has its next value, or its last one: of several the one that is most like this.
text::Point next_slice(const IterationsShown& shown, std::size_t dimension, int by) {
  std::set<std::int64_t> values;
  for (const text::Point& one : shown.slices) values.insert(one[dimension].second);
  const std::int64_t now = shown.slice[dimension].second;
  const auto above = values.upper_bound(now), here = values.lower_bound(now);
  const std::int64_t wanted = by > 0 ? (above == values.end() ? *values.begin() : *above)
                                     : (here == values.begin() ? *values.rbegin() : *std::prev(here));
  const auto likeness = [&](const text::Point& one) {
    return one[dimension].second == wanted
               ? std::ranges::count_if(
                     one, [&](const auto& index) { return std::ranges::find(shown.slice, index) != shown.slice.end(); })
               : -1;
  };
  return *std::ranges::max_element(shown.slices, {}, likeness);
}

}  // namespace

const IterationsShown& iterations_shown(const Scene& scene, Ui& ui, const Replayed& r) {
  auto& kept = ui.memory<std::shared_ptr<const IterationsShown>>("iterations shown");
  auto& chosen = ui.memory<ChosenSlice>("chosen slice");
  const auto& execution = scene.explained()->execution;
  if (chosen.of != execution || chosen.at != r.at) chosen = {execution, r.at, std::nullopt};
  const bool same = kept && kept->of == execution;
  if (same && chosen.slice && kept->slice == *chosen.slice) return *kept;
  if (same && !chosen.slice && !kept->chosen && kept->iterations.place_of_step[shown_step(r)] >= 0) return *kept;
  IterationsShown next = gathered_at(scene, r, places_of(scene, ui), chosen.slice);
  // A step between, such as an initialisation that no point is known of, keeps the picture.
  if (same && next.iterations.places.empty()) return *kept;
  kept = std::make_shared<const IterationsShown>(std::move(next));
  return *kept;
}

void draw_slice_chooser(const Scene& scene, Ui& ui, const IterationsShown& shown, Rect area) {
  if (shown.slice.empty()) return;
  const auto choose = [&](std::optional<text::Point> slice) {
    auto& chosen = ui.memory<ChosenSlice>("chosen slice");
    chosen = {shown.of, chosen.at, std::move(slice)};
    ui.animate();
  };
  const bool several = shown.slices.size() > 1;
  for (std::size_t d = 0; d < shown.slice.size(); ++d) {
    const auto& [name, value] = shown.slice[d];
    const std::string id = "slice:" + name;
    if (several && ui.button(id + ":back", "‹", area.take_left(18))) choose(next_slice(shown, d, -1));
    area.take_left(several ? 4 : 0);
    const std::string words = name + "=" + std::to_string(value);
    const Rect tag = ui.tag({area.x, area.y}, words, colour_of_index(scene, ui.theme(), name));
    ui.label(id, words, tag, shown.chosen ? "chosen" : "now");
    area.take_left(tag.w + 4);
    if (several && ui.button(id + ":forth", "›", area.take_left(18))) choose(next_slice(shown, d, 1));
    area.take_left(10);
  }
  if (shown.chosen && ui.button("slice:now", "now", area.take_left(44))) choose(std::nullopt);
  if (!several) return;
  const auto at = std::ranges::find(shown.slices, shown.slice);
  const auto count = std::ssize(shown.slices);
  const auto turn = [&](std::ptrdiff_t by) {
    choose(shown.slices[static_cast<std::size_t>((at - shown.slices.begin() + by + count) % count)]);
  };
  if (at == shown.slices.end()) return;
  if (ui.key("PageDown")) turn(1);
  if (ui.key("PageUp")) turn(-1);
}

}  // namespace trellis::gui
