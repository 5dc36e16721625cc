#include "engine/tensor/idx.hpp"

#include <algorithm>
#include <array>

#include "engine/tensor/allocate.hpp"

namespace trellis::tensor {

namespace {

using enum ElementCoding::Kind;

std::optional<ElementCoding> coding_of(unsigned char type) {
  switch (type) {
    case 0x08: return ElementCoding{unsigned_integer, 1, std::endian::big};
    case 0x09: return ElementCoding{signed_integer, 1, std::endian::big};
    case 0x0B: return ElementCoding{signed_integer, 2, std::endian::big};
    case 0x0C: return ElementCoding{signed_integer, 4, std::endian::big};
    case 0x0D: return ElementCoding{floating, 4, std::endian::big};
    case 0x0E: return ElementCoding{floating, 8, std::endian::big};
    default: return std::nullopt;
  }
}

}  // namespace

bool is_idx_name(std::string_view path) {
  std::string name(path.substr(path.find_last_of('/') + 1));
  if (is_gzip_name(name)) name.resize(name.size() - 3);
  if (name.ends_with(".idx")) return true;
  static constexpr std::array types{"-ubyte", "-byte", "-short", "-int", "-float", "-double"};
  const bool typed = std::any_of(types.begin(), types.end(), [&](const char* type) { return name.ends_with(type); });
  const std::size_t mark = name.rfind("idx");
  return typed && mark != std::string::npos && mark > 0 && (name[mark - 1] == '.' || name[mark - 1] == '-');
}

std::optional<ArrayContents> parse_idx(std::string_view content, const FileRequest& request,
                                       text::Diagnostics& diagnostics) {
  const auto refuse = [&](const char* code, text::Span span, const std::string& why) {
    diagnostics.error(code, span, "\"" + request.path + "\"" + why);
    return std::nullopt;
  };
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(content[at]); };
  if (content.size() < 4 || byte(0) != 0 || byte(1) != 0)
    return refuse("E0403", request.span, ": this is no idx file: it must start with two zero bytes");
  auto coding = coding_of(byte(2));
  if (!coding)
    return refuse("E0403", request.span, ", byte 2: " + std::to_string(byte(2)) + " is no element type of idx files");
  const std::size_t rank = byte(3);
  if (rank < 1 || rank > 4)
    return refuse("E0404", request.span, ", byte 3: " + std::to_string(rank) + " dimensions, not 1 to 4");
  std::size_t begin = 4 + 4 * rank;
  if (content.size() < begin)
    return refuse("E0404", request.span, ": the file ends before its " + std::to_string(rank) + " sizes");
  Index shape;
  for (std::size_t d = 0; d < rank; ++d) {
    std::int64_t size = 0;
    for (std::size_t k = 0; k < 4; ++k) size = size << 8 | byte(4 + 4 * d + k);
    shape.push_back(size);
  }
  std::string_view data = content.substr(begin);
  if (const auto& record = request.record) {
    const std::int64_t count = shape[0];
    if (!record->name.empty() || record->number > count)
      return refuse("E0420", record->span, " has " + std::to_string(count) + " records, which have numbers only");
    const std::size_t length = count == 0 ? 0 : data.size() / static_cast<std::size_t>(count);
    if (length * static_cast<std::size_t>(count) == data.size()) {  // else the size is wrong, as is said below
      const std::size_t skipped = length * static_cast<std::size_t>(record->number - 1);
      begin += skipped;
      data = data.substr(skipped, length);
      shape.erase(shape.begin());
    }
  }
  auto result = decode_elements(data, *coding, shape, format::Format::dense(static_cast<int>(shape.size())), request,
                                diagnostics);
  if (result) result->data_begin = begin;
  return result;
}

std::optional<ArrayContents> read_idx(const FileRequest& request, text::Diagnostics& diagnostics) {
  auto content = read_file(request, diagnostics);
  return content ? parse_idx(*content, request, diagnostics) : std::nullopt;
}

}  // namespace trellis::tensor
