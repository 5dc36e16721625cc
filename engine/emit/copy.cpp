#include "engine/emit/copy.hpp"

#include "engine/emit/cursor.hpp"
#include "engine/emit/locate.hpp"
#include "engine/emit/shorthand.hpp"
#include "engine/flow/rename.hpp"

namespace trellis::emit {

using flow::Tensor;
using format::Array;

namespace {

class Copying {
 public:
  Copying(Context& out, Results& results, const flow::CopiedEntries& copied, const text::Origin& origin)
      : out_(out),
        results_(results),
        append_(*copied.append),
        from_(*out.flow.tensor(copied.cursor().tensor)),
        to_(*out.flow.tensor(copied.append->tensor)),
        next_(results.entries(to_, last_sparse(to_))),
        name_(copied.cursor().name),
        origin_(origin) {
    out_.expressions.use(to_.name);
    out_.open();
  }

  void begin(const c::Expr& first, const c::Expr& last) {
    first_ = out_.bind(name_ + "'first");
    out_.add(constant(first_, first));
    count_ = out_.bind(name_ + "'count");
    out_.add(constant(count_, is_zero(first) ? last : minus(last, c::token(first_))));
    out_.open();
  }

  /// The coordinates of a level, which the loop has at those that the cursor's level stores.
  void coordinates(const flow::Coiterate& loop, int level) {
    const CCursor w = c_cursor_of(out_, loop.cursors[0], loop);
    each([&](const c::Expr& from, const c::Expr& to) {
      const std::string i = out_.bind(loop.variable);
      out_.add(constant(i, entry_coordinate(out_, w, from)));
      const c::Expr crd = out_.expressions.array(to_, level, Array::coordinates);
      out_.add(
          assign_to(index(crd, to), "=", out_.expressions.expr(append_.coordinates[static_cast<std::size_t>(level)])));
    });
  }

  /// Each entry, at the next place of the result, which it keeps if the loop has a coordinate for it.
  void those_kept(const flow::Coiterate& loop) {
    CCursor w = c_cursor_of(out_, loop.cursors[0], loop);
    out_.open();
    w.at = out_.bind(name_);
    const c::Expr next = c::token(next_), stored = stored_coordinate(out_, w, c::token(w.at));
    const std::string i = out_.bind(loop.variable);
    out_.add(constant(i, entry_coordinate(out_, w, c::token(w.at))));
    const c::Expr crd = out_.expressions.array(to_, 1, Array::coordinates);
    out_.add(assign_to(index(crd, next), "=", out_.expressions.expr(append_.coordinates[1])));
    const auto at = flow::Position(flow::PositionNode{flow::At{name_}});
    out_.add(
        assign_to(index(c::token(out_.names.fixed(to_.name)), next), "=", out_.expressions.element(from_.name, at)));
    c::Expr kept;
    const auto also = [&](const c::Expr& condition) { kept = kept ? c::binary("&", kept, condition) : condition; };
    const auto [low, high] = stored_bounds(out_, w, loop);
    if (w.cursor->below) also(c::binary(">=", stored, low));
    if (w.cursor->above) also(c::binary("<", stored, high));
    if (const c::Expr skipped = left_out(out_, w)) also(c::expr(c::Unary{"!", skipped}));
    out_.add(set(next_, "+=", kept));
    const c::Expr end = plus(c::token(first_), c::token(count_));
    const c::Stmt body = out_.close();
    out_.add(c::stmt(c::For{w.at, c::token(first_), c::binary("<", c::token(w.at), end), w.at + "++", body}, origin_));
  }

  /// Where there is room for all, and bisecting would take longer; else something else.
  void where_short(const flow::Cursor& cursor, const std::function<void()>& otherwise) {
    constexpr int longest = 64;  // entries
    const c::Stmt copies = out_.close();
    const c::Expr room = minus(c::token(out_.expressions.capacity(to_)), c::token(next_));
    c::Expr few = c::binary("<=", c::token(count_), room);
    if (cursor.below || cursor.above) few = c::binary("&&", few, c::binary("<=", c::token(count_), c::number(longest)));
    out_.open();
    otherwise();
    out_.add(c::stmt(c::If{few, copies, out_.close()}, origin_));
    out_.add(out_.close());
  }

  void values() {
    each([&](const c::Expr& from, const c::Expr& to) {
      const c::Expr element = c::token(out_.names.fixed(to_.name));
      const auto at = flow::Position(flow::PositionNode{flow::At{name_}});
      const std::string entry = out_.bind(name_);
      out_.add(constant(entry, from));
      out_.add(assign_to(index(element, to), "=", out_.expressions.element(from_.name, at)));
    });
  }

  /// What is to be done where there is no room for all stands apart.
  void where_room() {
    const c::Stmt copies = out_.close();
    results_.ask_for_room(to_, plus(c::token(next_), c::token(count_)));
    const c::Expr capacity = c::token(out_.expressions.capacity(to_));
    const c::Expr site = out_.expressions.fault_site(FaultKind::result_too_large, {}, to_.name);
    out_.prelude.use(Helper::slot);
    const c::Stmt fault = c::stmt(c::Evaluate{c::call("no_room", {c::token("fault"), site})});
    const c::Expr room = c::binary("<=", c::token(count_), minus(capacity, c::token(next_)));
    out_.add(c::stmt(c::If{room, copies, c::stmt(c::Block{{fault}})}, origin_));
  }

  /// Where an entry of the operand is in the result.
  c::Expr moved(const c::Expr& entry) const {
    return plus(c::token(next_), minus(in_64_bits(entry), c::token(first_)));
  }
  const Tensor& to() const { return to_; }

  void end() {
    out_.add(set(next_, "+=", c::token(count_)));
    out_.add(out_.close());
  }

 private:
  template <class Do>
  void each(const Do& copy) {
    out_.open();
    const std::string k = out_.bind("'k");
    const auto behind = [&](const std::string& first) { return plus(c::token(first), c::token(k)); };
    copy(behind(first_), behind(next_));
    const c::Stmt body = out_.close();
    const c::Expr more = c::binary("<", c::token(k), c::token(count_));
    out_.add(c::stmt(c::For{k, c::number(0), more, k + "++", body}, origin_));
  }

  Context& out_;
  Results& results_;
  const flow::Append& append_;
  const Tensor &from_, &to_;
  const std::string next_, name_;
  const text::Origin origin_;
  std::string first_, count_;
};

}  // namespace

void copy_rows(Context& out, Results& results, const flow::Loop& loop, const Loops::Range& range,
               const flow::CopiedEntries& copied, const text::Origin& origin) {
  const flow::Cursor& cursor = copied.cursor();
  const Tensor& from = *out.flow.tensor(cursor.tensor);
  const c::Expr positions = out.expressions.array(from, 1, Array::positions);
  const flow::Expr row = cursor.parent.as<flow::Direct>()->coordinate;
  const auto begins = [&](const flow::Expr& at) {
    return index(positions, out.expressions.expr(flow::renamed(row, {{}, {}, {{loop.variable, at}}})));
  };
  const auto* size = loop.high.as<flow::Name>();
  const bool may_be_none = !is_zero(range.low) || !size || size->kind != flow::Name::Kind::size;
  if (may_be_none) out.open();
  Copying copying(out, results, copied, origin);
  copying.begin(begins(loop.low), begins(loop.high));
  copying.coordinates(*copied.walk, 1);
  copying.values();
  copying.where_room();
  out.open();
  const std::string l = out.bind(loop.variable);
  const c::Expr ends = out.expressions.array(copying.to(), 1, Array::positions);
  const c::Expr next = plus(out.expressions.expr(row), c::number(1));
  out.add(assign_to(index(ends, plus(c::token(l), c::number(1))), "=", copying.moved(index(positions, next))));
  const c::Stmt rows = out.close();
  const c::Expr more = c::binary("<", c::token(l), range.high);
  out.add(c::stmt(c::For{l, range.low, more, l + "++", rows}, origin));
  copying.end();
  if (may_be_none) out.add(c::stmt(c::If{c::binary("<", range.low, range.high), out.close(), {}}));
}

void copy_fiber(Context& out, Results& results, const flow::Coiterate& loop, const flow::CopiedEntries& copied,
                const text::Origin& origin, const std::function<void()>& one_by_one) {
  const flow::Cursor& cursor = copied.cursor();
  const auto [first, last] = fiber(out, cursor);
  Copying copying(out, results, copied, origin);
  copying.begin(first, last);
  if (copied.leaves_out()) {
    copying.those_kept(loop);
    return copying.where_short(cursor, one_by_one);
  }
  copying.coordinates(loop, 1);
  copying.values();
  copying.where_room();
  copying.end();
}

void copy_tuples(Context& out, Results& results, const flow::Coiterate& loop, const flow::CopiedEntries& copied,
                 const text::Origin& origin) {
  const auto [first, last] = fiber(out, *out.flow.tensor(copied.cursor().tensor), 0, loop.cursors[0].parent);
  Copying copying(out, results, copied, origin);
  copying.begin(first, last);
  copying.coordinates(loop, 0);
  copying.coordinates(*copied.walk, 1);
  copying.values();
  copying.where_room();
  copying.end();
}

}  // namespace trellis::emit
