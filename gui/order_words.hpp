#pragma once
// Orders, verdicts and estimates in few words, the same wherever they stand: on slots, maps, tables and cards.

#include <optional>
#include <string>

#include "engine/explore/orders.hpp"
#include "gui/scene.hpp"

namespace trellis::gui {

/// `j k i-`, each name in its hue; the result is the width.
float paint_order(Paint& paint, const Scene& scene, const Theme& theme, Point at, const lang::Order& order, Font font,
                  float opacity = 1);
float order_width(const Paint& paint, const lang::Order& order, Font font);
/// "1.0×": of the fastest one.
std::string times_of_fastest(double cost);
/// "2.4× slower than estimated", of OrderRow::off.
std::string words_of_ratio(double off);
/// "940 µs", "1.3 ms".
std::string milliseconds(double ms);
/// "legal", "illegal".
const char* word_of(bool legal);
/// The icon of an order; none is shown while one is asked to predict, or of a text that is refused.
Verdict icon_of(const Scene& scene, bool legal);
/// The icon of a kernel, and its colour.
Verdict verdict_icon(session::KernelVerdict::Kind kind);
Token verdict_token(session::KernelVerdict::Kind kind);
/// The command that takes this order.
std::string order_command(const lang::Order& order);

}  // namespace trellis::gui
