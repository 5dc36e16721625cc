#pragma once
// Errors about schedule commands, and a dependence in words: which iteration touches which element, and which other one
// needs it to.

#include "engine/lang/schedule.hpp"
#include "engine/schedule/certificate.hpp"
#include "engine/text/diagnostic.hpp"

namespace trellis::schedule {

/// `at n=2: iteration i=1 reads x(0), which iteration i=0 writes`.
std::string to_string(const Violation& violation);
text::Instance to_instance(const Violation& violation);
/// `x(i-1) is read after x(i) is written`: what a reader of the loops needs to know about the dependence.
std::string describe(const Dependence& dependence);

/// Where the command names the loop, else the command.
text::Span span_of(const lang::ScheduleStep& step, const std::string& loop);
text::Diagnostic error(std::string code, text::Span span, std::string message);
/// The instance of the violation, in the error.
void show(text::Diagnostic& d, const Violation& violation);

}  // namespace trellis::schedule
