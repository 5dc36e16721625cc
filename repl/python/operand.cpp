#include "repl/python/operand.hpp"

#include <bit>
#include <functional>
#include <span>

#include "engine/format/level.hpp"

namespace trellis::python {
namespace {

std::uint64_t bits_of(const format::Value& fill) {
  return format::is_floating(fill.type) ? std::bit_cast<std::uint64_t>(fill.real)
                                        : static_cast<std::uint64_t>(fill.integer);
}

std::string with_width(const char* narrow, const char* wide, const Operand& operand) {
  return operand.wide ? wide : narrow;
}

std::string order_text(const Operand& operand) {
  std::string text;
  bool rises = true;
  for (int level = 0; level < operand.rank; ++level) {
    const auto dimension = operand.order[static_cast<std::size_t>(level)];
    rises = rises && dimension == level;
    text += (text.empty() ? "" : ", ") + std::to_string(dimension);
  }
  return rises ? "" : " @ (" + text + ")";
}

std::string coo_text(const Operand& operand) {
  const std::string wide = operand.wide ? "wide" : "";
  if (operand.rank == 1) return operand.wide ? "compressed(wide)" : "compressed";
  std::string text = "{compressed(nonunique" + (operand.wide ? ", " + wide : "") + ")";
  for (int level = 1; level < operand.rank; ++level) {
    const bool last = level + 1 == operand.rank;
    const std::string options = std::string(last ? "" : "nonunique") + (!last && operand.wide ? ", " : "") + wide;
    text += ", singleton" + (options.empty() ? "" : "(" + options + ")");
  }
  return text + "}";
}

std::string bsr_text(const Operand& operand) {
  const std::string block = std::to_string(operand.block[0]) + ", " + std::to_string(operand.block[1]);
  return (operand.wide ? "bcsr_wide(" : "bcsr(") + block + ")";
}

}  // namespace

bool Operand::sparse() const { return kind == Kind::array ? !tensor->format().all_known() : kind != Kind::dense; }

Structure structure_of(const Operand& operand) {
  Structure structure;
  std::uint64_t order = 0;
  for (int level = 0; level < operand.rank; ++level)
    order = order << 3 | operand.order[static_cast<std::size_t>(level)];
  structure.facts = static_cast<std::uint64_t>(operand.kind) | static_cast<std::uint64_t>(operand.type) << 4 |
                    static_cast<std::uint64_t>(operand.wide) << 8 | 1U << 9 |
                    static_cast<std::uint64_t>(operand.rank) << 12 | order << 20;
  structure.block = static_cast<std::uint64_t>(operand.block[0]) << 32 | static_cast<std::uint64_t>(operand.block[1]);
  if (operand.kind == Operand::Kind::array)
    structure.block = std::hash<std::string>()(format::to_string(operand.tensor->format()));
  structure.fill = bits_of(operand.fill);
  return structure;
}

void lend_arrays(const Operand& operand, run::LentTensor& to) {
  const auto lend = [](trellis_buffer& buffer, const void* data, std::int64_t count) {
    buffer = {const_cast<void*>(data), count, count};  // which operands are never written through
  };
  std::int64_t children = 1;
  for (std::size_t l = 0; l < static_cast<std::size_t>(operand.levels); ++l) {
    const tensor::BorrowedLevel& from = operand.level[l];
    trellis_level& level = to.level(l);
    if (level.kind == TRELLIS_DENSE) {
      children *= level.size;
      continue;
    }
    if (from.positions) lend(level.arrays[TRELLIS_POSITIONS], from.positions, children + 1);
    lend(level.arrays[TRELLIS_COORDINATES], from.coordinates, from.entries);
    level.entries = children = from.entries;
  }
  lend(to.get()->values, operand.values, children);
}

std::string format_text(const Operand& operand) {
  switch (operand.kind) {
    case Operand::Kind::dense: return operand.rank == 0 ? "" : "dense" + order_text(operand);
    case Operand::Kind::csr: return with_width("csr", "{dense, compressed(wide)}", operand);
    case Operand::Kind::csc: return with_width("csc", "{dense, compressed(wide)} @ (1, 0)", operand);
    case Operand::Kind::coo: return coo_text(operand);
    case Operand::Kind::bsr: return bsr_text(operand);
    case Operand::Kind::dia: return with_width("dia_j", "dia_j_wide", operand);
    case Operand::Kind::array: return format::to_string(operand.tensor->format());
  }
  return "";
}

std::string kind_text(const Operand& operand) {
  switch (operand.kind) {
    case Operand::Kind::dense: return "dense";
    case Operand::Kind::csr: return "csr";
    case Operand::Kind::csc: return "csc";
    case Operand::Kind::coo: return "coo";
    case Operand::Kind::bsr: return bsr_text(operand);
    case Operand::Kind::dia: return "dia";
    case Operand::Kind::array: return format::to_string(operand.tensor->format());
  }
  return "";
}

std::string attributes_text(const Operand& operand) {
  std::string text(format::name_of(operand.type));
  if (const std::string format = format_text(operand); !format.empty()) text += " " + format;
  if (operand.fill.is_true()) text += " fill " + format::to_string(operand.fill);
  return text;
}

std::optional<tensor::Tensor> to_tensor(const Operand& operand, const format::Format& format, PyObject* owner) {
  if (operand.kind == Operand::Kind::array) return *operand.tensor;
  if (format.rank() != operand.levels) return std::nullopt;
  const tensor::Index shape(operand.shape.begin(), operand.shape.begin() + operand.rank);
  struct Holding {
    std::shared_ptr<const void> object;
    std::array<std::shared_ptr<const void>, 4> arrays;
  };
  auto holding = std::make_shared<Holding>();
  holding->object = keep_alive(owner);
  for (std::size_t k = 0; k < operand.held.size(); ++k)
    if (operand.held[k]) holding->arrays[k] = keep_alive(operand.held[k].get());
  const std::span<const tensor::BorrowedLevel> levels(operand.level.data(), static_cast<std::size_t>(operand.levels));
  return tensor::borrow(operand.type, shape, format, operand.fill, {levels, operand.values, std::move(holding)});
}

}  // namespace trellis::python
