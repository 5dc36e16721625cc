#include "engine/tensor/pgm.hpp"

#include <cctype>
#include <charconv>

#include "engine/tensor/allocate.hpp"

namespace trellis::tensor {

namespace {

using format::ScalarType;
using format::Value;

constexpr std::int64_t widest = 65535;

class PgmReader {
 public:
  PgmReader(std::string_view content, const FileRequest& request, text::Diagnostics& diagnostics)
      : content_(content), request_(request), diagnostics_(diagnostics) {}

  std::optional<ArrayContents> read() {
    const std::string_view magic = content_.substr(0, 2);
    if (magic != "P2" && magic != "P5") {
      error("E0403",
            ": this is no .pgm file: it must start with P2 or P5" +
                std::string(magic == "P3" || magic == "P6" ? "; a colour image has to be made grey first" : ""));
      return std::nullopt;
    }
    at_ = 2;
    if (!header_number(columns_, "width") || !header_number(rows_, "height") || !header_number(maximum_, "maximum"))
      return std::nullopt;
    if (maximum_ < 1 || maximum_ > widest) {
      error("E0404", here() + "the maximum " + std::to_string(maximum_) + " is outside 1..65535");
      return std::nullopt;
    }
    auto result = magic == "P2" ? text_pixels() : binary_pixels();
    if (result) result->truth = maximum_;
    return result;
  }

 private:
  /// Blanks, and comments up to the line's end.
  void skip_blanks() {
    for (; at_ < content_.size(); ++at_) {
      if (content_[at_] == '#') at_ = std::min(content_.find('\n', at_), content_.size() - 1);
      else if (std::isspace(static_cast<unsigned char>(content_[at_])) == 0) return;
      if (content_[at_] == '\n') ++line_;
    }
  }

  bool number(std::int64_t& value, const char* code, const std::string& meaning) {
    const std::string_view rest = content_.substr(at_);
    const auto [end, why] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
    const auto length = static_cast<std::size_t>(end - rest.data());
    const bool ends = length == rest.size() || std::isspace(static_cast<unsigned char>(*end)) != 0 || *end == '#';
    if (why != std::errc() || !ends || value < 0)
      return error(code, here() + "the " + meaning + " should be an integer that is not negative");
    at_ += length;
    return true;
  }

  bool header_number(std::int64_t& value, const std::string& meaning) {
    skip_blanks();
    if (at_ == content_.size()) return error("E0404", ": the file ends before its " + meaning);
    return number(value, "E0404", meaning);
  }

  std::optional<ArrayContents> text_pixels() {
    std::int64_t announced = 0;
    // A pixel takes at least one byte of the file, whatever its header claims.
    const bool possible =
        !__builtin_mul_overflow(rows_, columns_, &announced) && announced <= static_cast<std::int64_t>(content_.size());
    if (!possible) {
      error("E0407",
            ": the header announces " + shape_text({rows_, columns_}) + " pixels, which the file is too short for");
      return std::nullopt;
    }
    auto tensor = allocate(maximum_ <= 255 ? ScalarType::u8 : ScalarType::i32);
    if (!tensor) return std::nullopt;
    ArrayContents result{std::move(*tensor), 1, 0, 0, {}};
    for (std::int64_t flat = 0; flat < announced; ++flat) {
      skip_blanks();
      if (at_ == content_.size()) {
        error("E0407", ": the header announces " + std::to_string(announced) + " pixels, but the file has " +
                           std::to_string(flat));
        return std::nullopt;
      }
      if (result.lines.empty() || result.lines.back().line != line_) result.lines.push_back({flat, line_});
      std::int64_t value = 0;
      if (!number(value, "E0405", "value") || !below_maximum(value, here())) return std::nullopt;
      result.tensor.set_flat(flat, Value::of_integer(result.tensor.type(), value));
    }
    skip_blanks();
    if (at_ == content_.size()) return result;
    error("E0407", here() + "more follows than the " + std::to_string(announced) + " pixels that the header announces");
    return std::nullopt;
  }

  std::optional<ArrayContents> binary_pixels() {
    if (at_ < content_.size()) ++at_;  // one blank after the maximum
    const ElementCoding coding{ElementCoding::Kind::unsigned_integer, maximum_ <= 255 ? 1u : 2u, std::endian::big};
    auto result = decode_elements(content_.substr(at_), coding, {rows_, columns_}, format::Format::dense(2), request_,
                                  diagnostics_);
    if (!result) return std::nullopt;
    result->data_begin = at_;
    for (std::int64_t flat = 0; flat < result->tensor.count(); ++flat)
      if (!below_maximum(result->tensor.get_flat(flat).as_integer(), ", " + result->place(flat) + ": "))
        return std::nullopt;
    return result;
  }

  bool below_maximum(std::int64_t value, const std::string& place) {
    return value <= maximum_ || error("E0409", place + "the value " + std::to_string(value) +
                                                   " is above the file's maximum, " + std::to_string(maximum_));
  }

  std::optional<Tensor> allocate(ScalarType type) {
    return tensor::allocate(type, {rows_, columns_}, format::Format::dense(2), Value::of_integer(type, 0),
                            {request_.path, request_.span, request_.limit_bytes}, diagnostics_);
  }

  std::string here() const { return ", line " + std::to_string(line_) + ": "; }

  bool error(const char* code, const std::string& why) {
    diagnostics_.error(code, request_.span, "\"" + request_.path + "\"" + why);
    return false;
  }

  std::string_view content_;
  const FileRequest& request_;
  text::Diagnostics& diagnostics_;
  std::size_t at_ = 0, line_ = 1;
  std::int64_t columns_ = 0, rows_ = 0, maximum_ = 0;
};

}  // namespace

std::optional<ArrayContents> parse_pgm(std::string_view content, const FileRequest& request,
                                       text::Diagnostics& diagnostics) {
  return PgmReader(content, request, diagnostics).read();
}

std::optional<ArrayContents> read_pgm(const FileRequest& request, text::Diagnostics& diagnostics) {
  auto content = read_file(request, diagnostics);
  return content ? parse_pgm(*content, request, diagnostics) : std::nullopt;
}

std::string pgm_header(const Index& shape, std::int64_t maximum) {
  return "P5\n" + std::to_string(shape[1]) + " " + std::to_string(shape[0]) + "\n" + std::to_string(maximum) + "\n";
}

}  // namespace trellis::tensor
