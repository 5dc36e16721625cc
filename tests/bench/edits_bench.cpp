// How long windows wait after a key: one character of a program changes, and snapshots of each wave arrive.
#include <algorithm>
#include <map>

#include "engine/session/live/follow.hpp"
#include "engine/session/program/documents.hpp"
#include "tests/bench/bench.hpp"
#include "tests/bench/measure.hpp"

namespace trellis::bench {
namespace {

using session::Wave;

/// Milliseconds until each wave was there; none: it was not reached.
using Waits = std::map<Wave, double>;

Waits revise(session::Follower& follower, std::uint64_t version, const std::string& text) {
  Waits waits;
  const auto start = std::chrono::steady_clock::now();
  follower.revise(version, "edited.tr", text, {.run = false}, {[&](const session::Snapshot& snapshot) {
                    waits[snapshot.wave] =
                        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
                  }});
  return waits;
}

/// Each character in turn is another one, between two revisions of the program as it is.
std::vector<Waits> change_each_character(const std::string& text) {
  session::Session session({});
  session::Follower follower(session);
  std::vector<Waits> all;
  std::uint64_t version = 0;
  const auto step = static_cast<std::size_t>(sized(1, 60));
  revise(follower, ++version, text);
  for (std::size_t at = 0; at < text.size(); at += step) {
    std::string changed = text;
    changed[at] = text[at] == 'i' ? 'j' : text[at] == '2' ? '3' : text[at] == ' ' ? '1' : 'i';
    all.push_back(revise(follower, ++version, changed));
    revise(follower, ++version, text);
  }
  return all;
}

}  // namespace

Table bench_edits(const Options&) {
  struct Aim {
    Wave wave;
    const char* what;
    double ms;
  };
  constexpr Aim aims[] = {{Wave::read, "messages of reading", 5},
                          {Wave::compiled, "loops, lattice and C", 16},
                          {Wave::explained, "orders, why, graph, placement, execution", 33},
                          {Wave::drawn, "pictures, replays, where loops may be dropped", 33}};
  Table table{"edits", "from one changed character on: medians over all characters, and the slowest", {}};
  for (const session::Example& example : session::example_programs) {
    if (example.name != "cholesky" && example.name != "viterbi" && example.name != "spgemm_rows") continue;
    const std::vector<Waits> all = change_each_character(std::string(example.text));
    for (const Aim& aim : aims) {
      std::vector<double> waits;
      for (const Waits& one : all)
        if (const auto found = one.find(aim.wave); found != one.end()) waits.push_back(found->second);
      const Summary summary = summarise(waits);
      table.rows.push_back(
          {std::string(example.name) + ": " + aim.what, summary.median, summary.deviation, "", 0, aim.ms});
      table.rows.push_back({"  the slowest", waits.empty() ? 0 : *std::ranges::max_element(waits), 0, "", 0, 0});
    }
  }
  return table;
}

}  // namespace trellis::bench
