#pragma once
// The text of a control flow as lines of tokens. What belongs to a line is indented deeper and follows it.

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace trellis::flow {

/// What is wrong with a text, and where, from 1; `read` makes a result of it.
struct Misread : std::runtime_error {
  Misread(int at_line, int at_column, const std::string& what)
      : runtime_error(what), line(at_line), column(at_column) {}
  int line, column;
};

struct Token {
  /// A remark is all of its line; a number has its type behind it, if any: `0_f32`.
  enum class Kind { name, number, symbol, remark, end } kind = Kind::end;
  std::string text;
  int column = 1;
  bool tight = false;  ///< nothing stands between it and the one before
};

struct Line {
  int number = 1;
  int indent = 0;             ///< columns
  std::vector<Token> tokens;  ///< with an `end`
};

/// Empty lines are left out.
std::vector<Line> lines_of(std::string_view text);

}  // namespace trellis::flow
