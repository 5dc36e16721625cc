#include "engine/math/points.hpp"

#include <algorithm>

#include "engine/math/division.hpp"

namespace trellis::math {
namespace {

struct Range {
  std::int64_t low, high;  // inclusive
};

/// `form >= 0`, or `form = 0`.
struct Sign {
  Affine form;
  bool equal = false;
};

std::optional<Sign> as_sign(const Constraint& c) {
  if (c.relation == Relation::not_equal) return std::nullopt;
  const bool flip = c.relation == Relation::less || c.relation == Relation::less_equal;
  Sign sign{flip ? c.right - c.left : c.left - c.right, c.relation == Relation::equal};
  if (c.relation == Relation::less || c.relation == Relation::greater) sign.form.constant -= 1;
  return sign;
}

/// coefficient * variable + rest >= 0, or = 0.
void narrow(Range& range, std::int64_t coefficient, std::int64_t rest, bool equal) {
  const auto at_least = [&](std::int64_t a, std::int64_t b) {
    if (a > 0) range.low = std::max(range.low, -floor_div(b, a));
    else range.high = std::min(range.high, floor_div(b, -a));
  };
  at_least(coefficient, rest);
  if (equal) at_least(-coefficient, -rest);
}

/// A constraint without quotients, over positions in a point; `terms` end with the one that is known last.
struct Linear {
  std::vector<std::pair<std::size_t, std::int64_t>> terms;
  std::int64_t constant = 0;
  bool equal = false;

  void narrow_last(Range& range, const Point& point) const {
    std::int64_t rest = constant;
    for (std::size_t t = 0; t + 1 < terms.size(); ++t) rest += terms[t].second * point[terms[t].first];
    narrow(range, terms.back().second, rest, equal);
  }
};

class PointEnumerator {
 public:
  PointEnumerator(const Domain& domain, const Assignment& sizes, const std::function<void(const Point&)>& visit,
                  std::int64_t limit)
      : variables_(domain.variables), sizes_(sizes), visit_(visit), limit_(limit), linear_(variables_.size()) {
    for (const Constraint& c : domain.constraints) add(c);
  }
  void start() { from(0); }

 private:
  std::size_t position(const std::string& name) const {
    return static_cast<std::size_t>(std::find(variables_.begin(), variables_.end(), name) - variables_.begin());
  }
  std::optional<std::int64_t> value(const std::string& name) const {
    const std::size_t k = position(name);
    if (k < point_.size()) return point_[k];
    if (k < variables_.size()) return std::nullopt;
    for (const auto& [size, number] : sizes_)
      if (size == name) return number;
    return std::nullopt;
  }

  void add(const Constraint& c) {
    const auto sign = as_sign(c);
    if (sign && sign->form.quotients.empty()) {
      Linear linear{{}, sign->form.constant, sign->equal};
      bool known = true;
      for (const auto& [name, coefficient] : sign->form.terms) {
        const std::size_t k = position(name);
        if (k < variables_.size()) linear.terms.emplace_back(k, coefficient);
        else if (const auto size = value(name)) linear.constant += coefficient * *size;
        else known = false;
      }
      std::sort(linear.terms.begin(), linear.terms.end());
      if (known && !linear.terms.empty()) return linear_[linear.terms.back().first].push_back(std::move(linear));
    }
    general_.push_back(c);
  }

  void narrow_general(Range& range, const std::string& variable, const Constraint& c) const {
    const auto sign = as_sign(c);
    if (!sign) return;
    for (const Quotient& quotient : sign->form.quotients)
      if (quotient.numerator->mentions(variable)) return;
    const std::int64_t coefficient = sign->form.coefficient(variable);
    if (coefficient == 0) return;
    const auto rest =
        (sign->form - Affine::name(variable, coefficient)).evaluate([&](const auto& name) { return value(name); });
    if (rest) narrow(range, coefficient, *rest, sign->equal);
  }

  bool satisfied() const {
    return std::all_of(general_.begin(), general_.end(), [&](const Constraint& c) {
      return c.holds([&](const std::string& name) { return value(name); }).value_or(false);
    });
  }

  void from(std::size_t k) {
    if (k == variables_.size()) {
      if (satisfied()) visit_(point_);
      return;
    }
    Range range{-limit_, limit_};
    for (const Linear& linear : linear_[k]) linear.narrow_last(range, point_);
    for (const Constraint& c : general_) narrow_general(range, variables_[k], c);
    for (std::int64_t v = range.low; v <= range.high; ++v) {
      point_.push_back(v);
      from(k + 1);
      point_.pop_back();
    }
  }

  const std::vector<std::string>& variables_;
  const Assignment& sizes_;
  const std::function<void(const Point&)>& visit_;
  const std::int64_t limit_;
  std::vector<std::vector<Linear>> linear_;  ///< by the variable that is known last
  std::vector<Constraint> general_;
  Point point_;
};

}  // namespace

void for_each_point(const Domain& domain, const Assignment& sizes, const std::function<void(const Point&)>& visit,
                    std::int64_t limit) {
  PointEnumerator(domain, sizes, visit, limit).start();
}

}  // namespace trellis::math
