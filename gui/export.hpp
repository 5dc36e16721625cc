#pragma once
// What a view, or the session, can be written as; and what is being written.

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gui/document.hpp"
#include "gui/modal.hpp"

namespace trellis::gui {

struct View;

struct ExportKind {
  const char* name;    ///< "png": as in `window export png`
  const char* title;   ///< "Picture"
  const char* ending;  ///< ".png"
  bool of_pane;        ///< else of the session
};
const std::vector<ExportKind>& export_kinds();
const ExportKind* find_export(std::string_view name);
/// Whether the pane can be written so.
bool can_export(const ExportKind& kind, const View* view);
/// The session's command that writes it to the path, or that says it in words; empty: there is none.
std::string export_command(const ExportKind& kind, const View* view, const std::string& kernel,
                           const std::string& path);

/// A picture that was asked for: who draws the frames makes it.
struct Picture {
  enum class Kind { png, svg } kind = Kind::png;
  std::string path;
  std::string pane;  ///< empty: the whole window
  float scale = 1;   ///< pixels a unit
};

/// What was asked for, until it is written; a note says what came of it.
class Exports {
 public:
  Exports(Document& document, Notes& notes) : document_(document), notes_(notes) {}
  /// The program as it is.
  void write_program(const std::string& path);
  /// The session's command writes the file itself, or, where it answers in words, these are written.
  void ask(const std::string& command, const std::string& path, bool in_words);
  void hear(const session::Answer& answer);
  void ask_for(Picture picture) { pictures_.push_back(std::move(picture)); }
  /// What was asked for since the last call; who takes it draws it, and notes what came of it.
  std::vector<Picture> take_pictures() { return std::exchange(pictures_, {}); }

 private:
  Document& document_;
  Notes& notes_;
  struct Asked {
    std::string path;
    bool in_words = false;
  };
  std::map<std::uint64_t, Asked> asked_;  ///< by request
  std::vector<Picture> pictures_;
};

/// Empty: it went well; otherwise what is wrong, and the file is as it was.
std::string write_text(const std::string& path, std::string_view text);
/// `~/` is the home folder.
std::string with_home(const std::string& path);

}  // namespace trellis::gui
