#include "engine/emit/unused.hpp"

#include <algorithm>

#include "engine/emit/blocks.hpp"

namespace trellis::emit::c {

namespace {

bool calls(const Expr& e) {
  return e.match([](const Token&) { return false; }, [](const Unary& u) { return calls(u.operand); },
                 [](const Binary& b) { return calls(b.left) || calls(b.right); },
                 [](const Conditional& c) { return calls(c.condition) || calls(c.then) || calls(c.otherwise); },
                 [](const Cast& c) { return calls(c.operand); }, [](const Call&) { return true; },
                 [](const Index& i) { return calls(i.array) || calls(i.index); });
}

bool is_plain_constant(const Declaration& d) {
  return d.type.starts_with("const ") && !d.type.ends_with("*") && d.value && !calls(*d.value);
}

std::vector<Stmt> needed(const std::vector<Stmt>& statements) {
  std::vector<Stmt> kept;  // from the last to the first: what a constant is made of may be needed by it alone
  Mentioned behind;
  for (auto s = statements.rbegin(); s != statements.rend(); ++s) {
    const auto* declaration = s->as<Declaration>();
    if (declaration && is_plain_constant(*declaration) && !behind.contains(declaration->name)) continue;
    collect(*s, behind);
    kept.push_back(*s);
  }
  std::reverse(kept.begin(), kept.end());
  return kept;
}

}  // namespace

Stmt without_unused(const Stmt& s) { return rewrite_blocks(s, needed); }

}  // namespace trellis::emit::c
