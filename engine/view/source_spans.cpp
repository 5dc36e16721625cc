#include "engine/view/source_spans.hpp"

#include <algorithm>

namespace trellis::view {
namespace {

namespace syntax = lang::syntax;

class Collector {
 public:
  Collector(const text::Sources& sources, int source) : sources_(sources), source_(source) {}

  void visit(const syntax::Statement& statement) {
    add(statement->span, statement.id());
    std::visit(text::overloaded{[&](const syntax::Equation& e) {
                                  visit(e.left);
                                  visit(e.right);
                                  for (const syntax::Constraint& c : e.constraints)
                                    for (const syntax::Expr& side : c.sides) visit(side);
                                },
                                [&](const syntax::Until& u) { visit(u.condition); },
                                [&](const syntax::Loops& l) { visit(l.body); },
                                [&](const syntax::Kernel& k) {
                                  for (const syntax::Statement& inner : k.statements) visit(inner);
                                },
                                [](const auto&) {}},
               statement->is);
  }
  std::vector<text::TextSpan> take() {
    std::ranges::stable_sort(
        spans_, [](const auto& a, const auto& b) { return a.begin != b.begin ? a.begin < b.begin : a.end > b.end; });
    return std::move(spans_);
  }

 private:
  void add(text::Span written, int id) {
    const text::Span span = sources_.in_file(written);
    if (span.source == source_ && id >= 0) spans_.push_back({span.begin, span.end, {text::Stage::source, id}, {}});
  }
  void visit(const syntax::Expr& expr) {
    add(expr->span, expr.id());
    syntax::for_each_child(*expr, [&](const syntax::Expr& child) { visit(child); });
  }
  void visit(const syntax::Block& block) {
    for (const syntax::Action& action : block.actions) visit(action);
  }
  void visit(const syntax::Action& action) {
    add(action->span, action.id());
    std::visit(text::overloaded{[&](const syntax::For& f) {
                                  for (const syntax::LoopVariable& v : f.variables)
                                    for (const auto* bound : {&v.low, &v.high})
                                      if (*bound) visit(**bound);
                                  for (const syntax::LoopMark& mark : f.marks)
                                    if (mark.condition) visit(*mark.condition);
                                  visit(f.body);
                                },
                                [&](const syntax::While& w) {
                                  visit(w.condition);
                                  visit(w.body);
                                },
                                [&](const syntax::If& i) {
                                  visit(i.condition);
                                  visit(i.then);
                                  if (i.otherwise) visit(*i.otherwise);
                                },
                                [&](const syntax::Let& l) {
                                  for (const auto& binding : l.bindings) visit(binding.second);
                                  visit(l.body);
                                },
                                [&](const syntax::Assign& a) {
                                  visit(a.target);
                                  if (a.argument) visit(*a.argument);
                                  visit(a.value);
                                },
                                [](const auto&) {}},
               action->is);
  }

  const text::Sources& sources_;
  int source_;
  std::vector<text::TextSpan> spans_;
};

}  // namespace

text::Text annotated_source(const text::Sources& sources, int source, const syntax::File& file) {
  Collector collector(sources, source);
  for (const syntax::Statement& statement : file.statements) collector.visit(statement);
  return {std::string(sources.content(source)), collector.take()};
}

}  // namespace trellis::view
