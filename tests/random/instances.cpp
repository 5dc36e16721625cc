#include "tests/random/instances.hpp"

#include <algorithm>
#include <set>

namespace trellis::randomised {
namespace {

using lang::Expr;
using Environment = std::map<std::string, std::int64_t>;

/// Wider than any range that the language gives a variable at the sizes of these tests.
constexpr std::int64_t box_low = -6;
constexpr std::int64_t box_high = 16;

std::optional<std::int64_t> value_of(const math::Affine& affine, const Environment& env) {
  return affine.evaluate([&](const std::string& name) -> std::optional<std::int64_t> {
    auto found = env.find(name);
    if (found == env.end()) return std::nullopt;
    return found->second;
  });
}

/// Unknown while a name in it has no value.
std::optional<bool> holds(const math::Constraint& constraint, const Environment& env) {
  auto left = value_of(constraint.left, env), right = value_of(constraint.right, env);
  if (!left || !right) return std::nullopt;
  switch (constraint.relation) {
    case math::Relation::less: return *left < *right;
    case math::Relation::less_equal: return *left <= *right;
    case math::Relation::equal: return *left == *right;
    case math::Relation::not_equal: return *left != *right;
    case math::Relation::greater_equal: return *left >= *right;
    case math::Relation::greater: return *left > *right;
  }
  return std::nullopt;
}

bool possible(const math::Domain& domain, const Environment& env) {
  return std::none_of(domain.constraints.begin(), domain.constraints.end(),
                      [&](const math::Constraint& c) { return holds(c, env) == false; });
}

/// Calls `visit` with `env` extended by every point of `domain`.
template <class Visit>
void for_each_point(const math::Domain& domain, Environment& env, Visit&& visit, std::size_t depth = 0) {
  if (depth == 0 && !possible(domain, env)) return;
  if (depth == domain.variables.size()) return visit();
  const std::string& variable = domain.variables[depth];
  for (std::int64_t value = box_low; value <= box_high; ++value) {
    env[variable] = value;
    if (possible(domain, env)) for_each_point(domain, env, visit, depth + 1);
  }
  env.erase(variable);
}

void collect_variables(const Expr& expr, std::set<std::string>& into) {
  if (auto* variable = expr.as<lang::Variable>()) into.insert(variable->name);
  lang::for_each_child(expr, [&](const Expr& child) { collect_variables(child, into); });
  if (auto* reduce = expr.as<lang::Reduce>()) {
    for (const math::Constraint& c : reduce->domain.constraints) {
      c.left.collect_names(into);
      c.right.collect_names(into);
    }
    for (const std::string& bound : reduce->domain.variables) into.erase(bound);
  }
}

/// A variable that an equality gives, and what it equals. The last one goes, so that names of the left side stay.
struct Solved {
  std::string variable;
  math::Affine value;
};

std::optional<Solved> solved_variable(const math::Domain& domain) {
  for (const math::Constraint& c : domain.constraints) {
    if (c.relation != math::Relation::equal) continue;
    for (auto v = domain.variables.rbegin(); v != domain.variables.rend(); ++v) {
      const std::int64_t factor = (c.left - c.right).coefficient(*v);
      const math::Affine rest = c.left - c.right - math::Affine::name(*v, factor);
      if ((factor == 1 || factor == -1) && !rest.mentions(*v)) return Solved{*v, -factor * rest};
    }
  }
  return std::nullopt;
}

Expr substituted(const Expr& expr, const Solved& solved, const std::vector<std::string>& variables) {
  if (auto* variable = expr.as<lang::Variable>(); variable && variable->name == solved.variable) {
    return lang::to_expr(solved.value, variables);
  }
  Expr changed = lang::map_children(expr, [&](const Expr& child) { return substituted(child, solved, variables); });
  auto* reduce = changed.as<lang::Reduce>();
  if (!reduce) return changed;
  math::Domain domain = reduce->domain.substitute({{solved.variable, solved.value}});
  return Expr(lang::ExprNode{lang::Reduce{reduce->op, domain, reduce->body}, changed->type, changed->span});
}

void eliminate(math::Domain& domain, const Solved& solved) {
  domain = domain.substitute({{solved.variable, solved.value}});
  std::erase(domain.variables, solved.variable);
}

/// The reduction at the top of `expr` and all below it; `outer` are the variables in scope.
Expr with_solved_reductions(const Expr& expr, std::vector<std::string> outer) {
  auto* reduce = expr.as<lang::Reduce>();
  if (!reduce) return lang::map_children(expr, [&](const Expr& e) { return with_solved_reductions(e, outer); });
  math::Domain domain = reduce->domain;
  Expr body = reduce->body;
  outer.insert(outer.end(), domain.variables.begin(), domain.variables.end());
  while (auto solved = solved_variable(domain)) {
    eliminate(domain, *solved);
    body = substituted(body, *solved, outer);
  }
  return Expr(
      lang::ExprNode{lang::Reduce{reduce->op, domain, with_solved_reductions(body, outer)}, expr->type, expr->span});
}

/// Equalities are substituted before anything else: what they give is no variable of a loop.
lang::Equation with_solved_variables(lang::Equation equation) {
  const std::vector<std::string> variables = equation.domain.variables;
  while (auto solved = solved_variable(equation.domain)) {
    eliminate(equation.domain, *solved);
    equation.left = substituted(equation.left, *solved, variables);
    equation.right = substituted(equation.right, *solved, variables);
  }
  equation.right = with_solved_reductions(equation.right, equation.domain.variables);
  return equation;
}

/// Which elements a read may touch: a coordinate, or any of the dimension.
using Pattern = std::vector<std::optional<std::int64_t>>;

struct ReadAt {
  int piece;
  Point at;
  std::string tensor;
  Pattern pattern;
};
struct WriteAt {
  int piece;
  Point at;
};

class Expansion {
 public:
  Expansion(const lang::Program& program, const Sizes& sizes, Instances& result)
      : program_(program), sizes_(sizes), result_(result) {}

  void run(const std::vector<lang::Equation>& equations) {
    env_.insert(sizes_.begin(), sizes_.end());
    for (int e = 0; e < std::ssize(equations); ++e) add(equations[e], e);
    for (const ReadAt& read : reads_) connect(read);
    if (result_.problem.empty() && has_cycle()) fail("cycle");
  }

 private:
  void fail(const std::string& problem) {
    if (!result_.problem.empty()) return;
    result_.problem = problem;
    result_.problem_sizes = sizes_;
  }

  /// The same number at every size, whether or not the piece has an iteration there.
  int piece(const std::string& name, const std::vector<std::string>& variables) {
    for (int p = 0; p < std::ssize(result_.pieces); ++p) {
      if (result_.pieces[p].name == name) return p;
    }
    result_.pieces.push_back({name, variables, equation_});
    return static_cast<int>(std::ssize(result_.pieces)) - 1;
  }

  Point values(const std::vector<std::string>& variables) const {
    Point point;
    for (const std::string& variable : variables) point.push_back(env_.at(variable));
    return point;
  }

  Pattern pattern(const std::vector<Expr>& indices) const {
    Pattern result;
    for (const Expr& index : indices) {
      auto affine = lang::affine(index);
      result.push_back(affine ? value_of(*affine, env_) : std::nullopt);
    }
    return result;
  }

  bool in_range(const std::string& tensor, const Pattern& at) const {
    const lang::TensorInfo& info = *program_.tensor(tensor);
    for (std::size_t d = 0; d < at.size(); ++d) {
      if (at[d] && (*at[d] < 0 || *at[d] >= value_of(info.shape[d], env_).value())) return false;
    }
    return true;
  }

  void add(const lang::Equation& equation, int number) {
    equation_ = number;
    const std::string name = equation.access().tensor + std::to_string(number);
    auto* whole = equation.right.as<lang::Reduce>();
    std::vector<std::string> variables = equation.domain.variables;
    if (whole) variables.insert(variables.end(), whole->domain.variables.begin(), whole->domain.variables.end());
    int self = piece(name, variables);
    for_each_point(equation.domain, env_, [&] {
      Pattern element = pattern(equation.access().indices);
      if (!in_range(equation.access().tensor, element)) fail("range");
      std::string owner = equation.access().tensor;
      if (!defined_.insert({owner, element}).second) fail("overlap");
      int children = 0;
      if (!whole) {
        Point at = values(variables);
        writes_[{owner, element}].push_back({self, at});
        visit(equation.right, self, at, name, children, equation.domain.variables);
        return;
      }
      for_each_point(whole->domain, env_, [&] {
        Point at = values(variables);
        writes_[{owner, element}].push_back({self, at});
        children = 0;
        visit(whole->body, self, at, name, children, variables);
      });
    });
  }

  /// `children` counts the reductions met so far, in the order of writing: it names them.
  void visit(const Expr& expr, int self, const Point& at, const std::string& prefix, int& children,
             const std::vector<std::string>& scope) {
    if (auto* access = expr.as<lang::Access>()) {
      Pattern element = pattern(access->indices);
      if (!in_range(access->tensor, element)) fail("range");
      reads_.push_back({self, at, access->tensor, element});
    }
    if (auto* reduce = expr.as<lang::Reduce>()) return reduction(expr, *reduce, self, at, prefix, children, scope);
    if (auto* select = expr.as<lang::Select>()) {
      if (auto known = truth(select->condition)) {
        skip(select->condition, children);
        if (!*known) skip(select->then, children);
        if (*known) visit(select->then, self, at, prefix, children, scope);
        if (!*known) visit(select->otherwise, self, at, prefix, children, scope);
        if (*known) skip(select->otherwise, children);
        return;
      }
    }
    if (auto* binary = expr.as<lang::Binary>(); binary && format::is_logical(binary->op)) {
      const bool decides = binary->op == format::BinaryOp::logical_or;
      if (truth(binary->left) == decides) return skip(expr, children);
    }
    lang::for_each_child(expr, [&](const Expr& child) { visit(child, self, at, prefix, children, scope); });
  }

  /// A condition's value here, where its affine parts decide it.
  std::optional<bool> truth(const Expr& condition) const {
    if (auto* unary = condition.as<lang::Unary>(); unary && unary->op == format::UnaryOp::logical_not) {
      const auto other = truth(unary->operand);
      return other ? std::optional(!*other) : std::nullopt;
    }
    if (auto* binary = condition.as<lang::Binary>(); binary && format::is_logical(binary->op)) {
      const bool decides = binary->op == format::BinaryOp::logical_or;
      const auto left = truth(binary->left), right = truth(binary->right);
      if (left == decides || right == decides) return decides;
      return left && right ? std::optional(!decides) : std::nullopt;
    }
    auto constraints = lang::affine_condition(condition);
    if (!constraints || constraints->empty()) return std::nullopt;
    return std::all_of(constraints->begin(), constraints->end(),
                       [&](const math::Constraint& c) { return holds(c, env_) == true; });
  }

  void skip(const Expr& expr, int& children) {
    if (expr.as<lang::Reduce>()) ++children;
    else lang::for_each_child(expr, [&](const Expr& child) { skip(child, children); });
  }

  void reduction(const Expr& expr, const lang::Reduce& reduce, int consumer, const Point& at, const std::string& prefix,
                 int& children, const std::vector<std::string>& scope) {
    const std::string name = "t" + prefix + "_" + std::to_string(children++);
    std::set<std::string> names;
    collect_variables(expr, names);
    std::vector<std::string> free;
    for (const std::string& v : scope) {
      if (names.contains(v)) free.push_back(v);
    }
    std::vector<std::string> variables = free;
    variables.insert(variables.end(), reduce.domain.variables.begin(), reduce.domain.variables.end());
    int self = piece(name, variables);
    Point key = values(free);
    Pattern element(key.begin(), key.end());
    reads_.push_back({consumer, at, name, element});
    if (!defined_.insert({name, element}).second) return;
    for_each_point(reduce.domain, env_, [&] {
      Point here = values(variables);
      writes_[{name, element}].push_back({self, here});
      int grandchildren = 0;
      visit(reduce.body, self, here, name, grandchildren, variables);
    });
  }

  void connect(const ReadAt& read) {
    auto add_all = [&](const std::vector<WriteAt>& writers) {
      for (const WriteAt& w : writers) {
        if (edges_.insert({{w.piece, w.at}, {read.piece, read.at}}).second) {
          result_.dependences[{w.piece, read.piece}].push_back({w.at, read.at});
        }
      }
    };
    if (std::all_of(read.pattern.begin(), read.pattern.end(), [](auto& c) { return c.has_value(); })) {
      if (auto found = writes_.find({read.tensor, read.pattern}); found != writes_.end()) add_all(found->second);
      return;
    }
    for (const auto& [element, writers] : writes_) {
      bool meets = element.first == read.tensor;
      for (std::size_t d = 0; meets && d < read.pattern.size(); ++d) {
        meets = !read.pattern[d] || read.pattern[d] == element.second[d];
      }
      if (meets) add_all(writers);
    }
  }

  bool has_cycle() const {
    using Iteration = std::pair<int, Point>;
    std::map<Iteration, std::vector<Iteration>> after;
    std::map<Iteration, int> waiting;
    for (const auto& [from, to] : edges_) {
      after[from].push_back(to);
      waiting[from] += 0;
      ++waiting[to];
    }
    std::vector<Iteration> ready;
    for (const auto& [iteration, count] : waiting) {
      if (count == 0) ready.push_back(iteration);
    }
    std::size_t done = 0;
    for (; done < ready.size(); ++done) {
      const Iteration current = ready[done];
      for (const Iteration& next : after[current]) {
        if (--waiting[next] == 0) ready.push_back(next);
      }
    }
    return done < waiting.size();
  }

  const lang::Program& program_;
  const Sizes& sizes_;
  Instances& result_;
  Environment env_;
  int equation_ = 0;  ///< that is being looked at
  std::vector<ReadAt> reads_;
  std::map<std::pair<std::string, Pattern>, std::vector<WriteAt>> writes_;
  std::set<std::pair<std::string, Pattern>> defined_;
  std::set<std::pair<std::pair<int, Point>, std::pair<int, Point>>> edges_;
};

}  // namespace

Instances expand(const lang::Program& program, const lang::Kernel& kernel, const std::vector<Sizes>& sizes) {
  std::vector<lang::Equation> equations;
  for (const lang::Equation& equation : kernel.equations) equations.push_back(with_solved_variables(equation));
  Instances result;
  for (const Sizes& at : sizes) Expansion(program, at, result).run(equations);
  return result;
}

}  // namespace trellis::randomised
