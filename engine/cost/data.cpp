#include "engine/cost/data.hpp"

#include "engine/format/storage_order.hpp"

namespace trellis::cost {
namespace {

using format::Value;
using Names = std::map<std::string, std::int64_t>;

std::optional<Value> evaluate(const flow::Expr& e, const Names& names);

std::optional<Value> evaluate(const flow::Binary& b, const Names& names) {
  const auto left = evaluate(b.left, names), right = evaluate(b.right, names);
  if (!left || !right) return std::nullopt;
  format::Fault fault = format::Fault::none;
  return format::apply(b.op, *left, *right, fault);
}

std::optional<Value> evaluate(const flow::Call& c, const Names& names) {
  std::vector<Value> arguments;
  for (const flow::Expr& argument : c.arguments) {
    const auto one = evaluate(argument, names);
    if (!one) return std::nullopt;
    arguments.push_back(*one);
  }
  return format::apply(c.function, arguments.data(), static_cast<int>(arguments.size()));
}

std::optional<Value> evaluate(const flow::Expr& e, const Names& names) {
  using Known = std::optional<Value>;
  return e.match([](const flow::Constant& c) { return Known(c.value); },
                 [&](const flow::Name& n) {
                   const auto found = names.find(n.name);
                   const auto value = [&] { return Value::of(e->type, static_cast<double>(found->second)); };
                   return found == names.end() ? Known() : Known(value());
                 },
                 [&](const flow::Unary& u) {
                   const Known operand = evaluate(u.operand, names);
                   return operand ? Known(format::apply(u.op, *operand)) : Known();
                 },
                 [&](const flow::Binary& b) { return evaluate(b, names); },
                 [&](const flow::Select& s) {
                   const Known condition = evaluate(s.condition, names);
                   return condition ? evaluate(condition->is_true() ? s.then : s.otherwise, names) : Known();
                 },
                 [&](const flow::Cast& c) {
                   const Known operand = evaluate(c.operand, names);
                   return operand ? Known(format::cast(e->type, *operand)) : Known();
                 },
                 [&](const flow::Call& c) { return evaluate(c, names); },
                 [&](const flow::Checked& c) { return evaluate(c.coordinate, names); },
                 [](const flow::Begin&) { return Known(); }, [](const flow::Coordinate&) { return Known(); },
                 [](const flow::Value&) { return Known(); }, [](const flow::Here&) { return Known(); },
                 [](const flow::Apply&) { return Known(); }, [](const flow::After&) { return Known(); },
                 [&](const flow::Stored& s) {
                   const auto found = names.find(name_of_stored(s.tensor, s.level));
                   return found == names.end() ? Known() : Known(Value::of_integer(e->type, found->second));
                 });
}

}  // namespace

std::optional<double> value_of(const flow::Expr& expr, const Names& names) {
  const auto value = evaluate(expr, names);
  return value ? std::optional(value->as_double()) : std::nullopt;
}

std::string name_of_stored(const std::string& tensor, int level) { return tensor + "." + std::to_string(level + 1); }

std::map<std::string, std::int64_t> names_of(const Data& data) {
  std::map<std::string, std::int64_t> names = data.sizes;
  for (const auto& [tensor, regions] : data.regions)
    for (std::size_t level = 0; level < regions.size(); ++level)
      names[name_of_stored(tensor, static_cast<int>(level))] = static_cast<std::int64_t>(regions[level]);
  return names;
}

std::vector<double> regions_of(const tensor::Tensor& tensor) {
  std::vector<double> all;
  double above = 1;
  const tensor::Index sizes = format::level_sizes(tensor.format(), tensor.shape());
  for (std::size_t level = 0; level < tensor.format().levels.size(); ++level) {
    const format::Facts facts = format::facts(tensor.format().levels[level]);
    const double width = facts.wide ? 8 : 4;
    const auto bytes = tensor.array_bytes(static_cast<int>(level), format::Array::coordinates);
    const double size = static_cast<double>(sizes[level]);
    above = facts.coordinates ? static_cast<double>(bytes) / width : facts.full() ? above * size : above;
    all.push_back(above);
  }
  return all;
}

}  // namespace trellis::cost
