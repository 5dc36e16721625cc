#include "engine/emit/stream.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "engine/emit/blocks.hpp"
#include "engine/emit/shorthand.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::emit::c {

namespace {

/// How many entries lie between the one at hand and the one that is fetched: a few rows, and no more than the smallest cache holds.
constexpr std::int64_t distance = 512;

void collect_arrays(const Expr& e, const std::string& p, std::vector<std::string>& arrays);

/// Of each `array[p]` the array, once, in order.
void collect_arrays(const Stmt& s, const std::string& p, std::vector<std::string>& arrays) {
  const auto visit = [&](const auto& inner) { collect_arrays(inner, p, arrays); };
  const auto perhaps = [&](const auto& inner) {
    if (inner) visit(*inner);
  };
  if (const auto* b = s.as<Block>()) std::for_each(b->statements.begin(), b->statements.end(), visit);
  if (const auto* d = s.as<Declaration>()) perhaps(d->value);
  if (const auto* a = s.as<Assignment>()) visit(a->target), visit(a->value);
  if (const auto* e = s.as<Evaluate>()) visit(e->expr);
  if (const auto* i = s.as<If>()) visit(i->condition), visit(i->then), perhaps(i->otherwise);
}

void collect_arrays(const Expr& e, const std::string& p, std::vector<std::string>& arrays) {
  const auto visit = [&](const Expr& inner) { collect_arrays(inner, p, arrays); };
  e.match([](const Token&) {}, [&](const Unary& u) { visit(u.operand); }, [&](const Binary& b) { visit(b.left), visit(b.right); },
          [&](const Conditional& c) { visit(c.condition), visit(c.then), visit(c.otherwise); }, [&](const Cast& c) { visit(c.operand); },
          [&](const Call& c) { std::for_each(c.arguments.begin(), c.arguments.end(), visit); },
          [&](const Index& i) {
            visit(i.index);
            const auto* array = i.array.as<Token>();
            if (array && i.index == token(p)) add_once(arrays, array->text);
          });
}

/// The array whose elements say where fibers end, if the loop goes on from where the fiber before ended: for (; p < positions[i + 1]; p++).
std::optional<Expr> carried(const Stmt& s, const std::string& i, const std::set<std::string>& positions) {
  const auto* f = s.as<For>();
  const auto* until = f && !f->first ? f->condition.as<Binary>() : nullptr;
  const auto* end = until && until->op == "<" && until->left == token(f->variable) ? until->right.as<Index>() : nullptr;
  const auto* array = end ? end->array.as<Token>() : nullptr;
  if (!array || !positions.contains(array->text) || end->index != plus(token(i), number(1))) return {};
  return end->array;
}

/// What is behind the loop's last round, where that does not change: for (i = …; i < end; i++).
std::optional<Expr> end_of(const For& loop) {
  const auto* until = loop.condition.as<Binary>();
  const bool counted = until && until->op == "<" && until->left == token(loop.variable);
  return counted && (until->right.as<Token>() || until->right.as<Index>()) ? std::optional(until->right) : std::nullopt;
}

Stmt streaming(const Stmt& whole, const std::set<std::string>& positions, const std::function<std::string()>& stream) {
  const auto* loop = whole.as<For>();
  const auto* block = loop ? loop->body.as<Block>() : nullptr;
  const std::optional<Expr> end = loop ? end_of(*loop) : std::nullopt;
  if (!block || !end) return whole;
  std::vector<Stmt> statements;
  for (const Stmt& s : block->statements) {
    if (const auto array = carried(s, loop->variable, positions)) {
      const std::string& p = s.as<For>()->variable;
      std::vector<std::string> arrays;
      collect_arrays(s.as<For>()->body, p, arrays);
      for (const std::string& read : arrays) {
        Expr next = index(token(read), plus(token(p), number(distance)));
        statements.push_back(c::stmt(Evaluate{call(stream(), {expr(Unary{"&", next}), index(*array, *end)})}));
      }
    }
    statements.push_back(s);
  }
  if (statements.size() == block->statements.size()) return whole;
  return stmt(For{loop->variable, loop->first, loop->condition, loop->step, stmt(Block{std::move(statements)}, loop->body.origin())}, whole.origin());
}

}  // namespace

Stmt streaming_entries(const Stmt& whole, const std::set<std::string>& positions, const std::function<std::string()>& stream) {
  return rewrite_blocks(whole, [&](std::vector<Stmt> statements) {
    for (Stmt& s : statements) s = streaming(s, positions, stream);
    return statements;
  });
}

}  // namespace trellis::emit::c
