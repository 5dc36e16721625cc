// The iterations of the equation that is computed now, in its own indices, and the way that the order takes through
// them.
#include <algorithm>
#include <array>
#include <cmath>

#include "gui/marks.hpp"
#include "gui/sides.hpp"
#include "gui/views/iterations_parts.hpp"
#include "gui/views/views.hpp"

namespace trellis::gui {
namespace iterations_pane {
namespace {

using Sample = LegendEntry::Sample;
using view::Iterations;

constexpr float side_padding = 14;

Point at(const IterationsPlane& plane, const Iterations::Place& place) { return plane.at(place.row, place.column); }

// From each place to the one that the execution goes on to; what is done is solid, jumps are dotted.
void draw_path(Ui& ui, const IterationsPlane& plane, const Iterations& all, std::size_t steps_done,
               bool hide_what_comes) {
  const Theme& t = ui.theme();
  for (const Iterations::Leg& leg : all.path) {
    const Iterations::Place &from = all.places[static_cast<std::size_t>(leg.from)],
                            &to = all.places[static_cast<std::size_t>(leg.to)];
    const bool near = std::abs(from.row - to.row) + std::abs(from.column - to.column) == 1,
               done = leg.step < steps_done;
    if (hide_what_comes && !done) return;
    const std::array line = {at(plane, from), at(plane, to)};
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

void draw_places(const Scene& scene, Ui& ui, const IterationsPlane& plane, const Iterations& all, const Replayed& r,
                 const std::set<int>& needed) {
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  const int now = r.step ? all.place_of_step[r.now()] : -1;
  for (std::size_t i = 0; i < all.places.size(); ++i) {
    const Iterations::Place& place = all.places[i];
    const int number = static_cast<int>(i);
    const Point centre = at(plane, place);
    const State state = state_of(place, r, number == now, needed.contains(number));
    const float reach = std::max(plane.radius, std::min(plane.across, plane.down) / 2 - 1);
    const std::string words = words_of(all, place);
    const Response response =
        ui.item("point:" + words, "point", words, scene.predict && state.done == 0 ? "hidden" : state.word,
                {centre.x - reach, centre.y - reach, 2 * reach, 2 * reach});
    const bool hidden = scene.predict && state.sample != Sample::done && state.sample != Sample::now;
    if (state.sample == Sample::now) draw_arc(scene, ui, centre, plane.radius, all, state, place.steps.size());
    draw_place(paint, t, centre, plane.radius, hidden ? Sample::hidden : state.sample);
    if (state.sample == Sample::done && scene.done_here_alone(place.steps.back()))
      draw_side(paint, t, centre, plane.radius * 1.5F, scene.side);
    if (state.sample == Sample::to_come && state.done > 0) paint.disc(centre, plane.radius * 0.55F, t(Token::soft));
    if (response.hovered) {
      paint.ring(centre, plane.radius + 4, t(Token::kin), 1.5F);
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
void draw_blocks(Ui& ui, const IterationsPlane& plane, const Iterations& all, const Replayed& r) {
  const Theme& t = ui.theme();
  std::map<std::pair<std::int64_t, std::int64_t>, Block> blocks;
  const int now = r.step ? all.place_of_step[r.now()] : -1;
  for (std::size_t i = 0; i < all.places.size(); ++i) {
    const Iterations::Place& place = all.places[i];
    Block& block =
        blocks[{(place.row - plane.first_row) / plane.block, (place.column - plane.first_column) / plane.block}];
    if (block.of == 0) block.first = place.steps.front();
    block.of += place.steps.size();
    block.done += static_cast<std::size_t>(std::ranges::lower_bound(place.steps, r.at) - place.steps.begin());
    block.now |= static_cast<int>(i) == now;
  }
  for (const auto& [corner, block] : blocks) {
    const Rect square{plane.area.x + static_cast<float>(corner.second) * plane.across,
                      plane.area.y + static_cast<float>(corner.first) * plane.down, plane.across, plane.down};
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

void draw_violations(Ui& ui, const IterationsPlane& plane, const Iterations& all, const Replayed& r) {
  if (!r.step || all.place_of_step[r.now()] < 0) return;
  const Point reader = at(plane, all.places[static_cast<std::size_t>(all.place_of_step[r.now()])]);
  for (const explore::Violation& violation : r.violations) {
    if (!violation.writes || all.place_of_step[*violation.writes] < 0) continue;
    const Point writer = at(plane, all.places[static_cast<std::size_t>(all.place_of_step[*violation.writes])]);
    const Point way = reader - writer;
    const float length = std::hypot(way.x, way.y);
    if (length < 1) continue;
    const Point unit = way * (1 / length);
    draw_back_arrow(ui, writer + unit * (plane.radius + 2), reader - unit * (plane.radius + 4), -0.25F);
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
  const std::string words = order.empty() ? "" : "in order " + order;
  if (scene.steps.execution > 0) return words;
  return words + (words.empty() ? "" : " · ") + "nothing has run yet: " +
         (scene.legal() == false && !scene.predict ? "R plays it all the same" : "→ takes the first step");
}

void draw(const Scene& scene, Ui& ui, Rect area) {
  const Replayed r = replayed(scene);
  if (!r) return draw_no_execution(scene, ui, area);
  if (r.length() == 0) return draw_nothing(ui, area, "The kernel executes no statement at these sizes.");
  const IterationsShown& shown = iterations_shown(scene, ui, r);
  const Iterations& all = shown.iterations;
  if (all.places.empty())
    return draw_nothing(ui, area, "This statement has no iterations of its own.", "Step on with →.");
  Rect rest = area.inset(side_padding, 4);
  Rect bottom = rest.take_bottom(legend_height);
  if (draw_statement_chips(scene, ui, r, shown, {rest.x, rest.y, rest.w, 20})) rest.take_top(24);
  draw_slice_chooser(scene, ui, shown, {rest.x, rest.y, rest.w, 20});
  // Beside the name of the columns where that leaves both their room.
  if (shown.slices.size() > 1) rest.take_top(22);
  Rect room = rest;
  room.take_top(iterations_header + iterations_axis);
  if (all.plane()) room.take_left(38);
  const IterationsPlane plane = iterations_plane(room, all);
  draw_iteration_axes(scene, ui, rest, plane, all);
  if (plane.block > 1) {
    draw_blocks(ui, plane, all, r);
    const std::string words =
        "each square stands for " + std::to_string(plane.block) + " × " + std::to_string(plane.block) + " iterations";
    ui.paint().text_in(bottom, words, Font::small, ui.theme()(Token::soft));
    return ui.label("aggregated", words, bottom);
  }
  if (all.places.size() <= 1500) draw_path(ui, plane, all, r.at, scene.predict);
  draw_places(scene, ui, plane, all, r, needed_places(all, r));
  draw_violations(ui, plane, all, r);
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
