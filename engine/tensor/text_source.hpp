#pragma once
// A text in blocks of whole lines: of a file, which never lies in memory as a whole, gzip'ed or not; or of a text that
// is there.

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "engine/tensor/column.hpp"
#include "engine/tensor/file.hpp"
#include "engine/text/diagnostic.hpp"

namespace trellis::tensor {

class TextSource {
 public:
  explicit TextSource(std::string_view content) : whole_(content), content_(content), size_(content.size()) {}
  /// E0400: the file cannot be read. Both arguments must outlive it.
  static std::optional<TextSource> open(const FileRequest& request, text::Diagnostics& diagnostics);

  /// The lines that follow, which stay where they are until the next call; empty at the end, and on failure: E0400,
  /// E0402: damaged gzip data. E0410: a line beyond the limit. E0506: cancelled.
  std::string_view next();
  bool failed() const { return failed_; }
  /// From the first line on again.
  void rewind();
  /// Bytes of text, as far as can be told beforehand: gzip'ed, eight times what the file has.
  std::size_t likely_size() const { return size_; }

 private:
  struct Close {
    void operator()(void* file) const;
  };
  void refuse(const char* code, const std::string& why);
  bool read_some();
  void tell() const;

  std::string_view whole_, content_;  ///< of what is there: all of it, and what was not handed on
  std::size_t size_ = 0, file_bytes_ = 0;
  std::unique_ptr<void, Close> file_;  ///< zlib's
  const FileRequest* request_ = nullptr;
  text::Diagnostics* diagnostics_ = nullptr;
  Column<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;  ///< of what was read and not handed on
  bool at_end_ = false, failed_ = false;
};

}  // namespace trellis::tensor
