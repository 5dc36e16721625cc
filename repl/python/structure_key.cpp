#include "repl/python/structure_key.hpp"

#include <algorithm>
#include <bit>

namespace trellis::python {
namespace {

class Writing {
 public:
  StructureKey take() { return std::move(key_); }

  void add(const Lazy& wanted) {
    reads_ = &wanted.tables;
    put(static_cast<std::uint64_t>(wanted.array.axes().size()));
    add(wanted.array.axes());
    add(wanted.array.expr());
  }

 private:
  void put(std::uint64_t number) {
    // Most are small.
    for (; number >= 128; number >>= 7) key_.bytes += static_cast<char>((number & 127) | 128);
    key_.bytes += static_cast<char>(number);
  }
  void put(const std::string& text) {
    put(text.size());
    key_.bytes += text;
  }
  void put(const format::Value& value) {
    put(static_cast<std::uint64_t>(value.type));
    put(std::bit_cast<std::uint64_t>(value.real));
    put(static_cast<std::uint64_t>(value.integer));
  }

  void add(const lazy::Field& field) {
    const auto found = std::ranges::find(fields_, field.number);
    put(static_cast<std::uint64_t>(found - fields_.begin()));
    if (found != fields_.end()) return;
    fields_.push_back(field.number);
    const auto size = static_cast<std::uint64_t>(field.size);
    const auto bits = static_cast<std::uint64_t>(std::bit_width(size));
    put(size < 2 ? size : 2 + bits / 2);
    key_.sizes += std::to_string(field.size) + " ";
  }
  void add(const std::vector<lazy::Field>& fields) {
    put(fields.size());
    for (const lazy::Field& field : fields) add(field);
  }

  void add(const lazy::Table& table) {
    const auto read =
        std::ranges::find(*reads_, table.name, [](const auto& one) -> const std::string& { return one->name; });
    const auto known = std::ranges::find(key_.tables, read->get());
    put(static_cast<std::uint64_t>(known - key_.tables.begin()));
    if (known == key_.tables.end()) {
      key_.tables.push_back(read->get());
      put((*read)->kind);
      put(table.fill);
    }
    add(table.fields);
  }

  void add(const lazy::Operator& op) {
    put(op.index());
    std::visit(text::overloaded{[&](const lazy::Cast& to) { put(static_cast<std::uint64_t>(to.type)); },
                                [](const lazy::Where&) {},
                                [&](auto enumerator) { put(static_cast<std::uint64_t>(enumerator)); }},
               op);
  }

  void add(const lazy::Shape& shape) {
    put(static_cast<std::uint64_t>(shape.op));
    put(shape.parts.size());
    add(shape.from);
    add(shape.to);
    put(shape.numbers.size());
    for (const std::int64_t number : shape.numbers) put(static_cast<std::uint64_t>(number));
    if (shape.outside) put(*shape.outside);
  }

  void add(const lazy::Expr& expr) {
    put(expr->is.index());
    expr.match([&](const lazy::Table& table) { add(table); }, [&](const lazy::Const& c) { put(c.value); },
               [&](const lazy::Map& map) {
                 add(map.op);
                 put(map.arguments.size());
                 for (const lazy::Expr& argument : map.arguments) add(argument);
               },
               [&](const lazy::Agg& a) {
                 put(static_cast<std::uint64_t>(a.op));
                 add(a.over);
                 add(a.of);
               },
               [&](const lazy::Arg& a) {
                 put(static_cast<std::uint64_t>(a.op));
                 add(a.over);
                 add(a.of);
               },
               [&](const lazy::Shape& shape) {
                 add(shape);
                 for (const lazy::Expr& part : shape.parts) add(part);
               });
  }

  StructureKey key_;
  const std::vector<std::shared_ptr<const Table>>* reads_ = nullptr;
  std::vector<std::int64_t> fields_;
};

}  // namespace

StructureKey structure_key(const std::vector<const Lazy*>& wanted) {
  Writing writing;
  for (const Lazy* one : wanted) writing.add(*one);
  return writing.take();
}

}  // namespace trellis::python
