// What the estimate knows of a machine (engine/cost/machine.hpp), measured on this one and kept for sessions.
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <thread>

#include "engine/cost/machine.hpp"
#include "engine/session/running/kept_machine.hpp"
#include "engine/tensor/allocate.hpp"
#include "tests/bench/bench.hpp"
#include "tests/bench/contest.hpp"
#include "tests/bench/measure.hpp"
#include "tests/bench/network.hpp"

namespace trellis::bench {
namespace {

constexpr std::size_t line_words = 8;  ///< of 64 bytes
volatile double kept = 0;              ///< what is measured is kept

double least_of(int turns, const std::function<double()>& measured) {
  double least = measured();
  for (int turn = 1; turn < turns; ++turn) least = std::min(least, measured());
  return least;
}

/// Of additions that wait for each other, which take as many cycles each on all cores that the model is about.
double cycles_per_nanosecond() {
  const int additions = static_cast<int>(sized(20'000'000, 1000));
  const double ms = least_of(5, [&] {
    return time_once([&] {
      double sum = 0;
      const double step = kept + 1e-9;
      for (int k = 0; k < additions; ++k) sum += step;
      kept = sum;
    });
  });
  return cost::cycles::floating_latency * additions / (1e6 * ms);
}

/// Nanoseconds a line of so many bytes that are read again and again: one line after the other, and in no order.
struct LineTimes {
  double sequential = 0, scattered = 0;
};

LineTimes lines_of(std::size_t bytes) {
  const std::size_t lines = std::max<std::size_t>(64, bytes / 64);
  std::vector<double> words(lines * line_words, 1.0);
  const std::size_t passes = std::max<std::size_t>(1, static_cast<std::size_t>(sized(2'000'000, 64)) / lines);
  const double all = static_cast<double>(lines * passes);
  LineTimes found;
  found.sequential = least_of(3, [&] {
    return 1e6 / all * time_once([&] {
             double sums[line_words] = {};
             for (std::size_t pass = 0; pass < passes; ++pass)
               for (std::size_t k = 0; k < words.size(); k += line_words)
                 for (std::size_t w = 0; w < line_words; ++w) sums[w] += words[k + w];
             kept = sums[0] + sums[line_words - 1];
           });
  });
  found.scattered = least_of(3, [&] {
    return 1e6 / all * time_once([&] {
             double sums[4] = {};
             std::uint32_t at = 1;
             for (std::size_t k = 0; k < lines * passes; ++k) {
               at = at * 1664525U + 1013904223U;  // Numerical Recipes' generator: an address needs no load before it
               sums[k & 3] += words[static_cast<std::size_t>((std::uint64_t{at} * lines) >> 32) * line_words];
             }
             kept = sums[0] + sums[3];
           });
  });
  return found;
}

double cache_bytes(int which, double otherwise) {
  const long bytes = sysconf(which);
  return bytes > 0 ? static_cast<double>(bytes) : otherwise;
}

/// Milliseconds from a thread to one that sleeps, and back.
double hand_over_ms() {
  std::mutex mutex;
  std::condition_variable turned;
  bool theirs = false, over = false;
  const auto wait_until = [&](std::unique_lock<std::mutex>& lock, bool whose) {
    turned.wait(lock, [&] { return theirs == whose || over; });
  };
  std::thread other([&] {
    std::unique_lock lock(mutex);
    while (!over) {
      wait_until(lock, true);
      theirs = false;
      turned.notify_one();
    }
  });
  std::vector<double> ms;
  for (int turn = 0; turn < (only_once() ? 3 : 200); ++turn)
    ms.push_back(time_once([&] {
      std::unique_lock lock(mutex);
      theirs = true;
      turned.notify_one();
      wait_until(lock, false);
    }));
  {
    const std::lock_guard lock(mutex);
    over = true;
  }
  turned.notify_one();
  other.join();
  return run::median(ms);
}

cost::Machine measured() {
  cost::Machine machine;
  machine.per_nanosecond = cycles_per_nanosecond();
  machine.fork = hand_over_ms() * 1e6 * machine.per_nanosecond;
  machine.caches = {cache_bytes(_SC_LEVEL1_DCACHE_SIZE, machine.caches[0]),
                    cache_bytes(_SC_LEVEL2_CACHE_SIZE, machine.caches[1]),
                    cache_bytes(_SC_LEVEL3_CACHE_SIZE, machine.caches[2])};
  constexpr double most = 256e6;  // further away nothing is measured; a cache that many cores share is not all ours
  machine.caches[2] = std::clamp(machine.caches[2], machine.caches[1], most / 4);
  const double sizes[] = {machine.caches[0] / 2, machine.caches[1] / 2, machine.caches[2] / 2, most};
  LineTimes before = lines_of(static_cast<std::size_t>(sizes[0])), all = before;
  for (std::size_t k = 0; k < 3; ++k) {
    const LineTimes lines = lines_of(static_cast<std::size_t>(only_small() ? sizes[0] : sizes[k + 1]));
    // What a cache further away takes longer; the first one, where lines arrive while others are added up, all of it.
    const double sequential = k == 0 ? lines.sequential : lines.sequential - all.sequential;
    machine.sequential[k] = std::max(0.25, sequential * machine.per_nanosecond);
    machine.scattered[k] = std::max(0.5, (lines.scattered - all.scattered) * machine.per_nanosecond);
    all = {std::max(all.sequential, lines.sequential), std::max(all.scattered, lines.scattered)};
  }
  if (const auto messages = measured_messages())
    machine.latency = messages->latency, machine.bandwidth = messages->bandwidth;
  return machine;
}

/// "12.0 cycles (4.00 ns)"
std::string time_text(double cycles, const cost::Machine& machine) {
  char text[64];
  std::snprintf(text, sizeof text, "%.1f cycles (%.2f ns)", cycles, cycles / machine.per_nanosecond);
  return text;
}

/// A line each, what was measured beside the reference machine's.
std::string table_of(const cost::Machine& machine) {
  const cost::Machine reference;
  std::string text;
  const auto line = [&](const std::string& what, const std::string& here, const std::string& there) {
    char row[200];
    std::snprintf(row, sizeof row, "\n  %-54s %-26s %s", what.c_str(), here.c_str(), there.c_str());
    text += row;
  };
  const auto times = [&](const std::string& what, double here, double there) {
    line(what, time_text(here, machine), time_text(there, reference));
  };
  const char* const caches[] = {"first", "second", "third"};
  const char* const behind[] = {"from the second cache", "from the third cache", "from memory"};
  line("", "this machine", "the reference machine");
  for (std::size_t k = 0; k < 3; ++k)
    line(std::string(caches[k]) + " cache", tensor::human_bytes(static_cast<std::size_t>(machine.caches[k])),
         tensor::human_bytes(static_cast<std::size_t>(reference.caches[k])));
  for (std::size_t k = 0; k < 3; ++k)
    times(std::string("a line of 64 bytes ") + behind[k] + ", in sequence", machine.sequential[k],
          reference.sequential[k]);
  for (std::size_t k = 0; k < 3; ++k)
    times(std::string("a line of 64 bytes ") + behind[k] + ", in no order", machine.scattered[k],
          reference.scattered[k]);
  times("to wake threads and wait for them", machine.fork, reference.fork);
  const auto figures = [&](const std::string& what, const char* unit, double here, double there) {
    char both[2][32];
    std::snprintf(both[0], sizeof both[0], "%.2f %s", here, unit);
    std::snprintf(both[1], sizeof both[1], "%.2f %s", there, unit);
    line(what, both[0], both[1]);
  };
  figures("clock, by additions that wait for each other", "GHz", machine.per_nanosecond, reference.per_nanosecond);
  if (machine.latency != reference.latency) {  // there is an MPI
    figures("a short message between two ranks over MPI", "µs", machine.latency, reference.latency);
    figures("bytes of long messages", "GB/s", machine.bandwidth, reference.bandwidth);
  }
  return text;
}

}  // namespace

Table bench_machine(const Options&) {
  const cost::Machine machine = measured();
  const std::string kept = only_once() ? "" : session::keep_machine(machine);
  return {"machine",
          "what estimates know of a machine, " +
              (kept.empty() ? std::string("not kept, as they contradict each other or there is no folder for them")
                            : "kept in " + kept + " for the plans of sessions") +
              table_of(machine),
          {}};
}

}  // namespace trellis::bench
