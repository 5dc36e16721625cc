#pragma once
// What a snapshot has to say about places of the program's text: verdicts of kernels, messages, fixes, measured times,
// and where names are declared. All offsets are those of the snapshot's text; `TextShift` brings them to a text that is
// a few letters ahead.

#include <map>
#include <string>
#include <vector>

#include "gui/scene.hpp"

namespace trellis::gui {

/// From one text to another that differs from it in one stretch.
class TextShift {
 public:
  TextShift(std::string_view from, std::string_view to);
  std::size_t operator()(std::size_t at) const;
  bool same() const { return same_; }

 private:
  std::size_t prefix_ = 0, changed_end_ = 0, fresh_end_ = 0, size_ = 0;
  bool same_ = true;
};

/// An icon in the gutter, and words behind a line.
struct LineMark {
  std::size_t at = 0;  ///< somewhere in the line
  std::optional<Verdict> icon = {};
  Token token = Token::faint;
  std::string words = {};
  std::string state = {};  ///< "illegal", "legal", "wrong", "costly", "unknown"; "" for what only informs
  int fix = 0;             ///< that helps, numbered over all messages; 0: none
  std::string fix_command = {};
};

/// Below a stretch.
struct Underline {
  std::size_t begin = 0, end = 0;
  Token token = Token::bad;
  enum class Kind { wave, straight, dots } kind = Kind::wave;
  std::string words;
  int message = 0;
};

struct ProgramMarks {
  std::vector<LineMark> lines;  ///< at most one with an icon in each line
  std::vector<Underline> underlines;
  std::map<std::string, std::size_t> declared;  ///< names of tensors, parameters, kernels and functions
};
ProgramMarks marks_of(const Scene& scene);

}  // namespace trellis::gui
