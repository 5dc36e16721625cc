#pragma once
// Control-flow expressions and elements to C expressions that compute exactly what format::apply does: integers wrap to
// their type after each operation, division rounds down, faults are recorded.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/emit/c.hpp"
#include "engine/emit/module.hpp"
#include "engine/emit/names.hpp"
#include "engine/emit/prelude.hpp"
#include "engine/flow/flow.hpp"

namespace trellis::emit {

/// What the functions of one module share.
struct Shared {
  std::vector<FaultSite> sites;
  std::set<std::string> fallible = {};  ///< functions of the user that record faults, and so need to know where
};

class Expressions {
 public:
  Expressions(const flow::Flow& flow, Names& names, Prelude& prelude, Shared& shared)
      : flow_(flow), names_(names), prelude_(prelude), shared_(shared) {}

  c::Expr expr(const flow::Expr& e);
  /// The element as something to read or to assign to.
  c::Expr element(const std::string& tensor, const flow::Position& position);
  /// The number of a position among those of its level.
  c::Expr offset(const flow::Position& position);
  /// What a block's coordinates are added to, to give their places: of the entry that a variable holds.
  c::Expr block_base(const flow::Within& within);
  c::Expr block_base(const flow::Tensor& tensor, int level, const c::Expr& entry);
  c::Expr bounds_base(const flow::Tensor& tensor, int level, const c::Expr& parent);
  /// From now on, and until it is forgotten, a variable has it.
  void know_base(const std::string& entry, const std::string& variable) { bases_[entry] = variable; }
  void forget_base(const std::string& entry) { bases_.erase(entry); }
  /// How many coordinates the level has.
  c::Expr size(const flow::Tensor& tensor, int level) {
    return expr(tensor.levels[static_cast<std::size_t>(level)].size);
  }
  /// How many elements, as a C expression without overflow checks.
  c::Expr count(const flow::Tensor& tensor);
  /// The positions below `levels` dense levels, from the first on.
  c::Expr count(const flow::Tensor& tensor, int levels);
  /// The entries of a level in all.
  c::Expr stored(const flow::Tensor& tensor, int level);
  /// An array of a level of an operand or result; from now on a parameter of the kernel.
  c::Expr array(const flow::Tensor& tensor, int level, format::Array which);
  /// The coordinate, or 0 and a fault when it is out of the level's range.
  c::Expr checked(c::Expr coordinate, const flow::Site& site, const flow::Tensor& tensor, int level);
  c::Expr constant(const format::Value& value);
  /// The parameter that says for how many entries a result has room.
  std::string capacity(const flow::Tensor& tensor);
  void use(const std::string& tensor) { used_.insert(tensor); }
  c::Expr fault_site(FaultKind kind, text::Span span, std::string what);

  /// Level arrays that were named so far.
  struct Used {
    std::string tensor;
    int level;
    format::Array array;
    auto operator<=>(const Used&) const = default;
  };
  const std::set<Used>& used_arrays() const { return used_arrays_; }

  /// Sizes, reals and tensors that were named so far: the kernel's parameters.
  const std::set<std::string>& used() const { return used_; }
  /// Did anything so far record faults?
  bool records_faults() const { return records_faults_; }

 private:
  c::Expr bare(const flow::Expr& e);
  c::Expr unary(const flow::Unary& u, format::ScalarType type);
  c::Expr binary(const flow::Binary& b, const flow::Expr& whole);
  c::Expr power(const flow::Binary& b, format::ScalarType type);
  c::Expr division(const flow::Binary& b, const flow::Expr& whole);
  c::Expr shift(const flow::Binary& b, format::ScalarType type);
  c::Expr cast(const flow::Expr& operand, format::ScalarType type);
  c::Expr function(const flow::Call& call, format::ScalarType type);

  const flow::Flow& flow_;
  Names& names_;
  Prelude& prelude_;
  Shared& shared_;
  std::set<std::string> used_;
  std::set<Used> used_arrays_;
  std::map<std::string, std::string> bases_;  ///< of blocks, by the name of the entry
  bool records_faults_ = false;
};

/// The program's name for an array of a level: `A_crd`, or `A2_crd` where several levels have one, or another where a
/// tensor is called that.
const std::string& array_name(Names& names, const flow::Tensor& tensor, int level, format::Array which);
/// "int32_t", "const double", … of its elements.
std::string array_type(const flow::Tensor& tensor, int level, format::Array which);

/// `left op right` in the arithmetic of the type.
c::Expr arithmetic(format::ScalarType type, const std::string& op, c::Expr left, c::Expr right);
/// An i64 sum without the parentheses that a nested one would get: i + (j - 1) is i + j - 1.
c::Expr sum(c::Expr left, c::Expr right);
/// The value converted by assignment alone, when C's own conversion to `type` is all that its outermost cast does.
c::Expr without_cast(const c::Expr& value, format::ScalarType type);

}  // namespace trellis::emit
