#include "engine/cost/machine.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <thread>
#include <vector>

namespace trellis::cost {
namespace {

struct Figures {
  const char* name;
  std::vector<double*> values;
  bool optional = false;
};
std::vector<Figures> figures_of(Machine& m) {
  const auto all = [](std::array<double, 3>& three) { return std::vector<double*>{&three[0], &three[1], &three[2]}; };
  return {{"caches", all(m.caches)},
          {"sequential", all(m.sequential)},
          {"scattered", all(m.scattered)},
          {"fork", {&m.fork}},
          {"per_nanosecond", {&m.per_nanosecond}},
          {"message", {&m.latency, &m.bandwidth}, true}};
}

}  // namespace

std::string to_string(const Machine& machine) {
  Machine copy = machine;
  std::ostringstream text;
  for (const Figures& one : figures_of(copy)) {
    text << one.name;
    for (const double* value : one.values) text << ' ' << *value;
    text << '\n';
  }
  return text.str();
}

std::optional<Machine> read_machine(const std::string& text) {
  Machine machine;
  std::istringstream in(text);
  for (const Figures& one : figures_of(machine)) {
    std::string name;
    if (!(in >> name) && one.optional) break;
    if (name != one.name) return std::nullopt;
    for (double* value : one.values)
      if (!(in >> *value) || !std::isfinite(*value) || *value <= 0) return std::nullopt;
  }
  // What is measured beside other programs may say that a line from memory is sooner there than one that is near.
  constexpr double measured = 0.8;
  for (const auto& figures : {machine.caches, machine.sequential, machine.scattered})
    if (figures[1] < measured * figures[0] || figures[2] < measured * figures[1]) return std::nullopt;
  return machine;
}

Machine Machine::present() {
  Machine machine;
  machine.threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  return machine;
}

}  // namespace trellis::cost
