// Steps that were taken, as `show schedule` says them.
#include "engine/schedule/apply.hpp"
#include "engine/schedule/narrow.hpp"

namespace trellis::schedule {

namespace {

/// `; reassociated: s t, in 8 parts`, `; reassociated: s`
std::string reassociated(const Applied& applied) {
  std::string names;
  for (const std::string& tensor : applied.certificate.reassociated) names += ' ' + tensor;
  if (names.empty()) return "";
  const bool in_parts = applied.step.kind == lang::ScheduleStep::Kind::vectorize;
  return "; reassociated:" + names + (in_parts ? ", in " + std::to_string(applied.step.factors[0]) + " parts" : "");
}

/// `; iterations of j wait for each other in loop k`
std::string awaited(const Applied& applied) {
  std::string names;
  loop::for_each(applied.after, [&](const loop::Stmt& s) {
    const auto* f = s.as<loop::For>();
    const bool parallel = applied.step.kind == lang::ScheduleStep::Kind::parallel;
    const bool waits = parallel && f && !applied.step.loops.empty() && f->awaits == applied.step.loops[0];
    if (waits && names.find(" " + f->variable) == std::string::npos) names += " " + f->variable;
  });
  if (!applied.step.tensor.empty() && applied.step.kind == lang::ScheduleStep::Kind::parallel)
    return "; threads share rows of " + applied.step.tensor;
  return names.empty() ? "" : "; iterations of " + applied.step.loops[0] + " wait for each other in loop" + names;
}

}  // namespace

std::string to_string(const Applied& applied, const std::string& sizes) {
  const Certificate& c = applied.certificate;
  const std::string command = lang::to_string(applied.step);
  using Kind = lang::ScheduleStep::Kind;
  if (applied.step.kind == Kind::unroll) return command + "   # iterations stay in their order";
  if (applied.step.kind == Kind::registers) return command + "   # sums are continued, in their order";
  if (applied.step.kind == Kind::pack) return command + "   # each element is where its strip has it";
  if (applied.step.kind == Kind::fused)
    return command + "   # products are added to sums without being rounded first, in every back end alike";
  if (applied.step.kind == Kind::narrow)
    return command + "   # in runs of " + std::to_string(RunSizes().steps) +
           " steps, each in 16 bits where all that it can make lies near enough to one base";
  return command + "   # certified " + sizes + ": " + std::to_string(c.dependences) +
         (c.dependences == 1 ? " dependence respected, " : " dependences respected, ") + std::to_string(c.statements) +
         (c.statements == 1 ? " statement runs once" : " statements run once") + awaited(applied) +
         reassociated(applied);
}

}  // namespace trellis::schedule
