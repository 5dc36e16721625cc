#pragma once
// The lines of a text file as white-space separated numbers: one pass, one block of it at a time, and errors that name
// the line.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/tensor/coordinates.hpp"
#include "engine/tensor/file.hpp"
#include "engine/tensor/text_source.hpp"

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
  /// The lines of a source, a block at a time.
  NumberReader(TextSource& source, char comment, const FileRequest& request, text::Diagnostics& diagnostics);

  /// The next line whatever it holds, which stays until the next one is asked for; false at the end.
  bool next_line();
  /// The next line that is neither empty nor a comment.
  bool next_data_line();
  /// Whether this line is neither.
  bool has_data() const;
  /// What is there of the lines that follow, whole ones, at least one unless none follow.
  std::string_view block();
  /// How many bytes that is now; 0: another block may follow.
  std::size_t left() const { return rest_.size(); }
  /// Goes on behind so many bytes of the block, which are whole lines, so many.
  void skip(std::size_t bytes, std::size_t lines);

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

  /// Whether so many bytes of entries stay within the request's limit.
  bool has_room(std::size_t bytes) const { return bytes <= request_.limit_bytes; }
  /// Asked for each entry: reports E0410 when so many bytes of entries exceed the request's limit, and E0506.
  bool within_limit(std::size_t bytes);

  /// The source failed, which it reported: what else is missed has no other cause.
  bool failed() const { return source_ && source_->failed(); }
  /// Reports `code` at this line of the file. Returns false, for callers to pass on.
  bool error(const char* code, const std::string& message);
  /// Reports something about the file as a whole.
  bool file_error(const char* code, const std::string& message);

 private:
  std::string_view next_field();
  bool next_block();

  std::string_view rest_;
  char comment_;
  const FileRequest& request_;
  text::Diagnostics& diagnostics_;
  TextSource* source_ = nullptr;
  bool begun_ = false;  ///< a block of the source is there
  std::string_view line_;
  std::string_view unread_;  ///< of this line
  std::size_t number_ = 0;
};

/// The first value that is no integer makes all of them real.
void make_real(Coordinates& coordinates);
/// Puts the entries of a list, whose lines follow so many, behind those of another with as many dimensions and the same
/// field.
void append(Coordinates& to, Coordinates& more, std::size_t lines_before);
/// What is left of the line, as the value of an entry whose index is there already.
bool read_value(NumberReader& lines, NumberReader::Signs& signs, std::string_view meaning, Coordinates& into);

}  // namespace trellis::tensor
