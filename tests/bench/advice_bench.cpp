// What the first line that `suggest` offers is worth: each kernel natively, as it stands and with that line, in turns.
#include <algorithm>

#include "engine/session/program/documents.hpp"
#include "engine/session/running/kept_machine.hpp"
#include "engine/session/session.hpp"
#include "tests/bench/contest.hpp"
#include "tests/bench/defaults_cases.hpp"
#include "tests/bench/measure.hpp"
#include "tests/bench/scaled_examples.hpp"

namespace trellis::bench {
namespace {

constexpr double long_enough = 0.02;  ///< milliseconds; what takes less says nothing
constexpr double slower = 0.95;       ///< of a ratio

session::Options options() {
  session::Options options;
  options.limits.seconds = 30;
  if (!only_once()) options.machine = session::kept_machine();
  return options;
}

/// A kernel of a program whose data is there.
class Program {
 public:
  Program(session::Options options, const std::string& text, const std::string& kernel)
      : session_(std::move(options)), kernel_(kernel) {
    feed(text);
    text::Diagnostics ignored;
    if (kernel_.empty())
      if (const lang::Kernel* last = session_.state().kernel(std::nullopt, {}, ignored)) kernel_ = last->name;
  }

  std::vector<std::string> kernels() {
    text::Diagnostics ignored;
    const lang::Program* program = session_.state().program(ignored);
    std::vector<std::string> names;
    if (program)
      for (const lang::Kernel& kernel : program->kernels)
        if (kernel.pattern_of.empty()) names.push_back(kernel.name);
    return names;
  }

  /// The first that is about one thread; null: there is none.
  const explore::Suggestion* advice() {
    const auto begun = std::chrono::steady_clock::now();
    feed("suggest " + kernel_);
    took_ = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begun).count();
    const auto first = first_advice();
    return first == suggested_.suggestions.end() ? nullptr : &*first;
  }
  double advice_ms() const { return took_; }
  double promised() const { return suggested_.cycles / first_advice()->cycles; }

  bool take_advice() {
    advice();
    return feed("fix " + std::to_string(first_advice() - suggested_.suggestions.begin() + 1));
  }

  std::optional<double> run() {
    ran_ms_ = 0;
    const bool ran = feed("run " + kernel_ + (only_small() ? " jit" : " native"));
    return ran ? std::optional(ran_ms_) : std::nullopt;
  }
  bool check() { return feed("check " + kernel_); }
  const std::string& problem() const { return problem_; }

 private:
  std::vector<explore::Suggestion>::const_iterator first_advice() const {
    return std::ranges::find_if(suggested_.suggestions, [](const explore::Suggestion& one) {
      return one.command.find("parallel") == std::string::npos;
    });
  }

  bool feed(const std::string& text) {
    bool well = true;
    session_.feed("bench", text + "\n", [&](const session::Reply& reply) {
      if (!reply.ok()) {
        well = false;
        for (const text::Diagnostic& d : reply.diagnostics.all())
          if (d.severity == text::Severity::error) problem_ = d.code + ": " + d.message;
      }
      if (const auto* found = std::get_if<session::Suggested>(&reply.result)) suggested_ = *found;
      if (const auto* ran = std::get_if<session::Ran>(&reply.result))
        for (const session::Ran::Kernel& one : ran->kernels) ran_ms_ += one.run_ms;
    });
    return well;
  }

  session::Session session_;
  std::string kernel_, problem_;
  session::Suggested suggested_;
  double took_ = 0, ran_ms_ = 0;
};

struct Advised {
  std::optional<Row> row;
  double advice_ms = 0;
};

/// Ours: with the advice. The peer: as the kernel stood.
Advised judge(const std::string& name, const session::Options& options, const std::string& text,
              const std::string& kernel) {
  Program before(options, text, kernel), after(options, text, kernel);
  Advised judged;
  const explore::Suggestion* advice = before.advice();
  judged.advice_ms = before.advice_ms();
  if (!advice) return judged;
  char promised[24];
  std::snprintf(promised, sizeof promised, " (%.1f)", before.promised());
  Row row{name + ": " + advice->command + promised, 0, 0, "as it stood", 0, slower};
  const auto first = before.run();
  if (!first) return judged;
  if (!after.take_advice() || !after.run() || (only_once() && !after.check())) {
    row.failed = after.problem().empty() ? "its result differs" : after.problem();
    judged.row = row;
    return judged;
  }
  constexpr double enough_ms = 1500, most_times = 4;
  std::vector<double> with, without;
  double spent = 0;
  for (int turn = 0; turn == 0 || (!only_once() && turn < 15 && spent < enough_ms); ++turn) {
    const double a = before.run().value_or(0), b = after.run().value_or(0);
    spent += a + b;
    without.push_back(a), with.push_back(b);
    if (turn > 0 && b > most_times * enough_ms) break;
  }
  row.peer_ms = run::median(without);
  const Summary ours = summarise(with);
  row.ours_ms = ours.median, row.spread_ms = ours.deviation;
  if (only_once() || row.peer_ms >= long_enough) judged.row = row;
  return judged;
}

struct Case {
  std::string name, text, kernel;
  session::Options options;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const ScaledExample& example : scaled_examples()) {
    Case c{name_of(example), program_of(example), example.kernel, options()};
    set_sizes(c.options, example);
    all.push_back(std::move(c));
  }
  std::vector<DefaultsCase> defaults = dense_defaults();
  for (DefaultsCase& c : sparse_factor_defaults()) defaults.push_back(std::move(c));
  const std::string matrix =
      param("n", 20'000, 12) + "random A seed 1 density " + density(sized(20'000, 12), 10) + "\n";
  for (DefaultsCase& c : sparse_defaults(matrix, "uniform")) defaults.push_back(std::move(c));
  for (const DefaultsCase& c : defaults) all.push_back({c.name, c.inputs + c.equations, "", options()});
  if (only_once()) return all;  // tests/examples runs those
  for (const session::Example& example : session::example_programs) {
    const std::string text(example.text);
    for (const std::string& kernel : Program(options(), text, "").kernels())
      all.push_back({std::string(example.name) + " " + kernel, text, kernel, options()});
  }
  return all;
}

}  // namespace

Table bench_advice(const Options&) {
  std::vector<std::optional<Row>> rows;
  int advised = 0, faster = 0, worse = 0, asked = 0;
  double slowest_ms = 0, least = 1e300;
  std::string slowest, which;
  std::vector<std::string> broken;
  for (const Case& c : cases()) {
    if (c.name.find(only_rows()) == std::string::npos) continue;
    tell_row(c.name);
    Advised judged = judge(c.name, c.options, c.text, c.kernel);
    tell_row("");
    ++asked;
    if (judged.advice_ms > slowest_ms) slowest_ms = judged.advice_ms, slowest = c.name;
    if (!judged.row) continue;
    judged.row->group = "advice";
    if (!judged.row->failed.empty()) broken.push_back(judged.row->name + ": " + judged.row->failed);
    const double ratio = judged.row->ratio();
    ++advised, faster += ratio > 1 / slower, worse += ratio < slower;
    if (ratio < least) least = ratio, which = judged.row->name;
    rows.push_back(std::move(judged.row));
  }
  Table table = table_of("advice", std::move(rows));
  char text[500];
  std::snprintf(text, sizeof text,
                "the first line of `suggest`, estimated to make a kernel so many times faster, and as it stood, on one "
                "thread, in turns; of %d kernels %d that take long enough have one: %d faster, %d slower, the worst "
                "%.2f (%s); asking took up to %.0f ms (%s)",
                asked, advised, faster, worse, advised ? least : 1.0, which.c_str(), slowest_ms, slowest.c_str());
  table.remark = text;
  table.broken = std::move(broken);
  return table;
}

}  // namespace trellis::bench
