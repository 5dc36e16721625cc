#include "repl/python/declare.hpp"

#include <algorithm>
#include <set>

#include "engine/format/operation.hpp"
#include "engine/lang/built_in.hpp"
#include "engine/lang/syntax_names.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::python {
namespace {

namespace syntax = lang::syntax;

/// Dimensions of tensors and variables, joined where they have one size.
class Sizes {
 public:
  int of(const std::string& what) {
    const auto [at, added] = numbers_.try_emplace(what, static_cast<int>(parents_.size()));
    if (added) parents_.push_back(at->second);
    return at->second;
  }
  void join(const std::string& a, const std::string& b) { parents_[at(root(of(a)))] = root(of(b)); }
  int root(int one) {
    while (parents_[at(one)] != one) one = parents_[at(one)] = parents_[at(parents_[at(one)])];
    return one;
  }

 private:
  static std::size_t at(int one) { return static_cast<std::size_t>(one); }
  std::map<std::string, int> numbers_;
  std::vector<int> parents_;
};

/// Goes through the statements in the order in which they are written.
class Reader {
 public:
  Undeclared read(const syntax::File& file) {
    for (const syntax::Statement& one : file.statements) declare(one);
    define(file.statements);
    for (const syntax::Statement& one : file.statements) statement(one);
    name_sizes();
    std::erase_if(found_.results, [&](const std::string& name) { return locals_.contains(name); });
    return std::move(found_);
  }

 private:
  using Scope = std::map<std::string, std::string>;  ///< what a variable is called here: `j#3`

  static std::string dimension(const std::string& tensor, std::size_t d) {
    return tensor + "(" + std::to_string(d) + ")";
  }
  static void add(std::vector<std::string>& to, const std::string& name) {
    if (!contains(to, name)) to.push_back(name);
  }
  std::string fresh(const std::string& variable) {
    variables_.insert(variable);
    return variable + "#" + std::to_string(++scopes_);
  }

  void declare(const syntax::Statement& one) {
    if (const auto* tensor = one.as<syntax::TensorDecl>()) {
      add(found_.declared, tensor->name.text);
      for (std::size_t d = 0; d < tensor->shape.size(); ++d)
        if (const std::string* name = syntax::bare_name(tensor->shape[d])) {
          taken_.insert(*name);
          sizes_.join(dimension(tensor->name.text, d), "size " + *name);
          named_.insert(*name);
        }
    }
    if (const auto* parameter = one.as<syntax::ParamDecl>()) taken_.insert(parameter->name.text);
    if (const auto* definition = one.as<syntax::Definition>()) {
      functions_.insert(definition->name.text);
      definitions_[definition->name.text] = definition;
    }
    if (const auto* layout = one.as<syntax::LayoutDecl>()) functions_.insert(layout->name.text);
    if (const auto* kernel = one.as<syntax::Kernel>())
      for (const syntax::Statement& inner : kernel->statements) declare(inner);
  }

  /// Equations of one kernel define what they do together, so one may read what it, or a later one, defines.
  void define(const std::vector<syntax::Statement>& statements) {
    for (const syntax::Statement& one : statements) {
      const auto* equation = one.as<syntax::Equation>();
      const auto* left = equation ? equation->left.as<syntax::Reference>() : nullptr;
      if (left) add(found_.results, left->name.text);
    }
  }

  void statement(const syntax::Statement& one) {
    Scope scope;
    if (const auto* equation = one.as<syntax::Equation>()) {
      bind_indices(equation->left, scope);
      for (const syntax::Constraint& c : equation->constraints)
        for (const syntax::Expr& side : c.sides) variables_in(side, scope);
      variables_in(equation->right, scope);
      expression(equation->right, scope);
      target(equation->left, scope);
    }
    if (const auto* until = one.as<syntax::Until>()) expression(until->condition, scope);
    if (const auto* loops = one.as<syntax::Loops>()) block(loops->body, scope);
    if (const auto* kernel = one.as<syntax::Kernel>()) {
      define(kernel->statements);
      for (const syntax::Statement& inner : kernel->statements) statement(inner);
    }
  }

  void block(const syntax::Block& body, Scope scope) {
    for (const syntax::Action& action : body.actions) {
      if (const auto* loop = action.as<syntax::For>()) {
        Scope inner = scope;
        for (const syntax::LoopVariable& v : loop->variables) {
          if (v.low) expression(*v.low, scope);
          if (v.high) expression(*v.high, scope);
          inner[v.name.text] = fresh(v.name.text);
        }
        block(loop->body, inner);
      } else if (const auto* loop_while = action.as<syntax::While>()) {
        expression(loop_while->condition, scope);
        block(loop_while->body, scope);
      } else if (const auto* branch = action.as<syntax::If>()) {
        expression(branch->condition, scope);
        block(branch->then, scope);
        if (branch->otherwise) block(*branch->otherwise, scope);
      } else if (const auto* let = action.as<syntax::Let>()) {
        Scope inner = scope;
        for (const auto& [name, value] : let->bindings) {
          expression(value, inner);
          inner[name.text] = fresh(name.text);
        }
        block(let->body, inner);
      } else if (const auto* assign = action.as<syntax::Assign>()) {
        expression(assign->value, scope);
        target(assign->target, scope);
      } else if (const auto* declared = action.as<syntax::TensorDecl>()) {
        add(found_.declared, declared->name.text);
        add(found_.results, declared->name.text);
        locals_.insert(declared->name.text);
      }
    }
  }

  /// Index variables are those names that stand as an index, alone or in an expression of indices.
  void variables_in(const syntax::Expr& e, Scope& scope) {
    if (const auto* r = e.as<syntax::Reference>(); r && r->arguments && !is_function(r->name.text))
      for (const syntax::Argument& argument : *r->arguments)
        for (const std::string& name : syntax::names_in(argument.value))
          if (!taken_.contains(name) && !scope.contains(name) && !is_tensor_at(argument.value, name))
            scope[name] = fresh(name);
    syntax::for_each_child(*e, [&](const syntax::Expr& child) { variables_in(child, scope); });
  }
  /// `p` of `x(p(i))`, which has indices of its own.
  static bool is_tensor_at(const syntax::Expr& index, const std::string& name) {
    bool found = false;
    const auto* r = index.as<syntax::Reference>();
    if (r && r->name.text == name) return r->arguments.has_value();
    syntax::for_each_child(*index, [&](const syntax::Expr& child) { found = found || is_tensor_at(child, name); });
    return found;
  }
  void bind_indices(const syntax::Expr& left, Scope& scope) { variables_in(left, scope); }

  bool is_function(const std::string& name) const { return functions_.contains(name) || lang::is_built_in(name); }

  void expression(const syntax::Expr& e, const Scope& scope) {
    const auto* r = e.as<syntax::Reference>();
    if (!r) {
      syntax::for_each_child(*e, [&](const syntax::Expr& child) { expression(child, scope); });
      return;
    }
    if (r->body) return reduction(*r, scope);
    const std::string& name = r->name.text;
    if (is_function(name)) {
      syntax::for_each_child(*e, [&](const syntax::Expr& child) { expression(child, scope); });
      return applied(*r, scope);
    }
    if (!r->arguments && (scope.contains(name) || taken_.contains(name))) return;
    if (!contains(found_.results, name)) add(found_.operands, name);
    if (r->arguments) indices(*r, scope);
  }

  /// What the function reads besides its operands: a variable that is one of them is the caller's.
  void applied(const syntax::Reference& r, const Scope& scope) {
    const auto found = definitions_.find(r.name.text);
    if (found == definitions_.end()) return;
    const syntax::Definition& function = *found->second;
    const auto* body = std::get_if<syntax::Expr>(&function.body);
    if (!body || !r.arguments || r.arguments->size() != function.parameters.size()) return;
    Scope inner;
    for (std::size_t k = 0; k < function.parameters.size(); ++k) {
      const std::string& parameter = function.parameters[k].text;
      const std::string* name = syntax::bare_name((*r.arguments)[k].value);
      const auto variable = name ? scope.find(*name) : scope.end();
      inner[parameter] = variable != scope.end() ? variable->second : fresh(parameter);
    }
    const auto left_out = definitions_.extract(found);  // a function that calls itself is refused elsewhere
    expression(*body, inner);
    definitions_[function.name.text] = left_out.mapped();
  }

  /// Its variables are its own.
  void reduction(const syntax::Reference& r, const Scope& scope) {
    Scope inner = scope;
    if (r.arguments)
      for (const syntax::Argument& argument : *r.arguments)
        for (const std::string& name : syntax::names_in(argument.value))
          if (!taken_.contains(name)) inner[name] = fresh(name);
    expression(*r.body, inner);
  }

  void indices(const syntax::Reference& r, const Scope& scope) {
    const std::string& tensor = r.name.text;
    auto& rank = ranks_[tensor];
    rank = std::max(rank, r.arguments->size());
    for (std::size_t d = 0; d < r.arguments->size(); ++d) {
      const syntax::Argument& argument = (*r.arguments)[d];
      sizes_.of(dimension(tensor, d));
      const std::string* name = syntax::bare_name(argument.value);
      const auto variable = name ? scope.find(*name) : scope.end();
      if (variable != scope.end() && !argument.high) sizes_.join(dimension(tensor, d), variable->second);
      else expression(argument.value, scope);
      if (argument.high) expression(*argument.high, scope);
    }
  }

  void target(const syntax::Expr& left, const Scope& scope) {
    const auto* r = left.as<syntax::Reference>();
    if (!r) return;
    add(found_.results, r->name.text);
    if (r->arguments) indices(*r, scope);
  }

  void name_sizes() {
    std::map<int, std::string> names;
    for (const std::string& name : named_) names[sizes_.root(sizes_.of("size " + name))] = name;
    std::set<std::string> used = taken_;
    used.insert(variables_.begin(), variables_.end());
    used.insert(functions_.begin(), functions_.end());
    for (const auto& [tensor, rank] : ranks_) used.insert(tensor);
    used.insert(found_.operands.begin(), found_.operands.end());
    used.insert(found_.results.begin(), found_.results.end());
    for (const std::string& tensor : in_order())
      for (std::size_t d = 0; d < ranks_[tensor]; ++d) {
        std::string& name = names[sizes_.root(sizes_.of(dimension(tensor, d)))];
        if (name.empty()) used.insert(name = unused(used));
        if (!found_.is_declared(tensor)) found_.sizes[tensor].push_back(name);
      }
  }
  std::vector<std::string> in_order() const {
    std::vector<std::string> all = found_.operands;
    for (const std::string& result : found_.results) add(all, result);
    std::erase_if(all, [&](const std::string& one) { return !ranks_.contains(one); });
    return all;
  }
  static std::string unused(const std::set<std::string>& used) {
    for (int round = 0;; ++round)
      for (const char* const letter : {"n", "m", "k", "p", "q"}) {
        const std::string name = letter + (round ? std::to_string(round) : "");
        if (!used.contains(name)) return name;
      }
  }

  Undeclared found_;
  Sizes sizes_;
  std::map<std::string, std::size_t> ranks_;
  std::set<std::string> taken_, named_, functions_, variables_;
  std::map<std::string, const syntax::Definition*> definitions_;
  std::set<std::string> locals_;  ///< tensors of a block of loops alone
  int scopes_ = 0;
};

}  // namespace

bool Undeclared::is_declared(const std::string& name) const { return contains(declared, name); }

Undeclared undeclared(const syntax::File& file) { return Reader().read(file); }

std::vector<std::string> sizes_of(const Undeclared& names, const std::string& tensor, int rank) {
  const auto found = names.sizes.find(tensor);
  std::vector<std::string> sizes = found == names.sizes.end() ? std::vector<std::string>() : found->second;
  for (int d = static_cast<int>(sizes.size()); d < rank; ++d) sizes.push_back(tensor + "_" + std::to_string(d));
  return sizes;
}

}  // namespace trellis::python
