#include "engine/tensor/load.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "engine/tensor/allocate.hpp"
#include "engine/tensor/fasta.hpp"
#include "engine/tensor/idx.hpp"
#include "engine/tensor/load_coordinates.hpp"
#include "engine/tensor/matrix_market.hpp"
#include "engine/tensor/npy.hpp"
#include "engine/tensor/pgm.hpp"
#include "engine/tensor/spill.hpp"
#include "engine/tensor/storage.hpp"
#include "engine/tensor/table.hpp"
#include "engine/tensor/tns.hpp"

namespace trellis::tensor {

const Index& FileContents::shape() const {
  if (const auto* coordinates = std::get_if<Coordinates>(&is)) return coordinates->shape;
  return std::get<ArrayContents>(is).tensor.shape();
}

bool FileContents::shape_is_stated() const {
  const auto* coordinates = std::get_if<Coordinates>(&is);
  return coordinates == nullptr || coordinates->extent == Coordinates::Extent::stated;
}

std::int64_t FileContents::entries() const {
  if (const auto* coordinates = std::get_if<Coordinates>(&is)) return static_cast<std::int64_t>(coordinates->count);
  return std::get<ArrayContents>(is).tensor.count();
}

bool FileContents::beyond_truths() const {
  const auto truth = [](const format::Value& value) { return value.as_double() == 0 || value.as_double() == 1; };
  if (const auto* c = std::get_if<Coordinates>(&is)) {
    for (std::size_t e = 0; e < c->count; ++e)
      if (!truth(c->value(e))) return true;
    return false;
  }
  const auto& array = std::get<ArrayContents>(is);
  for (std::int64_t flat = 0; flat < array.tensor.count() && array.truth == 1; ++flat)
    if (!truth(array.tensor.get_flat(flat))) return true;
  return false;
}

namespace {

std::optional<FileContents> read_by_name(const FileRequest& request, text::Diagnostics& diagnostics) {
  auto wrap = [](auto result) -> std::optional<FileContents> {
    if (!result) return std::nullopt;
    return FileContents{std::move(*result)};
  };
  const std::string kind = extension(request.path);
  const bool has_records = kind == ".fa" || kind == ".fasta" || is_idx_name(request.path);
  if (request.record && !has_records) {
    diagnostics.error("E0421", request.record->span,
                      "\"" + request.path + "\" has no records: only FASTA and idx files have");
    return std::nullopt;
  }
  if (is_idx_name(request.path)) return wrap(read_idx(request, diagnostics));
  if (kind == ".fa" || kind == ".fasta") return wrap(read_fasta(request, diagnostics));
  if (kind == ".pgm") return wrap(read_pgm(request, diagnostics));
  if (kind == ".mtx") return wrap(read_matrix_market(request, diagnostics));
  if (kind == ".tns") return wrap(read_tns(request, diagnostics));
  if (kind == ".npy") return wrap(read_npy(request, diagnostics));
  if (is_table_name(kind)) {
    auto table = read_table(request, diagnostics);
    return table ? std::optional(FileContents{std::move(*table)}) : std::nullopt;
  }
  diagnostics.error("E0401", request.span,
                    "cannot tell what \"" + request.path + "\" holds: its name should end in " +
                        ".mtx, .tns, .npy, .csv, .tsv, .txt, .dat, .pgm, .fa, .fasta or .idx, "
                        "and may end in .gz after that");
  return std::nullopt;
}

}  // namespace

std::optional<FileContents> read_contents(const FileRequest& request, text::Diagnostics& diagnostics) {
  try {
    return read_by_name(request, diagnostics);
  } catch (const std::bad_alloc&) {
    diagnostics.error("E0411", request.span,
                      "the system refused the memory for the contents of \"" + request.path + "\"" + spill_note());
    return std::nullopt;
  }
}

namespace {

/// The element as `type` holds it; empty if it does not fit.
std::optional<format::Value> converted(format::ScalarType type, const format::Value& value, std::int64_t truth) {
  if (!format::is_boolean(type)) return convert_exactly(type, value);
  if (truth == 1) return format::Value::truth(value.is_true());
  const std::int64_t number = value.as_integer();
  return number == 0 || number == truth ? std::optional(format::Value::truth(number != 0)) : std::nullopt;
}

/// What differs from the fill, as the tensor's type has it.
Coordinates coordinates_of(const Tensor& to, const ArrayContents& contents) {
  Coordinates list;
  list.shape = to.shape();
  list.field = format::is_floating(to.type()) ? Coordinates::Field::real : Coordinates::Field::integer;
  list.unsigned_integers = to.type() == format::ScalarType::u64;
  for_each_index(to.shape(), [&](const Index& index) {
    const format::Value value = *converted(to.type(), contents.tensor.get(index), contents.truth);
    if (same_value(value, to.fill())) return;
    list.indices.insert(list.indices.end(), index.begin(), index.end());
    if (list.field == Coordinates::Field::real) list.reals.push_back(value.real);
    else list.integers.push_back(value.integer);
    ++list.count;
  });
  return list;
}

bool is_row_major(const format::Format& format) { return std::ranges::is_sorted(format.order); }

/// The shape without dimensions of size 1, from the last on, until `rank` are left. Empty if that is impossible.
std::optional<Index> squeezed(Index shape, int rank) {
  const auto wanted = static_cast<std::size_t>(rank);
  for (std::size_t d = shape.size(); d-- > 0 && shape.size() > wanted;)
    if (shape[d] == 1) shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(d));
  return shape.size() == wanted ? std::optional(shape) : std::nullopt;
}

bool copy_into(Tensor& to, ArrayContents contents, text::Span span, text::Diagnostics& diagnostics,
               const PackOptions& options) {
  Tensor& from = contents.tensor;
  // Of a column or a row, elements lie as those of a vector.
  if (const auto shape = squeezed(from.shape(), to.rank()); shape && shape->size() < from.shape().size())
    if (is_row_major(from.format())) from = from.as(*shape, format::Format::dense(to.rank()));
  if (to.shape() != from.shape()) {
    diagnostics.error("E0613", span,
                      "the file is " + shape_text(from.shape()) + ", the tensor is " + shape_text(to.shape()));
    return false;
  }
  bool fits = true;
  const auto check = [&](const Index& index) {
    if (!fits || converted(to.type(), from.get(index), contents.truth)) return;
    fits = false;
    diagnostics.error("E0409", span,
                      "element " + element_text(index) + ", " + format::to_string(from.get(index)) +
                          (contents.element_bytes > 0 ? " at " : " in ") + contents.place(from.offset(index)) +
                          ", does not fit " + std::string(format::name_of(to.type())));
  };
  if (to.type() != from.type()) for_each_index(from.shape(), check);
  if (!fits) return false;
  if (!to.dense()) return load_into(to, coordinates_of(to, contents), span, diagnostics, options);
  for_each_index(from.shape(),
                 [&](const Index& index) { to.set(index, *converted(to.type(), from.get(index), contents.truth)); });
  return true;
}

}  // namespace

bool load_into(Tensor& tensor, FileContents contents, text::Span span, text::Diagnostics& diagnostics,
               const PackOptions& options) {
  if (auto* coordinates = std::get_if<Coordinates>(&contents.is))
    return load_into(tensor, std::move(*coordinates), span, diagnostics, options);
  return copy_into(tensor, std::get<ArrayContents>(contents.is), span, diagnostics, options);
}

std::optional<Index> shape_for_rank(const FileContents& contents, int rank) {
  if (const auto* array = std::get_if<ArrayContents>(&contents.is))
    return is_row_major(array->tensor.format()) || array->tensor.rank() == rank ? squeezed(array->tensor.shape(), rank)
                                                                                : std::nullopt;
  Coordinates outline;
  outline.shape = contents.shape();
  return squeeze_to(outline, rank) ? std::optional(outline.shape) : std::nullopt;
}

}  // namespace trellis::tensor
