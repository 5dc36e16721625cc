#pragma once
// Questions about integer points, answered exactly and for all sizes, by isl. Only this folder includes isl; a Solver
// owns its context, and nothing that it returns holds an isl object. One Solver per compilation: it must stay on one
// thread. Each question asks first whether the work is cancelled (text/cancel.hpp).

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/math/affine.hpp"

namespace trellis::math {

/// Values for variables and parameters by name.
using Assignment = std::vector<std::pair<std::string, std::int64_t>>;

class Solver {
 public:
  /// `assumptions` hold for the parameters everywhere (each dimension of a tensor is >= 0).
  explicit Solver(std::vector<Constraint> assumptions);
  ~Solver();
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;

  /// Is there no point for any sizes?
  bool is_empty(const Domain& domain);
  /// Does every point of `domain`, for all sizes, satisfy `constraint`?
  bool implies(const Domain& domain, const Constraint& constraint);
  /// The same of several, which is cheaper than one by one.
  bool implies_all(const Domain& domain, std::vector<Constraint> constraints);
  /// Are the two affine forms equal on the whole domain?
  bool equal(const Domain& domain, const Affine& a, const Affine& b);
  /// The constraints of `domain` that `context` does not already give, simplified; variables as in `domain`.
  std::vector<Constraint> gist(const Domain& domain, const Domain& context);
  /// The projection of a domain onto some of its variables, as a union of conjunctions.
  std::vector<Domain> project(const Domain& domain, const std::vector<std::string>& onto);
  /// Is every point of `domain` a projection of a point of one of `pieces`, whose variables include those of `domain`?
  bool covers(const std::vector<Domain>& pieces, const Domain& domain);
  /// The points of `domain` whose variables are those of no point of `removed`, which may have further variables; as
  /// disjoint conjunctions.
  std::vector<Domain> without(const Domain& domain, const std::vector<Domain>& removed);
  /// The same, or empty where that takes longer than anyone waits: each piece that is removed may take all that are
  /// left into several.
  std::optional<std::vector<Domain>> without_soon(const Domain& domain, const std::vector<Domain>& removed);
  /// The point with the smallest sizes, then lexicographically smallest variables in their order; empty if there is
  /// none.
  std::optional<Assignment> smallest(const Domain& domain);

 private:
  friend class Relations;
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace trellis::math
