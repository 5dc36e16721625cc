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

/// Calls the function for the expressions that this one is made of, in order, without those that they are made of in
/// turn.
void each_operand(const Expr& e, const std::function<void(const Expr&)>& visit) {
  e.match([](const Token&) {}, [&](const Unary& u) { visit(u.operand); },
          [&](const Binary& b) { visit(b.left), visit(b.right); },
          [&](const Conditional& c) { visit(c.condition), visit(c.then), visit(c.otherwise); },
          [&](const Cast& c) { visit(c.operand); },
          [&](const Call& c) { std::for_each(c.arguments.begin(), c.arguments.end(), visit); },
          [&](const Index& i) { visit(i.array), visit(i.index); });
}

/// Calls the one function for the expressions, the other for the statements that the statement is made of.
void each_part(const Stmt& s, const std::function<void(const Expr&)>& in,
               const std::function<void(const Stmt&)>& inner) {
  const auto perhaps = [](const auto& part, const auto& visit) {
    if (part) visit(*part);
  };
  s.match([&](const Block& b) { std::for_each(b.statements.begin(), b.statements.end(), inner); },
          [&](const Declaration& d) { perhaps(d.extent, in), perhaps(d.value, in); },
          [&](const Assignment& a) { in(a.target), in(a.value); }, [&](const Evaluate& e) { in(e.expr); },
          [&](const For& f) { perhaps(f.first, in), in(f.condition), inner(f.body); },
          [&](const While& w) { in(w.condition), inner(w.body); },
          [&](const If& i) { in(i.condition), inner(i.then), perhaps(i.otherwise, inner); },
          [&](const Return& r) { perhaps(r.value, in); }, [&](const Continue&) {}, [&](const Break&) {},
          [&](const Goto&) {}, [&](const Label&) {}, [&](const Pragma&) {});
}

}  // namespace

void collect(const Expr& e, Mentioned& names) {
  if (const auto* t = e.as<Token>()) collect(t->text, names);
  each_operand(e, [&](const Expr& inner) { collect(inner, names); });
}

void collect(const Stmt& s, Mentioned& names) {
  if (const auto* d = s.as<Declaration>()) names.insert(d->name);
  if (const auto* f = s.as<For>()) names.insert(f->variable), collect(f->step, names);
  if (const auto* p = s.as<Pragma>()) collect(p->text, names);
  const auto visit = [&](const auto& inner) { collect(inner, names); };
  each_part(s, visit, visit);
}

std::map<std::string, std::size_t> last_mentions(const std::vector<Stmt>& statements) {
  std::map<std::string, std::size_t> last;
  for (std::size_t k = 0; k < statements.size(); ++k) {
    Mentioned here;
    collect(statements[k], here);
    for (const std::string& name : here) last[name] = k;
  }
  return last;
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
  if (const auto* i = s.as<If>())
    return made(If{i->condition, inner(i->then), i->otherwise ? std::optional(inner(*i->otherwise)) : std::nullopt});
  return s;
}

bool waits(const Stmt& s) {
  bool found = false;
  rewrite_blocks(s, [&](const std::vector<Stmt>& statements) {
    for (const Stmt& one : statements) {
      const auto* e = one.as<Evaluate>();
      const auto* call = e ? e->expr.as<Call>() : nullptr;
      found = found || (call && (call->function == "finish" || call->function == "await"));
    }
    return statements;
  });
  return found;
}

}  // namespace trellis::emit::c
