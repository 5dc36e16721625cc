// Temporaries with a bytemap level (a flag per element and a list of those that are set) or with hashed levels (a table that
// grows; its entries are sorted when they are to be walked). Source: DESIGN, "Formats and outputs"; COITERATION rule 16.

#include "engine/emit/shorthand.hpp"
#include "engine/emit/statement.hpp"

namespace trellis::emit {

namespace {

using flow::Tensor;
using format::Locate;
using format::ScalarType;

/// The bytemap level, the last one; -1 when the levels are hashed.
int bytemap_level(const Tensor& tensor) {
  const auto last = static_cast<int>(tensor.levels.size()) - 1;
  return tensor.levels[static_cast<std::size_t>(last)].facts.locate == Locate::direct &&
                 !tensor.levels[static_cast<std::size_t>(last)].facts.dense()
             ? last
             : -1;
}

}  // namespace

// `w_set`, `w_list`, `w_count` of a bytemap; of a hashed level the struct `w_entries` and its members.
std::string Statements::part(const Tensor& tensor, int level, const std::string& suffix) {
  const bool hashed = facts_of(tensor, level).locate == Locate::hash;
  const bool single = tensor.levels.size() == 1 || !hashed || level == 0 ||
                      tensor.levels[static_cast<std::size_t>(level) - 1].facts.dense();
  const bool member = hashed && suffix != "entries";
  const std::string wanted = tensor.name + (single && level + 1 == static_cast<int>(tensor.levels.size()) ? "" : std::to_string(level + 1)) + "_" + (member ? "entries" : suffix);
  const std::string name = names_.fix("#" + wanted, wanted);
  return member ? name + "." + suffix : name;
}

void Statements::declare_workspace(const Tensor& tensor, const text::Origin&) {
  if (!declared_workspaces_.insert(tensor.name).second) return;
  const std::string type(format::c_name(tensor.type));
  const std::string values = names_.fixed(tensor.name);
  const int map = bytemap_level(tensor);
  c::Expr bytes = c::call("sizeof", {c::token(type)});
  if (map >= 0) {
    const std::string crd = tensor.levels[static_cast<std::size_t>(map)].facts.wide ? "int64_t" : "int32_t";
    c::Expr count = allocation(tensor).as<c::Call>()->arguments[0];
    if (!valueless_.count(tensor.name)) hoist(type, values, allocation(tensor));
    hoist("uint8_t", part(tensor, map, "set"), c::call(prelude_.use_zeroed(), {count, c::number(1)}));
    hoist(crd, part(tensor, map, "list"), c::call(prelude_.use(Helper::allocate), {count, c::call("sizeof", {c::token(crd)})}));
    if (map == 0) {
      room_->declarations.push_back(with_origin(c::stmt(c::Declaration{"int64_t", part(tensor, map, "count"), {}, c::number(0)})));
    } else {
      hoist("int64_t", part(tensor, map, "count"), c::call(prelude_.use_zeroed(), {expressions_.count(tensor, map), c::number(8)}));
    }
    return;
  }
  gives_up_ |= room_ == &top_;
  prelude_.use_insert();
  for (int l = 0; l < static_cast<int>(tensor.levels.size()); ++l) {
    if (tensor.levels[static_cast<std::size_t>(l)].facts.dense()) continue;
    const std::string name = part(tensor, l, "entries");
    room_->declarations.push_back(with_origin(c::stmt(c::Declaration{prelude_.use_entries(), name, {}, c::token("{0}")})));
    room_->releases.push_back(with_origin(c::stmt(c::Evaluate{c::call(prelude_.use_release(), {address(name)})})));
  }
  if (valueless_.count(tensor.name)) return;
  room_->declarations.push_back(with_origin(c::stmt(c::Declaration{type + " *", values, {}, c::number(0)})));
  room_->declarations.push_back(with_origin(c::stmt(c::Declaration{"int64_t", part_of_values(tensor), {}, c::number(0)})));
  room_->releases.push_back(with_origin(c::stmt(c::Evaluate{c::call("free", {c::token(values)})})));
}

std::string Statements::part_of_values(const Tensor& tensor) { return names_.fix("#" + tensor.name + "_room", tensor.name + "_room"); }

void Statements::reset_workspace(const Tensor& tensor, const text::Origin& origin) {
  const int map = bytemap_level(tensor);
  if (map < 0) {
    if (!valueless_.count(tensor.name)) {
      // Places that nothing uses hold the fill.
      const std::string used = part(tensor, static_cast<int>(tensor.levels.size()) - 1, "entries") + ".count";
      open();
      const std::string p = bind("p");
      add(assign_to(index(c::token(names_.fixed(tensor.name)), c::token(p)), "=", expressions_.constant(tensor.fill)));
      c::Stmt body = close();
      add(c::stmt(c::For{p, c::number(0), c::binary("<", c::token(p), c::token(used)), p + "++", body}));
    }
    for (int l = 0; l < static_cast<int>(tensor.levels.size()); ++l)
      if (!tensor.levels[static_cast<std::size_t>(l)].facts.dense())
        add(c::stmt(c::Evaluate{c::call(prelude_.use_empty(), {address(part(tensor, l, "entries"))})}, origin));
    return;
  }
  c::Expr set = c::token(part(tensor, map, "set")), list = c::token(part(tensor, map, "list")), count = c::token(part(tensor, map, "count"));
  open();
  std::string fiber;
  c::Expr base = c::number(0);
  if (map > 0) {
    fiber = bind("q");
    count = index(count, c::token(fiber));
    base = times(c::token(fiber), expressions_.expr(tensor.levels[static_cast<std::size_t>(map)].size));
  }
  open();
  const std::string p = bind("p");
  c::Expr listed = index(list, is_zero(base) ? c::token(p) : sum(base, c::token(p)));
  add(assign_to(index(set, is_zero(base) ? listed : sum(base, listed)), "=", c::number(0)));
  c::Stmt body = close();
  add(c::stmt(c::For{p, c::number(0), c::binary("<", c::token(p), count), p + "++", body}, origin));
  add(assign_to(count, "=", c::number(0)));
  c::Stmt all = close();
  if (map == 0) {
    for (const c::Stmt& s : all.as<c::Block>()->statements) add(s);
  } else {
    add(c::stmt(c::For{fiber, c::number(0), c::binary("<", c::token(fiber), expressions_.count(tensor, map)), fiber + "++", all}, origin));
  }
}

// if (!w_set[pw]) { w_set[pw] = 1; w_list[w_count++] = j; w[pw] = 0; }
void Statements::insert(const flow::Insert& i, const text::Origin& origin, bool last) {
  const Tensor& tensor = *flow_.tensor(i.tensor);
  if (!last) open();
  c::Expr coordinate = expressions_.expr(i.coordinate);
  if (i.check) coordinate = expressions_.checked(coordinate, *i.check, tensor, i.level);
  c::Expr parent = expressions_.offset(i.parent);
  const bool leaf = i.level + 1 == static_cast<int>(tensor.levels.size());
  const bool valueless = valueless_.count(tensor.name) > 0;
  c::Expr values = c::token(names_.fixed(tensor.name));
  if (bytemap_level(tensor) == i.level) {
    c::Expr base = is_zero(parent) ? parent : times(parent, expressions_.expr(tensor.levels[static_cast<std::size_t>(i.level)].size));
    const std::string at = bind(i.name);
    add(constant(at, is_zero(base) ? coordinate : sum(base, coordinate)));
    c::Expr set = index(c::token(part(tensor, i.level, "set")), c::token(at));
    c::Expr count = c::token(part(tensor, i.level, "count"));
    if (i.level > 0) count = index(count, parent);
    open();
    add(assign_to(set, "=", c::number(1)));
    add(assign_to(index(c::token(part(tensor, i.level, "list")), is_zero(base) ? count : sum(base, count)), "=", coordinate));
    add(assign_to(count, "+=", c::number(1)));
    if (!valueless) add(assign_to(index(values, c::token(at)), "=", expressions_.constant(tensor.fill)));
    c::Stmt fresh = close();
    add(c::stmt(c::If{c::expr(c::Unary{"!", set}), fresh, {}}, origin));
  } else {
    const std::string entries = part(tensor, i.level, "entries");
    const std::string at = bind(i.name);
    add(c::stmt(c::Declaration{"const int64_t", at, {}, c::call(prelude_.use_insert(), {address(entries), parent, coordinate})}, origin));
    add(c::stmt(c::If{c::binary("<", c::token(at), c::number(0)), give_up(), {}}));
    if (leaf && !valueless) {
      const std::string room = part_of_values(tensor);
      open();
      const std::string larger = bind(tensor.name + "_larger");
      const std::string type(format::c_name(tensor.type));
      c::Expr size = c::call("sizeof", {c::token(type)});
      add(c::stmt(c::Declaration{type + " *", larger, {}, c::call(prelude_.use_grow(), {values, times(c::token(entries + ".room"), size)})}));
      add(c::stmt(c::If{c::expr(c::Unary{"!", c::token(larger)}), give_up(), {}}));
      add(assign_to(values, "=", c::token(larger)));
      open();
      const std::string p = bind("p");
      add(assign_to(index(values, c::token(p)), "=", expressions_.constant(tensor.fill)));
      c::Stmt body = close();
      add(c::stmt(c::For{p, c::token(room), c::binary("<", c::token(p), c::token(entries + ".room")), p + "++", body}));
      add(assign_to(c::token(room), "=", c::token(entries + ".room")));
      c::Stmt grow = close();
      add(c::stmt(c::If{c::binary(">=", c::token(at), c::token(room)), grow, {}}));
    }
  }
  stmt(i.body, true);
  if (!last) add(close());
}

void Statements::order_workspace(const Tensor& tensor, const text::Origin& origin) {
  c::Expr fibers = c::number(1);
  for (int l = 0; l < static_cast<int>(tensor.levels.size()); ++l) {
    if (tensor.levels[static_cast<std::size_t>(l)].facts.dense()) {
      fibers = times(fibers, expressions_.expr(tensor.levels[static_cast<std::size_t>(l)].size));
      continue;
    }
    const std::string entries = part(tensor, l, "entries");
    c::Expr done = c::call(prelude_.use_order(), {address(entries), fibers});
    add(c::stmt(c::If{c::expr(c::Unary{"!", done}), give_up(), {}}, origin));
    fibers = c::token(entries + ".count");
  }
}

}  // namespace trellis::emit
