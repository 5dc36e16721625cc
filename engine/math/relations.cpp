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
    OwnedSet set;
    std::shared_ptr<const Names> names;
    int sizes = 0;  ///< how many leading dimensions are sizes
    std::optional<bool> empty;
  };
  const Solver::State* solver = nullptr;
  std::vector<Entry> entries;
  std::map<std::tuple<Id, int, Relation, int>, Id> restricted;
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

Relations::Relations(Solver& solver) : state_(std::make_unique<State>()) { state_->solver = solver.state_.get(); }
Relations::~Relations() = default;

Relations::Id Relations::add(const std::vector<Domain>& pieces) {
  text::stop_if_cancelled();
  std::vector<Constraint> all;
  for (const Domain& piece : pieces) all.insert(all.end(), piece.constraints.begin(), piece.constraints.end());
  const std::vector<std::string> variables = pieces.empty() ? Names{} : pieces.front().variables;
  Names names = state_->solver->dimensions(variables, all);
  OwnedSet set;
  for (const Domain& piece : pieces) {
    OwnedSet next = state_->solver->set(names, piece.constraints);
    set.reset(set ? isl_set_union(set.release(), next.release()) : next.release());
  }
  State::Entry entry{
      std::move(set), std::make_shared<const Names>(names), static_cast<int>(names.size() - variables.size()), {}};
  if (pieces.empty()) entry.empty = true;
  state_->entries.push_back(std::move(entry));
  return static_cast<Id>(state_->entries.size()) - 1;
}

Relations::Id Relations::restrict(Id set, int left, Relation relation, int right) {
  text::stop_if_cancelled();
  State::Entry& whole = state_->entries[static_cast<std::size_t>(set)];
  if (!whole.empty && isl_set_plain_is_empty(whole.set.get()) == isl_bool_true)
    whole.empty = true;  // seen without a search
  if (whole.empty.value_or(false)) return set;
  auto [at, is_new] = state_->restricted.try_emplace({set, left, relation, right}, -1);
  if (is_new) {
    const State::Entry& from = state_->entries[static_cast<std::size_t>(set)];
    isl_set* result = compared(isl_set_copy(from.set.get()), from.sizes + left, relation, from.sizes + right);
    State::Entry entry{OwnedSet(result), from.names, from.sizes, {}};
    state_->entries.push_back(std::move(entry));
    at->second = static_cast<Id>(state_->entries.size()) - 1;
  }
  return at->second;
}

Relations::Id Relations::without(Id set, Id other) {
  text::stop_if_cancelled();
  const State::Entry &from = state_->entries[static_cast<std::size_t>(set)],
                     &removed = state_->entries[static_cast<std::size_t>(other)];
  isl_set* rest = isl_set_coalesce(isl_set_subtract(isl_set_copy(from.set.get()), isl_set_copy(removed.set.get())));
  State::Entry entry{OwnedSet(rest), from.names, from.sizes, {}};
  state_->entries.push_back(std::move(entry));
  return static_cast<Id>(state_->entries.size()) - 1;
}

Relations::Id Relations::unite(Id set, Id other) {
  text::stop_if_cancelled();
  const State::Entry &from = state_->entries[static_cast<std::size_t>(set)],
                     &more = state_->entries[static_cast<std::size_t>(other)];
  State::Entry entry{
      OwnedSet(isl_set_union(isl_set_copy(from.set.get()), isl_set_copy(more.set.get()))), from.names, from.sizes, {}};
  state_->entries.push_back(std::move(entry));
  return static_cast<Id>(state_->entries.size()) - 1;
}

std::vector<std::string> Relations::variables(Id set) const {
  const State::Entry& entry = state_->entries[static_cast<std::size_t>(set)];
  return {entry.names->begin() + entry.sizes, entry.names->end()};
}

std::vector<Domain> Relations::domains(Id set) {
  text::stop_if_cancelled();
  const State::Entry& entry = state_->entries[static_cast<std::size_t>(set)];
  if (is_empty(set)) return {};
  std::vector<Domain> result;
  for (std::vector<Constraint>& piece : to_constraints(OwnedSet(isl_set_copy(entry.set.get())), *entry.names)) {
    result.push_back({variables(set), std::move(piece)});
  }
  return result;
}

bool Relations::is_empty(Id set) {
  text::stop_if_cancelled();
  State::Entry& entry = state_->entries[static_cast<std::size_t>(set)];
  if (!entry.empty) entry.empty = math::is_empty(entry.set);
  return *entry.empty;
}

std::optional<Assignment> Relations::smallest(Id set) {
  text::stop_if_cancelled();
  const State::Entry& entry = state_->entries[static_cast<std::size_t>(set)];
  if (is_empty(set)) return std::nullopt;
  auto point = smallest_point(entry.set);
  if (!point) return std::nullopt;
  Assignment result;
  for (std::size_t k = 0; k < point->size(); ++k) result.emplace_back((*entry.names)[k], (*point)[k]);
  return result;
}

}  // namespace trellis::math
