#include "engine/session/memory.hpp"

#include "engine/format/storage_order.hpp"

#include <algorithm>

namespace trellis::session {
namespace {

std::string shape_of(const lang::TensorInfo& tensor) {
  std::string out;
  for (const math::Affine& size : tensor.shape) out += (out.empty() ? "(" : ", ") + math::to_string(size);
  return out.empty() ? "scalar" : out + ")";
}

std::string storage_of(const lang::TensorInfo& tensor) {
  if (!tensor.format.all_dense()) return ", " + format::to_string(tensor.format);
  if (tensor.shape.size() < 2) return "";
  if (format::is_row_major(tensor.format)) return ", last index fastest";
  return ", stored @ (" + format::order_text(tensor.format) + ")";
}

std::string amount(std::size_t bytes) { return std::to_string(bytes) + " bytes"; }

std::string bytes_of(const State& state, const lang::TensorInfo& tensor) {
  const bool sparse = !tensor.format.all_dense();
  if (const tensor::Tensor* held = state.held(tensor.name); sparse && held && held->format() == tensor.format)
    return ", " + std::to_string(held->entries()) + (held->entries() == 1 ? " entry, " : " entries, ") + amount(held->bytes());
  tensor::Index shape;
  for (const math::Affine& size : tensor.shape) {
    const auto value = size.evaluate([&](const std::string& name) -> std::optional<std::int64_t> {
      const auto known = state.parameter(name);
      return known ? std::optional(known->as_integer()) : std::nullopt;
    });
    if (!value) return "";
    shape.push_back(*value);
  }
  const auto bytes = tensor::Tensor::bytes_needed(tensor.type, shape, tensor.format);
  return !bytes ? ", too large" : sparse ? ", " + amount(*bytes) + " and what is stored" : ", " + amount(*bytes);
}

std::string line_of(const State& state, const lang::TensorInfo& tensor, const char* role) {
  return tensor.name + ": " + role + ", " + shape_of(tensor) + " " + std::string(format::name_of(tensor.type)) +
         storage_of(tensor) + bytes_of(state, tensor) + "\n";
}

std::vector<lang::TensorInfo> temporaries_of(const Compilation& compilation) {
  if (compilation.placed) return compilation.placed->temporaries;
  std::vector<lang::TensorInfo> found;
  loop::for_each(compilation.loops, [&](const loop::Stmt& stmt) {
    if (const auto* d = stmt.as<loop::Declare>()) found.push_back(d->tensor);
  });
  return found;
}

}  // namespace

std::string memory_of(const State& state, const Compilation& compilation) {
  std::string out;
  const auto results = compilation.kernel.results();
  for (const std::string& name : compilation.kernel.operands())
    if (std::ranges::find(results, name) == results.end())
      out += line_of(state, *compilation.program.tensor(name), "operand");
  for (const std::string& name : results) out += line_of(state, *compilation.program.tensor(name), "result");
  for (const lang::TensorInfo& temporary : temporaries_of(compilation)) out += line_of(state, temporary, "temporary");
  return out;
}

}  // namespace trellis::session
