#include "engine/tensor/tns.hpp"

#include <algorithm>
#include <cstdlib>

#include "engine/tensor/entry_lines.hpp"
#include "engine/tensor/number_reader.hpp"
#include "engine/tensor/text_source.hpp"

namespace trellis::tensor {

namespace {

using Field = Coordinates::Field;

constexpr char comment = '#';
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
std::optional<Header> dialect(const std::vector<std::string>& first, bool says_extended) {
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

std::optional<Header> header_of(TextSource& source, const FileRequest& request) {
  text::Diagnostics nobody;
  NumberReader lines(source, comment, request, nobody);
  std::vector<std::string> first;
  bool says_extended = false;
  while (first.size() < 4 && lines.next_line()) {
    const std::string_view line = lines.line();
    const auto words = words_of(line);
    if (words.empty()) continue;
    says_extended = says_extended || (line[0] == comment && line.find("extended FROSTT") != std::string_view::npos);
    if (first.empty() && line.starts_with(shape_comment))
      if (auto shape = sizes_in(line.substr(shape_comment.size()))) return Header{std::move(*shape)};
    if (words.front()[0] != comment) first.emplace_back(line);
  }
  return dialect(first, says_extended);
}

/// The lines of entries.
class TnsEntries {
 public:
  TnsEntries(NumberReader& lines, const std::optional<Header>& header) : lines_(lines), header_(header) {
    entries_.field = Field::integer;
    entries_.extent = Coordinates::Extent::inferred;
    if (header) entries_.shape = header->shape;
  }

  TnsEntries alone(NumberReader& lines) const {
    TnsEntries piece(lines, header_);
    if (!header_) piece.entries_.shape.assign(entries_.rank(), 0);
    piece.ranked_ = ranked_;
    return piece;
  }

  bool take(TnsEntries& piece, std::size_t lines_before) {
    Coordinates& more = piece.entries_;
    if (more.count == 0) return true;
    const bool ranked = ranked_ || header_;
    const bool whole = entries_.field == Field::integer && more.field == Field::integer;
    const NumberReader::Signs both{signs_.negative || piece.signs_.negative,
                                   signs_.above_i64 || piece.signs_.above_i64};
    if ((ranked && more.rank() != entries_.rank()) || (whole && both.negative && both.above_i64) ||
        !lines_.has_room((entries_.count + more.count) * more.entry_bytes()))
      return false;
    if (!ranked) entries_.shape.assign(more.rank(), 0);
    for (std::size_t d = 0; d < more.rank(); ++d) entries_.shape[d] = std::max(entries_.shape[d], more.shape[d]);
    if (!whole && entries_.field == Field::integer) make_real(entries_);
    if (!whole && more.field == Field::integer) make_real(more);
    ranked_ = true;
    signs_ = both;
    append(entries_, more, lines_before);
    entries_.unsigned_integers = both.above_i64;
    return true;
  }

  bool entry() {
    if (!is_as_long()) return false;
    for (std::int64_t& size : entries_.shape) {
      std::int64_t index = 0;
      if (!lines_.read(index, "index")) return false;
      if (index < 1) return lines_.error("E0406", "index " + std::to_string(index) + " is below 1: indices start at 1");
      if (header_ && index > size)
        return lines_.error("E0406", "index " + std::to_string(index) + " is outside 1.." + std::to_string(size));
      size = std::max(size, index);
      entries_.indices.push_back(index - 1);
    }
    if (entries_.field == Field::integer && !is_integer(lines_.peek())) make_real(entries_);
    return read_value(lines_, signs_, "value", entries_);
  }

  Coordinates& entries() { return entries_; }

 private:
  bool is_as_long() {
    const std::size_t here = lines_.fields();
    if (!ranked_ && !header_) entries_.shape.assign(here - 1, 0);
    ranked_ = true;
    const std::size_t wanted = entries_.rank() + 1;
    return here == wanted || lines_.error("E0405", "this line has " + std::to_string(here) +
                                                       " fields, the first one has " + std::to_string(wanted));
  }

  NumberReader& lines_;
  NumberReader::Signs signs_;
  const std::optional<Header>& header_;
  bool ranked_ = false;  ///< a line has said how many indices there are
  Coordinates entries_;
};

std::optional<Coordinates> read(TextSource& source, const FileRequest& request, text::Diagnostics& diagnostics) {
  const std::optional<Header> header = header_of(source, request);
  source.rewind();
  NumberReader lines(source, comment, request, diagnostics);
  for (int line = 0; header && line < header->lines; ++line) lines.next_data_line();
  TnsEntries all(lines, header);
  if (!EntryLines<TnsEntries>(lines, request, comment).read(all)) return std::nullopt;
  const auto count = static_cast<std::int64_t>(all.entries().count);
  if (header && header->entries && *header->entries != count) {
    lines.file_error("E0407", "the header announces " + std::to_string(*header->entries) +
                                  " entries, but the file has " + std::to_string(count));
    return std::nullopt;
  }
  return std::move(all.entries());
}

}  // namespace

std::optional<Coordinates> parse_tns(std::string_view content, const FileRequest& request,
                                     text::Diagnostics& diagnostics) {
  TextSource source(content);
  return read(source, request, diagnostics);
}

std::optional<Coordinates> read_tns(const FileRequest& request, text::Diagnostics& diagnostics) {
  auto source = TextSource::open(request, diagnostics);
  return source ? read(*source, request, diagnostics) : std::nullopt;
}

std::string tns_header(const Index& shape) {
  std::string line(shape_comment);
  for (const std::int64_t size : shape) line += " " + std::to_string(size);
  return line + "\n";
}

}  // namespace trellis::tensor
