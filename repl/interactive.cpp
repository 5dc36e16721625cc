#include "repl/interactive.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <optional>
#include <sstream>
#include <utility>

#include "engine/lang/parse.hpp"
#include "engine/session/fault.hpp"
#include "engine/session/program/files.hpp"
#include "engine/session/typing/complete.hpp"
#include "engine/text/glyphs.hpp"
#include "engine/trellis.hpp"
#include "repl/aliases.hpp"
#include "repl/entry.hpp"
#include "repl/history_file.hpp"
#include "repl/line_editor.hpp"
#include "repl/render/show.hpp"
#include "repl/run_file.hpp"

namespace trellis::repl {
namespace {

std::atomic<const session::Session*> conversing = nullptr;

void cancel_on_interrupt(int) {
  LineEditor::interrupt();
  if (const session::Session* session = conversing) session->interrupt();
}

class Conversation {
 public:
  explicit Conversation(const CommandLine& line)
      : session_(line.options),
        screen_(line.colour),
        history_(user_path("XDG_STATE_HOME", ".local/state", "history")),
        editor_([this](std::string_view text, std::size_t cursor) { return complete(text, cursor); }, without_prompts) {
    const std::vector<std::string> earlier = history_.read();
    for (const std::string& entry : earlier) editor_.remember(entry);
    newcomer_ = earlier.empty();
    conversing = &session_;
  }
  ~Conversation() { conversing = nullptr; }
  Conversation(const Conversation&) = delete;
  Conversation& operator=(const Conversation&) = delete;

  /// Where to begin, for those who have not yet entered anything.
  void greet() {
    if (newcomer_) screen_.remark("New here? Enter `tutorial`, `examples` or `help`. Ctrl-D leaves.");
  }

  /// False when it cannot be read.
  bool load(const std::string& path) {
    std::string problem;
    auto content = session::read_text(path, problem);
    if (!content) complain("cannot read `" + path + "`: " + problem);
    else carry_out(path, std::move(*content));
    return content.has_value();
  }

  /// Aliases and whatever else a user wants at every start.
  void load_startup() {
    const std::string path = user_path("XDG_CONFIG_HOME", ".config", "startup.tr");
    std::string problem;
    const auto content = path.empty() ? std::nullopt : session::read_text(path, problem);
    if (!content) return;
    std::string entry, before;  // line ends, so that messages count lines of the file
    std::istringstream lines(*content);
    for (std::string line; std::getline(lines, line) && !left_;) {
      entry += (entry.empty() ? "" : "\n") + line;
      if (lang::is_incomplete(entry)) continue;
      answer(path, entry, before);
      before.append(static_cast<std::size_t>(std::ranges::count(entry, '\n')) + 1, '\n');
      entry.clear();
    }
  }

  void go_on() {
    while (!left_) {
      const auto entry = read_entry();
      if (!entry) break;
      if (is_blank(*entry)) continue;
      screen_.begin();
      editor_.remember(*entry);
      history_.add(*entry);
      answer(std::string(prompt_name), *entry);
    }
  }

 private:
  /// Lines until no bracket is open; empty at the end of the input.
  std::optional<std::string> read_entry() {
    std::string entry;
    for (;;) {
      pending_ = entry;
      editor_.unread(screen_.take_typed());
      const LineEditor::Line line = entry.empty()
                                        ? editor_.read(screen_.prompt(first_prompt), replay_ ? replay_keys : "")
                                        : editor_.read(screen_.prompt(next_prompt));
      if (line.ending == LineEditor::Line::Ending::key) {
        heed_key(line.text[0]);
        continue;
      }
      replay_.reset();
      if (line.ending != LineEditor::Line::Ending::entered)
        std::fputs(line.ending == LineEditor::Line::Ending::cancelled ? "^C\n" : "\n", stdout);
      if (line.ending == LineEditor::Line::Ending::closed) return std::nullopt;
      if (line.ending == LineEditor::Line::Ending::cancelled) return "";
      entry += (entry.empty() ? "" : "\n") + without_prompts(line.text);
      if (!lang::is_incomplete(entry)) return entry;
    }
  }

  /// A replay that the last entry moved in: single keys go on in it.
  struct Replay {
    std::string again, forth, back;  ///< statements
    std::string drawing, hint;       ///< as they stand above the prompt
  };
  static constexpr std::string_view replay_keys = "jkqJK";

  void offer_keys(Replay replay) {
    const std::size_t start = screen_.standing().size();
    screen_.remark("Enter: " + replay.again + "   j: on   k: back   J, K: the other way   q: leave");
    replay.hint = screen_.standing().substr(start);
    replay_ = std::move(replay);
  }

  /// The drawing is made anew where it stands. At the end it stays, with what is said about that below.
  void heed_key(char key) {
    const Replay replay = *std::exchange(replay_, std::nullopt);
    if (key == 'q') {
      screen_.wipe(replay.hint);
      return may_begin_a_line(key);
    }
    screen_.wipe(screen_.standing());
    screen_.begin();
    const std::string& statement = key == '\n' ? replay.again : key == 'j' || key == 'K' ? replay.forth : replay.back;
    const auto stepped = carry_out(std::string(prompt_name), statement, replay.drawing);
    offer_keys(stepped ? Replay{stepped->again, stepped->forth, stepped->back, screen_.standing(), ""} : replay);
    if (key != '\n') may_begin_a_line(key);
  }

  /// `k` may be the first letter of `kernel`, or of `k(i) = …`.
  void may_begin_a_line(char key) {
    editor_.reconsider(key, [this, key](char next) {
      const bool defines = std::string_view("([ =").find(next) != std::string_view::npos;
      return defines || !complete(std::string{key, next}, 2).words.empty();
    });
  }

  void answer(const std::string& name, const std::string& entry, const std::string& before = "") {
    if (const auto told = aliases_.answer(entry)) return put(text::printable(*told), stdout);
    const auto stepped = carry_out(name, before + with_help(aliases_.expanded(entry)));
    if (stepped && name == prompt_name && screen_.terminal().moves)
      offer_keys({stepped->again, stepped->forth, stepped->back, screen_.standing(), ""});
  }

  /// Where the replay stands, if the last reply is about one. `above` goes before what fails.
  std::optional<session::Stepped> carry_out(const std::string& name, std::string text, const std::string& above = "") {
    std::optional<session::Stepped> stepped;
    session::State& state = session_.state();
    Progress progress(screen_.terminal());
    state.progress = [&](const session::Progress& told) { progress.tell(to_string(told)); };
    state.filling = [&](const session::OrdersListed& so_far) { screen_.show_rows(so_far, progress); };
    left_ = session_
                .enter(name, std::move(text),
                       [&](const session::Reply& reply) {
                         const auto* at = std::get_if<session::Stepped>(&reply.result);
                         stepped = at && reply.ok() ? std::optional(*at) : std::nullopt;
                         progress.pause();
                         if (!reply.ok()) screen_.write(above);
                         screen_.show(reply, session_.sources());
                         progress.go_on();
                       })
                .leaves;
    state.progress = nullptr;
    state.filling = nullptr;
    progress.end();
    if (progress.seconds() < 0.5 || !screen_.terminal().moves) return stepped;
    char took[32];
    std::snprintf(took, sizeof took, "took %.1f s", progress.seconds());
    screen_.remark(took);
    return stepped;
  }

  LineEditor::Candidates complete(std::string_view line, std::size_t cursor) {
    const std::string before = pending_.empty() ? "" : pending_ + "\n";
    session::Completion found;
    const auto complete = [&] {
      found = session::complete(session_.state(), before + std::string(line), before.size() + cursor);
    };
    if (session::contained(complete)) return {};
    return {found.begin - before.size(), std::move(found.words), std::move(found.closing)};
  }

  session::Session session_;
  Screen screen_;
  HistoryFile history_;
  Aliases aliases_;
  LineEditor editor_;
  std::optional<Replay> replay_;
  std::string pending_;  ///< the lines of the entry that were read already
  bool left_ = false;
  bool newcomer_ = false;
};

}  // namespace

int converse(const CommandLine& line) {
  if (!isatty(STDIN_FILENO) || line.replies == CommandLine::Replies::json) return run_input(line);
  struct sigaction action {};
  action.sa_handler = cancel_on_interrupt;
  sigaction(SIGINT, &action, nullptr);
  Conversation conversation(line);
  conversation.load_startup();
  if (line.file.empty()) conversation.greet();
  else if (!conversation.load(line.file)) return 2;
  conversation.go_on();
  return 0;
}

}  // namespace trellis::repl
