#include "engine/emit/deal_out.hpp"

#include "engine/emit/shorthand.hpp"

namespace trellis::emit {

namespace {

c::Expr named(Context& out, const flow::Tensor& tensor, const char* what, const c::Expr& value) {
  const std::string name = out.bind(tensor.name + what);
  out.add(constant(name, value));
  return c::token(name);
}

/// Rows and entries before part `number` of so many.
c::Expr share_of(const c::Expr& all, const c::Expr& number, const c::Expr& parts) {
  return c::binary("/", times(all, number), parts);
}

}  // namespace

WholeRows::WholeRows(Context& out, const flow::MergePath& path, const c::Expr& count)
    : out_(out), tensor_(*out.flow.tensor(path.tensor)), level_(path.level) {
  positions_ = out.expressions.array(tensor_, level_, format::Array::positions);
  rows_ = named(out, tensor_, "'rows", count);
  all_ = named(out, tensor_, "'all", plus(rows_, index(positions_, rows_)));
  parts_ = named(out, tensor_, "'parts", c::call(out.prelude.use_thread_count(), {}));
}

void WholeRows::each_part(const std::function<void(const c::Expr& first, const c::Expr& last)>& loop) const {
  out_.open();
  const std::string part = out_.bind(tensor_.name + "'part");
  const std::string before = out_.prelude.use_rows_before(facts_of(tensor_, level_).wide);
  // Rows that begin before a place, of which the last one may reach beyond it.
  const auto begun = [&](const c::Expr& at) {
    const c::Expr last = c::call(before, {positions_, minus(rows_, c::number(1)), minus(at, c::number(1))});
    return choose(c::binary(">", at, c::number(0)), plus(last, c::number(1)), c::number(0));
  };
  const c::Expr begin = named(out_, tensor_, "'begin", share_of(all_, c::token(part), parts_));
  const c::Expr stop = named(out_, tensor_, "'stop", share_of(all_, plus(c::token(part), c::number(1)), parts_));
  const c::Expr first = named(out_, tensor_, "'first", begun(begin)), last = named(out_, tensor_, "'last", begun(stop));
  loop(first, last);
  const c::Stmt body = out_.close();
  out_.add(c::stmt(c::For{part, c::number(0), c::binary("<", c::token(part), parts_), part + "++", body}));
}

void deal_out(Context& out, Threads& threads, const flow::MergePath& path, const Threads::Work& work,
              const c::Expr& count, const std::function<void(const PartOfRows&)>& loop) {
  const flow::Tensor& tensor = *out.flow.tensor(path.tensor);
  const c::Expr positions = out.expressions.array(tensor, path.level, format::Array::positions);
  const auto named = [&](const char* what, const c::Expr& value) { return emit::named(out, tensor, what, value); };
  const c::Expr rows = named("'rows", count), all = named("'all", plus(rows, index(positions, rows)));
  const c::Expr parts = named("'parts", c::call(out.prelude.use_thread_count(), {}));
  threads.run({work.variable, work.partials, work.body}, [&] {
    out.open();
    const std::string part = out.bind(tensor.name + "'part");
    threads.begin_iteration(true);
    const std::string before = out.prelude.use_rows_before(facts_of(tensor, path.level).wide);
    const c::Expr begin = named("'begin", share_of(all, c::token(part), parts));
    const c::Expr stop = named("'stop", share_of(all, plus(c::token(part), c::number(1)), parts));
    out.add(continue_if(c::binary("==", begin, stop)));  // more parts than rows and entries
    const c::Expr first = named("'first", c::call(before, {positions, rows, begin}));
    const c::Expr last = named("'last", c::call(before, {positions, rows, stop}));
    const c::Expr from = named("'from", minus(begin, first)), to = named("'to", minus(stop, last));
    // A row all of whose entries are the part's before has nothing left here, and may be written there.
    const c::Expr over = c::binary("<=", index(positions, plus(first, c::number(1))), from);
    const c::Expr begun = c::binary("&&", c::binary("<", first, last), c::binary("<", index(positions, first), from));
    const c::Expr next = named("'next", plus(first, c::binary("&&", begun, over)));
    out.share = Context::Share{tensor.name, path.level, from, to, "", work.variable};
    const auto more = [&](const std::string& row) {
      const c::Expr at = c::token(row);
      const c::Expr some = c::binary("&&", c::binary("<", at, rows), c::binary("<", index(positions, at), to));
      return c::binary("||", c::binary("<", at, last), c::binary("&&", c::binary("==", at, last), some));
    };
    const auto whole = [&](const std::string& row) {
      const c::Expr at = c::token(row);
      out.share->whole = out.bind(tensor.name + "'whole");
      out.add(c::stmt(c::Declaration{"const int",
                                     out.share->whole,
                                     {},
                                     c::binary("&&", c::binary(">=", index(positions, at), from),
                                               c::binary("<=", index(positions, plus(at, c::number(1))), to))}));
    };
    loop({next, more, whole});
    out.share.reset();
    threads.end_iteration(true);
    const c::Stmt body = out.close();
    out.add(c::stmt(c::For{part, c::number(0), c::binary("<", c::token(part), parts), part + "++", body}));
  });
}

}  // namespace trellis::emit
