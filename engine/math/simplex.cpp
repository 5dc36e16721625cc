#include "engine/math/simplex.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace trellis::math {
namespace {

/// Where 64 bits do not hold a number.
struct TooLarge {};
std::int64_t times(std::int64_t x, std::int64_t y) {
  std::int64_t result = 0;
  if (__builtin_mul_overflow(x, y, &result)) throw TooLarge();
  return result;
}
std::int64_t plus(std::int64_t x, std::int64_t y) {
  std::int64_t result = 0;
  if (__builtin_add_overflow(x, y, &result)) throw TooLarge();
  return result;
}
std::int64_t floor_div(std::int64_t a, std::int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

struct Bounds {
  std::optional<std::int64_t> low, high;
  void at_least(std::int64_t value) { low = low ? std::max(*low, value) : value; }
  void at_most(std::int64_t value) { high = high ? std::min(*high, value) : value; }
  bool are_apart() const { return low && high && *low > *high; }
};

/// Sums of unknowns, each with bounds: those that are multiples of each other are one.
class Forms {
 public:
  explicit Forms(std::size_t unknowns) : unknowns_(unknowns) {}

  void require(const Row& row, bool equality) {
    if (contradictory) return;
    Row form(unknowns_, 0);
    for (std::size_t k = 1; k < row.size(); ++k) form[k - 1] = row[k];
    std::int64_t divisor = 0;
    for (const std::int64_t c : form) divisor = std::gcd(divisor, c);
    const std::int64_t constant = row.empty() ? 0 : row[0];
    if (divisor == 0) {
      contradictory |= equality ? constant != 0 : constant < 0;
      return;
    }
    const bool turned = *std::ranges::find_if(form, [](std::int64_t c) { return c != 0; }) < 0;
    for (std::int64_t& c : form) c = (turned ? -c : c) / divisor;
    // turned: constant - divisor*form >= 0; else constant + divisor*form >= 0
    auto known = std::ranges::find(of, form, &std::pair<Row, Bounds>::first);
    if (known == of.end()) known = of.insert(of.end(), {std::move(form), {}});
    Bounds& bounds = known->second;
    if (equality) contradictory |= constant % divisor != 0;
    if (equality || turned) bounds.at_most(floor_div(turned ? constant : -constant, divisor));
    if (equality || !turned) bounds.at_least(-floor_div(turned ? -constant : constant, divisor));
    contradictory |= bounds.are_apart();
  }

  std::vector<std::pair<Row, Bounds>> of;
  bool contradictory = false;

 private:
  std::size_t unknowns_;
};

class Simplex {
 public:
  Simplex(std::size_t unknowns, const Forms& forms) : unknowns_(unknowns), bounds_(unknowns) {
    for (std::size_t k = 0; k < unknowns; ++k) columns_.push_back(k), values_.push_back(0);
    for (const auto& [form, bounds] : forms.of) {
      const auto uses = std::ranges::count_if(form, [](std::int64_t c) { return c != 0; });
      const auto only = std::ranges::find(form, 1);
      if (uses == 1 && only != form.end()) {
        bound(static_cast<std::size_t>(only - form.begin()), bounds);
        continue;
      }
      rows_.push_back({bounds_.size(), form, 1});
      bounds_.push_back(bounds);
    }
  }

  std::optional<bool> has_no_solution() {
    constexpr int most_pivots = 1000, most_branches = 40;
    for (; pivots_ < most_pivots; ++pivots_) {
      const auto broken = first_broken();
      if (!broken) {
        const auto* fraction = first_fraction();
        return fraction ? (branches_ < most_branches ? neither_side(*fraction) : std::nullopt) : std::optional(false);
      }
      const auto column = entering(rows_[broken->row], broken->rises);
      if (!column) return true;
      pivot(broken->row, *column, broken->bound);
    }
    return std::nullopt;
  }

 private:
  /// `unknown = Σ numerators * (unknowns of the columns) / denominator`, which is positive.
  struct Basic {
    std::size_t unknown;
    Row numerators;
    std::int64_t denominator;
  };
  struct Broken {
    std::size_t row;
    bool rises;  ///< to its lower bound; else it falls
    std::int64_t bound;
  };

  /// An unknown alone begins within its bounds.
  void bound(std::size_t unknown, const Bounds& bounds) {
    bounds_[unknown] = bounds;
    if (bounds.low) values_[unknown] = std::max(values_[unknown], *bounds.low);
    if (bounds.high) values_[unknown] = std::min(values_[unknown], *bounds.high);
  }

  std::int64_t numerator(const Basic& row) const {
    std::int64_t sum = 0;
    for (std::size_t c = 0; c < columns_.size(); ++c)
      if (row.numerators[c] != 0) sum = plus(sum, times(row.numerators[c], values_[c]));
    return sum;
  }

  /// Of the least unknown.
  std::optional<Broken> first_broken() const {
    std::optional<Broken> found;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      const Bounds& bounds = bounds_[rows_[r].unknown];
      if (found && rows_[found->row].unknown < rows_[r].unknown) continue;
      if (!bounds.low && !bounds.high) continue;
      const std::int64_t value = numerator(rows_[r]);
      if (bounds.low && value < times(*bounds.low, rows_[r].denominator)) found = {r, true, *bounds.low};
      else if (bounds.high && value > times(*bounds.high, rows_[r].denominator)) found = {r, false, *bounds.high};
    }
    return found;
  }

  /// The least unknown that can go where the row wants it.
  std::optional<std::size_t> entering(const Basic& row, bool rises) const {
    std::optional<std::size_t> found;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      if (row.numerators[c] == 0 || (found && columns_[*found] < columns_[c])) continue;
      const Bounds& bounds = bounds_[columns_[c]];
      const bool up = (row.numerators[c] > 0) == rises;
      if (up ? !bounds.high || values_[c] < *bounds.high : !bounds.low || values_[c] > *bounds.low) found = c;
    }
    return found;
  }

  /// The row's unknown goes to its bound and the column's becomes one of a row.
  void pivot(std::size_t r, std::size_t column, std::int64_t bound) {
    Basic& row = rows_[r];
    const std::int64_t of_column = row.numerators[column], sign = of_column < 0 ? -1 : 1;
    // unknown * denominator = … + of_column * entering, solved for the entering one
    for (std::int64_t& n : row.numerators) n = -sign * n;
    row.numerators[column] = sign * row.denominator;
    row.denominator = sign * of_column;
    std::swap(row.unknown, columns_[column]);
    values_[column] = bound;
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      const std::int64_t part = rows_[k].numerators[column];
      if (k == r || part == 0) continue;
      Basic& other = rows_[k];
      other.numerators[column] = 0;
      for (std::size_t c = 0; c < columns_.size(); ++c)
        other.numerators[c] = plus(times(other.numerators[c], row.denominator), times(part, row.numerators[c]));
      other.denominator = times(other.denominator, row.denominator);
      if (row.denominator != 1) shorten(other);
    }
  }

  static void shorten(Basic& row) {
    std::int64_t divisor = row.denominator;
    for (const std::int64_t n : row.numerators)
      if ((divisor = std::gcd(divisor, n)) == 1) return;
    for (std::int64_t& n : row.numerators) n /= divisor;
    row.denominator /= divisor;
  }

  /// Of the unknowns that were asked about: forms of integers are integers.
  const Basic* first_fraction() const {
    const auto row = std::ranges::find_if(
        rows_, [&](const Basic& one) { return one.unknown < unknowns_ && numerator(one) % one.denominator != 0; });
    return row == rows_.end() ? nullptr : &*row;
  }

  /// No integer lies between the two sides of a fraction.
  std::optional<bool> neither_side(const Basic& fraction) {
    const std::int64_t below = floor_div(numerator(fraction), fraction.denominator);
    bool known = true;
    for (const bool above : {false, true}) {
      Simplex side = *this;
      Bounds& bounds = side.bounds_[fraction.unknown];
      if (above) bounds.at_least(below + 1);
      else bounds.at_most(below);
      ++side.branches_;
      const auto told = bounds.are_apart() ? std::optional(true) : side.has_no_solution();
      pivots_ = side.pivots_, branches_ = side.branches_;
      if (told == false) return false;
      known = known && told;
    }
    return known ? std::optional(true) : std::nullopt;
  }

  std::size_t unknowns_;              ///< that were asked about
  int pivots_ = 0, branches_ = 0;     ///< so far
  std::vector<Bounds> bounds_;        ///< by unknown: those that were asked about, then one for each form
  std::vector<std::size_t> columns_;  ///< unknowns that have values
  Row values_;                        ///< of them, within their bounds
  std::vector<Basic> rows_;           ///< of all others
};

}  // namespace

std::optional<bool> has_no_solution(const std::vector<Row>& equalities, const std::vector<Row>& inequalities) {
  std::size_t unknowns = 0;
  for (const auto* rows : {&equalities, &inequalities})
    for (const Row& row : *rows) unknowns = std::max(unknowns, row.size());
  unknowns = unknowns > 0 ? unknowns - 1 : 0;
  try {
    Forms forms(unknowns);
    for (const Row& row : equalities) forms.require(row, true);
    for (const Row& row : inequalities) forms.require(row, false);
    if (forms.contradictory) return true;
    return Simplex(unknowns, forms).has_no_solution();
  } catch (const TooLarge&) { return std::nullopt; }
}

}  // namespace trellis::math
