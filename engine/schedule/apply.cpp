#include "engine/schedule/apply.hpp"

#include <algorithm>
#include <cassert>

#include "engine/schedule/await.hpp"
#include "engine/schedule/deal_out.hpp"
#include "engine/schedule/fixed_value.hpp"
#include "engine/schedule/jam.hpp"
#include "engine/schedule/lead.hpp"
#include "engine/schedule/mark.hpp"
#include "engine/schedule/remedies.hpp"
#include "engine/schedule/reorder.hpp"
#include "engine/schedule/resolve_marks.hpp"
#include "engine/schedule/skew.hpp"
#include "engine/schedule/split.hpp"
#include "engine/schedule/wording.hpp"
#include "engine/text/sequence.hpp"
#include "engine/text/unseen.hpp"

namespace trellis::schedule {
namespace {

using lang::ScheduleStep;
using loop::For;
using loop::Stmt;
using Kind = ScheduleStep::Kind;

text::Span span_of(const ScheduleStep& step, const std::string& loop) {
  const auto at = std::ranges::find(step.loops, loop);
  const auto k = static_cast<std::size_t>(at - step.loops.begin());
  return k < step.loop_spans.size() ? step.loop_spans[k] : step.span;
}

text::Diagnostic error(std::string code, text::Span span, std::string message) {
  text::Diagnostic d;
  d.code = std::move(code);
  d.span = span;
  d.message = std::move(message);
  return d;
}

void show(text::Diagnostic& d, const Violation& violation) {
  d.instance = to_instance(violation);
  d.instance_text = to_string(violation);
}

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

ScheduleStep reorder_of(const lang::Order& order, text::Span span) {
  ScheduleStep step{Kind::reorder, {}, {}, {}, span, {}};
  for (const lang::LoopName& loop : order) step.loops.push_back(loop.name);
  return step;
}

class Step {
 public:
  using Result = std::variant<Applied, text::Diagnostic>;
  enum class Remedies { none, tried };
  Step(const Stmt& loops, const ScheduleStep& step, const lang::Program& program, math::Solver& solver,
       Remedies remedies)
      : Step(loops, analyse(loops, program, solver), step, program, solver, remedies) {}
  Step(const Stmt& loops, Nest nest, const ScheduleStep& step, const lang::Program& program, math::Solver& solver,
       Remedies remedies)
      : loops_(loops), step_(step), program_(program), solver_(solver), remedies_(remedies), nest_(std::move(nest)) {}

  Result take() {
    if (auto absent = find_missing()) return *absent;
    if (const auto dealt = dealt_before()) return behind_dealt(*dealt);
    switch (step_.kind) {
      case Kind::parallel: return step_.tensor.empty() ? parallel() : deal_out();
      case Kind::vectorize: return vectorize();
      case Kind::jam: return jam();
      case Kind::unroll:
        return done(on_loops(loops_, step_.loops[0], [&](For& f) { f.unroll = static_cast<int>(step_.factors[0]); }),
                    {}, nest_.dependences);
      default: break;
    }
    if (awaits(loops_)) return behind_threads();
    if (step_.kind == Kind::lead) return lead_by_tensor();
    auto taken = certified(transform(loops_, step_, solver_));
    if (const auto* refusal = std::get_if<Refusal>(&taken)) return worded(*refusal, lang::to_string(step_));
    return std::get<Applied>(std::move(taken));
  }

  std::optional<text::Diagnostic> find_missing() {
    for (const std::string& loop : step_.loops)
      if (!has_loop(loops_, loop)) return missing(loop);
    return std::nullopt;
  }

  /// The reorder that the step is, then loops turned to run in these directions.
  std::variant<Applied, Refusal> take(const lang::Order& order) {
    return certified(then(transform(loops_, step_, solver_), [&](const Stmt& now) -> Transformed {
      Stmt turned = now;
      for (const lang::LoopName& loop : order)
        turned = on_loops(turned, loop.name, [&](For& f) { f.descending = loop.descending; });
      return Moved{turned, {}};
    }));
  }

  text::Diagnostic worded(const Refusal& refusal, const std::string& command) {
    const bool whole = !refusal.violation && !refusal.unproven;
    text::Diagnostic d = error(refusal.code, step_.span, (whole ? "" : "`" + command + "` ") + refusal.reason);
    if (!refusal.note.empty()) d.notes.push_back({{}, refusal.note});
    if (!refusal.violation) return d;
    d.label = "these iterations would change places";
    show(d, *refusal.violation);
    const bool named = step_.kind == Kind::lead || !step_.loops.empty();
    if (remedies_ == Remedies::tried && named) add_remedies(d, loops_, step_, program_, solver_);
    return d;
  }

 private:
  text::Diagnostic missing(const std::string& loop) {
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

  std::variant<Applied, Refusal> certified(const Transformed& transformed) {
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

  /// The operand whose entries have been dealt out by a loop that the step is about.
  std::optional<std::string> dealt_before() const {
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

  text::Diagnostic behind_dealt(const std::string& tensor) {
    text::Diagnostic d =
        error("E0140", step_.span,
              "`" + lang::to_string(step_) + "` would change loops that deal out the entries of " + tensor);
    d.notes.push_back({{}, "give `parallel " + tensor + "` last"});
    return d;
  }

  // What iterations wait for is named by loops as they are.
  text::Diagnostic behind_threads() {
    text::Diagnostic d =
        error("E0140", step_.span,
              "`" + lang::to_string(step_) + "` would change loops of which iterations wait for each other");
    d.notes.push_back({{}, "give `parallel` last"});
    return d;
  }

  // In two steps, of which each is certified: the loops once for each branch of the layout, then those over its levels.
  Result lead_by_tensor() {
    const lang::TensorInfo* const known = program_.tensor(step_.tensor);
    if (!known) return worded({"E0145", step_.tensor + " cannot lead: no loop reads it"}, lang::to_string(step_));
    const lang::TensorInfo& tensor = *known;
    if (const auto marked = marked_loop())
      return worded(
          {"E0145", tensor.name + " cannot lead: loop " + *marked + " has been marked before", "give `lead` first"},
          "");
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

  /// A loop that an earlier step runs in parallel, in vectors, or several iterations of at once: new loops would not.
  std::optional<std::string> marked_loop() const {
    std::optional<std::string> found;
    loop::for_each(loops_, [&](const Stmt& s) {
      const auto* f = s.as<For>();
      if (f && (f->execution != For::Execution::serial || f->unroll > 1 || f->jam > 1)) found = f->variable;
    });
    return found;
  }

  /// The number that a statement of loops made of these has here: of the one that comes from the same place.
  int number_before(const Stmt& made, int number) const {
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

  // The order of iterations is free when no dependence is carried; updates can be combined. Else they may wait for each
  // other.
  Result parallel() {
    const std::string& loop = step_.loops[0];
    if (auto chosen = chosen_by(loop)) {
      text::Diagnostic d =
          error("E0108", span_of(step_, loop),
                "loop " + loop + " cannot run in parallel: its iterations choose " + *chosen + " among themselves");
      d.notes.push_back(
          {{}, "sums, products, minima and maxima can be combined between threads; argmin and argmax cannot yet"});
      return d;
    }
    const Carries carried = carries(loops_, nest_, loop);
    if (carried.order && !ends_early(loop)) {
      auto waiting = awaiting(loops_, nest_, loop, solver_);
      if (const auto* none = std::get_if<const Dependence*>(&waiting))
        return forbidden("E0107", "cannot run in parallel: its iterations depend on each other", **none);
      return done(std::get<Stmt>(waiting), checked(), nest_.dependences);
    }
    if (ends_early(loop))
      return error("E0107", span_of(step_, loop), "loop " + loop + " cannot run in parallel: it ends early, by until");
    return done(on_loops(loops_, loop,
                         [&](For& f) {
                           f.execution = For::Execution::parallel;
                           f.kind = For::Kind::forall;
                           f.reduces = reduced_by(f, carried.reduces);
                         }),
                checked(), nest_.dependences);
  }

  // First the loops in one piece, which is certified; then each must be free to run in any order, or to add up.
  Result deal_out() {
    const lang::TensorInfo& tensor = *program_.tensor(step_.tensor);
    const auto found = row_loops(loops_, tensor);
    if (const auto* unfit = std::get_if<Unfit>(&found)) return worded({unfit->code, unfit->message, unfit->note}, "");
    auto apart = certified(rows_alone(loops_, tensor, solver_));
    if (const auto* refusal = std::get_if<Refusal>(&apart)) return worded(*refusal, lang::to_string(step_));
    const auto& first = std::get<Applied>(apart);
    const auto& names = std::get<RowLoops>(found);
    const Nest nest{sites(first.after), first.dependences};
    std::vector<std::string> reduces;
    for (const std::string& loop : {names.rows, names.entries}) {
      lang::ScheduleStep of_loop = step_;
      of_loop.loops = {loop}, of_loop.loop_spans = {step_.span}, of_loop.tensor.clear();
      Step one(first.after, nest, of_loop, program_, solver_, remedies_);
      auto checked_loop = one.parallel();
      if (auto* refused = std::get_if<text::Diagnostic>(&checked_loop)) return std::move(*refused);
      if (one.waits(std::get<Applied>(checked_loop).after))
        return one.forbidden("E0107", "cannot be dealt out by entries: its iterations depend on each other",
                             *carries(first.after, nest, loop).order);
      for (const std::string& sum : carries(first.after, nest, loop).reduces) add_once(reduces, sum);
    }
    Applied both = first;
    both.after = dealt_out(first.after, names, tensor, reduces);
    both.before = loops_;
    return both;
  }

  static bool waits(const Stmt& loops) { return awaits(loops); }

  Result vectorize() {
    const std::string& loop = step_.loops[0];
    const Carries carried = carries(loops_, nest_, loop);
    if (carried.order)
      return forbidden("E0142", "cannot run in vectors: its iterations depend on each other", *carried.order);
    if (ends_early(loop))
      return error("E0142", span_of(step_, loop), "loop " + loop + " cannot run in vectors: it ends early, by until");
    const int lanes = step_.factors.empty() ? 1 : static_cast<int>(step_.factors[0]);
    Certificate certificate = checked();
    for (const std::string& tensor : carried.reduces) {
      if (!floating_sum(tensor, loop)) continue;
      if (lanes > 1) {
        certificate.reassociated.push_back(tensor);
        continue;
      }
      text::Diagnostic d = error("E0143", span_of(step_, loop),
                                 "loop " + loop + " cannot run in vectors: its iterations add up " + tensor +
                                     ", and another order of additions rounds differently");
      d.notes.push_back(
          {{},
           "vectorize a loop whose iterations write different elements, after a `reorder` that makes it innermost"});
      d.notes.push_back(
          {{}, "or allow it: `vectorize " + loop + " 8` adds up in 8 parts, which round in their own way"});
      return d;
    }
    return done(on_loops(loops_, loop,
                         [&](For& f) {
                           f.execution = For::Execution::vectorized;
                           f.lanes = lanes;
                           f.kind = For::Kind::forall;
                           f.reduces = reduced_by(f, carried.reduces);
                         }),
                certificate, nest_.dependences);
  }

  Result jam() {
    const std::string& loop = step_.loops[0];
    const int count = static_cast<int>(step_.factors[0]);
    if (awaits(loops_)) return behind_threads();
    if (const auto unfit = cannot_jam(loops_, loop)) {
      text::Diagnostic d = error(unfit->code, span_of(step_, loop), unfit->message);
      d.notes.push_back({{}, unfit->note});
      return d;
    }
    const Stmt after = on_loops(loops_, loop, [&](For& f) { f.jam = holds_loop(f.body) ? count : 1; });
    if (const auto violation = jammed_too_early(after, nest_, solver_))
      return worded({"E0140", "would change the result: " + describe(violation->dependence), "", *violation},
                    lang::to_string(step_));
    Certificate certificate = checked();
    note_jammed_sums(certificate, after, nest_, solver_);
    return done(after, certificate, nest_.dependences);
  }

  text::Diagnostic forbidden(const char* code, const char* why, const Dependence& dependence) {
    const std::string& loop = step_.loops[0];
    text::Diagnostic d = error(code, span_of(step_, loop), "loop " + loop + " " + why);
    d.label = describe(dependence);
    show(d, smallest(nest_, dependence, dependence.pairs, solver_));
    if (step_.kind == Kind::parallel && dependence.first.kind == Touch::Kind::update &&
        dependence.second.kind == Touch::Kind::read)
      d.notes.push_back({{},
                         "iterations of " + loop + " add up " + dependence.first.tensor +
                             " for a later one; of an equation whose left side has the index " + loop +
                             " itself each adds up its own"});
    if (remedies_ == Remedies::tried) add_remedies(d, loops_, step_, program_, solver_);
    return d;
  }

  bool ends_early(const std::string& variable) const {
    bool found = false;
    loop::for_each(loops_, [&](const Stmt& s) {
      found |= s.as<For>() && s.as<For>()->variable == variable && s.as<For>()->until;
    });
    return found;
  }

  // Updates can be combined between threads, a choice by comparison such as argmin's cannot.
  std::optional<std::string> chosen_by(const std::string& variable) const {
    std::optional<std::string> chosen;
    loop::for_each(loops_, [&](const Stmt& s) {
      const auto* f = s.as<For>();
      if (!f || f->variable != variable) return;
      loop::for_each(f->body, [&](const Stmt& inner) {
        const auto* assign = inner.as<loop::Assign>();
        const std::string tensor = assign ? assign->target.as<lang::Access>()->tensor : "";
        const bool chooses = assign && !assign->op && !is_fixed(assign->value);
        if (chooses && std::ranges::count(f->reduces, tensor) > 0) chosen = tensor;
      });
    });
    return chosen;
  }

  // Of what loops over a variable reduce, this one's part.
  static std::vector<std::string> reduced_by(const For& f, std::vector<std::string> tensors) {
    std::erase_if(tensors, [&](const std::string& tensor) {
      bool updates = false;
      loop::for_each(f.body, [&](const Stmt& s) {
        const auto* assign = s.as<loop::Assign>();
        const bool together = assign && (assign->op || is_fixed(assign->value));
        updates |= together && assign->target.as<lang::Access>()->tensor == tensor;
      });
      return !updates;
    });
    return tensors;
  }

  bool floating_sum(const std::string& tensor, const std::string& variable) const {
    bool found = false;
    loop::for_each(loops_, [&](const Stmt& s) {
      const auto* f = s.as<For>();
      if (!f || f->variable != variable) return;
      loop::for_each(f->body, [&](const Stmt& inner) {
        const auto* assign = inner.as<loop::Assign>();
        found |= assign && assign->op && assign->target.as<lang::Access>()->tensor == tensor &&
                 format::is_floating(assign->target->type);
      });
    });
    return found;
  }

  Certificate checked() const {
    Certificate certificate;
    for (const Dependence& d : nest_.dependences) certificate.dependences += !d.commutes;
    certificate.statements = static_cast<int>(nest_.sites.size());
    return certificate;
  }

  Applied done(const Stmt& after, const Certificate& certificate, std::vector<Dependence> dependences) const {
    return {step_, certificate, loops_, loop::number(after), std::move(dependences)};
  }

  const Stmt& loops_;
  const ScheduleStep& step_;
  const lang::Program& program_;
  math::Solver& solver_;
  Remedies remedies_;
  Nest nest_;
};

Step::Remedies remedies_if_read() { return text::Unseen::now() ? Step::Remedies::none : Step::Remedies::tried; }

// Remedies are steps, which turn no loop.
Step::Remedies remedies_for(const lang::Order& order) {
  const bool turned = std::ranges::any_of(order, &lang::LoopName::descending);
  return turned ? Step::Remedies::none : remedies_if_read();
}

}  // namespace

std::variant<Applied, text::Diagnostic> take(const Stmt& loops, const ScheduleStep& step, const lang::Program& program,
                                             math::Solver& solver) {
  return Step(loops, step, program, solver, remedies_if_read()).take();
}

std::variant<Applied, Refusal> try_order(const Stmt& loops, const Nest& nest, const lang::Order& order,
                                         const lang::Program& program, math::Solver& solver) {
  const ScheduleStep step = reorder_of(order, {});
  return Step(loops, nest, step, program, solver, Step::Remedies::none).take(order);
}

std::variant<Applied, text::Diagnostic> take_order(const Stmt& loops, const lang::Order& order, text::Span span,
                                                   const lang::Program& program, math::Solver& solver) {
  const ScheduleStep step = reorder_of(order, span);
  Step taking(loops, step, program, solver, remedies_for(order));
  if (auto absent = taking.find_missing()) return *absent;
  auto taken = taking.take(order);
  if (const auto* refusal = std::get_if<Refusal>(&taken))
    return taking.worded(*refusal, "order " + lang::to_string(order));
  return std::get<Applied>(std::move(taken));
}

text::Diagnostic to_diagnostic(const Refusal& refusal, const Stmt& loops, const lang::Order& order, text::Span span,
                               const lang::Program& program, math::Solver& solver) {
  const ScheduleStep step = reorder_of(order, span);
  return Step(loops, Nest{}, step, program, solver, remedies_for(order))
      .worded(refusal, "order " + lang::to_string(order));
}

std::optional<Stmt> attempt(const Stmt& loops, const ScheduleStep& step, const lang::Program& program,
                            math::Solver& solver) {
  auto taken = Step(loops, step, program, solver, Step::Remedies::none).take();
  auto* applied = std::get_if<Applied>(&taken);
  return applied ? std::optional(applied->after) : std::nullopt;
}

namespace {

/// Is there anything that could run otherwise? Of tensors without elements not even a loop is left.
bool computes(const Stmt& loops) {
  bool found = false;
  loop::for_each(loops, [&](const Stmt& s) { found |= s.as<loop::Assign>() || s.as<loop::Reset>() || s.as<For>(); });
  return found;
}

}  // namespace

std::optional<Scheduled> apply(const Stmt& loops, const std::vector<ScheduleStep>& steps, const lang::Program& program,
                               math::Solver& solver, text::Diagnostics& diagnostics) {
  Scheduled result{loops, {}};
  if (!computes(loops)) return result;
  for (const ScheduleStep& step : steps) {
    const Stmt now = result.loops;
    Nest nest =
        result.steps.empty() ? analyse(now, program, solver) : Nest{sites(now), result.steps.back().dependences};
    auto taken = Step(now, std::move(nest), step, program, solver, remedies_if_read()).take();
    if (auto* refusal = std::get_if<text::Diagnostic>(&taken)) {
      diagnostics.add(std::move(*refusal));
      return std::nullopt;
    }
    result.steps.push_back(std::move(std::get<Applied>(taken)));
    result.loops = result.steps.back().after;
  }
  return result;
}

std::optional<Scheduled> apply(const Stmt& loops, const lang::Kernel& kernel, const lang::Program& program,
                               math::Solver& solver, text::Diagnostics& diagnostics) {
  if (!kernel.loops || !computes(loops)) return apply(loops, kernel.schedule.steps, program, solver, diagnostics);
  const auto settled = resolve_marks(loops, program, solver, diagnostics);
  if (!settled) return std::nullopt;
  if (!kernel.schedule.order) return apply(*settled, kernel.schedule.steps, program, solver, diagnostics);
  auto ordered = take_order(*settled, *kernel.schedule.order, kernel.schedule.order_span, program, solver);
  if (auto* refusal = std::get_if<text::Diagnostic>(&ordered)) {
    diagnostics.add(std::move(*refusal));
    return std::nullopt;
  }
  auto rest = apply(std::get<Applied>(ordered).after, kernel.schedule.steps, program, solver, diagnostics);
  if (rest) rest->steps.insert(rest->steps.begin(), std::move(std::get<Applied>(ordered)));
  return rest;
}

}  // namespace trellis::schedule
