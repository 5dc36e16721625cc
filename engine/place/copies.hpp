#pragma once
// Implicit copies (docs/design/placement.md#implicit-copies): elements of a tensor with timesteps that no equation
// defines at a step keep the value of the step before. They become fragments of their own; placement drops them where
// one buffer serves all steps.
//
//   x[t](i) = f(x[t-1](i-1)) : 1 <= i      x[t](0) = x[t-1](0)

#include <map>

#include "engine/math/solver.hpp"
#include "engine/place/fragment.hpp"

namespace trellis::place {

void add_copies(const lang::Program& program, const lang::Kernel& kernel, math::Solver& solver, Fragments& fragments);

/// The elements of step -1 that no equation gives, over the names `element_variables`, so that they are loaded.
std::vector<math::Domain> loaded_elements(const lang::Program& program, math::Solver& solver,
                                          const Fragments& fragments, const std::string& tensor);
/// The elements that no equation gives at any step, over the same names, if there are any steps: they are at all times
/// what was loaded.
std::vector<math::Domain> still_elements(const lang::Program& program, math::Solver& solver, const Fragments& fragments,
                                         const lang::Timesteps& steps);
/// The copies of such elements, by id.
std::vector<int> still_copies(math::Solver& solver, const std::vector<Fragment>& fragments, const std::string& tensor);
/// The instances of a fragment that give a tensor with timesteps elements which no later step defines.
std::vector<math::Domain> last_definitions(math::Solver& solver, const std::vector<Fragment>& fragments,
                                           const Fragment& f);
/// Names for the dimensions of a tensor, one each, that no size and no variable has.
std::vector<std::string> element_variables(const lang::Program& program, const std::string& tensor);

/// Writes `variable = constant` as two inequalities, so that the variable stays: a fragment without its timestep would
/// not wait for `until`.
void keep_variable(math::Domain& domain, const std::string& variable);

/// Removes the variables that equalities give from a domain, and says what each of them equals.
std::map<std::string, math::Affine> substitute_equalities(math::Domain& domain);

}  // namespace trellis::place
