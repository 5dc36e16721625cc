#include "gui/iterations_shown.hpp"

#include <algorithm>

namespace trellis::gui {
namespace {

using view::Iterations;

/// What the user wants to see: a slice as long as nothing is stepped, an equation until another one is chosen.
struct ChosenSlice {
  std::shared_ptr<const session::Recorded> of;
  std::size_t at = 0;
  std::optional<text::Point> slice;
  std::optional<std::size_t> statement = {};  ///< its first step
};

/// An equation that is computed.
struct ComputedEquation {
  std::size_t step = 0;  ///< the first one that does
  std::string name;      ///< "V(i,j,k)"
  view::EquationIndices indices;
};
struct ComputedEquations {
  std::shared_ptr<const session::Recorded> of;
  std::vector<ComputedEquation> all;  ///< in the order in which they are begun
};

std::string name_of_equation(const explore::Trace::Step& step, const view::EquationIndices& indices) {
  std::string list;
  for (const std::string& index : indices.variables) list += (list.empty() ? "" : ",") + index;
  return (step.write ? step.write->tensor : step.starts) + (list.empty() ? "" : "(" + list + ")");
}

bool stands_somewhere(const Places& places, const ComputedEquation& one) {
  return places.points[one.step].point.size() == one.indices.variables.size();
}

const std::vector<ComputedEquation>& computed_equations(const Scene& scene, Ui& ui, const Replayed& r) {
  auto& kept = ui.memory<ComputedEquations>("computed equations");
  const auto& execution = scene.explained()->execution;
  if (kept.of == execution) return kept.all;
  kept = {execution, {}};
  const Places& places = places_of(scene, ui);
  std::set<int> seen;
  for (std::size_t k = 0; k < places.points.size(); ++k) {
    const explore::StepPoint& point = places.points[k];
    if (point.fragment == -1) continue;
    if (seen.contains(point.fragment)) {
      // What only begins afresh stands nowhere yet: the first step that does is the one to show.
      for (ComputedEquation& one : kept.all)
        if (one.indices.fragments.contains(point.fragment) && !stands_somewhere(places, one) &&
            point.point.size() == one.indices.variables.size())
          one.step = k;
      continue;
    }
    view::EquationIndices indices = equation_of(scene, places, k);
    seen.insert(places.points[k].fragment), seen.insert(indices.fragments.begin(), indices.fragments.end());
    std::string name = name_of_equation(r.execution->trace.steps[k], indices);
    kept.all.push_back({k, std::move(name), std::move(indices)});
  }
  return kept.all;
}

text::Point slice_at(const std::vector<std::string>& variables, const text::Point& point) {
  text::Point slice;
  for (std::size_t v = 3; v < variables.size(); ++v)
    for (const auto& one : point)
      if (one.first == variables[v]) slice.push_back(one);
  return slice;
}

/// Before anything has run: where the order goes wrong, else the equation of the most indices, which has most to show.
std::size_t opening_step(const Scene& scene, const Replayed& r, const std::vector<ComputedEquation>& equations) {
  const auto& violations = r.drawn->account.violations;
  if (!violations.empty() && !scene.predict) return violations.front().reads;
  const auto deepest =
      std::ranges::max_element(equations, {}, [](const ComputedEquation& one) { return one.indices.variables.size(); });
  return deepest == equations.end() ? 0 : deepest->step;
}

/// The step whose equation is shown: the last one taken, unless it is of another equation than the user has chosen.
std::size_t shown_step(const Scene& scene, Ui& ui, const Replayed& r, const ChosenSlice& chosen) {
  const std::vector<ComputedEquation>& equations = computed_equations(scene, ui, r);
  const auto wanted =
      chosen.statement ? std::ranges::find(equations, *chosen.statement, &ComputedEquation::step) : equations.end();
  if (wanted != equations.end()) {
    const bool now = r.step && wanted->indices.fragments.contains(places_of(scene, ui).points[r.now()].fragment);
    return now ? r.now() : wanted->step;
  }
  return r.at == 0 ? opening_step(scene, r, equations) : r.now();
}

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

IterationsShown gathered_at(const Scene& scene, const Replayed& r, const Places& places, std::size_t step,
                            const std::optional<text::Point>& chosen) {
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
  if (chosen.of != execution) chosen = {execution, r.at, std::nullopt};
  if (chosen.at != r.at) chosen.at = r.at, chosen.slice.reset();
  const std::size_t step = shown_step(scene, ui, r, chosen);
  const bool same = kept && kept->of == execution;
  const bool holds = same && kept->iterations.place_of_step[step] >= 0;
  if (same && chosen.slice && kept->slice == *chosen.slice) return *kept;
  if (holds && !chosen.slice && !kept->chosen) return *kept;
  IterationsShown next = gathered_at(scene, r, places_of(scene, ui), step, chosen.slice);
  // A step between, such as an initialisation that no point is known of, keeps the picture.
  if (same && next.iterations.places.empty()) return *kept;
  kept = std::make_shared<const IterationsShown>(std::move(next));
  return *kept;
}

bool draw_statement_chips(const Scene& scene, Ui& ui, const Replayed& r, const IterationsShown& shown, Rect area) {
  const std::vector<ComputedEquation>& equations = computed_equations(scene, ui, r);
  if (equations.size() < 2) return false;
  auto& chosen = ui.memory<ChosenSlice>("chosen slice");
  const auto is_shown = [&](const ComputedEquation& one) {
    return std::ranges::any_of(one.indices.fragments, [&](int f) { return shown.equation.fragments.contains(f); });
  };
  const auto width = [&](const ComputedEquation& one) { return ui.paint().width(one.name, Font::text) + 16; };
  // From the first one on, but never without the one that is shown.
  std::size_t first = 0;
  float reach = 0;
  for (std::size_t i = 0; i < equations.size(); ++i) {
    reach += width(equations[i]) + 4;
    if (!is_shown(equations[i])) continue;
    for (; first < i && reach > area.w; ++first) reach -= width(equations[first]) + 4;
    break;
  }
  for (std::size_t i = first; i < equations.size() && width(equations[i]) <= area.w; ++i) {
    const bool pinned = chosen.statement == equations[i].step;
    const Rect chip = area.take_left(width(equations[i]));
    if (ui.button("statement:" + std::to_string(i + 1), equations[i].name, chip, false, is_shown(equations[i])))
      chosen.statement = pinned ? std::nullopt : std::optional(equations[i].step), chosen.slice.reset(), ui.animate();
    area.take_left(4);
  }
  return true;
}

void draw_slice_chooser(const Scene& scene, Ui& ui, const IterationsShown& shown, Rect area) {
  if (shown.slice.empty()) return;
  const auto choose = [&](std::optional<text::Point> slice) {
    auto& chosen = ui.memory<ChosenSlice>("chosen slice");
    chosen.slice = std::move(slice);
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
