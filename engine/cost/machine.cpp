#include "engine/cost/machine.hpp"

#include <algorithm>
#include <thread>

namespace trellis::cost {

Machine Machine::present() {
  Machine machine;
  machine.threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  return machine;
}

}  // namespace trellis::cost
