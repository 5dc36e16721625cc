#include "engine/symbolic/elimination.hpp"

#include <algorithm>
#include <array>

#include "engine/math/solver.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::symbolic {
namespace {

using math::Affine;
using math::Constraint;
using math::Domain;
using math::Relation;
using Names = std::vector<std::string>;

/// An element of F: its row and column.
using Place = std::array<Affine, 2>;

// What relations are over: the element, and the two factors of a term.
const Names element{"$i", "$j"};
const Names product{"$i", "$j", "$a", "$b", "$c", "$d"};

Constraint equal(const std::string& name, const Affine& value) { return {Affine::name(name), Relation::equal, value}; }

/// How elements are moved onto F.
struct Turn {
  bool symmetric, reversed;
  std::map<std::string, bool> transposed;
  Affine last;  ///< of the square

  Place place(const lang::Access& access) const {
    Place at{*lang::affine(access.indices[0]), *lang::affine(access.indices[1])};
    if (reversed) at = {last - at[0], last - at[1]};
    if (transposed.at(access.tensor)) std::swap(at[0], at[1]);
    return at;
  }
};

/// A place off the diagonal; of a symmetric square the row is the larger number.
struct Folded {
  Place at;
  Constraint where;  ///< it is in this triangle
  bool lower;
};
std::array<Folded, 2> folded(const Place& at, bool symmetric) {
  return {Folded{at, {at[1], Relation::less, at[0]}, true},
          Folded{symmetric ? Place{at[1], at[0]} : at, {at[0], Relation::less, at[1]}, false}};
}

class Recognition {
 public:
  Recognition(const lang::Program& program, const lang::Kernel& twin, std::vector<Term> terms)
      : program_(program), twin_(twin), terms_(std::move(terms)), solver_(lang::size_assumptions(program)) {}

  std::optional<Elimination> find() {
    if (!is_square()) return std::nullopt;
    for (const bool symmetric : {true, false})
      for (std::size_t turned = 0; turned < (std::size_t{1} << results_.size()); ++turned)
        for (const bool reversed : {false, true}) {
          Turn turn{symmetric, reversed, {}, size_ - Affine(1)};
          for (std::size_t k = 0; k < results_.size(); ++k) turn.transposed[results_[k]] = (turned >> k & 1) != 0;
          if (symmetric && turned != 0) continue;  // folding undoes it
          if (const auto found = matched(turn)) return found;
        }
    return std::nullopt;
  }

 private:
  /// Sources that can be read off their operand: one leaf, each of whose elements says which element it stands for.
  bool is_source(const Term& term) const {
    const auto simple = [](const Constraint& c) { return c.left.quotients.empty() && c.right.quotients.empty(); };
    if (!term.exact || term.leaves.size() > 1 || !std::ranges::all_of(term.domain.constraints, simple)) return false;
    if (term.leaves.empty()) return term.domain.variables.size() == 1 && on_diagonal(term);
    const lang::Access& leaf = term.leaves.front();
    Names found;
    for (const lang::Expr& index : leaf.indices) {
      const auto* v = index.as<lang::Variable>();
      if (!v) return false;
      add_once(found, v->name);
    }
    return leaf.indices.size() == 2 &&
           std::ranges::all_of(term.domain.variables, [&](const std::string& v) { return contains(found, v); });
  }

  bool on_diagonal(const Term& term) const {
    return lang::affine(term.head.indices[0]) == lang::affine(term.head.indices[1]);
  }

  bool is_square() {
    results_ = twin_.results();
    if (results_.size() > 4) return false;
    for (const std::string& name : results_) {
      const lang::TensorInfo& info = *program_.tensor(name);
      if (info.shape.size() != 2 || info.shape[0] != info.shape[1]) return false;
      if (name == results_.front()) size_ = info.shape[0];
      else if (info.shape[0] != size_) return false;
    }
    return !results_.empty() &&
           std::ranges::all_of(terms_, [&](const Term& term) { return !term.results.empty() || is_source(term); });
  }

  std::optional<Elimination> matched(const Turn& turn) {
    Elimination found{turn.symmetric, turn.reversed, size_, {}, {}};
    std::vector<Domain> heads;
    for (const lang::Equation& equation : twin_.equations)
      for (const auto& [at, where, lower] : folded(turn.place(equation.access()), turn.symmetric)) {
        Domain head = head_of(equation, at);
        head.constraints.push_back(where);
        if (solver_.is_empty(head)) continue;
        if (std::ranges::any_of(heads, [&](const Domain& other) { return meet(other, head); })) return std::nullopt;
        heads.push_back(std::move(head));
        Elimination::Part& part = found.parts[equation.access().tensor];
        (lower ? part.lower : part.upper) = true;
      }
    if (!covers_triangles(turn, heads) || !own_triangles(turn, found)) return std::nullopt;
    if (!same_products(turn)) return std::nullopt;
    describe(turn, found);
    return found;
  }

  /// The elements that it defines, as places on F.
  static Domain head_of(const lang::Equation& equation, const Place& at) {
    Domain head = equation.domain;
    head.variables.insert(head.variables.end(), element.begin(), element.end());
    for (std::size_t d = 0; d < 2; ++d) head.constraints.push_back(equal(element[d], at[d]));
    return head;
  }

  /// Do two heads, whose own variables have nothing to do with each other, name one element?
  bool meet(const Domain& a, const Domain& b) {
    for (const Domain& piece : solver_.project(a, element)) {
      Domain both = b;
      both.constraints.insert(both.constraints.end(), piece.constraints.begin(), piece.constraints.end());
      if (!solver_.is_empty(both)) return true;
    }
    return false;
  }

  Domain triangle(bool lower) const {
    const Affine i = Affine::name(element[0]), j = Affine::name(element[1]);
    Domain all{element,
               {{Affine(0), Relation::less_equal, i},
                {i, Relation::less, size_},
                {Affine(0), Relation::less_equal, j},
                {j, Relation::less, size_}}};
    all.constraints.push_back(lower ? Constraint{j, Relation::less, i} : Constraint{i, Relation::less, j});
    return all;
  }

  bool covers_triangles(const Turn& turn, const std::vector<Domain>& heads) {
    return solver_.covers(heads, triangle(true)) && (turn.symmetric || solver_.covers(heads, triangle(false)));
  }

  /// Does each result define whole triangles?
  bool own_triangles(const Turn& turn, const Elimination& found) {
    for (const auto& [name, part] : found.parts) {
      std::vector<Domain> heads;
      for (const lang::Equation& equation : twin_.equations)
        if (equation.access().tensor == name) heads.push_back(head_of(equation, turn.place(equation.access())));
      for (const bool lower : {true, false})
        if ((lower ? part.lower : part.upper) && !solver_.covers(heads, triangle(lower))) return false;
    }
    return true;
  }

  /// Off the diagonal, the terms are F(i,k), F(k,j) for all k < min(i,j), in either order, and no others.
  bool same_products(const Turn& turn) {
    std::vector<Domain> ours, wanted = wanted_products(turn);
    for (const Term& term : terms_) {
      const auto pieces = products(turn, term);
      if (!pieces) return false;
      ours.insert(ours.end(), pieces->begin(), pieces->end());
    }
    const auto covered = [&](const std::vector<Domain>& by, const std::vector<Domain>& all) {
      return std::ranges::all_of(all, [&](const Domain& one) {
        return std::ranges::all_of(solver_.project(one, product),
                                   [&](const Domain& piece) { return solver_.covers(by, piece); });
      });
    };
    return covered(wanted, ours) && covered(ours, wanted);
  }

  std::vector<Domain> wanted_products(const Turn& turn) const {
    const auto name = [](std::size_t k) { return Affine::name(product[k]); };
    std::vector<Domain> all;
    for (const bool swapped : {false, true})
      for (const bool lower : {true, false}) {
        if (turn.symmetric && !lower) continue;
        Domain domain = triangle(lower);
        domain.variables = product;
        const Affine k = Affine::name("$k");
        domain.variables.push_back("$k");
        const Place first{name(0), k}, second = turn.symmetric ? Place{name(1), k} : Place{k, name(1)};
        const std::array<Affine, 4> factors = swapped ? std::array{second[0], second[1], first[0], first[1]}
                                                      : std::array{first[0], first[1], second[0], second[1]};
        for (std::size_t f = 0; f < 4; ++f) domain.constraints.push_back(equal(product[2 + f], factors[f]));
        domain.constraints.push_back({Affine(0), Relation::less_equal, k});
        domain.constraints.push_back({k, Relation::less, name(0)});
        domain.constraints.push_back({k, Relation::less, name(1)});
        all.push_back(std::move(domain));
      }
    return all;
  }

  /// Empty when a term off the diagonal has other than two factors off the diagonal. Factors that always are on it only
  /// keep out elements: without them the pattern is a superset.
  std::optional<std::vector<Domain>> products(const Turn& turn, const Term& term) {
    std::vector<Domain> pieces;
    if (term.results.empty()) return pieces;
    std::vector<Place> factors;
    for (const lang::Access& access : term.results) {
      const Place at = turn.place(access);
      if (!solver_.equal(term.domain, at[0], at[1])) factors.push_back(at);
    }
    for (const Folded& head : folded(turn.place(term.head), turn.symmetric)) {
      Domain here = term.domain;
      here.constraints.push_back(head.where);
      if (solver_.is_empty(here)) continue;
      if (factors.size() != 2) return std::nullopt;
      for (const Place& at : factors) {
        Domain on = here;
        on.constraints.push_back({at[0], Relation::equal, at[1]});
        if (!solver_.is_empty(on)) return std::nullopt;
      }
      here.variables.insert(here.variables.end(), product.begin(), product.end());
      for (std::size_t d = 0; d < 2; ++d) here.constraints.push_back(equal(product[d], head.at[d]));
      for (const Folded& a : folded(factors[0], turn.symmetric))
        for (const Folded& b : folded(factors[1], turn.symmetric))
          for (const bool swapped : {false, true}) {
            const Place &first = swapped ? b.at : a.at, &second = swapped ? a.at : b.at;
            Domain piece = here;
            piece.constraints.push_back(a.where);
            piece.constraints.push_back(b.where);
            for (std::size_t d = 0; d < 2; ++d) {
              piece.constraints.push_back(equal(product[2 + d], first[d]));
              piece.constraints.push_back(equal(product[4 + d], second[d]));
            }
            if (!solver_.is_empty(piece)) pieces.push_back(std::move(piece));
          }
    }
    return pieces;
  }

  void describe(const Turn& turn, Elimination& found) {
    for (const std::string& name : results_) found.parts[name].transposed = turn.transposed.at(name);
    for (const lang::Equation& equation : twin_.equations)
      if (meets_diagonal(equation.access(), equation.domain)) found.parts[equation.access().tensor].diagonal = true;
    for (const Term& term : terms_) {
      if (term.results.empty()) found.sources.push_back(term);
      else if (meets_diagonal(term.head, term.domain)) found.parts[term.head.tensor].fills_diagonal = true;
    }
  }

  bool meets_diagonal(const lang::Access& access, Domain domain) {
    domain.constraints.push_back({*lang::affine(access.indices[0]), Relation::equal, *lang::affine(access.indices[1])});
    return !solver_.is_empty(domain);
  }

  const lang::Program& program_;
  const lang::Kernel& twin_;
  std::vector<Term> terms_;
  math::Solver solver_;
  Names results_;
  Affine size_;
};

}  // namespace

std::optional<Elimination> find_elimination(const lang::Program& program, const lang::Kernel& twin) {
  auto terms = terms_of(twin);
  return terms ? Recognition(program, twin, std::move(*terms)).find() : std::nullopt;
}

}  // namespace trellis::symbolic
