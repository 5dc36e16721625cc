// Pictures in runs beside OpenCV, which goes from pixel to pixel with vectors: as they are, and with each pixel a
// square of eight by eight.
#include "engine/tensor/load.hpp"
#include "tests/bench/structures_bench.hpp"

namespace trellis::bench {
namespace {

using format::ScalarType;
using format::Value;

struct Pixels {
  std::string name;
  std::int64_t height = 0, width = 0;
  std::vector<unsigned char> values;

  unsigned char at(std::int64_t y, std::int64_t x) const { return values[static_cast<std::size_t>(y * width + x)]; }
  Picture picture() const { return {height, width, values.data()}; }
};

std::optional<Pixels> read(const std::string& folder, const std::string& name) {
  text::Diagnostics diagnostics;
  const std::string path = folder + "/image/" + name + ".pgm";
  const auto contents = tensor::read_contents({.path = path, .span = {}, .limit_bytes = 1U << 30}, diagnostics);
  const std::optional<tensor::Index> shape = contents ? tensor::shape_for_rank(*contents, 2) : std::nullopt;
  if (!shape) return std::nullopt;
  auto loaded = *tensor::Tensor::create(ScalarType::u8, *shape, format::Format::dense(2), Value::of(ScalarType::u8, 0));
  if (!tensor::load_into(loaded, *contents, {}, diagnostics)) return std::nullopt;
  const auto* first = static_cast<const unsigned char*>(loaded.data());
  return Pixels{name, (*shape)[0], (*shape)[1], {first, first + (*shape)[0] * (*shape)[1]}};
}

/// White discs on black, for where there are no pictures.
Pixels discs() {
  Pixels p{"discs", sized(512, 128), sized(512, 128), {}};
  for (std::int64_t y = 0; y < p.height; ++y)
    for (std::int64_t x = 0; x < p.width; ++x) {
      const std::int64_t dy = y % 64 - 32, dx = x % 64 - 32;
      p.values.push_back(dy * dy + dx * dx < 600 ? 255 : 0);
    }
  return p;
}

Pixels magnified(const Pixels& p, std::int64_t times) {
  Pixels result{p.name + ", magnified " + std::to_string(times), p.height * times, p.width * times, {}};
  for (std::int64_t y = 0; y < result.height; ++y)
    for (std::int64_t x = 0; x < result.width; ++x) result.values.push_back(p.at(y / times, x / times));
  return result;
}

/// Of bool: which pixels are bright; of integers: all of them as they are.
tensor::Tensor pixels_packed(const Pixels& p, const format::Format& format, ScalarType type) {
  tensor::Coordinates entries;
  entries.shape = {p.height, p.width};
  using Field = tensor::Coordinates::Field;
  entries.field = type == ScalarType::boolean ? Field::pattern : Field::integer;
  for (std::int64_t y = 0; y < p.height; ++y)
    for (std::int64_t x = 0; x < p.width; ++x) {
      const unsigned char value = p.at(y, x);
      if (type == ScalarType::boolean && value < 128) continue;
      entries.indices.insert(entries.indices.end(), {y, x});
      if (type != ScalarType::boolean) entries.integers.push_back(value);
    }
  entries.count = entries.indices.size() / 2;
  return bench::packed(entries, format, type == ScalarType::boolean ? Value::truth(false) : Value::of(type, 0));
}

const std::string truth_format = "{rle, sparse_rle, pattern}", grey_format = "{rle, rle} u8";

void erosion(Rows& rows, const Pixels& p, double aim) {
  Pixels binary = p;
  for (unsigned char& value : binary.values) value = value < 128 ? 0 : 255;
  run::Bindings data;
  data.sizes = {{"h", p.height}, {"w", p.width}};
  const format::Format format = format_of(truth_format, 2);
  data.arrays["image"] = pixels_packed(p, format, ScalarType::boolean);
  for (const char* result : {"tall", "small"})
    data.arrays[result] =
        *tensor::Tensor::create(ScalarType::boolean, {p.height, p.width}, format, Value::truth(false));
  std::string program;
  for (const std::string name : {"image", "tall", "small"})
    program += "tensor " + name + "(h, w): " + truth_format + "\n";
  program +=
      "tall(y,x) = coalesce(image(~(y-1),x), true) && image(y,x) && coalesce(image(~(y+1),x), true)\n"
      "small(y,x) = coalesce(tall(y,~(x-1)), true) && tall(y,x) && coalesce(tall(y,~(x+1)), true)\norder y x\n";
  std::vector<unsigned char> out(binary.values.size());
  const auto peer = opencv_erosion(binary.picture(), out.data());
  const Entrant theirs{"OpenCV", peer ? std::optional(called([] {}, *peer)) : std::nullopt};
  rows.push_back(contest("erosion in runs, " + p.name, {"", native(module_of(program), data)}, theirs, 15, aim));
}

void histogram(Rows& rows, const Pixels& p, double aim) {
  run::Bindings data;
  data.sizes = {{"h", p.height}, {"w", p.width}};
  data.arrays["image"] = pixels_packed(p, format_of(grey_format, 2), ScalarType::u8);
  data.arrays["mask"] = pixels_packed(p, format_of(truth_format, 2), ScalarType::boolean);
  const Value zero = Value::of(ScalarType::i64, 0);
  data.arrays["bins"] = *tensor::Tensor::create(ScalarType::i64, {16}, format::Format::dense(1), zero);
  const auto ours = module_of("tensor image(h, w): " + grey_format + "\ntensor mask(h, w): " + truth_format +
                              "\ntensor bins(16): i64\nloops {\n  bins .= 0\n"
                              "  for i, j { if mask(i,j) { bins(image(i,j)/16) += 1 } }\n}\n");
  std::vector<unsigned char> mask;
  for (const unsigned char value : p.values) mask.push_back(value < 128 ? 0 : 255);
  const auto peer = opencv_histogram(p.picture(), mask.data());
  const Entrant theirs{"OpenCV", peer ? std::optional(called([] {}, *peer)) : std::nullopt};
  rows.push_back(contest("masked histogram in runs, " + p.name, {"", native(ours, data)}, theirs, 15, aim));
}

}  // namespace

void pictures(Rows& rows, const Options& options) {
  std::vector<Pixels> all;
  for (const std::string name : {"skimage_horse", "skimage_bw_text", "itk_BinaryImage", "skimage_coins"})
    if (const auto p = read(options.data, name)) all.push_back(*p);
  if (all.empty()) all.push_back(discs());
  for (const Pixels& p : all)
    for (const std::int64_t times : {std::int64_t{1}, sized(8, 2)}) {
      const Pixels shown = times == 1 ? p : magnified(p, times);
      erosion(rows, shown, times == 1 ? 0 : 10);
      histogram(rows, shown, times == 1 ? 0 : 10);
    }
}

}  // namespace trellis::bench
