#include "engine/tensor/tns.hpp"

#include <algorithm>
#include <cstdlib>

#include "engine/tensor/number_reader.hpp"

namespace trellis::tensor {

namespace {

using Field = Coordinates::Field;

constexpr std::string_view shape_comment = "# shape";

/// The sizes that a line lists; empty if it holds anything else.
std::optional<Index> sizes_in(std::string_view line) {
  Index sizes;
  for (const std::string_view word : words_of(line)) {
    if (!is_integer(word) || word[0] == '-') return std::nullopt;
    sizes.push_back(std::strtoll(std::string(word).c_str(), nullptr, 10));
  }
  return sizes;
}

/// What stands before the entries: the shape, and how many they are, as far as it is said. Empty: no header.
///
///   # shape 3 4             a comment, as they are saved here
///   2 5 / 3 4               rank and entries, then sizes: the extended FROSTT format
///   2 / 3 4                 rank, then sizes
///   sptensor / 2 / 3 4 / 5  rank, sizes and entries: the tensor toolbox for Matlab
struct Header {
  Index shape;
  std::optional<std::int64_t> entries = {};
  int lines = 0;  ///< of those that are neither empty nor comments
};

/// `first`: lines that are neither empty nor comments.
std::optional<Header> dialect(const std::vector<std::string_view>& first, bool says_extended) {
  const auto sizes = [&](std::size_t line) { return line < first.size() ? sizes_in(first[line]) : std::nullopt; };
  const auto begins = sizes(0), follows = sizes(1), third = sizes(2);
  if (!first.empty() && words_of(first[0]).front() == "sptensor") {
    const auto count = sizes(3);
    const bool ranked = follows && follows->size() == 1 && third && std::ssize(*third) == follows->front();
    const bool fits = ranked && count && count->size() == 1;
    return fits ? std::optional(Header{*third, count->front(), 4}) : std::nullopt;
  }
  if (!begins || begins->size() > 2 || !follows || std::ssize(*follows) != begins->front()) return std::nullopt;
  const bool counted = begins->size() == 2;
  // Two lines alike in length are two entries, unless the line behind them is longer or none is announced.
  const std::size_t fields = first.size() > 2 ? words_of(first[2]).size() : 0;
  const bool entry_follows = fields == follows->size() + 1;
  const bool none_follow = fields == 0 && (says_extended || follows->size() != begins->size());
  if (!entry_follows && !none_follow) return std::nullopt;
  return Header{*follows, counted ? std::optional((*begins)[1]) : std::nullopt, 2};
}

std::optional<Header> header_of(std::string_view content, const FileRequest& request) {
  text::Diagnostics nobody;
  NumberReader lines(content, '#', request, nobody);
  std::vector<std::string_view> first;
  bool says_extended = false;
  while (first.size() < 4 && lines.next_line()) {
    const std::string_view line = lines.line();
    const auto words = words_of(line);
    if (words.empty()) continue;
    says_extended = says_extended || (line[0] == '#' && line.find("extended FROSTT") != std::string_view::npos);
    if (first.empty() && line.starts_with(shape_comment))
      if (auto shape = sizes_in(line.substr(shape_comment.size()))) return Header{std::move(*shape)};
    if (words.front()[0] != '#') first.push_back(line);
  }
  return dialect(first, says_extended);
}

class TnsReader {
 public:
  TnsReader(std::string_view content, const FileRequest& request, text::Diagnostics& diagnostics)
      : lines_(content, '#', request, diagnostics), header_(header_of(content, request)) {
    result_.field = Field::integer;
    result_.extent = Coordinates::Extent::inferred;
  }

  std::optional<Coordinates> read() {
    if (header_) result_.shape = header_->shape;
    for (int line = 0; header_ && line < header_->lines; ++line) lines_.next_data_line();
    while (lines_.next_data_line())
      if (!is_as_long() || !entry()) return std::nullopt;
    const auto count = static_cast<std::int64_t>(result_.count);
    if (header_ && header_->entries && *header_->entries != count) {
      lines_.file_error("E0407", "the header announces " + std::to_string(*header_->entries) +
                                     " entries, but the file has " + std::to_string(count));
      return std::nullopt;
    }
    return std::move(result_);
  }

 private:
  bool is_as_long() {
    const std::size_t here = lines_.fields();
    if (result_.count == 0 && !header_) result_.shape.assign(here - 1, 0);
    const std::size_t wanted = result_.rank() + 1;
    return here == wanted || lines_.error("E0405", "this line has " + std::to_string(here) +
                                                       " fields, the first one has " + std::to_string(wanted));
  }

  bool entry() {
    for (std::int64_t& size : result_.shape) {
      std::int64_t index = 0;
      if (!lines_.read(index, "index")) return false;
      if (index < 1) return lines_.error("E0406", "index " + std::to_string(index) + " is below 1: indices start at 1");
      if (header_ && index > size)
        return lines_.error("E0406", "index " + std::to_string(index) + " is outside 1.." + std::to_string(size));
      size = std::max(size, index);
      result_.indices.push_back(index - 1);
    }
    return value();
  }

  bool value() {
    if (result_.field == Field::integer && !is_integer(lines_.peek())) make_real(result_);
    return read_value(lines_, signs_, "value", result_);
  }

  NumberReader lines_;
  NumberReader::Signs signs_;
  const std::optional<Header> header_;
  Coordinates result_;
};

}  // namespace

std::optional<Coordinates> parse_tns(std::string_view content, const FileRequest& request,
                                     text::Diagnostics& diagnostics) {
  return TnsReader(content, request, diagnostics).read();
}

std::optional<Coordinates> read_tns(const FileRequest& request, text::Diagnostics& diagnostics) {
  auto content = read_file(request, diagnostics);
  return content ? parse_tns(*content, request, diagnostics) : std::nullopt;
}

std::string tns_header(const Index& shape) {
  std::string line(shape_comment);
  for (const std::int64_t size : shape) line += " " + std::to_string(size);
  return line + "\n";
}

}  // namespace trellis::tensor
