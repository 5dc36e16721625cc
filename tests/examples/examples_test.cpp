// Every program in examples/ is a test, `example: NAME`: it runs and agrees with the reference; orders of every kernel
// of it are judged, every instance that a rejection names is confirmed by the reference evaluator, and every fix that
// is offered is legal. `trellis-tests --random N` tries the N nearest orders of each kernel instead of a few.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <list>

#include "engine/explore/why.hpp"
#include "engine/session/session.hpp"
#include "tests/options.hpp"
#include "tests/programs.hpp"

namespace trellis::testing {
namespace {

namespace fs = std::filesystem;

constexpr int orders_tried = 24;
constexpr int whys_tried = 3;  // each may search for 200 ms

// What an example must do: run, and agree.
void run_example(session::Session& session, const fs::path& path) {
  bool checked = false;
  const auto exit = session.run_text(path.string(), read(path), [&](const session::Reply& reply) {
    for (const text::Diagnostic& d : reply.diagnostics.all()) {
      const std::string message = text::render(d, session.sources(), text::Colour::off);
      CAPTURE(message);
      CHECK(d.severity != text::Severity::error);
    }
    if (const auto* result = std::get_if<session::Checked>(&reply.result)) {
      checked = true;
      CHECK(result->max_rel_error() <= 1e-10);
      CHECK(result->first_difference() == nullptr);
    }
  });
  CHECK(exit == session::Exit::success);
  CHECK(checked);
}

void judge_orders(session::Session& session, const lang::Kernel& kernel) {
  text::Diagnostics diagnostics;
  const auto analysis = session.state().analysis(kernel, diagnostics);
  REQUIRE(analysis);
  const lang::Order given = session::order_of(kernel, *analysis);
  int legal = 0, left = options().random > 0 ? options().random : orders_tried, whys = whys_tried;
  explore::walk_orders(given, explore::Directions::both, [&](const lang::Order& order, int) {
    const std::string name = kernel.name + ", order " + lang::to_string(order);
    CAPTURE(name);
    const place::Placement placement = place::place(*analysis, order);
    const auto* rejected = std::get_if<place::Rejected>(&placement);
    CHECK(place::is_legal(*analysis, order) == !rejected);
    legal += rejected == nullptr;
    if (rejected && rejected->failure.kind == place::Failure::Kind::order) {
      const std::string instance = text::to_string(rejected->failure.instance);
      CAPTURE(instance);
      CHECK(check::confirms(analysis->program, analysis->kernel, rejected->failure.instance));
    }
    if (rejected && whys-- > 0)
      for (const explore::Verdict& fix : explore::why(*analysis, order).nearest.orders)
        CHECK(std::holds_alternative<place::Placed>(place::place(*analysis, fix.order)));
    return --left > 0;
  });
  CHECK(legal > 0);
}

/// All tests of examples are this function; the one that runs is known by its file.
void run_present_test() {
  session::Session session({});
  run_example(session, doctest::getContextOptions()->currentTest->m_file.c_str());
  text::Diagnostics diagnostics;
  const lang::Program* program = session.state().program(diagnostics);
  REQUIRE(program);
  for (const lang::Kernel& kernel : program->kernels)
    if (!kernel.loops) judge_orders(session, kernel);
}

/// What TEST_CASE does, once for each file.
int register_tests() {
  static std::list<std::string> names;  // doctest keeps pointers to them
  static const std::vector<fs::path> paths = files_of("examples", ".tr");
  for (const fs::path& path : paths) {
    const std::string& name = names.emplace_back("example: " + path.stem().string());
    doctest::detail::regTest(doctest::detail::TestCase(run_present_test, path.c_str(), 1, {}) * name.c_str());
  }
  return static_cast<int>(names.size());
}

const int registered = register_tests();

}  // namespace

TEST_CASE("examples are found") { CHECK(registered >= 19); }

}  // namespace trellis::testing
