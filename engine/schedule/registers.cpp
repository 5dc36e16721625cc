#include "engine/schedule/registers.hpp"

#include "engine/schedule/mark.hpp"

namespace trellis::schedule {

loop::Stmt in_registers(const loop::Stmt& loops, const std::string& rows, const std::string& columns) {
  const auto mark = [](loop::For& f) { f.registers = true; };
  return on_loops(on_loops(loops, rows, mark), columns, mark);
}

}  // namespace trellis::schedule
