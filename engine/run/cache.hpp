#pragma once
// Where native code is kept between sessions: $XDG_CACHE_HOME/trellis, or .cache/trellis in the home folder.
// A file is named after everything that its content depends on and appears at once, so any number of processes may
// share the folder. Only a folder that is ours alone is used, since what lies there will be executed.

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "engine/run/descriptor.hpp"

namespace trellis::run {

/// XXH3's 128 bits of the content, as 32 hexadecimal digits. It finds a file; what the file was made of is compared as
/// well.
std::string content_key(const std::string& content);

/// Empty when there is no folder that can be used; then nothing is kept.
std::optional<std::string> cache_folder();

/// Native code by what it was made of: in the folder KEY.so, and beside it KEY.c with the object's size and hash and
/// all that went into it. Both are compared each time, since a wrong kernel is worse than a slow one, and a damaged
/// object would end the process that loads it.
class CachedCode {
 public:
  CachedCode(const std::string& folder, const std::string& key)
      : code_(folder + "/" + key + ".so"), made_of_(folder + "/" + key + ".c") {}

  const std::string& file() const { return code_; }
  /// Whether it is there, whole, and was made of this; then it counts as used just now.
  bool holds(const std::string& made_of) const;
  /// Keeps a link to the object. Whoever finds it finds it whole. False: it could not be kept.
  bool keep(const std::string& object, const std::string& made_of) const;
  void remove() const;

 private:
  std::string code_, made_of_;
};

/// Removes what was used longest ago while the folder's code takes more than `most_bytes`.
void trim_cache(const std::string& folder, std::size_t most_bytes);
constexpr std::size_t most_cached_bytes = std::size_t{256} << 20;

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
