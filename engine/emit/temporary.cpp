#include "engine/emit/temporary.hpp"

#include <algorithm>
#include <optional>

#include "engine/emit/locate.hpp"
#include "engine/emit/shorthand.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::emit {

namespace {

using flow::Tensor;

constexpr std::int64_t largest_on_stack = 2048;  ///< bytes

std::optional<std::int64_t> known_count(const Tensor& tensor) {
  const std::int64_t most = largest_on_stack / static_cast<std::int64_t>(format::size_of(tensor.type));
  std::int64_t count = 1;
  for (const flow::Level& level : tensor.levels) {
    const auto* size = level.size.as<flow::Constant>();
    if (!size || size->value.integer > most) return std::nullopt;
    count *= size->value.integer;
    if (count > most) return std::nullopt;
  }
  return count;
}

/// Do the statements use the elements, rather than only insert and walk coordinates?
bool uses_values(const flow::Stmt& stmt, const std::string& tensor) {
  bool found = false;
  for_each_stmt(stmt, [&](const flow::Stmt& s) {
    const auto* a = s.as<flow::Assign>();
    found |= a && a->tensor == tensor;
    flow::for_each_child(
        s, [](const flow::Stmt&) {}, [&](const flow::Expr& e) { found |= flow::mentions(e, tensor); });
  });
  return found;
}

}  // namespace

void Temporaries::declare(const Tensor& tensor, const flow::Assign* first, const text::Origin& origin) {
  if (tensor.sparse()) return memory_.on_thread() ? void() : workspaces_.declare(tensor);
  if (!tensor.levels.empty()) return declare_array(tensor, origin);
  const c::Expr value =
      out_.expressions.expr(first ? first->value : flow::constant(format::Value::of_integer(tensor.type, 0)));
  const std::string type(format::c_name(tensor.type)), name = out_.names.fixed(tensor.name);
  out_.add(c::stmt(c::Declaration{type, name, {}, without_cast(value, tensor.type)}, origin));
}

void Temporaries::declare_array(const Tensor& tensor, const text::Origin& origin) {
  const std::string type(format::c_name(tensor.type)), name = out_.names.fixed(tensor.name);
  if (const std::optional<std::int64_t> count = known_count(tensor))
    out_.add(c::stmt(c::Declaration{type, name, c::number(std::max<std::int64_t>(*count, 1)), {}}, origin));
  else if (!memory_.on_thread())  // else its thread has it
    memory_.hoist(type, name, allocation(out_, tensor));
}

Room Temporaries::private_room(const flow::Stmt& body) {
  // The cases of a lattice declare the same one again.
  std::vector<const Tensor*> own;
  for_each_stmt(body, [&](const flow::Stmt& s) {
    const auto* d = s.as<flow::Declare>();
    if (d && !out_.flow.tensor(d->tensor)->levels.empty()) add_once(own, out_.flow.tensor(d->tensor));
  });
  out_.open();
  Room room = memory_.apart([&] {
    for_each_stmt(body, [&](const flow::Stmt& s) {
      if (const auto* l = s.as<flow::Locate>(); l && !l->march.empty()) allocate_pointers(out_, memory_, *l);
    });
    for (const Tensor* tensor : own)
      if (tensor->sparse()) workspaces_.declare_private(*tensor, uses_values(body, tensor->name));
      else declare_array(*tensor, {});
  });
  out_.close();  // small arrays stand where they are declared
  return room;
}

}  // namespace trellis::emit
