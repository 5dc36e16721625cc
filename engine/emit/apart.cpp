#include "engine/emit/apart.hpp"

#include <algorithm>
#include <iterator>

#include "engine/emit/blocks.hpp"

namespace trellis::emit::c {

namespace {

constexpr std::size_t most_parameters = 127;  // that every C compiler takes, by the standard

/// A parameter or a local variable: `type` as it stands before the name, with its space, if it needs one.
struct Variable {
  std::string type, name;
  bool is_pointer() const { return type.find('*') != std::string::npos; }
};

Variable variable_of(const std::string& parameter) {
  const std::size_t before = parameter.find_last_of(" *");
  return {parameter.substr(0, before + 1), parameter.substr(before + 1)};
}

/// As a parameter, where a constant is no other than a variable.
Variable variable_of(const Declaration& d) {
  if (d.extent) return {d.type + " *restrict ", d.name};
  const bool pointer = d.type.find('*') != std::string::npos;
  const std::string type = !pointer && d.type.starts_with("const ") ? d.type.substr(6) : d.type;
  return {type + (type.ends_with('*') ? "" : " "), d.name};
}

Variable without_restrict(Variable v) {
  if (const std::size_t at = v.type.find("*restrict "); at != std::string::npos) v.type.replace(at, 10, "*");
  return v;
}

/// Adds the names that the statement takes from around it: all but those of `own`, which gets what it declares.
void collect_free(const Stmt& s, Mentioned& own, Mentioned& names) {
  const auto mention = [&names](const auto& part, const Mentioned& bound) {
    Mentioned here;
    collect(part, here);
    std::ranges::set_difference(here, bound, std::inserter(names, names.end()));
  };
  Mentioned inner = own;
  if (const auto* b = s.as<Block>()) {
    for (const Stmt& one : b->statements) collect_free(one, inner, names);
  } else if (const auto* f = s.as<For>()) {
    if (f->first) mention(*f->first, own), inner.insert(f->variable);
    mention(stmt(For{f->variable, {}, f->condition, f->step, stmt(Block{})}), inner);
    collect_free(f->body, inner, names);
  } else if (const auto* w = s.as<While>()) {
    mention(w->condition, own), collect_free(w->body, inner, names);
  } else if (const auto* i = s.as<If>()) {
    mention(i->condition, own), collect_free(i->then, inner, names);
    if (i->otherwise) collect_free(*i->otherwise, inner, names);
  } else {
    const auto* d = s.as<Declaration>();
    if (d && d->extent) mention(*d->extent, own);
    if (d && d->value) mention(*d->value, own);
    if (d) own.insert(d->name);
    else mention(s, own);
  }
}

/// What the region takes of what is declared around it, in the order in which that is.
std::vector<Variable> captured(const std::vector<Variable>& declared, const Stmt& region) {
  Mentioned own, mentioned;
  collect_free(region, own, mentioned);
  std::vector<Variable> found;
  for (auto v = declared.begin(); v != declared.end(); ++v) {
    const auto hides = [&](const Variable& later) { return later.name == v->name; };
    if (mentioned.contains(v->name) && std::none_of(v + 1, declared.end(), hides)) found.push_back(*v);
  }
  return found;
}

/// Arrays that the region updates one element at a time, as others do so too.
Mentioned updated_together(const Stmt& region) {
  Mentioned names;
  rewrite_blocks(region, [&](const std::vector<Stmt>& statements) {
    for (std::size_t k = 1; k < statements.size(); ++k) {
      const auto* pragma = statements[k - 1].as<Pragma>();
      const auto* update = statements[k].as<Assignment>();
      const bool together =
          pragma && (pragma->text.starts_with("omp atomic") || pragma->text.starts_with("omp critical"));
      if (together && update) collect(update->target, names);
    }
    return statements;
  });
  return names;
}

/// The variable of the loop whose iterations are handed out.
std::string handed_out(const Stmt& region) {
  std::string variable = "threads";
  rewrite_blocks(region, [&](const std::vector<Stmt>& statements) {
    for (std::size_t k = 1; k < statements.size(); ++k) {
      const auto* pragma = statements[k - 1].as<Pragma>();
      const auto* loop = statements[k].as<For>();
      if (pragma && loop && pragma->text.starts_with("omp for")) variable = loop->variable;
    }
    return statements;
  });
  return variable;
}

bool is_in_parts(const Pragma& pragma, const Variable& v) {
  return pragma.text.find(":" + v.name + ")") != std::string::npos;
}

class Regions {
 public:
  Regions(const Function& kernel, const std::function<std::string(const std::string&)>& named) : named_(named) {
    for (const std::string& parameter : kernel.parameters) declared_.push_back(variable_of(parameter));
    collect(kernel.body, taken_);
    for (const Variable& v : declared_) taken_.insert(v.name);
  }

  Stmt kernel_body(const Stmt& body) { return statement(body); }
  std::vector<Function> functions;

 private:
  Stmt statement(const Stmt& s) {
    const std::size_t outside = declared_.size();
    const auto made = [&](auto node) {
      declared_.resize(outside);
      return stmt(std::move(node), s.origin());
    };
    if (const auto* b = s.as<Block>()) return made(Block{statements(b->statements)});
    if (const auto* f = s.as<For>()) {
      if (f->first) declared_.push_back({"int64_t ", f->variable});
      return made(For{f->variable, f->first, f->condition, f->step, statement(f->body)});
    }
    if (const auto* w = s.as<While>()) return made(While{w->condition, statement(w->body)});
    if (const auto* i = s.as<If>()) {
      const Stmt then = statement(i->then);
      return made(If{i->condition, then, i->otherwise ? std::optional(statement(*i->otherwise)) : std::nullopt});
    }
    return s;
  }

  std::vector<Stmt> statements(const std::vector<Stmt>& all) {
    std::vector<Stmt> made;
    for (std::size_t k = 0; k < all.size(); ++k) {
      if (const auto* d = all[k].as<Declaration>()) declared_.push_back(variable_of(*d));
      const auto* before = k > 0 ? all[k - 1].as<Pragma>() : nullptr;
      const bool region = before && before->text.starts_with("omp parallel");
      made.push_back(region ? call(*before, all[k]) : statement(all[k]));
    }
    return made;
  }

  /// The call of a function that does what the region does.
  Stmt call(const Pragma& pragma, const Stmt& region) {
    const std::vector<Variable> variables = captured(declared_, region);
    if (variables.size() > most_parameters) return region;
    const Mentioned together = updated_together(region);
    const bool wait = waits(region);
    Function function{"static void", named_(handed_out(region)), {}, region};
    std::vector<Expr> arguments;
    std::vector<Stmt> begin, end;
    for (const Variable& v : variables) {
      if (is_in_parts(pragma, v)) {
        const std::string part = unlike(v.name + "_part");
        function.parameters.push_back(v.type + "*" + part);
        arguments.push_back(expr(Unary{"&", token(v.name)}));
        const Expr value = expr(Unary{"*", token(part)});
        begin.push_back(stmt(Declaration{v.type.substr(0, v.type.size() - 1), v.name, {}, value}, region.origin()));
        end.push_back(stmt(Assignment{value, "=", token(v.name)}, region.origin()));
        continue;
      }
      const bool shared = together.contains(v.name) || (wait && !v.type.starts_with("const "));
      const Variable taken = shared ? without_restrict(v) : v;
      function.parameters.push_back(taken.type + taken.name);
      arguments.push_back(token(v.name));
    }
    const std::vector<Stmt>& inside = region.as<Block>()->statements;
    begin.insert(begin.end(), inside.begin(), inside.end());
    begin.insert(begin.end(), end.begin(), end.end());
    function.body = stmt(Block{std::move(begin)}, region.origin());
    functions.push_back(function);
    return stmt(Evaluate{emit::c::call(function.name, std::move(arguments))}, region.origin());
  }

  std::string unlike(std::string name) const {
    while (taken_.contains(name)) name += '_';
    return name;
  }

  const std::function<std::string(const std::string&)>& named_;
  std::vector<Variable> declared_;  ///< where the statement stands, innermost last
  Mentioned taken_;
};

}  // namespace

std::vector<Function> with_regions_apart(const Function& kernel,
                                         const std::function<std::string(const std::string&)>& named) {
  Regions regions(kernel, named);
  Function rest = kernel;
  rest.body = regions.kernel_body(kernel.body);
  std::vector<Function> all = std::move(regions.functions);
  all.push_back(std::move(rest));
  return all;
}

}  // namespace trellis::emit::c
