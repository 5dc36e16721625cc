#include "gui/views/timeline_header.hpp"

#include <algorithm>

#include "gui/replayed.hpp"

namespace trellis::gui {
namespace {

std::string name_of_touch(const explore::Trace::Touch& touch) {
  std::string name = text::element_text(touch.tensor, touch.index);
  if (!touch.last.empty()) name += " … " + text::element_text(touch.tensor, touch.last);
  return name;
}

/// What the step gives a value to.
std::string target_of(const explore::Trace::Step& step) {
  if (step.write) return name_of_touch(*step.write);
  if (!step.starts.empty()) return step.starts;
  return step.ends;
}

/// «, which violation it is, ».
void draw_violations(const Scene& scene, Ui& ui, const Replayed& r, Rect& rest) {
  const std::size_t all = r.drawn->account.violations.size();
  if (all == 0) return;
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  const std::size_t number = r.violation_number();
  const std::string words = number > 0 ? "violation " + std::to_string(number) + " of " + std::to_string(all)
                                       : std::to_string(all) + (all == 1 ? " violation" : " violations");
  const std::string sizes = text::to_string(r.sizes(*scene.explained()));
  const std::string at = sizes.empty() ? "" : "at " + sizes;
  const float width = paint.width(words, Font::strong) + 34, said = at.empty() ? 0 : paint.width(at, Font::small) + 12;
  if (rest.w < width + 70) return;
  const Rect next = rest.take_right(26);
  rest.take_right(6);
  const Rect pill = rest.take_right(width);
  rest.take_right(6);
  const Rect last = rest.take_right(26);
  rest.take_right(10);
  if (said > 0 && rest.w > said + 320) {
    const Rect beside = rest.take_right(said);
    paint.text_in(beside, at, Font::small, t(Token::soft));
    ui.label("violations at", at, beside);
  }
  const float y = rest.y + (rest.h - 22) / 2;
  if (ui.button("last violation", "«", {last.x, y, last.w, 22})) ui.act("window last event");
  if (ui.button("next violation", "»", {next.x, y, next.w, 22})) ui.act("window next event");
  const Rect box{pill.x, y, pill.w, 22};
  const bool now = number > 0;
  paint.fill(box, now ? t.fill(Token::bad, t.verdict_fill) : t(Token::raised), 11);
  paint.verdict({box.x + 14, box.y + 11}, Verdict::illegal, t, 6);
  paint.text_in({box.x + 26, box.y, box.w - 32, box.h}, words, Font::strong, t(now ? Token::bad : Token::soft));
  ui.label("violation", words, box, now ? "now" : "");
}

void draw_words(const Scene& scene, Ui& ui, const explore::Trace::Step& step, Rect rest) {
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  float x = draw_point(scene, ui, {rest.x, rest.y + (rest.h - 20) / 2}, step.loops) + 6;
  const auto say = [&](const std::string& words, Colour colour) {
    const float width = paint.width(words, Font::list_mono);
    if (x + width > rest.right()) {
      if (x + 12 < rest.right())
        paint.text_in({x, rest.y, rest.right() - x, rest.h}, "…", Font::list_mono, t(Token::faint));
      x = rest.right();
      return;
    }
    paint.text_in({x, rest.y, width + 2, rest.h}, words, Font::list_mono, colour);
    x += width + 7;
  };
  say(target_of(step), t(Token::ink));
  if (step.write && !step.reads.empty()) say("←", t(Token::faint));
  for (const explore::Trace::Touch& read : step.reads) {
    const bool early = read.early && !scene.predict;
    if (early && x + 16 < rest.right()) paint.verdict({x + 6, rest.y + rest.h / 2}, Verdict::illegal, t, 5.5F), x += 15;
    say(name_of_touch(read), t(early ? Token::bad : Token::soft));
  }
  if (!step.starts.empty()) say(step.filled ? "begins afresh" : "begins undefined", t(Token::faint));
  if (!step.ends.empty()) say("has all its entries", t(Token::faint));
}

}  // namespace

std::string words_of_step(const explore::Trace::Step& step) {
  std::string words = target_of(step);
  if (step.write && !step.reads.empty()) words += " ←";
  for (const explore::Trace::Touch& read : step.reads) words += " " + name_of_touch(read);
  return step.starts.empty() ? words : words + " begins afresh";
}

void draw_timeline_header(const Scene& scene, Ui& ui, Rect rest) {
  const Replayed r = replayed(scene);
  if (!r) return;
  if (!scene.predict) draw_violations(scene, ui, r, rest);
  if (!r.step) {
    ui.paint().text_in(rest, "nothing has been executed yet", Font::text, ui.theme()(Token::faint));
    return ui.label("happens", "nothing yet", rest);
  }
  draw_words(scene, ui, *r.step, rest);
  ui.label("happens", text::to_string(r.step->loops) + ": " + words_of_step(*r.step), rest,
           r.violations.empty() ? "" : "too early");
}

}  // namespace trellis::gui
