// Steps that leave loops where they are and say how they run: parallel, vectorize, jam.
#include <algorithm>

#include "engine/schedule/await.hpp"
#include "engine/schedule/deal_out.hpp"
#include "engine/schedule/fixed_value.hpp"
#include "engine/schedule/jam.hpp"
#include "engine/schedule/mark.hpp"
#include "engine/schedule/narrow.hpp"
#include "engine/schedule/registers.hpp"
#include "engine/schedule/remedies.hpp"
#include "engine/schedule/step.hpp"
#include "engine/schedule/wording.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::schedule {

using lang::ScheduleStep;
using loop::For;
using loop::Stmt;
using Kind = ScheduleStep::Kind;

Step::Result Step::parallel() {
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

Step::Result Step::deal_out() {
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
    if (awaits(std::get<Applied>(checked_loop).after))
      return one.forbidden("E0107", "cannot be dealt out by entries: its iterations depend on each other",
                           *carries(first.after, nest, loop).order);
    for (const std::string& sum : carries(first.after, nest, loop).reduces) add_once(reduces, sum);
  }
  Applied both = first;
  both.after = dealt_out(first.after, names, tensor, reduces);
  both.before = loops_;
  return both;
}

Step::Result Step::vectorize() {
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
        {{}, "vectorize a loop whose iterations write different elements, after a `reorder` that makes it innermost"});
    d.notes.push_back({{}, "or allow it: `vectorize " + loop + " 8` adds up in 8 parts, which round in their own way"});
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

Step::Result Step::jam() {
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

Step::Result Step::registers() {
  return done(in_registers(loops_, step_.loops[0], step_.loops[1], solver_), checked(), {});
}

Step::Result Step::narrowed() {
  auto found = narrow(loops_, step_.tensors, program_);
  if (const auto* loops = std::get_if<Stmt>(&found)) return done(*loops, checked(), nest_.dependences);
  const auto& unsuited = std::get<Unsuited>(found);
  std::string names;
  for (const std::string& tensor : step_.tensors) names += (names.empty() ? "" : ", ") + tensor;
  text::Diagnostic d = error("E0162", step_.span, names + " cannot be narrowed: " + unsuited.why);
  if (unsuited.span.known()) d.notes.push_back({unsuited.span, "here"});
  return d;
}

std::optional<text::Diagnostic> Step::narrowed_before() {
  bool found = false;
  loop::for_each(loops_, [&](const Stmt& s) {
    const auto* d = s.as<loop::Declare>();
    found |= d && !d->tensor.steps_of.empty() && d->tensor.type != program_.tensor(d->tensor.steps_of)->type;
  });
  if (!found) return std::nullopt;
  text::Diagnostic d =
      error("E0140", step_.span, "`" + lang::to_string(step_) + "` would change loops of which runs are narrow");
  d.notes.push_back({{}, "give `narrow` last"});
  return d;
}

text::Diagnostic Step::forbidden(const char* code, const char* why, const Dependence& dependence) {
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

bool Step::ends_early(const std::string& variable) const {
  bool found = false;
  loop::for_each(
      loops_, [&](const Stmt& s) { found |= s.as<For>() && s.as<For>()->variable == variable && s.as<For>()->until; });
  return found;
}

std::optional<std::string> Step::chosen_by(const std::string& variable) const {
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

std::vector<std::string> Step::reduced_by(const For& f, std::vector<std::string> tensors) {
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

bool Step::floating_sum(const std::string& tensor, const std::string& variable) const {
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

Certificate Step::checked() const {
  Certificate certificate;
  for (const Dependence& d : nest_.dependences) certificate.dependences += !d.commutes;
  certificate.statements = static_cast<int>(nest_.sites.size());
  return certificate;
}

}  // namespace trellis::schedule
