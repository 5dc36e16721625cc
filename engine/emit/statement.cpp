#include "engine/emit/statement.hpp"

#include <algorithm>

namespace trellis::emit {

namespace {

using flow::Loop;
using flow::Tensor;
using format::BinaryOp;
using format::ReduceOp;
using format::ScalarType;

constexpr std::int64_t largest_on_stack = 256;  ///< elements
constexpr std::int64_t asks_every = 1024;       ///< iterations: an innermost loop that may be over

text::Origin origin_of(const flow::Stmt& stmt) {
  return stmt.id() < 0 ? text::Origin{} : text::Origin{{text::Stage::cfir, stmt.id()}};
}

/// Cheap and constant while the loop runs, so that it can stand in the loop's head.
bool plain_bound(const flow::Expr& e) {
  if (e.as<flow::Constant>() || e.as<flow::Name>()) return true;
  const auto* b = e.as<flow::Binary>();
  const bool cheap = b && (b->op == BinaryOp::add || b->op == BinaryOp::subtract || b->op == BinaryOp::multiply);
  return cheap && plain_bound(b->left) && plain_bound(b->right);
}

/// May it run in vectors?
bool is_plain(const Loop& l) {
  bool plain = l.unroll == 1;
  for_each_stmt(l.body, [&](const flow::Stmt& s) {
    plain &= !s.as<Loop>() && !s.as<flow::Coiterate>() && !s.as<flow::Locate>() && !s.as<flow::Insert>();
  });
  return plain;
}

bool has_logical(const flow::Expr& e) {
  const auto* b = e.as<flow::Binary>();
  bool found = b && format::is_logical(b->op);
  flow::map_children(e, [&](const flow::Expr& child) {
    found |= has_logical(child);
    return child;
  });
  return found;
}

std::optional<std::int64_t> known_count(const Tensor& tensor) {
  std::int64_t count = 1;
  for (const flow::Level& level : tensor.levels) {
    const auto* size = level.size.as<flow::Constant>();
    if (!size || size->value.integer > largest_on_stack) return std::nullopt;
    count *= size->value.integer;
    if (count > largest_on_stack) return std::nullopt;
  }
  return count;
}

std::string compound(ReduceOp op, ScalarType type) {
  if (format::is_boolean(type)) return op == ReduceOp::prod || op == ReduceOp::all ? "&=" : "|=";
  return op == ReduceOp::sum ? "+=" : "*=";
}

}  // namespace

c::Stmt Statements::body() {
  find_row_loops();
  open();
  from_ = origin_of(flow_.root);
  for (const auto& [name, id] : row_loops_) {
    c::Expr positions = expressions_.array(*flow_.tensor(name), 1, format::Array::positions);
    add(c::stmt(c::Assignment{c::expr(c::Index{positions, c::number(0)}), "=", c::number(0)}, {{text::Stage::cfir, id}}));
  }
  stmt(flow_.root, true);
  Scope scope = std::move(scopes_.back());
  scopes_.pop_back();
  std::vector<c::Stmt> all;
  if (refused_) all.push_back(c::stmt(c::Declaration{"int", "refused", {}, c::number(0)}));
  allocate(top_, all);
  all.insert(all.end(), scope.statements.begin(), scope.statements.end());
  all.insert(all.end(), top_.releases.begin(), top_.releases.end());
  for (const Room::Array& array : top_.arrays) all.push_back(release(array));
  if (allocates()) all.push_back(c::stmt(c::Return{refused_ ? c::token("refused") : c::number(0)}));
  return with_origin(c::stmt(c::Block{std::move(all)}));
}

c::Stmt Statements::release(const Room::Array& array) {
  return c::stmt(c::Evaluate{c::call("free", {c::token(array.name)})}, array.origin);
}

void Statements::allocate(const Room& room, std::vector<c::Stmt>& into) {
  c::Expr missing;
  text::Origin all;
  std::vector<c::Stmt> give_up;
  for (const Room::Array& array : room.arrays) {
    into.push_back(c::stmt(c::Declaration{array.type + " *restrict", array.name, {}, array.memory}, array.origin));
    all = text::merge(all, array.origin);
    c::Expr absent = c::expr(c::Unary{"!", c::token(array.name)});
    missing = missing ? c::binary("||", missing, absent) : absent;
    give_up.push_back(release(array));
  }
  if (missing) {
    if (room.arrays.size() == 1) give_up.clear();
    give_up.push_back(c::stmt(c::Return{c::number(1)}));
    into.push_back(c::stmt(c::If{missing, c::stmt(c::Block{give_up}), {}}, all));
  }
  into.insert(into.end(), room.declarations.begin(), room.declarations.end());
}

void Statements::hoist(const std::string& type, const std::string& name, c::Expr memory) {
  const bool there = std::any_of(room_->arrays.begin(), room_->arrays.end(), [&](const Room::Array& a) { return a.name == name; });
  if (!there) room_->arrays.push_back({type, name, std::move(memory), from_});
}

c::Expr Statements::allocation(const Tensor& tensor) {
  c::Expr count;
  for (const flow::Level& level : tensor.levels) {
    c::Expr size = expressions_.expr(level.size);
    count = count ? c::call(prelude_.use(Helper::times), {count, size}) : size;
  }
  c::Expr bytes = c::call("sizeof", {c::token(std::string(format::c_name(tensor.type)))});
  return c::call(prelude_.use(Helper::allocate), {count, bytes});
}

c::Stmt Statements::close() {
  Scope scope = std::move(scopes_.back());
  scopes_.pop_back();
  for (const std::string& variable : scope.variables) names_.release(variable);
  return c::stmt(c::Block{std::move(scope.statements)});
}

std::string Statements::bind(const std::string& name) {
  scopes_.back().variables.push_back(name);
  return names_.bind(name);
}

c::Stmt Statements::block(const flow::Stmt& inner) {
  open();
  stmt(inner, true);
  return close();
}

void Statements::stmt(const flow::Stmt& s, bool last) {
  const text::Origin origin = origin_of(s), around = std::exchange(from_, origin);
  s.match(
      [&](const flow::Seq& inner) {
        const bool scoped = std::any_of(inner.statements.begin(), inner.statements.end(),
                                        [](const auto& child) { return child.template as<flow::Declare>(); });
        if (last || !scoped) return seq(inner);
        open();
        seq(inner);
        add(close());
      },
      [&](const Loop& l) { loop(s, l, origin); },
      [&](const flow::Coiterate& l) { coiterate(l, origin, last); },
      [&](const flow::Test& t) { test(t, origin, last); },
      [&](const flow::Locate& l) { locate(l, origin, last); },
      [&](const flow::Insert& i) { insert(i, origin, last); },
      [&](const flow::While& w) {
        c::Expr condition = expressions_.expr(w.condition);
        add(c::stmt(c::While{condition, block(w.body)}, origin));
      },
      [&](const flow::If& i) {
        c::Expr condition = expressions_.expr(i.condition);
        c::Stmt then = block(i.then);
        std::optional<c::Stmt> otherwise;
        if (i.otherwise) otherwise = block(*i.otherwise);
        add(c::stmt(c::If{condition, then, otherwise}, origin));
      },
      [&](const flow::Let& l) { let(l, origin, last); },
      [&](const flow::Declare& d) { declare(*flow_.tensor(d.tensor), nullptr, origin); },
      [&](const flow::Reset& r) { reset(r, origin); },
      [&](const flow::Freeze& f) { freeze(f, origin); },
      [&](const flow::Assign& a) { assign(a, origin, last); },
      [&](const flow::Append& a) { append(a, origin, last); },
      [](const flow::Note&) {});  // readiness is for those who read loops; C says it by its order
  from_ = around;
}

// A scalar is declared where it gets its first value, when nothing before that mentions it.
void Statements::seq(const flow::Seq& all) {
  const auto& statements = all.statements;
  std::vector<const flow::Declare*> waiting;
  for (std::size_t k = 0; k < statements.size(); ++k) {
    const flow::Stmt& s = statements[k];
    const auto* declared = s.as<flow::Declare>();
    if (declared && flow_.tensor(declared->tensor)->levels.empty()) {
      waiting.push_back(declared);
      continue;
    }
    const auto* first = s.as<flow::Assign>();
    bool starts = false;
    std::erase_if(waiting, [&](const flow::Declare* d) {
      if (!flow::mentions(s, d->tensor)) return false;
      const bool here = first && !first->op && first->tensor == d->tensor;
      declare(*flow_.tensor(d->tensor), here ? first : nullptr, origin_of(s));
      starts |= here;
      return true;
    });
    if (!starts) stmt(s, k + 1 == statements.size());
  }
}

void Statements::let(const flow::Let& l, const text::Origin& origin, bool last) {
  if (!last) open();
  const auto* position = l.value.as<flow::Here>();
  c::Expr value = position ? position_here(*position) : expressions_.expr(l.value);
  const std::string name = bind(l.name);
  const std::string type = "const " + std::string(format::c_name(l.value->type));
  add(c::stmt(c::Declaration{type, name, {}, without_cast(value, l.value->type)}, origin));
  if (position && position->several) {
    c::Expr end = c::token(names_.variable(position->cursor + "_end"));
    add(c::stmt(c::Declaration{type, bind(l.name + "_end"), {}, end}));
  }
  stmt(l.body, true);
  if (!last) add(close());
}

void Statements::declare(const Tensor& tensor, const flow::Assign* first, const text::Origin& origin) {
  if (tensor.sparse()) return parallel_depth_ == 0 ? declare_workspace(tensor, origin) : void();
  const std::string type(format::c_name(tensor.type));
  const std::string name = names_.fixed(tensor.name);
  if (tensor.levels.empty()) {
    c::Expr value = first ? expressions_.expr(first->value)
                          : expressions_.expr(flow::constant(format::Value::of_integer(tensor.type, 0)));
    add(c::stmt(c::Declaration{type, name, {}, without_cast(value, tensor.type)}, origin));
  } else if (std::optional<std::int64_t> count = known_count(tensor)) {
    add(c::stmt(c::Declaration{type, name, c::number(std::max<std::int64_t>(*count, 1)), {}}, origin));
  } else if (parallel_depth_ == 0) {  // else its thread has it
    hoist(type, name, allocation(tensor));
  }
}

c::Expr Statements::bound(const flow::Expr& e, const std::string& name) {
  c::Expr value = expressions_.expr(e);
  if (plain_bound(e)) return value;
  const std::string local = bind(name);
  add(c::stmt(c::Declaration{"const int64_t", local, {}, value}));
  return c::token(local);
}

// What iterations update together, an array that they share and a loop on all threads keep a loop from being one: the C
// compiler may still find vectors in it by itself.
bool Statements::runs_in_vectors(const Loop& l) const {
  bool fits = l.reduces.empty();
  for_each_stmt(l.body, [&](const flow::Stmt& s) {
    if (const auto* d = s.as<flow::Declare>()) fits &= flow_.tensor(d->tensor)->levels.empty();
    if (const auto* a = s.as<flow::Assign>()) fits &= shared_.count(a->tensor) == 0;
    if (const auto* inner = s.as<Loop>()) fits &= inner->execution != Loop::Execution::parallel;
  });
  return fits;
}

c::Expr Statements::going_on(c::Expr condition, const std::optional<flow::Expr>& unless) {
  if (!unless) return condition;
  const auto* is_false = unless->as<flow::Unary>();
  const auto* is_end = unless->as<flow::Binary>();
  c::Expr open;
  if (is_false && is_false->op == format::UnaryOp::logical_not) open = expressions_.expr(is_false->operand);
  else if (is_end && is_end->op == BinaryOp::equal) open = c::binary("!=", expressions_.expr(is_end->left), expressions_.expr(is_end->right));
  else open = c::expr(c::Unary{"!", expressions_.expr(*unless)});
  return c::binary("&&", condition, open);
}

void Statements::loop(const flow::Stmt& whole, const Loop& l, const text::Origin& origin) {
  const bool down = l.direction == Loop::Direction::down;
  const bool parallel = l.execution == Loop::Execution::parallel;
  c::Expr low = bound(l.low, l.variable + "_low");
  c::Expr high = bound(l.high, l.variable + "_end");
  if (l.counting) return count_then_fill(l, low, high, origin);
  const auto iterations = [&](c::Expr from, c::Expr to, const std::optional<flow::Expr>& unless) {
    open();
    const std::string i = bind(l.variable);
    parallel_depth_ += parallel;
    skip_without_memory();
    begin_rows(whole);
    const bool rows = std::any_of(row_loops_.begin(), row_loops_.end(), [&](const auto& r) { return r.second == whole.id(); });
    stmt(l.body, !rows);
    end_rows(whole);
    if (l.until) {
      c::Expr reached = expressions_.expr(*l.until);
      add(c::stmt(c::If{reached, c::stmt(c::Block{{c::stmt(c::Break{})}}), std::nullopt}, origin));
    }
    parallel_depth_ -= parallel;
    if (parallel_depth_ == 0) land();
    c::Stmt body = close();
    c::Expr first = down ? arithmetic(ScalarType::i64, "-", to, c::number(1)) : from;
    c::Expr condition = going_on(down ? c::binary(">=", c::token(i), from) : c::binary("<", c::token(i), to), unless);
    add(c::stmt(c::For{i, first, condition, i + (down ? "--" : "++"), body}, origin));
  };
  if (parallel && parallel_depth_ == 0) return on_threads(l.variable, l.body, clauses(l.reduces, l.body), [&] { iterations(low, high, {}); });
  if (l.unless && is_plain(l)) return in_blocks(l, low, high, origin, [&](c::Expr from, c::Expr to) { iterations(from, to, {}); });
  if (l.execution == Loop::Execution::vector && runs_in_vectors(l)) {
    add(c::stmt(c::Pragma{"omp simd"}));
  } else if (l.unroll > 1) {
    add(c::stmt(c::Pragma{"GCC unroll " + std::to_string(l.unroll)}));
  }
  iterations(low, high, l.unless);
}

// A loop that asks only now and then whether it is over can run in vectors between.
void Statements::in_blocks(const Loop& l, c::Expr low, c::Expr high, const text::Origin& origin, const std::function<void(c::Expr, c::Expr)>& iterations) {
  const bool down = l.direction == Loop::Direction::down;
  open();
  const std::string chunk = bind(l.variable + "_block"), stop = bind(l.variable + "_stop");
  c::Expr at = c::token(chunk), size = c::number(asks_every);
  c::Expr left = down ? arithmetic(ScalarType::i64, "-", at, low) : arithmetic(ScalarType::i64, "-", high, at);
  c::Expr next = c::binary(down ? "-" : "+", at, size);
  add(c::stmt(c::Declaration{"const int64_t", stop, {}, c::expr(c::Conditional{c::binary(">", left, size), next, down ? low : high})}));
  if (down) iterations(c::token(stop), at);
  else iterations(at, c::token(stop));
  c::Stmt body = close();
  c::Expr condition = going_on(down ? c::binary(">", at, low) : c::binary("<", at, high), l.unless);
  add(c::stmt(c::For{chunk, down ? high : low, condition, chunk + (down ? " -= " : " += ") + std::to_string(asks_every), body}, origin));
}

void Statements::reset(const flow::Reset& r, const text::Origin& origin) {
  const Tensor& tensor = *flow_.tensor(r.tensor);
  if (tensor.sparse()) return tensor.storage == Tensor::Storage::temporary ? reset_workspace(tensor, origin) : reset_result(tensor, origin);
  if (tensor.levels.empty()) return assign({r.tensor, flow::root(), {}, r.value}, origin, true);
  const bool plain = r.value.as<flow::Constant>() || r.value.as<flow::Name>();
  open();
  c::Expr value = without_cast(expressions_.expr(r.value), tensor.type);
  if (!plain) {
    const std::string local = bind("value");
    add(c::stmt(c::Declaration{"const " + std::string(format::c_name(tensor.type)), local, {}, value}, origin));
    value = c::token(local);
  }
  c::Expr count = expressions_.count(tensor);
  c::Expr some = expressions_.element(r.tensor, flow::root());
  open();
  const std::string p = bind("p");
  add(c::stmt(c::Assignment{c::expr(c::Index{some.as<c::Index>()->array, c::token(p)}), "=", value}, origin));
  c::Stmt body = close();
  add(c::stmt(c::For{p, c::number(0), c::binary("<", c::token(p), count), p + "++", body}, origin));
  c::Stmt all = close();
  add(plain ? all.as<c::Block>()->statements.front() : all);
}

void Statements::assign(const flow::Assign& a, const text::Origin& origin, bool last) {
  if (shared_.count(a.tensor) == 0) return update(a, origin);
  const bool atomic = a.op && *a.op != ReduceOp::min && *a.op != ReduceOp::max &&
                      (format::is_boolean(a.value->type) || *a.op == ReduceOp::sum || *a.op == ReduceOp::prod);
  if (!atomic || !has_logical(a.value)) {
    add(c::stmt(c::Pragma{atomic ? "omp atomic" : "omp critical (update)"}));
    return update(a, origin);
  }
  // GCC 12 evaluates both sides of `a && b` in an atomic update, even where a says that b has no value.
  if (!last) open();
  flow::Assign named = a;
  const std::string name = a.tensor + "_update";
  c::Expr value = expressions_.expr(a.value);
  add(c::stmt(c::Declaration{"const " + std::string(format::c_name(a.value->type)), bind(name), {}, without_cast(value, a.value->type)}, origin));
  named.value = flow::Expr(flow::ExprNode{flow::Name{flow::Name::Kind::variable, name}, a.value->type, a.value->span});
  add(c::stmt(c::Pragma{"omp atomic"}));
  update(named, origin);
  if (!last) add(close());
}

void Statements::update(const flow::Assign& a, const text::Origin& origin) {
  const ScalarType type = a.value->type;
  c::Expr target = expressions_.element(a.tensor, a.position);
  auto emit = [&](const std::string& op, c::Expr value) {
    add(c::stmt(c::Assignment{target, op, std::move(value)}, origin));
  };
  if (a.op) {
    const bool negated = *a.op == ReduceOp::sum && !format::is_boolean(type) && a.value.as<flow::Unary>() &&
                         a.value.as<flow::Unary>()->op == format::UnaryOp::negate;
    if (negated) return emit("-=", expressions_.expr(a.value.as<flow::Unary>()->operand));
    c::Expr value = expressions_.expr(a.value);
    if (*a.op == ReduceOp::min || *a.op == ReduceOp::max) {
      const Helper helper = *a.op == ReduceOp::min ? Helper::min : Helper::max;
      return emit("=", c::call(prelude_.use(helper, type), {target, value}));
    }
    const bool logical = *a.op == ReduceOp::any || *a.op == ReduceOp::all;
    if (logical && !format::is_boolean(type)) {
      return emit("=", c::binary(*a.op == ReduceOp::any ? "||" : "&&", target, value));
    }
    return emit(compound(*a.op, type), value);
  }
  const auto* b = a.value.as<flow::Binary>();
  const auto* left = b ? b->left.as<flow::Value>() : nullptr;
  const bool compoundable = b && !format::is_boolean(type) &&
                            (b->op == BinaryOp::add || b->op == BinaryOp::subtract || b->op == BinaryOp::multiply ||
                             (b->op == BinaryOp::divide && format::is_floating(type)));
  if (compoundable && left && *left == flow::Value{a.tensor, a.position}) {
    return emit(std::string(format::symbol(b->op)) + "=", expressions_.expr(b->right));
  }
  emit("=", without_cast(expressions_.expr(a.value), type));
}

}  // namespace trellis::emit
