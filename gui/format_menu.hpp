#pragma once
// What a tensor or a level may be stored as, as a list to choose from and to type into.

#include <optional>
#include <string>
#include <vector>

#include "engine/session/stages/formats.hpp"
#include "gui/editor.hpp"
#include "gui/scene.hpp"

namespace trellis::gui {

/// A list that hangs below a button, until one of its rows is chosen or something else is pressed.
struct FormatMenu {
  std::string of;  ///< the button's id; empty: none is open
  Rect below;
  int at = 0;  ///< the row that Enter takes
  struct Row {
    std::string label, command;
    bool chosen = false;
  };
  std::vector<Row> rows;
  Editor typed = {};        ///< narrows the rows; what none of them is goes to the session as it is
  std::string before = {};  ///< of the command that takes what is typed: "format A "
  std::string after = {};   ///< and what stands behind it
};

/// The format by its name, where it has one.
std::string name_of_format(format::Format format);
std::string command_for_format(const std::string& tensor, const format::Format& format);

/// Formats that have names, and layouts: those of the language, and those that the program declares.
FormatMenu format_menu(const session::StoredTensor& tensor, const std::string& program);
/// Levels that the others go with; none where a layout says what they are.
FormatMenu level_menu(const session::StoredTensor& tensor, std::size_t level);

/// What its elements are before anything defines them: a new declaration. Nothing is open where the program declares
/// it in no line of its own.
FormatMenu fill_menu(const session::StoredTensor& tensor, const std::string& program);

/// Above what is below it, with the keys as long as it is open. The result is the command that was chosen or typed.
std::optional<std::string> draw_format_menu(Ui& ui, FormatMenu& menu, Rect area);

}  // namespace trellis::gui
