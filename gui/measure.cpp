#include "gui/measure.hpp"

#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <thread>

namespace trellis::gui {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

std::string summary(const char* what, std::vector<double> times) {
  if (times.empty()) return std::string(what) + "   nothing to measure\n";
  std::ranges::sort(times);
  const auto at = [&](double part) {
    return times[static_cast<std::size_t>(part * static_cast<double>(times.size() - 1))];
  };
  char line[160];
  std::snprintf(line, sizeof line, "%-8s median %7.2f ms   95 %% %7.2f ms   worst %7.2f ms   of %zu\n", what, at(0.5),
                at(0.95), at(1), times.size());
  return line;
}

/// Of the process, in MiB; what is free goes back first.
double resident() {
  malloc_trim(0);
  std::ifstream in("/proc/self/statm");
  long all = 0, pages = 0;
  in >> all >> pages;
  return static_cast<double>(pages) * 4096 / (1 << 20);
}

/// Another character of the same kind, so that many changed programs are right.
char changed(char c) {
  if (c >= '0' && c <= '9') return c == '9' ? '8' : static_cast<char>(c + 1);
  if (c >= 'a' && c < 'z') return static_cast<char>(c + 1);
  return c == ' ' ? '\n' : ' ';
}

/// Until what was typed has been compiled, or refused, and is on screen.
double time_to_c(Script& script, const Clock::time_point start) {
  Document& document = script.app().document();
  while (true) {
    script.frame();
    if (document.last_to_c()) break;
    std::this_thread::sleep_for(std::chrono::microseconds(200));
    if (since(start) > 5000) break;
  }
  return since(start);
}

std::vector<double> time_edits(Script& script, std::size_t most) {
  Editor& editor = script.app().document().editor();
  std::vector<double> times;
  const std::size_t size = editor.text().size(), every = std::max<std::size_t>(1, size / most);
  for (std::size_t i = 0; i < size; i += every) {
    if (editor.text()[i] == '\n' || static_cast<unsigned char>(editor.text()[i]) >= 0x80) continue;
    const auto start = Clock::now();
    editor.replace(i, i + 1, std::string(1, changed(editor.text()[i])));
    times.push_back(time_to_c(script, start));
    script.run_until_idle();
    editor.undo();
    script.run_until_idle();
  }
  return times;
}

std::vector<double> time_steps(Script& script) {
  std::vector<double> times;
  script.app().carry_out("window first execution");
  script.run_until_idle();
  const std::size_t length = std::min<std::size_t>(script.app().replays.length("execution", 'A'), 400);
  for (std::size_t i = 0; i < length; ++i) {
    script.app().carry_out("window step execution");
    const auto start = Clock::now();
    script.frame();
    times.push_back(since(start));
  }
  script.run_until_idle();
  return times;
}

/// With the button held down on an item, the pointer wanders around there.
std::vector<double> time_dragging(Script& script, const std::string& item, Point way) {
  std::vector<double> times;
  if (!script.hover(item)) return times;
  const Point from = script.mouse();
  Input input;
  input.pressed = input.down = true;
  script.frame(input);
  input.pressed = false;
  for (int i = 0; i < 120; ++i) {
    const float part = static_cast<float>(i % 40) / 40;
    script.move_mouse(from + way * part);
    const auto start = Clock::now();
    script.frame(input);
    times.push_back(since(start));
  }
  script.key("Escape");
  script.move_mouse(from);
  input.down = false, input.released = true;
  script.frame(input);
  script.run_until_idle();
  return times;
}

/// A hundred results, each of fifty of a hundred operands: 5 000 edges, and no dependences to be proven.
std::string large_program() {
  std::string text = "param n = 4\n";
  for (int i = 0; i < 100; ++i) text += "tensor a" + std::to_string(i) + "(n)\n";
  for (int i = 0; i < 100; ++i) {
    text += "b" + std::to_string(i) + "(i) = ";
    for (int j = 0; j < 50; ++j) text += (j > 0 ? " + a" : "a") + std::to_string((i + j) % 100) + "(i)";
    text += "\n";
  }
  return text;
}

/// While random characters change and change back.
std::string memory_over_edits(Script& script, int edits) {
  Editor& editor = script.app().document().editor();
  const std::string text = editor.text();
  unsigned random = 1;
  double before = 0;
  for (int i = 0; i < edits; ++i) {
    if (i == edits / 10) before = resident();
    random = random * 1664525U + 1013904223U;
    const std::size_t at = (random >> 8) % text.size();
    editor.replace(at, at + 1, std::string(1, changed(editor.text()[at])));
    script.frame();
    if (i % 4 == 3) script.run_until_idle();
    editor.undo();
    script.frame();
  }
  script.run_until_idle();
  char line[120];
  std::snprintf(line, sizeof line, "memory   %.1f MiB after %d edits, %.1f MiB after %d\n", before, edits / 10,
                resident(), edits);
  return line;
}

std::string panning(Script& script) {
  script.app().document().open("large.tr", large_program());
  script.app().carry_out("window preset illegal");
  if (script.run_until_idle(120) && script.click("graph/inputs") && script.run_until_idle(60))
    return summary("pan", time_dragging(script, "graph/graph", {60, 40}));
  return "pan      the large graph takes more than two minutes\n";
}

}  // namespace

void measure(Script& script, int edits, const std::function<void(const std::string&)>& report) {
  script.run_until_idle();
  report(summary("edit", time_edits(script, 400)));
  report(summary("step", time_steps(script)));
  const Scene scene = script.app().scene();
  if (scene.explained() && !scene.explained()->order.empty())
    report(summary("drag", time_dragging(script, "loop:" + scene.explained()->order.front().name, {40, 90})));
  if (edits > 0) report(memory_over_edits(script, edits));
  report(panning(script));
}

}  // namespace trellis::gui
