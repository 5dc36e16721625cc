#pragma once
// What a Python object lends to a kernel: pointers to its arrays, and all that code is compiled for, which are no
// names, sizes or addresses. Views are made on every call, so they allocate as little as they can.

#include <array>
#include <cstdint>
#include <string>

#include "engine/run/lent.hpp"
#include "engine/tensor/borrow.hpp"
#include "repl/python/numpy.hpp"

namespace trellis::python {

constexpr int most_dimensions = 8;
constexpr int most_levels = 8;

struct Operand {
  enum class Kind : std::uint8_t { dense, csr, csc, coo, bsr, dia, array };
  Kind kind = Kind::dense;
  format::ScalarType type = format::ScalarType::f64;
  bool wide = false;  ///< indices are int64
  int rank = 0;
  std::array<std::int64_t, most_dimensions> shape{};
  std::array<std::uint8_t, most_dimensions> order{};  ///< of a dense array: the dimension of each level
  std::array<std::int64_t, 2> block{};                ///< of bsr
  format::Value fill;
  int levels = 0;
  std::array<tensor::BorrowedLevel, most_levels> level{};
  const void* values = nullptr;
  /// The index arrays that were to be looked at: of fibers positions and coordinates, else coordinates alone.
  std::array<PyObject*, 2> index_arrays{};
  const tensor::Tensor* tensor = nullptr;  ///< of Kind::array: has the arrays, and whose format is its own
  std::array<Ref, 4> held = {};            ///< arrays that the object could exchange meanwhile

  bool sparse() const;
};

/// What a kernel is compiled for, of one operand.
struct Structure {
  std::uint64_t facts = 0;  ///< kind, type, width, rank, storage order; 0: of no operand at all
  std::uint64_t block = 0;
  std::uint64_t fill = 0;  ///< its bits
  bool operator==(const Structure&) const = default;
};
Structure structure_of(const Operand& operand);

/// Puts the arrays into a tensor of the interface, of the operand's own format. Not of Kind::array: that is a tensor of
/// ours.
void lend_arrays(const Operand& operand, run::LentTensor& to);

/// As a declaration says it behind the shape: "{dense, compressed(wide)}", "bcsr(2, 2)".
std::string format_text(const Operand& operand);
/// The same as any operand of that kind is stored in, for messages: "csr".
std::string kind_text(const Operand& operand);
/// "f64 csr fill 1".
std::string attributes_text(const Operand& operand);

/// The same as a tensor, which keeps `owner`. Empty where sizes overflow, or the format has no name.
std::optional<tensor::Tensor> to_tensor(const Operand& operand, const format::Format& format, PyObject* owner);

}  // namespace trellis::python
