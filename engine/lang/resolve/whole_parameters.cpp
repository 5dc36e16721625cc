#include "engine/lang/resolve/whole_parameters.hpp"

#include <map>

#include "engine/lang/resolve/resolve.hpp"
#include "engine/lang/resolve/walk.hpp"

namespace trellis::lang::resolving {

namespace whole {
namespace {

using syntax::Expr;

class Uses {
 public:
  explicit Uses(const syntax::File& file) {
    for_each_statement(file.statements, [&](const syntax::Statement& s) {
      if (const auto* d = s.as<syntax::Definition>()) definitions_.insert(d->name.text);
      if (const auto* p = s.as<syntax::ParamDecl>()) made_of_.emplace(p->name.text, p->value);
    });
    for_each_statement(file.statements, [&](const syntax::Statement& s) { statement(s); });
  }

  void value(const Expr& e) {
    if (const auto* r = e.as<syntax::Reference>()) return reference(e, *r);
    const auto* b = e.as<syntax::Binary>();
    if (b && format::is_bitwise(b->op)) {
      whole(b->left);
      whole(b->right);
    }
    for_each_child(e, [&](const Expr& child) { value(child); });
  }

  std::set<std::string> names() && { return std::move(names_); }

 private:
  void statement(const syntax::Statement& s) {
    s.match([&](const syntax::TensorDecl& t) { declaration(t); }, [](const syntax::ParamDecl&) {},
            [](const syntax::RanksDecl&) {}, [&](const syntax::LayoutDecl& l) { constraints(l.constraints); },
            [](const syntax::Definition&) {},
            [&](const syntax::Equation& e) {
              value(e.left);
              value(e.right);
              constraints(e.constraints);
            },
            [&](const syntax::Until& u) { value(u.condition); }, [&](const syntax::Loops& l) { block(l.body); },
            [](const syntax::Kernel&) {}, [&](const syntax::Command& c) { command(c); });
  }

  void declaration(const syntax::TensorDecl& t) {
    for (const Expr& size : t.shape) whole(size);
    const auto options = [&](const syntax::Options& o) {
      for (const syntax::Name& name : o.values) whole(name.text);
    };
    for (const syntax::Attribute& attribute : t.attributes) {
      if (const auto* named = std::get_if<syntax::NamedAttribute>(&attribute)) options(named->options);
      if (const auto* levels = std::get_if<syntax::LevelsAttribute>(&attribute))
        for (const syntax::LevelSpec& level : levels->levels) options(level.options);
    }
  }

  void constraints(const std::vector<syntax::Constraint>& all) {
    for (const syntax::Constraint& c : all)
      for (const Expr& side : c.sides) whole(side);
  }

  /// Factors of a schedule and ranges of what is drawn. What `print` prints is a value.
  void command(const syntax::Command& c) {
    if (c.value) return value(*c.value);
    if (c.name.text == "print") return;
    for (const syntax::Word& word : c.words)
      if (word.kind == syntax::Word::Kind::name) whole(word.text);
  }

  void block(const syntax::Block& b) {
    for (const syntax::Action& a : b.actions) action(a);
  }

  void action(const syntax::Action& a) {
    a.match([&](const syntax::TensorDecl& t) { declaration(t); },
            [&](const syntax::For& f) {
              for (const syntax::LoopVariable& v : f.variables) {
                if (v.low) whole(*v.low);
                if (v.high) whole(*v.high);
              }
              for (const syntax::LoopMark& mark : f.marks)
                if (mark.condition) value(*mark.condition);
              block(f.body);
            },
            [&](const syntax::While& w) {
              value(w.condition);
              block(w.body);
            },
            [&](const syntax::If& i) {
              value(i.condition);
              block(i.then);
              if (i.otherwise) block(*i.otherwise);
            },
            [&](const syntax::Let& l) {
              for (const auto& binding : l.bindings) value(binding.second);
              block(l.body);
            },
            [](const syntax::Lifecycle&) {},
            [&](const syntax::Assign& assign) {
              value(assign.target);
              if (assign.argument) value(*assign.argument);
              value(assign.value);
            });
  }

  /// Indices of an access, ranges of reductions and slices; arguments of functions are values.
  void reference(const Expr& e, const syntax::Reference& r) {
    const std::string& name = r.name.text;
    const bool function = !r.body && r.arguments &&
                          (format::scalar_type(name) || format::function(name) || name == "coalesce" ||
                           definitions_.contains(name) || shape_op(name));
    if (r.step) whole(*r.step);
    if (r.arguments)
      for (const syntax::Argument& argument : *r.arguments) {
        if (argument.high) whole(*argument.high);
        if (argument.step) whole(*argument.step);
        if (argument.high || !function) whole(argument.value);
      }
    for_each_child(e, [&](const Expr& child) { value(child); });
  }

  void whole(const Expr& e) {
    for (const std::string& name : syntax::names_in(e)) whole(name);
  }

  void whole(const std::string& name) {
    const auto parts = made_of_.find(name);
    if (parts != made_of_.end() && names_.insert(name).second) whole(parts->second);
  }

  std::set<std::string> definitions_;
  std::map<std::string, Expr> made_of_;  ///< by parameter
  std::set<std::string> names_;
};

}  // namespace
}  // namespace whole

std::set<std::string> whole_parameters(const syntax::File& file, const std::optional<syntax::Expr>& value) {
  whole::Uses uses(file);
  if (value) uses.value(*value);
  return std::move(uses).names();
}

}  // namespace trellis::lang::resolving
