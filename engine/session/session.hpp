#pragma once
// The face of the engine that every front end talks to: statements in, replies out, one state in between.

#include <functional>
#include <optional>
#include <string>

#include "engine/lang/syntax.hpp"
#include "engine/session/program/edited_file.hpp"
#include "engine/session/reply/reply.hpp"
#include "engine/session/state/state.hpp"

namespace trellis::session {

class Session {
 public:
  explicit Session(Options options) : state_(std::move(options)) {}

  const text::Sources& sources() const { return state_.sources; }
  /// What views draw from.
  State& state() { return state_; }
  const State& state() const { return state_; }

  /// What became of a text.
  struct Fed {
    Exit exit = Exit::success;
    int source = 0;
    bool runs = false;     ///< it has a `run` line
    bool defines = false;  ///< it has equations or loops
    bool leaves = false;   ///< `quit` was carried out
    bool shows = false;    ///< a command of it printed something, or wrote a file
  };

  /// Reads a text and runs its statements in order: syntax errors and errors in what is declared are all reported
  /// before anything runs; the first failure ends it. `on_reply` sees each reply as it comes.
  Fed feed(std::string name, std::string content, const std::function<void(const Reply&)>& on_reply);

  /// Which statements of a text are carried out.
  enum class Extent { everything, data, declarations };
  /// `declarations`: equations and schedules as well, but nothing is loaded, run or printed. `data`: what is loaded,
  /// filled and run too, and a run that fails is not the end.
  Fed feed(std::string name, std::string content, Extent extent, const std::function<void(const Reply&)>& on_reply);

  /// The same as `trellis run`: a text in which no kernel ran, be it to show something, is run as a whole, and every
  /// result printed. The result is the exit code.
  Exit run_text(std::string name, std::string content, const std::function<void(const Reply&)>& on_reply);

  /// An entry at a prompt. What it defines again takes the place of what was, announced; one that begins with `:`
  /// amends the equation entered last. Interrupts ended the entries before it.
  Fed enter(std::string name, std::string content, const std::function<void(const Reply&)>& on_reply);

  /// The same, but for a session that others may interrupt from when the entry was handed over: nothing is forgotten of
  /// that.
  Fed answer(std::string name, std::string content, const std::function<void(const Reply&)>& on_reply);

  /// What became of a revision.
  struct Revised {
    text::Diagnostics diagnostics;  ///< of reading and declaring, announcements too: all of them each time
    Exit exit = Exit::success;      ///< interrupted: nothing changed
    int source = -1;                ///< which holds the text
    bool accepted = false;          ///< the program is the text's; otherwise it is the last one that was
  };

  /// The program becomes what the text declares. What it reads and computes stays as far as it still means the same:
  /// tensors that the same command filled or that a kernel made which is still there, runs, compilations of kernels
  /// that read nothing that changed. Data is not loaded (`refill`), and nothing runs. Nothing of it is undone by
  /// `undo`.
  Revised revise(const std::string& name, std::string content);
  /// Carries out the commands of the revised text that fill tensors, unless they have been. False: some could not be,
  /// which their replies say.
  bool refill(const std::function<void(const Reply&)>& on_reply);

  /// One statement: declarations accumulate, commands act. What changes the state can be undone.
  Reply execute(const lang::syntax::Statement& statement);

  /// Ends what is under way in this session, in no other: a kernel or a compiler is killed, analysis, placement,
  /// lowering and recording ask now and then. The statement answers E0506, the content is as before it, and it is the
  /// last one of its entry; `enter` begins afresh. Safe from any thread and in a signal handler while the session
  /// lives; kernels that run without protection (`--trusted`) are not ended.
  void interrupt() const noexcept { state_.cancel.request(); }

 private:
  Reply carry_out(const lang::syntax::Statement& statement);
  Exit exit_of(const text::Diagnostics& diagnostics, Exit stated) const;
  /// All is as before an entry, and the reply says so (E0659).
  void take_back(const Content& before, int source, const std::function<void(const Reply&)>& on_reply);
  /// Unless the statement is interrupted: then all is as before, and the reply says so.
  Reply cancellable(const lang::syntax::Statement& statement, const Content& before,
                    const std::function<Reply()>& work);
  /// Parsed, with what it sources in place of that; refused where it is wrong as a whole.
  Exit read(int source, lang::syntax::File& file, text::Diagnostics& diagnostics);
  std::string written(const lang::syntax::Statement& statement) const;
  Reply reply_for(const lang::syntax::Statement& statement) const;
  void keep_size(const lang::syntax::Name& name, text::Diagnostics& diagnostics);
  Reply refusal(Exit exit, text::Diagnostics diagnostics) const;
  Exit run_everything(const std::function<void(const Reply&)>& on_reply, const Fed& fed);
  State state_;
  std::optional<EditedFile> edited_;              ///< that the program follows
  std::vector<lang::syntax::Statement> fillers_;  ///< of its text
  Fills fills_;                                   ///< likewise
  std::optional<std::size_t> steps_;  ///< that the present entry has put into the history; empty once it went back
  std::string last_equation_;         ///< that was entered, accepted or not
};

}  // namespace trellis::session
