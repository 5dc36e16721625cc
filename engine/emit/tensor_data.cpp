#include "engine/emit/tensor_data.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "engine/emit/result.hpp"
#include "engine/format/level.hpp"

namespace trellis::emit {
namespace {

using format::Array;
using format::ScalarType;

std::string real_text(double value) {
  if (std::isnan(value)) return "NAN";
  if (std::isinf(value)) return value < 0 ? "-HUGE_VAL" : "HUGE_VAL";
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", value);
  const bool whole = std::strpbrk(text, ".e") == nullptr;
  return std::string(text) + (whole ? ".0" : "");
}

std::string integer_text(std::int64_t value, bool is_unsigned) {
  if (is_unsigned) return std::to_string(static_cast<std::uint64_t>(value)) + "u";
  if (value == std::numeric_limits<std::int64_t>::min()) return "(-9223372036854775807 - 1)";
  return std::to_string(value);
}

std::string value_text(const format::Value& value) {
  return format::is_floating(value.type) ? real_text(value.real)
                                         : integer_text(value.integer, value.type == ScalarType::u64);
}

/// Sixteen a line.
class List {
 public:
  void add(const std::string& element) {
    if (count_ > 0) text_ += count_ % 16 == 0 ? ",\n    " : ", ";
    text_ += element;
    ++count_;
  }
  std::string text() const { return "{" + (count_ > 0 ? text_ : "0") + "}"; }
  std::int64_t count() const { return count_; }

 private:
  std::string text_;
  std::int64_t count_ = 0;
};

class DefinitionWriter {
 public:
  explicit DefinitionWriter(const DefinedTensor& defined)
      : defined_(defined), stored_(defined.tensor.stored()), facts_(format::facts(stored_.format())) {}

  std::string write() {
    const std::string& name = defined_.name;
    List shape, order;
    for (const std::int64_t size : defined_.tensor.shape()) shape.add(std::to_string(size));
    for (const int dimension : stored_.format().order) order.add(std::to_string(dimension));
    out_ += "static const int64_t " + name + "_shape[] = " + shape.text() + ";\n";
    const bool layout = defined_.tensor.format().layout != nullptr;
    if (!layout) out_ += "static const int32_t " + name + "_order[] = " + order.text() + ";\n";
    std::string levels;
    for (int l = 0; l < stored_.levels(); ++l) levels += (l > 0 ? ",\n    " : "\n    ") + level(l);
    if (stored_.levels() > 0) out_ += "static trellis_level " + name + "_levels[] = {" + levels + "};\n";
    const std::string values = defined_.tensor.format().pattern ? "{0, 0, 0}" : value_buffer();
    const format::Value& fill = defined_.tensor.fill();
    out_ += "static trellis_tensor " + name + " = {\n    TRELLIS_ABI, sizeof(trellis_tensor), sizeof(trellis_level), " +
            (defined_.tensor.format().pattern ? "TRELLIS_PATTERN" : "0") + ",\n    " +
            std::to_string(type_number(defined_.tensor.type())) + ", " + std::to_string(defined_.tensor.rank()) + ", " +
            std::to_string(stored_.levels()) + ", 0, " + name + "_shape, " + (layout ? "0" : name + "_order") + ", " +
            (stored_.levels() > 0 ? name + "_levels" : "0") + ",\n    " + values + ", {." +
            (format::is_floating(fill.type) ? "real" : "integer") + " = " + value_text(fill) + "}, \"" +
            format::to_string(defined_.tensor.format()) + "\", " + (defined_.empty ? "grow" : "0") + ", 0, 0};\n\n";
    return out_;
  }

 private:
  bool appended() const {
    return defined_.role == TensorArgument::Role::appended || defined_.role == TensorArgument::Role::continued;
  }

  std::string level(int l) {
    const auto at = static_cast<std::size_t>(l);
    const format::Facts facts = defined_.empty && appended() ? as_appended(facts_[at]) : facts_[at];
    std::string arrays;
    std::int64_t entries = 0;
    for (const Array which : format::level_arrays) {
      std::int64_t count = 0;
      arrays += (arrays.empty() ? "" : ", ") + level_buffer(l, which, count);
      if (which == Array::coordinates) entries = count;
    }
    return "{" + std::to_string(static_cast<int>(level_kind(facts))) + ", " + std::to_string(level_flags(facts)) +
           ", " + std::to_string(stored_.shape()[static_cast<std::size_t>(stored_.format().order[at])]) + ", " +
           std::to_string(facts.slots + facts.width) + ", " + std::to_string(entries) + ", {" + arrays + "}}";
  }

  std::string level_buffer(int l, Array which, std::int64_t& count) {
    const void* const data = stored_.array(l, which);
    if (defined_.empty || !data) return "{0, 0, 0}";
    const format::Facts& facts = facts_[static_cast<std::size_t>(l)];
    const bool bytes = which == Array::table && facts.locate == format::Locate::direct;
    const std::string type = bytes ? "uint8_t" : facts.wide ? "int64_t" : "int32_t";
    const std::size_t width = bytes ? 1 : facts.wide ? 8 : 4;
    List list;
    for (std::size_t k = 0; k < stored_.array_bytes(l, which) / width; ++k) {
      if (bytes) list.add(std::to_string(static_cast<const std::uint8_t*>(data)[k]));
      else if (facts.wide) list.add(std::to_string(static_cast<const std::int64_t*>(data)[k]));
      else list.add(std::to_string(static_cast<const std::int32_t*>(data)[k]));
    }
    count = list.count();
    return array(type, std::string(format::name_of(which)) + "_" + std::to_string(l), list);
  }

  std::string value_buffer() {
    if (defined_.empty) return "{0, 0, 0}";
    List list;
    const auto count =
        static_cast<std::int64_t>(stored_.array_bytes(-1, Array::values) / format::size_of(stored_.type()));
    for (std::int64_t k = 0; k < count; ++k) list.add(value_text(stored_.get_flat(k)));
    return array(std::string(format::c_name(stored_.type())), "values", list);
  }

  std::string array(const std::string& type, const std::string& what, const List& list) {
    const std::string name = defined_.name + "_" + what, count = std::to_string(list.count());
    out_ += "static " + type + " " + name + "[] = " + list.text() + ";\n";
    return "{" + name + ", " + count + ", " + count + "}";
  }

  const DefinedTensor& defined_;
  const tensor::Tensor stored_;
  const std::vector<format::Facts> facts_;
  std::string out_;
};

}  // namespace

std::string definition(const DefinedTensor& defined) { return DefinitionWriter(defined).write(); }

}  // namespace trellis::emit
