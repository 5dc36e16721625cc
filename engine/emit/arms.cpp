#include "engine/emit/arms.hpp"

#include <optional>
#include <utility>

#include "engine/emit/shorthand.hpp"

namespace trellis::emit {

bool decides(const flow::Stmt& body, std::set<std::string> cursors) {
  const auto* test = body.as<flow::Test>();
  if (!test || !cursors.erase(test->cursor)) return cursors.empty();
  return decides(test->then, cursors) && (test->certain || (test->otherwise && decides(*test->otherwise, cursors)));
}

void Arms::decide(const flow::Stmt& body, const std::set<std::string>& leads) {
  decided_.insert(leads.begin(), leads.end());
  body_(body, false);
  for (const std::string& lead : leads) decided_.erase(lead);
}

c::Expr Arms::position(const flow::Here& here) {
  const CCursor& w = walks_.at(here.cursor);
  return choose(w.here, position_of(out_, w), c::number(-1));
}

// What runs where the present cursors are known to stand at the loop's coordinate; behind it they move on. A predicted
// branch moves on sooner than arithmetic that waits for coordinates: `pA += 1` here, not `pA += jA == j` below.
void Arms::arm(const flow::Stmt& body) {
  const auto* test = body.as<flow::Test>();
  if (test && decided_.count(test->cursor)) return body_(body, true);
  const std::vector<std::string> moving = std::exchange(present_, {});
  if (!moving.empty())
    if (const CCursor& w = walks_.at(moving.front()); w.both) out_.add(constant(w.variable, c::token(w.coordinate)));
  body_(body, moving.empty());
  for (const std::string& cursor : moving) step(out_, walks_.at(cursor), {}, "");
  present_ = moving;
}

c::Stmt Arms::block_of_arm(const flow::Stmt& body) {
  out_.open();
  arm(body);
  return out_.close();
}

// Meanwhile the cursor is known to stand there.
void Arms::found(const flow::Test& test, const std::function<void()>& arm) {
  const bool moves = decided_.count(test.cursor) > 0;
  if (moves) present_.push_back(test.cursor);
  arm();
  if (moves) present_.pop_back();
}

void Arms::bound_arm(const flow::Test& t, const CCursor& w) {
  bind_position(out_, w);
  found(t, [&] { arm(t.then); });
  out_.expressions.forget_base(t.cursor);
}

void Arms::test(const flow::Test& t, const text::Origin& origin, bool last) {
  const CCursor w = walks_.at(t.cursor);
  const bool certain = t.certain || is_one(w.here);
  if (certain && !binds(w)) return found(t, [&] { arm(t.then); });
  if (certain) return out_.scoped(last, [&] { bound_arm(t, w); });
  if (joins(t, w)) return test_both(t, w, origin);
  out_.open();
  bound_arm(t, w);
  const c::Stmt then = out_.close();
  std::optional<c::Stmt> otherwise;
  if (t.otherwise) otherwise = block_of_arm(*t.otherwise);
  out_.add(c::stmt(c::If{w.here, then, otherwise}, origin));
}

// Is the test within it one with it? A cursor that moves on in each arm does so without the inner one too, even if
// nothing else is to be done then.
bool Arms::joins(const flow::Test& t, const CCursor& w) const {
  const auto* inner = t.then.as<flow::Test>();
  return inner && (inner->otherwise || !decided_.count(t.cursor)) && !inner->certain && !binds(w) &&
         !binds(walks_.at(inner->cursor));
}

// if (jA == jB) … else if (jA < jB) … else …; of more leads if (jA == j && jB == j) … else if (jA == j) … else …
void Arms::test_both(const flow::Test& t, const CCursor& w, const text::Origin& origin) {
  const flow::Test& inner = *t.then.as<flow::Test>();
  const c::Expr there = walks_.at(inner.cursor).here;
  const c::Expr asked = is_one(w.here) ? there : is_one(there) ? w.here : c::binary("&&", w.here, there);
  const c::Expr both = w.both ? w.both : asked;
  std::optional<c::Stmt> then, alone, otherwise;
  found(t, [&] {
    found(inner, [&] { then = block_of_arm(inner.then); });
    if (inner.otherwise) alone = block_of_arm(*inner.otherwise);
  });
  if (t.otherwise) otherwise = block_of_arm(*t.otherwise);
  const auto otherwise_if = [&](const c::Expr& condition, const c::Stmt& arm, const std::optional<c::Stmt>& rest,
                                const text::Origin& of) {
    otherwise = c::stmt(c::Block{{c::stmt(c::If{condition, arm, rest}, of)}});
  };
  if (alone) otherwise_if(w.only ? w.only : w.here, *alone, otherwise, origin);
  else if (otherwise) otherwise_if(c::expr(c::Unary{"!", w.here}), *otherwise, {}, {});
  out_.add(c::stmt(c::If{both, *then, otherwise}, origin));
}

}  // namespace trellis::emit
