#include "engine/explore/suggest.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "engine/explore/moves.hpp"
#include "engine/explore/strides.hpp"
#include "engine/lang/schedule_commands.hpp"
#include "engine/schedule/await.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::explore {
namespace {

constexpr double worthwhile = 0.95;  // of the present estimate; above, a suggestion would be noise
constexpr std::size_t most_kept = 6;
constexpr std::size_t beam = 3, depth = 3;
constexpr double further = 0.9;  // of what a shorter schedule takes: one that takes more steps has to take less
/// Of what another one that takes no longer needs on larger data: then it grows by a lower order.
constexpr double lower_order = 0.25;

/// Commands so far, and what came of them.
struct Node {
  std::string commands;
  std::set<std::string> kinds;  ///< of the commands: "order", "jam"
  Attempted tried;
  std::string reason;
  double doubt = 1;
  double pessimistic() const { return doubt * tried.cycles; }
};

class Search {
 public:
  Search(const Kernel& kernel, const Attempt& attempt) : kernel_(kernel), attempt_(attempt) {}

  std::vector<Suggestion> run() {
    std::vector<Node> from = {{"", {}, kernel_.now, "", 1}};
    for (std::size_t step = 0; step < depth && !from.empty() && !kernel_.is_late(); ++step) {
      std::vector<Node> made;
      for (const Node& node : from) expand(node, step == 0, made);
      std::ranges::stable_sort(made, {}, &Node::pessimistic);
      for (const Node& node : made) keep(node);
      drop_dominated(made);
      if (made.size() > beam) made.resize(beam);
      from = std::move(made);
    }
    return chosen();
  }

 private:
  void expand(const Node& node, bool first, std::vector<Node>& made) {
    // Workspaces are few, orders are short to try and blocks gain most, and time may run out.
    const std::vector<std::string_view> before = {"workspace", "order", "registers"};
    for (const std::string_view command : before) expand(node, command, first, made);
    for (const lang::ScheduleCommand& command : lang::schedule_commands())
      if (!contains(before, command.name)) expand(node, command.name, first, made);
  }

  void expand(const Node& node, std::string_view command, bool first, std::vector<Node>& made) {
    if (node.kinds.contains(std::string(command))) return;
    for (const Move& move : moves(command, kernel_, node.tried.loops, first)) {
      if (kernel_.is_late()) return;
      take(node, move, made);
    }
  }

  /// Its variants, as far as they are legal: the best, or each.
  void take(const Node& node, const Move& move, std::vector<Node>& made) {
    std::optional<Node> best;
    for (const std::string& variant : move.variants) {
      const std::string commands = node.commands.empty() ? variant : node.commands + "; " + variant;
      if (!seen_.insert(commands).second) continue;
      if (kernel_.is_late()) break;
      const auto tried = attempt_(commands);
      if (!tried && (move.each || move.first_legal)) continue;
      if (!tried) break;
      Node next{commands, node.kinds, *tried, reason_of(move, node, *tried), node.doubt * move.doubt};
      next.kinds.insert(std::string(move.of));
      if (move.each) made.push_back(std::move(next));
      else if (!best || next.pessimistic() < best->pessimistic()) best = std::move(next);
      if (move.first_legal) break;
    }
    if (best) made.push_back(std::move(*best));
  }

  std::string reason_of(const Move& move, const Node& before, const Attempted& then) const {
    std::string reason = move.reason;
    if (move.of == "parallel")
      reason = "iterations of " + move.variants.front().substr(move.of.size() + 1) +
               (schedule::awaits(then.loops) ? " wait for each other only where they need it" : " share nothing") +
               "; `run native threads " + std::to_string(kernel_.threads) + "`";
    else if (reason.empty()) reason = why_faster(then);
    return before.reason.empty() ? reason : before.reason + "; " + reason;
  }

  /// By the part of the estimate that shrinks most.
  std::string why_faster(const Attempted& then) const {
    const cost::Parts &before = kernel_.now.parts, &after = then.parts;
    const double memory = before.memory - after.memory, waiting = before.waiting - after.waiting,
                 busy = before.busy - after.busy, overhead = before.overhead - after.overhead;
    const std::string now_inside = innermost_names(kernel_.now.loops), inside = innermost_names(then.loops);
    const double most = std::max({memory, waiting, busy, overhead});
    if (waiting == most)
      return "iterations of " + inside + " wait less for the one before; now those of " + now_inside +
             " add to, or read, what it left";
    if (overhead == most) return "fewer loops begin, and less is looked up";
    const std::string strides_now = strides_in_words(kernel_.now.loops, kernel_.program),
                      strides = strides_in_words(then.loops, kernel_.program);
    if (strides != strides_now) return strides + "; now " + strides_now;
    return memory == most ? "data is used again sooner, before it has left the cache"
                          : "an iteration of " + inside + " computes and loads less";
  }

  static void drop_dominated(std::vector<Node>& nodes) {
    std::vector<Node> kept;
    for (const Node& node : nodes)
      if (std::ranges::none_of(nodes, [&](const Node& other) {
            return other.tried.cycles <= node.tried.cycles && other.tried.larger < lower_order * node.tried.larger;
          }))
        kept.push_back(node);
    nodes = std::move(kept);
  }

  /// The best of each kind, where it gains something whatever is in doubt.
  void keep(const Node& node) {
    if (!(node.pessimistic() < worthwhile * kernel_.now.cycles)) return;
    const auto [known, fresh] = found_.try_emplace(node.kinds, node);
    if (!fresh && node.pessimistic() < known->second.pessimistic()) known->second = node;
  }

  std::vector<Suggestion> chosen() const {
    std::vector<Suggestion> all;
    for (const auto& [kinds, node] : found_) {
      const bool shorter = std::ranges::any_of(found_, [&](const auto& other) {
        return other.first.size() < kinds.size() && std::ranges::includes(kinds, other.first) &&
               further * other.second.pessimistic() < node.pessimistic();
      });
      if (!shorter) all.push_back({node.commands, node.reason, node.tried.cycles, node.doubt});
    }
    // A run has one thread unless somebody asks for more.
    std::ranges::stable_sort(all, {}, [](const Suggestion& one) {
      return std::pair(one.command.find("parallel") != std::string::npos, one.doubt * one.cycles);
    });
    if (all.size() > most_kept) all.resize(most_kept);
    return all;
  }

  const Kernel& kernel_;
  const Attempt& attempt_;
  std::set<std::string> seen_;
  std::map<std::set<std::string>, Node> found_;
};

}  // namespace

std::vector<Suggestion> suggest(const Kernel& kernel, const Attempt& attempt) { return Search(kernel, attempt).run(); }

}  // namespace trellis::explore
