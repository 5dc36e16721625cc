#include "engine/emit/flatten.hpp"

#include <algorithm>
#include <cctype>
#include <set>

namespace trellis::emit::c {

namespace {

using Names = std::set<std::string>;

/// Every identifier in a piece of C.
void collect(const std::string& text, Names& names) {
  const auto word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = begin;
    while (end < text.size() && word(text[end])) ++end;
    if (end > begin) names.insert(text.substr(begin, end - begin));
    begin = end + 1;
  }
}

void collect(const Expr& e, Names& names) {
  const auto visit = [&](const Expr& inner) { collect(inner, names); };
  e.match([&](const Token& t) { collect(t.text, names); }, [&](const Unary& u) { visit(u.operand); },
          [&](const Binary& b) { visit(b.left), visit(b.right); },
          [&](const Conditional& c) { visit(c.condition), visit(c.then), visit(c.otherwise); }, [&](const Cast& c) { visit(c.operand); },
          [&](const Call& c) { std::for_each(c.arguments.begin(), c.arguments.end(), visit); }, [&](const Index& i) { visit(i.array), visit(i.index); });
}

void collect(const Stmt& s, Names& names) {
  const auto visit = [&](const auto& inner) { collect(inner, names); };
  const auto perhaps = [&](const auto& inner) {
    if (inner) visit(*inner);
  };
  s.match([&](const Block& b) { std::for_each(b.statements.begin(), b.statements.end(), visit); },
          [&](const Declaration& d) { names.insert(d.name), perhaps(d.extent), perhaps(d.value); },
          [&](const Assignment& a) { visit(a.target), visit(a.value); }, [&](const Evaluate& e) { visit(e.expr); },
          [&](const For& f) { names.insert(f.variable), visit(f.first), visit(f.condition), collect(f.step, names), visit(f.body); },
          [&](const While& w) { visit(w.condition), visit(w.body); }, [&](const If& i) { visit(i.condition), visit(i.then), perhaps(i.otherwise); },
          [&](const Return& r) { perhaps(r.value); }, [&](const Continue&) {}, [&](const Break&) {}, [&](const Goto&) {}, [&](const Label&) {},
          [&](const Pragma& p) { collect(p.text, names); });
}

Names declared_in(const std::vector<Stmt>& statements) {
  Names names;
  for (const Stmt& s : statements)
    if (const auto* d = s.as<Declaration>()) names.insert(d->name);
  return names;
}

bool meet(const Names& a, const Names& b) {
  return std::any_of(a.begin(), a.end(), [&](const std::string& name) { return b.count(name) > 0; });
}

std::vector<Stmt> opened_up(const std::vector<Stmt>& children) {
  Names beside = declared_in(children);
  // What the statements behind each one mention.
  std::vector<Names> behind(children.size() + 1);
  for (std::size_t k = children.size(); k-- > 0;) {
    behind[k] = behind[k + 1];
    collect(children[k], behind[k]);
  }
  std::vector<Stmt> all;
  for (std::size_t k = 0; k < children.size(); ++k) {
    const auto* block = children[k].as<Block>();
    const bool governed = k > 0 && children[k - 1].as<Pragma>();
    const Names own = block ? declared_in(block->statements) : Names();
    if (!block || governed || meet(own, beside) || meet(own, behind[k + 1])) {
      all.push_back(children[k]);
      continue;
    }
    beside.insert(own.begin(), own.end());
    all.insert(all.end(), block->statements.begin(), block->statements.end());
  }
  return all;
}

}  // namespace

Stmt flattened(const Stmt& s) {
  const auto made = [&](auto node) { return stmt(std::move(node), s.origin()); };
  if (const auto* b = s.as<Block>()) {
    std::vector<Stmt> children;
    for (const Stmt& child : b->statements) children.push_back(flattened(child));
    return made(Block{opened_up(children)});
  }
  if (const auto* f = s.as<For>()) return made(For{f->variable, f->first, f->condition, f->step, flattened(f->body)});
  if (const auto* w = s.as<While>()) return made(While{w->condition, flattened(w->body)});
  if (const auto* i = s.as<If>()) return made(If{i->condition, flattened(i->then), i->otherwise ? std::optional(flattened(*i->otherwise)) : std::nullopt});
  return s;
}

}  // namespace trellis::emit::c
