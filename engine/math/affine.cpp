#include "engine/math/affine.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "engine/math/compare.hpp"
#include "engine/math/division.hpp"
#include "engine/math/sizes.hpp"

namespace trellis::math {

namespace {

// Coefficients come from users, so their arithmetic must wrap rather than be undefined.
std::int64_t wrapping_add(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
std::int64_t wrapping_multiply(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

void add_term(Affine& a, const std::string& name, std::int64_t coefficient) {
  auto& terms = a.terms.own();
  auto at = std::lower_bound(terms.begin(), terms.end(), name,
                             [](const auto& term, const std::string& key) { return term.first < key; });
  if (at == terms.end() || at->first != name) at = terms.insert(at, {name, 0});
  at->second = wrapping_add(at->second, coefficient);
  if (at->second == 0) terms.erase(at);
}

auto sort_key(const Quotient& q) { return std::tuple(to_string(*q.numerator), q.divisor, q.kind); }

void add_quotient(Affine& a, const Quotient& quotient) {
  auto same = [&](const Quotient& q) {
    return q.kind == quotient.kind && q.divisor == quotient.divisor && *q.numerator == *quotient.numerator;
  };
  auto at = std::find_if(a.quotients.begin(), a.quotients.end(), same);
  if (at != a.quotients.end()) {
    at->coefficient = wrapping_add(at->coefficient, quotient.coefficient);
    if (at->coefficient == 0) a.quotients.erase(at);
  } else if (quotient.coefficient != 0) {
    auto place = std::find_if(a.quotients.begin(), a.quotients.end(),
                              [&](const Quotient& q) { return sort_key(quotient) < sort_key(q); });
    a.quotients.insert(place, quotient);
  }
}

/// `numerator = divisor * whole + rest`; the constant of `rest` lies in [0, divisor).
struct Split {
  Affine whole, rest;
};

Split split(const Affine& numerator, std::int64_t divisor) {
  Split s{floor_div(numerator.constant, divisor), floor_mod(numerator.constant, divisor)};
  for (const auto& [name, coefficient] : numerator.terms) {
    // A coefficient stays as written unless it divides out: `(n - i) div 4` should not become `(n + 3*i) div 4 - i`.
    bool divides = coefficient % divisor == 0;
    add_term(divides ? s.whole : s.rest, name, divides ? coefficient / divisor : coefficient);
  }
  for (Quotient q : numerator.quotients) {
    bool divides = q.coefficient % divisor == 0;
    if (divides) q.coefficient /= divisor;
    add_quotient(divides ? s.whole : s.rest, q);
  }
  return s;
}

Affine quotient(Quotient::Kind kind, Affine numerator, std::int64_t divisor) {
  Affine result;
  result.quotients.push_back({1, kind, std::make_shared<const Affine>(std::move(numerator)), divisor});
  return result;
}

/// Appends one summand to a printed sum.
void append(std::string& out, std::int64_t coefficient, const std::string& atom, const std::string& factor) {
  bool negative = coefficient < 0;
  out += out.empty() ? (negative ? "-" : "") : (negative ? " - " : " + ");
  std::uint64_t magnitude =
      negative ? 0 - static_cast<std::uint64_t>(coefficient) : static_cast<std::uint64_t>(coefficient);
  bool leading_minus = negative && out == "-";
  out += magnitude != 1 ? std::to_string(magnitude) + "*" + factor : leading_minus ? factor : atom;
}

std::string print(const Quotient& q) {
  std::string numerator = to_string(*q.numerator);
  if (!q.numerator->as_name()) numerator = "(" + numerator + ")";
  return numerator + (q.kind == Quotient::Kind::div ? "/" : "%") + std::to_string(q.divisor);
}

}  // namespace

bool Quotient::operator==(const Quotient& other) const {
  return coefficient == other.coefficient && kind == other.kind && divisor == other.divisor &&
         (numerator == other.numerator || *numerator == *other.numerator);
}

Affine Affine::name(std::string variable, std::int64_t coefficient) {
  Affine result;
  if (coefficient != 0) result.terms.own().emplace_back(std::move(variable), coefficient);
  return result;
}

Affine Affine::div(const Affine& numerator, std::int64_t divisor) {
  Split s = split(numerator, divisor);
  return s.rest.is_constant() ? s.whole : s.whole + quotient(Quotient::Kind::div, s.rest, divisor);
}

Affine Affine::mod(const Affine& numerator, std::int64_t divisor) {
  Split s = split(numerator, divisor);
  return s.rest.is_constant() ? s.rest : quotient(Quotient::Kind::mod, s.rest, divisor);
}

std::optional<std::string> Affine::as_name() const {
  bool single = constant == 0 && quotients.empty() && terms.size() == 1 && terms[0].second == 1;
  return single ? std::optional(terms[0].first) : std::nullopt;
}

std::int64_t Affine::coefficient(const std::string& variable) const {
  for (const auto& [name, coefficient] : terms)
    if (name == variable) return coefficient;
  return 0;
}

bool Affine::mentions(const std::string& variable) const {
  const auto multiplies = [&](const auto& term) {
    return is_product(term.first) && std::ranges::count(factors_of(term.first), variable) > 0;
  };
  return coefficient(variable) != 0 || std::ranges::any_of(terms, multiplies) ||
         std::any_of(quotients.begin(), quotients.end(),
                     [&](const Quotient& q) { return q.numerator->mentions(variable); });
}

void Affine::collect_names(std::set<std::string>& into) const {
  for (const auto& term : terms) into.insert(term.first);
  for (const Quotient& q : quotients) q.numerator->collect_names(into);
}

namespace {

/// The product with sizes for some of its factors; as it is where that has no form.
Affine substitute_factors(const std::string& name, const std::map<std::string, Affine>& replacements) {
  Affine result = 1;
  for (const std::string& factor : factors_of(name)) {
    const auto found = replacements.find(factor);
    const auto next = product(result, found == replacements.end() ? Affine::name(factor) : found->second);
    if (!next) return Affine::name(name);
    result = *next;
  }
  return result;
}

/// The value of a name, or of all that it multiplies.
std::optional<std::int64_t> value_of(const std::string& name,
                                     const std::function<std::optional<std::int64_t>(const std::string&)>& value) {
  if (!is_product(name)) return value(name);
  std::int64_t result = 1;
  for (const std::string& factor : factors_of(name)) {
    const auto one = value(factor);
    if (!one || __builtin_mul_overflow(result, *one, &result)) return std::nullopt;
  }
  return result;
}

}  // namespace

Affine Affine::substitute(const std::map<std::string, Affine>& replacements) const {
  Affine result = constant;
  for (const auto& [name, coefficient] : terms) {
    auto found = replacements.find(name);
    if (found == replacements.end() && is_product(name)) {
      result = result + coefficient * substitute_factors(name, replacements);
      continue;
    }
    result = result + (found == replacements.end() ? Affine::name(name, coefficient) : coefficient * found->second);
  }
  for (const Quotient& q : quotients) {
    Affine numerator = q.numerator->substitute(replacements);
    result = result +
             q.coefficient * (q.kind == Quotient::Kind::div ? div(numerator, q.divisor) : mod(numerator, q.divisor));
  }
  return result;
}

std::optional<std::int64_t> Affine::evaluate(
    const std::function<std::optional<std::int64_t>(const std::string&)>& value) const {
  std::int64_t sum = constant;
  auto add = [&sum](std::int64_t coefficient, std::int64_t number) {
    std::int64_t product = 0;
    return !__builtin_mul_overflow(coefficient, number, &product) && !__builtin_add_overflow(sum, product, &sum);
  };
  for (const auto& [name, coefficient] : terms) {
    auto number = value_of(name, value);
    if (!number || !add(coefficient, *number)) return std::nullopt;
  }
  for (const Quotient& q : quotients) {
    auto number = q.numerator->evaluate(value);
    if (!number) return std::nullopt;
    auto part = q.kind == Quotient::Kind::div ? floor_div(*number, q.divisor) : floor_mod(*number, q.divisor);
    if (!add(q.coefficient, part)) return std::nullopt;
  }
  return sum;
}

Affine operator+(const Affine& a, const Affine& b) {
  Affine sum = a;
  sum.constant = wrapping_add(a.constant, b.constant);
  for (const auto& [name, coefficient] : b.terms) add_term(sum, name, coefficient);
  for (const Quotient& q : b.quotients) add_quotient(sum, q);
  return sum;
}

Affine operator-(const Affine& a, const Affine& b) { return a + -1 * b; }
Affine operator-(const Affine& a) { return -1 * a; }

Affine operator*(std::int64_t factor, const Affine& a) {
  Affine product = wrapping_multiply(factor, a.constant);
  for (const auto& [name, coefficient] : a.terms) add_term(product, name, wrapping_multiply(factor, coefficient));
  for (Quotient q : a.quotients) {
    q.coefficient = wrapping_multiply(factor, q.coefficient);
    add_quotient(product, q);
  }
  return product;
}

std::string to_string(const Affine& affine) {
  // Positive summands first, so that `n - i + 1` and `3 - i` read as people write them.
  std::string out;
  auto print_all = [&](bool negative) {
    for (const auto& [name, coefficient] : affine.terms)
      if ((coefficient < 0) == negative) append(out, coefficient, name, name);
    for (const Quotient& q : affine.quotients)
      if ((q.coefficient < 0) == negative) append(out, q.coefficient, print(q), "(" + print(q) + ")");
  };
  print_all(false);
  bool constant_first = out.empty() && affine.constant > 0;
  if (constant_first) out = std::to_string(affine.constant);
  print_all(true);
  if (out.empty()) return std::to_string(affine.constant);
  if (constant_first || affine.constant == 0) return out;
  std::string digits = std::to_string(affine.constant);
  return out + (affine.constant < 0 ? " - " + digits.substr(1) : " + " + digits);
}

std::string_view symbol(Relation relation) {
  switch (relation) {
    case Relation::less: return "<";
    case Relation::less_equal: return "<=";
    case Relation::equal: return "=";
    case Relation::not_equal: return "!=";
    case Relation::greater_equal: return ">=";
    case Relation::greater: return ">";
  }
  return "";
}

Constraint Constraint::substitute(const std::map<std::string, Affine>& replacements) const {
  return {left.substitute(replacements), relation, right.substitute(replacements)};
}

std::optional<bool> Constraint::holds(
    const std::function<std::optional<std::int64_t>(const std::string&)>& value) const {
  auto l = left.evaluate(value), r = right.evaluate(value);
  if (!l || !r) l = (left - right).evaluate(value), r = 0;  // k < k: what has no value may cancel
  if (!l) return std::nullopt;
  return math::holds(*l, relation, *r);
}

std::string to_string(const Constraint& c) {
  return to_string(c.left) + " " + std::string(symbol(c.relation)) + " " + to_string(c.right);
}

Domain Domain::substitute(const std::map<std::string, Affine>& replacements) const {
  Domain result{variables, {}};
  for (const Constraint& c : constraints) result.constraints.push_back(c.substitute(replacements));
  return result;
}

std::string to_string(const Domain& domain) {
  std::string out = "{";
  for (const std::string& variable : domain.variables) out += (out.size() > 1 ? ", " : "") + variable;
  const char* separator = " : ";
  for (const Constraint& c : domain.constraints) out += std::exchange(separator, ", ") + to_string(c);
  return out + "}";
}

}  // namespace trellis::math
