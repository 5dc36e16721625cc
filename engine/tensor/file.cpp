#include "engine/tensor/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <utility>

#include "engine/tensor/spill.hpp"

namespace trellis::tensor {

namespace {

struct CloseGzip {
  void operator()(gzFile file) const { gzclose_r(file); }
};

/// The file that a path leads to through symbolic links.
std::string followed(const std::string& path) {
  std::error_code problem;
  const auto end = std::filesystem::canonical(path, problem);
  return problem ? path : end.string();
}

/// Renaming would replace it all the same, whatever its owner said.
bool is_read_only(const std::string& path, mode_t mode) {
  return (mode & 0222) == 0 || access(path.c_str(), W_OK) != 0;
}

/// What a save is called between its end and its renaming; before that it has no name.
constexpr std::string_view unfinished = ".trellis-unfinished";

/// Those that killed processes left, where files have names from the start: "x.mtx.trellis-unfinished-PID-…".
void remove_abandoned(const std::string& path) {
  const std::filesystem::path whole(path);
  const std::string start = whole.filename().string() + std::string(unfinished) + "-";
  std::error_code problem;
  const std::filesystem::path folder = whole.has_parent_path() ? whole.parent_path() : ".";
  for (const auto& entry : std::filesystem::directory_iterator(folder, problem)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(start)) continue;
    const auto owner = static_cast<pid_t>(std::atol(name.c_str() + start.size()));
    if (owner > 0 && kill(owner, 0) != 0 && errno == ESRCH) std::filesystem::remove(entry.path(), problem);
  }
}

mode_t new_file_mode() {
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

}  // namespace

std::string unreadable(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return errno == ENOENT ? "there is no such file" : std::strerror(errno);
  if (S_ISDIR(status.st_mode)) return "it is a directory";
  if (!S_ISREG(status.st_mode)) return "it is no regular file";
  return {};
}

std::optional<FileBytes> read_file(const FileRequest& request, text::Diagnostics& diagnostics) {
  auto refuse = [&](const char* code, const std::string& why) {
    diagnostics.error(code, request.span, "cannot read \"" + request.path + "\": " + why);
    return std::nullopt;
  };
  if (std::string why = unreadable(request.path); !why.empty()) return refuse("E0400", why);
  std::unique_ptr<gzFile_s, CloseGzip> file(gzopen(request.path.c_str(), "rb"));
  if (!file) return refuse("E0400", std::strerror(errno));
  gzbuffer(file.get(), 1u << 18);

  FileBytes content;
  std::array<char, 1u << 16> block;
  while (true) {
    int got = gzread(file.get(), block.data(), static_cast<unsigned>(block.size()));
    int state = Z_OK;
    const char* why = gzerror(file.get(), &state);
    if (state == Z_ERRNO) return refuse("E0400", std::strerror(errno));
    if (got < 0 || state != Z_OK) return refuse("E0402", std::string("its gzip data is damaged: ") + why);
    if (got == 0) return content;
    if (request.cancelled && request.cancelled()) {
      diagnostics.error("E0506", request.span, "reading \"" + request.path + "\" was interrupted");
      return std::nullopt;
    }
    if (content.bytes.size() + static_cast<std::size_t>(got) > request.limit_bytes)
      return refuse("E0410", "its contents exceed " + limit_text(request.limit_bytes));
    content.bytes.insert(content.bytes.end(), block.data(), block.data() + got);
  }
}

bool is_gzip_name(std::string_view path) {
  const std::string_view end = path.substr(path.size() - std::min<std::size_t>(path.size(), 3));
  return end == ".gz" || end == ".GZ";
}

std::string extension(std::string_view path) {
  std::string name(path.substr(path.find_last_of('/') + 1));
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (is_gzip_name(name)) name.resize(name.size() - 3);
  std::size_t dot = name.find_last_of('.');
  return dot == std::string::npos ? "" : name.substr(dot);
}

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)) {
  struct stat status {};
  const bool exists = stat(path_.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) {
    failure_ = "it is a directory";
    return;
  }
  if (exists && !S_ISREG(status.st_mode)) {
    failure_ = "it is no regular file";
    return;
  }
  const bool zipped = is_gzip_name(path_);
  const bool replaces = exists;
  if (replaces && is_read_only(path_, status.st_mode)) {
    failure_ = "it is read-only; `chmod u+w` lets it be replaced, or choose another name";
    return;
  }
  if (replaces) path_ = followed(path_);
  open(replaces ? status.st_mode & 0777 : new_file_mode());
  if (!zipped || descriptor_ < 0) return;
  const int shared = dup(descriptor_);  // zlib closes its own
  gzip_ = shared < 0 ? nullptr : gzdopen(shared, "wb");
  if (gzip_ == nullptr) fail();
  if (gzip_ == nullptr && shared >= 0) close(shared);
}

AtomicFile::~AtomicFile() { discard(); }

/// Without a name where the system can; else under one that says whose it is. Files are private at first; what is
/// replaced stays as readable as it was, what is new is as any new file.
void AtomicFile::open(mode_t mode) {
  const std::string folder = std::filesystem::path(path_).parent_path().string();
  if (access("/proc/self/fd", X_OK) == 0)
    descriptor_ = ::open(folder.empty() ? "." : folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
  if (descriptor_ < 0) {
    remove_abandoned(path_);
    std::string name = path_ + std::string(unfinished) + "-" + std::to_string(getpid()) + "-XXXXXX";
    descriptor_ = mkstemp(name.data());
    if (descriptor_ >= 0) temporary_ = name;
  }
  if (descriptor_ < 0 || fchmod(descriptor_, mode) != 0) fail();
}

/// One that a process was killed before renaming makes way, as does that of a process which saves the same file now:
/// that one gives its own another time.
void AtomicFile::give_name() {
  const std::string name = path_ + std::string(unfinished);
  const std::string here = "/proc/self/fd/" + std::to_string(descriptor_);
  for (int trial = 0; trial < 100; ++trial) {
    if (linkat(AT_FDCWD, here.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0) {
      temporary_ = name;
      if (std::rename(name.c_str(), path_.c_str()) == 0) return temporary_.clear();
      if (errno != ENOENT) return fail();
    } else if (errno == EEXIST) {
      unlink(name.c_str());
    } else {
      return fail();
    }
  }
  fail();
}

void AtomicFile::write(std::string_view bytes) {
  if (!failure_.empty()) return;
  buffer_ += bytes;
  if (buffer_.size() >= 1u << 16) flush();
}

std::string AtomicFile::commit() {
  flush();
  if (gzip_ != nullptr && gzclose_w(static_cast<gzFile>(std::exchange(gzip_, nullptr))) != Z_OK) fail();
  if (failure_.empty() && fsync(descriptor_) != 0) fail();
  if (failure_.empty() && temporary_.empty()) give_name();
  else if (failure_.empty() && std::rename(temporary_.c_str(), path_.c_str()) != 0) fail();
  if (failure_.empty()) temporary_.clear();
  discard();
  return failure_;
}

void AtomicFile::flush() {
  if (gzip_ != nullptr && failure_.empty() && !buffer_.empty()) {
    if (gzwrite(static_cast<gzFile>(gzip_), buffer_.data(), static_cast<unsigned>(buffer_.size())) <= 0) fail();
    buffer_.clear();
  }
  for (std::size_t done = 0; failure_.empty() && done < buffer_.size();) {
    ssize_t written = ::write(descriptor_, buffer_.data() + done, buffer_.size() - done);
    if (written > 0) done += static_cast<std::size_t>(written);
    else if (errno != EINTR) fail();
  }
  buffer_.clear();
}

void AtomicFile::fail() {
  if (failure_.empty()) failure_ = std::strerror(errno);
}

void AtomicFile::discard() {
  if (gzip_ != nullptr) gzclose_w(static_cast<gzFile>(std::exchange(gzip_, nullptr)));
  if (descriptor_ >= 0) close(std::exchange(descriptor_, -1));
  if (!temporary_.empty()) unlink(temporary_.c_str());
  temporary_.clear();
}

}  // namespace trellis::tensor
