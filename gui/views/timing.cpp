// How long the kernel takes: each back end by itself, against what this machine can do, and never against each other.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "engine/run/histogram.hpp"
#include "gui/order_words.hpp"
#include "gui/views/views.hpp"

namespace trellis::gui {
namespace {

constexpr int histogram_bins = 40;

using TimedKernel = std::shared_ptr<const session::Timed::Kernel>;

TimedKernel timing_of(const session::Snapshot& snapshot, const std::string& kernel) {
  const auto found = snapshot.timings.find(kernel);
  return found == snapshot.timings.end() ? nullptr : found->second;
}

std::string timing_subtitle(const Scene& scene) {
  if (!scene.kernel) return "";
  const TimedKernel timed = timing_of(*scene.snapshot, scene.kernel->name);
  if (!timed) return "";
  return "order " + lang::to_string(timed->order) +
         (scene.snapshot->stale_timings.contains(scene.kernel->name) ? ", as it was" : "");
}

std::string rate_words(double number, const char* unit) {
  char text[48];
  std::snprintf(text, sizeof text, number < 99.95 ? "%.3g %s" : "%.0f %s", number, unit);
  return text;
}

void draw_histogram(Paint& paint, const Theme& t, const run::Timing& timing, Rect area) {
  const run::Histogram all = run::histogram(timing, histogram_bins);
  Rect axis = area;
  const Rect labels = axis.take_bottom(16);
  const int most = std::max(1, *std::ranges::max_element(all.bins));
  const float width = axis.w / static_cast<float>(histogram_bins);
  for (int i = 0; i < histogram_bins; ++i) {
    const int runs = all.bins[static_cast<std::size_t>(i)];
    if (runs == 0) continue;
    const float height = std::max(2.F, (axis.h - 4) * static_cast<float>(runs) / static_cast<float>(most));
    paint.fill({axis.x + static_cast<float>(i) * width, axis.bottom() - height, std::max(1.F, width - 1), height},
               t.fill(Token::accent, 0.65F));
  }
  paint.line({axis.x, axis.bottom()}, {axis.right(), axis.bottom()}, t(Token::edge));
  if (all.to > all.from) {
    const float x = axis.x + axis.w * static_cast<float>((timing.median - all.from) / (all.to - all.from));
    paint.line({x, axis.y}, {x, axis.bottom() + 3}, t(Token::ink), 1.5F);
  }
  paint.text_in(labels, milliseconds(all.from), Font::small_mono, t(Token::faint));
  const std::string end = milliseconds(all.to) + (all.beyond > 0 ? " · " + std::to_string(all.beyond) + " slower" : "");
  paint.text_in(labels, end, Font::small_mono, t(Token::faint), Align::right);
}

struct TimingFigure {
  const char* name;
  std::string value;
};

void draw_timing_figures(Ui& ui, const std::vector<TimingFigure>& figures, const std::string& backend, Rect area) {
  const float width = area.w / static_cast<float>(figures.size());
  for (const TimingFigure& one : figures) {
    Rect spot = area.take_left(width);
    ui.label(backend + ":" + one.name, one.value, spot);
    ui.paint().text_in(spot.take_top(15), one.name, Font::small, ui.theme()(Token::faint));
    ui.paint().text_in(spot, one.value, Font::mono, ui.theme()(Token::ink));
  }
}

/// How much of what the machine can do is reached.
void draw_roof(Ui& ui, const std::string& id, const std::string& reached, const std::string& roof, double share,
               Rect area) {
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  paint.text_in(area.take_left(std::min(96.F, area.w / 3)), reached, Font::small_mono, t(Token::ink));
  const Rect words = area.take_right(std::min(172.F, area.w / 2));
  const Rect bar{area.x, area.centre().y - 3, std::max(0.F, area.w - 8), 6};
  paint.fill(bar, t(Token::hover), 3);
  paint.fill({bar.x, bar.y, bar.w * static_cast<float>(std::clamp(share, 0.0, 1.0)), bar.h}, t(Token::accent), 3);
  char percent[24];
  std::snprintf(percent, sizeof percent, share < 0.1 ? "%.2g %% of " : "%.0f %% of ", share * 100);
  paint.text_in(words, percent + roof, Font::small, t(Token::soft), Align::right);
  ui.label(id, reached + ", " + percent + roof, area);
}

void draw_roofs(Ui& ui, const session::Timed::Kernel& kernel, const session::Timed::Backend& one,
                const std::string& name, Rect area) {
  const double bytes = gb_per_s(kernel, one.timing);
  const auto flops = gflop_per_s(kernel, one.timing);
  // The roof was measured with the compiler that makes native kernels: it says nothing about the other back end.
  const bool against = kernel.roof && one.backend == run::Backend::native;
  const auto plain = [&](const std::string& id, const std::string& words, Rect spot) {
    ui.paint().text_in(spot, words, Font::small_mono, ui.theme()(Token::ink));
    ui.label(id, words, spot);
  };
  const Rect first = area.take_top(18);
  if (against)
    draw_roof(ui, name + ":bytes", rate_words(bytes, "GB/s"), rate_words(kernel.roof->gb_per_s, "GB/s"),
              bytes / kernel.roof->gb_per_s, first);
  else plain(name + ":bytes", rate_words(bytes, "GB/s"), first);
  if (!flops) return;
  if (against)
    draw_roof(ui, name + ":flops", rate_words(*flops, "GFLOP/s"), rate_words(kernel.roof->gflop_per_s, "GFLOP/s"),
              *flops / kernel.roof->gflop_per_s, area.take_top(18));
  else plain(name + ":flops", rate_words(*flops, "GFLOP/s"), area.take_top(18));
}

/// "A takes 0.80 of B's time": of the same back end only.
std::string over_other(const Scene& scene, const session::Timed::Backend& one) {
  const TimedKernel other = scene.other && scene.kernel ? timing_of(*scene.other, scene.kernel->name) : nullptr;
  if (!other) return "";
  for (const session::Timed::Backend& two : other->backends)
    if (two.backend == one.backend && two.timing.median > 0) {
      char text[64];
      std::snprintf(text, sizeof text, "%c takes %.2f of %c's time", scene.side, one.timing.median / two.timing.median,
                    scene.side == 'A' ? 'B' : 'A');
      return text;
    }
  return "";
}

void draw_timed_backend(const Scene& scene, Ui& ui, const session::Timed::Kernel& kernel,
                        const session::Timed::Backend& one, Rect area) {
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  const std::string name = run::name_of(one.backend);
  Rect head = area.take_top(24);
  const Rect tag = ui.tag({head.x, head.y + 2}, name, t(Token::soft), Font::strong);
  head.take_left(tag.w + 10);
  if (const std::string words = over_other(scene, one); !words.empty()) {
    paint.text_in(head, words, Font::strong, t(Token::ink), Align::right);
    ui.label(name + ":over", words, head);
  }
  const Rect figures = area.take_top(38);
  draw_timing_figures(ui,
                      {{"median", milliseconds(one.timing.median)},
                       {"minimum", milliseconds(one.timing.min)},
                       {"spread", "± " + milliseconds(one.timing.mad)},
                       {"runs", std::to_string(one.timing.ms.size())}},
                      name, figures);
  const Rect roofs = area.take_bottom(40);
  area.take_bottom(6);
  if (area.h > 34) draw_histogram(paint, t, one.timing, area);
  draw_roofs(ui, kernel, one, name, roofs);
}

void draw_timing(const Scene& scene, Ui& ui, Rect area) {
  if (!scene.kernel)
    return draw_nothing(ui, area, "no program yet", "write an equation, or open an example with Ctrl+G");
  const std::string command = "time" + (scene.kernel->name == "main" ? "" : " " + scene.kernel->name);
  const TimedKernel timed = timing_of(*scene.snapshot, scene.kernel->name);
  const bool under_way = scene.busy && scene.progress && scene.progress->what.starts_with("timing");
  const Rect button{area.right() - 14 - 64, area.y + 2, 64, 24};
  if (!timed || timed->backends.empty()) {
    if (scene.legal() && !*scene.legal())
      return draw_nothing(ui, area, "an illegal order is not timed", "Explain has fixes; Ctrl+. applies the first");
    draw_nothing(ui, area, under_way ? to_string(*scene.progress) : "not timed yet", under_way ? "Esc ends it" : "");
    const Rect middle{area.x + area.w / 2 - 40, area.y + area.h / 2 + 8, 80, 26};
    if (!under_way && scene.compiled() && scene.side != 'B' && ui.button("time", "time it", middle, true))
      ui.act(command);
    return;
  }
  Rect rest = area.inset(14, 2);
  rest.take_bottom(6);
  const bool stale = scene.snapshot->stale_timings.contains(scene.kernel->name);
  if (scene.side != 'B' && ui.button("time", "time again", {button.x - 20, button.y, 84, 24})) ui.act(command);
  if (stale) {
    const Rect words{rest.x, rest.y, rest.w - 96, 24};
    ui.paint().text_in(words, "of the kernel as it was before the last change", Font::small, ui.theme()(Token::soft));
    ui.label("stale", "of the kernel as it was before the last change", words, "stale");
  }
  rest.take_top(30);
  // Beside each other where there is room, and apart: they are not to be ranked.
  const auto count = static_cast<float>(timed->backends.size());
  const bool across = rest.w / count > 300;
  const float gap = 24;
  for (std::size_t i = 0; i < timed->backends.size(); ++i) {
    if (i > 0) {
      const Rect line = across ? rest.take_left(gap) : rest.take_top(gap);
      if (across) ui.paint().line({line.centre().x, line.y}, {line.centre().x, line.bottom()}, ui.theme()(Token::line));
      else ui.paint().line({line.x, line.centre().y}, {line.right(), line.centre().y}, ui.theme()(Token::line));
    }
    const auto left = static_cast<float>(timed->backends.size() - i);
    const Rect spot =
        across ? rest.take_left((rest.w - gap * (left - 1)) / left) : rest.take_top((rest.h - gap * (left - 1)) / left);
    const Clip clip(ui.paint(), spot);
    draw_timed_backend(scene, ui, *timed, timed->backends[i], spot);
  }
}

}  // namespace

const View timing_view = {"timing", "Timing", "schedule", timing_subtitle, draw_timing, "time"};

}  // namespace trellis::gui
