#include "engine/emit/stream.hpp"

#include <optional>
#include <vector>

#include "engine/emit/blocks.hpp"
#include "engine/emit/carry.hpp"
#include "engine/emit/shorthand.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::emit::c {

namespace {

/// How many entries lie between the one at hand and the one that is fetched: a few rows, and no more than the smallest cache holds.
constexpr std::int64_t distance = 512;

/// The arrays that are read or written at `p`, in order.
std::vector<std::string> arrays_at(const Stmt& body, const std::string& p) {
  std::vector<std::string> arrays;
  each_element(body, [&](const Index& element) {
    const auto* array = element.array.as<Token>();
    if (array && element.index == token(p)) add_once(arrays, array->text);
  });
  return arrays;
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
    const Index* const until = carried_until(s, positions);
    if (until && until->index == plus(token(loop->variable), number(1))) {
      const auto& walk = *s.as<For>();
      for (const std::string& read : arrays_at(walk.body, walk.variable)) {
        Expr next = index(token(read), plus(token(walk.variable), number(distance)));
        statements.push_back(c::stmt(Evaluate{call(stream(), {expr(Unary{"&", next}), index(until->array, *end)})}));
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
