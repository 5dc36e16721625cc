// The program `trellis-gui`, which `trellis gui` starts.
#include <clocale>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <sstream>

#include "engine/run/server.hpp"
#include "engine/session/fault.hpp"
#include "engine/session/running/kept_machine.hpp"
#include "gui/measure.hpp"
#include "gui/script.hpp"
#include "gui/window.hpp"

namespace {

const char* const usage =
    "Usage: trellis gui [FILE.tr | EXAMPLE] [options]\n"
    "  --script FILE       carries out its lines without a display (`-`: standard input); see docs/explorer.md\n"
    "  --screenshot F.png  writes a picture when all is settled, without a display\n"
    "  --outline           prints what the window shows as text, without a display\n"
    "  --window            carries a script out in a window, where it is seen\n"
    "  --measure [EDITS]   prints how long one waits for it, and memory over so many edits; without a program, of "
    "four\n"
    "  --size WxH          of the window, in units (1600x1000)\n"
    "  --scale X           pixels a unit (what the display says)\n"
    "  --theme NAME        dark, light, contrast, dark-safe or light-safe\n"
    "  --preset NAME       learn, illegal, lattice, compare or tune\n"
    "  --fresh             keeps and reads no settings\n";

struct Line {
  std::string file, script, screenshot, theme, preset, problem;
  bool outline = false, fresh = false, help = false, in_window = false, measure = false;
  int edits = 0;
  trellis::gui::WindowOptions window;
};

Line read(int argc, char** argv) {
  Line line;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto value = [&]() -> std::string {
      if (i + 1 < argc) return argv[++i];
      line.problem = word + " needs a value";
      return "";
    };
    if (word == "--help" || word == "-h") line.help = true;
    else if (word == "--script") line.script = value();
    else if (word == "--screenshot") line.screenshot = value();
    else if (word == "--outline") line.outline = true;
    else if (word == "--window") line.in_window = true;
    else if (word == "--measure") {
      line.measure = true;
      if (i + 1 < argc && std::isdigit(static_cast<unsigned char>(argv[i + 1][0]))) line.edits = std::atoi(argv[++i]);
    } else if (word == "--fresh") line.fresh = true;
    else if (word == "--theme") line.theme = value();
    else if (word == "--preset") line.preset = value();
    else if (word == "--scale") line.window.scale = std::strtof(value().c_str(), nullptr);
    else if (word == "--size") {
      const std::string size = value();
      if (std::sscanf(size.c_str(), "%dx%d", &line.window.width, &line.window.height) != 2 || line.window.width < 200 ||
          line.window.height < 200)
        line.problem = "--size is WIDTHxHEIGHT, at least 200x200";
    } else if (word.starts_with("--")) line.problem = "there is no option " + word;
    else if (line.file.empty()) line.file = word;
    else line.problem = "one file at a time";
  }
  return line;
}

/// Empty: it went well.
std::string carry_out(trellis::gui::Script& script, const Line& line, const std::string& text) {
  if (!line.theme.empty()) script.app().carry_out("window theme " + line.theme);
  if (!line.preset.empty()) script.app().carry_out("window preset " + line.preset);
  if (!line.file.empty() && !script.app().open(line.file)) return trellis::gui::why_not_opened(line.file);
  if (!script.run_until_idle())
    return "the program takes more than " + std::to_string(trellis::gui::Script::patience) + " seconds";
  if (const std::string problem = script.run(text); !problem.empty()) return line.script + ": " + problem;
  if (!line.screenshot.empty() && !script.screenshot(line.screenshot)) return "cannot write " + line.screenshot;
  if (line.measure) {
    const auto report = [](const std::string& figure) {
      std::fputs(figure.c_str(), stdout);
      std::fflush(stdout);
    };
    const auto progress = [](const std::string& words) { std::fprintf(stderr, "%s\n", words.c_str()); };
    if (line.file.empty()) trellis::gui::measure_usual_programs(script, line.edits, report, progress);
    else trellis::gui::measure(script, line.edits, report, progress);
  }
  if (line.outline) std::fputs(script.outline().c_str(), stdout);
  return "";
}

int run_script(const Line& line) {
  using namespace trellis::gui;
  std::ostringstream text;
  if (line.script == "-") {
    text << std::cin.rdbuf();
  } else if (!line.script.empty()) {
    std::ifstream in(line.script);
    if (!in) {
      std::fprintf(stderr, "trellis gui: cannot read %s\n", line.script.c_str());
      return 2;
    }
    text << in.rdbuf();
  }
  Script script({}, {static_cast<float>(line.window.width), static_cast<float>(line.window.height),
                     line.window.scale > 0 ? line.window.scale : 1});
  std::string problem;
  const auto work = [&] { problem = carry_out(script, line, text.str()); };
  if (line.in_window) show_in_window(script, work);
  else work();
  if (problem.empty()) return 0;
  std::fprintf(stderr, "trellis gui: %s\n", problem.c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) try {
  std::setlocale(LC_CTYPE, "");
  // Before there are threads and a window: kernels are forked from a process that stays small.
  trellis::run::start_server();
  trellis::session::contain_signals();
  const Line line = read(argc, argv);
  if (line.help) return std::fputs(usage, stdout), 0;
  if (!line.problem.empty()) {
    std::fprintf(stderr, "trellis gui: %s\n\n%s", line.problem.c_str(), usage);
    return 2;
  }
  if (!line.script.empty() || !line.screenshot.empty() || line.outline || line.in_window || line.measure)
    return run_script(line);
  trellis::gui::App::Start start;
  start.options.machine = trellis::session::kept_machine();
  if (!line.fresh) start.state_folder = trellis::gui::usual_state_folder();
  return trellis::gui::run_window(std::move(start), line.file, line.window);
} catch (const std::exception& problem) {
  std::fprintf(stderr, "trellis gui: %s\n", problem.what());
  return 2;
}
