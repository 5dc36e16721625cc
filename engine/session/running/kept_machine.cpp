#include "engine/session/running/kept_machine.hpp"

#include <fstream>
#include <sstream>

#include "engine/run/cache.hpp"

namespace trellis::session {
namespace {

std::string file() {
  const auto folder = run::cache_folder();
  return folder ? *folder + "/machine" : "";
}

}  // namespace

cost::Machine kept_machine() {
  std::ifstream in(file());
  std::ostringstream text;
  if (in) text << in.rdbuf();
  cost::Machine machine = cost::read_machine(text.str()).value_or(cost::Machine());
#if defined(__x86_64__)
  machine.wide_registers = __builtin_cpu_supports("avx512f");
#endif
  return machine;
}

std::string keep_machine(const cost::Machine& machine) {
  const std::string path = file();
  if (path.empty() || !cost::read_machine(cost::to_string(machine))) return "";
  std::ofstream out(path);
  out << cost::to_string(machine);
  out.close();
  return out ? path : "";
}

}  // namespace trellis::session
