#include "engine/tensor/table.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "engine/tensor/allocate.hpp"
#include "engine/tensor/number_reader.hpp"

namespace trellis::tensor {

namespace {

using Field = Coordinates::Field;
using format::ScalarType;

constexpr char blank = ' ';

std::string_view trimmed(std::string_view field) {
  constexpr std::string_view around = " \t\r\f\v";
  const std::size_t first = field.find_first_not_of(around);
  if (first == std::string_view::npos) return {};
  return field.substr(first, field.find_last_not_of(around) - first + 1);
}

/// Fields of a line; quotation marks around one keep a separator that stands in it.
std::vector<std::string_view> fields_of(std::string_view line, char separator) {
  if (separator == blank) return words_of(line);
  std::vector<std::string_view> fields;
  std::size_t begin = 0;
  bool quoted = false;
  for (std::size_t at = 0; at <= line.size(); ++at) {
    if (at < line.size() && line[at] == '"') quoted = !quoted;
    if (at < line.size() && (quoted || line[at] != separator)) continue;
    std::string_view field = trimmed(line.substr(begin, at - begin));
    if (field.size() > 1 && field.front() == '"' && field.back() == '"') field = field.substr(1, field.size() - 2);
    fields.push_back(field);
    begin = at + 1;
  }
  return fields;
}

char separator_of(const std::string& kind, std::string_view line) {
  if (kind == ".tsv") return '\t';
  if (kind != ".csv") return blank;
  return line.find(',') == std::string_view::npos && line.find(';') != std::string_view::npos ? ';' : ',';
}

bool is_letter(std::string_view field) {
  return field.size() == 1 && std::isdigit(static_cast<unsigned char>(field[0])) == 0;
}

/// The value of a truth, of which tables hold words.
std::optional<std::string_view> truth(std::string_view field) {
  for (const std::string_view word : {"true", "True", "TRUE"})
    if (field == word) return "1";
  for (const std::string_view word : {"false", "False", "FALSE"})
    if (field == word) return "0";
  return std::nullopt;
}

bool is_number(std::string_view field) { return truth(field) || number_of(field); }

class TableReader {
 public:
  TableReader(std::string_view content, const std::string& kind, const FileRequest& request,
              text::Diagnostics& diagnostics)
      : lines_(content, '#', request, diagnostics), kind_(kind), request_(request), diagnostics_(diagnostics) {
    result_.field = Field::integer;
  }

  std::optional<Table> read() {
    while (lines_.next_data_line())
      if (!(columns_ ? row() : first())) return std::nullopt;
    if (!columns_) {
      lines_.file_error("E0403", "the file holds no row");
      return std::nullopt;
    }
    if (letters_.empty()) return array();
    return Table(std::move(result_));
  }

 private:
  std::optional<Table> array() const {
    const ScalarType whole = signs_.above_i64 ? ScalarType::u64 : ScalarType::i64;
    const ScalarType type = result_.field == Field::real ? ScalarType::f64 : whole;
    const Index shape = {rows_, static_cast<std::int64_t>(*columns_)};
    auto made = allocate(type, shape, format::Format::dense(2), format::Value::of(type, 0),
                         {request_.path, request_.span, request_.limit_bytes}, diagnostics_);
    if (!made) return std::nullopt;
    ArrayContents contents;
    contents.tensor = std::move(*made);
    for (std::size_t e = 0; e < result_.count; ++e) {
      contents.tensor.set_flat(static_cast<std::int64_t>(e), result_.value(e));
      if (e % *columns_ == 0) contents.lines.push_back({static_cast<std::int64_t>(e), result_.lines[e]});
    }
    return Table(std::move(contents));
  }

  bool first() {
    separator_ = separator_of(kind_, lines_.line());
    std::vector<std::string_view> fields = fields_of(lines_.line(), separator_);
    if (std::ranges::any_of(fields, is_number)) {
      columns_ = fields.size();
      result_.shape = {0, 0};
      return values(fields);
    }
    // Above names of rows, a line of names may begin with nothing.
    if (fields.size() > 1 && fields.front().empty()) fields.erase(fields.begin());
    columns_ = fields.size();
    names_ = std::ranges::all_of(fields, is_letter);
    for (const std::string_view field : fields) letters_ += names_ ? field : "";
    result_.shape = {0, 0};
    return true;
  }

  bool row() {
    std::vector<std::string_view> fields = fields_of(lines_.line(), separator_);
    const bool named = names_ && fields.size() == *columns_ + 1 && is_letter(fields.front());
    if (rows_ == 0 && !named) letters_.clear(), names_ = false;
    if (named) row_letter_ = fields.front()[0];
    if (named) fields.erase(fields.begin());
    if (names_ && !named) return lines_.error("E0405", "this line does not begin with a letter, as those before do");
    return values(fields);
  }

  bool values(const std::vector<std::string_view>& fields) {
    if (fields.size() != *columns_)
      return lines_.error("E0405", "this line has " + std::to_string(fields.size()) + " fields, the first one has " +
                                       std::to_string(*columns_));
    for (std::size_t column = 0; column < fields.size(); ++column)
      if (!value(fields[column], column)) return false;
    ++rows_;
    return true;
  }

  bool value(std::string_view field, std::size_t column) {
    if (!letters_.empty()) {
      const std::int64_t at = code(letters_[column]), row = code(row_letter_);
      result_.extent = Coordinates::Extent::inferred;
      result_.shape = {std::max(result_.shape[0], row + 1), std::max(result_.shape[1], at + 1)};
      result_.indices.insert(result_.indices.end(), {row, at});
    }
    return number(truth(field).value_or(field), "field " + std::to_string(column + 1));
  }

  bool number(std::string_view field, const std::string& name) {
    if (field.empty()) return lines_.error("E0405", name + " is empty");
    if (result_.field == Field::integer && !is_integer(field)) make_real(result_);
    lines_.read_from(field);
    return read_value(lines_, signs_, name, result_);
  }

  static std::int64_t code(char letter) { return static_cast<unsigned char>(letter); }

  NumberReader lines_;
  const std::string& kind_;
  const FileRequest& request_;
  text::Diagnostics& diagnostics_;
  NumberReader::Signs signs_;
  char separator_ = blank;
  std::optional<std::size_t> columns_;
  bool names_ = false;   ///< columns are named by letters, and so are rows
  std::string letters_;  ///< of the columns
  char row_letter_ = 0;
  std::int64_t rows_ = 0;
  Coordinates result_;
};

constexpr std::array<std::string_view, 4> table_names = {".csv", ".tsv", ".txt", ".dat"};

}  // namespace

bool is_table_name(const std::string& extension) {
  return std::ranges::find(table_names, extension) != table_names.end();
}

std::optional<Table> parse_table(std::string_view content, const std::string& kind, const FileRequest& request,
                                 text::Diagnostics& diagnostics) {
  return TableReader(content, kind, request, diagnostics).read();
}

std::optional<Table> read_table(const FileRequest& request, text::Diagnostics& diagnostics) {
  auto content = read_file(request, diagnostics);
  return content ? parse_table(*content, extension(request.path), request, diagnostics) : std::nullopt;
}

char table_separator(const std::string& kind) { return kind == ".csv" ? ',' : kind == ".tsv" ? '\t' : ' '; }

}  // namespace trellis::tensor
