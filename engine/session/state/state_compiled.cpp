// What the kernels of a session were compiled to.
#include <algorithm>

#include "engine/explore/loop_orders.hpp"
#include "engine/explore/why.hpp"
#include "engine/place/tiles.hpp"
#include "engine/run/backends.hpp"
#include "engine/session/state/compile_failure.hpp"
#include "engine/session/state/state.hpp"
#include "engine/session/state/tiled_order.hpp"
#include "engine/symbolic/elimination.hpp"
#include "engine/text/unseen.hpp"

namespace trellis::session {

std::shared_ptr<const place::Analysis> State::analysis(const lang::Kernel& kernel, text::Diagnostics& diagnostics) {
  auto plain = untiled_analysis(kernel, diagnostics);
  if (!plain || !kernel.schedule.order || !lang::has_tiles(*kernel.schedule.order)) return plain;
  auto made = place::tiled(*plain, *kernel.schedule.order);
  // Kept with the plain one, so that every question about this order finds the same.
  if (made) caches.compiled(*declarations.program(), kernel)->tiled = made;
  return made ? made : plain;
}

std::shared_ptr<const place::Analysis> State::untiled_analysis(const lang::Kernel& kernel,
                                                               text::Diagnostics& diagnostics) {
  if (kernel.loops) {
    diagnostics
        .error("E0268", kernel.span, "kernel " + kernel.name + " is a loop program: it has no equations to place", "")
        .notes.push_back({{},
                          "`show loops " + kernel.name +
                              "` shows what it does; `orders` and `why` say in which orders its loops can run"});
    return nullptr;
  }
  const auto compiled = caches.compiled(*declarations.program(), kernel);
  if (!compiled->analysed) {
    text::Diagnostics found;
    auto made = place::analyse(compiled->part(), kernel, found);
    if (made) compiled->analysis = std::make_shared<const place::Analysis>(std::move(*made));
    compiled->said = found;
    compiled->analysed = true;
    if (made) diagnostics.append(found);
  }
  if (!compiled->analysis) {
    for (const text::Diagnostic& d : compiled->said.all())
      if (!d.fixes.empty()) offer = {d.fixes, kernel.name, {}, d.span};
    diagnostics.append(compiled->said);
    return nullptr;
  }
  const auto inherits_the_same = [&](const std::shared_ptr<const place::Analysis>& one) {
    return one->kernel.inherited == kernel.inherited;
  };
  if (inherits_the_same(compiled->analysis)) return compiled->analysis;
  if (const auto* known = compiled->by_inheritance.find(inherits_the_same)) return *known;
  place::Analysis copy = *compiled->analysis;
  copy.kernel.inherited = kernel.inherited;
  return compiled->by_inheritance.add(std::make_shared<const place::Analysis>(std::move(copy)));
}

std::shared_ptr<const symbolic::Elimination> State::elimination(const lang::Kernel& kernel) {
  const auto compiled = caches.compiled(*declarations.program(), kernel);
  if (!compiled->recognised) {
    if (auto found = symbolic::find_elimination(compiled->part(), kernel))
      compiled->elimination = std::make_shared<const symbolic::Elimination>(std::move(*found));
    compiled->recognised = true;
  }
  return compiled->elimination;
}

lang::Order order_of(const lang::Kernel& kernel, const place::Analysis& analysis) {
  if (kernel.schedule.order) return place::completed(analysis, *kernel.schedule.order);
  if (const auto chosen = place::choose_order(analysis)) return *chosen;
  lang::Order order;
  for (const std::string& name : kernel.variables()) order.push_back({name, false});
  return order;
}

std::shared_ptr<const Compilation> State::compilation(const lang::Kernel& plain, text::Diagnostics& diagnostics) {
  const lang::Kernel kernel = with_inheritance(plain);
  const auto shared = kernel.loops ? nullptr : analysis(kernel, diagnostics);
  if (!shared && !kernel.loops) return nullptr;
  const auto compiled = caches.compiled(*declarations.program(), kernel);
  const Attempt* known = compiled->attempt(kernel.schedule, kernel.inherited);
  if (known && known->compilation) return known->compilation;
  // What was refused without a word about why is known to those alone who read none.
  if (!known && text::Unseen::now()) {
    Attempt unseen = attempted(kernel, shared);
    if (!unseen.compilation) return nullptr;
    known = &compiled->add(std::move(unseen));
  }
  const Attempt& made = known ? *known : compiled->add(attempted(kernel, shared));
  diagnostics.append(made.said);
  if (!made.offer.fixes.empty() || made.offer.illegal) offer = made.offer;
  return made.compilation;
}

text::Diagnostics State::said_of(const lang::Kernel& plain) {
  const lang::Kernel kernel = with_inheritance(plain);
  const auto compiled = caches.compiled(*declarations.program(), kernel);
  text::Diagnostics all = compiled->said;
  if (const Attempt* known = compiled->attempt(kernel.schedule, kernel.inherited)) all.append(known->said);
  return all;
}

Attempt State::attempted(const lang::Kernel& kernel, const std::shared_ptr<const place::Analysis>& analysis) {
  const lang::Schedule& schedule = kernel.schedule;
  Attempt attempt{schedule, kernel.inherited, nullptr};
  text::Diagnostics& said = attempt.said;
  Compilation made = analysis ? compile(analysis, said, schedule)
                              : compile(lang::part_for(*declarations.program(), kernel), kernel, said);
  if (said.has_errors() && analysis && !text::Unseen::now()) offer_tiles(kernel, attempt);
  for (const text::Diagnostic& d : said.all())
    if (!d.fixes.empty()) attempt.offer = {d.fixes, kernel.name, {}, d.span};
  if (said.has_errors() && kernel.loops && schedule.order && !text::Unseen::now())
    explain_refused_order(kernel, attempt);
  if (made.rejected && text::Unseen::now()) return attempt;
  if (made.rejected) {
    const text::Diagnostic why =
        explore::to_diagnostic(explore::why(*analysis, made.rejected->order), schedule.order_span, schedule.loop_spans);
    attempt.offer = {why.fixes, kernel.name, made.rejected->order, why.span};
    said.add(why);
  }
  if (!said.has_errors()) attempt.compilation = std::make_shared<const Compilation>(std::move(made));
  return attempt;
}

std::shared_ptr<const Compilation> State::unscheduled(const lang::Kernel& kernel, text::Diagnostics& diagnostics) {
  lang::Kernel plain = kernel;
  plain.schedule = {};
  return compilation(plain, diagnostics);
}

// The step knows why it is refused; that equations can be placed in tiles, the session does.
void State::offer_tiles(const lang::Kernel& kernel, Attempt& attempt) {
  text::Diagnostics ignored, said;
  for (text::Diagnostic d : attempt.said.all()) {
    const auto step = std::ranges::find_if(kernel.schedule.steps, [&](const lang::ScheduleStep& one) {
      return one.kind == lang::ScheduleStep::Kind::tile && one.span == d.span;
    });
    const bool refused = step != kernel.schedule.steps.end() && (d.code == "E0140" || d.code == "E0141");
    const auto untiled = refused ? untiled_analysis(kernel, ignored) : nullptr;
    if (auto fix = untiled ? tiled_order(*untiled, kernel, *step) : std::nullopt) d.fixes.push_back(std::move(*fix));
    said.add(std::move(d));
  }
  attempt.said = std::move(said);
}

// The compiler knows why an order of a loop program is refused; which others are legal is looked for here.
void State::explain_refused_order(const lang::Kernel& kernel, Attempt& attempt) {
  const text::Diagnostic& first = attempt.said.all().front();
  text::Diagnostics ignored;
  const auto plain =
      first.span == kernel.schedule.order_span && first.instance ? unscheduled(kernel, ignored) : nullptr;
  if (!plain) return;
  explore::LoopOrders orders(plain->loops, kernel.variables(), plain->stored);
  const explore::Why why = orders.why(*kernel.schedule.order);
  if (why.legal) return;
  attempt.said = {};
  attempt.offer = {attempt.said.add(orders.to_diagnostic(why, kernel.schedule.order_span)).fixes, kernel.name};
}

const run::Kernel* State::machine_code(const Compilation& compilation, run::Backend backend,
                                       text::Diagnostics& diagnostics, Exit& exit) {
  const auto same = [&](const run::Kernel& one) {
    return one.backend() == backend && one.module().source == compilation.module.source;
  };
  if (const run::Kernel* known = caches.machine_code.find(same)) return known;
  if (backend == run::Backend::native) caches.beside->stop();
  auto made = run::compile(compilation.module, backend, options.limits);
  if (auto* kernel = std::get_if<run::Kernel>(&made)) return &caches.machine_code.add(std::move(*kernel));

  report(
      std::get<run::CompileError>(made),
      {"E0501", std::string("the ") + run::name_of(backend) + " back end could not compile " + compilation.kernel.name},
      compilation.kernel, diagnostics, exit);
  return nullptr;
}

}  // namespace trellis::session
