#pragma once
// A page of documentation as its reader follows it: text in, the blocks that can be tried out. A block is fenced with
// three backquotes; the first word behind them is its language, the others are its options:
//
//   ```trellis                     a program: it runs without an error
//   ```trellis error=E0101         a program that is refused, with that code among its messages
//   ```trellis more                goes on where the block above ended
//   ```trellis file=first.tr       … and is there as first.tr for what follows on the page
//   ```text file=words.fa          any other file
//   ```console                     commands behind `$ ` (`> ` goes on), each followed by what it prints

#include <optional>
#include <string>
#include <vector>

namespace trellis::testing {

struct Block {
  int line = 0;  ///< of the opening fence, from 1
  std::string language;
  std::vector<std::string> options;
  std::vector<std::string> lines;

  bool has(const std::string& option) const;
  /// What stands behind `name=`.
  std::optional<std::string> value(const std::string& name) const;
  std::string text() const;
};

struct Page {
  std::vector<Block> blocks;
  std::vector<int> indented;  ///< lines of code that stand in no fence, so that nothing runs them
};

Page read_page(const std::string& text);

/// A command of a `console` block and the lines under it.
struct Command {
  int line = 0;  ///< of its `$ `
  std::string text;
  int output_line = 0;  ///< where its output starts
  std::vector<std::string> output;
};

std::vector<Command> commands_of(const Block& console);

}  // namespace trellis::testing
