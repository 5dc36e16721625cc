#pragma once
// The lines of a text file as white-space separated numbers: one pass, no copies, and errors that name the line.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/tensor/coordinates.hpp"
#include "engine/tensor/file.hpp"

namespace trellis::tensor {

/// The text behind the byte order mark that some programs begin files with.
std::string_view without_mark(std::string_view content);
/// What blanks separate.
std::vector<std::string_view> words_of(std::string_view line);

/// Whether a field is an integer that i64 or u64 holds; a minus zero has a sign that only floating types keep.
bool is_integer(std::string_view field);
/// The number that a field is; empty: it is none, or f64 does not hold it.
std::optional<double> number_of(std::string_view field);

class NumberReader {
 public:
  /// `comment` starts a line that is skipped; a byte order mark is skipped too.
  NumberReader(std::string_view content, char comment, const FileRequest& request, text::Diagnostics& diagnostics)
      : rest_(without_mark(content)), comment_(comment), request_(request), diagnostics_(diagnostics) {}

  /// The next line whatever it holds; false at the end.
  bool next_line();
  /// The next line that is neither empty nor a comment.
  bool next_data_line();

  std::string_view line() const { return line_; }
  std::size_t line_number() const { return number_; }
  std::size_t fields() const;  ///< how many there are on this line

  /// The next field of this line, checked; reports E0405 and returns false when it is missing or no such number.
  bool read(std::int64_t& number, std::string_view meaning);
  /// Also with the exponent of a double of Fortran's: 1.5D+03.
  bool read(double& number, std::string_view meaning);
  /// What was among the integers so far: a file may have negative ones or such above i64, not both.
  struct Signs {
    bool negative = false;
    bool above_i64 = false;
  };
  /// An integer of i64 or u64, as bits.
  bool read(std::int64_t& bits, Signs& signs, std::string_view meaning);
  /// Reading goes on with this part of the line.
  void read_from(std::string_view part) { unread_ = part; }
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

/// The first value that is no integer makes all of them real.
void make_real(Coordinates& coordinates);
/// What is left of the line, as the value of an entry whose index is there already.
bool read_value(NumberReader& lines, NumberReader::Signs& signs, std::string_view meaning, Coordinates& into);

}  // namespace trellis::tensor
