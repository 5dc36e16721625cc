#include "repl/run_file.hpp"

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "engine/session/files.hpp"
#include "engine/session/page.hpp"
#include "engine/session/report.hpp"
#include "engine/tensor/file.hpp"
#include "engine/trellis.hpp"

namespace trellis::repl {
namespace {

void on_interrupt(int) {
  static volatile std::sig_atomic_t again = 0;
  if (again) _exit(130);  // the second Ctrl-C does not wait
  again = 1;
  session::Session::interrupt();
}

/// The whole text, or why it cannot be read.
std::optional<std::string> read_all(const std::string& path, std::string& problem) {
  if (path == "-") return std::string(std::istreambuf_iterator<char>(std::cin), {});
  return session::read_text(path, problem);
}

bool wants_colour() {
  const char* const term = std::getenv("TERM");
  return isatty(STDERR_FILENO) && !std::getenv("NO_COLOR") && term && std::strcmp(term, "dumb") != 0;
}

/// One line on the terminal, over and over, for what takes longer than half a second; nothing where nobody looks.
class Progress {
 public:
  void tell(const std::string& line) {
    if (!isatty(STDERR_FILENO)) return;
    const auto now = std::chrono::steady_clock::now();
    if (now - started_ < std::chrono::milliseconds(500)) return;
    std::fprintf(stderr, "\r\033[K%s", line.c_str());
    shown_ = true;
  }
  void end() {
    if (shown_) std::fputs("\r\033[K", stderr);
    shown_ = false;
    started_ = std::chrono::steady_clock::now();
  }

 private:
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  bool shown_ = false;
};

void print_text(const session::Reply& reply, const text::Sources& sources, text::Colour colour) {
  const std::string output = session::output_of(reply, isatty(STDOUT_FILENO) ? session::Elision::when_large : session::Elision::never);
  std::fwrite(output.data(), 1, output.size(), stdout);
  std::fflush(stdout);
  std::string errors;
  for (const text::Diagnostic& d : reply.diagnostics.all()) errors += text::render(d, sources, colour);
  if (const auto* why = std::get_if<session::WhyAnswered>(&reply.result); why && !why->why.legal)
    std::fputs(text::render(why->diagnostic, sources, text::Colour::off).c_str(), stdout);
  errors += session::remarks_of(reply);
  std::fwrite(errors.data(), 1, errors.size(), stderr);
}

/// Empty, with a message and exit code 2 to follow, when the file cannot be read.
std::optional<std::string> read_program(const CommandLine& line) {
  std::string problem;
  auto content = read_all(line.file, problem);
  if (!content) std::fprintf(stderr, "trellis: cannot read `%s`: %s\n", line.file.c_str(), problem.c_str());
  return content;
}

std::string name_of(const CommandLine& line) { return line.file == "-" ? "<stdin>" : line.file; }

}  // namespace

int run_file(const CommandLine& line) {
  auto content = read_program(line);
  if (!content) return 2;
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  sigaction(SIGINT, &action, nullptr);

  session::Session session(line.options);
  Progress progress;
  session.state().progress = [&](const std::string& told) { progress.tell(told); };
  const text::Colour colour = wants_colour() ? text::Colour::on : text::Colour::off;
  const auto exit = session.run_text(name_of(line), std::move(*content), [&](const session::Reply& reply) {
    progress.end();
    if (line.replies == CommandLine::Replies::json)
      std::cout << session::to_json(reply, session.sources()).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << std::endl;
    else print_text(reply, session.sources(), colour);
  });
  return static_cast<int>(exit);
}

namespace {

/// An order that is refused or a run that fails is no end: the page says why.
int write_report(const CommandLine& line, std::string content) {
  session::Session session(line.options);
  Progress progress;
  session.state().progress = [&](const std::string& told) { progress.tell(told); };
  const auto tell = [&](const session::Reply& reply) {
    for (const text::Diagnostic& d : reply.diagnostics.all())
      if (d.severity == text::Severity::error) std::fputs(text::render(d, session.sources(), wants_colour() ? text::Colour::on : text::Colour::off).c_str(), stderr);
  };
  const auto fed = session.feed(name_of(line), std::move(content), session::Session::Extent::data, tell);
  if (fed.exit != session::Exit::success) return static_cast<int>(fed.exit);
  if (fed.defines && !fed.runs) session.feed("report", "run", tell);
  const std::string page = session::report(session.state(), {session::ReportOptions::Timing::measured}, fed.source);
  progress.end();
  tensor::AtomicFile file(line.output);
  file.write(page);
  if (const std::string why = file.commit(); !why.empty()) {
    std::fprintf(stderr, "trellis: cannot write `%s`: %s\n", line.output.c_str(), why.c_str());
    return 2;
  }
  std::printf("wrote %s, %zu kB\n", line.output.c_str(), (page.size() + 1023) / 1024);
  return 0;
}

}  // namespace

int explain_file(const CommandLine& line) {
  auto content = read_program(line);
  if (!content) return 2;
  if (!line.output.empty()) return write_report(line, std::move(*content));
  session::Session session(line.options);
  const auto fed = session.feed(name_of(line), std::move(*content), session::Session::Extent::declarations, [&](const session::Reply& reply) {
    for (const text::Diagnostic& d : reply.diagnostics.all())
      if (d.severity == text::Severity::error) std::fputs(text::render(d, session.sources(), wants_colour() ? text::Colour::on : text::Colour::off).c_str(), stderr);
  });
  if (fed.exit != session::Exit::success) return static_cast<int>(fed.exit);
  const session::Page page = session::explain_page(session);
  std::fputs(page.text.c_str(), stdout);
  return static_cast<int>(page.exit);
}

}  // namespace trellis::repl
