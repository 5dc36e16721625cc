#include "engine/math/sizes.hpp"

#include <algorithm>

#include "engine/math/exact.hpp"

namespace trellis::math {

bool is_product(const std::string& name) { return name.find('*') != std::string::npos; }

std::vector<std::string> factors_of(const std::string& name) {
  std::vector<std::string> factors;
  std::size_t begin = 0;
  for (std::size_t end = name.find('*'); end != std::string::npos; end = name.find('*', begin)) {
    factors.push_back(name.substr(begin, end - begin));
    begin = end + 1;
  }
  factors.push_back(name.substr(begin));
  return factors;
}

std::string product_name(std::vector<std::string> factors) {
  std::ranges::sort(factors);
  std::string name;
  for (const std::string& factor : factors) name += (name.empty() ? "" : "*") + factor;
  return name;
}

namespace {

std::string times(const std::string& a, const std::string& b) {
  std::vector<std::string> factors = factors_of(a);
  for (std::string& factor : factors_of(b)) factors.push_back(std::move(factor));
  return product_name(std::move(factors));
}

/// What is left of the one name when the other's factors are taken out; empty where it lacks one.
std::optional<std::vector<std::string>> without(const std::string& name, const std::string& taken) {
  std::vector<std::string> left = factors_of(name);
  for (const std::string& factor : factors_of(taken)) {
    const auto found = std::ranges::find(left, factor);
    if (found == left.end()) return std::nullopt;
    left.erase(found);
  }
  return left;
}

}  // namespace

std::optional<Affine> product(const Affine& a, const Affine& b) {
  if (a.is_constant()) return a.constant * b;
  if (b.is_constant()) return b.constant * a;
  if (!a.quotients.empty() || !b.quotients.empty()) return std::nullopt;
  Affine sum = a.constant * b + b.constant * a - Affine(a.constant * b.constant);
  for (const auto& [first, c] : a.terms)
    for (const auto& [second, d] : b.terms) {
      const auto both = exact_product(c, d);
      if (!both) return std::nullopt;
      sum = sum + Affine::name(times(first, second), *both);
    }
  return sum;
}

namespace {

using Term = std::pair<std::string, std::int64_t>;  ///< the constant has no name

std::size_t degree(const std::string& name) { return name.empty() ? 0 : factors_of(name).size(); }

/// The term of the highest degree, of several the last by name: what division begins with.
Term leading(const Affine& a) {
  Term best{"", a.constant};
  for (const Term& term : a.terms)
    if (std::pair(degree(term.first), term.first) >= std::pair(degree(best.first), best.first)) best = term;
  return best;
}

}  // namespace

std::optional<Affine> exact_quotient(const Affine& whole, const Affine& part) {
  if (!whole.quotients.empty() || !part.quotients.empty())
    return whole == part ? std::optional(Affine(1)) : std::nullopt;
  if (part == Affine(0)) return std::nullopt;
  const Term divisor = leading(part);
  Affine left = whole, result;
  while (left != Affine(0)) {
    const Term top = leading(left);
    if (top.second % divisor.second != 0) return std::nullopt;
    const auto rest = divisor.first.empty() ? std::optional(factors_of(top.first)) : without(top.first, divisor.first);
    if (!rest) return std::nullopt;
    const std::string name = product_name(*rest);
    const std::int64_t factor = top.second / divisor.second;
    const Affine step = name.empty() ? Affine(factor) : Affine::name(name, factor);
    const auto taken = product(step, part);
    if (!taken) return std::nullopt;
    left = left - *taken;
    result = result + step;
  }
  return result;
}

void collect_factors(const Affine& size, std::set<std::string>& into) {
  std::set<std::string> names;
  size.collect_names(names);
  for (const std::string& name : names)
    for (std::string& factor : factors_of(name)) into.insert(std::move(factor));
}

}  // namespace trellis::math
