#include "engine/emit/memory.hpp"

#include <algorithm>

#include "engine/emit/shorthand.hpp"

namespace trellis::emit {

namespace {

c::Stmt declared(const Room::Array& array) {
  return c::stmt(c::Declaration{array.type + " *restrict", array.name, {}, array.memory}, array.origin);
}
c::Stmt freed(const Room::Array& array) {
  return c::stmt(c::Evaluate{c::call("free", {c::token(array.name)})}, array.origin);
}

/// Each thread has a part of the variable.
c::Stmt note_refusal() { return c::stmt(c::Block{{set("refused", "=", c::number(1))}}); }

/// Allocations at the top of the kernel, where it can return.
void allocate_or_return(const Room& room, std::vector<c::Stmt>& into) {
  c::Expr missing;
  text::Origin all;
  std::vector<c::Stmt> give_up;
  for (const Room::Array& array : room.arrays) {
    into.push_back(declared(array));
    all = text::merge(all, array.origin);
    c::Expr absent = c::expr(c::Unary{"!", c::token(array.name)});
    missing = missing ? c::binary("||", missing, absent) : absent;
    give_up.push_back(freed(array));
  }
  if (missing) {
    if (room.arrays.size() == 1) give_up.clear();
    give_up.push_back(c::stmt(c::Return{c::number(1)}));
    into.push_back(c::stmt(c::If{missing, c::stmt(c::Block{give_up}), {}}, all));
  }
  into.insert(into.end(), room.declarations.begin(), room.declarations.end());
}

}  // namespace

void Memory::hoist(const std::string& type, const std::string& name, c::Expr memory) {
  const auto is_it = [&](const Room::Array& array) { return array.name == name; };
  if (std::ranges::none_of(room_->arrays, is_it)) room_->arrays.push_back({type, name, std::move(memory), out_.from()});
}

Room Memory::apart(const std::function<void()>& meanwhile) {
  Room room;
  room_ = &room;
  meanwhile();
  room_ = &top_;
  return room;
}

c::Stmt Memory::body(const std::vector<c::Stmt>& statements) const {
  std::vector<c::Stmt> all;
  if (refused_) all.push_back(c::stmt(c::Declaration{"int", "refused", {}, c::number(0)}));
  allocate_or_return(top_, all);
  all.insert(all.end(), statements.begin(), statements.end());
  all.insert(all.end(), top_.releases.begin(), top_.releases.end());
  for (const Room::Array& array : top_.arrays) all.push_back(freed(array));
  if (can_fail()) all.push_back(c::stmt(c::Return{refused_ ? c::token("refused") : c::number(0)}));
  return out_.with_origin(c::stmt(c::Block{std::move(all)}));
}

void Memory::return_if_refused() {
  if (!refused_) return;
  out_.add(c::stmt(c::If{c::token("refused"), c::stmt(c::Block{{c::stmt(c::Return{c::number(1)})}}), {}}));
}

c::Stmt Memory::give_up() {
  if (!on_thread()) return c::stmt(c::Block{{c::stmt(c::Return{c::number(1)})}});
  refused_ = region_refused_ = lands_ = true;
  std::vector<c::Stmt> statements = note_refusal().as<c::Block>()->statements;
  statements.push_back(c::stmt(c::Goto{landing_}));
  return c::stmt(c::Block{std::move(statements)});
}

void Memory::allocate(const Room& room) {
  refused_ = region_refused_ = true;
  c::Expr ready;
  for (const Room::Array& array : room.arrays) {
    out_.add(declared(array));
    ready = ready ? c::binary("&&", ready, c::token(array.name)) : c::token(array.name);
  }
  for (const c::Stmt& s : room.declarations) out_.add(s);
  if (!ready) return;
  ready_ = out_.bind("'ready");
  if (room.arrays.size() == 1) ready = c::binary("!=", ready, c::number(0));
  out_.add(c::stmt(c::Declaration{"const int", ready_, {}, ready}));
  out_.add(c::stmt(c::If{c::expr(c::Unary{"!", c::token(ready_)}), note_refusal(), {}}));
}

void Memory::release(const Room& room) {
  for (const c::Stmt& s : room.releases) out_.add(s);
  for (const Room::Array& array : room.arrays) out_.add(freed(array));
}

void Memory::name_landing(const std::string& variable) {
  landing_ = "next_" + variable + (landings_++ > 0 ? std::to_string(landings_) : "");
}

// Without its memory, a thread skips its iterations.
void Memory::begin_iteration(bool parallel, bool others_wait) {
  depth_ += parallel;
  if (depth_ != 1 || ready_.empty()) return;
  const c::Expr missing = c::expr(c::Unary{"!", c::token(ready_)});
  out_.add(others_wait ? c::stmt(c::If{missing, c::stmt(c::Block{{c::stmt(c::Goto{landing_})}}), {}})
                       : continue_if(missing));
  lands_ |= others_wait;
  ready_.clear();
}

void Memory::end_iteration(bool parallel) {
  depth_ -= parallel;
  if (depth_ > 0) return;
  if (lands_) out_.add(c::stmt(c::Label{landing_}));
  lands_ = false;
}

c::Expr allocation(Context& out, const flow::Tensor& tensor) {
  c::Expr count;
  for (const flow::Level& level : tensor.levels) {
    c::Expr size = out.expressions.expr(level.size);
    count = count ? c::call(out.prelude.use(Helper::times), {count, size}) : size;
  }
  c::Expr bytes = c::call("sizeof", {c::token(std::string(format::c_name(tensor.type)))});
  return c::call(out.prelude.use(Helper::allocate), {count, bytes});
}

}  // namespace trellis::emit
