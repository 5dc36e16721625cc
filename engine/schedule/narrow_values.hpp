#pragma once
// What expressions become where the steps of some tensors are kept in 16 bits, less a base
// (docs/design/recurrences.md#narrow-types). Right sides are min, max or ?: of one read of them plus terms without:
// such equations commute with adding a constant.
//
//   max(H(i-1) + (a(i) == b(i) ? 3 : -1), gap*i)   →   max(H_i16(i-1) + (a(i) == b(i) ? 3 : -1), i16(gap*i) - i16(base))

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "engine/loop/stmt.hpp"

namespace trellis::schedule {

using lang::Expr;

/// So many steps are a run, and so many columns a strip.
struct RunSizes {
  int steps = 1024, columns = 2048;
};

/// A tensor whose steps are kept narrow.
struct Narrowed {
  lang::TensorInfo wide;  ///< what holds them in the loops: a temporary with the step in front, or the tensor itself
  int slots = 1;          ///< so many steps
  std::string tensor;     ///< whose steps they are
  std::string narrow;     ///< the temporary that holds them in 16 bits
};

/// Why narrow types do not apply, and where.
struct Unsuited {
  std::string why;
  text::Span span;
};

/// From `low` to `high`, both i64.
struct Interval {
  Expr low, high;
};

/// What a right side may be, and what is compared on the way there.
struct Reach {
  bool relative;  ///< so far from a value that is there already; else the value itself
  Interval by;
};

/// An operand whose least and greatest value bound what its elements add.
struct Scanned {
  lang::TensorInfo tensor;
  std::string least, most;  ///< scalars
};

/// Numbers of 64 bits, as short as they can be written.
Expr plus(const Expr& a, const Expr& b);
Expr minus(const Expr& a, const Expr& b);
Expr lesser(const Expr& a, const Expr& b);
Expr greater(const Expr& a, const Expr& b);

class NarrowValues {
 public:
  /// `written`: all that the loops write.
  NarrowValues(const lang::Program& program, std::vector<Narrowed> tensors, std::vector<std::string> written,
               std::string base)
      : program_(program), tensors_(std::move(tensors)), written_(std::move(written)), base_(std::move(base)) {}

  const std::vector<Narrowed>& tensors() const { return tensors_; }
  /// The narrowed tensor that an access is of; else null.
  const Narrowed* of(const Expr& access) const;
  bool reads(const Expr& e) const;
  /// Does it depend on what the loops compute?
  bool reads_results(const Expr& e) const;

  /// A right side in 16 bits, less the base.
  Expr value(const Expr& e) const;
  Expr narrow_access(const Expr& access) const;
  /// Any other expression: what it reads of narrow values, in their own type.
  Expr widened(const Expr& e) const;
  /// What goes into a result: the same, where values that are compared stay in 16 bits if `compared` found them to fit.
  Expr result_value(const Expr& e) const;
  /// In 16 bits and less the base, of a value in its own type.
  Expr less_base(const Expr& e) const;
  /// And back.
  Expr with_base(const Expr& narrow, format::ScalarType type) const;

  /// What a right side reaches; throws Unsuited. Names of loops that are gone have ranges.
  std::vector<Reach> reaches(const Expr& e, const std::map<std::string, Interval>& ranges);
  /// What is compared on the way to a result, as far as it is bounded.
  std::vector<Reach> compared(const Expr& e, const std::map<std::string, Interval>& ranges);
  Interval range(const Expr& e, const std::map<std::string, Interval>& ranges);
  const std::vector<Scanned>& scanned() const { return scanned_; }
  /// This tensor's elements are there before the run that reads them.
  void know(const std::string& tensor) { known_.push_back(tensor); }

 private:
  Expr low_bits(const Expr& e) const;
  Expr condition(const Expr& e) const;
  bool compares_narrow(const Expr& e) const;
  bool suits(const Expr& e) const;
  Interval scan(const lang::Access& access, text::Span span);

  const lang::Program& program_;
  std::vector<Narrowed> tensors_;
  std::vector<std::string> written_;
  std::string base_;
  std::vector<Scanned> scanned_;
  std::vector<std::string> known_;
  std::vector<Expr> compared_;
};

}  // namespace trellis::schedule
