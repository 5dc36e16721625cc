#pragma once
// The lines of a text file as white-space separated numbers: one pass, no copies, and errors that name the line.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "engine/tensor/file.hpp"

namespace trellis::tensor {

class NumberReader {
 public:
  /// `comment` starts a line that is skipped.
  NumberReader(std::string_view content, char comment, const FileRequest& request, text::Diagnostics& diagnostics)
      : rest_(content), comment_(comment), request_(request), diagnostics_(diagnostics) {}

  /// The next line whatever it holds; false at the end.
  bool next_line();
  /// The next line that is neither empty nor a comment.
  bool next_data_line();

  std::string_view line() const { return line_; }
  std::size_t line_number() const { return number_; }
  std::size_t fields() const;  ///< how many there are on this line

  /// The next field of this line, checked; reports E0405 and returns false when it is missing or no such number.
  bool read(std::int64_t& number, std::string_view meaning);
  bool read(double& number, std::string_view meaning);
  /// What was among the integers so far: a file may have negative ones or such above i64, not both.
  struct Signs {
    bool negative = false;
    bool above_i64 = false;
  };
  /// An integer of i64 or u64, as bits.
  bool read(std::int64_t& bits, Signs& signs, std::string_view meaning);
  /// The next field without reading it.
  std::string_view peek() const;
  /// Reports E0405 if anything is left on this line.
  bool end_line();

  /// Asked for each entry: reports E0410 when so many bytes of entries exceed the request's limit, and E0506.
  bool within_limit(std::size_t bytes);

  /// Reports `code` at this line of the file. Returns false, for callers to pass on.
  bool error(const char* code, const std::string& message);
  /// Reports something about the file as a whole.
  bool file_error(const char* code, const std::string& message);

 private:
  std::string_view next_field();

  std::string_view rest_;
  char comment_;
  const FileRequest& request_;
  text::Diagnostics& diagnostics_;
  std::string_view line_;
  std::string_view unread_;  ///< of this line
  std::size_t number_ = 0;
};

}  // namespace trellis::tensor
