#include "engine/math/premises.hpp"

#include <algorithm>

namespace trellis::math {
namespace {

void require(Simplex& rows, const System& system) {
  for (const Row& row : system.equalities) rows.require(row, true);
  for (const Row& row : system.inequalities) rows.require(row, false);
}

/// Of a union: all parts are empty; nothing where one is not known.
class All {
 public:
  /// Is that known to be false?
  bool is_refuted_by(std::optional<bool> part) {
    known_ = known_ && part;
    return part == false;
  }
  std::optional<bool> so_far() const { return known_ ? std::optional(true) : std::nullopt; }

 private:
  bool known_ = true;
};

bool has_names_of(const Affine& affine, const Names& names) {
  return std::ranges::all_of(affine.terms, [&](const auto& term) { return std::ranges::count(names, term.first); }) &&
         std::ranges::all_of(affine.quotients, [&](const Quotient& q) { return has_names_of(*q.numerator, names); });
}

}  // namespace

Premises::Premises(Names names, std::vector<Constraint> constraints)
    : names_(std::move(names)), constraints_(std::move(constraints)) {
  for (const Constraint& c : constraints_) differences_.require(c);
}

bool Premises::are_about_names_of(const Constraint& constraint) const {
  return has_names_of(constraint.left, names_) && has_names_of(constraint.right, names_);
}

void Premises::solve() {
  ways_.emplace();
  for (const System& system : systems({&names_}, constraints_)) {
    Way& way = ways_->emplace_back(Way{system.divided, {}});
    require(way.rows, system);
    way.rows.settle();
  }
}

std::optional<bool> Premises::are_contradictory(const Constraint* also) {
  Differences compared = differences_;
  if (also) compared.require(*also);
  if (const auto told = compared.is_empty()) return told;
  if (!ways_) solve();
  if (also) return have_no_solution(*also);
  All all;
  for (const Way& way : *ways_)
    if (all.is_refuted_by(Simplex(way.rows).has_no_solution())) return false;
  return all.so_far();
}

std::optional<bool> Premises::have_no_solution(const Constraint& also) const {
  All all;
  for (const Way& way : *ways_)
    for (const System& more : systems({&names_, {}, {}, way.divided}, {also})) {
      Simplex rows = way.rows;
      require(rows, more);
      if (all.is_refuted_by(rows.has_no_solution())) return false;
    }
  return all.so_far();
}

}  // namespace trellis::math
