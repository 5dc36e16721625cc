#pragma once
// Where a tensor has its elements (view::StoragePicture): its grid, and beside or below it what is stored, as strips in
// boxes of the levels above. Numbers and hues are the same in both.

#include <optional>

#include "engine/view/arrays.hpp"
#include "engine/view/storage_picture.hpp"
#include "gui/ui.hpp"

namespace trellis::gui {

/// Does one lie within the other, as far as both go?
bool related(const view::StoredSpot& a, const view::StoredSpot& b);

/// In the width of the area; the result is how high it is. What is related to `lit` lights up, and `pointed` becomes
/// what the pointer is on.
float draw_storage_picture(Ui& ui, const view::StoragePicture& picture, Rect area,
                           const std::optional<view::StoredSpot>& lit, std::optional<view::StoredSpot>& pointed);

}  // namespace trellis::gui
