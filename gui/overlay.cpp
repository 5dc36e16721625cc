#include "gui/overlay.hpp"

namespace trellis::gui {

void draw_overlay(App& app, Ui& ui, Rect window) {
  (void)app, (void)ui, (void)window;
}

}  // namespace trellis::gui
