// `argmin(i,j)(e)`: the position of the first least one where all are read in a row, the last index fastest, which is
// what
// `argmin(k)(collapse(e, (i,j)->k))` says.

#include <set>

#include "engine/lang/resolve/operators.hpp"

namespace trellis::lang::resolving {

namespace {

class PositionWriter {
 public:
  PositionWriter(const Resolution& resolution, const std::vector<syntax::Expr>& around, const syntax::Expr& e)
      : resolution_(resolution) {
    for (const syntax::Expr& other : around)
      for (std::string& name : syntax::names_in(other)) taken_.insert(std::move(name));
    for (std::string& name : syntax::names_in(e)) taken_.insert(std::move(name));
  }

  syntax::Expr visit(const syntax::Expr& e) {
    const syntax::Expr inner = map_children(e, [&](const syntax::Expr& child) { return visit(child); });
    const auto* r = inner.as<syntax::Reference>();
    if (!r || !r->body || !r->arguments || r->arguments->size() < 2) return inner;
    const auto op = reduction_of(resolution_, *r);
    if (!op || !format::is_arg(*op)) return inner;
    std::vector<syntax::Expr> indices;
    std::string joined;
    for (const syntax::Argument& argument : *r->arguments) {
      const std::string* name = bare_name(argument.value);
      if (!name) return inner;  // a condition, which is refused
      indices.push_back(argument.value);
      joined += (joined.empty() ? "" : "_") + *name;
    }
    const syntax::Expr position = named(fresh(joined), inner->span);
    syntax::Argument names;
    names.value = syntax::Expr(syntax::ExprNode{syntax::Tuple{std::move(indices)}, inner->span});
    names.arrow = {position};
    syntax::Argument part;
    part.value = *r->body;
    syntax::Reference result = *r;
    result.arguments = std::vector<syntax::Argument>(1);
    result.arguments->front().value = position;
    const syntax::Name collapse{"collapse", r->name.span};
    result.body =
        syntax::Expr(syntax::ExprNode{syntax::Reference{collapse, {}, std::vector{part, names}, {}}, inner->span},
                     inner.origin(), inner.id());
    return syntax::Expr(syntax::ExprNode{std::move(result), inner->span}, inner.origin(), inner.id());
  }

 private:
  static syntax::Expr named(const std::string& name, text::Span span) {
    return syntax::Expr(syntax::ExprNode{syntax::Reference{{name, span}, {}, {}, {}}, span});
  }

  std::string fresh(std::string name) {
    while (taken_.contains(name) || resolution_.has_meaning(name)) name += "_";
    taken_.insert(name);
    return name;
  }

  const Resolution& resolution_;
  std::set<std::string> taken_;
};

}  // namespace

syntax::Expr write_out_positions(const Resolution& resolution, const std::vector<syntax::Expr>& around,
                                 const syntax::Expr& e) {
  return PositionWriter(resolution, around, e).visit(e);
}

void report_conditional_position(Resolution& resolution, const syntax::Expr& e, const syntax::Reference& r) {
  const bool least = r.name.text == "argmin";
  const std::string outside = least ? "inf" : "-inf";
  resolution.error("E0213", e->span, r.name.text + " over several indices takes no conditions", "its indices are names")
      .notes.push_back({{},
                        "say what is out of question in the body, as in " + r.name.text +
                            "(i,j)(i < j ? A(i,j) : " + outside + ")"});
}

}  // namespace trellis::lang::resolving
