// The iterations of the equation that is computed now, in its own indices, and the way that the order takes through
// them.
#include <algorithm>
#include <array>
#include <cmath>

#include "gui/marks.hpp"
#include "gui/replayed.hpp"
#include "gui/views/views.hpp"

namespace trellis::gui {
namespace iterations_pane {
namespace {

using Sample = LegendEntry::Sample;
using view::Iterations;

constexpr float padding = 14, header_row = 20, axis = 18;

/// Of one equation and slice; made anew when the execution or they change.
struct Gathered {
  std::shared_ptr<const session::Recorded> of;
  view::EquationIndices equation;
  text::Point slice;
  Iterations iterations;
};

/// Where places stand in the pane.
struct Lattice {
  Rect area;  ///< of the places alone
  float across = 0, down = 0, radius = 0;
  std::int64_t first_row = 0, first_column = 0, rows = 0, columns = 0;
  std::int64_t block = 1;  ///< iterations that one place stands for, in each direction

  Point at(std::int64_t row, std::int64_t column) const {
    return {std::round(area.x + (static_cast<float>((column - first_column) / block) + 0.5F) * across),
            std::round(area.y + (static_cast<float>((row - first_row) / block) + 0.5F) * down)};
  }
};

text::Point slice_of(const std::vector<std::string>& variables, const text::Point& point) {
  text::Point slice;
  for (std::size_t v = 3; v < variables.size(); ++v)
    for (const auto& one : point)
      if (one.first == variables[v]) slice.push_back(one);
  return slice;
}

/// The step whose equation is shown: the last one taken, before the first the one that comes.
std::size_t shown_step(const Replayed& r) { return r.at == 0 ? 0 : r.now(); }

// What elements do not tell the point of, such as a buffer for one step, stands in its loops.
void by_loops(const Replayed& r, const Places& places, std::size_t step, view::EquationIndices& equation,
              text::Point& slice, Iterations& iterations) {
  const auto& steps = r.execution->trace.steps;
  const int statement = steps[step].statement, own = view::statement_equation(statement);
  std::vector<explore::StepPoint> points = places.points;
  for (std::size_t k = 0; k < points.size(); ++k)
    if (steps[k].statement == statement) points[k] = {own, steps[k].loops};
  equation = {{}, {own}};
  for (const auto& [name, value] : steps[step].loops) equation.variables.push_back(name);
  slice = slice_of(equation.variables, steps[step].loops);
  iterations = view::iterations_of(points, equation, slice);
}

const Gathered& gathered(const Scene& scene, Ui& ui, const Replayed& r) {
  auto& kept = ui.memory<std::shared_ptr<const Gathered>>("gathered");
  const Places& places = places_of(scene, ui);
  const std::size_t step = shown_step(r);
  const bool same = kept && kept->of == scene.explained()->execution;
  if (same && kept->iterations.place_of_step[step] >= 0) return *kept;
  view::EquationIndices equation = equation_of(scene, places, step);
  text::Point slice = slice_of(equation.variables, places.points[step].point);
  Iterations iterations = view::iterations_of(places.points, equation, slice);
  if (iterations.place_of_step[step] < 0) by_loops(r, places, step, equation, slice, iterations);
  // A step between, such as an initialisation that no point is known of, keeps the picture.
  if (same && iterations.places.empty()) return *kept;
  kept = std::make_shared<const Gathered>(
      Gathered{scene.explained()->execution, std::move(equation), std::move(slice), std::move(iterations)});
  return *kept;
}

Lattice lattice_in(Rect area, const Iterations& all) {
  Lattice out;
  // Small first coordinates are shown from 0, so that one sees where the equation begins.
  const auto first = [](std::int64_t least) { return least > 0 && least <= 2 ? 0 : least; };
  out.first_row = all.plane() ? first(all.first_row) : 0, out.first_column = first(all.first_column);
  out.rows = all.plane() ? all.last_row - out.first_row + 1 : 1, out.columns = all.last_column - out.first_column + 1;
  constexpr float least = 6, most = 76;
  const auto rooms = [&](std::int64_t block) {
    const auto places = [&](std::int64_t count) { return static_cast<float>((count + block - 1) / block); };
    out.across = std::min(most, area.w / places(out.columns));
    out.down = std::min(most, area.h / places(out.rows));
    return std::min(out.across, out.down);
  };
  while (rooms(out.block) < least && out.block < std::max(out.rows, out.columns)) ++out.block;
  const auto places = [&](std::int64_t count) { return static_cast<float>((count + out.block - 1) / out.block); };
  out.radius = std::clamp(std::min(out.across, out.down) * 0.17F, 2.F, 8.F);
  out.area = {area.x + std::max(0.F, (area.w - out.across * places(out.columns)) / 2), area.y,
              out.across * places(out.columns), out.down * places(out.rows)};
  return out;
}

void draw_axes(const Scene& scene, Ui& ui, Rect area, const Lattice& lattice, const Iterations& all) {
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  if (all.variables.empty()) return;
  const std::string& columns = all.plane() ? all.variables[1] : all.variables[0];
  paint.text_in({lattice.area.x, area.y, lattice.area.w, header_row}, columns, Font::code,
                colour_of_index(scene, t, columns), Align::centre);
  const auto every = [&](float room, float needed) {
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(needed / room))) * lattice.block;
  };
  const float digits = paint.width(std::to_string(lattice.first_column + lattice.columns), Font::small_mono) + 6;
  for (std::int64_t c = 0; c < lattice.columns; c += every(lattice.across, digits)) {
    const Point at = lattice.at(lattice.first_row, lattice.first_column + c);
    paint.text_in({at.x - 30, lattice.area.y - axis, 60, axis}, std::to_string(lattice.first_column + c),
                  Font::small_mono, t(Token::faint), Align::centre);
  }
  if (!all.plane()) return;
  for (std::int64_t r = 0; r < lattice.rows; r += every(lattice.down, 14)) {
    const Point at = lattice.at(lattice.first_row + r, lattice.first_column);
    paint.text_in({lattice.area.x - 36, at.y - 8, 36, 16}, std::to_string(lattice.first_row + r), Font::small_mono,
                  t(Token::faint), Align::right);
  }
  paint.text_in({area.x, lattice.area.y, 14, lattice.area.h}, all.variables[0], Font::code,
                colour_of_index(scene, t, all.variables[0]));
}

Point at(const Lattice& lattice, const Iterations::Place& place) { return lattice.at(place.row, place.column); }

// From each place to the one that the execution goes on to; what is done is solid, jumps are dotted.
void draw_path(Ui& ui, const Lattice& lattice, const Iterations& all, std::size_t steps_done, bool hide_what_comes) {
  const Theme& t = ui.theme();
  for (const Iterations::Leg& leg : all.path) {
    const Iterations::Place &from = all.places[static_cast<std::size_t>(leg.from)],
                            &to = all.places[static_cast<std::size_t>(leg.to)];
    const bool near = std::abs(from.row - to.row) + std::abs(from.column - to.column) == 1,
               done = leg.step < steps_done;
    if (hide_what_comes && !done) return;
    const std::array line = {at(lattice, from), at(lattice, to)};
    if (near) ui.paint().line(line[0], line[1], t(done ? Token::soft : Token::line2), done ? 2.F : 1.F);
    else ui.paint().dashed_line(line, t.fill(done ? Token::soft : Token::line2, done ? 0.8F : 0.7F), 1);
  }
}

std::string words_of(const Iterations& all, const Iterations::Place& place) {
  if (all.variables.empty()) return "the only iteration";
  if (!all.plane()) return all.variables[0] + "=" + std::to_string(place.column);
  return all.variables[0] + "=" + std::to_string(place.row) + " " + all.variables[1] + "=" +
         std::to_string(place.column);
}

struct State {
  Sample sample = Sample::to_come;
  const char* word = "to come";
  std::size_t done = 0;  ///< of the place's steps
};
State state_of(const Iterations::Place& place, const Replayed& r, bool now, bool needed) {
  State state;
  state.done = static_cast<std::size_t>(std::ranges::lower_bound(place.steps, r.at) - place.steps.begin());
  if (now) state.sample = Sample::now, state.word = "now";
  else if (needed) state.sample = Sample::needed, state.word = "needed now";
  else if (state.done == place.steps.size()) state.sample = Sample::done, state.word = "done";
  else if (state.done > 0) state.word = "begun";
  return state;
}

// The innermost loop goes round the present once.
void draw_arc(const Scene& scene, Ui& ui, Point centre, float radius, const Iterations& all, const State& state,
              std::size_t steps) {
  if (steps < 2) return;
  const Theme& t = ui.theme();
  const Colour hue = all.variables.size() > 2 ? colour_of_index(scene, t, all.variables[2]) : t(Token::accent);
  ui.paint().ring(centre, radius + 7, faded(hue, 0.22F), 3);
  ui.paint().arc(centre, radius + 7, 0, static_cast<float>(state.done) / static_cast<float>(steps), hue, 3);
}

void draw_places(const Scene& scene, Ui& ui, const Lattice& lattice, const Iterations& all, const Replayed& r,
                 const std::set<int>& needed) {
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  const int now = r.step ? all.place_of_step[r.now()] : -1;
  for (std::size_t i = 0; i < all.places.size(); ++i) {
    const Iterations::Place& place = all.places[i];
    const int number = static_cast<int>(i);
    const Point centre = at(lattice, place);
    const State state = state_of(place, r, number == now, needed.contains(number));
    const float reach = std::max(lattice.radius, std::min(lattice.across, lattice.down) / 2 - 1);
    const std::string words = words_of(all, place);
    const Response response =
        ui.item("point:" + words, "point", words, scene.predict && state.done == 0 ? "hidden" : state.word,
                {centre.x - reach, centre.y - reach, 2 * reach, 2 * reach});
    const bool hidden = scene.predict && state.sample != Sample::done && state.sample != Sample::now;
    if (state.sample == Sample::now) draw_arc(scene, ui, centre, lattice.radius, all, state, place.steps.size());
    draw_place(paint, t, centre, lattice.radius, hidden ? Sample::hidden : state.sample);
    if (state.sample == Sample::to_come && state.done > 0) paint.disc(centre, lattice.radius * 0.55F, t(Token::soft));
    if (response.hovered) {
      paint.ring(centre, lattice.radius + 4, t(Token::kin), 1.5F);
      const std::size_t many = place.steps.size();
      ui.tooltip(words + (scene.predict ? "" : std::string(", ") + state.word) +
                 (many > 1 ? ", " + std::to_string(state.done) + " of " + std::to_string(many) + " steps done" : ""));
    }
    // Whoever points at a place wants to see it happen: the first step that it has not been through, else its last.
    if (response.clicked)
      ui.act(
          "window goto execution " +
          std::to_string(
              place.steps[state.done < place.steps.size() && number != now ? state.done : place.steps.size() - 1] + 1));
  }
}

/// What one square stands for.
struct Block {
  std::size_t done = 0, of = 0, first = 0;  ///< steps
  bool now = false;
};

// Too many to tell apart: each square is as grey as what it stands for is done.
void draw_blocks(Ui& ui, const Lattice& lattice, const Iterations& all, const Replayed& r) {
  const Theme& t = ui.theme();
  std::map<std::pair<std::int64_t, std::int64_t>, Block> blocks;
  const int now = r.step ? all.place_of_step[r.now()] : -1;
  for (std::size_t i = 0; i < all.places.size(); ++i) {
    const Iterations::Place& place = all.places[i];
    Block& block = blocks[{(place.row - lattice.first_row) / lattice.block,
                           (place.column - lattice.first_column) / lattice.block}];
    if (block.of == 0) block.first = place.steps.front();
    block.of += place.steps.size();
    block.done += static_cast<std::size_t>(std::ranges::lower_bound(place.steps, r.at) - place.steps.begin());
    block.now |= static_cast<int>(i) == now;
  }
  for (const auto& [corner, block] : blocks) {
    const Rect square{lattice.area.x + static_cast<float>(corner.second) * lattice.across,
                      lattice.area.y + static_cast<float>(corner.first) * lattice.down, lattice.across, lattice.down};
    const float part = static_cast<float>(block.done) / static_cast<float>(block.of);
    ui.paint().fill(square.inset(0.5F), block.now ? t(Token::ink) : mixed(t(Token::cell), t(Token::soft), part * 0.8F));
    const std::string id = "block:" + std::to_string(corner.first) + "," + std::to_string(corner.second);
    const Response response = ui.item(id, "point", std::to_string(block.of) + " steps",
                                      block.now   ? "now"
                                      : part == 1 ? "done"
                                                  : "to come",
                                      square);
    if (response.hovered) ui.tooltip(std::to_string(block.done) + " of " + std::to_string(block.of) + " steps done");
    if (response.clicked) ui.act("window goto execution " + std::to_string(block.first + 1));
  }
}

void draw_violations(Ui& ui, const Lattice& lattice, const Iterations& all, const Replayed& r) {
  if (!r.step || all.place_of_step[r.now()] < 0) return;
  const Point reader = at(lattice, all.places[static_cast<std::size_t>(all.place_of_step[r.now()])]);
  for (const explore::Violation& violation : r.violations) {
    if (!violation.writes || all.place_of_step[*violation.writes] < 0) continue;
    const Point writer = at(lattice, all.places[static_cast<std::size_t>(all.place_of_step[*violation.writes])]);
    const Point way = reader - writer;
    const float length = std::hypot(way.x, way.y);
    if (length < 1) continue;
    const Point unit = way * (1 / length);
    draw_back_arrow(ui, writer + unit * (lattice.radius + 2), reader - unit * (lattice.radius + 4), -0.25F);
  }
}

std::set<int> needed_places(const Iterations& all, const Replayed& r) {
  std::set<int> needed;
  for (const explore::Violation& violation : r.violations)
    if (violation.writes && all.place_of_step[*violation.writes] >= 0)
      needed.insert(all.place_of_step[*violation.writes]);
  return needed;
}

std::string subtitle(const Scene& scene) {
  if (!scene.execution()) return "";
  const std::string order = lang::to_string(scene.execution()->order);
  return order.empty() ? "" : "in order " + order;
}

void draw(const Scene& scene, Ui& ui, Rect area) {
  const Replayed r = replayed(scene);
  if (!r) return draw_no_execution(scene, ui, area);
  if (r.length() == 0) return draw_nothing(ui, area, "The kernel executes no statement at these sizes.");
  const Gathered& shown = gathered(scene, ui, r);
  const Iterations& all = shown.iterations;
  if (all.places.empty())
    return draw_nothing(ui, area, "This statement has no iterations of its own.", "Step on with →.");
  Rect rest = area.inset(padding, 4);
  Rect bottom = rest.take_bottom(legend_height);
  Rect plane = rest;
  plane.take_top(header_row + axis);
  if (all.plane()) plane.take_left(38);
  const Lattice lattice = lattice_in(plane, all);
  draw_axes(scene, ui, rest, lattice, all);
  if (!shown.slice.empty()) draw_point(scene, ui, {rest.x, rest.y}, shown.slice);
  if (lattice.block > 1) {
    draw_blocks(ui, lattice, all, r);
    const std::string words = "each square stands for " + std::to_string(lattice.block) + " × " +
                              std::to_string(lattice.block) + " iterations";
    ui.paint().text_in(bottom, words, Font::small, ui.theme()(Token::soft));
    return ui.label("aggregated", words, bottom);
  }
  if (all.places.size() <= 1500) draw_path(ui, lattice, all, r.at, scene.predict);
  draw_places(scene, ui, lattice, all, r, needed_places(all, r));
  draw_violations(ui, lattice, all, r);
  std::vector<LegendEntry> legend = {
      {Sample::done, "done"}, {Sample::now, "now"}, {scene.predict ? Sample::hidden : Sample::to_come, "to come"}};
  if (scene.legal() == false && !scene.predict) legend.push_back({Sample::needed, "needed now"});
  draw_legend(ui, bottom, legend);
}

}  // namespace
}  // namespace iterations_pane

const View iterations_view = {"iterations",          "Iterations", "replay",   iterations_pane::subtitle,
                              iterations_pane::draw, "step",       "execution"};

}  // namespace trellis::gui
