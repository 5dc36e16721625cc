#pragma once
// The program on disk: read, written, read again when another program writes it, and kept while it is not saved.

#include <cstdint>
#include <optional>
#include <string>

#include "gui/console.hpp"
#include "gui/document.hpp"
#include "gui/settings.hpp"

namespace trellis::gui {

/// Why that is neither a file nor an example, and which example has a name like it.
std::string why_not_opened(const std::string& path);

class Files {
 public:
  /// Autosaves lie in that folder; empty: nothing is kept.
  Files(Document& document, Settings& settings, Console& console, std::string folder);

  /// A file, or an example by its name. False: it cannot be read, which the console says.
  bool open(const std::string& path);
  /// Empty: it went well; otherwise what is wrong, which the console says.
  std::string save(const std::string& path);
  /// As it is on disk. One change, which can be undone.
  void reload();
  /// Something was typed that is not on disk.
  bool would_lose() const;

  /// The text that was not saved when an explorer ended, while it has not been decided upon.
  const std::optional<Autosave>& left() const { return left_; }
  void recover(bool take);
  /// Once a frame: a file that another program writes is read again, unless something here would be lost; and what is
  /// not saved is kept, often enough that little is lost, however the program ends, but not with every letter.
  void watch(double now);
  void keep_unsaved();

 private:
  void read_again();
  void remember(const std::string& path);

  Document& document_;
  Settings& settings_;
  Console& console_;
  std::string folder_;
  std::optional<Autosave> left_;
  double now_ = 0, kept_at_ = 0, watched_at_ = 0;
  std::uint64_t kept_revision_ = 0;        ///< of the editor, in the autosave
  std::optional<std::int64_t> file_time_;  ///< when the open file was last written
};

}  // namespace trellis::gui
