// Operands as they are stored along a loop that walks them, and where each pointer stands.
#include <algorithm>
#include <cmath>

#include "engine/explore/fiber_walk.hpp"
#include "gui/cells.hpp"
#include "gui/operands.hpp"
#include "gui/views/views.hpp"

namespace trellis::gui {
namespace {

using explore::FiberWalk;
using explore::LatticeStep;

constexpr float names_width = 64, track_row = 24, strip_row = 20;

std::string operands_subtitle(const Scene& scene) {
  const session::DrawnView* drawn = scene.drawn();
  return drawn && drawn->lattice_walk ? "as they are stored, and where each pointer stands" : "";
}

/// The walk that the step is in, as it is drawn.
struct OperandsDrawing {
  const Scene& scene;
  Ui& ui;
  const coiterate::Lattice& lattice;
  const explore::LatticeTrace& trace;
  const FiberWalk& walk;
  const LatticeStep& step;
  std::size_t at = 0;  ///< steps taken
  std::vector<std::string> names;
  std::int64_t low = 0, high = 0;  ///< coordinates, half-open

  const coiterate::Literal& literal(int operand) const {
    return lattice.operands[static_cast<std::size_t>(operand)].literal;
  }
  const LatticeStep::Cursor* cursor(int operand) const {
    const auto found = std::ranges::find(step.cursors, operand, &LatticeStep::Cursor::operand);
    return found == step.cursors.end() ? nullptr : &*found;
  }
  const session::TensorView* tensor(int operand) const {
    const auto found = scene.snapshot->tensors.find(literal(operand).key.tensor);
    return found == scene.snapshot->tensors.end() ? nullptr : &found->second;
  }
  std::int64_t coordinate(int operand, std::int64_t stored) const {
    static const std::map<std::string, format::Value> none;
    const auto& parameters = scene.execution() ? scene.execution()->before.parameters : none;
    return explore::loop_coordinate(literal(operand).sequence.inverse, stored, step, parameters).value_or(stored);
  }
};

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
  paint.text_in({row.x, row.y, names_width - 14, row.h}, variable, Font::mono, colour_of_index(w.scene, t, variable),
                Align::right);
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
  const Colour hue = colour_of_operand(w.scene, t, fiber.operand);
  const bool lead = leads(w.lattice, fiber.operand);
  const LatticeStep::Cursor* cursor = w.cursor(fiber.operand);
  paint.text_in({row.x, row.y, names_width - 14, row.h}, w.names[static_cast<std::size_t>(fiber.operand)], Font::mono,
                hue, Align::right);
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

/// What the walk fills: a result, or a workspace on the way to one.
std::string written_by(const OperandsDrawing& w) {
  using Does = LatticeStep::Touch::Kind;
  for (std::size_t k = w.walk.first; k < w.walk.end; ++k)
    for (const LatticeStep::Touch& touch : w.trace.steps[k].touches)
      if (touch.kind != Does::finds && touch.kind != Does::marches && touch.kind != Does::reads) return touch.tensor;
  return "result";
}

/// Where the loop has been: a square where the result gained something, a cross where there was nothing to do.
void draw_result(const OperandsDrawing& w, const Track& track, Rect row) {
  Paint& paint = w.ui.paint();
  const Theme& t = w.ui.theme();
  const std::string name = written_by(w);
  paint.text_in({row.x, row.y, names_width - 14, row.h}, name, Font::mono, t(Token::ink), Align::right);
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
  for (const auto& [coordinate, written] : visited) {
    const Point at{std::round(track.x(coordinate)), row.centre().y};
    const bool now = w.step.coordinate == coordinate;
    const Rect spot{at.x - 6, at.y - 6, 12, 12};
    w.ui.item("result:" + std::to_string(coordinate), "mark", name + " at " + std::to_string(coordinate),
              std::string(written ? "written" : "nothing to do") + (now ? ", now" : ""), spot);
    const Colour colour = t(now ? Token::ink : Token::soft);
    if (written) {
      paint.fill(spot, colour, 3);
    } else {
      paint.line(at + Point{-4, -4}, at + Point{4, 4}, colour, 1.4F),
          paint.line(at + Point{-4, 4}, at + Point{4, -4}, colour, 1.4F);
    }
  }
}

/// Tracks of all operands and of the result; the result is their height.
float draw_tracks(const OperandsDrawing& w, Rect area) {
  Paint& paint = w.ui.paint();
  const Theme& t = w.ui.theme();
  Track track{{area.x + names_width, area.y, area.w - names_width - 14, area.h}};
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

/// A row of cells of one array; the pointer's is filled.
struct CellRow {
  std::string name;
  bool values = false;
};

void draw_strip_row(const OperandsDrawing& w, const FiberWalk::Fiber& fiber, const CellRow& what, Rect row,
                    std::int64_t first, float cell) {
  Paint& paint = w.ui.paint();
  const Theme& t = w.ui.theme();
  const Colour hue = colour_of_operand(w.scene, t, fiber.operand);
  const LatticeStep::Cursor* cursor = w.cursor(fiber.operand);
  paint.text_in({row.x, row.y, names_width - 8, row.h}, what.name, Font::list_mono,
                what.values ? t(Token::faint) : t(Token::soft), Align::right);
  const session::TensorView* tensor = w.tensor(fiber.operand);
  const Rect cells{row.x + names_width, row.y, row.w - names_width - 100, row.h};
  const Clip clip(paint, cells);
  for (std::int64_t k = first; k < fiber.end; ++k) {
    const Rect spot{std::round(cells.x + static_cast<float>(k - first) * cell), row.y, cell - 3, row.h};
    if (spot.x > cells.right()) break;
    const auto entry = fiber.entries.find(k);
    std::string words = "…";
    if (what.values) {
      if (tensor && k < static_cast<std::int64_t>(tensor->stored.values.size()))
        words = cell_text(tensor->stored.values[static_cast<std::size_t>(k)]);
    } else if (entry != fiber.entries.end()) {
      const auto [from, to] = entry->second;
      words = from == to ? std::to_string(to) : std::to_string(from) + "…" + std::to_string(to);
    }
    const bool behind = cursor && (cursor->ran_out || k < cursor->at),
               now = cursor && k == cursor->at && !cursor->ran_out;
    const bool here = now && cursor->here;
    paint.fill(spot, here ? hue : now ? mixed(t(Token::cell), hue, 0.3F) : t(Token::cell), 4);
    if (now) paint.outline(spot, hue, 1.2F, 4);
    const Colour ink = here ? t(t.light ? Token::pane : Token::window) : t(behind ? Token::faint : Token::ink);
    paint.text_in(spot, words, Font::small_mono, ink, Align::centre);
    if (!what.values)
      w.ui.item("crd:" + w.names[static_cast<std::size_t>(fiber.operand)] + ":" + std::to_string(k), "mark", words,
                here     ? "here"
                : now    ? "pointer"
                : behind ? "behind"
                         : "ahead",
                spot);
  }
}

/// What an operand has in memory: coordinates, the pointer, values. The result is the height.
float draw_strips(const OperandsDrawing& w, const FiberWalk::Fiber& fiber, Rect area) {
  Paint& paint = w.ui.paint();
  const Theme& t = w.ui.theme();
  const std::string& name = w.names[static_cast<std::size_t>(fiber.operand)];
  const LatticeStep::Cursor* cursor = w.cursor(fiber.operand);
  const coiterate::Literal& literal = w.literal(fiber.operand);
  const bool regions = literal.sequence.has_regions();
  const float cell = regions ? 56 : 34;
  const session::TensorView* tensor = w.tensor(fiber.operand);
  const bool values = literal.last && tensor && !tensor->stored.pattern && !tensor->stored.values.empty() &&
                      literal.stored().child != format::Child::product;
  const float top = area.y;
  Rect crd = area.take_top(strip_row), pointer = area.take_top(15);
  const auto fits = static_cast<std::int64_t>((crd.w - names_width - 100) / cell);
  std::int64_t first = fiber.begin;
  if (cursor && fiber.end - fiber.begin > fits)
    first = std::clamp(cursor->at - fits / 2, fiber.begin, std::max(fiber.begin, fiber.end - fits));
  draw_strip_row(w, fiber, {name + (regions ? " runs" : " crd")}, crd, first, cell);
  const std::string range = "pos " + std::to_string(fiber.begin) + " … " + std::to_string(fiber.end);
  paint.text_in({crd.right() - 98, crd.y, 84, crd.h}, fiber.begin == fiber.end ? "nothing stored" : range,
                Font::small_mono, t(Token::faint), Align::right);
  if (cursor) {
    const Colour hue = colour_of_operand(w.scene, t, fiber.operand);
    const Clip clip(paint, {pointer.x + names_width - 8, pointer.y, pointer.w - names_width - 92, pointer.h});
    const float x =
        std::round(pointer.x + names_width +
                   (static_cast<float>(std::clamp(cursor->at, fiber.begin, fiber.end) - first) + 0.5F) * cell - 2);
    const Point corners[] = {{x, pointer.y + 2}, {x + 6, pointer.y + 11}, {x - 6, pointer.y + 11}};
    paint.polygon(corners, hue);
    const std::string words = "p" + name + (cursor->ran_out ? " ran out" : "");
    paint.text({x + 9, pointer.y + 1}, words, Font::small_mono, hue);
    w.ui.label("pointer:" + name, words + " = " + std::to_string(cursor->at), {x - 6, pointer.y, 40, pointer.h},
               cursor->ran_out ? "ran out"
               : cursor->here  ? "here"
                               : "waits");
  }
  if (values) draw_strip_row(w, fiber, {"vals", true}, area.take_top(strip_row), first, cell);
  return area.y - top + 8;
}

void draw_operands(const Scene& scene, Ui& ui, Rect area) {
  const session::DrawnView* drawn = scene.drawn();
  if (!drawn)
    return draw_nothing(ui, area, scene.kernel ? "working" : "there is no kernel yet",
                        scene.kernel ? "" : "write an equation, or Ctrl+G opens an example");
  if (!drawn->lattice_walk) {
    if (scene.legal() == false)
      return draw_nothing(ui, area, "an illegal order walks nothing", "a fix makes it legal: Ctrl+.");
    return draw_nothing(ui, area, "no loop of this kernel walks what is stored",
                        "give an operand a sparse format: format A csr");
  }
  const explore::LatticeTrace& trace = drawn->lattice_walk->trace;
  if (trace.steps.empty()) return draw_nothing(ui, area, "the loops had nothing to walk");
  const std::size_t at = std::min(scene.steps.lattice, trace.steps.size());
  const std::size_t number = at == 0 ? 0 : at - 1;
  struct Kept {
    std::shared_ptr<const session::DrawnView> of;
    FiberWalk walk;
    std::size_t number = 0;
    float down = 0;
  };
  auto& kept = ui.memory<Kept>("walk");
  if (kept.of != scene.kernel->drawn || kept.number != number)
    kept.of = scene.kernel->drawn, kept.number = number, kept.walk = explore::walk_of_step(trace, number);
  const coiterate::NumberedLattice* one = lattice_of(*drawn->lattice_walk, trace.steps[number].lattice);
  if (!one) return draw_nothing(ui, area, "this loop has no lattice");
  // Before the first step nothing has moved.
  LatticeStep before = trace.steps[number];
  before.coordinate.reset();
  for (LatticeStep::Cursor& cursor : before.cursors) cursor.at = cursor.begin, cursor.here = cursor.ran_out = false;
  OperandsDrawing w{scene,
                    ui,
                    *one->lattice,
                    trace,
                    kept.walk,
                    at == 0 ? before : trace.steps[number],
                    at,
                    coiterate::brief_names(*one->lattice)};
  find_range(w);
  std::string around;
  for (const auto& [name, value] : w.step.around)
    around += (around.empty() ? "" : ", ") + name + "=" + std::to_string(value);
  if (!around.empty()) {
    const Rect row = area.take_top(22);
    ui.paint().text_in(row.inset(14, 0), "at " + around, Font::list_mono, ui.theme()(Token::soft));
    ui.label("around", around, row);
  }
  Rect content = area.moved({0, -kept.down});
  const Clip clip(ui.paint(), area);
  content.h = 4000;
  content.take_top(draw_tracks(w, content));
  ui.paint().line({content.x + 14, content.y}, {content.right() - 14, content.y}, ui.theme()(Token::line), 1);
  content.take_top(8);
  for (const FiberWalk::Fiber& fiber : w.walk.fibers) content.take_top(draw_strips(w, fiber, content));
  ui.scroll("operands", area, content.y - area.y + kept.down, kept.down);
}

}  // namespace

const View operands_view = {"operands",    "Operands",     "replay", operands_subtitle,
                            draw_operands, "lattice step", "lattice"};

}  // namespace trellis::gui
