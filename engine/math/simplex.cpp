#include "engine/math/simplex.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "engine/math/division.hpp"

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

constexpr int most_pivots = 1000, most_branches = 40;

}  // namespace

template <class Work>
void Simplex::within_64_bits(const Work& work) {
  try {
    work();
  } catch (const TooLarge&) { state_ = State::unknown; }
}

void Simplex::require(const Row& row, bool equality) {
  if (state_ == State::contradictory || state_ == State::unknown) return;
  within_64_bits([&] { add(row, equality); });
}

void Simplex::add(const Row& row, bool equality) {
  Row form(row.empty() ? 0 : row.size() - 1);
  for (std::size_t k = 1; k < row.size(); ++k) form[k - 1] = row[k];
  while (!form.empty() && form.back() == 0) form.pop_back();
  const std::int64_t constant = row.empty() ? 0 : row[0];
  if (form.empty()) {
    if (equality ? constant != 0 : constant < 0) state_ = State::contradictory;
    return;
  }
  std::int64_t divisor = 0;
  for (const std::int64_t c : form) divisor = std::gcd(divisor, c);
  const bool turned = *std::ranges::find_if(form, [](std::int64_t c) { return c != 0; }) < 0;
  for (std::int64_t& c : form) c = (turned ? -c : c) / divisor;
  // turned: constant - divisor*form >= 0; else constant + divisor*form >= 0
  const std::size_t unknown = unknown_of(form);
  Bounds& bounds = bounds_[unknown];
  if (equality || turned) bounds.at_most(floor_div(turned ? constant : -constant, divisor));
  if (equality || !turned) bounds.at_least(-floor_div(turned ? -constant : constant, divisor));
  state_ = (equality && constant % divisor != 0) || bounds.are_apart() ? State::contradictory : State::open;
  if (state_ == State::open) keep_bounds(unknown);
}

/// Of a sum without a common divisor, whose first coefficient is positive and whose last is not 0.
std::size_t Simplex::unknown_of(const Row& form) {
  while (asked_.size() < form.size()) {
    asked_.push_back(new_unknown());
    is_asked_[asked_.back()] = true;
    new_column(asked_.back());
  }
  const bool alone = form.back() == 1 && std::ranges::count(form, 0) == std::ssize(form) - 1;
  if (alone) return asked_[form.size() - 1];
  const auto known = std::ranges::find_if(forms_, [&](const Form& one) {
    return std::equal(form.begin(), form.end(), coefficients_.begin() + static_cast<std::ptrdiff_t>(one.begin),
                      coefficients_.begin() + static_cast<std::ptrdiff_t>(one.end));
  });
  if (known != forms_.end()) return known->unknown;
  const std::size_t unknown = new_unknown();
  new_row(unknown, form);
  forms_.push_back({coefficients_.size(), coefficients_.size() + form.size(), unknown});
  coefficients_.insert(coefficients_.end(), form.begin(), form.end());
  return unknown;
}

std::size_t Simplex::new_unknown() {
  bounds_.emplace_back();
  is_asked_.push_back(false);
  return bounds_.size() - 1;
}

/// Its value is 0.
void Simplex::new_column(std::size_t unknown) {
  columns_.push_back(unknown), values_.push_back(0);
  if (columns_.size() <= width_) return;
  const std::size_t width = std::max<std::size_t>(16, 2 * width_);
  Row wider(rows_.size() * width, 0);
  for (std::size_t r = 0; r < rows_.size(); ++r) std::copy_n(numerators(r), width_, wider.data() + r * width);
  numerators_ = std::move(wider), width_ = width;
}

/// The sum of what its unknowns are, over one denominator.
void Simplex::new_row(std::size_t unknown, const Row& form) {
  const std::size_t r = rows_.size();
  rows_.push_back({unknown, 1, 0});
  numerators_.resize(numerators_.size() + width_, 0);
  for (std::size_t k = 0; k < form.size(); ++k) {
    if (form[k] == 0) continue;
    const auto column = std::ranges::find(columns_, asked_[k]);
    if (column != columns_.end()) {
      std::int64_t& to = numerators(r)[column - columns_.begin()];
      to = plus(to, times(form[k], rows_[r].denominator));
      continue;
    }
    const auto basic = std::ranges::find(rows_, asked_[k], &Basic::unknown);
    const auto from = static_cast<std::size_t>(basic - rows_.begin());
    const std::int64_t common = std::lcm(rows_[r].denominator, basic->denominator);
    const std::int64_t own = common / rows_[r].denominator, other = times(form[k], common / basic->denominator);
    for (std::size_t c = 0; c < columns_.size(); ++c)
      numerators(r)[c] = plus(times(numerators(r)[c], own), times(other, numerators(from)[c]));
    rows_[r].denominator = common;
  }
  shorten(r);
  rows_[r].value = dot(r);
}

/// The value of an unknown that has one goes within its bounds.
void Simplex::keep_bounds(std::size_t unknown) {
  const auto column = static_cast<std::size_t>(std::ranges::find(columns_, unknown) - columns_.begin());
  if (column == columns_.size()) return;
  const Bounds& bounds = bounds_[unknown];
  const std::int64_t before = values_[column];
  if (bounds.low) values_[column] = std::max(values_[column], *bounds.low);
  if (bounds.high) values_[column] = std::min(values_[column], *bounds.high);
  if (const std::int64_t change = values_[column] - before; change != 0)
    for (std::size_t r = 0; r < rows_.size(); ++r)
      rows_[r].value = plus(rows_[r].value, times(numerators(r)[column], change));
}

void Simplex::settle() {
  pivots_ = branches_ = 0;
  if (state_ == State::open) within_64_bits([&] { pivot_until_settled(); });
}

std::optional<bool> Simplex::has_no_solution() {
  if (state_ == State::open) within_64_bits([&] { pivot_until_settled(); });
  if (state_ == State::contradictory) return true;
  if (state_ != State::settled) return std::nullopt;
  const Basic* fraction = first_fraction();
  if (!fraction || are_solved_rounded_down()) return false;
  return branches_ < most_branches ? neither_side(*fraction) : std::nullopt;
}

void Simplex::pivot_until_settled() {
  for (; pivots_ < most_pivots; ++pivots_) {
    const auto broken = first_broken();
    const auto column = broken ? entering(broken->row, broken->rises) : std::nullopt;
    if (!column) state_ = broken ? State::contradictory : State::settled;
    if (!column) return;
    pivot(broken->row, *column, broken->bound);
  }
}

/// Of the least unknown.
std::optional<Simplex::Broken> Simplex::first_broken() const {
  std::optional<Broken> found;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const auto& [unknown, denominator, value] = rows_[r];
    const Bounds& bounds = bounds_[unknown];
    if (found && rows_[found->row].unknown < unknown) continue;
    if (bounds.low && value < times(*bounds.low, denominator)) found = {r, true, *bounds.low};
    else if (bounds.high && value > times(*bounds.high, denominator)) found = {r, false, *bounds.high};
  }
  return found;
}

/// The least unknown that can go where the row wants it.
std::optional<std::size_t> Simplex::entering(std::size_t row, bool rises) const {
  std::optional<std::size_t> found;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const std::int64_t numerator = numerators(row)[c];
    if (numerator == 0 || (found && columns_[*found] < columns_[c])) continue;
    const Bounds& bounds = bounds_[columns_[c]];
    const bool up = (numerator > 0) == rises;
    if (up ? !bounds.high || values_[c] < *bounds.high : !bounds.low || values_[c] > *bounds.low) found = c;
  }
  return found;
}

/// The row's unknown goes to its bound and the column's becomes one of a row.
void Simplex::pivot(std::size_t r, std::size_t column, std::int64_t bound) {
  Basic& row = rows_[r];
  std::int64_t* const own = numerators(r);
  const std::int64_t of_column = own[column], sign = of_column < 0 ? -1 : 1;
  // unknown * denominator = … + of_column * entering, solved for the entering one
  for (std::size_t c = 0; c < columns_.size(); ++c) own[c] = -sign * own[c];
  own[column] = sign * row.denominator;
  row.denominator = sign * of_column;
  std::swap(row.unknown, columns_[column]);
  values_[column] = bound;
  row.value = dot(r);
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    std::int64_t* const other = numerators(k);
    const std::int64_t part = other[column];
    if (k == r || part == 0) continue;
    other[column] = 0;
    for (std::size_t c = 0; c < columns_.size(); ++c)
      other[c] = plus(times(other[c], row.denominator), times(part, own[c]));
    rows_[k].denominator = times(rows_[k].denominator, row.denominator);
    if (row.denominator != 1) shorten(k);
    rows_[k].value = dot(k);
  }
}

void Simplex::shorten(std::size_t row) {
  std::int64_t divisor = rows_[row].denominator;
  for (std::size_t c = 0; c < columns_.size(); ++c)
    if ((divisor = std::gcd(divisor, numerators(row)[c])) == 1) return;
  for (std::size_t c = 0; c < columns_.size(); ++c) numerators(row)[c] /= divisor;
  rows_[row].denominator /= divisor;
}

std::int64_t Simplex::dot(std::size_t row) const {
  std::int64_t sum = 0;
  for (std::size_t c = 0; c < columns_.size(); ++c)
    if (numerators(row)[c] != 0) sum = plus(sum, times(numerators(row)[c], values_[c]));
  return sum;
}

const Simplex::Basic* Simplex::first_fraction() const {
  const auto row = std::ranges::find_if(
      rows_, [&](const Basic& one) { return is_asked_[one.unknown] && one.value % one.denominator != 0; });
  return row == rows_.end() ? nullptr : &*row;
}

/// Do the integers below what solves it? Digits of tiles mostly do: 8*t <= i < 8*t + 8.
bool Simplex::are_solved_rounded_down() const {
  Row value(bounds_.size(), 0);
  for (std::size_t c = 0; c < columns_.size(); ++c) value[columns_[c]] = values_[c];
  for (const Basic& row : rows_) value[row.unknown] = floor_div(row.value, row.denominator);
  const auto holds = [&](std::size_t unknown, std::int64_t number) {
    const Bounds& bounds = bounds_[unknown];
    return (!bounds.low || number >= *bounds.low) && (!bounds.high || number <= *bounds.high);
  };
  return std::ranges::all_of(asked_, [&](std::size_t unknown) { return holds(unknown, value[unknown]); }) &&
         std::ranges::all_of(forms_, [&](const Form& form) {
           std::int64_t sum = 0;
           for (std::size_t k = form.begin; k < form.end; ++k) {
             std::int64_t part = 0;
             if (__builtin_mul_overflow(coefficients_[k], value[asked_[k - form.begin]], &part) ||
                 __builtin_add_overflow(sum, part, &sum))
               return false;
           }
           return holds(form.unknown, sum);
         });
}

/// No integer lies between the two sides of a fraction.
std::optional<bool> Simplex::neither_side(const Basic& fraction) {
  const std::int64_t below = floor_div(fraction.value, fraction.denominator);
  bool known = true;
  for (const bool above : {false, true}) {
    Simplex side = *this;
    Bounds& bounds = side.bounds_[fraction.unknown];
    if (above) bounds.at_least(below + 1);
    else bounds.at_most(below);
    side.state_ = bounds.are_apart() ? State::contradictory : State::open;
    ++side.branches_;
    const auto told = side.has_no_solution();
    pivots_ = side.pivots_, branches_ = side.branches_;
    if (told == false) return false;
    known = known && told;
  }
  return known ? std::optional(true) : std::nullopt;
}

}  // namespace trellis::math
