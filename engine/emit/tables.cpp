#include "engine/emit/tables.hpp"

#include "engine/emit/locate.hpp"
#include "engine/emit/shorthand.hpp"

namespace trellis::emit {

namespace {

std::string position_type(bool wide) { return wide ? "int64_t" : "int32_t"; }

}  // namespace

void Tables::fill(const flow::PositionMap& map) {
  const flow::Tensor &from = *out_.flow.tensor(map.from), &to = *out_.flow.tensor(map.to);
  const bool wide = facts_of(to, 1).wide;
  const auto array = [&](const flow::Tensor& tensor, format::Array which) {
    return out_.expressions.array(tensor, 1, which);
  };
  const c::Expr fibers = out_.expressions.count(to, 1), across = out_.expressions.count(from, 1);
  const c::Expr entries = plus(index(array(from, format::Array::positions), across), fibers);
  const c::Expr bytes = c::call("sizeof", {c::token(position_type(wide))});
  memory_.hoist(position_type(wide), name_of(map.name), c::call(out_.prelude.use(Helper::allocate), {entries, bytes}));
  out_.add(
      c::stmt(c::Evaluate{c::call(out_.prelude.use_map_positions(wide),
                                  {array(to, format::Array::positions), array(to, format::Array::coordinates), fibers,
                                   array(from, format::Array::positions), array(from, format::Array::coordinates),
                                   across, c::token(name_of(map.name))})}));
}

void Tables::around(const flow::Tabulate& t, const std::function<void()>& statements) {
  const flow::Tensor& tensor = *out_.flow.tensor(t.tensor);
  const bool wide = facts_of(tensor, t.level).wide;
  const c::Expr table = c::token(name_of(t.name));
  memory_.hoist(position_type(wide), name_of(t.name),
                c::call(out_.prelude.use_no_positions(wide), {out_.expressions.size(tensor, t.level)}));
  const auto [first, last] = fiber(out_, tensor, t.level, t.parent);
  std::vector<c::Expr> arguments = {out_.expressions.array(tensor, t.level, format::Array::coordinates), first, last};
  std::vector<c::Expr> filled = arguments;
  if (!t.map.empty()) filled.push_back(c::token(name_of(t.map)));
  for (std::vector<c::Expr>* all : {&arguments, &filled}) all->push_back(table);
  out_.add(c::stmt(c::Evaluate{c::call(out_.prelude.use_tabulate(wide, !t.map.empty()), filled)}));
  statements();
  out_.add(c::stmt(c::Evaluate{c::call(out_.prelude.use_untabulate(wide), arguments)}));
}

}  // namespace trellis::emit
