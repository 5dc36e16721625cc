#include "gui/script.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <sstream>
#include <thread>

#include "gui/pictures.hpp"
#include "gui/shortcuts.hpp"

namespace trellis::gui {
namespace {

std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < line.size();) {
    if (line[at] == ' ') {
      ++at;
    } else if (line[at] == '"') {
      const std::size_t end = std::min(line.find('"', at + 1), line.size());
      words.push_back(line.substr(at + 1, end - at - 1));
      at = end + 1;
    } else {
      const std::size_t end = std::min(line.find(' ', at), line.size());
      words.push_back(line.substr(at, end - at));
      at = end;
    }
  }
  return words;
}

std::string rest_of(const std::string& line, std::size_t words) {
  std::size_t at = 0;
  while (words-- > 0) {
    at = std::min(line.find_first_not_of(' ', at), line.size());
    const bool quoted = at < line.size() && line[at] == '"';
    at = std::min(line.find(quoted ? '"' : ' ', at + quoted), line.size());
    if (quoted && at < line.size()) ++at;
  }
  at = line.find_first_not_of(' ', at);
  return at == std::string::npos ? "" : line.substr(at);
}

}  // namespace

Script::Script(App::Start start, Stage stage)
    : stage_(stage), app_(std::move(start)), surface_(std::make_unique<Surface>(stage.scale)) {}

void Script::frame(Input input) {
  now_ += 1.0 / 60;
  input.mouse = mouse_;
  input.down = input.down || holding_;
  input.now = now_;
  const ImDrawData& data = surface_->draw(app_, input, stage_.width, stage_.height);
  if (present) present(data);
  make_pictures(app_, *surface_, stage_.width, stage_.height);
}

// The longer it takes, the fewer frames are drawn of it: they take the time of what is waited for. On a machine that is
// busy with something else the seconds are those that this process has had, unless five times as many have gone by.
bool Script::run_until_idle(int seconds) {
  const auto start = std::chrono::steady_clock::now();
  const std::clock_t had = std::clock();
  const std::chrono::seconds most(seconds);
  frame();
  while (!app_.idle()) {
    const auto waited = std::chrono::steady_clock::now() - start;
    if (waited > most && (waited > 5 * most || (std::clock() - had) / CLOCKS_PER_SEC >= seconds)) return false;
    std::this_thread::sleep_for(
        std::clamp<std::chrono::nanoseconds>(waited / 20, std::chrono::milliseconds(1), std::chrono::milliseconds(16)));
    frame();
  }
  frame(), frame();
  return true;
}

const Item* Script::find(const std::string& id) const {
  const std::size_t slash = id.find('/');
  for (const Item& item : app_.ui.items())
    if (!item.rect.empty() && (item.id == id || (slash != std::string::npos && item.pane == id.substr(0, slash) &&
                                                 item.id == id.substr(slash + 1))))
      return &item;
  return nullptr;
}

bool Script::hover(const std::string& id) {
  const Item* item = find(id);
  if (!item) return false;
  mouse_ = item->rect.centre();
  frame(), frame();
  return true;
}

bool Script::click(const std::string& id, bool twice) {
  if (!hover(id)) return false;
  ++actions_;
  Input input;
  input.pressed = input.down = true;
  input.double_clicked = twice;
  frame(input);
  input = {};
  input.released = true;
  frame(input);
  frame();
  return true;
}

bool Script::hold(const std::string& from, const std::string& to) {
  if (!hover(from)) return false;
  ++actions_;
  Input down;
  down.pressed = true;
  holding_ = true;
  frame(down);
  // Where it may be dropped shows once it moves.
  mouse_ = mouse_ + Point{6, 6};
  frame(), frame();
  const Item* item = find(to);
  if (item) mouse_ = item->rect.centre();
  frame(), frame();
  return item != nullptr;
}

void Script::release() {
  holding_ = false;
  Input up;
  up.released = true;
  frame(up);
  frame();
}

bool Script::drag(const std::string& from, const std::string& to) {
  if (!find(from)) return false;
  const bool there = hold(from, to);
  release();
  return there;
}

void Script::key(const std::string& chord) {
  ++actions_;
  Input input;
  input.keys = {chord};
  input.ctrl = chord.find("Ctrl+") != std::string::npos;
  input.shift = chord.find("Shift+") != std::string::npos;
  input.alt = chord.find("Alt+") != std::string::npos;
  frame(input);
  frame();
}

void Script::type(const std::string& text) {
  ++actions_;
  Input input;
  input.typed = text;
  frame(input);
  frame();
}

bool Script::screenshot(const std::string& path, const std::string& pane) {
  Pixels pixels = picture();
  if (!pane.empty()) {
    const Rect area = app_.panes.area_of(pane);
    if (area.empty()) return false;
    const auto scaled = [&](float v) { return static_cast<int>(v * surface_->scale()); };
    pixels = pixels.part(scaled(area.x), scaled(area.y), scaled(area.w), scaled(area.h));
  }
  return pixels.write_png(path);
}

bool Script::sheet(const std::string& path, const std::vector<std::string>& presets) {
  std::vector<Pixels> pictures;
  for (const std::string& preset : presets) {
    app_.carry_out("window preset " + preset);
    run_until_idle();
    pictures.push_back(picture());
  }
  return Pixels::sheet(pictures, 3).write_png(path);
}

std::string Script::outline() const {
  std::ostringstream out;
  std::string pane;
  for (const Item& item : app_.ui.items()) {
    if (item.rect.empty()) continue;
    if (item.pane != pane) out << item.pane << '\n';
    pane = item.pane;
    out << "  " << item.role << ' ' << item.id;
    if (!item.label.empty() && item.label != item.id) out << "  " << item.label;
    if (!item.state.empty()) out << "  [" << item.state << ']';
    out << '\n';
  }
  return out.str();
}

std::string Script::run_line(const std::string& line) {
  const std::vector<std::string> words = words_of(line);
  if (words.empty() || words[0].starts_with("#")) return "";
  const std::string& what = words[0];
  const auto word = [&](std::size_t i) { return i < words.size() ? words[i] : std::string(); };
  const auto no_item = [&](const std::string& id) { return "there is no item " + id; };
  if (what == "open") {
    if (!app_.open(word(1))) return "cannot open " + word(1);
  } else if (what == "command") {
    app_.carry_out(rest_of(line, 1));
  } else if (what == "click") {
    if (!click(word(1))) return no_item(word(1));
  } else if (what == "doubleclick") {
    if (!click(word(1), true)) return no_item(word(1));
  } else if (what == "hover") {
    if (!hover(word(1))) return no_item(word(1));
  } else if (what == "drag") {
    if (!drag(word(1), word(2))) return no_item(find(word(1)) ? word(2) : word(1));
  } else if (what == "hold") {
    if (!hold(word(1), word(2))) return no_item(find(word(1)) ? word(2) : word(1));
  } else if (what == "release") {
    release();
  } else if (what == "key") {
    const std::string chord = chord_from(word(1));
    if (chord.empty()) return "no such key: " + word(1);
    key(chord);
  } else if (what == "type") {
    type(word(1));
  } else if (what == "wheel") {
    const Item* item = find(word(1));
    if (!item) return no_item(word(1));
    mouse_ = item->rect.centre();
    Input input;
    input.wheel = std::stof(word(2).empty() ? "1" : word(2));
    input.ctrl = word(3) == "ctrl";
    frame(input);
  } else if (what == "size") {
    stage_.width = std::stof(word(1)), stage_.height = std::stof(word(2));
  } else if (what == "scale") {
    stage_.scale = std::stof(word(1));
    surface_.reset();
    surface_ = std::make_unique<Surface>(stage_.scale);
  } else if (what == "theme") {
    app_.carry_out("window theme " + word(1));
  } else if (what == "screenshot") {
    run_until_idle();
    if (!screenshot(word(1), word(2))) return "cannot write " + word(1);
  } else if (what == "sheet") {
    if (!sheet(word(1), {words.begin() + std::min<std::ptrdiff_t>(2, std::ssize(words)), words.end()}))
      return "cannot write " + word(1);
  } else if (what == "agree") {
    run_until_idle();
    if (const double off = difference(picture(), surface_->picture()); off > 0.01)
      return "the window differs from the picture in " + std::to_string(off * 100) + " % of its pixels";
  } else if (what == "outline") {
    run_until_idle();
    std::fputs(outline().c_str(), stdout);
  } else if (what == "expect") {
    run_until_idle();
    const bool absent = word(1) == "not";
    const Item* item = find(word(absent ? 2 : 1));
    if (absent) return item ? "there is an item " + word(2) : "";
    if (!item) return no_item(word(1));
    const std::string wanted = rest_of(line, 2);
    if (item->state.find(wanted) == std::string::npos && item->label.find(wanted) == std::string::npos)
      return word(1) + " is \"" + item->label + "\" [" + item->state + "], not " + wanted;
  } else if (what != "wait") {
    return "no such action: " + what;
  }
  return run_until_idle() ? "" : "this takes more than " + std::to_string(patience) + " seconds";
}

std::string Script::run(const std::string& text) {
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (const std::string problem = run_line(line); !problem.empty())
      return "line " + std::to_string(number) + ": " + problem;
  }
  return "";
}

}  // namespace trellis::gui
