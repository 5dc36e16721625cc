#include "gui/ui.hpp"

#include <algorithm>
#include <cmath>

namespace trellis::gui {
namespace {

bool takes_pointer(const std::string& role) { return role != "text" && role != "mark"; }
bool takes_focus(const Item& item) {
  return takes_pointer(item.role) && item.role != "scroll" && item.role != "veil" && item.role != "document" &&
         item.role != "canvas" && item.role != "tab" && !item.rect.empty();
}

}  // namespace

void Ui::begin(Input input, Paint& paint, const Theme& theme) {
  input_ = std::move(input);
  paint_ = &paint;
  theme_ = &theme;
  animated_ = false;
  tooltip_.clear();
  last_ = std::exchange(items_, {});
  hovered_nodes_ = std::exchange(next_hovered_, {});
  keys_left_ = {input_.keys.begin(), input_.keys.end()};
  clicked_.clear();
  hot_.clear();
  // What was drawn last lies on top.
  for (auto item = last_.rbegin(); item != last_.rend(); ++item)
    if (takes_pointer(item->role) && item->rect.contains(input_.mouse)) {
      hot_ = item->pane + "/" + item->id;
      break;
    }
  if (input_.pressed) held_ = hot_, pressed_at_ = input_.mouse;
  if (input_.released && held_ == hot_) clicked_ = held_;
}

void Ui::end() {
  if (input_.released) held_.clear();
  if (input_.pressed && !text_field_.empty() && hot_ != text_field_ && !keeps_text_) text_field_.clear();
  keeps_text_ = false;
}

void Ui::enter_pane(const std::string& pane, bool has_keys, bool covered) {
  pane_ = pane;
  has_keys_ = has_keys;
  covered_ = covered;
}

void Ui::draw_above() {
  for (const Above& one : std::exchange(above_, {})) {
    enter_pane(one.pane, one.has_keys, one.covered);
    one.draw();
  }
}

Response Ui::item(const std::string& id, const std::string& role, const std::string& label, const std::string& state,
                  Rect area) {
  const Rect seen = area.cut(paint_->clipped());
  const std::string key = key_of(id);
  items_.push_back({id, role, label, state, seen, pane_, focused_ == key});
  Response response;
  response.hovered = hot_ == key && (held_.empty() || held_ == key);
  response.pressed = input_.pressed && hot_ == key;
  response.held = held_ == key && input_.down;
  response.released = held_ == key && input_.released;
  response.clicked = clicked_ == key;
  response.double_clicked = input_.double_clicked && hot_ == key;
  response.right_clicked = input_.right_pressed && hot_ == key;
  response.focused = focused_ == key;
  response.since = pressed_at_;
  if (response.focused && has_keys_ && (this->key("Enter") || this->key("Space"))) response.clicked = true;
  if (response.focused) paint_->outline(area.inset(-2), (*theme_)(Token::accent), 2, 6);
  return response;
}

void Ui::label(const std::string& id, const std::string& text, Rect area, const std::string& state) {
  items_.push_back({id, "text", text, state, area.cut(paint_->clipped()), pane_});
}

const Item* Ui::find(std::string_view id, std::string_view pane) const {
  for (const Item& item : last_)
    if (item.id == id && (pane.empty() || item.pane == pane)) return &item;
  return nullptr;
}

bool Ui::key(std::string_view chord, bool anywhere) {
  if (!anywhere && !has_keys_) return false;
  const auto found = keys_left_.find(chord);
  if (found == keys_left_.end()) return false;
  // While text is typed, a single letter is text.
  if (!text_field_.empty() && chord.size() == 1) return false;
  keys_left_.erase(found);
  return true;
}

void Ui::walk_focus(const std::string& pane) {
  const bool down = key("Down", true);
  if (!down && !key("Up", true)) return;
  std::vector<std::string> all;
  for (const Item& item : items_)
    if (item.pane == pane && takes_focus(item)) all.push_back(item.pane + "/" + item.id);
  if (all.empty()) return;
  const auto now = std::ranges::find(all, focused_);
  if (now == all.end()) focused_ = down ? all.front() : all.back();
  else if (down ? now + 1 != all.end() : now != all.begin()) focused_ = *(down ? now + 1 : now - 1);
}

std::string Ui::take_typed() { return std::exchange(input_.typed, {}); }

float Ui::take_wheel(Rect area) {
  return area.contains(input_.mouse) && paint_->clipped().contains(input_.mouse) && !covered_
             ? std::exchange(input_.wheel, 0.F)
             : 0;
}

float Ui::take_wheel_across(Rect area) {
  return area.contains(input_.mouse) && !covered_ ? std::exchange(input_.wheel_across, 0.F) : 0;
}

void Ui::nodes(const std::vector<text::NodeId>& innermost_first, Rect area) {
  if (covered_ || !area.cut(paint_->clipped()).contains(input_.mouse)) return;
  next_hovered_ = innermost_first;
}

Ui::Glow Ui::glow(text::NodeId id) const {
  if (pinned_.contains(id)) return Glow::pinned;
  if (lit_.strong.contains(id)) return Glow::strong;
  return lit_.weak.contains(id) ? Glow::weak : Glow::none;
}

bool Ui::button(const std::string& id, const std::string& label, Rect area, bool strong, bool chosen) {
  const Response response = item(id, "button", label, chosen ? "chosen" : "", area);
  const Theme& t = *theme_;
  const Colour back = strong ? t(Token::accent) : chosen || response.hovered ? t(Token::hover) : t(Token::raised);
  paint_->fill(area, strong && response.hovered ? mixed(back, t(Token::ink), 0.15F) : back, 6);
  if (!strong) paint_->outline(area, t(chosen ? Token::accent : Token::line2), 1, 6);
  paint_->text_in(area.inset(4, 0), label, strong ? Font::strong : Font::text,
                  t(strong ? Token::on_accent : Token::ink), Align::centre);
  return response.clicked;
}

void Ui::tooltip(const std::string& text) { tooltip_ = text; }

void Ui::scroll(const std::string& id, Rect area, float content, float& offset) {
  const float most = std::max(0.F, content - area.h);
  offset = std::clamp(offset - take_wheel(area) * 60, 0.F, most);
  if (most <= 0) return;
  const float height = std::max(24.F, area.h * area.h / content), room = area.h - height;
  const Rect thumb{area.right() - 5, area.y + room * offset / most, 4, height};
  const Response response = item(id, "scroll", "", "", {thumb.x - 6, area.y, 12, area.h});
  if (response.held && room > 0) offset = std::clamp((input_.mouse.y - area.y - height / 2) / room, 0.F, 1.F) * most;
  paint_->fill(thumb, (*theme_)(response.hovered || response.held ? Token::edge : Token::line2), 2);
}

void Ui::scroll_across(const std::string& id, Rect area, float content, float& offset) {
  const float most = std::max(0.F, content - area.w);
  offset = std::clamp(offset - take_wheel_across(area) * 60, 0.F, most);
  if (most <= 0) return;
  const float width = std::max(24.F, area.w * area.w / content), room = area.w - width;
  const Rect thumb{area.x + room * offset / most, area.bottom() - 5, width, 4};
  const Response response = item(id, "scroll", "", "", {area.x, thumb.y - 6, area.w, 12});
  if (response.held && room > 0) offset = std::clamp((input_.mouse.x - area.x - width / 2) / room, 0.F, 1.F) * most;
  paint_->fill(thumb, (*theme_)(response.hovered || response.held ? Token::edge : Token::line2), 2);
}

Rect Ui::tag(Point at, std::string_view text, Colour colour, Font font) {
  const Rect area{at.x, at.y, paint_->width(text, font) + 12, 20};
  paint_->fill(area, faded(colour, theme_->verdict_fill), 4);
  paint_->text_in(area.inset(6, 0), text, font, colour);
  return area;
}

}  // namespace trellis::gui
