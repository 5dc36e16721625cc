#include "engine/emit/rows.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "engine/emit/blocks.hpp"
#include "engine/emit/shorthand.hpp"

namespace trellis::emit::c {

namespace {

bool mentions(const Expr& e, const std::string& name) {
  Mentioned names;
  collect(e, names);
  return names.contains(name);
}

bool is(const Expr& e, const std::string& op) {
  const auto* b = e.as<Binary>();
  return b && b->op == op;
}

/// Is the variable a term, so that its next value means the next element?
bool is_term(const Expr& e, const std::string& variable) {
  if (const auto* t = e.as<Token>()) return t->text == variable;
  if (!is(e, "+") && !is(e, "-")) return false;
  return is_term(e.as<Binary>()->left, variable) || (is(e, "+") && is_term(e.as<Binary>()->right, variable));
}

/// Is the name a factor somewhere, so that its next value means another row?
bool is_factor(const Expr& e, const std::string& name) {
  const auto* b = e.as<Binary>();
  return b && ((b->op == "*" && mentions(e, name)) || is_factor(b->left, name) || is_factor(b->right, name));
}

class Search {
 public:
  Search(const std::string& coordinate, std::string instead) : instead_(std::move(instead)) { values_.emplace(coordinate, token(instead_)); }

  void visit(const Stmt& s) {
    if (const auto* b = s.as<Block>()) return visit(*b);
    if (const auto* f = s.as<For>()) return visit(*f);
    if (const auto* a = s.as<Assignment>()) visit(a->target), visit(a->value);
    if (const auto* e = s.as<Evaluate>()) visit(e->expr);
    if (const auto* d = s.as<Declaration>()) {
      if (d->value) visit(*d->value);
      values_[d->name] = d->value && d->type.starts_with("const ") ? known(*d->value) : std::nullopt;
    }
  }

  std::vector<Expr> found;

 private:
  void visit(const Block& block) {
    const auto outside = values_;
    for (const Stmt& s : block.statements) visit(s);
    values_ = outside;
  }

  void visit(const For& loop) {
    if (!loop.first || loop.step != loop.variable + "++") return;
    const auto outside = values_;
    values_[loop.variable] = known(*loop.first);
    loops_.push_back(loop.variable);
    visit(loop.body);
    loops_.pop_back();
    values_ = outside;
  }

  void visit(const Expr& e) {
    if (loops_.empty()) return;
    each_operand(e, [&](const Expr& inner) { visit(inner); });
    if (const auto* element = e.as<Index>()) visit(*element);
  }

  void visit(const Index& element) {
    if (!element.array.as<Token>() || !known(element.array)) return;
    const std::optional<Expr> first = known(element.index);
    if (!first || !is_term(element.index, loops_.back()) || !is_factor(*first, instead_)) return;
    Expr row = index(element.array, *first);
    if (std::find(found.begin(), found.end(), row) == found.end()) found.push_back(std::move(row));
  }

  /// The same at the loops' first rounds and at the other coordinate; nothing where it is not known before the body runs.
  std::optional<Expr> known(const Expr& e) const {
    if (const auto* t = e.as<Token>()) {
      const auto value = values_.find(t->text);
      return value == values_.end() ? token(t->text) : value->second;
    }
    const auto* b = e.as<Binary>();
    if (!b || (b->op != "+" && b->op != "-" && b->op != "*")) return {};
    const std::optional<Expr> left = known(b->left), right = known(b->right);
    if (!left || !right) return {};
    if (b->op == "+" && is_zero(*right)) return left;
    if (b->op == "+" && is_zero(*left)) return right;
    return b->op == "+" ? sum(*left, *right) : arithmetic(format::ScalarType::i64, b->op, *left, *right);
  }

  std::string instead_;
  std::map<std::string, std::optional<Expr>> values_;  ///< of names that the body declares, and of the coordinate
  std::vector<std::string> loops_;
};

}  // namespace

std::vector<Expr> rows_chosen(const Stmt& body, const std::string& coordinate, const std::string& instead) {
  Search search(coordinate, instead);
  search.visit(body);
  return std::move(search.found);
}

}  // namespace trellis::emit::c
