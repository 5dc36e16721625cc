// Replies as people read them.
#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdio>
#include <limits>

#include "engine/session/figures.hpp"
#include "engine/session/reply/text.hpp"
#include "engine/session/running/steps_taken.hpp"
#include "engine/tensor/allocate.hpp"
#include "engine/tensor/coordinates.hpp"
#include "engine/tensor/for_each_entry.hpp"

namespace trellis::session {
namespace {

std::string number(const format::Value& value) {
  if (!format::is_floating(value.type)) return format::to_string(value);
  if (std::isnan(value.real)) return "nan";
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.6g", value.real);
  return buffer;
}

// Elements as they are printed: columns aligned, and of large tensors only the first and last of each dimension.
//
//   A = [[ 1  2 …  9]
//        [10 20 … 90]]
//
// Vectors that are wider than the page go on in the next line, matrices leave out what is in the middle.
class TensorText {
 public:
  TensorText(const tensor::Tensor& value, Elision elision, const text::Page& page) : value_(value), page_(page) {
    std::int64_t count = 1;
    for (const std::int64_t size : value.shape()) count *= size;
    elides_ = elision == Elision::when_large && count > most_elements;
  }

  std::string print(std::size_t margin) {
    margin_ = margin;
    if (value_.shape().size() >= 2) {
      measure();
      keep_what_fits();
    }
    print_dimension();
    return std::move(out_);
  }

 private:
  static constexpr std::int64_t most_elements = 1000;
  static constexpr std::int64_t kept_at_ends = 4;

  // Calls `visit` with each index of the present dimension that is shown, and `gap` once where some are not.
  template <class Visit, class Gap>
  void each_shown(const Visit& visit, const Gap& gap) {
    const std::int64_t size = value_.shape()[index_.size()];
    const bool innermost = index_.size() + 1 == value_.shape().size();
    const std::int64_t kept = std::min(elides_ ? kept_at_ends : size, innermost ? fitting_ : size);
    for (std::int64_t i = 0; i < size; ++i) {
      if (i == kept && size > 2 * kept) {
        gap();
        i = size - kept;
      }
      index_.push_back(i);
      visit(i);
      index_.pop_back();
    }
  }

  void measure() {
    if (index_.size() == value_.shape().size()) width_ = std::max(width_, number(value_.get(index_)).size());
    else each_shown([&](std::int64_t) { measure(); }, [] {});
  }

  void keep_what_fits() {
    const auto width = static_cast<std::int64_t>(width_),
               brackets = 2 * static_cast<std::int64_t>(value_.shape().size());
    const std::int64_t room = page_.columns - static_cast<std::int64_t>(margin_) - brackets;
    if (page_.columns > 0 && value_.shape().back() * (width + 1) - 1 > room)
      fitting_ = std::max<std::int64_t>((room - text::width_of(page_.ellipsis)) / (2 * (width + 1)), 1);
  }

  /// Behind it the line is full.
  bool is_last_in_line(const std::string& next) {
    const std::size_t line = out_.find_last_of('\n') + 1;  // npos + 1 is 0
    const std::size_t before = line == 0 ? margin_ : 0;
    return value_.shape().size() == 1 && page_.columns > 0 &&
           before + out_.size() - line + 2 + next.size() > static_cast<std::size_t>(page_.columns);
  }

  void print_dimension() {
    const std::size_t depth = index_.size();
    if (depth == value_.shape().size()) {
      const std::string text = number(value_.get(index_));
      out_ += std::string(width_ > text.size() ? width_ - text.size() : 0, ' ') + text;
      return;
    }
    const std::string line = "\n" + std::string(margin_ + depth + 1, ' '),
                      between = depth + 1 == value_.shape().size() ? " " : line;
    out_ += "[";
    each_shown(
        [&](std::int64_t i) {
          if (i > 0)
            out_ += depth == 0 && between == " " && is_last_in_line(number(value_.get(index_))) ? line : between;
          print_dimension();
        },
        [&] { out_ += between + std::string(page_.ellipsis); });
    out_ += "]";
  }

  const tensor::Tensor& value_;
  const text::Page page_;
  bool elides_ = false;
  std::int64_t fitting_ = std::numeric_limits<std::int64_t>::max() / 2;  ///< elements at each end of a row
  std::size_t margin_ = 0, width_ = 0;
  tensor::Index index_;
  std::string out_;
};

const std::string& name_of(const Printed& printed) {
  return printed.expression.empty() ? printed.tensor : printed.expression;
}

/// What a sparse tensor stores, in storage order.
///
///   A = csr 3 x 3, 2 entries
///     (0,1)  1
///     (2,0)  20
std::string stored_text(const Printed& printed, Elision elision) {
  constexpr std::int64_t most_entries = 100, kept_at_ends = 10;
  const tensor::Tensor& value = printed.value;
  const std::int64_t count = tensor::listed_entries(value);
  std::string out = name_of(printed) + " = " + format::to_string(value.format()) + " " +
                    tensor::shape_text(value.shape()) + ", " + std::to_string(count) +
                    (count == 1 ? " entry" : " entries");
  if (value.fill().is_true()) out += ", elsewhere " + number(value.fill());
  out += "\n";
  std::int64_t at = 0;
  const bool elides = elision == Elision::when_large && count > most_entries;
  tensor::for_each_listed(value, [&](const tensor::Index& index, const format::Value& element) {
    const bool shown = !elides || at < kept_at_ends || at >= count - kept_at_ends;
    if (shown)
      out += "  " + tensor::element_text(index) + (value.format().pattern ? "" : "  " + number(element)) + "\n";
    else if (at == kept_at_ends) out += "  …\n";
    ++at;
  });
  return out;
}

std::string text_of(const Printed& printed, Elision elision, const text::Page& page) {
  if (!printed.value.dense()) return stored_text(printed, elision);
  const std::string head = name_of(printed) + " = ";
  return head + TensorText(printed.value, elision, page).print(head.size()) + "\n";
}

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
  const std::string ran = "ran " + k.kernel + (k.order.empty() ? "" : ", order " + lang::to_string(k.order)) + chosen +
                          ", " + run::name_of(k.backend) + ": to C " + milliseconds(k.stages.total()) + ", compile " +
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

text::Overflow overflow_of(const Reply& reply) {
  using text::Overflow;
  return std::visit(
      text::overloaded{[](const Printed&) { return Overflow::cut; }, [](const Plotted&) { return Overflow::cut; },
                       [](const Counted&) { return Overflow::cut; }, [](const Stepped&) { return Overflow::cut; },
                       [](const LessonShown&) { return Overflow::prose; },
                       [&](const Explained&) { return reply.command == "examples" ? Overflow::flow : Overflow::prose; },
                       [](const auto&) { return Overflow::flow; }},
      reply.result);
}

std::string remarks_of(const Reply& reply) {
  return remarks_on_result(reply) + (reply.learning ? text_of(*reply.learning) : "");
}

}  // namespace trellis::session
