#include "engine/run/cache.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <vector>

namespace trellis::run {
namespace {

std::string configured_folder() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache && cache[0] == '/')
    return std::string(cache) + "/trellis";
  if (const char* home = std::getenv("HOME"); home && home[0] == '/') return std::string(home) + "/.cache/trellis";
  return {};
}

bool is_ours_alone(const std::string& folder) {
  struct stat info {};
  return stat(folder.c_str(), &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == geteuid() &&
         (info.st_mode & (S_IWGRP | S_IWOTH)) == 0 && access(folder.c_str(), W_OK) == 0;
}

const std::string scratch_prefix = "compile-";

int open_folder(const std::string& path) { return open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC); }

// A lock belongs to the opened file: it lasts until the last of the processes that share the descriptor is gone.
bool lock(const Descriptor& file, int operation) {
  int result = 0;
  while ((result = flock(file.get(), operation)) < 0 && errno == EINTR) {}
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

// Not by a stream: the iterators of one throw where reading fails, as on a disk with errors, or where a folder lies.
std::optional<std::string> content_of(const std::string& path) {
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::string content;
  std::array<char, 1u << 16> block;
  while (file.get() >= 0) {
    const ssize_t got = read(file.get(), block.data(), block.size());
    if (got == 0) return content;
    if (got > 0) content.append(block.data(), static_cast<std::size_t>(got));
    else if (errno != EINTR) return std::nullopt;
  }
  return std::nullopt;
}

bool reach_the_device(const std::string& path) {
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  return file.get() >= 0 && fsync(file.get()) == 0;
}

// The object's size and hash, then what it was made of.
std::string record(const std::string& object, const std::string& made_of) {
  return std::to_string(object.size()) + " " + content_key(object) + "\n" + made_of;
}

}  // namespace

std::string content_key(const std::string& content) {
  const XXH128_hash_t hash = XXH3_128bits(content.data(), content.size());
  char digits[33];
  std::snprintf(digits, sizeof digits, "%016llx%016llx", static_cast<unsigned long long>(hash.high64),
                static_cast<unsigned long long>(hash.low64));
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

bool CachedCode::holds(const std::string& made_of) const {
  const auto there = content_of(made_of_), object = content_of(code_);
  if (!there || !object || *there != record(*object, made_of)) return false;
  utimensat(AT_FDCWD, code_.c_str(), nullptr, 0);
  return true;
}

// Each of the two appears at once and whole. Whoever is killed between them, or writes beside another process, leaves a
// pair that does not belong together, which nobody takes.
bool CachedCode::keep(const std::string& object, const std::string& made_of) const {
  if (holds(made_of)) return true;
  const auto code = content_of(object);
  if (!code || !reach_the_device(object)) return false;
  const std::string name = std::filesystem::path(made_of_).filename().string();
  const std::string text = object + "." + name, again = text + ".so";
  std::ofstream(text, std::ios::binary) << record(*code, made_of);
  if (!reach_the_device(text) || link(object.c_str(), again.c_str()) != 0) return false;
  return std::rename(text.c_str(), made_of_.c_str()) == 0 && std::rename(again.c_str(), code_.c_str()) == 0;
}

void CachedCode::remove() const {
  unlink(code_.c_str());
  unlink(made_of_.c_str());
}

void trim_cache(const std::string& folder, std::size_t most_bytes) {
  struct Kept {
    std::filesystem::file_time_type used;
    std::string key;
    std::size_t bytes;
  };
  std::vector<Kept> all;
  std::size_t sum = 0;
  std::error_code error, gone;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    if (entry->path().extension() != ".so") continue;
    const auto bytes = entry->file_size(gone);
    const auto used = entry->last_write_time(gone);
    if (gone) continue;  // another process was faster
    all.push_back({used, entry->path().stem().string(), bytes});
    sum += bytes;
  }
  std::ranges::sort(all, {}, &Kept::used);
  for (const Kept& oldest : all) {
    if (sum <= most_bytes) return;
    CachedCode(folder, oldest.key).remove();
    sum -= oldest.bytes;
  }
}

ScratchFolder::ScratchFolder() {
  std::error_code error;
  const std::optional<std::string> cache = cache_folder();
  const std::string base = cache.value_or(std::filesystem::temp_directory_path(error).string());
  const OneAtATime alone(cache);
  if (cache) {
    remove_abandoned(*cache);
    trim_cache(*cache, most_cached_bytes);
  }
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
