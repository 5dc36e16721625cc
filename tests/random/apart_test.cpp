// Whether a loop may be dealt out, against enumeration: what is refused happens at the sizes that are named and at none
// smaller, and in what is accepted no iteration meets an element that one of another coordinate wrote in the same
// phase.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "engine/compile.hpp"
#include "engine/distribute/homes.hpp"
#include "engine/distribute/legal.hpp"
#include "engine/distribute/phases.hpp"
#include "engine/loop/interpret.hpp"
#include "engine/loop/print.hpp"
#include "tests/random/data.hpp"
#include "tests/random/generate_steps.hpp"
#include "tests/random/program_case.hpp"
#include "tests/random/random_schedule.hpp"
#include "tests/random/wanted.hpp"

namespace trellis::randomised {
namespace {

/// What was done to one element in one execution of a phase.
struct Touched {
  enum class Kind { read, write, update } kind;
  std::optional<format::ReduceOp> op;
  std::vector<std::optional<std::int64_t>> at;  ///< by dimension of the grid; none: on all ranks
};

/// Notes who touches what in a phase, and whether two of different coordinates meet.
class RankMeetings : public loop::Observer {
 public:
  RankMeetings(const distribute::Plan& plan, const distribute::Nest& nest, const Sizes& sizes)
      : plan_(plan), nest_(nest), sizes_(sizes) {
    for (const schedule::Site& site : nest.sites()) {
      const int phase = distribute::phase_of(plan, nest, site);
      if (plan.is_dealt(phase)) sites_.emplace(site.statement, &site), phases_.insert(phase);
    }
  }

  bool met = false;

  Go begin(const loop::Moment& at) override {
    settle();
    const auto* loop = at.statement.as<loop::For>();
    const bool iteration = loop && !at.loops.empty() && at.loops.back().first == loop->variable;
    if (phases_.contains(at.statement.id()) && !iteration) done_.clear();
    return Go::on;
  }
  void declare(const loop::Moment&, const std::string& tensor) override {
    std::erase_if(done_, [&](const auto& entry) { return entry.first.first == tensor; });
  }
  void read(const loop::Moment& at, const loop::Element& e, const format::Value&) override {
    settle();
    held_.emplace(key(e), Touched{Touched::Kind::read, {}, coordinates(at)});
  }
  void write(const loop::Moment& at, const loop::Element& e, const format::Value&, const format::Value&) override {
    const auto* assign = at.statement.as<loop::Assign>();
    const auto op = assign ? assign->op : std::nullopt;
    // Of an update the last read is that of the element itself.
    if (op) held_.reset();
    settle();
    note(key(e), {op ? Touched::Kind::update : Touched::Kind::write, op, coordinates(at)});
  }

 private:
  using Key = std::pair<std::string, tensor::Index>;

  static Key key(const loop::Element& e) { return {e.tensor, {e.index.begin(), e.index.end()}}; }

  void settle() {
    if (held_) note(held_->first, held_->second);
    held_.reset();
  }

  /// None of a statement beside phases.
  std::vector<std::optional<std::int64_t>> coordinates(const loop::Moment& at) const {
    const auto site = sites_.find(at.statement.id());
    if (site == sites_.end()) return {};
    std::vector<std::optional<std::int64_t>> all(plan_.grid.size());
    for (std::size_t g = 0; g < all.size(); ++g)
      if (const auto place = distribute::place_of(plan_, nest_, *site->second, plan_.grid[g].name))
        all[g] = place->coordinate.evaluate([&](const std::string& name) -> std::optional<std::int64_t> {
          for (const auto& [loop, value] : at.loops)
            if (loop == name) return value;
          return sizes_.at(name);
        });
    return all;
  }

  void note(const Key& element, const Touched& now) {
    if (now.at.empty()) return;
    std::vector<Touched>& before = done_[element];
    for (const Touched& then : before) {
      if (then.kind == Touched::Kind::read) continue;
      const bool commute = then.kind == Touched::Kind::update && now.kind == Touched::Kind::update && then.op == now.op;
      for (std::size_t g = 0; g < now.at.size() && !commute; ++g) met |= then.at[g] != now.at[g];
    }
    const bool known = std::ranges::any_of(
        before, [&](const Touched& then) { return then.kind == now.kind && then.op == now.op && then.at == now.at; });
    if (!known) before.push_back(now);
  }

  const distribute::Plan& plan_;
  const distribute::Nest& nest_;
  const Sizes& sizes_;
  std::map<int, const schedule::Site*> sites_;   ///< in phases
  std::set<int> phases_;                         ///< outermost loops that are dealt out
  std::map<Key, std::vector<Touched>> done_;     ///< in this execution of a phase
  std::optional<std::pair<Key, Touched>> held_;  ///< a read that may be an update's own
};

struct Refusable {
  Case program;
  Compilation compilation;
};

/// The loops of a program that is to be distributed, whether or not it may be.
std::optional<Refusable> refusable(const Draft& draft) {
  auto program = read_case(to_string(draft));
  if (!program) return std::nullopt;
  text::Diagnostics diagnostics;
  Compilation compilation = compile(program->program, program->kernel(), diagnostics);
  if (!compilation.loops) return std::nullopt;
  return Refusable{std::move(*program), std::move(compilation)};
}

/// Do two meet with some of so many data at these sizes?
bool ranks_meet(const Refusable& s, const distribute::Plan& plan, const distribute::Nest& nest, const Sizes& sizes,
                int draws = 3) {
  Dice dice(1);
  for (int draw = 0; draw < draws; ++draw) {
    const check::State state = random_state(s.program.program, sizes, dice);
    RankMeetings meetings(plan, nest, sizes);
    loop::Options options{.poisoned = {}, .undefined = loop::Options::Undefined::allow};
    loop::interpret(nest.loops, {state.parameters, state.tensors, s.program.program.functions}, options, &meetings);
    if (meetings.met) return true;
  }
  return false;
}

bool is_certain(const distribute::Nest& nest, const schedule::Dependence& d) {
  const auto affine = [](const schedule::Touch& touch) {
    return std::ranges::all_of(touch.index, [](const auto& index) { return index.has_value(); });
  };
  return nest.sites()[d.source].exact && nest.sites()[d.sink].exact && affine(d.first) && affine(d.second);
}

struct Refusals {
  int refused = 0, confirmed = 0, too_large = 0, by_values = 0, accepted = 0;
};

std::string misjudged(const Refusable& s, Refusals& refusals) {
  math::Solver solver(lang::size_assumptions(s.compilation.program));
  const distribute::Nest nest(s.compilation.loops, s.compilation.program, solver);
  distribute::Plan plan{.grid = s.program.program.ranks,
                        .loops = nest.loops,
                        .partitions = {},
                        .homes = {},
                        .dealt = {},
                        .tensors = nest.tensors,
                        .declared = nest.declared,
                        .guards = {},
                        .exchanges = {}};
  text::Diagnostics unseen;
  if (!distribute::find_homes(plan, nest, s.compilation.kernel, solver, unseen) ||
      !distribute::find_guards(plan, nest, {}, unseen))
    return "";
  const auto apart = distribute::find_apart(plan, nest, solver);
  ++(apart ? refusals.refused : refusals.accepted);
  constexpr int largest = 5;
  for (const Sizes& sizes : sizes_between(s.program.program, 0, apart ? largest : largest - 1)) {
    bool named = apart.has_value(), smaller = false;
    for (const auto& [name, value] : apart ? apart->sizes : math::Assignment{}) {
      named &= sizes.at(name) == value;
      smaller |= sizes.at(name) < value;
    }
    const bool found = ranks_meet(s, plan, nest, sizes);
    if (found && !apart) return "accepted, and at " + to_string(sizes) + " iterations of two ranks meet";
    if (found && smaller && !named) return "refused, and " + to_string(sizes) + " is smaller: " + to_string(*apart);
    if (!named) continue;
    // Of `b(k) && X(k,j)` only what is true in b leads to X.
    if (found || ranks_meet(s, plan, nest, sizes, 40)) ++refusals.confirmed;
    else if (is_certain(nest, apart->dependence))
      return "refused, and it does not happen: " + to_string(*apart) + "\n" + loop::to_string(nest.loops);
    else ++refusals.by_values;
    return "";
  }
  if (apart) ++refusals.too_large;
  return "";
}

void judge_refusals(std::uint64_t seed, int wanted, Draft (*draw)(Dice&)) {
  Refusals refusals;
  for (int attempt = 0; attempt < 100 * wanted && refusals.refused + refusals.accepted < wanted; ++attempt) {
    const std::uint64_t now = seed + static_cast<std::uint64_t>(attempt);
    Dice dice(now);
    const Draft draft = on_ranks(draw(dice), dice);
    const auto s = refusable(draft);
    if (!s) continue;
    const std::string wrong = misjudged(*s, refusals);
    if (wrong.empty()) continue;
    const Draft small = shrink(draft, [&](const Draft& d) {
      Refusals unused;
      const auto smaller = refusable(d);
      return smaller && !misjudged(*smaller, unused).empty();
    });
    FAIL_CHECK("seed ", now, "\n", to_string(small), misjudged(*refusable(small), refusals));
  }
  MESSAGE(refusals.accepted << " accepted, " << refusals.refused << " refused: " << refusals.confirmed << " confirmed, "
                            << refusals.by_values << " as values decide, " << refusals.too_large << " at larger sizes");
}

TEST_CASE("what ranks are refused happens, at no smaller sizes, and nothing of what they are not") {
  judge_refusals(first_seed(940000), wanted(80), generate);
}
TEST_CASE("what ranks are refused of timesteps happens, at no smaller sizes, and nothing of what they are not") {
  judge_refusals(first_seed(950000), wanted(40), generate_steps);
}

}  // namespace
}  // namespace trellis::randomised
