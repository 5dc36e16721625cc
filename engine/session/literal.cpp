#include "engine/session/literal.hpp"

#include <charconv>
#include <limits>

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
    if (words_.accept("inf")) {
      const double inf = std::numeric_limits<double>::infinity();
      if (!format::is_floating(type_)) {
        words_.diagnostics().error("E0614", at, "`inf` is for floating types only", "");
        return false;
      }
      return put(Value::of(ScalarType::f64, negative ? -inf : inf), at);
    }
    // Whole numbers keep their 64 bits instead of passing through a double.
    if (words_.peek() && words_.peek()->kind == lang::syntax::Word::Kind::number &&
        words_.peek()->text.find_first_of(".eExX") == std::string::npos) {
      const auto whole = words_.integer("a number");
      return whole && put(Value::of_integer(ScalarType::i64, negative ? -*whole : *whole), at);
    }
    const auto number = words_.number("a number, a list or `true`");
    return number && put(Value::of(ScalarType::f64, negative ? -*number : *number), at);
  }

  bool put(const Value& value, text::Span at) {
    const Value converted = format::cast(type_, value);
    if (converted.as_double() != value.as_double() && !format::is_floating(type_)) {
      words_.diagnostics().error("E0614", at, format::to_string(value) + " does not fit " + std::string(format::name_of(type_)), "");
      return false;
    }
    values_.push_back(converted);
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
