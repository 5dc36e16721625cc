#include "engine/session/running/in_time.hpp"

#include "engine/run/clock.hpp"
#include "engine/text/deadline.hpp"

namespace trellis::session {

bool in_time(const text::Cancel& cancel, double seconds, const std::function<void()>& part) {
  const text::Deadline limit(cancel, seconds);
  try {
    const text::CancelScope scope(cancel);
    part();
  } catch (const text::Cancelled&) {
    if (!limit.passed()) throw;
  }
  if (limit.passed()) cancel.clear();
  return !limit.passed();
}

void report_late(const std::string& what, double seconds, text::Span at, text::Diagnostics& diagnostics) {
  text::Diagnostic& late = diagnostics.error(
      "E0504", at, "`" + what + "` did not end within its time limit of " + run::in_seconds(seconds), "");
  late.notes.push_back({{}, "`--timeout S` sets the limit"});
  if (what.starts_with("check"))
    late.notes.push_back({{}, "its reference computes each term of the equations, stored or not: try smaller sizes"});
}

}  // namespace trellis::session
