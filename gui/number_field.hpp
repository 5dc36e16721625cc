#pragma once
// A field that holds a whole number: typed, or doubled and halved with the arrow keys and the wheel.

#include <cstdint>
#include <string>

#include "gui/ui.hpp"

namespace trellis::gui {

/// `first` is what it holds in the beginning; the result is at least 1.
std::int64_t number_field(Ui& ui, const std::string& id, const std::string& label, Rect area, std::int64_t first);

}  // namespace trellis::gui
