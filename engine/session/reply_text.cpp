// Replies as people read them.
#include <algorithm>
#include <cstdio>

#include "engine/session/reply.hpp"

namespace trellis::session {
namespace {

std::string milliseconds(double ms) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, ms < 10 ? "%.2f ms" : "%.0f ms", ms);
  return buffer;
}

std::string number(const format::Value& value) {
  if (!format::is_floating(value.type)) return format::to_string(value);
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.6g", value.real);
  return buffer;
}

std::string index_text(const tensor::Index& index) {
  std::string out;
  for (const std::int64_t i : index) out += (out.empty() ? "(" : ",") + std::to_string(i);
  return out.empty() ? out : out + ")";
}

// [[1 2]
//  [3 4]]
void print_elements(std::string& out, const tensor::Tensor& value, tensor::Index& index, std::size_t margin) {
  const std::size_t depth = index.size();
  if (depth == value.shape().size()) {
    out += number(value.get(index));
    return;
  }
  out += "[";
  for (std::int64_t i = 0; i < value.shape()[depth]; ++i) {
    if (i > 0) out += depth + 1 == value.shape().size() ? std::string(" ") : "\n" + std::string(margin + depth + 1, ' ');
    index.push_back(i);
    print_elements(out, value, index, margin);
    index.pop_back();
  }
  out += "]";
}

std::string text_of(const Printed& printed) {
  std::string out = printed.tensor + " = ";
  tensor::Index index;
  print_elements(out, printed.value, index, out.size());
  return out + "\n";
}

std::string text_of(const Checked& checked) {
  std::string out;
  for (const Checked::Kernel& kernel : checked.kernels) {
    const check::Report& report = kernel.report;
    char error[32];
    std::snprintf(error, sizeof error, "%.2g", report.max_rel_error);
    out += kernel.kernel + ": ";
    if (report.problem) out += "the reference evaluator could not finish";
    else if (report.first)
      out += "differs at " + report.first->tensor + index_text(report.first->index) + ": got " +
             format::to_string(report.first->got) + ", expected " + format::to_string(report.first->expected);
    else out += "agrees with the reference on " + std::to_string(report.elements) + " elements";
    if (!report.problem) out += " (largest relative error " + std::string(error) + ")";
    if (report.coverage == check::Report::Coverage::sampled) out += ", sampled";
    out += "\n";
  }
  return out;
}

std::string text_of(const OrdersListed& listed) {
  std::size_t width = 5;
  for (const explore::Verdict& v : listed.table.orders) width = std::max(width, lang::to_string(v.order).size());
  std::string out;
  std::int64_t legal = 0;
  for (const explore::Verdict& v : listed.table.orders) {
    const std::string order = lang::to_string(v.order);
    out += (v.legal ? "✓ " : "✗ ") + order + std::string(width - order.size(), ' ');
    if (v.legal) {
      ++legal;
      char cost[48] = "";
      if (v.cost) std::snprintf(cost, sizeof cost, "  cost %.3g", *v.cost);
      out += std::string("  legal") + cost;
    } else {
      out += "  " + v.reason;
    }
    out += "\n";
  }
  out += std::to_string(legal) + " of " + std::to_string(listed.table.orders.size()) + " orders are legal";
  const auto hidden = listed.table.total - static_cast<std::int64_t>(listed.table.orders.size());
  if (hidden > 0) out += "; " + std::to_string(hidden) + " more are further away and not listed";
  return out + "\n";
}

std::string text_of(const WhyAnswered& answered) {
  return answered.why.legal ? "✓ order " + lang::to_string(answered.why.order) + " is legal\n" : "";
}

}  // namespace

std::string output_of(const Reply& reply) {
  return std::visit(text::overloaded{[](const Checked& c) { return text_of(c); },
                                     [](const Shown& s) {
                                       const std::string& out = s.text.characters;
                                       return out.empty() || out.back() == '\n' ? out : out + "\n";
                                     },
                                     [](const OrdersListed& o) { return text_of(o); },
                                     [](const WhyAnswered& w) { return text_of(w); },
                                     [](const Printed& p) { return text_of(p); },
                                     [](const Explained& e) { return e.text; },
                                     [](const auto&) { return std::string(); }},
                    reply.result);
}

std::string remarks_of(const Reply& reply) {
  if (const auto* ran = std::get_if<Ran>(&reply.result)) {
    std::string out;
    for (const Ran::Kernel& k : ran->kernels)
      out += "ran " + k.kernel + (k.order.empty() ? "" : ", order " + lang::to_string(k.order)) +
             (k.order_chosen ? " (chosen)" : "") + ", " + run::name_of(k.backend) + ": to C " + milliseconds(k.stages.total()) +
             ", compile " + milliseconds(k.compile_ms) + ", run " + milliseconds(k.run_ms) + "\n";
    return out;
  }
  if (const auto* loaded = std::get_if<Loaded>(&reply.result)) {
    std::string shape;
    for (const std::int64_t size : loaded->shape) shape += (shape.empty() ? "" : " x ") + std::to_string(size);
    return "loaded " + loaded->tensor + ": " + (shape.empty() ? "scalar" : shape) + ", " + std::to_string(loaded->entries) + " entries\n";
  }
  if (const auto* scheduled = std::get_if<Scheduled>(&reply.result)) return scheduled->command + "\n";
  if (const auto* saved = std::get_if<Saved>(&reply.result)) return "saved " + saved->tensor + " to " + saved->path + "\n";
  return "";
}

}  // namespace trellis::session
