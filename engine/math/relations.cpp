#include "engine/math/relations.hpp"

#include <isl/constraint.h>
#include <isl/local_space.h>

#include <map>
#include <tuple>

#include "engine/math/solver_state.hpp"
#include "engine/text/cancel.hpp"

namespace trellis::math {

struct Relations::State {
  struct Entry {
    std::shared_ptr<const Names> names;
    int sizes = 0;  ///< how many leading dimensions are sizes
    /// What the set is made from, where isl was not asked about it yet: pieces, or another set and a comparison.
    std::vector<Domain> pieces = {};
    Id from = -1;
    int left = 0, right = 0;  ///< dimensions
    Relation relation = Relation::equal;
    OwnedSet made = {};
    /// What each piece compares, whose union it is; none: nobody knows.
    std::vector<Differences> differences = {};
    std::optional<bool> empty = {};
  };
  const Solver::State* solver = nullptr;
  std::vector<Entry> entries;
  std::map<std::tuple<Id, int, Relation, int>, Id> restricted;

  Entry& at(Id id) { return entries[static_cast<std::size_t>(id)]; }
  Id keep(Entry entry) {
    entries.push_back(std::move(entry));
    return static_cast<Id>(entries.size()) - 1;
  }
  const OwnedSet& set(Id id);
  /// By what is compared alone.
  static std::optional<bool> is_empty(const std::vector<Differences>& pieces);
};

namespace {

/// `offset + positive - negative >= 0`, or `= 0`.
isl_set* add_difference(isl_set* set, int positive, int negative, int offset, bool equality) {
  isl_local_space* space = isl_local_space_from_space(isl_set_get_space(set));
  isl_constraint* c = equality ? isl_constraint_alloc_equality(space) : isl_constraint_alloc_inequality(space);
  c = isl_constraint_set_coefficient_si(c, isl_dim_set, positive, 1);
  c = isl_constraint_set_coefficient_si(c, isl_dim_set, negative, -1);
  return isl_set_add_constraint(set, isl_constraint_set_constant_si(c, offset));
}

isl_set* compared(isl_set* set, int left, Relation relation, int right) {
  switch (relation) {
    case Relation::less: return add_difference(set, right, left, -1, false);
    case Relation::less_equal: return add_difference(set, right, left, 0, false);
    case Relation::equal: return add_difference(set, right, left, 0, true);
    case Relation::greater_equal: return add_difference(set, left, right, 0, false);
    case Relation::greater: return add_difference(set, left, right, -1, false);
    case Relation::not_equal:
      return isl_set_union(add_difference(isl_set_copy(set), right, left, -1, false),
                           add_difference(set, left, right, -1, false));
  }
  return set;
}

}  // namespace

const OwnedSet& Relations::State::set(Id id) {
  Entry& entry = at(id);
  if (entry.made) return entry.made;
  if (entry.from >= 0) {
    isl_set* whole = isl_set_copy(set(entry.from).get());
    entry.made.reset(compared(whole, entry.left, entry.relation, entry.right));
    return entry.made;
  }
  for (const Domain& piece : entry.pieces) {
    OwnedSet next = solver->set(*entry.names, piece.constraints);
    entry.made.reset(entry.made ? isl_set_union(entry.made.release(), next.release()) : next.release());
  }
  return entry.made;
}

std::optional<bool> Relations::State::is_empty(const std::vector<Differences>& pieces) {
  bool all = !pieces.empty();
  for (const Differences& piece : pieces) {
    const auto told = piece.is_empty();
    if (told == false) return false;
    all = all && told;
  }
  return all ? std::optional(true) : std::nullopt;
}

Relations::Relations(Solver& solver) : state_(std::make_unique<State>()) { state_->solver = solver.state_.get(); }
Relations::~Relations() = default;

Relations::Id Relations::add(const std::vector<Domain>& pieces) {
  text::stop_if_cancelled();
  std::vector<Constraint> all;
  for (const Domain& piece : pieces) all.insert(all.end(), piece.constraints.begin(), piece.constraints.end());
  const std::vector<std::string> variables = pieces.empty() ? Names{} : pieces.front().variables;
  Names names = state_->solver->dimensions(variables, all);
  State::Entry entry{std::make_shared<const Names>(names), static_cast<int>(names.size() - variables.size())};
  for (const Domain& piece : pieces) entry.differences.push_back(state_->solver->differences(piece.constraints));
  entry.pieces = pieces;
  entry.empty = pieces.empty() ? std::optional(true) : State::is_empty(entry.differences);
  return state_->keep(std::move(entry));
}

Relations::Id Relations::restrict(Id set, int left, Relation relation, int right) {
  text::stop_if_cancelled();
  const State::Entry& whole = state_->at(set);
  if (whole.empty.value_or(false)) return set;
  auto [at, is_new] = state_->restricted.try_emplace({set, left, relation, right}, -1);
  if (!is_new) return at->second;
  State::Entry entry{whole.names, whole.sizes};
  entry.from = set;
  entry.left = whole.sizes + left;
  entry.right = whole.sizes + right;
  entry.relation = relation;
  entry.differences = whole.differences;
  const auto name = [&](int dimension) { return Affine::name((*whole.names)[static_cast<std::size_t>(dimension)]); };
  const Constraint comparison{name(entry.left), relation, name(entry.right)};
  for (Differences& piece : entry.differences) piece.require(comparison);
  entry.empty = State::is_empty(entry.differences);
  return at->second = state_->keep(std::move(entry));
}

Relations::Id Relations::without(Id set, Id other) {
  text::stop_if_cancelled();
  isl_set* from = isl_set_copy(state_->set(set).get());
  State::Entry entry{state_->at(set).names, state_->at(set).sizes};
  entry.made.reset(isl_set_coalesce(isl_set_subtract(from, isl_set_copy(state_->set(other).get()))));
  return state_->keep(std::move(entry));
}

Relations::Id Relations::unite(Id set, Id other) {
  text::stop_if_cancelled();
  isl_set* from = isl_set_copy(state_->set(set).get());
  State::Entry entry{state_->at(set).names, state_->at(set).sizes};
  entry.made.reset(isl_set_union(from, isl_set_copy(state_->set(other).get())));
  return state_->keep(std::move(entry));
}

std::vector<std::string> Relations::variables(Id set) const {
  const State::Entry& entry = state_->entries[static_cast<std::size_t>(set)];
  return {entry.names->begin() + entry.sizes, entry.names->end()};
}

std::vector<Domain> Relations::domains(Id set) {
  text::stop_if_cancelled();
  if (is_empty(set)) return {};
  std::vector<Domain> result;
  OwnedSet all(isl_set_copy(state_->set(set).get()));
  for (std::vector<Constraint>& piece : to_constraints(std::move(all), *state_->at(set).names))
    result.push_back({variables(set), std::move(piece)});
  return result;
}

bool Relations::is_empty(Id set) {
  text::stop_if_cancelled();
  State::Entry& entry = state_->at(set);
  if (!entry.empty) entry.empty = math::is_empty(state_->set(set));
  return *entry.empty;
}

std::optional<Assignment> Relations::smallest(Id set) {
  text::stop_if_cancelled();
  if (is_empty(set)) return std::nullopt;
  auto point = smallest_point(state_->set(set));
  if (!point) return std::nullopt;
  const Names& names = *state_->at(set).names;
  Assignment result;
  for (std::size_t k = 0; k < point->size(); ++k) result.emplace_back(names[k], (*point)[k]);
  return result;
}

}  // namespace trellis::math
