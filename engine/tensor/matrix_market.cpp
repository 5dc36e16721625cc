#include "engine/tensor/matrix_market.hpp"

#include <algorithm>
#include <cctype>

#include "engine/tensor/allocate.hpp"
#include "engine/tensor/entry_lines.hpp"
#include "engine/tensor/number_reader.hpp"
#include "engine/tensor/text_source.hpp"

namespace trellis::tensor {

namespace {

using Field = Coordinates::Field;

struct MarketHeader {
  enum class Layout { coordinate, array } layout = Layout::coordinate;
  enum class Symmetry { general, symmetric, skew } symmetry = Symmetry::general;
  Field field = Field::real;
  std::int64_t rows = 0, columns = 0;
  std::int64_t entries = 0;  ///< lines that must follow
};

std::vector<std::string> lower_case_words(std::string_view line) {
  std::vector<std::string> words(1);
  for (char c : line) {
    if (std::isspace(static_cast<unsigned char>(c)) == 0) {
      words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

/// The lines of a coordinate file.
class MarketEntries {
 public:
  MarketEntries(NumberReader& lines, const MarketHeader& header) : lines_(lines), header_(header) {
    entries_.shape = {header.rows, header.columns};
    entries_.field = header.field;
  }
  /// Lines that held an entry.
  std::int64_t read() const { return read_; }

  MarketEntries alone(NumberReader& lines) const { return {lines, header_}; }

  bool take(MarketEntries& piece, std::size_t lines_before) {
    Coordinates& more = piece.entries_;
    const bool one_side = !piece.lower_ || !lower_ || *lower_ == *piece.lower_;
    const bool negative = signs_.negative || piece.signs_.negative;
    const bool above = signs_.above_i64 || piece.signs_.above_i64;
    const bool negated = above && header_.symmetry == MarketHeader::Symmetry::skew;
    if (!one_side || (negative && above) || negated || read_ + piece.read_ > header_.entries ||
        !lines_.has_room((entries_.count + more.count) * entries_.entry_bytes()))
      return false;
    if (piece.lower_) lower_ = piece.lower_;
    signs_ = {negative, above};
    read_ += piece.read_;
    append(entries_, more, lines_before);
    return true;
  }

  bool entry() {
    if (++read_ > header_.entries) return surplus();
    std::int64_t row = 0, column = 0;
    if (!lines_.read(row, "row") || !lines_.read(column, "column")) return false;
    if (!inside("row", row, header_.rows) || !inside("column", column, header_.columns)) return false;
    return one_triangle(row, column) && value(row - 1, column - 1);
  }

  /// The same of an array file, where lines have no indices.
  bool element(std::int64_t row, std::int64_t column) {
    return ++read_ > header_.entries ? surplus() : value(row, column);
  }

  Coordinates finish() {
    entries_.unsigned_integers = signs_.above_i64;
    return std::move(entries_);
  }

  /// An entry takes at least two bytes of the file, whatever its header claims.
  void reserve(std::size_t file_bytes, std::size_t limit_bytes) {
    const std::size_t copies = header_.symmetry == MarketHeader::Symmetry::general ? 1 : 2;
    std::size_t likely = copies * std::min(static_cast<std::size_t>(header_.entries), file_bytes / 2 + 1);
    likely = std::min(likely, limit_bytes / entries_.entry_bytes() + 1);
    entries_.indices.reserve(2 * likely);
    entries_.lines.reserve(likely);
    if (header_.field == Field::real) entries_.reals.reserve(likely);
    if (header_.field == Field::integer) entries_.integers.reserve(likely);
  }

 private:
  bool value(std::int64_t row, std::int64_t column) {
    double real = 0;
    std::int64_t integer = 0;
    if (header_.field == Field::real && !lines_.read(real, "value")) return false;
    if (header_.field == Field::integer && !lines_.read(integer, signs_, "value")) return false;
    if (!lines_.end_line()) return false;
    store(row, column, real, integer);
    if (header_.symmetry == MarketHeader::Symmetry::general || row == column) return within_limit();
    bool negate = header_.symmetry == MarketHeader::Symmetry::skew;
    if (negate && signs_.above_i64) return lines_.error("E0405", "no integer type holds this value and its negation");
    auto negated = static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(integer));
    store(column, row, negate ? -real : real, negate ? negated : integer);
    return within_limit();
  }

  bool within_limit() { return lines_.within_limit(entries_.count * entries_.entry_bytes()); }

  void store(std::int64_t row, std::int64_t column, double real, std::int64_t integer) {
    entries_.indices.push_back(row);
    entries_.indices.push_back(column);
    if (header_.field == Field::real) entries_.reals.push_back(real);
    if (header_.field == Field::integer) entries_.integers.push_back(integer);
    entries_.lines.push_back(static_cast<std::uint32_t>(lines_.line_number()));
    ++entries_.count;
  }

  bool inside(const char* what, std::int64_t index, std::int64_t size) {
    if (index >= 1 && index <= size) return true;
    return lines_.error("E0406", std::string(what) + " " + std::to_string(index) + " is outside 1.." +
                                     std::to_string(size) + (index == 0 ? " (indices start at 1)" : ""));
  }

  /// The file lists either triangle; the symmetry implies the other one.
  bool one_triangle(std::int64_t row, std::int64_t column) {
    if (header_.symmetry == MarketHeader::Symmetry::general) return true;
    if (row == column)
      return header_.symmetry == MarketHeader::Symmetry::symmetric ||
             lines_.error("E0406", "a skew-symmetric file lists no entries on the diagonal");
    const bool lower = row > column;
    if (!lower_) lower_ = lower;
    return *lower_ == lower ||
           lines_.error("E0406",
                        std::string("a symmetric file lists entries on one side of the diagonal: this one is ") +
                            (lower ? "below it, earlier ones above" : "above it, earlier ones below"));
  }

  bool surplus() {
    return lines_.error("E0407",
                        "the header announces " + std::to_string(header_.entries) + " entries, but more follow");
  }

  NumberReader& lines_;
  const MarketHeader& header_;
  NumberReader::Signs signs_;
  std::optional<bool> lower_;  ///< the triangle that the file lists, once it is known
  std::int64_t read_ = 0;
  Coordinates entries_;
};

class MarketReader {
 public:
  MarketReader(TextSource& source, const FileRequest& request, text::Diagnostics& diagnostics)
      : source_(source), request_(request), lines_(source, comment, request, diagnostics) {}

  std::optional<Coordinates> read() {
    if (!banner() || !sizes()) return std::nullopt;
    MarketEntries all(lines_, header_);
    all.reserve(source_.likely_size(), request_.limit_bytes);
    const bool fine = header_.layout == MarketHeader::Layout::coordinate
                          ? EntryLines<MarketEntries>(lines_, request_, comment).read(all)
                          : array_entries(all);
    return fine && complete(all.read()) ? std::optional(all.finish()) : std::nullopt;
  }

 private:
  bool banner() {
    if (!lines_.next_line()) return lines_.file_error("E0403", "the file is empty");
    std::vector<std::string> words = lower_case_words(lines_.line());
    if (words.empty() || (words[0] != "%%matrixmarket" && words[0] != "%matrixmarket"))
      return lines_.error("E0403", "this is no Matrix Market file: it must start with '%%MatrixMarket matrix …'");
    if (words.size() != 5)
      return lines_.error("E0403",
                          "the banner needs five words, as in '%%MatrixMarket matrix coordinate real general'");
    if (words[1] != "matrix") return refuse("object", words[1], "matrix");
    return layout(words[2]) && field(words[3]) && symmetry(words[4]);
  }

  bool refuse(const std::string& what, const std::string& word, const std::string& supported) {
    return lines_.error("E0403", what + " '" + word.substr(0, 40) + "' is not supported; use " + supported);
  }

  bool layout(const std::string& word) {
    if (word == "array") header_.layout = MarketHeader::Layout::array;
    else if (word != "coordinate") return refuse("layout", word, "coordinate or array");
    return true;
  }

  bool field(const std::string& word) {
    if (word == "integer" || word == "unsigned-integer") header_.field = Field::integer;
    else if (word == "pattern") header_.field = Field::pattern;
    else if (word != "real" && word != "double") return refuse("field", word, "real, integer or pattern");
    bool valueless = header_.layout == MarketHeader::Layout::array && header_.field == Field::pattern;
    return !valueless || lines_.error("E0403", "an array cannot be a pattern: it would hold nothing");
  }

  /// Of values that are not complex, hermitian is symmetric.
  bool symmetry(const std::string& word) {
    if (word == "symmetric" || word == "hermitian") header_.symmetry = MarketHeader::Symmetry::symmetric;
    else if (word == "skew-symmetric") header_.symmetry = MarketHeader::Symmetry::skew;
    else if (word != "general") return refuse("symmetry", word, "general, symmetric or skew-symmetric");
    const bool signless = header_.symmetry == MarketHeader::Symmetry::skew && header_.field == Field::pattern;
    return !signless || lines_.error("E0403", "a pattern cannot be skew-symmetric: it has no values to negate");
  }

  bool sizes() {
    if (!lines_.next_data_line()) return lines_.file_error("E0404", "the size line is missing");
    bool coordinate = header_.layout == MarketHeader::Layout::coordinate;
    if (lines_.fields() != (coordinate ? 3u : 2u))
      return lines_.error("E0404", coordinate ? "the size line needs three numbers: rows, columns, entries"
                                              : "the size line needs two numbers: rows, columns");
    if (!lines_.read(header_.rows, "number of rows") || !lines_.read(header_.columns, "number of columns"))
      return false;
    if (coordinate && !lines_.read(header_.entries, "number of entries")) return false;
    if (header_.rows < 0 || header_.columns < 0 || header_.entries < 0)
      return lines_.error("E0404", "sizes cannot be negative");
    bool square = header_.rows == header_.columns;
    if (header_.symmetry != MarketHeader::Symmetry::general && !square)
      return lines_.error("E0404",
                          "only square matrices are symmetric, not " + shape_text({header_.rows, header_.columns}));
    return coordinate || count_array_entries();
  }

  bool count_array_entries() {
    std::int64_t all = 0;
    // Reject what cannot be counted; what can be counted but is not there is found out by reading.
    if (__builtin_mul_overflow(header_.rows, header_.columns, &all))
      return lines_.error("E0404",
                          "a matrix of " + shape_text({header_.rows, header_.columns}) + " has too many elements");
    switch (header_.symmetry) {
      case MarketHeader::Symmetry::general: header_.entries = all; break;
      case MarketHeader::Symmetry::symmetric: header_.entries = (all - header_.rows) / 2 + header_.rows; break;
      case MarketHeader::Symmetry::skew: header_.entries = (all - header_.rows) / 2; break;
    }
    return true;
  }

  bool array_entries(MarketEntries& all) {
    std::int64_t row = 0, column = 0;
    auto first_row = [&] {
      if (header_.symmetry == MarketHeader::Symmetry::general) return std::int64_t{0};
      return header_.symmetry == MarketHeader::Symmetry::symmetric ? column : column + 1;
    };
    row = first_row();
    while (lines_.next_data_line()) {
      if (!all.element(row, column)) return false;
      if (++row < header_.rows) continue;
      ++column;
      row = first_row();
    }
    return !lines_.failed();
  }

  bool complete(std::int64_t read) {
    return read == header_.entries ||
           lines_.file_error("E0407", "the header announces " + std::to_string(header_.entries) +
                                          " entries, but the file has " + std::to_string(read));
  }

  static constexpr char comment = '%';
  TextSource& source_;
  const FileRequest& request_;
  NumberReader lines_;
  MarketHeader header_;
};

}  // namespace

std::optional<Coordinates> parse_matrix_market(std::string_view content, const FileRequest& request,
                                               text::Diagnostics& diagnostics) {
  TextSource source(content);
  return MarketReader(source, request, diagnostics).read();
}

std::optional<Coordinates> read_matrix_market(const FileRequest& request, text::Diagnostics& diagnostics) {
  auto source = TextSource::open(request, diagnostics);
  return source ? MarketReader(*source, request, diagnostics).read() : std::nullopt;
}

}  // namespace trellis::tensor
