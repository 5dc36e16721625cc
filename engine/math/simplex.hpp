#pragma once
// Systems of linear comparisons of integers, in machine numbers: most of what remains behind differences.hpp is told
// by fractions, in a tenth of the time of a general solver. Where no fractions solve a system, no integers do; where
// those that were found are integers, there are some; else an unknown is at most the integer below its fraction or at
// least the one above (branch and bound). After some of that isl has the last word.
//
// The general simplex: rows are unknowns with bounds, which are pivoted until all keep theirs or one cannot
// (Dutertre and de Moura, A fast linear-arithmetic solver for DPLL(T), section 3), by the least number first, so that
// it ends (Bland). What was solved is a good place to begin from where one more comparison holds (section 4).

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace trellis::math {

/// A constant, then a coefficient of each unknown; absent ones are 0.
using Row = std::vector<std::int64_t>;

/// Comparisons that hold together, and how far they are solved. Numbers that grow beyond 64 bits end it: it then knows
/// nothing.
class Simplex {
 public:
  /// Also holds: `row = 0`, or `row >= 0`. Unknowns are integers.
  void require(const Row& row, bool equality);
  /// Goes to fractions that solve all of them, from where more questions begin.
  void settle();
  /// Is there no solution in integers? Nothing where neither is known.
  std::optional<bool> has_no_solution();

 private:
  struct Bounds {
    std::optional<std::int64_t> low, high;
    void at_least(std::int64_t value) { low = low && *low > value ? low : value; }
    void at_most(std::int64_t value) { high = high && *high < value ? high : value; }
    bool are_apart() const { return low && high && *low > *high; }
  };
  /// `unknown = Σ numerators * (unknowns of the columns) / denominator`, which is positive; its value is one fraction.
  struct Basic {
    std::size_t unknown;
    std::int64_t denominator, value;
  };
  struct Broken {
    std::size_t row;
    bool rises;  ///< to its lower bound; else it falls
    std::int64_t bound;
  };
  /// A sum of unknowns that were asked about, which is an unknown of its own: where its coefficients are. Multiples of
  /// each other are one.
  struct Form {
    std::size_t begin, end, unknown;
  };
  enum class State { open, settled, contradictory, unknown };

  template <class Work>
  void within_64_bits(const Work& work);
  void add(const Row& row, bool equality);
  std::size_t unknown_of(const Row& form);
  std::size_t new_unknown();
  void new_column(std::size_t unknown);
  void new_row(std::size_t unknown, const Row& form);
  void keep_bounds(std::size_t unknown);
  void pivot_until_settled();
  std::optional<Broken> first_broken() const;
  std::optional<std::size_t> entering(std::size_t row, bool rises) const;
  void pivot(std::size_t row, std::size_t column, std::int64_t bound);
  void shorten(std::size_t row);
  std::int64_t dot(std::size_t row) const;
  const Basic* first_fraction() const;
  bool are_solved_rounded_down() const;
  std::optional<bool> neither_side(const Basic& fraction);

  std::int64_t* numerators(std::size_t row) { return numerators_.data() + row * width_; }
  const std::int64_t* numerators(std::size_t row) const { return numerators_.data() + row * width_; }

  State state_ = State::open;
  int pivots_ = 0, branches_ = 0;   ///< of this question so far
  std::vector<std::size_t> asked_;  ///< unknowns of the columns of `require`
  std::vector<bool> is_asked_;      ///< by unknown: forms of integers are integers, these may be fractions
  std::vector<Form> forms_;
  Row coefficients_;                  ///< of forms, side by side, so that a system is copied in a few pieces
  std::vector<Bounds> bounds_;        ///< by unknown
  std::vector<std::size_t> columns_;  ///< unknowns that have values
  Row values_;                        ///< of them, within their bounds
  std::vector<Basic> rows_;           ///< of all others
  std::size_t width_ = 0;             ///< of a row of numerators, at least one for each column
  Row numerators_;
};

}  // namespace trellis::math
