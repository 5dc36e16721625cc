#include "gui/measure.hpp"

#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <thread>

namespace trellis::gui {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// `of` says more about what was tried.
std::string summary(const char* what, std::vector<double> times, const std::string& of = {}) {
  if (times.empty()) return std::string(what) + "   nothing to measure\n";
  std::ranges::sort(times);
  const auto at = [&](double part) {
    return times[static_cast<std::size_t>(part * static_cast<double>(times.size() - 1))];
  };
  char line[160];
  std::snprintf(line, sizeof line, "%-8s median %7.2f ms   95 %% %7.2f ms   worst %7.2f ms   of %zu", what, at(0.5),
                at(0.95), at(1), times.size());
  return line + of + "\n";
}

struct Memory {
  double resident = 0;  ///< of the process, in MiB
  double used = 0;      ///< what was allocated and is not given back: the rest is the program, and gaps
};
/// What is free goes back first.
Memory memory() {
  malloc_trim(0);
  std::ifstream in("/proc/self/statm");
  long all = 0, pages = 0;
  in >> all >> pages;
  return {static_cast<double>(pages) * 4096 / (1 << 20), static_cast<double>(mallinfo2().uordblks) / (1 << 20)};
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

/// As one who types does: what comes behind C has begun.
void rest_a_moment(Script& script) {
  for (const auto start = Clock::now(); since(start) < 40 && !script.app().idle();) {
    script.frame();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

/// Each figure is there after so long, of as many tries as there were until then.
constexpr double most_seconds = 20;

/// Says now and then how far it has come, and when it is over.
class Pace {
 public:
  Pace(std::string what, std::size_t of, const Hearer& progress)
      : what_(std::move(what)), of_(of), progress_(progress) {}
  /// Another one may begin.
  bool goes_on(std::size_t done, double seconds = most_seconds) {
    if (done >= of_ || since(start_) > seconds * 1000) return false;
    if (since(said_) > 2000) {
      progress_(what_ + ": " + std::to_string(done) + " of " + std::to_string(of_));
      said_ = Clock::now();
    }
    return true;
  }

 private:
  std::string what_;
  std::size_t of_;
  const Hearer& progress_;
  Clock::time_point start_ = Clock::now(), said_ = start_;
};

/// Characters all over the text, however many of them there is time for: multiples of the golden section lie evenly.
std::vector<double> time_edits(Script& script, std::size_t most, const Hearer& progress) {
  Editor& editor = script.app().document().editor();
  std::vector<double> times;
  const auto size = static_cast<double>(editor.text().size());
  Pace pace("edit", most, progress);
  for (std::size_t i = 0; pace.goes_on(i); ++i) {
    double whole = 0;
    const auto at = static_cast<std::size_t>(size * std::modf(static_cast<double>(i) * 0.6180339887498949, &whole));
    const char c = editor.text()[at];
    if (c == '\n' || static_cast<unsigned char>(c) >= 0x80) continue;
    const auto start = Clock::now();
    editor.replace(at, at + 1, std::string(1, changed(c)));
    times.push_back(time_to_c(script, start));
    editor.undo();
    time_to_c(script, Clock::now());
    rest_a_moment(script);
  }
  return times;
}

/// Of the kernel that is shown.
std::size_t steps(Script& script) {
  script.app().carry_out("window first execution");
  script.run_until_idle(60);
  return script.app().replays.length("execution", 'A');
}

/// Of a program that has too many elements to step through the first size becomes 3, and the kernel with the most steps
/// is shown. The result says so; "" where that does not help.
std::string shrink(Script& script) {
  Editor& editor = script.app().document().editor();
  const std::string text = editor.text();
  const std::size_t name = text.find("param "), sign = text.find(" = ", name);
  if (sign == std::string::npos) return "";
  const std::size_t begin = sign + 3, end = text.find_first_not_of("0123456789", begin);
  if (end == begin || end == std::string::npos) return "";
  editor.replace(begin, end, "3");
  script.run_until_idle(60);
  std::pair<std::size_t, std::string> longest;
  const auto snapshot = script.app().document().shared_snapshot();
  for (const session::KernelView& kernel : snapshot->kernels) {
    script.app().carry_out("window kernel " + kernel.name);
    longest = std::max(longest, {steps(script), kernel.name});
  }
  if (longest.first == 0) return "";
  script.app().carry_out("window kernel " + longest.second);
  return "   (" + longest.second + " at " + text.substr(name + 6, sign - name - 6) + " = 3)";
}

std::string time_steps(Script& script, const Hearer& progress) {
  std::vector<double> times;
  std::string of;
  const std::string kernel = script.app().scene().kernel ? script.app().scene().kernel->name : "";
  const bool too_large = steps(script) == 0;
  if (too_large) of = shrink(script);
  Pace pace("step", std::min<std::size_t>(steps(script), 400), progress);
  for (std::size_t i = 0; pace.goes_on(i); ++i) {
    script.app().carry_out("window step execution");
    const auto start = Clock::now();
    script.frame();
    times.push_back(since(start));
  }
  if (too_large) {
    script.app().document().editor().undo();
    script.app().carry_out("window kernel " + kernel);
  }
  script.run_until_idle(60);
  return summary("step", times, of);
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
std::string memory_over_edits(Script& script, int edits, const Hearer& progress) {
  Editor& editor = script.app().document().editor();
  const std::string text = editor.text();
  unsigned random = 1;
  Memory before;
  Pace pace("memory", static_cast<std::size_t>(edits), progress);
  for (int i = 0; pace.goes_on(static_cast<std::size_t>(i), 1e9); ++i) {
    if (i == edits / 10) before = memory();
    random = random * 1664525U + 1013904223U;
    const std::size_t at = (random >> 8) % text.size();
    editor.replace(at, at + 1, std::string(1, changed(editor.text()[at])));
    script.frame();
    if (i % 4 == 3) script.run_until_idle();
    editor.undo();
    script.frame();
  }
  script.run_until_idle();
  const Memory after = memory();
  char line[160];
  std::snprintf(line, sizeof line,
                "memory   %.1f MiB after %d edits, %.1f of it in use; %.1f MiB after %d, %.1f of it in use\n",
                before.resident, edits / 10, before.used, after.resident, edits, after.used);
  return line;
}

/// A hand moves the graph.
std::string panning(Script& script, const char* what) {
  script.app().carry_out("window preset illegal");
  script.run_until_idle(60);
  return summary(what, time_dragging(script, "graph/graph", {60, 40}));
}

std::string chain_of_equations(int count) {
  std::string text = "param n = 8\ntensor x(n)\nrandom x seed 1\n";
  for (int k = 0; k < count; ++k)
    text += "y" + std::to_string(k) + "(i) = 2 * " + (k == 0 ? "x" : "y" + std::to_string(k - 1)) + "(i)\n";
  return text;
}

}  // namespace

void measure(Script& script, int edits, const Hearer& report, const Hearer& progress) {
  script.run_until_idle();
  report(summary("edit", time_edits(script, 400, progress)));
  report(time_steps(script, progress));
  const Scene scene = script.app().scene();
  if (scene.explained() && !scene.explained()->order.empty())
    report(summary("drag", time_dragging(script, "loop:" + scene.explained()->order.front().name, {40, 90})));
  if (edits > 0) report(memory_over_edits(script, edits, progress));
  report(panning(script, "pan"));
}

void measure_usual_programs(Script& script, int edits, const Hearer& report, const Hearer& progress) {
  for (const char* name : {"viterbi", "sparse_sum", "gmres"}) {
    report(std::string(name) + "\n");
    script.app().carry_out("window preset learn");
    script.app().open(name);
    measure(script, edits, report, progress);
  }
  report("130 equations in a chain\n");
  script.app().carry_out("window preset learn");
  script.app().document().open("chain.tr", chain_of_equations(130));
  measure(script, edits, report, progress);
  report("5 000 edges\n");
  script.app().document().open("large.tr", large_program());
  script.run_until_idle(60);
  script.click("graph/inputs");
  report(panning(script, "pan"));
}

}  // namespace trellis::gui
