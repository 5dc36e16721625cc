#include "engine/run/cache.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace trellis::run {
namespace {

std::uint64_t hash(const std::string& content, std::uint64_t seed, std::uint64_t factor) {
  std::uint64_t h = seed;
  for (const char c : content) {
    h = (h ^ static_cast<unsigned char>(c)) * factor;
    h ^= h >> 29;
  }
  return h ^ content.size();
}

std::string configured_folder() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache && cache[0] == '/') return std::string(cache) + "/trellis";
  if (const char* home = std::getenv("HOME"); home && home[0] == '/') return std::string(home) + "/.cache/trellis";
  return {};
}

bool is_ours_alone(const std::string& folder) {
  struct stat info{};
  return stat(folder.c_str(), &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == geteuid() &&
         (info.st_mode & (S_IWGRP | S_IWOTH)) == 0 && access(folder.c_str(), W_OK) == 0;
}

const std::string scratch_prefix = "compile-";

int open_folder(const std::string& path) { return open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC); }

// A lock belongs to the opened file: it lasts until the last of the processes that share the descriptor is gone.
bool lock(const Descriptor& file, int operation) {
  int result = 0;
  while ((result = flock(file.get(), operation)) < 0 && errno == EINTR) {
  }
  return result == 0;
}

/// While a scratch folder is made and not locked yet, nobody may take it for an abandoned one.
class OneAtATime {
 public:
  explicit OneAtATime(const std::optional<std::string>& cache) : folder_(cache ? open_folder(*cache) : -1) {
    lock(folder_, LOCK_EX);
  }
  ~OneAtATime() { lock(folder_, LOCK_UN); }  // a child that was forked meanwhile shares the descriptor
  OneAtATime(const OneAtATime&) = delete;
  OneAtATime& operator=(const OneAtATime&) = delete;

 private:
  Descriptor folder_;
};

void remove_abandoned(const std::string& cache) {
  std::error_code error, ignored;
  for (std::filesystem::directory_iterator entry(cache, error), end; !error && entry != end; entry.increment(error)) {
    const std::filesystem::path& path = entry->path();
    if (!path.filename().string().starts_with(scratch_prefix)) continue;
    const Descriptor folder(open_folder(path));
    if (lock(folder, LOCK_EX | LOCK_NB)) std::filesystem::remove_all(path, ignored);
  }
}

}  // namespace

std::string content_key(const std::string& content) {
  char digits[33];
  std::snprintf(digits, sizeof digits, "%016llx%016llx",
                static_cast<unsigned long long>(hash(content, 0xcbf29ce484222325u, 0x100000001b3u)),
                static_cast<unsigned long long>(hash(content, 0x9e3779b97f4a7c15u, 0xff51afd7ed558ccdu)));
  return digits;
}

std::optional<std::string> cache_folder() {
  const std::string folder = configured_folder();
  if (folder.empty()) return std::nullopt;
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(folder).parent_path(), error);
  mkdir(folder.c_str(), S_IRWXU);
  if (!is_ours_alone(folder)) return std::nullopt;
  return folder;
}

ScratchFolder::ScratchFolder() {
  std::error_code error;
  const std::optional<std::string> cache = cache_folder();
  const std::string base = cache.value_or(std::filesystem::temp_directory_path(error).string());
  const OneAtATime alone(cache);
  if (cache) remove_abandoned(*cache);
  std::string pattern = base + "/" + scratch_prefix + "XXXXXX";
  if (error || !mkdtemp(pattern.data())) return;
  path_ = pattern;
  lock_ = std::make_unique<Descriptor>(open_folder(path_));
  lock(*lock_, LOCK_EX);
}

ScratchFolder::~ScratchFolder() {
  std::error_code error;
  if (exists()) std::filesystem::remove_all(path_, error);
}

}  // namespace trellis::run
