#include "engine/tensor/npy.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <memory>
#include <utility>

#include "engine/tensor/borrow.hpp"
#include "engine/tensor/spill.hpp"

namespace trellis::tensor {

static_assert(std::endian::native == std::endian::little, "elements are written as they lie in memory");

namespace {

using format::ScalarType;
using format::Value;

constexpr std::string_view npy_magic = "\x93NUMPY";

constexpr std::array<std::pair<std::string_view, ScalarType>, 9> descriptors{{{"<f8", ScalarType::f64},
                                                                              {"<f4", ScalarType::f32},
                                                                              {"<i8", ScalarType::i64},
                                                                              {"<i4", ScalarType::i32},
                                                                              {"<i2", ScalarType::i16},
                                                                              {"<u8", ScalarType::u64},
                                                                              {"<u4", ScalarType::u32},
                                                                              {"|u1", ScalarType::u8},
                                                                              {"|b1", ScalarType::boolean}}};

/// "<f8", ">i2", "|b1": byte order, kind, width; without an order, this machine's. "?" is a bool. Empty if the language
/// has no such element.
std::optional<ElementCoding> coding_of(std::string descriptor) {
  using Kind = ElementCoding::Kind;
  const bool ordered = !descriptor.empty() && std::string_view("<>=|").find(descriptor[0]) != std::string_view::npos;
  if (!ordered) descriptor.insert(0, "=");
  if (descriptor.ends_with('?')) descriptor.replace(1, descriptor.size() - 1, "b1");
  if (descriptor.size() != 3) return std::nullopt;
  const std::string_view kinds = "biuf";
  const std::size_t kind = kinds.find(descriptor[1]);
  if (kind == std::string_view::npos || std::string_view("1248").find(descriptor[2]) == std::string_view::npos)
    return std::nullopt;
  const ElementCoding coding{
      std::array{Kind::boolean, Kind::signed_integer, Kind::unsigned_integer, Kind::floating}[kind],
      static_cast<std::size_t>(descriptor[2] - '0'), descriptor[0] == '>' ? std::endian::big : std::endian::little};
  return type_for(coding) ? std::optional(coding) : std::nullopt;
}

struct NpyHeader {
  std::string descriptor;
  bool fortran_order = false;
  Index shape;
};

/// The text behind a key of the header's dictionary, blanks and the colon skipped; empty if there is no such key.
/// Writers use either quotation mark.
std::string_view header_value(std::string_view header, std::string_view key) {
  for (const char quote : {'\'', '"'}) {
    std::size_t at = header.find(quote + std::string(key) + quote);
    if (at == std::string_view::npos) continue;
    at = header.find_first_not_of(" \t\r\n:", at + key.size() + 2);
    return at == std::string_view::npos ? std::string_view() : header.substr(at);
  }
  return {};
}

/// Sizes between parentheses, or brackets as in a list; `3L` is how Python 2 wrote a long one.
std::optional<Index> parse_shape(std::string_view text) {
  const bool list = text.starts_with('[');
  const std::size_t end = text.find(list ? ']' : ')');
  if ((!list && !text.starts_with('(')) || end == std::string_view::npos) return std::nullopt;
  text = text.substr(1, end - 1);
  Index shape;
  while (true) {
    std::size_t first = text.find_first_not_of(" \t\r\n,");
    if (first == std::string_view::npos) return shape;
    text.remove_prefix(first);
    std::int64_t size = 0;
    auto [stop, why] = std::from_chars(text.data(), text.data() + text.size(), size);
    if (why != std::errc() || size < 0) return std::nullopt;
    shape.push_back(size);
    text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
    if (text.starts_with('L')) text.remove_prefix(1);
  }
}

/// A string in either quotation mark; Python 2 may have put a `u` or `b` before it. Empty if it is none.
std::optional<std::string> parse_string(std::string_view text) {
  if (text.starts_with('u') || text.starts_with('b')) text.remove_prefix(1);
  if (!text.starts_with('\'') && !text.starts_with('"')) return std::nullopt;
  const std::size_t end = text.find(text[0], 1);
  return end == std::string_view::npos ? std::nullopt : std::optional(std::string(text.substr(1, end - 1)));
}

std::optional<NpyHeader> parse_header(std::string_view text) {
  NpyHeader header;
  auto descriptor = parse_string(header_value(text, "descr"));
  auto shape = parse_shape(header_value(text, "shape"));
  if (!descriptor || !shape) return std::nullopt;
  header.descriptor = std::move(*descriptor);
  header.shape = std::move(*shape);
  const std::string_view order = header_value(text, "fortran_order");
  const auto is_one_of = [&](const std::string_view(&words)[3]) {
    return std::ranges::any_of(words, [&](std::string_view word) { return order.starts_with(word); });
  };
  header.fortran_order = is_one_of({"True", "true", "1"});
  const bool complete = header.fortran_order || is_one_of({"False", "false", "0"});
  return complete ? std::optional(header) : std::nullopt;
}

/// Splits the content into header text and data; empty if it is no such file.
std::optional<std::pair<std::string_view, std::string_view>> split(std::string_view content) {
  if (!content.starts_with(npy_magic) || content.size() < 12) return std::nullopt;
  auto byte = [&](std::size_t at) { return static_cast<std::size_t>(static_cast<unsigned char>(content[at])); };
  std::size_t start = byte(6) == 1 ? 10 : 12;
  std::size_t length = byte(8) | byte(9) << 8;
  if (start == 12) length |= byte(10) << 16 | byte(11) << 24;
  if (byte(6) < 1 || byte(6) > 3 || content.size() - start < length) return std::nullopt;
  return std::pair(content.substr(start, length), content.substr(start + length));
}

}  // namespace

std::optional<ArrayContents> parse_npy(std::string_view content, const FileRequest& request,
                                       text::Diagnostics& diagnostics) {
  auto refuse = [&](const char* code, const std::string& why) {
    diagnostics.error(code, request.span, "\"" + request.path + "\": " + why);
    return std::nullopt;
  };
  auto parts = split(content);
  if (!parts) return refuse("E0403", "this is no .npy file");
  auto header = parse_header(parts->first);
  if (!header) return refuse("E0404", "the header makes no sense: it must state descr, fortran_order and shape");
  const auto coding = coding_of(header->descriptor);
  if (!coding)
    return refuse("E0403", "element type '" + header->descriptor.substr(0, 40) +
                               "' is not supported; use bool, an integer of 8 to " +
                               "64 bits, or a floating type of 16 to 64");
  format::Format format = format::Format::dense(static_cast<int>(header->shape.size()));
  if (header->fortran_order) std::reverse(format.order.begin(), format.order.end());
  auto result = decode_elements(parts->second, *coding, header->shape, format, request, diagnostics);
  if (result) result->data_begin = content.size() - parts->second.size();
  return result;
}

namespace {

/// All bytes of a file, at addresses of their own: read as they are touched.
struct NpyView {
  std::shared_ptr<const char> bytes;
  std::size_t size;
  std::string path;  ///< of this very file, whatever its name leads to later
};

std::optional<NpyView> npy_view(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat info;
  const bool whole = file >= 0 && fstat(file, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0;
  const auto size = whole ? static_cast<std::size_t>(info.st_size) : 0;
  void* const data = whole ? mmap(nullptr, size, PROT_READ, MAP_SHARED, file, 0) : MAP_FAILED;
  if (data == MAP_FAILED) {
    if (file >= 0) close(file);
    return std::nullopt;
  }
  const auto end = [size, file](const char* begin) {
    munmap(const_cast<char*>(begin), size);
    close(file);
  };
  return NpyView{{static_cast<const char*>(data), end}, size, path_of_descriptor(file)};
}

/// What is too large to be read, where it is. Empty where it cannot stay there, whatever it is.
std::optional<ArrayContents> npy_in_place(const FileRequest& request) {
  const auto view = npy_view(request.path);
  if (!view || view->size <= request.memory_bytes.value_or(request.limit_bytes)) return std::nullopt;
  const auto parts = split({view->bytes.get(), view->size});
  const auto header = parts ? parse_header(parts->first) : std::nullopt;
  const auto coding = header ? coding_of(header->descriptor) : std::nullopt;
  if (!coding || coding->order != std::endian::native || coding->kind == ElementCoding::Kind::boolean)
    return std::nullopt;
  const ScalarType type = *type_for(*coding);
  const auto bytes = Tensor::bytes_needed(type, header->shape);
  if (format::size_of(type) != coding->bytes || bytes != parts->second.size()) return std::nullopt;
  format::Format format = format::Format::dense(static_cast<int>(header->shape.size()));
  if (header->fortran_order) std::reverse(format.order.begin(), format.order.end());
  const std::size_t begin = view->size - parts->second.size();
  const std::vector<BorrowedLevel> none_listed(header->shape.size());
  auto there = borrow(type, header->shape, format, Value::of(type, 0),
                      {none_listed, parts->second.data(), view->bytes, FilePlace{view->path, begin}});
  if (!there) return std::nullopt;
  ArrayContents contents{std::move(*there)};
  contents.data_begin = begin;
  contents.element_bytes = coding->bytes;
  contents.in_place = true;
  return contents;
}

}  // namespace

std::optional<ArrayContents> read_npy(const FileRequest& request, text::Diagnostics& diagnostics) {
  if (auto there = npy_in_place(request)) return there;
  const auto content = read_file(request, diagnostics);
  return content ? parse_npy(*content, request, diagnostics) : std::nullopt;
}

std::string npy_header(ScalarType type, const Index& shape, bool fortran_order) {
  const auto* entry =
      std::find_if(descriptors.begin(), descriptors.end(), [&](const auto& e) { return e.second == type; });
  std::string sizes;
  for (std::int64_t size : shape) sizes += std::to_string(size) + ", ";
  if (shape.size() == 1) sizes.pop_back();
  else if (shape.size() > 1) sizes.resize(sizes.size() - 2);
  std::string text = "{'descr': '" + std::string(entry->first) +
                     "', 'fortran_order': " + (fortran_order ? "True" : "False") + ", 'shape': (" + sizes + "), }";
  constexpr std::size_t prefix = 10, alignment = 64;
  while ((prefix + text.size() + 1) % alignment != 0) text += ' ';
  text += '\n';
  std::string header(npy_magic);
  header += {'\x01', '\x00', static_cast<char>(text.size() & 0xFF), static_cast<char>(text.size() >> 8)};
  return header + text;
}

}  // namespace trellis::tensor
