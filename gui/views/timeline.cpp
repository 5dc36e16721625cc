// An execution seen from afar: its loops as nested bands, what is read and written, where reads come too early; and the
// present, which can be dragged anywhere.
#include <algorithm>
#include <array>
#include <cmath>

#include "gui/marks.hpp"
#include "gui/replayed.hpp"
#include "gui/sides.hpp"
#include "gui/views/timeline_header.hpp"
#include "gui/views/views.hpp"

namespace trellis::gui {
namespace timeline_pane {
namespace {

using view::Timeline;

constexpr float padding = 14, gutter = 66;

/// Sorted for drawing; made anew when the execution changes.
struct Tracks {
  std::shared_ptr<const session::Recorded> of;
  std::vector<std::vector<const Timeline::Band*>> bands;  ///< by depth
  std::vector<std::pair<std::string, std::vector<const Timeline::Tick*>>>
      ticks;  ///< by tensor, results before operands
};

/// Which steps the width shows; the user's own while `zoomed`.
struct Range {
  bool zoomed = false;
  double first = 0, count = 1;
};

/// From steps to the window and back.
struct Axis {
  Rect area;
  double first = 0, count = 1;
  float at(double step) const { return area.x + static_cast<float>((step - first) / count) * area.w; }
  double step(float x) const { return first + static_cast<double>((x - area.x) / area.w) * count; }
  float per_step() const { return area.w / static_cast<float>(count); }
};

const Tracks& tracks_of(const Scene& scene, Ui& ui, const Replayed& r) {
  auto& kept = ui.memory<std::shared_ptr<const Tracks>>("tracks");
  if (kept && kept->of == scene.explained()->execution) return *kept;
  Tracks tracks{scene.explained()->execution, {}, {}};
  for (const Timeline::Band& band : r.drawn->timeline.bands) {
    if (static_cast<std::size_t>(band.depth) >= tracks.bands.size())
      tracks.bands.resize(static_cast<std::size_t>(band.depth) + 1);
    tracks.bands[static_cast<std::size_t>(band.depth)].push_back(&band);
  }
  std::map<std::string, std::vector<const Timeline::Tick*>> ticks;
  std::set<std::string> written;
  for (const Timeline::Tick& tick : r.drawn->timeline.ticks) {
    ticks[tick.tensor].push_back(&tick);
    if (tick.write) written.insert(tick.tensor);
  }
  const auto rank = [&](const std::string& name) {
    const bool found = r.execution->before.tensors.contains(name);
    return found && written.contains(name) ? 0 : found ? 1 : 2;
  };
  for (auto& one : ticks) tracks.ticks.push_back(std::move(one));
  std::ranges::stable_sort(tracks.ticks, {}, [&](const auto& one) { return rank(one.first); });
  kept = std::make_shared<const Tracks>(std::move(tracks));
  return *kept;
}

// The wheel zooms around the pointer, sideways or with Shift it moves; the whole is seen until then.
Axis axis_in(Ui& ui, Rect area, std::size_t steps) {
  auto& range = ui.memory<Range>("range");
  const auto all = static_cast<double>(std::max<std::size_t>(steps, 1));
  if (!range.zoomed) range.first = 0, range.count = all;
  const auto axis = [&] { return Axis{area, range.first, range.count}; };
  const auto zoom = [&](double factor, float around) {
    const double fixed = axis().step(around), part = (around - area.x) / area.w;
    range.count = std::clamp(range.count * factor, std::min(all, 8.0), all);
    range.first = fixed - part * range.count;
  };
  float across = ui.take_wheel_across(area);
  if (const float notches = ui.take_wheel(area); notches != 0) {
    if (ui.input().shift) across += notches;
    else zoom(std::pow(1.2, -notches), ui.input().mouse.x);
  }
  if (ui.key("+")) zoom(1 / 1.5, area.centre().x);
  if (ui.key("-")) zoom(1.5, area.centre().x);
  if (ui.key("F")) range.count = all;
  range.first -= static_cast<double>(across) * range.count * 0.1;
  range.count = std::min(range.count, all);
  range.first = std::clamp(range.first, 0.0, all - range.count);
  range.zoomed = range.count < all;
  return axis();
}

// What lies within one pixel shows as one.
void draw_bands(const Scene& scene, Ui& ui, const Axis& axis, Rect row, const std::vector<const Timeline::Band*>& bands,
                const Replayed& r) {
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  const auto begin = std::ranges::lower_bound(bands, std::max(0.0, axis.first - 1), {},
                                              [](const Timeline::Band* b) { return static_cast<double>(b->last); });
  const auto seen = static_cast<double>(std::max<std::size_t>(bands.size(), 1));
  const float usual = axis.per_step() * static_cast<float>(static_cast<double>(r.length()) / seen);
  const Font font = usual >= 6 * 5 ? Font::small_mono : Font::tiny_mono;
  float drawn_to = axis.area.x;
  for (auto at = begin; at != bands.end(); ++at) {
    const Timeline::Band& band = **at;
    if (static_cast<double>(band.first) > axis.first + axis.count) break;
    const bool now = r.step && band.first <= r.now() && r.now() <= band.last,
               hidden = scene.predict && band.first >= r.at;
    const float left = std::max(axis.area.x, axis.at(static_cast<double>(band.first)));
    const float right = std::min(axis.area.right(), axis.at(static_cast<double>(band.last) + 1));
    if (hidden || (right < drawn_to + 1 && !now)) continue;
    drawn_to = std::max(drawn_to, right);
    const Rect box{left, row.y + 1, std::max(1.F, right - left - (right - left > 3 ? 1.F : 0.F)), row.h - 2};
    const Colour hue = colour_of_index(scene, t, band.loop);
    paint.fill(box, faded(hue, now ? 0.62F : 0.22F), box.w > 9 ? 2 : 0);
    const std::string words = band.loop + "=" + std::to_string(band.value);
    if (box.w > 9)
      ui.label("band:" + std::to_string(band.depth) + ":" + std::to_string(band.first), words, box, now ? "now" : "");
    const std::string value = std::to_string(band.value);
    const Colour ink = t.light || now ? t(Token::ink) : hue;
    // In the size that most of the row's words have, so that a row looks like one.
    if (paint.width(words, font) + 5 <= box.w) paint.text_in({box.x + 3, box.y, box.w - 3, box.h}, words, font, ink);
    else if (paint.width(value, font) + 2 <= box.w) paint.text_in(box, value, font, ink, Align::centre);
  }
}

struct Column {
  bool read = false, write = false, early = false;
};

// Reads are short, writes tall, early reads red with a triangle below; all of a pixel's as one.
void draw_ticks(const Scene& scene, Ui& ui, const Axis& axis, Rect row, const std::vector<const Timeline::Tick*>& ticks,
                const Replayed& r) {
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  const float width = std::clamp(axis.per_step() * 0.62F, 1.F, 5.F), pixel = std::max(1.F, axis.per_step());
  const auto begin = std::ranges::lower_bound(ticks, std::max(0.0, axis.first - 1), {},
                                              [](const Timeline::Tick* one) { return static_cast<double>(one->step); });
  const float foot = row.bottom() - 3, tall = row.h - 6;
  float triangle_to = -1e9F;
  const auto draw_column = [&](float x, const Column& column) {
    const Rect whole{x - width / 2, foot - tall, width, tall};
    if (column.early) {
      paint.fill(whole, t(Token::bad));
      if (x - triangle_to > 6) {
        paint.polygon(std::array{Point{x, foot - 1}, Point{x + 3.5F, foot + 4}, Point{x - 3.5F, foot + 4}},
                      t(Token::bad));
        triangle_to = x;
      }
      return;
    }
    if (column.write) paint.fill(whole, t.fill(Token::soft, 0.75F));
    if (column.read) paint.fill({whole.x, foot - tall * 0.42F, width, tall * 0.42F}, t(Token::accent));
  };
  Column gathered;
  float at = -1e9F;
  for (auto one = begin; one != ticks.end(); ++one) {
    const auto step = static_cast<double>((*one)->step);
    if (step > axis.first + axis.count || (scene.predict && (*one)->step >= r.at)) break;
    const float x = axis.at(step + 0.5);
    if (x >= at + pixel * 0.99F) {
      if (at > -1e9F) draw_column(at, gathered);
      at = x, gathered = {};
    }
    gathered.write |= (*one)->write, gathered.read |= !(*one)->write;
    gathered.early |= (*one)->early && !scene.predict;
  }
  if (at > -1e9F) draw_column(at, gathered);
}

// What the other side of a comparison has not come to, as a strip below the bands.
void draw_alone(const Scene& scene, Ui& ui, const Axis& axis, Rect row) {
  const auto first = static_cast<std::size_t>(std::max(0.0, axis.first));
  const auto last = std::min(scene.steps.execution, static_cast<std::size_t>(axis.first + axis.count) + 1);
  const Rect strip{row.x, row.y + 2, row.w, row.h - 4};
  ui.paint().fill(strip, ui.theme().fill(Token::cell, 0.6F), 2);
  std::size_t many = 0;
  for (std::size_t step = first; step < last;) {
    std::size_t end = step;
    while (end < last && scene.done_here_alone(end)) ++end;
    many += end - step;
    if (end > step) {
      const float left = std::max(strip.x, axis.at(static_cast<double>(step)));
      const float right = std::min(strip.right(), axis.at(static_cast<double>(end)));
      ui.paint().fill({left, strip.y, std::max(1.F, right - left), strip.h}, side_colour(ui.theme(), scene.side));
    }
    step = end + 1;
  }
  ui.label("alone", std::string("only ") + scene.side + " has done " + std::to_string(many) + " steps", row);
}

void draw_now(Ui& ui, const Axis& axis, Rect rows, const Replayed& r) {
  const float x = std::round(axis.at(r.at == 0 ? 0 : static_cast<double>(r.at) - 0.5));
  if (x < axis.area.x - 1 || x > axis.area.right() + 1) return;
  const Colour ink = ui.theme()(Token::ink);
  ui.paint().fill({x - 1, rows.y - 4, 2, rows.h + 4}, ink);
  ui.paint().polygon(std::array{Point{x - 6, rows.y - 9}, Point{x + 6, rows.y - 9}, Point{x, rows.y - 1}}, ink);
}

// From the write that comes too late, back to the read.
void draw_arcs(Ui& ui, const Axis& axis, const Tracks& tracks, const std::vector<Rect>& rows, const Replayed& r) {
  for (const explore::Violation& violation : r.violations) {
    if (!violation.writes) continue;
    const std::string& tensor = r.step->reads[static_cast<std::size_t>(violation.read)].tensor;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (tracks.ticks[i].first != tensor) continue;
      const Point from{axis.at(static_cast<double>(*violation.writes) + 0.5), rows[i].y + 2},
          to{axis.at(static_cast<double>(r.now()) + 0.5), rows[i].y + 3};
      const float high = std::min(30.F, 10 + std::abs(from.x - to.x) * 0.15F);
      const std::vector<Point> arc =
          along(from, {from.x, from.y - high}, {to.x + (from.x - to.x) * 0.15F, to.y - high}, to, 24);
      ui.paint().dashed_line(arc, ui.theme()(Token::bad), 1.8F, dash_phase(ui));
      ui.paint().arrow_head(to, arc[arc.size() - 4], ui.theme()(Token::bad), 8);
    }
  }
}

void take_pointer(Ui& ui, const Axis& axis, Rect rows, const Replayed& r) {
  const Response ground =
      ui.item("steps", "slider", std::to_string(r.at) + " of " + std::to_string(r.length()), "", rows);
  const double under = axis.step(ui.input().mouse.x);
  const auto step = static_cast<std::size_t>(std::clamp(std::floor(under) + 1, 0.0, static_cast<double>(r.length())));
  if (ground.held && step != r.at) ui.act("window goto execution " + std::to_string(step));
  if (!ground.hovered || ground.held || step == 0) return;
  const float x = std::round(axis.at(static_cast<double>(step) - 0.5));
  ui.paint().fill({x, rows.y, 1, rows.h}, ui.theme()(Token::edge));
  const explore::Trace::Step& one = r.execution->trace.steps[step - 1];
  ui.tooltip("step " + std::to_string(step) + (one.loops.empty() ? "" : ", " + text::to_string(one.loops)) + "\n" +
             words_of_step(one));
}

/// The loop of a row, if it is the same everywhere.
std::string loop_of(const std::vector<const Timeline::Band*>& bands) {
  const bool same =
      std::ranges::all_of(bands, [&](const Timeline::Band* one) { return one->loop == bands.front()->loop; });
  return same ? bands.front()->loop : "";
}

std::string subtitle(const Scene&) { return ""; }

void draw(const Scene& scene, Ui& ui, Rect area) {
  const Replayed r = replayed(scene);
  if (!r) return draw_no_execution(scene, ui, area);
  if (r.length() == 0) return draw_nothing(ui, area, "The kernel executes no statement at these sizes.");
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  const Tracks& tracks = tracks_of(scene, ui, r);
  Rect rest = area.inset(padding, 0);
  rest.take_top(8), rest.take_bottom(2);
  Rect names = rest.take_left(gutter);
  names.w -= 8;
  const Axis axis = axis_in(ui, rest, r.length());
  const float alone_row = scene.counterparts ? 12.F : 2.F;
  const auto height = [&](float band, float tick) {
    return static_cast<float>(tracks.bands.size()) * band + alone_row + static_cast<float>(tracks.ticks.size()) * tick;
  };
  // Lower rows where that shows more of them, and none of them cut.
  const bool roomy = height(18, 20) <= rest.h;
  const float band_row = roomy ? 18.F : 15.F, tick_row = roomy ? 20.F : 17.F, content = height(band_row, tick_row);
  if (content > rest.h) {
    const float bands_high = height(band_row, 0);
    rest.h = rest.h > bands_high ? bands_high + std::floor((rest.h - bands_high) / tick_row) * tick_row
                                 : std::floor(rest.h / band_row) * band_row;
  }
  auto& scrolled = ui.memory<float>("scroll");
  scrolled = std::clamp(scrolled, 0.F, std::max(0.F, content - rest.h));
  std::vector<Rect> tick_rows;
  {
    const Clip clip(paint, {area.x, rest.y, area.w, rest.h});
    float y = rest.y - scrolled;
    for (std::size_t depth = 0; depth < tracks.bands.size(); ++depth, y += band_row) {
      const std::string loop = loop_of(tracks.bands[depth]);
      paint.text_in({names.x, y, names.w, band_row}, loop.empty() ? "loop " + std::to_string(depth + 1) : loop,
                    Font::small_mono, loop.empty() ? t(Token::soft) : colour_of_index(scene, t, loop), Align::right);
      draw_bands(scene, ui, axis, {rest.x, y, rest.w, band_row}, tracks.bands[depth], r);
    }
    if (scene.counterparts) {
      draw_side(paint, t, {names.right() - 4, y + alone_row / 2}, 8, scene.side);
      draw_alone(scene, ui, axis, {rest.x, y, rest.w, alone_row});
    }
    y += alone_row;
    for (const auto& [tensor, ticks] : tracks.ticks) {
      const Rect row{rest.x, y, rest.w, tick_row};
      paint.text_in({names.x, y, names.w, tick_row}, tensor, Font::small_mono, t(Token::soft), Align::right);
      paint.fill({rest.x, row.bottom() - 2, rest.w, 1}, t(Token::line));
      draw_ticks(scene, ui, axis, row, ticks, r);
      ui.label("reads:" + tensor, tensor, {names.x, y, names.w, tick_row});
      tick_rows.push_back(row);
      y += tick_row;
    }
  }
  const Rect rows{rest.x, rest.y, rest.w, std::min(rest.h, content)};
  take_pointer(ui, axis, rows, r);
  draw_arcs(ui, axis, tracks, tick_rows, r);
  draw_now(ui, axis, rows, r);
  ui.scroll("scroll", {rest.x, rest.y, rest.w + padding - 2, rest.h}, content, scrolled);
}

}  // namespace
}  // namespace timeline_pane

const View timeline_view = {"timeline",          "Timeline", "replay",    timeline_pane::subtitle,
                            timeline_pane::draw, "step",     "execution", draw_timeline_header};

}  // namespace trellis::gui
