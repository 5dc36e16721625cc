// `def relu(x) = max(x, 0)`: an application is replaced by the expression, before sums are written out. What the
// expression binds gets names that nothing else in the equation has.

#include "engine/lang/resolve/resolve.hpp"
#include "engine/lang/resolve/walk.hpp"

namespace trellis::lang::resolving {

namespace {

constexpr int most_nodes = 20000;
constexpr int highest = 500;

using Substitution = std::map<std::string, syntax::Expr>;

int height(const syntax::Expr& e) {
  int below = 0;
  for_each_child(e, [&](const syntax::Expr& child) { below = std::max(below, height(child)); });
  return below + 1;
}

class Inliner {
 public:
  Inliner(Resolution& resolution, std::set<std::string> taken, bool& sound)
      : resolution_(resolution), taken_(std::move(taken)), sound_(sound) {}

  syntax::Expr expand(const syntax::Expr& e) {
    const syntax::Expr inner = map_children(e, [&](const syntax::Expr& child) { return expand(child); });
    const auto* r = inner.as<syntax::Reference>();
    if (!sound_ || !r || kind_of(resolution_, *r) != ReferenceKind::application) return inner;
    const DefinitionInfo& info = resolution_.definitions.at(r->name.text);
    const auto* body = std::get_if<syntax::Expr>(&info.source->body);
    if (!info.sound) return fail();
    if (!body || !takes(*r, *info.source)) return inner;
    Substitution substitution;
    for (std::size_t i = 0; i < r->arguments->size(); ++i)
      substitution[info.source->parameters[i].text] = r->arguments->at(i).value;
    const syntax::Expr replaced = expand(substitute(*body, substitution));
    nodes_ += count(replaced);
    if (nodes_ <= most_nodes && height(replaced) <= highest) return at(replaced, e->span);
    if (sound_)
      resolution_.error("E0234", e->span, "this comes to too large an expression",
                        "once the functions are written out");
    return fail();
  }

 private:
  syntax::Expr fail() {
    sound_ = false;
    return syntax::Expr(syntax::ExprNode{syntax::Number{"0"}, {}});
  }

  /// An operand that is the whole result keeps its own place.
  static syntax::Expr at(const syntax::Expr& e, text::Span span) {
    const bool leaf = e.as<syntax::Reference>() || e.as<syntax::Number>();
    return leaf ? e : syntax::Expr(syntax::ExprNode{e->is, span}, e.origin(), e.id());
  }

  bool takes(const syntax::Reference& r, const syntax::Definition& definition) {
    if (r.arguments->size() == definition.parameters.size()) return true;
    report_arity(resolution_, r, definition);
    sound_ = false;
    return false;
  }

  static int count(const syntax::Expr& e) {
    int nodes = 1;
    for_each_child(e, [&](const syntax::Expr& child) { nodes += nodes > most_nodes ? 0 : count(child); });
    return nodes;
  }

  syntax::Expr substitute(const syntax::Expr& e, const Substitution& substitution) {
    if (const std::string* name = bare_name(e)) {
      const auto found = substitution.find(*name);
      return found == substitution.end() ? e : found->second;
    }
    const auto* r = e.as<syntax::Reference>();
    if (!r || kind_of(resolution_, *r) != ReferenceKind::reduction)
      return map_children(e, [&](const syntax::Expr& child) { return substitute(child, substitution); });
    Substitution inner = substitution;
    const auto outside = [&](const std::string& name) {
      return substitution.count(name) || resolution_.is_parameter(name);
    };
    for (const syntax::Name& bound : binder(*r, outside).variables)
      inner[bound.text] =
          syntax::Expr(syntax::ExprNode{syntax::Reference{{fresh(bound.text), bound.span}, {}, {}, {}}, bound.span});
    return map_children(e, [&](const syntax::Expr& child) { return substitute(child, inner); });
  }

  std::string fresh(const std::string& name) {
    std::string candidate = name;
    for (int suffix = 2; !taken_.insert(candidate).second; ++suffix) candidate = name + std::to_string(suffix);
    return candidate;
  }

  Resolution& resolution_;
  std::set<std::string> taken_;
  bool& sound_;
  int nodes_ = 0;
};

}  // namespace

void report_arity(Resolution& resolution, const syntax::Reference& r, const syntax::Definition& definition) {
  const std::size_t takes = definition.parameters.size();
  auto& diagnostic =
      resolution.error("E0224", r.name.span,
                       r.name.text + " takes " + std::to_string(takes) + (takes == 1 ? " argument" : " arguments") +
                           ", not " + std::to_string(r.arguments->size()));
  diagnostic.notes.push_back({definition.name.span, "defined here"});
}

syntax::Expr write_out_functions(Resolution& resolution, const std::vector<syntax::Expr>& around, const syntax::Expr& e,
                                 bool& sound) {
  const syntax::Expr plain = write_out_constants(resolution, around, e);
  if (resolution.definitions.empty()) return plain;
  std::set<std::string> taken;
  for (const syntax::Expr& other : around)
    for (std::string& name : syntax::names_in(other)) taken.insert(std::move(name));
  for (const TensorInfo& info : resolution.program.tensors) taken.insert(info.name);
  for (const ParameterInfo& info : resolution.program.parameters) taken.insert(info.name);
  return write_out_constants(resolution, around, Inliner(resolution, std::move(taken), sound).expand(plain));
}

namespace {

syntax::Body written_out(const syntax::Body& body, Inliner& inliner) {
  syntax::Body result;
  for (const syntax::Step& step : body.steps) {
    const auto add = [&](auto node) {
      result.steps.push_back(syntax::Step(syntax::StepNode{std::move(node), step->span}, step.origin(), step.id()));
    };
    step.match([&](const syntax::StepValue& v) { add(syntax::StepValue{inliner.expand(v.value)}); },
               [&](const syntax::StepAssign& a) {
                 add(syntax::StepAssign{a.name, inliner.expand(a.value)});
               },
               [&](const syntax::StepWhile& w) {
                 add(syntax::StepWhile{inliner.expand(w.condition), written_out(w.body, inliner)});
               },
               [&](const syntax::StepIf& i) {
                 syntax::StepIf next{inliner.expand(i.condition), written_out(i.then, inliner), {}};
                 if (i.otherwise) next.otherwise = written_out(*i.otherwise, inliner);
                 add(std::move(next));
               });
  }
  return result;
}

}  // namespace

syntax::Definition write_out_functions(Resolution& resolution, const syntax::Definition& definition, bool& sound) {
  syntax::Definition result = definition;
  Inliner inliner(resolution, {}, sound);
  for (auto& item : std::get<1>(result.body)) {
    auto* clause = std::get_if<syntax::Clause>(&item);
    if (!clause) continue;
    if (const auto* body = std::get_if<syntax::Body>(&clause->result)) clause->result = written_out(*body, inliner);
    else clause->result = inliner.expand(std::get<syntax::Expr>(clause->result));
  }
  return result;
}

}  // namespace trellis::lang::resolving
