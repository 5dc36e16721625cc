// Replies as people read them.
#include <concepts>
#include <cstdio>

#include "engine/session/figures.hpp"
#include "engine/session/reply/text.hpp"
#include "engine/session/running/steps_taken.hpp"

namespace trellis::session {
namespace {

std::string short_number(double number) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.2g", number);
  return digits;
}

std::string elements_text(std::int64_t count) {
  return std::to_string(count) + (count == 1 ? " element" : " elements");
}

std::string difference_text(const check::Difference& d, check::By by) {
  const std::string at = text::element_text(d.tensor, d.index);
  const std::string got = format::to_string(d.got), expected = format::to_string(d.expected);
  if (by == check::By::elements || d.equation.empty())
    return "differs at " + at + ": got " + got + ", expected " + expected;
  return "an equation does not hold at " + at + ": its left side is " + got + ", its right side " + expected +
         ", and rounding explains " + short_number(d.allowed);
}

/// What was compared with what, and how far it was apart.
std::string verdict_text(const check::Report& report) {
  if (report.problem) return "the reference evaluator could not finish";
  const bool equations = report.by == check::By::equations;
  std::string out;
  if (report.first) out = difference_text(*report.first, report.by);
  else if (equations) out = "each equation holds on the kernel's own results, on " + elements_text(report.elements);
  else out = "agrees with the reference on " + elements_text(report.elements);
  if (!equations) out += " (largest relative error " + short_number(report.max_rel_error) + ")";
  else if (!report.first) out += " (largest error " + short_number(report.max_of_bound) + " of the bound)";
  if (report.undecided > 0) out += ", " + std::to_string(report.undecided) + " of which turn on rounding";
  return out;
}

std::string text_of(const Checked& checked) {
  std::string out;
  for (const Checked::Kernel& kernel : checked.kernels) {
    const check::Report& report = kernel.report;
    const bool sampled = report.coverage == check::Report::Coverage::sampled;
    out += kernel.kernel + ": " + verdict_text(report) + (sampled ? ", sampled" : "") + "\n";
    if (report.first && !report.first->equation.empty()) out += "  " + report.first->equation + "\n";
    for (const std::string& sum : kernel.reassociated) out += "  " + sum + "\n";
    if (!kernel.reassociated.empty() && report.by == check::By::elements)
      out += "  compared by elements all the same, as a kernel leaves its last timestep alone\n";
  }
  return out;
}

std::string ran_text(const Ran::Kernel& k) {
  if (!k.how.empty())
    return "ran " + k.kernel + " " + k.how + (k.run_ms > 0 ? ": " + milliseconds(k.run_ms) : "") + "\n";
  const std::string chosen = k.order_chosen && !k.order.empty() ? " (chosen)" : "";
  const std::string by = run::name_of(k.backend) + (k.why.empty() ? "" : " (" + k.why + ")");
  const std::string ran = "ran " + k.kernel + (k.order.empty() ? "" : ", order " + lang::to_string(k.order)) + chosen +
                          ", " + by + ": to C " + milliseconds(k.stages.total()) + ", compile " +
                          milliseconds(k.compile_ms) + ", run " + milliseconds(k.run_ms) + "\n";
  return k.steps ? ran + k.kernel + ": " + to_string(*k.steps) + "\n" : ran;
}

std::string remark_on(const Ran& ran) {
  std::string out;
  for (const Ran::Kernel& k : ran.kernels) out += ran_text(k);
  return out;
}

std::string remark_on(const Loaded& loaded, const std::string& command) {
  std::string shape;
  for (const std::int64_t size : loaded.shape) shape += (shape.empty() ? "" : " x ") + std::to_string(size);
  return (command == "load" ? "loaded " : "filled ") + loaded.tensor + ": " + (shape.empty() ? "scalar" : shape) +
         ", " + std::to_string(loaded.entries) + " entries" + (loaded.as_truths ? "; what is not 0 is true" : "") +
         (loaded.in_file ? ", which stay in the file" : "") +
         (loaded.declared.empty() ? "\n" : "; declared as `" + loaded.declared + "`\n");
}

std::string remark_on(const Pruned& pruned) {
  return "pruned " + pruned.tensor + ": " + std::to_string(pruned.before) + " entries, " +
         std::to_string(pruned.before - pruned.after) + " held the fill\n";
}

std::string remark_on(const Scheduled& scheduled) {
  const bool named = !scheduled.kernel.empty() && scheduled.kernel != "main";
  return "applied" + (named ? " to kernel " + scheduled.kernel : std::string()) + ": " + scheduled.command + "\n";
}

std::string remark_on(const Exported& exported) {
  std::string files;
  for (const std::string& file : exported.files) files += (files.empty() ? "" : ", ") + file;
  return "wrote " + files + "\n" + (exported.next.empty() ? "" : "next: " + exported.next + "\n");
}

std::string drew(const std::string& what, const std::string& path) {
  return path.empty() ? "" : "drew " + what + " to " + path + "\n";
}

template <class T, class... All>
concept OneOf = (std::same_as<T, All> || ...);

/// What is said besides what it prints: nothing.
template <class T>
concept Unremarkable = OneOf<T, Accepted, Checked, Shown, FormatsShown, OrdersListed, WhyAnswered, Printed, Explained,
                             Timed, Suggested, PlanShown, CoreFound, Differed, Stepped, HistoryListed, ProgramListed,
                             Sourced, ExamplesListed, LessonShown, LessonsListed, Quizzed, Left, Cleared>;

/// What prints nothing: all there is to say is a remark.
template <class T>
concept Silent =
    OneOf<T, Accepted, Loaded, Pruned, Ran, Scheduled, Saved, Travelled, Sourced, Exported, Selected, Left, Cleared>;

std::string remarks_on_result(const Reply& reply) {
  return std::visit(
      text::overloaded{
          [](const Ran& r) { return remark_on(r); }, [&](const Loaded& l) { return remark_on(l, reply.command); },
          [](const Pruned& p) { return remark_on(p); }, [](const Scheduled& s) { return remark_on(s); },
          [](const Travelled& t) { return text_of(t); }, [](const Selected& s) { return text_of(s); },
          [](const Saved& s) { return text_of(s); }, [](const Plotted& p) { return drew(p.tensor, p.path); },
          [](const Counted& c) { return drew("kernel " + c.kernel, c.path); },
          [](const Exported& e) { return remark_on(e); }, [](const Unremarkable auto&) { return std::string(); }},
      reply.result);
}

}  // namespace

const text::Diagnostic* answer_of(const Reply& reply) {
  const auto* why = std::get_if<WhyAnswered>(&reply.result);
  return why && !why->why.legal ? &why->diagnostic : nullptr;
}

std::vector<const text::Diagnostic*> messages_of(const Reply& reply) {
  std::vector<const text::Diagnostic*> messages;
  if (const text::Diagnostic* answer = answer_of(reply)) messages.push_back(answer);
  for (const text::Diagnostic& d : reply.diagnostics.all()) messages.push_back(&d);
  return messages;
}

std::string output_of(const Reply& reply, Elision elision, const text::Page& page) {
  return std::visit(text::overloaded{[](const Checked& c) { return text_of(c); },
                                     [](const Shown& s) {
                                       const std::string& out = s.text.characters;
                                       return out.empty() || out.back() == '\n' ? out : out + "\n";
                                     },
                                     [](const FormatsShown& f) { return to_string(f); },
                                     [](const OrdersListed& o) { return text_of(o); },
                                     [](const WhyAnswered& w) { return text_of(w); },
                                     [&](const Printed& p) { return text_of(p, elision, page); },
                                     [](const Explained& e) { return e.text; },
                                     [](const CoreFound& c) { return text_of(c); },
                                     [](const Suggested& s) { return text_of(s); },
                                     [](const PlanShown& p) { return text_of(p); },
                                     [](const Differed& d) { return text_of(d); },
                                     [](const Timed& t) { return text_of(t); },
                                     [](const Counted& c) { return text_of(c); },
                                     [](const HistoryListed& h) { return text_of(h); },
                                     [](const ProgramListed& p) { return text_of(p); },
                                     [&](const Stepped& one) { return text_of(one, page); },
                                     [](const ExamplesListed& e) { return text_of(e); },
                                     [](const Plotted& p) { return p.text; },
                                     [](const LessonShown& l) { return text_of(l); },
                                     [](const LessonsListed& l) { return text_of(l); },
                                     [&](const Quizzed& q) { return text_of(q, page); },
                                     [](const Silent auto&) { return std::string(); }},
                    reply.result);
}

bool shows_something(const Result& result) {
  return std::visit([]<class T>(const T&) { return !Silent<T> || OneOf<T, Saved, Exported>; }, result);
}

text::Overflow overflow_of(const Reply& reply) {
  using text::Overflow;
  return std::visit(
      text::overloaded{
          [](const Printed& p) { return p.extent == Printed::Extent::whole ? Overflow::flow : Overflow::cut; },
          [](const Plotted&) { return Overflow::cut; }, [](const Counted&) { return Overflow::cut; },
          [](const Stepped&) { return Overflow::cut; }, [](const LessonShown&) { return Overflow::prose; },
          [&](const Explained&) { return reply.command == "examples" ? Overflow::flow : Overflow::prose; },
          [](const auto&) { return Overflow::flow; }},
      reply.result);
}

std::string remarks_of(const Reply& reply) {
  return remarks_on_result(reply) + (reply.learning ? text_of(*reply.learning) : "");
}

}  // namespace trellis::session
