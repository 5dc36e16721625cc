#include "engine/find/query.hpp"

namespace trellis::find {

using Kind = Term::Kind;

Term number(std::int64_t value) { return {Kind::number, value}; }
Term name(std::string name) { return {Kind::name, 0, std::move(name)}; }
Term applied(std::string tensor, std::vector<Term> indices) {
  return {Kind::applied, 0, std::move(tensor), std::move(indices)};
}
Term sum(std::vector<Term> parts) { return {Kind::sum, 0, {}, std::move(parts)}; }
Term scaled(std::int64_t factor, Term part) { return {Kind::scaled, factor, {}, {std::move(part)}}; }
Term quotient(Term part, std::int64_t divisor) { return {Kind::quotient, divisor, {}, {std::move(part)}}; }
Term remainder(Term part, std::int64_t divisor) { return {Kind::remainder, divisor, {}, {std::move(part)}}; }

Term term(const math::Affine& form) {
  std::vector<Term> parts{number(form.constant)};
  for (const auto& [one, factor] : form.terms) parts.push_back(scaled(factor, name(one)));
  for (const math::Quotient& q : form.quotients) {
    Term of = term(*q.numerator);
    const bool div = q.kind == math::Quotient::Kind::div;
    parts.push_back(
        scaled(q.coefficient, div ? quotient(std::move(of), q.divisor) : remainder(std::move(of), q.divisor)));
  }
  return sum(std::move(parts));
}

std::optional<math::Affine> affine(const Term& term) {
  using math::Affine;
  const auto part = [&] { return affine(term.parts.front()); };
  switch (term.kind) {
    case Kind::number: return Affine(term.number);
    case Kind::name: return Affine::name(term.name);
    case Kind::applied: return std::nullopt;
    case Kind::sum: {
      Affine all;
      for (const Term& one : term.parts) {
        const auto form = affine(one);
        if (!form) return std::nullopt;
        all = all + *form;
      }
      return all;
    }
    case Kind::scaled:
      if (const auto form = part()) return term.number * *form;
      return std::nullopt;
    case Kind::quotient:
      if (const auto form = part()) return Affine::div(*form, term.number);
      return std::nullopt;
    case Kind::remainder:
      if (const auto form = part()) return Affine::mod(*form, term.number);
      return std::nullopt;
  }
  return std::nullopt;
}

std::string to_string(const Term& term) {
  std::string text;
  const auto list = [&](const char* between) {
    for (const Term& one : term.parts) text += (text.empty() ? "" : between) + to_string(one);
    return text;
  };
  switch (term.kind) {
    case Kind::number: return std::to_string(term.number);
    case Kind::name: return term.name;
    case Kind::applied: return term.name + "(" + list(",") + ")";
    case Kind::sum: return "(" + list(" + ") + ")";
    case Kind::scaled: return std::to_string(term.number) + "*" + to_string(term.parts.front());
    case Kind::quotient: return "(" + to_string(term.parts.front()) + ")/" + std::to_string(term.number);
    case Kind::remainder: return "(" + to_string(term.parts.front()) + ")%" + std::to_string(term.number);
  }
  return text;
}

std::string to_string(const Query& query) {
  std::string text;
  for (const Loop& l : query.loops) {
    text += "for " + l.variable + (l.way == Loop::Way::up ? "" : l.way == Loop::Way::down ? "-" : "?") + " in ";
    text += (l.low ? to_string(*l.low) : "") + ":" + (l.high ? to_string(*l.high) : "") + " ";
  }
  for (const math::Constraint& c : query.assumed) text += math::to_string(c) + " ";
  text += "fiber";
  for (const Term& one : query.fiber) text += " " + to_string(one);
  text += " asked " + to_string(query.asked);
  for (const auto& [tensor, promises] : query.promises) text += "; " + tensor + " " + format::to_string(promises);
  return text;
}

}  // namespace trellis::find
