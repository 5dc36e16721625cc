#include "repl/render/progress.hpp"

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>

#include "engine/text/glyphs.hpp"
#include "repl/render/show.hpp"

namespace trellis::repl {
namespace {

constexpr std::chrono::milliseconds patience{500}, interval{100};

// Kernels are started by fork while this thread may be writing: not through stdio, whose locks a child would inherit.
void put_aside(const std::string& text) { static_cast<void>(write(STDERR_FILENO, text.data(), text.size()) < 0); }

}  // namespace

Progress::Progress(const Terminal& terminal) : terminal_(terminal) {
  if (!terminal_.moves) return;
  // Signals are for the main thread.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  watcher_ = std::thread([this] { watch(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Progress::~Progress() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  ended_.notify_all();
  if (watcher_.joinable()) watcher_.join();
  end();
}

void Progress::watch() {
  std::unique_lock lock(mutex_);
  while (!ended_.wait_for(lock, interval, [&] { return stopping_; }))
    if (!paused_ && Clock::now() - since_ >= patience) draw();
}

void Progress::draw() {
  char time[48];
  std::snprintf(time, sizeof time, "%.1f s", std::chrono::duration<double>(Clock::now() - since_).count());
  const std::string line = told_.empty() ? std::string(time) + "  Ctrl-C cancels" : std::string(time) + "  " + told_;
  Terminal to = terminal_;
  --to.columns;  // in the last column some terminals begin a new line
  put_aside("\r\x1b[K" + fitting(line, to, text::Overflow::cut));
  shown_ = true;
}

void Progress::tell(const std::string& line) {
  const std::lock_guard lock(mutex_);
  told_ = text::printable(line);
}

void Progress::write_above(const std::string& text) {
  const std::lock_guard lock(mutex_);
  if (shown_) put_aside("\r\x1b[K");
  shown_ = false;
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

void Progress::end() {
  const std::lock_guard lock(mutex_);
  if (shown_) put_aside("\r\x1b[K");
  shown_ = false;
  told_.clear();
  since_ = Clock::now();
}

void Progress::pause() {
  end();
  const std::lock_guard lock(mutex_);
  paused_ = true;
  paused_since_ = Clock::now();
}

void Progress::go_on() {
  const std::lock_guard lock(mutex_);
  paused_ = false;
  started_ += Clock::now() - paused_since_;
  since_ = Clock::now();
}

double Progress::seconds() const { return std::chrono::duration<double>(Clock::now() - started_).count(); }

}  // namespace trellis::repl
