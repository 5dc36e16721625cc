#pragma once
// What a terminal shows: characters and control sequences in, lines of text out. As much of a VT100 as line editors
// use.

#include <string>
#include <string_view>
#include <vector>

namespace trellis::testing {

class Screen {
 public:
  Screen(int rows, int columns) : rows_(rows), columns_(columns), lines_(1) {}

  void write(std::string_view bytes);

  /// All lines since the start, also those that have left the screen, without blanks at their ends.
  std::vector<std::string> lines() const;
  /// The line that the cursor stands in, up to the cursor.
  std::string before_cursor() const;
  /// Its number, counted as `lines` does.
  std::size_t cursor_line() const { return top_ + static_cast<std::size_t>(row_); }
  /// Control sequences that it does not know: a test should see none.
  const std::string& unknown() const { return unknown_; }

 private:
  using Line = std::vector<std::string>;  ///< a cell each; the second half of a wide letter is empty
  Line& line() { return lines_[top_ + static_cast<std::size_t>(row_)]; }
  void put(const std::string& letter, int width);
  void new_line();
  void control(const std::string& parameters, char final);
  void reach(std::size_t column);

  int rows_, columns_;
  std::vector<Line> lines_;
  std::size_t top_ = 0;  ///< the line that is uppermost on the screen
  int row_ = 0, column_ = 0;
  bool wraps_ = false;  ///< the last column is written: the next letter opens a line
  std::string pending_, unknown_;
};

}  // namespace trellis::testing
