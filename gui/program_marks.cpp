#include "gui/program_marks.hpp"

#include <algorithm>
#include <cstdio>

#include "gui/order_words.hpp"

namespace trellis::gui {
namespace {

using text::Severity;
using Judged = session::KernelVerdict::Kind;

/// Offsets of a span in the text of the snapshot; empty when it stands elsewhere.
std::optional<std::pair<std::size_t, std::size_t>> in_text(const session::Snapshot& snapshot, text::Span span) {
  if (!span.known() || span.source >= snapshot.sources.size()) return std::nullopt;
  const text::Span whole = snapshot.sources.in_file(span);
  if (whole.source != snapshot.source || whole.begin > whole.end) return std::nullopt;
  return std::pair<std::size_t, std::size_t>(whole.begin, whole.end);
}

Token token_of(Severity severity) {
  return severity == Severity::error ? Token::bad : severity == Severity::warning ? Token::warn : Token::faint;
}

bool hidden(const Scene& scene, const text::Diagnostic& diagnostic) {
  return scene.predict && diagnostic.code == "E0101";
}

void add_messages(const Scene& scene, ProgramMarks& marks) {
  const session::Snapshot& snapshot = *scene.snapshot;
  int number = 0, fixes = 0;
  for (const session::Message& message : *scene.messages) {
    const text::Diagnostic& d = message.diagnostic;
    const int first_fix = d.fixes.empty() ? 0 : fixes + 1;
    fixes += static_cast<int>(d.fixes.size());
    ++number;
    if (hidden(scene, d)) continue;
    const std::string words = d.message + (d.label.empty() ? "" : "\n" + d.label);
    const auto where = in_text(snapshot, d.span);
    if (where)
      marks.underlines.push_back({where->first, std::max(where->second, where->first + 1), token_of(d.severity),
                                  d.severity == Severity::note ? Underline::Kind::dots : Underline::Kind::wave, words,
                                  number});
    LineMark mark{.token = token_of(d.severity)};
    if (d.severity != Severity::note) mark.icon = d.severity == Severity::error ? Verdict::illegal : Verdict::costly;
    mark.state = d.severity == Severity::error ? "wrong" : d.severity == Severity::warning ? "costly" : "";
    if (first_fix > 0) mark.fix = first_fix, mark.fix_command = d.fixes.front().command;
    const bool order = d.code == "E0101";
    for (const text::Note& note : d.notes)
      if (const auto at = in_text(snapshot, note.span)) {
        const bool blamed = order && note.message != "computed here";
        marks.underlines.push_back({at->first, at->second, blamed ? Token::bad : Token::accent,
                                    blamed ? Underline::Kind::wave : Underline::Kind::straight, note.message, number});
        // An illegal order is to blame where the order stands; the read shows by its underline.
        if (blamed) mark.at = at->first, mark.words = note.message;
      }
    if (order) mark.state = "illegal";
    if (where && order) {
      LineMark read{.at = where->first, .icon = Verdict::illegal, .token = Token::bad, .words = "", .state = "illegal"};
      if (mark.words.empty()) mark.at = where->first, mark.words = d.label.empty() ? d.message : d.label;
      else marks.lines.push_back(std::move(read));
    } else if (where) {
      mark.at = where->first, mark.words = d.label.empty() ? d.message : d.label;
    }
    if (d.severity != Severity::note && (where || !mark.words.empty())) marks.lines.push_back(std::move(mark));
  }
}

/// Where a kernel's verdict stands: at its order, else at its first equation.
std::optional<std::size_t> verdict_place(const session::Snapshot& snapshot, const lang::Kernel& kernel) {
  if (const auto at = in_text(snapshot, kernel.schedule.order_span)) return at->first;
  if (!kernel.equations.empty())
    if (const auto at = in_text(snapshot, kernel.equations.front().span)) return at->first;
  if (const auto at = in_text(snapshot, kernel.span)) return at->first;
  return std::nullopt;
}

void add_verdicts(const Scene& scene, ProgramMarks& marks) {
  const session::Snapshot& snapshot = *scene.snapshot;
  if (!snapshot.program || !snapshot.accepted) return;
  for (const lang::Kernel& kernel : snapshot.program->kernels) {
    const session::KernelView* view = snapshot.kernel(kernel.name);
    const auto at = verdict_place(snapshot, kernel);
    if (!view || !at) continue;
    if (scene.predict) {
      marks.lines.push_back(
          {.at = *at, .icon = Verdict::unknown, .token = Token::faint, .words = "legal?", .state = "unknown"});
      continue;
    }
    const session::KernelVerdict verdict = session::verdict_of(snapshot, *view);
    // What is wrong stands where it is wrong.
    if (verdict.kind == Judged::wrong || verdict.kind == Judged::illegal) continue;
    LineMark mark{
        .at = *at, .icon = verdict_icon(verdict.kind), .token = verdict_token(verdict.kind), .words = verdict.proof};
    mark.state = verdict.kind == Judged::unknown   ? "unknown"
                 : verdict.kind == Judged::differs ? "wrong"
                 : verdict.kind == Judged::costly  ? "costly"
                                                   : "legal";
    if (view->explained && !kernel.schedule.order && kernel.loops == std::nullopt && !view->explained->order.empty() &&
        !mark.words.empty())
      mark.words = "order " + lang::to_string(view->explained->order) + ", " + mark.words;
    marks.lines.push_back(std::move(mark));
  }
}

std::string time_of(double ms) {
  char text[32];
  if (ms < 0.1) std::snprintf(text, sizeof text, "%.2g µs", ms * 1000);
  else std::snprintf(text, sizeof text, ms < 10 ? "%.2f ms" : "%.0f ms", ms);
  return text;
}

/// Behind the head of a kernel: how long it ran, and whether it did so rightly.
void add_runs(const Scene& scene, ProgramMarks& marks) {
  const session::Snapshot& snapshot = *scene.snapshot;
  if (!snapshot.program || !snapshot.accepted) return;
  const std::string_view content = snapshot.sources.content(snapshot.source);
  for (const lang::Kernel& kernel : snapshot.program->kernels) {
    const session::KernelView* view = snapshot.kernel(kernel.name);
    if (!view || !view->ran) continue;
    const auto where = in_text(snapshot, kernel.span);
    std::optional<std::size_t> at;
    if (where && kernel.name != "main" && content.substr(where->first).starts_with("kernel")) at = where->first;
    if (!at) {  // what stands outside of blocks has no head: its `run` line
      const std::size_t found = content.find("\nrun");
      if (found != std::string_view::npos) at = found + 1;
    }
    if (!at) continue;
    LineMark mark{.at = *at, .token = Token::faint, .words = "run " + time_of(view->ran->run_ms), .state = ""};
    if (const auto& check = view->ran->check) {
      const bool same = !check->first && !check->problem;
      mark.words += same             ? " · agrees with the reference"
                    : check->problem ? " · " + check->problem->message
                                     : " · differs from the reference";
      if (!same) mark.token = Token::bad;
    }
    marks.lines.push_back(std::move(mark));
  }
}

void add_declarations(const session::Snapshot& snapshot, ProgramMarks& marks) {
  if (!snapshot.program) return;
  const auto add = [&](const std::string& name, text::Span span) {
    if (const auto at = in_text(snapshot, span)) marks.declared.try_emplace(name, at->first);
  };
  for (const lang::ParameterInfo& one : snapshot.program->parameters) add(one.name, one.span);
  for (const lang::TensorInfo& one : snapshot.program->tensors) add(one.name, one.span);
  for (const lang::Kernel& one : snapshot.program->kernels) add(one.name, one.span);
}

}  // namespace

TextShift::TextShift(std::string_view from, std::string_view to) : size_(to.size()), same_(from == to) {
  if (same_) return;
  const std::size_t most = std::min(from.size(), to.size());
  while (prefix_ < most && from[prefix_] == to[prefix_]) ++prefix_;
  std::size_t suffix = 0;
  while (suffix < most - prefix_ && from[from.size() - 1 - suffix] == to[to.size() - 1 - suffix]) ++suffix;
  changed_end_ = from.size() - suffix, fresh_end_ = to.size() - suffix;
}

std::size_t TextShift::operator()(std::size_t at) const {
  if (same_ || at <= prefix_) return std::min(at, size_);
  return at >= changed_end_ ? std::min(at - changed_end_ + fresh_end_, size_) : std::min(at, fresh_end_);
}

ProgramMarks marks_of(const Scene& scene) {
  ProgramMarks marks;
  if (scene.snapshot->source < 0) return marks;
  add_messages(scene, marks);
  add_verdicts(scene, marks);
  add_runs(scene, marks);
  add_declarations(*scene.snapshot, marks);
  return marks;
}

}  // namespace trellis::gui
