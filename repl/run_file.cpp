#include "repl/run_file.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "engine/lang/statement_edit.hpp"
#include "engine/session/program/files.hpp"
#include "engine/session/report/report.hpp"
#include "engine/session/stages/page.hpp"
#include "engine/tensor/file.hpp"
#include "engine/text/glyphs.hpp"
#include "engine/trellis.hpp"
#include "engine/view/json.hpp"
#include "repl/render/progress.hpp"
#include "repl/render/show.hpp"

namespace trellis::repl {
namespace {

double now_in_seconds() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

std::atomic<const session::Session*> running = nullptr;

// The second Ctrl-C does not wait. One that follows at once is the first again: `timeout` tells the process and then
// its group.
void end_on_interrupt(int) {
  static std::atomic<double> first = 0;
  static_assert(std::atomic<double>::is_always_lock_free);
  const double now = now_in_seconds();
  if (first != 0 && now - first > 0.2) _exit(130);
  if (first == 0) first = now;
  if (const session::Session* session = running) session->interrupt();
}

/// From here on Ctrl-C is about this session, until it ends.
class Interruptible {
 public:
  explicit Interruptible(const session::Session& session) {
    running = &session;
    struct sigaction action {};
    action.sa_handler = end_on_interrupt;
    sigaction(SIGINT, &action, nullptr);
  }
  ~Interruptible() { running = nullptr; }
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;
};

/// The whole text, or why it cannot be read.
std::optional<std::string> read_all(const std::string& path, std::string& problem) {
  return path == "-" ? session::read_text(STDIN_FILENO, problem) : session::read_text(path, problem);
}

void print_text(const session::Reply& reply, const text::Sources& sources, const Terminal& output,
                const Terminal& errors) {
  put(Screen::output_of(reply, sources, output), stdout);
  put(Screen::messages_of(reply, sources, errors), stderr);
}

void print_errors(const session::Reply& reply, const text::Sources& sources, const Terminal& to) {
  for (const text::Diagnostic& d : reply.diagnostics.all())
    if (d.severity == text::Severity::error) put(Screen::rendered(d, sources, to), stderr);
}

/// Empty, with a message and exit code 2 to follow, when the file cannot be read.
std::optional<std::string> read_program(const std::string& file) {
  std::string problem;
  auto content = read_all(file, problem);
  if (!content) complain("cannot read `" + file + "`: " + problem);
  return content;
}

std::string name_of(const std::string& file) { return file == "-" ? "<stdin>" : file; }

/// A fix that a message shows, and what that is about.
struct Offered {
  text::Fix fix;
  text::Span about;
};

/// In the order in which they are printed, and numbered.
std::vector<Offered> offered_by(const session::Reply& reply) {
  std::vector<Offered> offered;
  for (const text::Diagnostic* d : session::messages_of(reply))
    for (const text::Fix& fix : text::shown_fixes(*d)) offered.push_back({fix, d->span});
  return offered;
}

/// False when the whole file cannot be replaced, with a message; exit code 2 is to follow.
bool write_file(const std::string& path, const std::string& content) {
  tensor::AtomicFile file(path);
  file.write(content);
  const std::string why = file.commit();
  if (!why.empty()) complain("cannot write `" + path + "`: " + why);
  return why.empty();
}

int run_all(const CommandLine& line, const std::vector<std::string>& files) {
  session::Session session(line.options);
  const Interruptible interruptible(session);
  Progress progress(terminal(STDERR_FILENO, line.colour));
  session.state().progress = [&](const session::Progress& told) { progress.tell(to_string(told)); };
  Terminal output = terminal(STDOUT_FILENO, line.colour), errors = terminal(STDERR_FILENO, line.colour);
  if (files.back() != "-") output.program = errors.program = line.file;  // what is piped in may go on with `fix 1`
  const auto on_reply = [&](const session::Reply& reply) {
    progress.end();
    if (line.replies == CommandLine::Replies::json)
      put(view::written(session::to_json(reply, session.sources())) + "\n", stdout);
    else print_text(reply, session.sources(), output, errors);
    output.fixes_before = errors.fixes_before += static_cast<int>(offered_by(reply).size());
  };
  for (const std::string& file : files) {
    auto content = read_program(file);
    if (!content) return 2;
    const bool last = &file == &files.back();
    const auto exit = last ? session.run_text(name_of(file), std::move(*content), on_reply)
                           : session.feed(file, std::move(*content), on_reply).exit;
    if (last || exit != session::Exit::success) return static_cast<int>(exit);
  }
  return 0;
}

/// The file that a fix is written into.
struct Place {
  std::string path;
  std::string content;
  text::Span about;  ///< in it; unknown when the message is about no place there
};

/// The file that the message is about, which may be one that the program sources; else the program itself.
Place place_of(text::Span about, const text::Sources& sources, const std::string& program, const std::string& content) {
  std::string problem;
  if (about.known()) {
    const std::string& path = sources.name(about.source);
    const auto held = session::read_text(path, problem);
    if (held && *held == sources.content(about.source)) return {path, *held, about};
  }
  return {program, content, {}};
}

}  // namespace

int fix_file(const CommandLine& line) {
  auto content = read_program(line.file);
  if (!content) return 2;
  session::Session session(line.options);
  const Interruptible interruptible(session);
  std::vector<Offered> offered;
  session.run_text(line.file, *content, [&](const session::Reply& reply) {
    std::ranges::copy(offered_by(reply), std::back_inserter(offered));
  });
  const auto chosen = static_cast<std::size_t>(line.fix);
  if (chosen > offered.size()) {
    const std::string count = offered.empty() ? "no" : std::to_string(offered.size());
    complain(line.file + ": its messages offer " + count + " fix" + (count == "1" ? "" : "es"));
    return 1;
  }
  const auto& [fix, about] = offered[chosen - 1];
  const Place place = place_of(about, session.sources(), line.file, *content);
  const lang::TextEdit edit = lang::edit_for(place.content, fix.command, {.about = place.about});
  if (!write_file(place.path, edit.applied_to(place.content))) return 2;
  put(text::printable(place.path + ":" + std::to_string(edit.line_in(place.content)) + ": " + fix.command) + "\n",
      stdout);
  return 0;
}

int command_on_file(const CommandLine& line) {
  auto content = read_program(line.file);
  if (!content) return 2;
  session::Session session(line.options);
  const Interruptible interruptible(session);
  Progress progress(terminal(STDERR_FILENO, line.colour));
  session.state().progress = [&](const session::Progress& told) { progress.tell(to_string(told)); };
  const Terminal output = terminal(STDOUT_FILENO, line.colour), errors = terminal(STDERR_FILENO, line.colour);
  const auto read = session.feed(name_of(line.file), std::move(*content), session::Session::Extent::data,
                                 [&](const session::Reply& reply) { print_errors(reply, session.sources(), errors); });
  if (read.exit != session::Exit::success) return static_cast<int>(read.exit);
  return static_cast<int>(session
                              .feed("command line", line.command,
                                    [&](const session::Reply& reply) {
                                      progress.end();
                                      if (line.replies == CommandLine::Replies::json)
                                        put(view::written(session::to_json(reply, session.sources())) + "\n", stdout);
                                      else print_text(reply, session.sources(), output, errors);
                                    })
                              .exit);
}

int run_file(const CommandLine& line) { return run_all(line, {line.file}); }

int run_input(const CommandLine& line) {
  return run_all(line, line.file.empty() ? std::vector<std::string>{"-"} : std::vector<std::string>{line.file, "-"});
}

namespace {

/// What is wrong with the program is no end: the page says what, and where.
int write_report(const CommandLine& line, std::string content) {
  session::Session session(line.options);
  Progress progress(terminal(STDERR_FILENO, line.colour));
  session.state().progress = [&](const session::Progress& told) { progress.tell(to_string(told)); };
  const Terminal errors = terminal(STDERR_FILENO, line.colour);
  session::ReportOptions options{session::ReportOptions::Timing::measured};
  const auto tell = [&](const session::Reply& reply) {
    print_errors(reply, session.sources(), errors);
    options.said.append(reply.diagnostics);
  };
  const auto fed = session.feed(name_of(line.file), std::move(content), session::Session::Extent::data, tell);
  if (fed.exit == session::Exit::success && fed.defines && !fed.runs) session.feed("report", "run", tell);
  const std::string page = session::report(session.state(), options, fed.source);
  progress.end();
  if (!write_file(line.output, page)) return 2;
  put("wrote " + text::printable(line.output) + ", " + std::to_string((page.size() + 1023) / 1024) + " kB\n", stdout);
  return static_cast<int>(fed.exit);
}

}  // namespace

int explain_file(const CommandLine& line) {
  auto content = read_program(line.file);
  if (!content) return 2;
  if (!line.output.empty()) return write_report(line, std::move(*content));
  session::Session session(line.options);
  const Terminal output = terminal(STDOUT_FILENO, line.colour), errors = terminal(STDERR_FILENO, line.colour);
  const auto fed = session.feed(name_of(line.file), std::move(*content), session::Session::Extent::declarations,
                                [&](const session::Reply& reply) { print_errors(reply, session.sources(), errors); });
  if (fed.exit != session::Exit::success) return static_cast<int>(fed.exit);
  const session::Page page = session::explain_page(session);
  put(fitting(page.text, output, text::Overflow::flow), stdout);
  return static_cast<int>(page.exit);
}

}  // namespace trellis::repl
