#pragma once
// The lessons of docs/tutorial.md. One section is one lesson; what it begins with, what to read and what to do stand in
// it:
//
//   ## 1 Adding two vectors
//   What an equation is …                          text, wrapped as it is printed
//   ```trellis                                     the program that the session holds when the lesson begins
//   - [ ] `run`: compiles and executes             done when a statement that begins with these words has succeeded,
//   - [ ] `why i j k`                              in this order or another
//   - [ ] `run` is refused: …                      or, so written, when one has failed
//   ```prompt                                      what there is to see, for those who read the page elsewhere

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace trellis::session {

struct Lesson {
  struct Task {
    enum class Outcome { success, refusal };
    std::string text;                ///< all of it, as Markdown
    std::vector<std::string> words;  ///< the tokens that a statement has to begin with
    Outcome outcome = Outcome::success;
    /// The statement to type: "print y".
    std::string statement() const;
  };
  int number = 0;
  std::string title;
  std::string text;  ///< what to read, with the program indented
  std::string program;
  std::vector<Task> tasks;
};

/// In their order, numbered from 1.
const std::vector<Lesson>& lessons();
std::vector<Lesson> read_lessons(std::string_view page);

/// Which tasks of which lesson are done. Undoing what was done does not undo having learnt it.
struct Learnt {
  std::map<int, std::set<std::size_t>> done;
  bool is_done(const Lesson& lesson) const;
};

/// The first task of the lesson that is not done yet and that this statement does; npos when there is none.
constexpr std::size_t no_task = static_cast<std::size_t>(-1);
std::size_t task_done_by(const Lesson& lesson, const std::set<std::size_t>& done, std::string_view statement,
                         Lesson::Task::Outcome outcome);

}  // namespace trellis::session
