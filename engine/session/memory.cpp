#include "engine/session/memory.hpp"

#include <algorithm>

#include "engine/format/storage_order.hpp"
#include "engine/session/counted.hpp"

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

/// The tensor that is held, where its entries are what takes the room.
const tensor::Tensor* held_sparse(const State& state, const lang::TensorInfo& tensor) {
  const tensor::Tensor* held = tensor.format.all_dense() ? nullptr : state.held(tensor.name);
  return held && held->format() == tensor.format ? held : nullptr;
}

std::optional<tensor::Index> shape_now(const State& state, const lang::TensorInfo& tensor) {
  tensor::Index shape;
  for (const math::Affine& size : tensor.shape) {
    const auto value = state.value_of(size);
    if (!value) return std::nullopt;
    shape.push_back(*value);
  }
  return shape;
}

std::string bytes_of(const State& state, const lang::TensorInfo& tensor) {
  if (const tensor::Tensor* held = held_sparse(state, tensor))
    return ", " + counted(held->entries(), "entry", "entries") + ", " + amount(held->bytes());
  const auto shape = shape_now(state, tensor);
  if (!shape) return "";
  const auto bytes = tensor::Tensor::bytes_needed(tensor.type, *shape, tensor.format);
  const bool sparse = !tensor.format.all_dense();
  return !bytes ? ", too large" : sparse ? ", " + amount(*bytes) + " and what is stored" : ", " + amount(*bytes);
}

/// What is allocated at one time, at the least: of sparse results nobody knows yet what they will store.
class Peak {
 public:
  explicit Peak(const State& state) : state_(state) {}

  void add(const lang::TensorInfo& tensor) { bytes_ += known_bytes(tensor); }
  void add_temporaries(const loop::Stmt& loops) { bytes_ += inside(loops); }

  std::string text() const {
    if (!known_) return "";
    return std::string("peak: ") + (at_least_ ? "at least " : "") + amount(bytes_) + " at a time\n";
  }

 private:
  std::size_t known_bytes(const lang::TensorInfo& tensor) {
    if (const tensor::Tensor* held = held_sparse(state_, tensor)) return held->bytes();
    const auto shape = shape_now(state_, tensor);
    const auto bytes = shape ? tensor::Tensor::bytes_needed(tensor.type, *shape, tensor.format) : std::nullopt;
    known_ &= bytes.has_value();
    at_least_ |= !tensor.format.all_dense();
    return bytes.value_or(0);
  }

  /// A temporary lives to the end of its block; statements side by side do not live at one time.
  std::size_t inside(const loop::Stmt& stmt) {
    if (const auto* declared = stmt.as<loop::Declare>()) return known_bytes(declared->tensor);
    std::size_t declared = 0, deepest = 0;
    loop::map_children(
        stmt,
        [&](const loop::Stmt& child) {
          const std::size_t bytes = inside(child);
          if (child.as<loop::Declare>())
            declared += bytes;
          else
            deepest = std::max(deepest, bytes);
          return child;
        },
        [](const loop::Expr& e) { return e; });
    return declared + deepest;
  }

  const State& state_;
  std::size_t bytes_ = 0;
  bool known_ = true, at_least_ = false;
};

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
  Peak peak(state);
  const auto results = compilation.kernel.results();
  const auto list = [&](const std::string& name, const char* role) {
    const lang::TensorInfo& tensor = *compilation.program.tensor(name);
    out += line_of(state, tensor, role);
    peak.add(tensor);
  };
  for (const std::string& name : compilation.kernel.operands())
    if (std::ranges::find(results, name) == results.end()) list(name, "operand");
  for (const std::string& name : results) list(name, "result");
  for (const lang::TensorInfo& temporary : temporaries_of(compilation)) out += line_of(state, temporary, "temporary");
  peak.add_temporaries(compilation.loops);
  if (compilation.placed)
    for (const place::KeptSteps& steps : compilation.placed->steps)
      out += steps.words + (steps.because.empty() ? "" : ": " + steps.because) + "\n";
  return out + peak.text();
}

}  // namespace trellis::session
