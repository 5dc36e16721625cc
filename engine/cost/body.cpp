#include "engine/cost/body.hpp"

#include <algorithm>

namespace trellis::cost {
namespace {

// After so many iterations on average, the core is held up by their chain alone; before, by the loop's end it has begun
// the next run of the loop already.
constexpr double until_held_up = 16;

bool same_path(const Access& a, const Access& b) {
  return std::ranges::equal(a.path, b.path, [](const Access::Coordinate& x, const Access::Coordinate& y) {
    return x.form == y.form && x.variables == y.variables;
  });
}

/// Whether `read` is what another iteration of the loop wrote: at a constant distance along it, and equal everywhere
/// else.
bool is_carried(const Access& read, const Access& written, const std::string& variable) {
  bool distant = false;
  for (std::size_t k = 0; k < read.path.size(); ++k) {
    const auto &x = read.path[k].form, &y = written.path[k].form;
    if (!x || !y) return false;
    const math::Affine difference = *x - *y;
    if (!difference.is_constant()) return false;
    if (difference.constant == 0) continue;
    if (!read.path[k].variables.contains(variable)) return false;
    distant = true;
  }
  return distant;
}

/// What an iteration waits for until the one before is done.
double chain(const Body& body, const std::string& variable) {
  double longest = 0;
  for (const Body::Update& update : body.updates) {
    const double latency = update.floating ? cycles::floating_latency : cycles::integer_latency;
    const bool own = body.own.contains(update.target.tensor->name);
    if (!own && update.accumulates && !update.target.moves_with(variable)) longest = std::max(longest, latency);
    for (const Access& access : body.accesses)
      if (access.read && access.tensor == update.target.tensor && is_carried(access, update.target, variable))
        longest = std::max(longest, 2 * latency + cycles::forwarding);
  }
  return longest;
}

/// Integers may be added up in any order.
bool keeps_order(const Body& body, const std::string& variable) {
  return std::ranges::any_of(body.updates, [&](const Body::Update& update) {
    const bool own = body.own.contains(update.target.tensor->name);
    if (!own && update.floating && update.accumulates && !update.target.moves_with(variable)) return true;
    return std::ranges::any_of(body.accesses, [&](const Access& access) {
      return access.read && access.tensor == update.target.tensor && is_carried(access, update.target, variable);
    });
  });
}

/// A load that leaves out elements is made lane by lane.
bool is_gathered(const Access& access, const std::string& variable) {
  return !access.written && access.moves_with(variable) && !access.is_contiguous(variable);
}

bool runs_in_vectors(const Body& body, const Level& loop) {
  if (!body.plain || loop.sparse || keeps_order(body, loop.variable)) return false;
  return std::ranges::all_of(body.accesses, [&](const Access& access) {
    const bool affine = std::ranges::all_of(access.path, [&](const Access::Coordinate& c) {
      return c.form.has_value() || !c.variables.contains(loop.variable);
    });
    return affine && (access.is_contiguous(loop.variable) || !access.written);
  });
}

/// As long as the busiest of the core's units takes: those that compute, load, store, and hand out instructions.
double busiest(const Body& body, const Level* loop, bool in_vectors) {
  double loads = 0, stores = 0;
  for (const Access& access : body.accesses) {
    if (loop && !access.moves_with(loop->variable)) continue;  // it stays in a register
    if (in_vectors && is_gathered(access, loop->variable)) continue;
    if (access.read) loads += access.times;
    if (access.written) stores += access.times;
  }
  const double instructions =
      body.operations / cycles::operation + loads + stores + (loop ? cycles::iteration_instructions : 0);
  return std::max({body.operations, loads * cycles::load, stores * cycles::store, instructions * cycles::issue});
}

double gathered(const Body& body, const std::string& variable) {
  double loads = 0;
  for (const Access& access : body.accesses)
    if (is_gathered(access, variable)) loads += access.times;
  return loads * cycles::gather;
}

}  // namespace

void Body::touch(const Access& access) {
  for (Access& known : accesses)
    if (known.tensor == access.tensor && same_path(known, access)) {
      known.read |= access.read;
      known.written |= access.written;
      known.times = std::max(known.times, access.times);
      return;
    }
  accesses.push_back(access);
}

IterationCycles iteration_cycles(const Body& body, const std::vector<Level>& levels) {
  const auto loop = std::find_if(levels.rbegin(), levels.rend(), [](const Level& level) { return !level.unrolled; });
  if (loop == levels.rend()) return {busiest(body, nullptr, false), 0, body.overhead};
  if (runs_in_vectors(body, *loop)) {
    const double lanes = std::min(vector_bytes / body.element_bytes, std::max(1.0, loop->trips));
    return {busiest(body, &*loop, true) / lanes + gathered(body, loop->variable), 0, body.overhead};
  }
  const double held_up = chain(body, loop->variable) * loop->trips / (loop->trips + until_held_up);
  const double busy = busiest(body, &*loop, false);
  return {busy, std::max(0.0, held_up - busy), body.overhead};
}

}  // namespace trellis::cost
