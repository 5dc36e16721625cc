#include "engine/flow/print_declarations.hpp"

#include "engine/flow/level_text.hpp"
#include "engine/flow/print_expr.hpp"
#include "engine/format/storage_order.hpp"

namespace trellis::flow {

namespace {

std::string_view name_of(Tensor::Storage storage) {
  switch (storage) {
    case Tensor::Storage::operand: return "operand";
    case Tensor::Storage::result: return "result";
    case Tensor::Storage::temporary: return "temporary";
  }
  return "";
}

}  // namespace

void declare(text::TextBuilder& out, const Tensor& tensor) {
  out << name_of(tensor.storage) << ' ' << tensor.name;
  for (const Level& level : tensor.levels) {
    const std::string stored = level_text(level.facts);
    out << (level.facts.dense() ? "[" : "{") << to_string(level.size) << (stored.empty() ? "" : ": ") << stored
        << (level.facts.dense() ? ']' : '}');
  }
  out << ": " << format::name_of(tensor.type);
  if (!format::is_row_major(tensor)) out << " @ (" << format::order_text(tensor) << ')';
  if (tensor.pattern) out << " pattern";
  if (tensor.fill.real != 0 || tensor.fill.integer != 0) {
    out << " fill ";
    ExprPrinter(out).literal(tensor.fill, 0, tensor.type);
  }
  if (tensor.readable) out << " readable meanwhile";
  if (tensor.scattered) out << " scattered";
  if (tensor.live) out << " growing while it is walked";
  if (tensor.listed) out << " in lists until it is frozen";
  if (!tensor.entries_of.empty()) out << " with the entries of " << tensor.entries_of;
  if (!tensor.same_as.empty()) out << " same as " << tensor.same_as;
  out.newline();
}

void signature(text::TextBuilder& out, const Function& function) {
  const auto scalar = [&](const Tensor& t) { out << t.name << ": " << format::name_of(t.type); };
  out << "function " << function.name << '(';
  for (std::size_t k = 0; k < function.parameters.size(); ++k) {
    if (k > 0) out << ", ";
    scalar(function.parameters[k]);
    if (k >= function.annihilators.size()) continue;
    const std::vector<format::Value>& values = function.annihilators[k];
    for (std::size_t v = 0; v < values.size(); ++v)
      out << (v ? " or " : " annihilated by ") << format::to_string(values[v]);
  }
  out << ')';
  for (std::size_t k = 0; k < function.locals.size(); ++k) {
    out << (k ? ", " : " with ");
    scalar(function.locals[k]);
  }
}

}  // namespace trellis::flow
