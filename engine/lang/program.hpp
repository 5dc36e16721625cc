#pragma once
// The resolved program: every name has a meaning, every expression a type, every variable a range.
// Placement, the reference evaluator and the loop programs all start from this value.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/format/format.hpp"
#include "engine/format/promises.hpp"
#include "engine/lang/expr.hpp"
#include "engine/lang/function.hpp"
#include "engine/lang/schedule.hpp"
#include "engine/lang/syntax.hpp"
#include "engine/math/affine.hpp"
#include "engine/text/diagnostic.hpp"

namespace trellis::lang {

/// A symbolic size or a real constant. A size without a value gets one from a loaded tensor or from `-D`.
struct ParameterInfo {
  std::string name;
  bool real = false;
  std::optional<format::Value> value;
  text::Span span;
};

/// A dimension of the grid of ranks; without a number there are as many as a run has.
struct RanksInfo {
  std::string name;
  std::int64_t count = 0;
  text::Span span;
  bool operator==(const RanksInfo& o) const { return name == o.name && count == o.count; }
};

struct TensorInfo {
  std::string name;
  std::vector<math::Affine> shape;  ///< affine in parameters
  format::Format format;
  format::ScalarType type = format::ScalarType::f64;
  format::Value fill;
  /// `pattern`: where a result with `mask … auto` has entries (symbolic/with_patterns.hpp).
  enum class Kind { declared, implicit, temporary, pattern } kind = Kind::declared;
  text::Span span;
  bool pad = false;                ///< reads outside give the fill; the resolver has written that out as guards
  bool copy = false;               ///< a temporary with all entries of an operand, those that hold the fill as well
  format::Promises promises = {};  ///< of an index tensor's values
  /// Nobody writes it: a pattern is true where that tensor stores something (symbolic/with_patterns.hpp), any other
  /// format has its values too (plan/copies.hpp).
  std::string entries_of = {};
  /// Nobody writes it either: a pattern that is true at (v, k…) where that index tensor holds v at k…
  /// (plan/inverse_lists.hpp).
  std::string inverse_of = {};
  /// By dimension the ranks for which it is cut, or an empty name; no dimension at all: the compiler says
  /// (distribute/homes.hpp).
  std::vector<std::string> over = {};
  text::Span over_span = {};
  /// A temporary that holds steps of that tensor, in its first dimension (place/buffers.hpp).
  std::string steps_of = {};
  /// Nor it: of the supernodes of a pattern, which is closed, the first columns, all entries of their panels, or which
  /// of them update which, by their numbers (tensor/supernodes.hpp).
  struct Supernodes {
    std::string of;
    enum class What { firsts, panels, updates } what = What::firsts;
    std::optional<std::int64_t> relax;
    bool diagonal = false;
    bool operator==(const Supernodes&) const = default;
  };
  std::optional<Supernodes> supernodes = {};
  const std::string& derived_from() const {
    return supernodes ? supernodes->of : inverse_of.empty() ? entries_of : inverse_of;
  }
  bool operator==(const TensorInfo& o) const {
    return name == o.name && shape == o.shape && format == o.format && type == o.type && fill == o.fill &&
           entries_of == o.entries_of && inverse_of == o.inverse_of && supernodes == o.supernodes &&
           promises == o.promises;
  }
};

/// `left = right` for the points of `domain`. Its variables are those of the left side, in their order of appearance;
/// its constraints are their ranges (from the dimensions that they index alone), the left side's bounds, and what the
/// user wrote about them, in that order. Constraints that name a reduction's variable stand in that Reduce instead.
struct Equation {
  Expr left;  ///< an Access
  Expr right;
  math::Domain domain;
  text::Span span;
  int id = -1;  ///< its number in stage `equations` of its kernel; its expressions' numbers follow, in pre-order
  text::Origin origin;  ///< both sides' syntax
  const Access& access() const { return *left.as<Access>(); }
};

/// A tensor with steps -1, 0, …, count - 1: the one before the first is what is in memory when the kernel begins, or
/// what an equation gives; the last one is what the kernel leaves. Its TensorInfo is that of a single step.
struct Timesteps {
  std::string tensor;
  math::Affine count;  ///< affine in parameters; 0 or less: no step is taken
  bool operator==(const Timesteps&) const = default;
};

/// `until e`: no step after the first one at which the condition holds.
struct Until {
  Expr condition;        ///< a bool over `variable`
  std::string variable;  ///< the timestep
  math::Domain domain;   ///< its range
  text::Span span;
};

namespace action {
struct Node;
}
/// A statement of a loop program (action.hpp).
using Action = text::Handle<action::Node>;
using Actions = std::vector<Action>;

struct Kernel {
  std::string name = "main";
  std::vector<Equation> equations;
  std::vector<Timesteps> timesteps;  ///< of the tensors that have a superscript here
  std::optional<Until> until;
  std::optional<Actions> loops;  ///< a loop program instead of equations: a Block for each `loops { … }`
  Schedule schedule;
  text::Span span;
  /// Results that may hold something when the kernel begins: loaded, drawn, filled in, or an earlier kernel's results.
  /// All others begin with their fill.
  std::set<std::string> inherited = {};
  /// The kernel where whose results have entries is what this one computes (symbolic/with_patterns.hpp); else empty.
  std::string pattern_of = {};
  /// Tensors written, and tensors read, by name in order of first appearance.
  std::vector<std::string> results() const;
  std::vector<std::string> operands() const;
  /// Index variables that loops can be named after, in order of first appearance (left sides first).
  std::vector<std::string> variables() const;
};

struct Program {
  std::vector<ParameterInfo> parameters;
  std::vector<RanksInfo> ranks;  ///< the dimensions of their grid; none: there is one rank
  std::vector<TensorInfo> tensors;
  std::vector<Function> functions;             ///< instances of `def`s that expressions apply
  std::vector<Kernel> kernels;                 ///< in the order in which they begin
  std::vector<math::Constraint> assumed = {};  ///< sizes that agree as numbers, and not as names: `m = 30`
  /// What tensors that are no part of the program say about its sizes (`part_for`).
  std::vector<math::Constraint> sized_elsewhere = {};

  const TensorInfo* tensor(const std::string& name) const;
  const ParameterInfo* parameter(const std::string& name) const;
  const Kernel* kernel(const std::string& name) const;
  const Function* function(const std::string& name) const;
};

/// What holds for all sizes: each dimension of each tensor is at least 0. And what the program assumes of its own.
std::vector<math::Constraint> size_assumptions(const Program& program);
/// "m = 30, n = 64"; empty where it assumes nothing.
std::string assumed_sizes(const Program& program);
/// For what sizes a proof under these assumptions holds: "for all sizes", "for m = 30".
std::string proven_sizes(const Program& program);

/// Operands, then results, then what its loops declare to be there; each once.
std::vector<std::string> tensors_of(const Kernel& kernel);
/// What the compilation of a kernel reads: its tensors, the functions that it applies, what is known of sizes. Changes
/// anywhere else in the program do not change it.
Program part_for(const Program& program, const Kernel& kernel);

/// Values that replace those of `param` statements, and bind symbolic sizes: `-D n=100`.
using Overrides = std::map<std::string, format::Value>;

/// Names, types, ranges, Einstein's convention. Every problem found is reported; the result is empty when one was an
/// error. Notes announce implicit results and sums. Commands other than those of the schedule are ignored here. With
/// `value` the last kernel has one equation, which defines a tensor of its own: what that expression is. Slices in it,
/// such as `A(0:3, 1)`, are its dimensions, in their order in each access.
std::optional<Program> resolve(const syntax::File& file, text::Diagnostics& diagnostics,
                               const Overrides& overrides = {}, const std::optional<syntax::Expr>& value = {});

/// As the language writes them, numbered by stage `equations`: one line an equation, reductions' own constraints in
/// place.
text::Text print_equations(const Program& program, const Kernel& kernel);
/// One of them: `x(i) = (b(i) - sum(j)(L(i,j)*x(j) : j < i))/L(i,i)`.
std::string to_string(const Program& program, const Equation& equation);

}  // namespace trellis::lang
