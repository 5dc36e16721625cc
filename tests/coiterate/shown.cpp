#include "tests/coiterate/shown.hpp"

#include <nlohmann/json.hpp>

#include "tests/agree/agree.hpp"
#include "tests/options.hpp"
#include "tests/session/transcript.hpp"

namespace trellis::testing {

std::string shown(const std::string& stage, const std::string& program) {
  Transcript t;
  const auto reply = t.say(program + "\nshow " + stage);
  REQUIRE_MESSAGE(reply.ok(), reply.output);
  return reply.output;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

namespace {

/// Under sanitizers each takes ten times as long: of a test's many, every twelfth is made behind the first ones there.
bool is_left_out() {
#ifdef __SANITIZE_ADDRESS__
  static int asked = 0;
  return ++asked > 16 && asked % 12 != 0;
#else
  return false;
#endif
}

/// The C compiler takes most of the time, and sees what the just-in-time compiler sees: of a test's many, every third
/// is given to it behind the first ones, and all of them where more programs are asked for.
Native native_now() {
  static int asked = 0;
  return options().random || ++asked <= 8 || asked % 3 == 0 ? Native::compiled : Native::left_out;
}

}  // namespace

void check_agrees(const std::string& program) {
  if (is_left_out()) return;
  const std::string problem = agreement(program, native_now()).problem;
  CHECK_MESSAGE(problem.empty(), problem);
}

void check_agrees_with_formats(const std::string& program) {
  if (is_left_out()) return;
  CAPTURE(program);
  Transcript t;
  const auto reply = t.say(program + "\nrun\ncheck");
  CHECK_MESSAGE(reply.ok(), reply.output);
  const bool agrees = has(reply.output, "agrees with the reference") || has(reply.output, "each equation holds");
  CHECK_MESSAGE(agrees, reply.output);
}

}  // namespace trellis::testing
