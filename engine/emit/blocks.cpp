#include "engine/emit/blocks.hpp"

#include <algorithm>
#include <cctype>

namespace trellis::emit::c {

namespace {

/// Every identifier in a piece of C.
void collect(const std::string& text, Mentioned& names) {
  const auto word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = begin;
    while (end < text.size() && word(text[end])) ++end;
    if (end > begin) names.insert(text.substr(begin, end - begin));
    begin = end + 1;
  }
}

}  // namespace

void collect(const Expr& e, Mentioned& names) {
  const auto visit = [&](const Expr& inner) { collect(inner, names); };
  e.match([&](const Token& t) { collect(t.text, names); }, [&](const Unary& u) { visit(u.operand); },
          [&](const Binary& b) { visit(b.left), visit(b.right); },
          [&](const Conditional& c) { visit(c.condition), visit(c.then), visit(c.otherwise); }, [&](const Cast& c) { visit(c.operand); },
          [&](const Call& c) { std::for_each(c.arguments.begin(), c.arguments.end(), visit); }, [&](const Index& i) { visit(i.array), visit(i.index); });
}

void collect(const Stmt& s, Mentioned& names) {
  const auto visit = [&](const auto& inner) { collect(inner, names); };
  const auto perhaps = [&](const auto& inner) {
    if (inner) visit(*inner);
  };
  s.match([&](const Block& b) { std::for_each(b.statements.begin(), b.statements.end(), visit); },
          [&](const Declaration& d) { names.insert(d.name), perhaps(d.extent), perhaps(d.value); },
          [&](const Assignment& a) { visit(a.target), visit(a.value); }, [&](const Evaluate& e) { visit(e.expr); },
          [&](const For& f) { names.insert(f.variable), perhaps(f.first), visit(f.condition), collect(f.step, names), visit(f.body); },
          [&](const While& w) { visit(w.condition), visit(w.body); }, [&](const If& i) { visit(i.condition), visit(i.then), perhaps(i.otherwise); },
          [&](const Return& r) { perhaps(r.value); }, [&](const Continue&) {}, [&](const Break&) {}, [&](const Goto&) {}, [&](const Label&) {},
          [&](const Pragma& p) { collect(p.text, names); });
}

std::vector<Mentioned> mentioned_from(const std::vector<Stmt>& statements) {
  std::vector<Mentioned> from(statements.size() + 1);
  for (std::size_t k = statements.size(); k-- > 0;) {
    from[k] = from[k + 1];
    collect(statements[k], from[k]);
  }
  return from;
}

Stmt rewrite_blocks(const Stmt& s, const std::function<std::vector<Stmt>(const std::vector<Stmt>&)>& rewrite) {
  const auto made = [&](auto node) { return stmt(std::move(node), s.origin()); };
  const auto inner = [&](const Stmt& child) { return rewrite_blocks(child, rewrite); };
  if (const auto* b = s.as<Block>()) {
    std::vector<Stmt> children;
    for (const Stmt& child : b->statements) children.push_back(inner(child));
    return made(Block{rewrite(children)});
  }
  if (const auto* f = s.as<For>()) return made(For{f->variable, f->first, f->condition, f->step, inner(f->body)});
  if (const auto* w = s.as<While>()) return made(While{w->condition, inner(w->body)});
  if (const auto* i = s.as<If>()) return made(If{i->condition, inner(i->then), i->otherwise ? std::optional(inner(*i->otherwise)) : std::nullopt});
  return s;
}

}  // namespace trellis::emit::c
