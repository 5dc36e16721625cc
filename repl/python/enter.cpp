#include "repl/python/enter.hpp"

namespace trellis::python {
namespace {

void* place_of(const ArgumentSource& argument, CallData& data) {
  const auto number = static_cast<std::size_t>(argument.number);
  switch (argument.kind) {
    case emit::Argument::Kind::size: return &data.sizes[number];
    case emit::Argument::Kind::real: return &data.reals[number];
    case emit::Argument::Kind::capacity: return &data.slots[number].capacity;
    case emit::Argument::Kind::tensor: return nullptr;  // of kernels whose results grow, which are not entered so
    case emit::Argument::Kind::array: break;
  }
  Slot& slot = data.slots[number];
  if (argument.level < 0) return slot.values;
  return slot.arrays[static_cast<std::size_t>(argument.level)][static_cast<std::size_t>(argument.array)];
}

}  // namespace

int enter(run::Kernel::Entry entry, const std::vector<ArgumentSource>& arguments, CallData& data, std::int32_t* fault) {
  constexpr std::size_t usual = 32;
  std::array<void*, usual> few{};
  std::vector<void*> many;
  void** table = few.data();
  if (arguments.size() + 2 > usual) {
    many.resize(arguments.size() + 2);
    table = many.data();
  }
  std::int64_t steps = 0;
  std::size_t next = 0;
  for (const ArgumentSource& argument : arguments) table[next++] = place_of(argument, data);
  table[next++] = fault;
  table[next] = &steps;
  return entry(table);
}

}  // namespace trellis::python
