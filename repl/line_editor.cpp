#include "repl/line_editor.hpp"

#include <histedit.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cwchar>
#include <optional>
#include <utility>

#include "engine/text/fit.hpp"
#include "engine/text/glyphs.hpp"
#include "repl/self_pipe.hpp"

namespace trellis::repl {
namespace {

// Ctrl-C while a key is awaited: the handler writes a byte here, and waiting ends. -1: nobody reads a line.
std::atomic<int> bell{-1};

std::string common_start(const std::vector<std::string>& words) {
  std::string common = words.front();
  for (const std::string& word : words) {
    std::size_t n = 0;
    while (n < common.size() && n < word.size() && common[n] == word[n]) ++n;
    common.resize(n);
  }
  return common;
}

int terminal_columns() {
  winsize size{};
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

// Told apart from libedit, which would take on any size at once, in the handler: with few rows, or while it shows
// several, it writes beside what it keeps of the screen.
volatile std::sig_atomic_t resized = 0;
void hear_resize(int) { resized = 1; }

bool has_room_to_edit() {
  winsize size{};
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || (size.ws_row >= 4 && size.ws_col >= 10);
}

// As `ls` lays out names: down, then across.
void list_words(const std::vector<std::string>& words) {
  constexpr std::size_t most = 120;
  const std::size_t count = std::min(words.size(), most);
  int widest = 0;
  for (std::size_t k = 0; k < count; ++k) widest = std::max(widest, text::width_of(words[k]));
  const auto columns = static_cast<std::size_t>(std::max(1, terminal_columns() / (widest + 2)));
  const std::size_t rows = (count + columns - 1) / columns;
  std::string out = "\n";
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t at = r; at < count; at += rows) {
      out += text::printable(words[at]);
      if (at + rows < count) out.append(static_cast<std::size_t>(widest + 2 - text::width_of(words[at])), ' ');
    }
    out += "\n";
  }
  if (words.size() > count) out += "… " + std::to_string(words.size() - count) + " more\n";
  std::fputs(out.c_str(), stdout);
  std::fflush(stdout);
}

}  // namespace

struct LineEditor::Impl {
  Complete complete;
  std::function<std::string(const std::string&)> paste;
  EditLine* editor = nullptr;
  History* history = nullptr;
  std::string prompt;
  std::string shown_prompt;  ///< libedit keeps the pointer
  bool cancelled = false;
  SelfPipe pipe;
  std::string unread;           ///< comes before what is typed
  std::string keys;             ///< that end the line when it begins with them
  std::optional<char> pressed;  ///< the one that did
  struct Doubt {
    char key;
    std::function<bool(char)> goes_on;
  };
  std::optional<Doubt> doubtful;       ///< a letter of this line only if what goes on with it follows at once
  bool begins = false;                 ///< no key of this line was read yet
  bool hears_resize = false;           ///< while this line is read
  int columns = 80;                    ///< that libedit knows of
  std::optional<std::string> left;     ///< what was typed when the window took another size
  static constexpr int at_once = 500;  ///< milliseconds

  static Impl& of(EditLine* editor) {
    void* self = nullptr;
    el_get(editor, EL_CLIENTDATA, &self);
    return *static_cast<Impl*>(self);
  }

  std::string line(std::size_t& cursor) const {
    const LineInfo* info = el_line(editor);
    cursor = static_cast<std::size_t>(info->cursor - info->buffer);
    return std::string(info->buffer, info->lastchar);
  }

  // ---- what libedit calls ----

  static char* show_prompt(EditLine* editor) { return Impl::of(editor).shown_prompt.data(); }

  /// libedit has put its own handlers in place when it asks for the first key, and puts back what was there before
  /// them.
  void listen_for_resize() {
    if (std::exchange(hears_resize, true)) return;
    struct sigaction action {};
    action.sa_handler = hear_resize;
    sigaction(SIGWINCH, &action, nullptr);
  }

  bool fits_in_a_row() const {
    std::size_t cursor = 0;
    const std::string text = line(cursor);
    return has_room_to_edit() && text.find('\n') == std::string::npos &&
           text::width_of(shown_prompt) + text::width_of(text) < std::min(columns, terminal_columns());
  }

  /// `read` goes on with the text, in the new size.
  int leave_for_new_size() {
    std::size_t cursor = 0;
    left = line(cursor);
    return -1;
  }

  /// One byte: 1, or 0 at the end of the input, or -1 when the line is cancelled.
  int read_byte(char& byte) {
    if (!unread.empty()) {
      byte = unread.front();
      unread.erase(0, 1);
      return 1;
    }
    listen_for_resize();
    for (;;) {
      if (resized) {
        resized = 0;
        if (fits_in_a_row()) el_resize(editor);
        else return leave_for_new_size();
      }
      pollfd waiting[] = {{STDIN_FILENO, POLLIN, 0}, {pipe.ends[0], POLLIN, 0}};
      const int ready = poll(waiting, 2, doubtful ? at_once : -1);
      if (ready < 0 && errno != EINTR) return -1;
      if (ready <= 0) {
        doubtful.reset();
        continue;
      }
      if ((waiting[1].revents & POLLIN) != 0 || pipe.holds_something()) {
        cancelled = true;
        return -1;
      }
      if (!(waiting[0].revents & (POLLIN | POLLHUP | POLLERR))) continue;
      const ssize_t got = ::read(STDIN_FILENO, &byte, 1);
      if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
      return got > 0 ? 1 : static_cast<int>(got);
    }
  }

  /// What the first key of a line is: itself, the line's end when it is one of `keys`, or the second one.
  wchar_t first_key(wchar_t key) {
    begins = false;
    const bool is_enter = key == L'\r' || key == L'\n';
    if (!keys.empty() && key < 0x80 && (is_enter || keys.find(static_cast<char>(key)) != std::string::npos)) {
      pressed = is_enter ? '\n' : static_cast<char>(key);
      return L'\n';
    }
    const auto before = std::exchange(doubtful, std::nullopt);
    if (!before || key >= 0x80 || !before->goes_on(static_cast<char>(key))) return key;
    unread.insert(0, 1, static_cast<char>(key));
    return static_cast<wchar_t>(before->key);
  }

  /// One character, or 0 at the end of the input, or -1 when the line is cancelled.
  static int read_key(EditLine* editor, wchar_t* key) {
    Impl& self = of(editor);
    std::mbstate_t state{};
    for (;;) {
      char byte = 0;
      if (const int got = self.read_byte(byte); got <= 0) return got;
      const std::size_t used = std::mbrtowc(key, &byte, 1, &state);
      if (used == static_cast<std::size_t>(-2)) continue;  // the character goes on
      if (used == static_cast<std::size_t>(-1)) {
        state = {};
        continue;  // no character of this locale
      }
      if (self.begins) *key = self.first_key(*key);
      return 1;
    }
  }

  static unsigned char complete_word(EditLine* editor, int) {
    Impl& self = of(editor);
    std::size_t cursor = 0;
    const std::string line = self.line(cursor);
    const Candidates found = self.complete(line, cursor);
    if (found.words.empty() || found.begin > cursor) return CC_REFRESH_BEEP;
    const std::string typed = line.substr(found.begin, cursor - found.begin);
    std::string more = common_start(found.words);
    if (!more.starts_with(typed)) return CC_REFRESH_BEEP;
    more.erase(0, typed.size());
    if (found.words.size() == 1) more += found.closing;
    if (!more.empty()) {
      el_insertstr(editor, more.c_str());
      return CC_REFRESH;
    }
    if (found.words.size() == 1) return CC_NORM;
    list_words(found.words);
    return CC_REDISPLAY;
  }

  // Between ESC [ 200 ~ and ESC [ 201 ~: nothing in it is a command to the editor.
  static unsigned char take_paste(EditLine* editor, int) {
    static const std::wstring end = L"\x1b[201~";
    std::wstring text;
    wchar_t key = 0;
    while (!text.ends_with(end) && el_wgetc(editor, &key) == 1) text += key;
    if (text.ends_with(end)) text.resize(text.size() - end.size());
    std::string bytes;
    char buffer[16];
    std::mbstate_t state{};
    for (const wchar_t c : text) {
      const std::size_t n = std::wcrtomb(buffer, c, &state);
      if (n != static_cast<std::size_t>(-1)) bytes.append(buffer, n);
      else state = {};
    }
    const std::string cleaned = of(editor).paste(bytes);
    if (!cleaned.empty() && el_insertstr(editor, cleaned.c_str()) != 0) return CC_REFRESH_BEEP;
    return CC_REFRESH;
  }

  // Within a line of several the arrows move; at its ends they recall entries.
  unsigned char move(bool up) {
    std::size_t cursor = 0;
    const std::string all = line(cursor);
    const std::size_t start = cursor == 0 ? 0 : all.rfind('\n', cursor - 1) + 1;  // npos + 1 is 0
    const std::size_t stop = all.find('\n', cursor);
    if (up ? start == 0 : stop == std::string::npos) {
      el_push(editor, up ? "\x10" : "\x0e");
      return CC_NORM;
    }
    const auto characters = [&](std::size_t from, std::size_t to) {
      return static_cast<int>(text::glyphs(std::string_view(all).substr(from, to - from)).size());
    };
    const int column = characters(start, cursor);
    if (up) {
      const std::size_t above = start < 2 ? 0 : all.rfind('\n', start - 2) + 1;
      const int length = characters(above, start - 1);
      el_cursor(editor, -(column + 1 + length - std::min(column, length)));
    } else {
      const std::size_t end = std::min(all.find('\n', stop + 1), all.size());
      el_cursor(editor, characters(cursor, stop) + 1 + std::min(column, characters(stop + 1, end)));
    }
    return CC_CURSOR;
  }
  static unsigned char go_up(EditLine* editor, int) { return of(editor).move(true); }
  static unsigned char go_down(EditLine* editor, int) { return of(editor).move(false); }
};

LineEditor::LineEditor(Complete complete, std::function<std::string(const std::string&)> paste)
    : impl_(std::make_unique<Impl>()) {
  impl_->complete = std::move(complete);
  impl_->paste = std::move(paste);
  HistEvent event;
  impl_->history = history_init();
  history(impl_->history, &event, H_SETSIZE, 10000);
  history(impl_->history, &event, H_SETUNIQUE, 1);

  EditLine* const editor = impl_->editor = el_init("trellis", stdin, stdout, stderr);
  el_set(editor, EL_CLIENTDATA, impl_.get());
  el_set(editor, EL_EDITOR, "emacs");
  el_set(editor, EL_SIGNAL, 1);
  el_set(editor, EL_HIST, ::history, impl_->history);
  el_set(editor, EL_PROMPT_ESC, Impl::show_prompt, '\1');
  el_set(editor, EL_GETCFN, Impl::read_key);
  el_set(editor, EL_ADDFN, "trellis-complete", "completes a word", Impl::complete_word);
  el_set(editor, EL_ADDFN, "trellis-paste", "takes what is pasted as it is", Impl::take_paste);
  el_set(editor, EL_ADDFN, "trellis-up", "the line above, or the entry before", Impl::go_up);
  el_set(editor, EL_ADDFN, "trellis-down", "the line below, or the next entry", Impl::go_down);
  static constexpr const char* keys[][2] = {
      {"^I", "trellis-complete"},   {"^R", "em-inc-search-prev"},      {"\\e[200~", "trellis-paste"},
      {"\\e[A", "trellis-up"},      {"\\eOA", "trellis-up"},           {"\\e[B", "trellis-down"},
      {"\\eOB", "trellis-down"},    {"\\e[3~", "ed-delete-next-char"}, {"\\e[H", "ed-move-to-beg"},
      {"\\e[F", "ed-move-to-end"},  {"\\e[1~", "ed-move-to-beg"},      {"\\e[4~", "ed-move-to-end"},
      {"\\e[1;5C", "em-next-word"}, {"\\e[1;5D", "ed-prev-word"},      {"^W", "ed-delete-prev-word"}};
  for (const auto& [key, function] : keys) el_set(editor, EL_BIND, key, function, nullptr);
  el_source(editor, nullptr);  // the user's .editrc
}

LineEditor::~LineEditor() {
  el_end(impl_->editor);
  history_end(impl_->history);
}

/// Where there is no room to edit: the terminal's own line, behind what was typed before.
LineEditor::Line LineEditor::read_plainly(const std::string& prompt, std::string text) {
  Impl& self = *impl_;
  for (const char c : prompt + text)
    if (c != '\1') std::fputc(c, stdout);
  std::fflush(stdout);
  char byte = 0;
  int got = 0;
  while ((got = self.read_byte(byte)) > 0 && byte != '\n' && byte != '\r') text += byte;
  if (self.cancelled) return {Line::Ending::cancelled, ""};
  if (got <= 0 && text.empty()) return {Line::Ending::closed, ""};
  const bool is_key =
      !self.keys.empty() && (text.empty() || (text.size() == 1 && self.keys.find(text) != std::string::npos));
  if (is_key) return {Line::Ending::key, text.empty() ? "\n" : text};
  return {Line::Ending::entered, text};
}

LineEditor::Line LineEditor::read(const std::string& prompt, std::string_view keys) {
  Impl& self = *impl_;
  self.shown_prompt = prompt;
  self.cancelled = false;
  self.keys = keys;
  self.pressed.reset();
  self.begins = true;
  self.pipe.drain();
  bell = self.pipe.ends[1];
  self.left.reset();
  Line line = read_once(prompt);
  while (self.left) {
    el_reset(self.editor);
    std::fputs("\r\n", stdout);
    line = read_once(prompt);
  }
  bell = -1;
  return line;
}

// One size of the window long.
LineEditor::Line LineEditor::read_once(const std::string& prompt) {
  Impl& self = *impl_;
  std::string before = std::exchange(self.left, std::nullopt).value_or("");
  self.hears_resize = false;
  if (!has_room_to_edit()) return read_plainly(prompt, std::move(before));
  if (!before.empty()) unread("\x1b[200~" + before + "\x1b[201~");
  self.columns = terminal_columns();
  el_resize(self.editor);
  const char* const term = std::getenv("TERM");
  const bool brackets = term && std::string_view(term) != "dumb";
  if (brackets) std::fputs("\x1b[?2004h", stdout), std::fflush(stdout);
  el_set(self.editor, EL_PREP_TERM, 1);  // before the prompt appears: what is typed then is a key already
  int count = 0;
  const char* const got = el_gets(self.editor, &count);
  if (brackets) std::fputs("\x1b[?2004l", stdout), std::fflush(stdout);
  if (self.left) return {};
  if (self.cancelled) {
    el_reset(self.editor);
    return {Line::Ending::cancelled, ""};
  }
  if (self.pressed) return {Line::Ending::key, std::string(1, *self.pressed)};
  if (!got || count <= 0) return {Line::Ending::closed, ""};
  std::string text(got, static_cast<std::size_t>(count));
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return {Line::Ending::entered, text};
}

void LineEditor::unread(std::string_view bytes) { impl_->unread.insert(0, bytes); }

void LineEditor::reconsider(char key, std::function<bool(char)> goes_on) {
  impl_->doubtful = Impl::Doubt{key, std::move(goes_on)};
}

void LineEditor::remember(const std::string& entry) {
  HistEvent event;
  history(impl_->history, &event, H_ENTER, entry.c_str());
}

void LineEditor::interrupt() {
  const int descriptor = bell;
  const int saved = errno;
  if (descriptor >= 0) static_cast<void>(write(descriptor, "!", 1) == 1);
  errno = saved;
}

}  // namespace trellis::repl
