#include "engine/math/inverse_map.hpp"

#include <algorithm>
#include <map>

namespace trellis::math {

namespace {

/// A form of the variables, and its value as a form of the results.
struct Known {
  Affine form, value;
};

/// The only quotient, with factor 1, that there is but for a constant.
const Quotient* only_quotient(const Affine& form) {
  const bool alone = form.terms.empty() && form.quotients.size() == 1 && form.quotients.front().coefficient == 1;
  return alone ? &form.quotients.front() : nullptr;
}

/// The remainder, of what is a remainder of a multiple of the divisor itself, too.
Affine remainder(const Affine& of, std::int64_t divisor) {
  const Quotient* q = only_quotient(of);
  const bool coarser = q && q->kind == Quotient::Kind::mod && q->divisor % divisor == 0;
  return Affine::mod(coarser ? *q->numerator + Affine(of.constant) : of, divisor);
}

class Elimination {
 public:
  Elimination(const std::vector<Affine>& map, const std::vector<std::string>& variables,
              const std::vector<std::string>& results)
      : variables_(variables) {
    for (std::size_t k = 0; k < map.size(); ++k) learn({map[k], Affine::name(results[k])});
  }

  std::optional<std::vector<Affine>> run() {
    while (std::ranges::any_of(variables_, [&](const std::string& v) { return !solved_.contains(v); }))
      if (!solve_one() && !join_digits()) return std::nullopt;
    std::vector<Affine> all;
    for (const std::string& v : variables_) all.push_back(solved_.at(v));
    return all;
  }

 private:
  bool learn(Known one) {
    one.value = one.value - Affine(one.form.constant);
    one.form.constant = 0;
    if (std::ranges::any_of(known_, [&](const Known& other) { return other.form == one.form; })) return false;
    known_.push_back(std::move(one));
    return true;
  }

  /// A form with one unknown, whose factor is 1 or -1, outside of quotients.
  bool solve_one() {
    for (const Known& one : known_) {
      const std::string* unknown = nullptr;
      bool fine = true;
      for (const std::string& v : variables_) {
        if (solved_.contains(v) || !one.form.mentions(v)) continue;
        const std::int64_t factor = one.form.coefficient(v);
        fine = fine && !unknown && (factor == 1 || factor == -1) && !(one.form - Affine::name(v, factor)).mentions(v);
        unknown = &v;
      }
      if (!fine || !unknown) continue;
      const std::int64_t factor = one.form.coefficient(*unknown);
      const Affine rest = (one.form - Affine::name(*unknown, factor)).substitute(solved_);
      solved_[*unknown] = factor * (one.value - rest);
      return true;
    }
    return false;
  }

  /// g = R * (g div R) + g mod R.
  bool join_digits() {
    for (const Known& high : known_) {
      const Quotient* div = only_quotient(high.form);
      if (!div || div->kind != Quotient::Kind::div) continue;
      for (const Known& low : known_) {
        if (low.form != remainder(*div->numerator, div->divisor)) continue;
        if (learn({*div->numerator, div->divisor * high.value + low.value})) return true;
      }
    }
    return false;
  }

  const std::vector<std::string>& variables_;
  std::vector<Known> known_;
  std::map<std::string, Affine> solved_;
};

}  // namespace

std::optional<std::vector<Affine>> inverse_map(const std::vector<Affine>& map,
                                               const std::vector<std::string>& variables,
                                               const std::vector<std::string>& results) {
  return Elimination(map, variables, results).run();
}

}  // namespace trellis::math
