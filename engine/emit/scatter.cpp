#include "engine/emit/scatter.hpp"

#include "engine/emit/shorthand.hpp"

namespace trellis::emit {

using flow::Tensor;
using format::Array;

namespace {

c::Expr fibers_of(Context& out, const Tensor& tensor) {
  c::Expr fibers = out.expressions.size(tensor, 0);
  for (int l = 1; l + 1 < levels_of(tensor); ++l) fibers = times(fibers, out.expressions.size(tensor, l));
  return fibers;
}

}  // namespace

c::Expr of_fiber(Context& out, const Tensor& tensor, const c::Expr& fiber, int after) {
  const c::Expr positions = out.expressions.array(tensor, levels_of(tensor) - 1, Array::positions);
  return index(positions, after == 0 ? fiber : plus(fiber, c::number(after)));
}

void scatter(Context& out, Results& results, Counts& counts, const Body& body, const flow::Scatter& s) {
  const Tensor& tensor = *out.flow.tensor(s.tensor);
  const int last = levels_of(tensor) - 1;
  const c::Expr fibers = fibers_of(out, tensor), none = c::number(0), one = c::number(1);
  const c::Expr positions = out.expressions.array(tensor, last, Array::positions);
  const c::Expr size = c::call("sizeof", {c::token(array_type(tensor, last, Array::positions))});
  out.add(c::stmt(c::Evaluate{c::call(out.prelude.use_clear(), {positions, none, times(sum(fibers, one), size)})}));
  body(*s.counting, false);

  const std::string total = results.entries(tensor, last);
  const auto for_fibers = [&](const c::Expr& first, const char* more, const c::Expr& end, const char* step,
                              const auto& each) {
    out.open();
    const std::string f = out.bind("'f");
    each(c::token(f));
    const c::Stmt inside = out.close();
    out.add(c::stmt(c::For{f, first, c::binary(more, c::token(f), end), f + step, inside}));
  };
  for_fibers(none, "<", fibers, "++", [&](const c::Expr& f) {
    out.add(set(total, "+=", of_fiber(out, tensor, f, 1)));
    out.add(assign_to(of_fiber(out, tensor, f, 1), "=", c::token(total)));
  });
  counts.stop_if_too_large(tensor);
  body(s.body, false);
  for_fibers(fibers, ">", none, "--", [&](const c::Expr& f) {
    out.add(assign_to(of_fiber(out, tensor, f), "=", of_fiber(out, tensor, f, -1)));
  });
  out.add(assign_to(of_fiber(out, tensor, none), "=", none));
}

}  // namespace trellis::emit
