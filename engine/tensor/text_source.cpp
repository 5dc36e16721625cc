#include "engine/tensor/text_source.hpp"

#include <sys/stat.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "engine/tensor/spill.hpp"

namespace trellis::tensor {
namespace {

constexpr std::size_t bytes_a_thread = std::size_t{1} << 20;

gzFile zlibs(void* file) { return static_cast<gzFile>(file); }

}  // namespace

void TextSource::Close::operator()(void* file) const { gzclose_r(zlibs(file)); }

std::optional<TextSource> TextSource::open(const FileRequest& request, text::Diagnostics& diagnostics) {
  TextSource source("");
  source.request_ = &request;
  source.diagnostics_ = &diagnostics;
  if (const std::string why = unreadable(request.path); !why.empty()) return source.refuse("E0400", why), std::nullopt;
  source.file_.reset(gzopen(request.path.c_str(), "rb"));
  if (!source.file_) return source.refuse("E0400", std::strerror(errno)), std::nullopt;
  gzbuffer(zlibs(source.file_.get()), 1u << 18);
  struct stat info;
  constexpr std::size_t usual_ratio = 8;
  if (stat(request.path.c_str(), &info) == 0) source.file_bytes_ = static_cast<std::size_t>(info.st_size);
  source.size_ = source.file_bytes_ * (gzdirect(zlibs(source.file_.get())) ? 1 : usual_ratio);
  return source;
}

void TextSource::refuse(const char* code, const std::string& why) {
  failed_ = true;
  diagnostics_->error(code, request_->span, "cannot read \"" + request_->path + "\": " + why);
}

/// Behind what is there already. False at the end, and on failure.
bool TextSource::read_some() {
  const std::size_t room = std::min(buffer_.size() - end_, bytes_a_thread);
  const int got = gzread(zlibs(file_.get()), buffer_.data() + end_, static_cast<unsigned>(room));
  int state = Z_OK;
  const char* const why = gzerror(zlibs(file_.get()), &state);
  if (state == Z_ERRNO) return refuse("E0400", std::strerror(errno)), false;
  if (got < 0 || state != Z_OK) return refuse("E0402", std::string("its gzip data is damaged: ") + why), false;
  if (request_->cancelled && request_->cancelled()) {
    failed_ = true;
    diagnostics_->error("E0506", request_->span, "reading \"" + request_->path + "\" was interrupted");
    return false;
  }
  end_ += static_cast<std::size_t>(got);
  at_end_ = got == 0;
  return got > 0;
}

/// Of the file as it lies on the disk.
void TextSource::tell() const {
  constexpr int mebi = 20;
  constexpr std::size_t large = std::size_t{8} << mebi;
  if (request_->told && file_bytes_ > large)
    request_->told(static_cast<std::int64_t>(gzoffset(zlibs(file_.get()))) >> mebi,
                   static_cast<std::int64_t>(file_bytes_ >> mebi));
}

std::string_view TextSource::next() {
  if (!file_) return std::exchange(content_, {});
  tell();
  if (buffer_.empty()) buffer_.resize(bytes_a_thread * static_cast<std::size_t>(std::max(1, request_->threads)));
  std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(begin_), buffer_.begin() + static_cast<std::ptrdiff_t>(end_),
            buffer_.begin());
  end_ -= std::exchange(begin_, 0);
  while (!at_end_ && !failed_) {
    if (end_ < buffer_.size()) {
      read_some();
      continue;
    }
    if (const void* const last = memrchr(buffer_.data(), '\n', end_)) {
      begin_ = static_cast<std::size_t>(static_cast<const char*>(last) - buffer_.data()) + 1;
      return {buffer_.data(), begin_};
    }
    if (end_ >= request_->limit_bytes) refuse("E0410", "a line exceeds " + limit_text(request_->limit_bytes));
    else buffer_.resize(2 * buffer_.size());
  }
  if (failed_) return {};
  begin_ = end_;
  return {buffer_.data(), end_};
}

void TextSource::rewind() {
  content_ = whole_;
  if (file_) gzrewind(zlibs(file_.get()));
  begin_ = end_ = 0;
  at_end_ = false;
}

}  // namespace trellis::tensor
