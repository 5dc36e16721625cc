#include "engine/schedule/step.hpp"

#include <algorithm>
#include <cassert>
#include <functional>

#include "engine/schedule/await.hpp"
#include "engine/schedule/jam.hpp"
#include "engine/schedule/lead.hpp"
#include "engine/schedule/mark.hpp"
#include "engine/schedule/remedies.hpp"
#include "engine/schedule/reorder.hpp"
#include "engine/schedule/skew.hpp"
#include "engine/schedule/split.hpp"
#include "engine/schedule/wording.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::schedule {

using lang::ScheduleStep;
using loop::For;
using loop::Stmt;
using Kind = ScheduleStep::Kind;

namespace {

Transformed then(const Transformed& first, const std::function<Transformed(const Stmt&)>& next) {
  const auto* moved = std::get_if<Moved>(&first);
  if (!moved) return first;
  Transformed second = next(moved->loops);
  if (auto* both = std::get_if<Moved>(&second)) both->moves = compose(moved->moves, both->moves);
  return second;
}

/// The loops that the command asks for, whether they are right or not.
Transformed transform(const Stmt& loops, const ScheduleStep& step, math::Solver& solver) {
  switch (step.kind) {
    case Kind::split: return split(loops, {step.loops[0], step.into[0], step.into[1], step.factors[0]}, solver);
    case Kind::skew: return skew(loops, {step.loops[0], step.loops[1], step.factors[0]});
    case Kind::reorder: return reorder(loops, step.loops, solver);
    case Kind::tile: {
      // into: the tiles' loops, then the loops inside a tile
      Transformed tiled = Moved{loops, {}};
      const std::size_t n = step.loops.size();
      for (std::size_t k = 0; k < n; ++k) {
        tiled = then(tiled, [&](const Stmt& now) {
          return split(now, {step.loops[k], step.into[k], step.into[n + k], step.factors[k]}, solver);
        });
      }
      return then(tiled, [&](const Stmt& now) { return reorder(now, step.into, solver); });
    }
    default: return Moved{loops, {}};
  }
}

}  // namespace

Step::Result Step::take() {
  if (auto absent = find_missing()) return *absent;
  if (const auto dealt = dealt_before()) return behind_dealt(*dealt);
  if (auto behind = narrowed_before()) return *behind;
  switch (step_.kind) {
    case Kind::parallel: return step_.tensor.empty() ? parallel() : deal_out();
    case Kind::vectorize: return vectorize();
    case Kind::jam: return jam();
    case Kind::registers: return registers();
    case Kind::narrow: return narrowed();
    case Kind::pack:  // where storage is settled (schedule/pack.hpp)
    case Kind::fused: return done(loops_, checked(), nest_.dependences);
    case Kind::unroll:
      return done(on_loops(loops_, step_.loops[0], [&](For& f) { f.unroll = static_cast<int>(step_.factors[0]); }), {},
                  nest_.dependences);
    default: break;
  }
  if (awaits(loops_)) return behind_threads();
  if (step_.kind == Kind::lead) return lead_by_tensor();
  auto taken = certified(transform(loops_, step_, solver_));
  if (const auto* refusal = std::get_if<Refusal>(&taken)) return worded(*refusal, lang::to_string(step_));
  return std::get<Applied>(std::move(taken));
}

std::optional<text::Diagnostic> Step::find_missing() {
  for (const std::string& loop : step_.loops)
    if (!has_loop(loops_, loop)) return missing(loop);
  return std::nullopt;
}

std::variant<Applied, Refusal> Step::take(const lang::Order& order) {
  return certified(then(transform(loops_, step_, solver_), [&](const Stmt& now) -> Transformed {
    Stmt turned = now;
    for (const lang::LoopName& loop : order)
      turned = on_loops(turned, loop.name, [&](For& f) { f.descending = loop.descending; });
    return Moved{turned, {}};
  }));
}

text::Diagnostic Step::worded(const Refusal& refusal, const std::string& command) {
  const bool whole = !refusal.violation && !refusal.unproven;
  text::Diagnostic d = error(refusal.code, step_.span, (whole ? "" : "`" + command + "` ") + refusal.reason);
  if (!refusal.note.empty()) d.notes.push_back({{}, refusal.note});
  if (!refusal.violation) return d;
  d.label = "these iterations would change places";
  show(d, *refusal.violation);
  if (step_.kind == Kind::reorder && step_.loops.size() == 2)
    note_fronts(d, refusal.violation->dependence.first.tensor);
  const bool named = step_.kind == Kind::lead || step_.kind == Kind::pack || !step_.loops.empty();
  if (remedies_ == Remedies::tried && named) add_remedies(d, loops_, step_, program_, solver_);
  return d;
}

void Step::note_fronts(text::Diagnostic& d, const std::string& tensor) const {
  loop::for_each(loops_, [&](const Stmt& s) {
    const auto* declared = s.as<loop::Declare>();
    if (!declared || declared->tensor.name != tensor || declared->tensor.steps_of.empty()) return;
    d.notes.push_back({{},
                       "few steps of " + declared->tensor.steps_of + " are kept; `wavefront " + step_.loops[1] + " " +
                           step_.loops[0] +
                           "` instead of `skew` counts them along fronts, and keeps as many of these"});
  });
}

text::Diagnostic Step::missing(const std::string& loop) {
  const std::vector<std::string> names = bound_names(loops_);
  text::Diagnostic d = error("E0106", span_of(step_, loop), "there is no loop over " + loop + " here");
  const std::string near = text::did_you_mean(loop, names);
  std::string list;
  for (const std::string& name : names) list += " " + name;
  d.notes.push_back({{},
                     !near.empty()  ? "did you mean " + near + "?"
                     : list.empty() ? "no loop is left: every range has one iteration"
                                    : "the loops are:" + list});
  return d;
}

std::variant<Applied, Refusal> Step::certified(const Transformed& transformed) {
  if (const auto* unfit = std::get_if<Unfit>(&transformed)) return Refusal{unfit->code, unfit->message, unfit->note};
  const auto& moved = std::get<Moved>(transformed);
  assert(loop::verify(moved.loops, program_).empty());
  auto proof = certify(nest_, moved.loops, moved.moves, solver_);
  if (const auto* violation = std::get_if<Violation>(&proof))
    return Refusal{"E0140", "would change the result: " + describe(violation->dependence), "", *violation};
  if (const auto* broken = std::get_if<Broken>(&proof))
    return Refusal{"E0140", "could not be certified: " + broken->what, "please report it", {}, true};
  Nest now = analyse(loop::number(moved.loops), program_, solver_);  // with the numbers that its statements will have
  const Stmt decided = decide_kinds(moved.loops, now);
  if (const auto violation = jammed_too_early(decided, now, solver_))
    return Refusal{"E0140", "would change the result of a loop that is jammed: " + describe(violation->dependence),
                   "jam last", *violation};
  return done(decided, std::get<Certificate>(proof), std::move(now.dependences));
}

std::optional<std::string> Step::dealt_before() const {
  std::optional<std::string> found;
  loop::for_each(loops_, [&](const Stmt& s) {
    const auto* f = s.as<For>();
    if (!f || f->deals_out.empty()) return;
    const bool apart = step_.kind == Kind::parallel && f->deals_out != step_.tensor &&
                       std::ranges::count(step_.loops, f->variable) == 0;
    if (!apart) found = f->deals_out;
  });
  return found;
}

text::Diagnostic Step::behind_dealt(const std::string& tensor) {
  text::Diagnostic d =
      error("E0140", step_.span,
            "`" + lang::to_string(step_) + "` would change loops that deal out the entries of " + tensor);
  d.notes.push_back({{}, "give `parallel " + tensor + "` last"});
  return d;
}

text::Diagnostic Step::behind_threads() {
  text::Diagnostic d =
      error("E0140", step_.span,
            "`" + lang::to_string(step_) + "` would change loops of which iterations wait for each other");
  d.notes.push_back({{}, "give `parallel` last"});
  return d;
}

Step::Result Step::lead_by_tensor() {
  const lang::TensorInfo* const known = program_.tensor(step_.tensor);
  if (!known) return worded({"E0145", step_.tensor + " cannot lead: no loop reads it"}, lang::to_string(step_));
  const lang::TensorInfo& tensor = *known;
  if (const auto marked = marked_loop())
    return worded(
        {"E0145", tensor.name + " cannot lead: loop " + *marked + " has been marked before", "give `lead` first"}, "");
  auto apart = certified(one_for_each_branch(loops_, tensor, solver_));
  if (const auto* refusal = std::get_if<Refusal>(&apart)) return worded(*refusal, lang::to_string(step_));
  const auto& first = std::get<Applied>(apart);
  Step second(first.after, Nest{sites(first.after), first.dependences}, step_, program_, solver_, remedies_);
  auto led = second.certified(lead(first.after, tensor, solver_));
  if (const auto* refusal = std::get_if<Refusal>(&led)) return worded(*refusal, lang::to_string(step_));
  Applied both = std::get<Applied>(std::move(led));
  for (const std::string& sum : first.certificate.reassociated) add_once(both.certificate.reassociated, sum);
  std::vector<int> numbers = first.certificate.reassociating;
  for (const int number : both.certificate.reassociating) add_once(numbers, number_before(first.after, number));
  both.certificate.reassociating = std::move(numbers);
  both.certificate.statements = first.certificate.statements;
  both.before = loops_;
  return both;
}

std::optional<std::string> Step::marked_loop() const {
  std::optional<std::string> found;
  loop::for_each(loops_, [&](const Stmt& s) {
    const auto* f = s.as<For>();
    if (f && (f->execution != For::Execution::serial || f->unroll > 1 || f->jam > 1 || f->registers))
      found = f->variable;
  });
  return found;
}

int Step::number_before(const Stmt& made, int number) const {
  text::Origin origin;
  loop::for_each(made, [&](const Stmt& s) {
    if (s.id() == number) origin = s.origin();
  });
  int found = -1;
  loop::for_each(loops_, [&](const Stmt& s) {
    if (s.as<loop::Assign>() && s.origin() == origin) found = s.id();
  });
  return found;
}

Applied Step::done(const Stmt& after, const Certificate& certificate, std::vector<Dependence> dependences) const {
  return {step_, certificate, loops_, loop::number(after), std::move(dependences)};
}

}  // namespace trellis::schedule
