#include "tests/random/generate.hpp"

#include <algorithm>
#include <map>

namespace trellis::randomised {
namespace {

using Names = std::vector<std::string>;

/// What is known about one equation while its right side is made.
struct EquationsScope {
  int self = 0;                              ///< number of the result that it defines
  Names free;                                ///< variables of the left side
  Names reduced;                             ///< variables of the enclosing reductions
  Names unused;                              ///< names that nothing in the equation binds
  std::string stepped;                       ///< the free variable whose neighbour may be read; empty if none
  std::map<std::string, std::string> below;  ///< reduced variables that stay before (or after) a free one
  std::vector<std::string>* constraints = nullptr;
  int depth = 0;

  Names all() const {
    Names names = free;
    names.insert(names.end(), reduced.begin(), reduced.end());
    return names;
  }
};

struct Result {
  std::string name;
  int rank = 1;
};

class EquationsGenerator {
 public:
  explicit EquationsGenerator(Dice& dice) : dice_(dice) {}

  Draft run() {
    type_ = dice_.pick(Names{"f64", "f64", "f64", "f32", "i64", "i64", "i32", "i16", "u8", "bool"});
    downwards_ = dice_.chance(20);
    declare();
    for (int r = 0; r < std::ssize(results_); ++r) define(r);
    return draft_;
  }

 private:
  bool boolean() const { return type_ == "bool"; }

  void declare() {
    auto tensor = [&](const std::string& name, const std::string& shape, int rank) {
      std::string attributes = " " + type_;
      if (rank == 2 && dice_.chance(25)) attributes += " @ (1, 0)";
      if (dice_.chance(15)) attributes += boolean() ? " fill true" : " fill 3";
      draft_.declarations.push_back("tensor " + name + shape + ":" + attributes);
    };
    int count = 1 + dice_.below(3);
    for (int r = 0; r < count; ++r) {
      Result result{std::string(1, static_cast<char>('X' + r)), dice_.pick(std::vector<int>{1, 1, 1, 2, 2, 2, 2, 3})};
      if (r > 0 && dice_.chance(5)) result.rank = 0;
      tensor(result.name,
             result.rank == 0   ? ""
             : result.rank == 1 ? "(n)"
             : result.rank == 2 ? "(n, n)"
                                : "(n, n, n)",
             result.rank);
      results_.push_back(result);
    }
    tensor("A", "(n, n)", 2);
    tensor("b", "(n)", 1);
    tensor("wide", "(2*n)", 1);
    draft_.declarations.push_back("tensor p(n): i64");
  }

  // ---- equations ------------------------------------------------------------------------------------------------

  void define(int r) {
    const int rank = results_[r].rank;
    const int kind = dice_.below(100);
    if (rank == 0 || kind < 45) return whole(r);
    if (kind < 75) return with_boundary(r);
    if (kind < 90 && rank == 2) return by_diagonal(r);
    by_parity(r);
  }

  EquationsScope scope(int r, int rank) {
    EquationsScope result;
    result.self = r;
    result.unused = {"i", "j", "k", "l", "q"};
    // Mostly the same names in every equation, since that is where fusing and renaming get interesting.
    for (int d = 0; d < rank; ++d) {
      std::size_t at =
          dice_.chance(75) ? 0 : static_cast<std::size_t>(dice_.below(static_cast<int>(result.unused.size())));
      result.free.push_back(result.unused[at]);
      result.unused.erase(result.unused.begin() + static_cast<std::ptrdiff_t>(at));
    }
    return result;
  }

  void emit(int r, const Names& indices, EquationsScope scope, std::vector<std::string> constraints) {
    scope.constraints = &constraints;
    DraftEquation equation;
    equation.left = results_[r].name + (indices.empty() ? "" : "(" + list(indices) + ")");
    equation.right = right_side(scope);
    equation.constraints = constraints;
    draft_.equations.push_back(std::move(equation));
  }

  void whole(int r) {
    EquationsScope s = scope(r, results_[r].rank);
    std::vector<std::string> constraints;
    Names indices = s.free;
    if (s.free.size() >= 2 && dice_.chance(35)) {
      constraints.push_back(s.free[0] + dice_.pick(Names{" < ", " <= ", " > ", " >= "}) + s.free[1]);
    }
    if (!s.free.empty() && dice_.chance(20)) {
      s.stepped = dice_.pick(s.free);
      constraints.push_back(inside(s.stepped));
    } else if (!s.free.empty() && dice_.chance(10)) {
      indices[0] += dice_.pick(Names{"+1", "-1"});
    }
    emit(r, indices, s, constraints);
  }

  /// The range in which the neighbour exists.
  std::string inside(const std::string& v) {
    if (downwards_) return dice_.pick(Names{v + " < n-1", v + "+1 < n", v + " <= n-2"});
    return dice_.pick(Names{"1 <= " + v, "0 < " + v, v + " >= 1"});
  }

  void with_boundary(int r) {
    EquationsScope border = scope(r, results_[r].rank);
    std::size_t d = static_cast<std::size_t>(dice_.below(results_[r].rank));
    Names indices = border.free;
    indices[d] = downwards_ ? "n-1" : "0";
    border.unused.push_back(border.free[d]);
    border.free.erase(border.free.begin() + static_cast<std::ptrdiff_t>(d));
    // The parameter may be 0: then there is no element 0, and the left side's bounds leave nothing to compute.
    EquationsScope inner = scope(r, results_[r].rank);
    inner.stepped = inner.free[d];
    bool border_first = dice_.chance(70);
    if (border_first) emit(r, indices, border, {});
    emit(r, inner.free, inner, {inside(inner.stepped)});
    if (!border_first && dice_.chance(60)) emit(r, indices, border, {});
  }

  void by_diagonal(int r) {
    EquationsScope below = scope(r, 2);
    EquationsScope diagonal = scope(r, 2);
    emit(r, below.free, below, {below.free[1] + (downwards_ ? " > " : " < ") + below.free[0]});
    if (dice_.chance(30)) {
      emit(r, diagonal.free, diagonal, {diagonal.free[0] + " = " + diagonal.free[1]});
    } else {
      diagonal.unused.push_back(diagonal.free[1]);
      diagonal.free.pop_back();
      emit(r, {diagonal.free[0], diagonal.free[0]}, diagonal, {});
    }
  }

  void by_parity(int r) {
    for (const char* remainder : {"0", "1"}) {
      EquationsScope s = scope(r, results_[r].rank);
      std::string sum = s.free.size() >= 2 && dice_.chance(50) ? "(" + s.free[0] + "+" + s.free[1] + ")" : s.free[0];
      emit(r, s.free, s, {sum + "%2 = " + remainder});
    }
  }

  // ---- expressions ----------------------------------------------------------------------------------------------

  Tree right_side(EquationsScope& s) {
    if (dice_.chance(30)) return reduction(s);
    std::vector<Tree> terms{term(s)};
    if (dice_.chance(70)) terms.push_back(term(s));
    if (dice_.chance(15)) terms.push_back(term(s));
    return combined(std::move(terms));
  }

  Tree combined(std::vector<Tree> terms) {
    if (terms.size() == 1) return terms[0];
    if (boolean()) return join("(", std::move(terms), dice_.pick(Names{" && ", " || ", " || "}), ")");
    if (dice_.chance(20)) return join(dice_.pick(Names{"max(", "min("}), std::move(terms), ", ", ")");
    return join("(", std::move(terms), dice_.pick(Names{" + ", " + ", " - "}), ")");
  }

  Tree term(EquationsScope& s) {
    int kind = dice_.below(100);
    if (kind < 35) return read_result(s, true);
    if (kind < 50 && s.depth < 2) return reduction(s);
    if (kind < 60) return guarded(s);
    if (kind < 68 && !boolean()) return join("", {constant(), operand(s)}, "*", "");
    if (kind < 73 && !boolean()) return join("abs(", {operand(s)}, "", ")");
    if (kind < 77 && type_[0] == 'i') return join("(", {operand(s)}, "", dice_.pick(Names{")/2", ")%3", ")/3"}));
    if (kind < 80 && boolean()) return join("!(", {operand(s)}, "", ")");
    if (kind < 84) return read_result(s, false);
    return operand(s);
  }

  Tree constant() { return leaf(boolean() ? dice_.pick(Names{"true", "false"}) : std::to_string(dice_.below(3))); }

  /// Something that no equation defines.
  Tree operand(const EquationsScope& s) {
    const Names names = s.all();
    if (names.empty()) return constant();
    const std::string v = dice_.pick(names);
    const std::string w = dice_.pick(names);
    int kind = dice_.below(100);
    if (kind < 35) return leaf("A(" + v + "," + w + ")");
    if (kind < 65) return leaf("b(" + v + ")");
    if (kind < 71) return leaf("wide(" + v + "+" + w + ")");
    if (kind < 75) return leaf("wide(2*" + v + ")");
    if (kind < 79) return leaf("wide(n-" + v + ")");
    if (kind < 83) return leaf("b(p(" + v + "))");
    if (kind < 86) return leaf("A(" + v + ",p(" + w + "))");
    if (kind < 92 && !boolean()) return leaf(v);
    return constant();
  }

  Tree guarded(EquationsScope& s) {
    const Names names = s.all();
    if (names.empty()) return operand(s);
    const std::string v = dice_.pick(names);
    const std::string w = dice_.pick(names);
    if (dice_.chance(40)) {
      std::string neighbour = downwards_ ? v + "+1" : v + "-1";
      std::string condition = downwards_ ? v + " < n-1" : v + " >= 1";
      // The same said of where it is not, with something else that leaves it out.
      const std::string at_border = downwards_ ? v + " == n-1" : v + " == 0";
      const std::string other = dice_.pick(Names{w + " == 1", boolean() ? "b(" + v + ")" : "b(" + v + ") > 0"});
      if (dice_.chance(30))
        return join("(" + at_border + " || " + other + " ? ", {term_below(s), leaf("b(" + neighbour + ")")}, " : ",
                    ")");
      if (dice_.chance(20)) condition = "!(" + at_border + " || " + other + ")";
      return join("(" + condition + " ? ", {leaf("b(" + neighbour + ")"), term_below(s)}, " : ", ")");
    }
    std::string condition =
        dice_.pick(Names{v + " < " + w, v + " == " + w, v + "/2 == " + w + "/2", v + "/2 == " + w,
                         "(" + v + "+" + w + ")%2 == 0", v + " != 1", boolean() ? "b(" + v + ")" : "b(" + v + ") > 0"});
    Tree chosen = s.depth < 2 && dice_.chance(40) ? reduction(s) : term_below(s);
    if (dice_.chance(20))
      condition += " && " + std::string(boolean() ? "b(" : "wide(") + v + (boolean() ? ")" : ") > 0");
    if (dice_.chance(30)) return join("(" + condition + " ? ", {operand(s), std::move(chosen)}, " : ", ")");
    return join("(" + condition + " ? ", {std::move(chosen), operand(s)}, " : ", ")");
  }

  Tree term_below(EquationsScope& s) { return dice_.chance(50) ? read_result(s, true) : operand(s); }

  /// A read of some result; with `earlier`, of an element that is probably computed before this one.
  Tree read_result(const EquationsScope& s, bool earlier) {
    int target = dice_.chance(55) ? s.self : dice_.below(static_cast<int>(results_.size()));
    const Result& result = results_[static_cast<std::size_t>(target)];
    const Names names = s.all();
    if (names.empty() || (target >= s.self && s.stepped.empty() && s.reduced.empty())) return operand(s);
    if (target >= s.self && !earlier) return operand(s);
    Names indices;
    int pivot = result.rank == 0 ? 0 : dice_.below(result.rank);
    const std::string inner = s.reduced.empty() ? "" : dice_.pick(s.reduced);
    if (auto bound = s.below.find(inner); bound != s.below.end() && dice_.chance(75)) {
      auto dimension = std::find(s.free.begin(), s.free.end(), bound->second) - s.free.begin();
      if (dimension < result.rank) pivot = static_cast<int>(dimension);
    }
    for (int d = 0; d < result.rank; ++d) {
      bool has_own = d < std::ssize(s.free);
      if (!s.stepped.empty() && has_own && s.free[static_cast<std::size_t>(d)] == s.stepped && dice_.chance(85)) {
        indices.push_back(s.stepped + (downwards_ ? "+1" : "-1"));
      } else if (!s.reduced.empty() && (d == pivot || dice_.chance(12))) {
        indices.push_back(d == pivot ? inner : dice_.pick(s.reduced));
      } else if (has_own && dice_.chance(70)) {
        indices.push_back(s.free[static_cast<std::size_t>(d)]);
      } else {
        indices.push_back(dice_.chance(4) ? "p(" + dice_.pick(names) + ")" : dice_.pick(names));
      }
    }
    return leaf(result.name + (indices.empty() ? "" : "(" + list(indices) + ")"));
  }

  Tree reduction(EquationsScope outer) {
    if (outer.unused.empty()) return operand(outer);
    EquationsScope s = outer;
    s.below.clear();
    ++s.depth;
    std::string op =
        dice_.pick(boolean() ? Names{"any", "any", "all"}
                             : Names{"sum", "sum", "sum", "sum", "max", "min", "prod", "argmin", "argmax"});
    const bool index = op.starts_with("arg");
    Names bound;
    int count = !index && dice_.chance(15) && s.unused.size() >= 2 ? 2 : 1;
    for (int v = 0; v < count; ++v) {
      bound.push_back(s.unused[0]);
      s.unused.erase(s.unused.begin());
    }
    s.reduced.insert(s.reduced.end(), bound.begin(), bound.end());
    Names restrictions;
    for (const std::string& v : bound) {
      if (!outer.all().empty() && dice_.chance(80)) {
        const Names enclosing = outer.all();
        const std::string w = dice_.pick(enclosing);
        restrictions.push_back(v + (downwards_ ? " > " : " < ") + w);
        s.below[v] = w;
      } else if (dice_.chance(10)) {
        restrictions.push_back(v + "%2 = 0");
      }
    }
    // Alone in one dimension of an operand, so that the bound variable has a range.
    std::vector<Tree> factors;
    for (const std::string& v : bound) factors.push_back(leaf(dice_.chance(60) ? "b(" + v + ")" : column(outer, v)));
    factors.push_back(dice_.chance(75) ? read_result(s, true) : term(s));
    Tree body = join("", std::move(factors), boolean() ? " && " : dice_.chance(70) ? "*" : " + ", "");
    bool in_place = dice_.chance(35) && !restrictions.empty() && restrictions.size() == bound.size() &&
                    s.below.size() >= bound.size();
    if (!in_place) outer.constraints->insert(outer.constraints->end(), restrictions.begin(), restrictions.end());
    std::string open = op + "(" + list(in_place ? restrictions : bound) + ")(";
    if (index && type_ != "i64") return join(type_ + "(" + open, {std::move(body)}, "", "))");
    return join(std::move(open), {std::move(body)}, "", ")");
  }

  std::string column(const EquationsScope& outer, const std::string& v) {
    const Names names = outer.all();
    if (names.empty()) return "b(" + v + ")";
    return dice_.chance(50) ? "A(" + dice_.pick(names) + "," + v + ")" : "A(" + v + "," + dice_.pick(names) + ")";
  }

  Dice& dice_;
  Draft draft_;
  std::string type_;
  bool downwards_ = false;
  std::vector<Result> results_;
};

}  // namespace

Draft generate(Dice& dice) { return EquationsGenerator(dice).run(); }

lang::Order random_order(Dice& dice, std::vector<std::string> variables) {
  lang::Order order;
  const std::size_t keep = variables.size() > 1 && dice.chance(12) ? variables.size() - 1 : variables.size();
  while (order.size() < keep) {
    auto at = static_cast<std::ptrdiff_t>(dice.below(static_cast<int>(variables.size())));
    order.push_back({variables[static_cast<std::size_t>(at)], dice.chance(20)});
    variables.erase(variables.begin() + at);
  }
  return order;
}

lang::Order random_tiled_order(Dice& dice, std::vector<std::string> variables) {
  lang::Order order = random_order(dice, std::move(variables));
  if (!dice.chance(25)) return order;
  const std::int64_t size = 1 + dice.below(4);
  for (const lang::LoopName& loop : lang::Order(order)) {
    if (!dice.chance(70)) continue;
    const auto inner = std::ranges::find(order, loop.name, &lang::LoopName::name) - order.begin();
    const auto at = dice.below(static_cast<int>(inner) + 1);
    order.insert(order.begin() + at, {lang::tile_text(loop.name, dice.chance(20) ? size + 1 : size), loop.descending});
  }
  return order;
}

}  // namespace trellis::randomised
