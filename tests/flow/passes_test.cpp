// Each pass over control flow alone: tests/flow/passes/NAME.flow has a flow before it, the pass, and the flow after it.
//
//   # The position of a row's end is that of the next row's begin.
//   == before
//   size n
//   …
//   == pass carry_positions
//   == after                       `unchanged` where the pass must leave it alone
//
// `== pass unroll_and_jam: jam i 2` says what the schedule asks for. `trellis-tests --bless passes` rewrites what comes
// after. Both flows are executed on small random inputs, and must leave the same results.
#include "engine/flow/passes.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

#include "engine/flow/read.hpp"
#include "tests/flow/random_bindings.hpp"
#include "tests/golden/golden_file.hpp"
#include "tests/options.hpp"
#include "tests/programs.hpp"

namespace trellis::testing {
namespace {

namespace fs = std::filesystem;

constexpr int inputs_tried = 4;
constexpr int wanted_of_each = 3;

struct PassCase {
  GoldenFile file;
  std::string pass, before, after;
  lang::Kernel kernel;
};

/// `jam i 2`, `march L i`.
void ask_for(lang::Kernel& kernel, const std::string& command) {
  std::istringstream words(command);
  std::string what, first;
  words >> what >> first;
  if (what == "march") {
    std::string variable;
    words >> variable;
    kernel.schedule.marches.push_back({first, variable, {}});
  } else if (what == "jam") {
    std::int64_t count = 0;
    words >> count;
    kernel.schedule.steps.push_back({lang::ScheduleStep::Kind::jam, {first}, {}, {count}, {}, {}});
  } else if (what == "fused") {
    kernel.schedule.steps.push_back({lang::ScheduleStep::Kind::fused, {}, {}, {}, {}, {}});
  } else if (what == "supernodes") {
    kernel.schedule.supernodes.push_back({first, "S", std::nullopt, {}, "P", true});
  } else {
    REQUIRE_MESSAGE(what.empty(), what, " is no command that a pass knows");
  }
}

PassCase parse_case(const std::string& text) {
  PassCase found{parse_golden(text), {}, {}, {}, {}};
  REQUIRE(found.file.sections.size() == 3);
  REQUIRE(found.file.comment != "");
  const auto& [before, pass, after] = std::tie(found.file.sections[0], found.file.sections[1], found.file.sections[2]);
  REQUIRE(before.heading == "before");
  REQUIRE(pass.heading.starts_with("pass "));
  REQUIRE(after.heading == "after");
  const std::size_t colon = std::min(pass.heading.find(':'), pass.heading.size());
  found.pass = pass.heading.substr(5, colon - 5);
  ask_for(found.kernel, colon < pass.heading.size() ? pass.heading.substr(colon + 1) : "");
  found.before = before.body;
  found.after = after.body;
  return found;
}

flow::Flow read_flow(const std::string& text) {
  const flow::ReadFlow read = flow::read(text);
  CHECK(read.problem == "");
  REQUIRE(read.flow);
  CHECK(flow::verify(*read.flow) == "");
  return *read.flow;
}

/// What the pass makes of it, as the file says it.
std::string answer_of(const PassCase& one, const flow::Flow& before) {
  text::Diagnostics diagnostics;
  const auto after = flow::apply_pass(one.pass, before, one.kernel, diagnostics);
  if (!after)
    return "refused: " + (diagnostics.all().empty() ? "there is no such pass" : diagnostics.all().front().message) +
           "\n";
  CHECK(flow::verify(*after) == "");
  const std::string text = flow::print(*after).characters;
  return text == flow::print(before).characters ? "unchanged\n" : text;
}

/// Ends, and what results hold then.
std::string outcome(const flow::Flow& flow, std::uint64_t seed) {
  flow::Bindings bound = random_bindings(flow, seed);
  const flow::Execution run = flow::interpret(flow, bound, {.most_steps = 200000});
  if (run.fault) return run.fault->kind == flow::FaultKind::unsound ? "unsound: " + run.fault->message : "a fault";
  std::string text = run.end == flow::Execution::End::finished ? "" : "no end";
  for (const flow::Tensor& t : flow.tensors) {
    if (t.storage != flow::Tensor::Storage::result) continue;
    text += t.name + ":";
    const tensor::Tensor& result = bound.tensors.at(t.name);
    tensor::for_each_index(result.shape(), [&](const tensor::Index& index) {
      const double value = result.get(index).as_double();
      text += ' ' + (std::isnan(value) ? "nan" : std::to_string(value));
    });
    text += '\n';
  }
  return text;
}

void check_runs_alike(const PassCase& one, const flow::Flow& before, const flow::Flow& after) {
  if (std::string(one.after).starts_with("refused")) return;
  for (int k = 0; k < inputs_tried; ++k) {
    CAPTURE(k);
    const std::string wanted = outcome(before, static_cast<std::uint64_t>(100 * k));
    CHECK(outcome(after, static_cast<std::uint64_t>(100 * k)) == wanted);
    CHECK(!wanted.starts_with("unsound"));
  }
}

void check_case(const fs::path& path, PassCase one) {
  const flow::Flow before = read_flow(one.before);
  CHECK(flow::print(before).characters == one.before);
  const std::string found = answer_of(one, before);
  const auto& wanted = options().bless;
  if (wanted && path.string().find(*wanted) != std::string::npos) {
    one.file.sections[2].body = one.after = found;
    std::ofstream(path, std::ios::binary) << print_golden(one.file);
    std::cout << "blessed " << path.filename().string() << '\n';
  }
  CHECK(one.after == found);
  text::Diagnostics ignored;
  if (const auto after = flow::apply_pass(one.pass, before, one.kernel, ignored)) check_runs_alike(one, before, *after);
}

}  // namespace

TEST_CASE("each pass makes of a flow what its files say, and changes no result") {
  for (const fs::path& path : files_of("tests/flow/passes", ".flow")) {
    CAPTURE(path.filename().string());
    check_case(path, parse_case(read(path)));
  }
}

TEST_CASE("what makes loops faster can be dropped, and changes no result") {
  int dropped = 0;
  for (const fs::path& path : files_of("tests/flow/passes", ".flow")) {
    CAPTURE(path.filename().string());
    const PassCase one = parse_case(read(path));
    const std::vector<flow::Flow> after = flow::after_each_pass(read_flow(one.before), one.kernel);
    if (after.size() < flow::pass_names().size()) continue;  // refused on the way
    const flow::Flow plain = flow::without_pace(after.back());
    CHECK(flow::verify(plain) == "");
    dropped += flow::print(plain).characters != flow::print(after.back()).characters;
    check_runs_alike(one, after.back(), plain);
  }
  CHECK(dropped > 20);
}

TEST_CASE("each pass has three files, and one that says what it leaves alone") {
  std::map<std::string, int> files, alone;
  for (const fs::path& path : files_of("tests/flow/passes", ".flow")) {
    const PassCase one = parse_case(read(path));
    ++files[one.pass];
    alone[one.pass] += one.after == "unchanged\n" || one.after.starts_with("refused");
  }
  for (const flow::PassName& pass : flow::pass_names()) {
    CAPTURE(pass.name);
    CHECK(files[pass.name] >= wanted_of_each);
    CHECK(alone[pass.name] >= 1);
    files.erase(pass.name);
  }
  for (const auto& [name, count] : files) FAIL_CHECK("there is no pass ", name);
}

}  // namespace trellis::testing
