#include "engine/tensor/load_coordinates.hpp"

#include <algorithm>
#include <functional>
#include <new>

#include "engine/tensor/allocate.hpp"
#include "engine/tensor/bring_together.hpp"
#include "engine/tensor/pack.hpp"
#include "engine/tensor/spill.hpp"

namespace trellis::tensor {

using format::Value;

namespace {

void report_misfit(const Tensor& tensor, const Coordinates& c, std::size_t entry, const Value& value, text::Span span,
                   text::Diagnostics& diagnostics) {
  diagnostics.error("E0409", span,
                    "element " + element_text(c.index(entry)) + ", " + format::to_string(value) +
                        (c.lines.empty() ? "" : " in line " + std::to_string(c.lines[entry])) + ", does not fit " +
                        std::string(format::name_of(tensor.type())));
}

bool pack_into(Tensor& tensor, const Coordinates& c, text::Span span, text::Diagnostics& diagnostics,
               const PackOptions& options) {
  PackFailure failure;
  const auto packed =
      pack(tensor.type(), tensor.shape(), tensor.format(), tensor.fill(), entries_of(c), failure, options);
  if (packed) {
    tensor.assign(*packed);
    return true;
  }
  if (failure.kind == PackFailure::Kind::does_not_fit)
    report_misfit(tensor, c, failure.entry, failure.value, span, diagnostics);
  else
    report_pack_failure(failure, tensor, tensor.format(),
                        c.count > 0 ? c.index(failure.entry) : std::span<const std::int64_t>(), span, diagnostics);
  return false;
}

/// Of bool, whose repetitions are summed.
void make_truths(Coordinates& c) {
  if (c.field == Coordinates::Field::pattern) return;
  Column<std::int64_t> truths;
  truths.reserve(c.count);
  for (std::size_t e = 0; e < c.count; ++e) truths.push_back(c.value(e).is_true());
  c.field = Coordinates::Field::integer;
  c.integers = std::move(truths);
  c.unsigned_integers = false;
  c.reals = {};
}

/// A place of a pattern, of numbers: as often as it is listed.
void make_ones(Coordinates& c) {
  if (c.field != Coordinates::Field::pattern) return;
  c.field = Coordinates::Field::integer;
  c.integers.assign(c.count, 1);
}

bool store_into(Tensor& tensor, Coordinates& c, text::Span span, text::Diagnostics& diagnostics,
                const PackOptions& options) {
  const bool truths = format::is_boolean(tensor.type());
  if (!truths) make_ones(c);
  const bool sorts = tensor.dense() || (truths && c.field != Coordinates::Field::pattern);
  if (sorts && !sort_and_sum(c)) {
    diagnostics.error("E0410", span, "at most 2^32 entries can be sorted at once");
    return false;
  }
  if (truths) make_truths(c);
  if (!tensor.dense()) return pack_into(tensor, c, span, diagnostics, options);
  for (std::size_t e = 0; e < c.count; ++e)
    if (!convert_exactly(tensor.type(), c.value(e))) {
      report_misfit(tensor, c, e, c.value(e), span, diagnostics);
      return false;
    }
  tensor.reset();
  for (std::size_t e = 0; e < c.count; ++e) tensor.set(c.index(e), *convert_exactly(tensor.type(), c.value(e)));
  return true;
}

bool shape_agrees(const Tensor& tensor, Coordinates& c) {
  if (c.extent == Coordinates::Extent::inferred && c.count == 0) return true;
  if (!squeeze_to(c, tensor.rank())) return false;
  if (c.extent == Coordinates::Extent::stated) return c.shape == tensor.shape();
  return std::equal(c.shape.begin(), c.shape.end(), tensor.shape().begin(), std::less_equal<>());
}

}  // namespace

bool load_into(Tensor& tensor, Coordinates coordinates, text::Span span, text::Diagnostics& diagnostics,
               const PackOptions& options) {
  Index stated = coordinates.shape;
  if (!shape_agrees(tensor, coordinates)) {
    const char* verb = coordinates.extent == Coordinates::Extent::stated ? "is " : "needs at least ";
    diagnostics.error(
        "E0613", span,
        std::string("the file ") + verb + shape_text(stated) + ", the tensor is " + shape_text(tensor.shape()));
    return false;
  }
  try {
    if (!tensor.format().layout && !bring_together(coordinates, tensor.format().order, options.cancelled)) {
      diagnostics.error("E0506", span, "storing the entries was interrupted");
      return false;
    }
    return store_into(tensor, coordinates, span, diagnostics, options);
  } catch (const std::bad_alloc&) {
    diagnostics.error(
        "E0411", span,
        "the system refused the memory to sort " + std::to_string(coordinates.count) + " entries" + spill_note());
    return false;
  }
}

}  // namespace trellis::tensor
