#include "gui/order_words.hpp"

#include <cmath>
#include <cstdio>

namespace trellis::gui {
namespace {

std::string with_unit(const char* format, double number, const char* unit) {
  char text[48];
  std::snprintf(text, sizeof text, format, number);
  return text + std::string(unit);
}

/// Three digits that count.
const char* three_digits(double number) { return number < 9.995 ? "%.2f" : number < 99.95 ? "%.1f" : "%.0f"; }

}  // namespace

float paint_order(Paint& paint, const Scene& scene, const Theme& theme, Point at, const lang::Order& order, Font font,
                  float opacity) {
  float x = at.x;
  for (const lang::LoopName& loop : order) {
    const Colour colour = colour_of_index(scene, theme, loop.name);
    x += paint.text({x, at.y}, lang::to_string(lang::Order{loop}), font, faded(colour, opacity)) + advance_of(font);
  }
  return x - at.x - (order.empty() ? 0 : advance_of(font));
}

float order_width(const Paint& paint, const lang::Order& order, Font font) {
  return paint.width(lang::to_string(order), font);
}

std::string times_of_fastest(double cost) { return with_unit(cost < 99.5 ? "%.1f" : "%.0f", cost, "×"); }

std::string words_of_ratio(double off) {
  return times_of_fastest(off < 1 ? 1 / off : off) + (off < 1 ? " faster than estimated" : " slower than estimated");
}

std::string milliseconds(double ms) {
  if (ms < 0.001) return with_unit(three_digits(ms * 1e6), ms * 1e6, " ns");
  if (ms < 1) return with_unit(three_digits(ms * 1e3), ms * 1e3, " µs");
  if (ms < 1000) return with_unit(three_digits(ms), ms, " ms");
  return with_unit(three_digits(ms / 1e3), ms / 1e3, " s");
}

const char* word_of(bool legal) { return legal ? "legal" : "illegal"; }

Verdict icon_of(const Scene& scene, bool legal) {
  return scene.predict || !scene.snapshot->accepted ? Verdict::unknown : legal ? Verdict::legal : Verdict::illegal;
}

Verdict verdict_icon(session::KernelVerdict::Kind kind) {
  using Kind = session::KernelVerdict::Kind;
  return kind == Kind::legal     ? Verdict::legal
         : kind == Kind::costly  ? Verdict::costly
         : kind == Kind::unknown ? Verdict::unknown
                                 : Verdict::illegal;
}

Token verdict_token(session::KernelVerdict::Kind kind) {
  using Kind = session::KernelVerdict::Kind;
  return kind == Kind::legal     ? Token::good
         : kind == Kind::costly  ? Token::warn
         : kind == Kind::unknown ? Token::faint
                                 : Token::bad;
}

std::string order_command(const lang::Order& order) { return "order " + lang::to_string(order); }

}  // namespace trellis::gui
