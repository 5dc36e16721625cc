#pragma once
// Where native code is kept between sessions: $XDG_CACHE_HOME/trellis, or .cache/trellis in the home folder.
// A file is named after everything that its content depends on and appears at once, so any number of processes may
// share the folder. Only a folder that is ours alone is used, since what lies there will be executed.

#include <optional>
#include <string>

namespace trellis::run {

/// 128 bits of a content hash, as 32 hexadecimal digits. Guards against accidents, not against attacks.
std::string content_key(const std::string& content);

/// Empty when there is no folder that can be used; then nothing is kept.
std::optional<std::string> cache_folder();

/// A new private folder, inside the cache folder if there is one; removed with its files when this ends.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  bool exists() const { return !path_.empty(); }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace trellis::run
