#pragma once
// A path to type, with the names that may stand there below it.

#include <string>
#include <vector>

#include "gui/field.hpp"

namespace trellis::gui {

struct PathOffer {
  std::string name;  ///< of a file or folder, the latter with a slash behind it
  std::string path;  ///< as it would be typed
};
/// What begins with what was typed: folders first, then files with that ending ("" for any). At most 200.
std::vector<PathOffer> path_offers(const std::string& typed, const std::string& ending);

struct PathKept {
  Editor line;
  Choosing rows;
  std::string listed = "\n";  ///< what `offers` are for
  std::vector<PathOffer> offers;
};
/// Field and rows; Tab completes. The result is the path that was entered, or that of the file that was clicked.
std::optional<std::string> draw_path(Ui& ui, Rect area, PathKept& kept, const std::string& ending,
                                     const std::string& placeholder);
/// Begins with that text, its name without the ending selected.
void begin_path(PathKept& kept, const std::string& path);

}  // namespace trellis::gui
