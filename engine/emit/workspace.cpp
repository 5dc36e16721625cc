#include "engine/emit/workspace.hpp"

#include <cmath>

#include "engine/emit/assign.hpp"
#include "engine/emit/shorthand.hpp"
#include "engine/flow/marks.hpp"

namespace trellis::emit {

namespace {

using flow::Tensor;
using format::Locate;

/// The bytemap level, the last one; -1 when the levels are hashed.
int bytemap_level(const Tensor& tensor) {
  const auto last = levels_of(tensor) - 1;
  const format::Facts& facts = facts_of(tensor, last);
  return facts.locate == Locate::direct && !facts.dense() ? last : -1;
}

/// Do values hold the fill wherever nothing is stored? Where memory comes so, an insertion has no need of a branch,
/// which whoever repeats coordinates in no order would mispredict.
bool rests_at_fill(const Tensor& tensor) { return !tensor.fill.is_true() && !std::signbit(tensor.fill.real); }

/// Of one fiber, without an ordered set beside it.
bool inserts_at_once(const Tensor& tensor, int map, bool with_values) {
  return map == 0 && !tensor.live && (!with_values || rests_at_fill(tensor));
}

}  // namespace

std::string workspace_part(Context& out, const Tensor& tensor, int level, const std::string& suffix) {
  const bool hashed = facts_of(tensor, level).locate == Locate::hash;
  const bool single = tensor.levels.size() == 1 || !hashed || level == 0 || facts_of(tensor, level - 1).dense();
  const bool member = hashed && suffix != "entries";
  const std::string number = single && level + 1 == levels_of(tensor) ? "" : std::to_string(level + 1);
  const std::string wanted = tensor.name + "." + number + "'" + (member ? "entries" : suffix);
  const std::string name = out.names.fix(wanted);
  return member ? name + "." + suffix : name;
}

void Workspaces::declare_private(const Tensor& tensor, bool with_values) {
  if (!with_values) valueless_.insert(tensor.name);
  declared_.erase(tensor.name);
  declare(tensor);
}

void Workspaces::declare(const Tensor& tensor) {
  if (!declared_.insert(tensor.name).second) return;
  if (const int map = bytemap_level(tensor); map >= 0) return declare_bytemap(tensor, map);
  const std::string type(format::c_name(tensor.type));
  const std::string values = out_.names.fixed(tensor.name);
  if (memory_.at_top()) memory_.may_return();
  if (!tensor.listed) out_.prelude.use_insert();
  for (int l = 0; l < levels_of(tensor); ++l) {
    if (facts_of(tensor, l).dense()) continue;
    const std::string name = workspace_part(out_, tensor, l, "entries");
    memory_.declare(c::stmt(c::Declaration{out_.prelude.use_entries(), name, {}, c::token("{0}")}));
    memory_.release(c::stmt(c::Evaluate{c::call(out_.prelude.use_release(), {address(name)})}));
  }
  if (!has_values(tensor)) return;
  memory_.declare(c::stmt(c::Declaration{type + " *", values, {}, c::number(0)}));
  memory_.declare(variable(room_of_values(tensor), c::number(0)));
  memory_.release(c::stmt(c::Evaluate{c::call("free", {c::token(values)})}));
  if (!tensor.listed) return;
  memory_.declare(c::stmt(c::Declaration{type + " *", values_in_order(tensor), {}, c::number(0)}));
  memory_.release(c::stmt(c::Evaluate{c::call("free", {c::token(values_in_order(tensor))})}));
}

void Workspaces::declare_bytemap(const Tensor& tensor, int level) {
  const auto part = [&](const char* suffix) { return workspace_part(out_, tensor, level, suffix); };
  const std::string crd = facts_of(tensor, level).wide ? "int64_t" : "int32_t";
  const c::Expr count = allocation(out_, tensor).as<c::Call>()->arguments[0];
  if (has_values(tensor)) {
    const std::string type(format::c_name(tensor.type));
    const c::Expr size = c::call("sizeof", {c::token(type)});
    const c::Expr values =
        rests_at_fill(tensor) ? c::call(out_.prelude.use_zeroed(), {count, size}) : allocation(out_, tensor);
    memory_.hoist(type, out_.names.fixed(tensor.name), values);
  }
  memory_.hoist("uint8_t", part("set"), c::call(out_.prelude.use_zeroed(), {count, c::number(1)}));
  if (tensor.live) {
    const c::Expr words = c::call(out_.prelude.use_set_words(), {out_.expressions.size(tensor, level)});
    memory_.hoist("uint64_t", part("bits"), c::call(out_.prelude.use_zeroed(), {words, c::number(8)}));
  }
  const c::Expr bytes = c::call("sizeof", {c::token(crd)});
  const bool at_once = inserts_at_once(tensor, level, has_values(tensor));
  const c::Expr room = at_once ? plus(count, c::number(1)) : count;  // one more, where nothing new is written
  memory_.hoist(crd, part("list"), c::call(out_.prelude.use(Helper::allocate), {room, bytes}));
  if (level == 0) return memory_.declare(variable(part("count"), c::number(0)));
  const c::Expr fibers = out_.expressions.count(tensor, level);
  memory_.hoist("int64_t", part("count"), c::call(out_.prelude.use_zeroed(), {fibers, c::number(8)}));
}

std::string Workspaces::values_in_order(const Tensor& tensor) { return out_.names.fix(tensor.name + "'in_order"); }

std::string Workspaces::room_of_values(const Tensor& tensor) { return out_.names.fix(tensor.name + "'room"); }

void Workspaces::reset(const Tensor& tensor, const text::Origin& origin) {
  const int map = bytemap_level(tensor);
  if (map < 0) return reset_hashed(tensor, origin);
  const c::Expr set = c::token(workspace_part(out_, tensor, map, "set"));
  const c::Expr list = c::token(workspace_part(out_, tensor, map, "list"));
  c::Expr count = c::token(workspace_part(out_, tensor, map, "count"));
  out_.open();
  std::string fiber;
  c::Expr base = c::number(0);
  if (map > 0) {
    fiber = out_.bind("'q");
    count = index(count, c::token(fiber));
    base = times(c::token(fiber), out_.expressions.size(tensor, map));
  }
  out_.open();
  const std::string p = out_.bind("'p");
  const c::Expr listed = index(list, is_zero(base) ? c::token(p) : sum(base, c::token(p)));
  const c::Expr at = is_zero(base) ? listed : sum(base, listed);
  out_.add(assign_to(index(set, at), "=", c::number(0)));
  if (has_values(tensor) && rests_at_fill(tensor)) out_.add(at_fill(tensor, at));
  if (tensor.live) ask_set(out_.prelude.use_set_leave(), tensor, listed);
  const c::Stmt body = out_.close();
  out_.add(c::stmt(c::For{p, c::number(0), c::binary("<", c::token(p), count), p + "++", body}, origin));
  out_.add(assign_to(count, "=", c::number(0)));
  const c::Stmt all = out_.close();
  if (map == 0) {
    for (const c::Stmt& s : all.as<c::Block>()->statements) out_.add(s);
    return;
  }
  const c::Expr more = c::binary("<", c::token(fiber), out_.expressions.count(tensor, map));
  out_.add(c::stmt(c::For{fiber, c::number(0), more, fiber + "++", all}, origin));
}

void Workspaces::ask_set(const std::string& helper, const Tensor& tensor, const c::Expr& coordinate) {
  const c::Expr bits = c::token(workspace_part(out_, tensor, 0, "bits"));
  out_.add(c::stmt(c::Evaluate{c::call(helper, {bits, out_.expressions.size(tensor, 0), coordinate})}));
}

// Places that nothing uses hold the fill.
void Workspaces::reset_hashed(const Tensor& tensor, const text::Origin& origin) {
  const auto levels = levels_of(tensor);
  if (tensor.listed)
    return out_.add(
        assign_to(c::token(workspace_part(out_, tensor, levels - 1, "entries") + ".count"), "=", c::number(0)));
  if (has_values(tensor)) {
    const std::string used = workspace_part(out_, tensor, levels - 1, "entries") + ".count";
    out_.open();
    const std::string p = out_.bind("'p");
    out_.add(at_fill(tensor, c::token(p)));
    const c::Stmt body = out_.close();
    out_.add(c::stmt(c::For{p, c::number(0), c::binary("<", c::token(p), c::token(used)), p + "++", body}));
  }
  for (int l = 0; l < levels; ++l) {
    if (facts_of(tensor, l).dense()) continue;
    const c::Expr entries = address(workspace_part(out_, tensor, l, "entries"));
    out_.add(c::stmt(c::Evaluate{c::call(out_.prelude.use_empty(), {entries})}, origin));
  }
}

void Workspaces::insert(const flow::Insert& i, const text::Origin& origin) {
  const Tensor& tensor = *out_.flow.tensor(i.tensor);
  c::Expr coordinate = out_.expressions.expr(i.coordinate);
  if (i.check) coordinate = out_.expressions.checked(coordinate, *i.check, tensor, i.level);
  const c::Expr parent = out_.expressions.offset(i.parent);
  if (bytemap_level(tensor) == i.level) insert_flag(i, tensor, coordinate, parent, origin);
  else insert_hashed(i, tensor, coordinate, parent, origin);
}

c::Stmt Workspaces::at_fill(const Tensor& tensor, const c::Expr& at) {
  const c::Expr element = index(c::token(out_.names.fixed(tensor.name)), at);
  return assign_to(element, "=", out_.expressions.constant(tensor.fill));
}

// if (!w_set[pw]) { w_set[pw] = 1; w_list[w_count++] = j; w[pw] = 1; }
// At once: w_list[w_count] = j; w_count += !w_set[pw]; w_set[pw] = 1;
void Workspaces::insert_flag(const flow::Insert& i, const Tensor& tensor, const c::Expr& coordinate,
                             const c::Expr& parent, const text::Origin& origin) {
  c::Expr base = parent;
  if (!is_zero(parent)) base = times(parent, out_.expressions.size(tensor, i.level));
  const auto after = [&](const c::Expr& e) { return is_zero(base) ? e : sum(base, e); };
  const std::string at = out_.bind(i.name);
  out_.add(constant(at, after(coordinate)));
  const c::Expr set = index(c::token(workspace_part(out_, tensor, i.level, "set")), c::token(at));
  c::Expr count = c::token(workspace_part(out_, tensor, i.level, "count"));
  if (i.level > 0) count = index(count, parent);
  const c::Expr list = c::token(workspace_part(out_, tensor, i.level, "list"));
  const c::Expr is_new = c::expr(c::Unary{"!", set});
  const c::Stmt listed = assign_to(index(list, after(count)), "=", coordinate);
  const c::Stmt marked = assign_to(set, "=", c::number(1));
  if (inserts_at_once(tensor, i.level, has_values(tensor))) {
    out_.add(listed);
    out_.add(c::stmt(c::Assignment{count, "+=", is_new}, origin));
    return out_.add(marked);
  }
  out_.open();
  out_.add(marked);
  out_.add(listed);
  out_.add(assign_to(count, "+=", c::number(1)));
  if (tensor.live) ask_set(out_.prelude.use_set_enter(), tensor, coordinate);
  if (has_values(tensor) && !rests_at_fill(tensor)) out_.add(at_fill(tensor, c::token(at)));
  const c::Stmt fresh = out_.close();
  out_.add(c::stmt(c::If{is_new, fresh, {}}, origin));
}

// const int64_t pw = insert(&w_entries, 0, j); if (pw < 0) …; if (pw >= w_room) …
void Workspaces::insert_hashed(const flow::Insert& i, const Tensor& tensor, const c::Expr& coordinate,
                               const c::Expr& parent, const text::Origin& origin) {
  const std::string entries = workspace_part(out_, tensor, i.level, "entries");
  const std::string at = out_.bind(i.name);
  const std::string insert = tensor.listed ? out_.prelude.use_list_entry() : out_.prelude.use_insert();
  const c::Expr entry = c::call(insert, {address(entries), parent, coordinate});
  out_.add(c::stmt(c::Declaration{"const int64_t", at, {}, entry}, origin));
  out_.add(c::stmt(c::If{c::binary("<", c::token(at), c::number(0)), memory_.give_up(), {}}));
  const bool leaf = i.level + 1 == levels_of(tensor);
  if (!leaf || !has_values(tensor)) return;
  grow_values(tensor, entries, at);
  if (tensor.listed) out_.add(at_fill(tensor, c::token(at)));
}

// As many values as there is room for entries, new ones at the fill; those of a listed one come there when they are
// new.
void Workspaces::grow_values(const Tensor& tensor, const std::string& entries, const std::string& at) {
  const c::Expr values = c::token(out_.names.fixed(tensor.name)), wanted = c::token(entries + ".room");
  const std::string room = room_of_values(tensor);
  out_.open();
  const std::string larger = out_.bind(tensor.name + "'larger");
  const std::string type(format::c_name(tensor.type));
  const c::Expr size = c::call("sizeof", {c::token(type)});
  const c::Expr grown = c::call(out_.prelude.use_grow(), {values, times(wanted, size)});
  out_.add(c::stmt(c::Declaration{type + " *", larger, {}, grown}));
  out_.add(c::stmt(c::If{c::expr(c::Unary{"!", c::token(larger)}), memory_.give_up(), {}}));
  out_.add(assign_to(values, "=", c::token(larger)));
  if (tensor.listed) {
    const c::Expr ordered = c::token(values_in_order(tensor));
    out_.add(c::stmt(c::Evaluate{c::call("free", {ordered})}));
    out_.add(assign_to(ordered, "=", c::call("malloc", {times(wanted, size)})));
    out_.add(c::stmt(c::If{c::expr(c::Unary{"!", ordered}), memory_.give_up(), {}}));
  } else {
    out_.open();
    const std::string p = out_.bind("'p");
    out_.add(at_fill(tensor, c::token(p)));
    const c::Stmt body = out_.close();
    out_.add(c::stmt(c::For{p, c::token(room), c::binary("<", c::token(p), wanted), p + "++", body}));
  }
  out_.add(assign_to(c::token(room), "=", wanted));
  const c::Stmt grow = out_.close();
  out_.add(c::stmt(c::If{c::binary(">=", c::token(at), c::token(room)), grow, {}}));
}

void Workspaces::order(const Tensor& tensor, const text::Origin& origin) {
  if (tensor.listed) return add_up(tensor, origin);
  c::Expr fibers = c::number(1);
  for (int l = 0; l < levels_of(tensor); ++l) {
    if (facts_of(tensor, l).dense()) {
      fibers = times(fibers, out_.expressions.size(tensor, l));
      continue;
    }
    const std::string entries = workspace_part(out_, tensor, l, "entries");
    const c::Expr done = c::call(out_.prelude.use_order(), {address(entries), fibers});
    out_.add(c::stmt(c::If{c::expr(c::Unary{"!", done}), memory_.give_up(), {}}, origin));
    fibers = c::token(entries + ".count");
  }
}

// const int64_t w_listed = sort_entries(&w_entries, 1); if (w_listed < 0) …
// for (p = 0, to = -1; p < w_listed; p++) { q = order[p]; q >= 0: w_in_order[++to] = w[q], else += w[-1 - q] }
void Workspaces::add_up(const Tensor& tensor, const text::Origin& origin) {
  const int last = levels_of(tensor) - 1;
  c::Expr fibers = c::number(1);
  for (int l = 0; l < last; ++l) fibers = times(fibers, out_.expressions.size(tensor, l));
  const std::string entries = workspace_part(out_, tensor, last, "entries");
  out_.open();
  const std::string listed = out_.bind(tensor.name + "'listed"), q = out_.bind("'q"), to = out_.bind("'to");
  const c::Expr sorted = c::call(out_.prelude.use_sort_entries(), {address(entries), fibers});
  out_.add(c::stmt(c::Declaration{"const int64_t", listed, {}, sorted}, origin));
  out_.add(c::stmt(c::If{c::binary("<", c::token(listed), c::number(0)), memory_.give_up(), {}}, origin));
  if (has_values(tensor)) {
    const std::string values = out_.names.fixed(tensor.name), in_order = values_in_order(tensor);
    const auto value = [&](const c::Expr& at) { return index(c::token(values), at); };
    const c::Expr made = index(c::token(in_order), c::token(to));
    out_.add(c::stmt(c::Declaration{"int64_t", to, {}, c::number(-1)}));
    out_.open();
    const std::string p = out_.bind("'p");
    out_.add(constant(q, index(c::token(entries + ".order"), c::token(p))));
    out_.open();
    out_.add(assign_to(c::token(to), "+=", c::number(1)));
    out_.add(assign_to(made, "=", value(c::token(q))));
    const c::Stmt fresh = out_.close();
    out_.open();
    const c::Expr again = value(minus(c::number(-1), c::token(q)));
    const auto op = flow::adds_up(out_.flow, tensor)->op;
    out_.add(assign_to(made, "=", op ? reduced(out_, *op, tensor.type, made, again) : again));
    const c::Stmt repeated = out_.close();
    out_.add(c::stmt(c::If{c::binary(">=", c::token(q), c::number(0)), fresh, repeated}, origin));
    const c::Stmt body = out_.close();
    out_.add(c::stmt(c::For{p, c::number(0), c::binary("<", c::token(p), c::token(listed)), p + "++", body}, origin));
    const std::string type(format::c_name(tensor.type)), other = out_.bind(tensor.name + "'other");
    out_.add(c::stmt(c::Declaration{type + " *", other, {}, c::token(values)}));
    out_.add(assign_to(c::token(values), "=", c::token(in_order)));
    out_.add(assign_to(c::token(in_order), "=", c::token(other)));
  }
  out_.add(out_.close());
}

}  // namespace trellis::emit
