#include "engine/emit/waiting.hpp"

#include "engine/emit/shorthand.hpp"

namespace trellis::emit {

std::string WaitingLists::part(const std::string& lists, const char* suffix) {
  return out_.names.fix("'lists." + lists + suffix, lists + suffix);
}

void WaitingLists::begin(const flow::Lists& lists) {
  const flow::Tensor& tensor = *out_.flow.tensor(lists.tensor);
  const c::Expr coordinates = out_.expressions.size(tensor, lists.level);
  const c::Expr fibers = out_.expressions.count(tensor, lists.level);
  const auto array = [&](const char* suffix, const c::Expr& count) {
    const c::Expr room = c::call(out_.prelude.use(Helper::allocate), {count, c::call("sizeof", {c::token("int64_t")})});
    memory_.hoist("int64_t", part(lists.name, suffix), room);
  };
  array("", coordinates);
  array("'after", fibers);
  array("'next", fibers);
  out_.open();
  const std::string p = out_.bind("'p");
  out_.add(assign_to(index(c::token(part(lists.name, "")), c::token(p)), "=", c::number(-1)));
  const c::Stmt body = out_.close();
  out_.add(c::stmt(c::For{p, c::number(0), c::binary("<", c::token(p), coordinates), p + "++", body}));
}

void WaitingLists::move_on(const flow::Lists& lists, const std::string& coordinate) {
  const flow::Tensor& tensor = *out_.flow.tensor(lists.tensor);
  const auto array = [&](format::Array which) { return out_.expressions.array(tensor, lists.level, which); };
  out_.add(c::stmt(c::Evaluate{
      c::call(out_.prelude.use_move_on(tensor.levels[static_cast<std::size_t>(lists.level)].facts.wide),
              {array(format::Array::positions), array(format::Array::coordinates), c::token(part(lists.name, "")),
               c::token(part(lists.name, "'after")), c::token(part(lists.name, "'next")), c::token(coordinate)})}));
}

c::Expr WaitingLists::first(const std::string& lists, const c::Expr& coordinate) {
  return index(c::token(part(lists, "")), coordinate);
}

std::string WaitingLists::step(const std::string& lists, const std::string& fiber) {
  return fiber + " = " + part(lists, "'after") + "[" + fiber + "]";
}

c::Expr WaitingLists::entry(const std::string& lists, const std::string& fiber) {
  return index(c::token(part(lists, "'next")), c::token(fiber));
}

}  // namespace trellis::emit
