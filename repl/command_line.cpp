#include "repl/command_line.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <optional>

#include "engine/text/diagnostic.hpp"

namespace trellis::repl {
namespace {

std::optional<double> number(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

// An integer when it can be one: sizes are.
std::optional<format::Value> parameter(const std::string& text) {
  std::int64_t integer = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), integer);
  if (error == std::errc() && end == text.data() + text.size())
    return format::Value::of_integer(format::ScalarType::i64, integer);
  const auto real = number(text);
  return real ? std::optional(format::Value::of(format::ScalarType::f64, *real)) : std::nullopt;
}

// "4G", "512M", "100k", "4096": bytes.
std::optional<std::size_t> size(std::string text) {
  double factor = 1;
  if (!text.empty() && (text.back() == 'B' || text.back() == 'b')) text.pop_back();
  if (!text.empty() && (text.back() == 'i')) text.pop_back();
  if (!text.empty()) {
    switch (text.back()) {
      case 'k':
      case 'K': factor = 1024.0; break;
      case 'm':
      case 'M': factor = 1024.0 * 1024; break;
      case 'g':
      case 'G': factor = 1024.0 * 1024 * 1024; break;
      case 't':
      case 'T': factor = 1024.0 * 1024 * 1024 * 1024; break;
      default: break;
    }
    if (factor != 1) text.pop_back();
  }
  const auto value = number(text);
  if (!value || *value <= 0 || *value * factor > 1e18) return std::nullopt;
  return static_cast<std::size_t>(*value * factor);
}

CommandLine wrong(std::string problem) {
  CommandLine line;
  line.problem = std::move(problem);
  return line;
}

// One option of `trellis run`; a problem in words, or empty.
std::string read_option(CommandLine& line, const std::string& name, const std::string& value) {
  session::Options& options = line.options;
  const std::size_t equals = value.find('=');
  if (name == "-D") {
    if (equals == std::string::npos || equals == 0) return "-D needs a size and a value, such as -D n=100";
    const std::string literal = value.substr(equals + 1);
    const auto parsed = parameter(literal);
    if (!parsed) return "-D " + value + ": `" + literal + "` is not a number";
    options.parameters[value.substr(0, equals)] = *parsed;
  } else if (name == "--set") {
    const std::string what = value.substr(0, equals);
    const std::size_t dot = what.rfind('.');
    const std::string kernel = dot == std::string::npos ? "" : what.substr(0, dot);
    if (equals == std::string::npos || what.substr(dot == std::string::npos ? 0 : dot + 1) != "order")
      return "--set needs [KERNEL.]order=NAMES, such as --set order=j,k,i-";
    const auto order = lang::parse_order(value.substr(equals + 1));
    if (!order) return "--set " + value + ": this is not an order; write names with commas, such as j,k,i-";
    options.orders[kernel] = *order;
  } else if (name == "--backend") {
    if (value != "jit" && value != "native") return "--backend is jit or native, not `" + value + "`";
    options.backend = value == "jit" ? run::Backend::jit : run::Backend::native;
  } else if (name == "--threads") {
    const auto threads = number(value);
    if (!threads || *threads < 1 || *threads > 1024 || *threads != std::floor(*threads))
      return "--threads needs a number from 1 to 1024";
    options.limits.threads = static_cast<int>(*threads);
  } else if (name == "--timeout") {
    const auto seconds = number(value);
    if (!seconds || *seconds <= 0) return "--timeout needs a positive number of seconds";
    options.limits.seconds = *seconds;
  } else if (name == "--memory") {
    const auto bytes = size(value);
    if (!bytes) return "--memory needs a size, such as 4G or 512M";
    options.limits.memory = *bytes;
    options.data_limit = *bytes;
  } else if (name == "--spill") {
    line.spill = value;
  } else if (name == "--color") {
    if (value == "always") line.colour = WantsColour::always;
    else if (value == "never") line.colour = WantsColour::never;
    else if (value != "auto") return "--color is auto, always or never, not `" + value + "`";
  }
  return "";
}

// Where the program stands; of what is typed or piped in, where it is.
std::string folder_of(const std::string& file) {
  const std::filesystem::path path(file == "-" ? "" : file);
  return path.has_parent_path() ? path.parent_path().string() : ".";
}

const std::vector<std::string>& valued_options() {
  static const std::vector<std::string> names = {"-D",        "--set",    "--backend", "--threads",
                                                 "--timeout", "--memory", "--spill",   "--color"};
  return names;
}

// `run` and the prompt take the same options; the first `words` of the arguments say which it is, and are not looked
// at.
CommandLine read_options(const std::vector<std::string>& arguments, std::size_t words, CommandLine::Action action) {
  const std::vector<std::string>& valued = valued_options();
  static const std::vector<std::string> plain = {"--json", "--trusted", "--safe"};
  CommandLine line;
  line.action = action;
  bool safe = false;
  for (std::size_t i = words; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (word == "--json") line.replies = CommandLine::Replies::json;
    else if (word == "--trusted") line.options.limits.trusted = true;
    else if (word == "--safe") safe = true;
    else if (word.size() > 1 && word[0] == '-') {
      std::string name = word, value;
      bool has_value = false;
      const std::size_t equals = word.find('=');
      if (word.size() > 2 && word.compare(0, 2, "-D") == 0) name = "-D", value = word.substr(2), has_value = true;
      else if (word.compare(0, 2, "--") == 0 && equals != std::string::npos)
        name = word.substr(0, equals), value = word.substr(equals + 1), has_value = true;
      bool known = false;
      for (const std::string& option : valued) known |= option == name;
      if (!known) {
        std::vector<std::string> all = valued;
        all.insert(all.end(), plain.begin(), plain.end());
        const std::string near = text::did_you_mean(name, all);
        return wrong("unknown option `" + name + "`" + (near.empty() ? "" : "; did you mean `" + near + "`?"));
      }
      if (!has_value) {
        if (i + 1 >= arguments.size()) return wrong(name + " needs a value");
        value = arguments[++i];
      }
      if (std::string problem = read_option(line, name, value); !problem.empty()) return wrong(problem);
    } else if (!line.file.empty()) {
      return wrong(std::string(action == CommandLine::Action::run ? "`trellis run`" : "`trellis`") +
                   " takes one file, not `" + line.file + "` and `" + word + "`");
    } else {
      line.file = word;
    }
  }
  if (safe && line.options.limits.trusted) return wrong("a program that is `--safe` is not `--trusted` as well");
  if (safe) line.options.folder = folder_of(line.file);
  return line;
}

CommandLine read_run(const std::vector<std::string>& arguments) {
  CommandLine line = read_options(arguments, 1, CommandLine::Action::run);
  if (line.action == CommandLine::Action::run && line.file.empty())
    return wrong("`trellis run` needs a file, or `-` for standard input");
  return line;
}

bool works_on_file(const std::string& command) {
  constexpr std::string_view all = " check time show count orders why suggest ";
  return all.find(" " + command + " ") != std::string_view::npos;
}

// `show FILE loops`, `show loops FILE`: the options of `run`, and words that are the session's command.
CommandLine read_command(const std::vector<std::string>& arguments) {
  std::vector<std::string> run = {arguments[0]};
  std::string file, command = arguments[0];
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    const bool option = word.size() > 1 && word[0] == '-';
    if (option) {
      run.push_back(word);
      const bool valued = std::ranges::count(valued_options(), word) > 0;
      if (valued && i + 1 < arguments.size()) run.push_back(arguments[++i]);
    } else if (file.empty() && (word == "-" || word.ends_with(".tr"))) {
      file = word;
    } else {
      command += " " + word;
    }
  }
  if (file.empty()) return wrong("`trellis " + arguments[0] + "` needs a file, or `-` for standard input");
  run.push_back(file);
  CommandLine line = read_options(run, 1, CommandLine::Action::run);
  if (line.action != CommandLine::Action::run) return line;
  line.action = CommandLine::Action::command;
  line.command = command;
  return line;
}

/// `E0101`, `n0201`.
bool is_code(const std::string& word) {
  return word.size() == 5 && std::isalpha(static_cast<unsigned char>(word[0])) &&
         std::all_of(word.begin() + 1, word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// `-o PAGE.html`, and the options of `run`, of which a page of text, without runs, heeds only some.
CommandLine read_explain(const std::vector<std::string>& arguments) {
  if (arguments.size() == 2 && is_code(arguments[1])) {
    CommandLine line;
    line.action = CommandLine::Action::help;
    line.topic = arguments[1];
    return line;
  }
  std::vector<std::string> others;
  std::string output;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (!arguments[i].starts_with("-o")) {
      others.push_back(arguments[i]);
      continue;
    }
    if (arguments[i].size() > 2) output = arguments[i].substr(2);
    else if (i + 1 < arguments.size()) output = arguments[++i];
    else return wrong("-o needs a file name, such as -o report.html");
  }
  CommandLine line = read_run(others);
  line.output = output;
  if (line.action == CommandLine::Action::run) line.action = CommandLine::Action::explain;
  else if (others.size() < 2) line.problem = "`trellis explain` needs a file, or `-` for standard input";
  return line;
}

constexpr double most_fixes = 999;  ///< far more than a run shows

// FILE N, and the options of `run`.
CommandLine read_fix(std::vector<std::string> arguments) {
  const auto count = arguments.empty() ? std::nullopt : number(arguments.back());
  if (!count || *count < 1 || *count > most_fixes || *count != std::floor(*count))
    return wrong("`trellis fix` needs a file and the number of a fix, as in `trellis fix file.tr 1`");
  arguments.pop_back();
  CommandLine line = read_run(arguments);
  if (line.action != CommandLine::Action::run) return line;
  if (line.file == "-") return wrong("`trellis fix` writes into a file, not into standard input");
  line.action = CommandLine::Action::fix;
  line.fix = static_cast<int>(*count);
  return line;
}

CommandLine read_companion(const std::vector<std::string>& arguments) {
  CommandLine line;
  line.action = CommandLine::Action::companion;
  line.companion = arguments.front();
  line.arguments.assign(arguments.begin() + 1, arguments.end());
  return line;
}

bool asks_for_help(const std::string& argument) { return argument == "--help" || argument == "-h"; }

}  // namespace

namespace {

struct Form {
  const char* commands;  ///< that are written so, between blanks
  const char* form;
  const char* example;
};

constexpr Form forms[] = {
    {"", "trellis [FILE.tr]                                  the prompt, with a file loaded\n", "trellis product.tr"},
    {" run ",
     "trellis run FILE.tr [-D n=100] [--set [KERNEL.]order=j,k,i-] [--json] [--backend jit|native]\n"
     "                   [--threads N] [--timeout SECONDS] [--memory SIZE] [--spill FOLDER] [--safe] [--trusted]\n",
     "trellis run product.tr -D n=1000"},
    {" check time show count orders why suggest ",
     "trellis check|time|show|count|orders|why|suggest FILE.tr [WORDS]   a command behind a file's own\n",
     "trellis show product.tr loops"},
    {" fix ", "trellis fix FILE.tr N [-D n=100]                      writes a fix that is offered into it\n",
     "trellis fix product.tr 1"},
    {" explain ",
     "trellis explain FILE.tr [-o PAGE.html] [-D n=100] [--set [KERNEL.]order=j,k,i-]\n"
     "       trellis explain CODE                                  what a message's code means\n",
     "trellis explain E0101"},
    {" gui ", "trellis gui [FILE.tr] [--script FILE] [--screenshot PICTURE.png]   the explorer, in a window\n",
     "trellis gui product.tr"},
    {" bench ",
     "trellis bench [compile] [edits] [dense] [sparse] [pack] [masks] [structures]\n"
     "                     [shapes] [layouts] [recurrences] [arrays] [cost] [plans] [defaults] [advice] [ranks] "
     "[machine]\n"
     "                     [--data DIR] [--only TEXT] [--once] [--json]\n",
     "trellis bench dense"},
    {" examples ", "trellis examples [NAME]\n", "trellis examples cholesky"},
    {" help ", "trellis help [TOPIC]\n", "trellis help order"},
    {"", "trellis --version\n", "trellis --version"},
};

const Form* find_form(const std::string& command) {
  const auto found = std::ranges::find_if(forms, [&](const Form& form) {
    return !command.empty() && std::string_view(form.commands).find(" " + command + " ") != std::string_view::npos;
  });
  return found == std::end(forms) ? nullptr : found;
}

}  // namespace

std::string usage() {
  std::string text;
  for (const Form& form : forms) text += (text.empty() ? "usage: " : "       ") + std::string(form.form);
  return text;
}

std::string form_of(const std::string& command) {
  const Form* form = find_form(command);
  return form ? "usage: " + std::string(form->form) + "as in  " + form->example + "\n" : "";
}

namespace {

CommandLine read_words(const std::vector<std::string>& arguments) {
  CommandLine line;
  if (arguments.empty()) return read_options(arguments, 0, CommandLine::Action::converse);
  if (std::any_of(arguments.begin() + 1, arguments.end(), asks_for_help)) {
    line.action = CommandLine::Action::help;
    if (arguments[0] == "run") line.topic = "options";  // `help run` is about the statement
    else if (arguments[0] == "explain" || arguments[0] == "fix" || arguments[0] == "bench" || arguments[0] == "gui" ||
             arguments[0] == "examples" || works_on_file(arguments[0]))
      line.topic = arguments[0];
    return line;
  }
  if (arguments[0] == "help" || asks_for_help(arguments[0])) {
    line.action = CommandLine::Action::help;
    if (arguments.size() > 1) line.topic = arguments[1];
    return line;
  }
  if (arguments[0] == "examples") {
    line.action = CommandLine::Action::examples;
    if (arguments.size() > 1) line.topic = arguments[1];
    return line;
  }
  if (arguments[0] == "--version") {
    line.action = CommandLine::Action::version;
    return line;
  }
  if (arguments[0] == "run") return read_run(arguments);
  if (works_on_file(arguments[0])) return read_command(arguments);
  if (arguments[0] == "fix") return read_fix(arguments);
  if (arguments[0] == "explain") return read_explain(arguments);
  if (arguments[0] == "bench" || arguments[0] == "gui") return read_companion(arguments);
  if (arguments[0].ends_with(".tr") || arguments[0].starts_with("-"))
    return read_options(arguments, 0, CommandLine::Action::converse);
  const std::string near =
      text::did_you_mean(arguments[0], {"run", "check", "time", "show", "count", "orders", "why", "suggest", "fix",
                                        "help", "explain", "gui", "bench", "examples"});
  return wrong("there is no `trellis " + arguments[0] + "`" +
               (near.empty() ? "" : "; did you mean `trellis " + near + "`?"));
}

}  // namespace

CommandLine read_command_line(const std::vector<std::string>& arguments) {
  CommandLine line = read_words(arguments);
  if (line.action == CommandLine::Action::wrong && find_form(arguments[0])) line.misused = arguments[0];
  return line;
}

}  // namespace trellis::repl
