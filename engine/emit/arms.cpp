// What is done at a coordinate, by which cursors stand there.

#include "engine/emit/shorthand.hpp"
#include "engine/emit/statement.hpp"

namespace trellis::emit {

// A predicted branch moves on sooner than arithmetic that waits for coordinates: `pA += 1` here, not `pA += jA == j` below.
void Statements::arm(const flow::Stmt& body) {
  const auto* test = body.as<flow::Test>();
  if (test && decided_.count(test->cursor)) return stmt(body, true);
  const std::vector<std::string> moving = std::exchange(present_, {});
  if (!moving.empty())
    if (const Walk& w = walks_.at(moving.front()); w.both) out_.add(constant(w.variable, c::token(w.coordinate)));
  stmt(body, moving.empty());
  for (const std::string& cursor : moving) step(out_, walks_.at(cursor), {});
  present_ = moving;
}

// if (jA == jB) … else if (jA < jB) … else …; of more leads if (jA == j && jB == j) … else if (jA == j) … else …
void Statements::test(const flow::Test& t, const text::Origin& origin, bool last) {
  const auto found = [&](const flow::Test& which, const auto& emit) {
    const bool moves = decided_.count(which.cursor) > 0;
    if (moves) present_.push_back(which.cursor);
    emit();
    if (moves) present_.pop_back();
  };
  const Walk w = walks_.at(t.cursor);
  if (t.certain && !binds(w)) return found(t, [&] { arm(t.then); });
  if (t.certain) {
    if (!last) out_.open();
    bind_position(out_, w);
    found(t, [&] { arm(t.then); });
    out_.expressions.forget_base(t.cursor);
    if (!last) out_.add(out_.close());
    return;
  }
  const auto block_of = [&](const flow::Stmt& body) {
    out_.open();
    arm(body);
    return out_.close();
  };
  std::optional<c::Stmt> otherwise;
  const auto* inner = t.then.as<flow::Test>();
  // A cursor that moves on in each arm does so without the inner one too, even if nothing else is to be done then.
  const bool joined = inner && (inner->otherwise || !decided_.count(t.cursor)) && !inner->certain && !binds(w) &&
                      !binds(walks_.at(inner->cursor));
  if (!joined) {
    out_.open();
    bind_position(out_, w);
    found(t, [&] { arm(t.then); });
    out_.expressions.forget_base(t.cursor);
    c::Stmt then = out_.close();
    if (t.otherwise) otherwise = block_of(*t.otherwise);
    return out_.add(c::stmt(c::If{w.here, then, otherwise}, origin));
  }
  c::Expr both = w.both ? w.both : c::binary("&&", w.here, walks_.at(inner->cursor).here);
  std::optional<c::Stmt> then, alone;
  found(t, [&] {
    found(*inner, [&] { then = block_of(inner->then); });
    if (inner->otherwise) alone = block_of(*inner->otherwise);
  });
  if (t.otherwise) otherwise = block_of(*t.otherwise);
  if (alone) otherwise = c::stmt(c::Block{{c::stmt(c::If{w.only ? w.only : w.here, *alone, otherwise}, origin)}});
  else if (otherwise) otherwise = c::stmt(c::Block{{c::stmt(c::If{c::expr(c::Unary{"!", w.here}), *otherwise, {}})}});
  out_.add(c::stmt(c::If{both, *then, otherwise}, origin));
}

// `here(cursor)`: the position, or -1.
c::Expr Statements::position_here(const flow::Here& here) {
  const Walk& w = walks_.at(here.cursor);
  return choose(w.here, position_of(out_, w), c::number(-1));
}

}  // namespace trellis::emit
