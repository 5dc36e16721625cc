#include "engine/session/stages/formats.hpp"

#include <algorithm>
#include <cstdio>

#include "engine/format/storage_order.hpp"
#include "engine/lang/parse.hpp"
#include "engine/lang/resolve/standard_layouts.hpp"
#include "engine/results/insert_workspaces.hpp"
#include "engine/session/running/planned.hpp"
#include "engine/session/stages/level_words.hpp"
#include "engine/session/stages/look_ups.hpp"
#include "engine/session/state/state.hpp"
#include "engine/tensor/allocate.hpp"

namespace trellis::session {
namespace {

std::string short_name(const format::Facts& facts, format::Array which) {
  switch (which) {
    case format::Array::positions: return "pos";
    case format::Array::coordinates: return facts.points() ? "crd" : "end";
    case format::Array::table: return "table";
    case format::Array::starts: return "start";
    case format::Array::offsets: return "ofs";
    case format::Array::values: break;
  }
  return "val";
}

bool keeps(const format::Facts& facts, format::Array which) {
  switch (which) {
    case format::Array::positions: return facts.positions;
    case format::Array::coordinates: return facts.coordinates;
    case format::Array::table: return facts.table;
    case format::Array::starts: return facts.starts;
    case format::Array::offsets: return facts.offsets;
    case format::Array::values: break;
  }
  return false;
}

void list_arrays(StoredTensor& tensor, const tensor::Tensor* value) {
  for (std::size_t l = 0; l < tensor.levels.size(); ++l) {
    StoredTensor::Level& level = tensor.levels[l];
    for (const format::Array which : {format::Array::positions, format::Array::starts, format::Array::coordinates,
                                      format::Array::offsets, format::Array::table})
      if (keeps(level.facts, which))
        level.arrays.emplace_back(short_name(level.facts, which),
                                  value ? std::optional(value->array_bytes(static_cast<int>(l), which)) : std::nullopt);
  }
}

std::string head_of(const StoredTensor& tensor) {
  const lang::TensorInfo& info = tensor.info;
  std::string out = info.name;
  for (std::size_t d = 0; d < info.shape.size(); ++d) out += (d == 0 ? "(" : ", ") + math::to_string(info.shape[d]);
  out += (info.shape.empty() ? "" : ")") + std::string(": ") + format::to_string(info.format) + " " +
         std::string(format::name_of(info.type));
  if (info.fill.is_true()) out += " fill " + format::to_string(info.fill);
  return out;
}

std::string contents_of(const StoredTensor& tensor) {
  if (!tensor.contents) return ", at its fill";
  const StoredTensor::Contents& c = *tensor.contents;
  std::string out = ", ";
  if (!tensor.info.format.all_dense()) {
    char counts[96];
    std::snprintf(counts, sizeof counts, "%lld %s of %.6g (%.3g %%), ", static_cast<long long>(c.entries),
                  c.entries == 1 ? "entry" : "entries", c.elements, 100 * c.density());
    out += counts;
  }
  return out + tensor::human_bytes(c.bytes);
}

}  // namespace

std::string layout_text(const State& state, const std::string& name) {
  using lang::syntax::LayoutDecl;
  const LayoutDecl* layout = lang::standard_layout(name);
  for (const lang::syntax::Statement& statement : state.declarations.file().statements)
    if (const auto* own = statement.as<LayoutDecl>(); own && own->name.text == name) layout = own;
  if (!layout) return "";
  const lang::syntax::File file{{lang::syntax::Statement(lang::syntax::StatementNode{*layout, {}})}};
  std::string text = lang::print(file).characters;
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

StoredTensor stored_format(const lang::TensorInfo& info, const tensor::Tensor* value) {
  StoredTensor tensor{info, {}, {}};
  const std::vector<format::Facts> facts = format::facts(info.format);
  for (std::size_t l = 0; l < facts.size(); ++l)
    tensor.levels.push_back({info.format.levels[l],
                             static_cast<int>(format::dimension_of(info.format, l)),
                             format::stored_by(info.format, l),
                             facts[l],
                             {}});
  list_arrays(tensor, value);
  if (!value) return tensor;
  double elements = 1;
  for (const std::int64_t size : value->shape()) elements *= static_cast<double>(size);
  tensor.contents = StoredTensor::Contents{value->entries(), elements, value->bytes()};
  return tensor;
}

KernelStorage storage_of(State& state, const lang::Kernel& kernel) {
  text::Diagnostics elsewhere;  // a kernel that does not compile says so when it is run
  KernelStorage storage{kernel.name, {}, {}};
  const auto compilation = planned(state, kernel, elsewhere);
  if (!compilation) return storage;
  for (const results::Written& written : compilation->written)
    storage.written.push_back(results::to_string(written, compilation->program));
  storage.looked_up = look_ups_in_words(state, kernel, *compilation);
  return storage;
}

bool pictured(const tensor::Tensor& value) {
  const bool plain = value.dense() && !value.format().layout && format::is_row_major(value.format());
  return value.rank() > 1 && !plain;
}

FormatsShown stored_format_of(State& state, const lang::TensorInfo& info, text::Span at,
                              text::Diagnostics& diagnostics) {
  const tensor::Tensor* value = state.data.has(info.name) ? state.tensor(info, at, diagnostics) : nullptr;
  FormatsShown shown{{stored_format(info, value)}, {}, {}, {}};
  text::Diagnostics unknown;  // sizes without a value: then there is nothing to draw
  if (value) shown.pictures.push_back(view::storage_picture(info.name, *value));
  else if (const auto shape = state.shape_of(info, at, unknown))
    shown.pictures.push_back(view::storage_sample(info.name, *shape, info.format));
  return shown;
}

FormatsShown stored_formats(State& state, const lang::Kernel* kernel, text::Span at, text::Diagnostics& diagnostics) {
  FormatsShown shown;
  const lang::Program* program = state.program(diagnostics);
  if (!program) return shown;
  std::vector<std::string> used;
  if (kernel) {
    used = kernel->operands();
    for (const std::string& name : kernel->results()) used.push_back(name);
  }
  for (const lang::TensorInfo& info : program->tensors)
    if (!kernel || std::ranges::find(used, info.name) != used.end())
      shown.tensors.push_back(
          stored_format(info, state.data.has(info.name) ? state.tensor(info, at, diagnostics) : nullptr));
  for (const lang::Kernel& one : program->kernels) {
    if (kernel && one.name != kernel->name) continue;
    KernelStorage storage = storage_of(state, one);
    if (!storage.written.empty() || !storage.looked_up.empty()) shown.kernels.push_back(std::move(storage));
  }
  return shown;
}

namespace {

/// "; pos 16 bytes, crd 40 bytes"; of a tensor that holds nothing yet "; pos, crd".
std::string arrays_text(const std::vector<std::pair<std::string, std::optional<std::size_t>>>& arrays) {
  std::string out;
  for (const auto& [name, bytes] : arrays)
    out += (out.empty() ? "; " : ", ") + name + (bytes ? " " + tensor::human_bytes(*bytes) : "");
  return out;
}

}  // namespace

std::string to_string(const FormatsShown& shown) {
  if (!shown.layout.empty()) return shown.layout + "\n";
  std::string out;
  for (const StoredTensor& tensor : shown.tensors) {
    out += head_of(tensor) + contents_of(tensor) + "\n";
    if (tensor.info.format.layout) out += "  " + format::to_text(*tensor.info.format.layout) + "\n";
    std::size_t width = 0, stores = 0;
    for (const auto& level : tensor.levels) {
      width = std::max(width, format::to_string(level.level).size());
      stores = std::max(stores, level.stores.size());
    }
    for (const auto& level : tensor.levels) {
      const std::string name = format::to_string(level.level);
      if (!tensor.info.format.all_dense())
        out += "  " + level.stores + std::string(stores - level.stores.size() + 2, ' ') + name +
               std::string(width - name.size() + 2, ' ') + in_words(level.facts) + arrays_text(level.arrays) + "\n";
    }
    if (tensor.info.format.pattern) out += "  pattern: no values, what is stored is true\n";
  }
  for (const view::StoragePicture& picture : shown.pictures)
    if (!picture.empty()) out += "\n" + view::to_string(picture);
  for (const KernelStorage& kernel : shown.kernels) {
    out += "kernel " + kernel.kernel + "\n";
    for (const auto* lines : {&kernel.written, &kernel.looked_up})
      for (const std::string& line : *lines) out += "  " + line + "\n";
  }
  return out.empty() ? "# no tensors yet\n" : out;
}

}  // namespace trellis::session
