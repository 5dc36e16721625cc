#include "gui/number_field.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace trellis::gui {
namespace {

constexpr std::int64_t most_number = 65536;

struct NumberField {
  std::string digits;
  bool fresh = false;  ///< what is typed next takes the place of what it holds
};

std::int64_t value_of(const std::string& digits) {
  std::int64_t number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return std::clamp<std::int64_t>(number, 1, most_number);
}

void take_keys(Ui& ui, NumberField& field) {
  for (const char c : ui.take_typed())
    if (std::isdigit(static_cast<unsigned char>(c)) != 0 && (field.fresh || field.digits.size() < 5)) {
      if (std::exchange(field.fresh, false)) field.digits.clear();
      field.digits += c;
    }
  if (ui.key("Backspace")) {
    if (std::exchange(field.fresh, false)) field.digits.clear();
    else if (!field.digits.empty()) field.digits.pop_back();
  }
  if (ui.key("Up")) field.digits = std::to_string(std::min(most_number, value_of(field.digits) * 2));
  if (ui.key("Down")) field.digits = std::to_string(std::max<std::int64_t>(1, value_of(field.digits) / 2));
  if (ui.key("Enter")) ui.focus_text("");
}

}  // namespace

std::int64_t number_field(Ui& ui, const std::string& id, const std::string& label, Rect area, std::int64_t first) {
  auto& field = ui.memory<NumberField>("number " + id);
  if (field.digits.empty() && ui.text_field() != ui.pane() + "/" + id) field.digits = std::to_string(first);
  const Response response = ui.item(id, "field", label, field.digits, area);
  if (response.clicked) ui.focus_text(ui.pane() + "/" + id), field.fresh = true;
  const bool typing = ui.text_field() == ui.pane() + "/" + id;
  if (typing) take_keys(ui, field);
  if (const float notches = ui.take_wheel(area); notches != 0) {
    const std::int64_t now = value_of(field.digits);
    field.digits = std::to_string(std::clamp<std::int64_t>(notches > 0 ? now * 2 : now / 2, 1, most_number));
  }
  const Theme& t = ui.theme();
  ui.paint().fill(area, t(Token::window), 5);
  ui.paint().outline(area, t(typing ? Token::accent : response.hovered ? Token::edge : Token::line2), 1, 5);
  const Rect inner = area.inset(6, 0);
  if (typing && field.fresh)
    ui.paint().fill({inner.x - 1, area.y + 4, ui.paint().width(field.digits, Font::list_mono) + 2, area.h - 8},
                    t.fill(Token::accent, 0.3F), 2);
  ui.paint().text_in(inner, field.digits, Font::list_mono, t(Token::ink));
  if (typing && !field.fresh)
    ui.paint().fill({inner.x + ui.paint().width(field.digits, Font::list_mono) + 1, area.y + 5, 1.5F, area.h - 10},
                    t(Token::ink));
  return value_of(field.digits);
}

}  // namespace trellis::gui
