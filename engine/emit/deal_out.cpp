#include "engine/emit/deal_out.hpp"

#include "engine/emit/shorthand.hpp"

namespace trellis::emit {

void deal_out(Context& out, Threads& threads, const flow::MergePath& path, const Threads::Work& work,
              const c::Expr& count, const std::function<void(const PartOfRows&)>& loop) {
  const flow::Tensor& tensor = *out.flow.tensor(path.tensor);
  const c::Expr positions = out.expressions.array(tensor, path.level, format::Array::positions);
  const auto named = [&](const char* what, const c::Expr& value) {
    const std::string name = out.bind(tensor.name + what);
    out.add(constant(name, value));
    return c::token(name);
  };
  const c::Expr rows = named("'rows", count), all = named("'all", plus(rows, index(positions, rows)));
  const c::Expr parts = named("'parts", c::call(out.prelude.use_thread_count(), {}));
  threads.run({work.variable, work.partials, work.body}, [&] {
    out.open();
    const std::string part = out.bind(tensor.name + "'part");
    threads.begin_iteration(true);
    const std::string before = out.prelude.use_rows_before(facts_of(tensor, path.level).wide);
    const auto share_of = [&](const c::Expr& number) { return c::binary("/", times(all, number), parts); };
    const c::Expr begin = named("'begin", share_of(c::token(part)));
    const c::Expr stop = named("'stop", share_of(plus(c::token(part), c::number(1))));
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
