// One walk over stored entries on a ruler of coordinates: where each operand stands, and what the result has gained.
#include <algorithm>
#include <cmath>

#include "gui/views/operands_parts.hpp"

namespace trellis::gui {
namespace {

using explore::FiberWalk;
using explore::LatticeStep;

constexpr float track_row = 24;

/// All coordinates that the loop may be at, as far as is known.
void find_range(OperandsDrawing& w) {
  bool first = true;
  const auto include = [&](std::int64_t c) {
    w.low = first ? c : std::min(w.low, c), w.high = first ? c + 1 : std::max(w.high, c + 1);
    first = false;
  };
  for (std::size_t k = w.walk.first; k < w.walk.end; ++k)
    if (w.trace.steps[k].coordinate && w.trace.steps[k].lattice == w.step.lattice)
      include(*w.trace.steps[k].coordinate);
  for (const FiberWalk::Fiber& fiber : w.walk.fibers) {
    for (const auto& [number, entry] : fiber.entries)
      include(w.coordinate(fiber.operand, entry.first)), include(w.coordinate(fiber.operand, entry.last));
    const session::TensorView* tensor = w.tensor(fiber.operand);
    const auto level = static_cast<std::size_t>(w.literal(fiber.operand).level());
    if (tensor && level < tensor->stored.levels.size() &&
        w.literal(fiber.operand).sequence.inverse == access::Inverse{})
      include(0), include(tensor->stored.levels[level].size - 1);
  }
}

/// The ruler and what stands on it: one column for each coordinate.
struct Track {
  Rect area;  ///< of the columns
  float cell = 22, across = 0;
  std::int64_t low = 0;
  float x(std::int64_t coordinate) const {
    return area.x + (static_cast<float>(coordinate - low) + 0.5F) * cell - across;
  }
};

void draw_ruler(const OperandsDrawing& w, const Track& track, Rect row) {
  Paint& paint = w.ui.paint();
  const Theme& t = w.ui.theme();
  const std::string& variable = w.lattice.for_().variable;
  paint.text_in({row.x, row.y, operand_names_width - 14, row.h}, variable, Font::mono,
                colour_of_index(w.scene, t, variable), Align::right);
  const Clip clip(paint, {track.area.x, row.y, track.area.w, row.h});
  const int every = track.cell >= 19 ? 1 : track.cell >= 10 ? 2 : 5;
  for (std::int64_t c = w.low; c < w.high; ++c) {
    const float x = track.x(c);
    if (x < track.area.x - track.cell || x > track.area.right() + track.cell) continue;
    const bool now = w.step.coordinate == c;
    const Rect cell{std::round(x - 11), row.y + 2, 22, row.h - 4};
    if (now) paint.fill(cell, t(Token::ink), 4);
    else if (c % every != 0) continue;
    paint.text_in(cell.inset(-4, 0), std::to_string(c), Font::small_mono,
                  now ? t(Token::pane) : t(w.step.coordinate && c < *w.step.coordinate ? Token::line2 : Token::soft),
                  Align::centre);
    if (now) w.ui.label("coordinate", variable + "=" + std::to_string(c), cell, "now");
  }
}

void draw_track(const OperandsDrawing& w, const Track& track, const FiberWalk::Fiber& fiber, Rect row) {
  Paint& paint = w.ui.paint();
  const Theme& t = w.ui.theme();
  const Colour hue = w.hue(fiber.operand);
  const bool lead = leads(w.lattice, fiber.operand);
  const LatticeStep::Cursor* cursor = w.cursor(fiber.operand);
  paint.text_in({row.x, row.y, operand_names_width - 14, row.h}, w.names[static_cast<std::size_t>(fiber.operand)],
                Font::mono, hue, Align::right);
  const Clip clip(paint, {track.area.x, row.y, track.area.w, row.h});
  paint.line({track.area.x, row.centre().y}, {track.area.right(), row.centre().y}, t(Token::line), 1);
  for (const auto& [number, entry] : fiber.entries) {
    const std::int64_t first = w.coordinate(fiber.operand, entry.first), last = w.coordinate(fiber.operand, entry.last);
    const float from = track.x(std::min(first, last)), to = track.x(std::max(first, last));
    if (to < track.area.x - 10 || from > track.area.right() + 10) continue;
    const bool behind = cursor && (cursor->ran_out || number < cursor->at),
               next = cursor && number == cursor->at && !cursor->ran_out;
    const bool here = next && cursor->here;
    const Colour colour = behind ? mixed(t(Token::pane), hue, 0.3F) : here ? hue : mixed(t(Token::pane), hue, 0.68F);
    const float radius = here ? 7.5F : 5;
    const Point at{std::round(from), row.centre().y};
    const Rect spot{from - 7, row.y, to - from + 14, row.h};
    w.ui.item("entry:" + w.names[static_cast<std::size_t>(fiber.operand)] + ":" + std::to_string(number), "mark",
              std::to_string(first),
              here     ? "here"
              : behind ? "behind"
              : next   ? "next"
                       : "ahead",
              spot);
    if (from != to)
      paint.fill({from - radius, at.y - radius * 0.8F, to - from + 2 * radius, radius * 1.6F}, colour, radius * 0.8F);
    else draw_mark(paint, at, radius, Mark::there, lead, colour);
    if (next && from == to) {
      if (lead) paint.ring(at, radius + 2.5F, hue, 1.4F);
      else paint.outline({at.x - radius - 2, at.y - radius - 2, 2 * radius + 4, 2 * radius + 4}, hue, 1.4F, 3);
    }
  }
}

/// Where the loop has been: a square where the result gained something, a cross where there was nothing to do.
void draw_result(const OperandsDrawing& w, const Track& track, Rect row) {
  Paint& paint = w.ui.paint();
  const Theme& t = w.ui.theme();
  const std::string written = written_by(w), name = written.empty() ? "result" : written;
  paint.text_in({row.x, row.y, operand_names_width - 14, row.h}, name, Font::mono, t(Token::ink), Align::right);
  const Clip clip(paint, {track.area.x, row.y, track.area.w, row.h});
  paint.line({track.area.x, row.centre().y}, {track.area.right(), row.centre().y}, t(Token::line), 1);
  std::map<std::int64_t, bool> visited;  // whether something was written
  std::optional<std::int64_t> around;
  for (std::size_t k = w.walk.first; k < w.at; ++k) {
    const LatticeStep& step = w.trace.steps[k];
    if (step.lattice == w.step.lattice && step.coordinate)
      around = *step.coordinate, visited[*around] = explore::writes(step);
    else if (around && explore::writes(step)) visited[*around] = true;  // by a loop inside
  }
  if (w.scene.predict && w.step.coordinate) visited.erase(*w.step.coordinate);
  for (const auto& [coordinate, something] : visited) {
    const Point at{std::round(track.x(coordinate)), row.centre().y};
    const bool now = w.step.coordinate == coordinate;
    const Rect spot{at.x - 6, at.y - 6, 12, 12};
    w.ui.item("result:" + std::to_string(coordinate), "mark", name + " at " + std::to_string(coordinate),
              std::string(something ? "written" : "nothing to do") + (now ? ", now" : ""), spot);
    const Colour colour = t(now ? Token::ink : Token::soft);
    if (something) {
      paint.fill(spot, colour, 3);
    } else {
      paint.line(at + Point{-4, -4}, at + Point{4, 4}, colour, 1.4F),
          paint.line(at + Point{-4, 4}, at + Point{4, -4}, colour, 1.4F);
    }
  }
}

}  // namespace

const coiterate::Literal& OperandsDrawing::literal(int operand) const {
  return lattice.operands[static_cast<std::size_t>(operand)].literal;
}

const LatticeStep::Cursor* OperandsDrawing::cursor(int operand) const {
  const auto found = std::ranges::find(step.cursors, operand, &LatticeStep::Cursor::operand);
  return found == step.cursors.end() ? nullptr : &*found;
}

const session::TensorView* OperandsDrawing::tensor(int operand) const {
  const auto found = scene.snapshot->tensors.find(literal(operand).key.tensor);
  return found == scene.snapshot->tensors.end() ? nullptr : &found->second;
}

std::int64_t OperandsDrawing::coordinate(int operand, std::int64_t stored) const {
  static const std::map<std::string, format::Value> none;
  const auto& parameters = scene.execution() ? scene.execution()->before.parameters : none;
  return explore::loop_coordinate(literal(operand).sequence.inverse, stored, step, parameters).value_or(stored);
}

Colour OperandsDrawing::hue(int operand) const { return colour_of_operand(scene, ui.theme(), lattice, operand); }

std::string written_by(const OperandsDrawing& w) {
  using Does = LatticeStep::Touch::Kind;
  for (std::size_t k = w.walk.first; k < w.walk.end; ++k)
    for (const LatticeStep::Touch& touch : w.trace.steps[k].touches)
      if (touch.kind != Does::finds && touch.kind != Does::marches && touch.kind != Does::reads) return touch.tensor;
  return "";
}

float draw_tracks(OperandsDrawing& w, Rect area) {
  find_range(w);
  Paint& paint = w.ui.paint();
  const Theme& t = w.ui.theme();
  Track track{{area.x + operand_names_width, area.y, area.w - operand_names_width - 14, area.h}};
  track.low = w.low;
  const auto count = static_cast<float>(w.high - w.low);
  track.cell = std::clamp(track.area.w / std::max(count, 1.F), 20.F, 26.F);
  const float height = 26 + track_row * static_cast<float>(w.walk.fibers.size() + 1) + 8;
  auto& across = w.ui.memory<float>("across");
  auto& followed = w.ui.memory<std::size_t>("across followed");
  if (followed != w.at && w.step.coordinate) {
    const float x = (static_cast<float>(*w.step.coordinate - w.low) + 0.5F) * track.cell;
    if (x < across + 40 || x > across + track.area.w - 40) across = x - track.area.w / 2;
  }
  followed = w.at;
  w.ui.scroll_across("tracks", {track.area.x, area.y, track.area.w, height}, count * track.cell, across);
  track.across = across;
  if (w.step.coordinate) {
    const float x = std::round(track.x(*w.step.coordinate));
    if (track.area.contains({x, area.y}))
      paint.fill({x - 11, area.y + 26, 22, height - 30}, t.fill(Token::ink, 0.08F), 4);
  }
  draw_ruler(w, track, area.take_top(26));
  for (const FiberWalk::Fiber& fiber : w.walk.fibers) draw_track(w, track, fiber, area.take_top(track_row));
  draw_result(w, track, area.take_top(track_row));
  return height;
}

}  // namespace trellis::gui
