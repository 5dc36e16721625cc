#include "gui/modal.hpp"

namespace trellis::gui {

void Modal::open(std::string name) {
  if (name_.empty()) field_before_ = ui_.text_field();
  name_ = std::move(name);
  drawn_.clear();
  ui_.focus_text(""), ui_.focus("");
}

void Modal::close() {
  if (name_.empty()) return;
  name_.clear();
  held_up_.clear();
  ui_.focus_text(std::exchange(field_before_, {}));
}

void Notes::say(const std::string& words, bool failed) { last_ = {words, failed, ui_.input().now + (failed ? 8 : 4)}; }

}  // namespace trellis::gui
