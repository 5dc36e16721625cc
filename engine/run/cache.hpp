#pragma once
// Where native code is kept between sessions: $XDG_CACHE_HOME/trellis, or .cache/trellis in the home folder.
// A file is named after everything that its content depends on and appears at once, so any number of processes may
// share the folder. Only a folder that is ours alone is used, since what lies there will be executed.

#include <memory>
#include <optional>
#include <string>

#include "engine/run/descriptor.hpp"

namespace trellis::run {

/// 128 bits of a content hash, as 32 hexadecimal digits. Guards against accidents, not against attacks.
std::string content_key(const std::string& content);

/// Empty when there is no folder that can be used; then nothing is kept.
std::optional<std::string> cache_folder();

/// A new private folder, inside the cache folder if there is one; removed with its files when this ends. Those of
/// processes that died before they could do so are removed when the next one is made: nobody holds their locks.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  bool exists() const { return !path_.empty(); }
  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
  std::unique_ptr<Descriptor> lock_;
};

}  // namespace trellis::run
