#include "engine/session/program/literal.hpp"

#include <charconv>
#include <limits>

#include "engine/tensor/coordinates.hpp"

namespace trellis::session {
namespace {

using format::ScalarType;
using format::Value;

class Reader {
 public:
  Reader(Words& words, ScalarType type) : words_(words), type_(type) {}

  std::optional<ListLiteral> read() {
    if (!read_item(0)) return std::nullopt;
    return ListLiteral{lengths_, std::move(values_)};
  }

 private:
  // item := value | "[" [item {"," item}] "]"
  bool read_item(std::size_t depth) {
    const text::Span at = words_.span();
    if (!words_.accept("[")) {
      if (leaf_depth_ && *leaf_depth_ != depth) return uneven(at);
      leaf_depth_ = depth;
      return read_value();
    }
    if (depth >= 16) return uneven(at);
    std::int64_t length = 0;
    while (!words_.accept("]")) {
      if (length > 0 && !words_.accept(",")) {
        words_.unexpected("`,` or `]`");
        return false;
      }
      if (!read_item(depth + 1)) return false;
      ++length;
    }
    if (length == 0 && !leaf_depth_) leaf_depth_ = depth + 1;
    if (lengths_.size() <= depth) lengths_.resize(depth + 1, -1);
    if (lengths_[depth] >= 0 && lengths_[depth] != length) return uneven(at);
    lengths_[depth] = length;
    return true;
  }

  bool uneven(text::Span at) {
    words_.diagnostics().error("E0614", at, "the lists do not all have the same length", "this one differs");
    return false;
  }

  bool read_value() {
    const text::Span at = words_.span();
    const bool negative = words_.accept("-");
    if (words_.accept("true")) return put(Value::truth(true), at);
    if (words_.accept("false")) return put(Value::truth(false), at);
    for (const std::string_view name : {"inf", "nan"}) {
      if (!words_.accept(name)) continue;
      const double number =
          name == "inf" ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
      if (format::is_floating(type_)) return put(Value::of(ScalarType::f64, negative ? -number : number), at);
      words_.diagnostics().error("E0614", at, "`" + std::string(name) + "` is for floating types only", "");
      return false;
    }
    if (const auto whole = whole_number(negative)) {
      words_.accept(std::string(words_.peek()->text));
      return put(*whole, at);
    }
    const lang::syntax::Word* const word = words_.peek();
    const bool has_digits_alone = word && word->kind == lang::syntax::Word::Kind::number &&
                                  word->text.find_first_not_of("0123456789") == std::string::npos;
    if (has_digits_alone && !format::is_floating(type_)) {  // a double would be another number
      words_.diagnostics().error(
          "E0614", at,
          std::string(negative ? "-" : "") + word->text + " does not fit " + std::string(format::name_of(type_)), "");
      return false;
    }
    const auto number = words_.number("a number, a list or `true`");
    return number && put(Value::of(ScalarType::f64, negative ? -*number : *number), at);
  }

  /// The next word, if it is an integer that i64 or u64 holds: it keeps its 64 bits instead of passing through a
  /// double.
  std::optional<Value> whole_number(bool negative) const {
    const lang::syntax::Word* const word = words_.peek();
    if (!word || word->kind != lang::syntax::Word::Kind::number) return std::nullopt;
    std::string_view digits = word->text;
    const bool hexadecimal = digits.starts_with("0x") || digits.starts_with("0X");
    if (hexadecimal) digits.remove_prefix(2);
    std::uint64_t magnitude = 0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), magnitude, hexadecimal ? 16 : 10);
    constexpr std::uint64_t least = std::uint64_t{1} << 63;  // of i64, without its sign
    if (error != std::errc() || end != digits.data() + digits.size() || (negative && magnitude > least))
      return std::nullopt;
    const auto bits = static_cast<std::int64_t>(negative ? 0 - magnitude : magnitude);
    if (negative && magnitude == 0 && format::is_floating(type_)) return std::nullopt;  // -0 has a sign
    return Value::of_integer(!negative && magnitude >= least ? ScalarType::u64 : ScalarType::i64, bits);
  }

  bool put(const Value& value, text::Span at) {
    const auto converted = tensor::convert_exactly(type_, value);
    if (!converted) {
      words_.diagnostics().error("E0614", at,
                                 format::to_string(value) + " does not fit " + std::string(format::name_of(type_)), "");
      return false;
    }
    values_.push_back(*converted);
    return true;
  }

  Words& words_;
  ScalarType type_;
  tensor::Index lengths_;
  std::optional<std::size_t> leaf_depth_;
  std::vector<Value> values_;
};

}  // namespace

std::optional<ListLiteral> read_literal(Words& words, ScalarType type) {
  if (words.peek() && words.peek()->kind == lang::syntax::Word::Kind::string) {
    const std::string bytes = words.string("a string")->text;
    ListLiteral literal{{static_cast<std::int64_t>(bytes.size())}, {}};
    for (const char c : bytes) literal.values.push_back(Value::of_integer(type, static_cast<unsigned char>(c)));
    return words.finish() ? std::optional(std::move(literal)) : std::nullopt;
  }
  auto literal = Reader(words, type).read();
  return literal && words.finish() ? std::move(literal) : std::nullopt;
}

}  // namespace trellis::session
