// plot.
#include "engine/session/command/commands.hpp"
#include "engine/session/files.hpp"
#include "engine/tensor/allocate.hpp"
#include "engine/tensor/file.hpp"
#include "engine/view/plot.hpp"

namespace trellis::session {
namespace {

using lang::syntax::Name;

enum class Kind { values, spy };

/// Why there is no such picture; empty if there is one.
std::string objection(const tensor::Tensor& value, Kind kind) {
  if (value.rank() == 1 && kind == Kind::values) return "";
  if (value.rank() == 2) return "";
  if (value.rank() == 1) return "`spy` draws matrices";
  return value.rank() == 0 ? "a scalar is best printed" : "vectors and matrices can be drawn, not " + std::to_string(value.rank()) + " dimensions";
}

std::string sketch(const tensor::Tensor& value, const std::string& name, Kind kind) {
  if (value.rank() == 1) return view::line_sketch(value, name);
  return kind == Kind::spy ? view::spy_sketch(value, name) : view::heat_sketch(value, name);
}

view::Canvas picture(const tensor::Tensor& value, const std::string& name, Kind kind) {
  constexpr std::int64_t widest_image = 8192;
  const std::string title = name + "  " + tensor::shape_text(value.shape());
  if (value.rank() == 1) return view::line_chart(value, title);
  if (kind == Kind::spy) return view::spy(value, title);
  const bool image = value.type() == format::ScalarType::u8 && value.count() > 0 && value.shape()[0] <= widest_image && value.shape()[1] <= widest_image;
  return image ? view::grey_image(value) : view::heat_map(value, title);
}

bool write(const std::string& path, const std::string& bytes, const Name& name, text::Diagnostics& diagnostics) {
  tensor::AtomicFile file(path);
  file.write(bytes);
  const std::string why = file.commit();
  if (!why.empty()) diagnostics.error("E0412", name.span, "cannot write \"" + path + "\": " + why);
  return why.empty();
}

}  // namespace

CommandResult plot(State& state, Words& words) {
  const lang::TensorInfo* info = tensor_word(state, words);
  if (!info) return {};
  const Kind kind = words.accept("spy") ? Kind::spy : Kind::values;
  std::optional<Name> file;
  if (!words.at_end() && !(file = words.string("`spy` or a file name in quotes"))) return {};
  if (!words.finish()) return {};
  if (file && !file->text.ends_with(".png")) {
    words.diagnostics().error("E0617", file->span, "\"" + file->text + "\" should end in .png", "");
    return {};
  }
  warn_if_not_computed(state, *info, words);
  const tensor::Tensor* value = state.tensor(*info, words.whole(), words.diagnostics());
  if (!value) return {};
  if (const std::string why = objection(*value, kind); !why.empty()) {
    words.diagnostics().error("E0619", words.whole(), info->name + " cannot be drawn: " + why, "");
    return {};
  }
  if (!file) return {Plotted{info->name, sketch(*value, info->name, kind), ""}};
  const std::string path = path_of(state.sources, *file);
  if (!write(path, picture(*value, info->name, kind).png(), *file, words.diagnostics())) return {};
  return {Plotted{info->name, "", path}};
}

}  // namespace trellis::session
