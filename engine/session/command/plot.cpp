// plot.
#include "engine/view/plot.hpp"

#include "engine/session/command/commands.hpp"
#include "engine/session/command/compute.hpp"
#include "engine/session/program/files.hpp"
#include "engine/tensor/allocate.hpp"
#include "engine/tensor/file.hpp"

namespace trellis::session {
namespace {

using lang::syntax::Name;

/// What of the tensor is drawn.
struct Look {
  enum class Kind { values, spy, histogram } kind = Kind::values;
  int bins = 20;
};
using Kind = Look::Kind;

/// `spy`, `histogram [N]`; empty is reported.
std::optional<Look> read_look(Words& words) {
  constexpr int most_bins = 1000;
  if (words.accept("spy")) return Look{Kind::spy};
  if (!words.accept("histogram")) return Look{};
  const auto* word = words.peek();
  if (!word || word->kind == lang::syntax::Word::Kind::string) return Look{Kind::histogram};
  const text::Span at = words.span();
  const auto bins = words.integer("a number of bins, or a file name in quotes");
  if (!bins) return std::nullopt;
  if (*bins >= 1 && *bins <= most_bins) return Look{Kind::histogram, static_cast<int>(*bins)};
  words.diagnostics().error("E0601", at, "a histogram has between 1 and " + std::to_string(most_bins) + " bins", "");
  return std::nullopt;
}

/// Why there is no such picture; empty if there is one.
std::string objection(const tensor::Tensor& value, Kind kind) {
  if (value.rank() == 0) return "a scalar is best printed";
  if (value.rank() == 2 || kind == Kind::histogram) return "";
  if (value.rank() == 1) return kind == Kind::spy ? "`spy` draws matrices" : "";
  return "vectors and matrices can be drawn, not " + std::to_string(value.rank()) +
         " dimensions, of which a histogram can be";
}

std::string sketch(const tensor::Tensor& value, const std::string& name, const Look& look) {
  if (look.kind == Kind::histogram) return view::bar_sketch(view::histogram_of(value, look.bins), name);
  if (value.rank() == 1) return view::line_sketch(value, name);
  return look.kind == Kind::spy ? view::spy_sketch(value, name) : view::heat_sketch(value, name);
}

view::Picture picture(const tensor::Tensor& value, const std::string& name, const Look& look) {
  if (look.kind == Kind::histogram) return view::bar_chart(view::histogram_of(value, look.bins), name);
  if (value.rank() == 1) return view::line_chart(value, name);
  return look.kind == Kind::spy ? view::spy(value, name) : view::heat_map(value, name);
}

/// A matrix of bytes is an image.
bool is_image(const tensor::Tensor& value, const Look& look) {
  constexpr std::int64_t widest_image = 8192;
  return look.kind == Kind::values && value.rank() == 2 && value.type() == format::ScalarType::u8 &&
         value.count() > 0 && value.shape()[0] <= widest_image && value.shape()[1] <= widest_image;
}

std::string file_of(const tensor::Tensor& value, const std::string& name, const Look& look, const std::string& path) {
  if (path.ends_with(".svg")) return view::to_svg(picture(value, name, look));
  return is_image(value, look) ? view::grey_image(value).png() : view::to_png(picture(value, name, look));
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
  const lang::TensorInfo* found = tensor_word(state, words);
  const auto look = found ? read_look(words) : std::nullopt;
  if (!look) return {};
  std::optional<Name> file;
  if (!words.at_end() && !(file = words.string("`spy`, `histogram` or a file name in quotes"))) return {};
  if (!words.finish()) return {};
  if (file && !file->text.ends_with(".png") && !file->text.ends_with(".svg")) {
    words.diagnostics().error("E0617", file->span, "\"" + file->text + "\" should end in .png or .svg", "");
    return {};
  }
  const lang::TensorInfo info = *found;
  CommandResult result;
  const tensor::Tensor* value = computed(state, info, words, result.exit);
  if (!value) return result;
  if (const std::string why = objection(*value, look->kind); !why.empty()) {
    words.diagnostics().error("E0619", words.whole(), info.name + " cannot be drawn: " + why, "");
    return {};
  }
  if (!file) return {Plotted{info.name, sketch(*value, info.name, *look), ""}};
  const auto path = path_of(state, *file, words.diagnostics());
  if (!path || !write(*path, file_of(*value, info.name, *look, *path), *file, words.diagnostics())) return {};
  return {Plotted{info.name, "", *path}};
}

}  // namespace trellis::session
