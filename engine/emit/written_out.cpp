#include "engine/emit/written_out.hpp"

#include <algorithm>
#include <map>
#include <vector>

namespace trellis::emit {

namespace in_turn {
namespace {

using flow::Expr;
using flow::Position;
using flow::Stmt;

/// Loops of more iterations are not written out: GCC's max-completely-peel-times.
constexpr std::int64_t few_iterations = 16;

std::optional<std::int64_t> iterations_of(const flow::Loop& loop) {
  const auto* low = loop.low.as<flow::Constant>();
  const auto* high = loop.high.as<flow::Constant>();
  return low && high ? std::optional(high->value.integer - low->value.integer) : std::nullopt;
}

class Accesses {
 public:
  /// False where the loop around it stays one that is not the innermost.
  bool add(const Stmt& s, bool repeated) {
    return s.match(
        [&](const flow::Seq& all) {
          return std::ranges::all_of(all.statements, [&](const Stmt& each) { return add(each, repeated); });
        },
        [&](const flow::Loop& loop) {
          const auto iterations = iterations_of(loop);
          const bool written_out =
              iterations && *iterations <= few_iterations && !loop.among && !loop.until && !loop.unless;
          return written_out && add(loop.body, repeated || *iterations > 1);
        },
        [&](const flow::If& i) {
          reads(i.condition);
          return add(i.then, repeated) && (!i.otherwise || add(*i.otherwise, repeated));
        },
        [&](const flow::Let& let) {
          reads(let.value);
          return add(let.body, repeated);
        },
        [&](const flow::Assign& a) {
          stores_[a.tensor].push_back(a.position);
          if (repeated) stores_[a.tensor].push_back(a.position);
          positions_inside(a.position);
          reads(a.value);
          return true;
        },
        [](const flow::Declare&) { return true; }, [](const flow::Note&) { return true; },
        [](const auto&) { return false; });
  }

  bool reads_among_stores() const {
    return std::ranges::any_of(stores_, [&](const auto& stored) {
      const auto found = reads_.find(stored.first);
      if (found == reads_.end() || stored.second.size() < 2) return false;
      return std::ranges::any_of(found->second, [&](const Position& read) {
        return std::ranges::any_of(stored.second, [&](const Position& written) { return !(written == read); });
      });
    });
  }

 private:
  void reads(const Expr& e) {
    if (const auto* value = e.as<flow::Value>()) reads_[value->tensor].push_back(value->position);
    flow::for_each_child(e, [&](const Expr& child) { reads(child); });
  }

  void positions_inside(const Position& position) {
    flow::for_each_child(position, [&](const Expr& coordinate) { reads(coordinate); });
  }

  std::map<std::string, std::vector<Position>> stores_;  ///< twice, where a loop inside repeats it
  std::map<std::string, std::vector<Position>> reads_;
};

}  // namespace
}  // namespace in_turn

bool runs_in_turn(const flow::Loop& loop) {
  if (loop.execution != flow::Loop::Execution::serial) return false;
  in_turn::Accesses accesses;
  return accesses.add(loop.body, false) && accesses.reads_among_stores();
}

}  // namespace trellis::emit
