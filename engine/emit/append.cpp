// Results in sparse formats: entries come in storage order, one after another, into arrays that have room for them.
//
// Each level with positions counts its entries and the fibers that it has opened; an entry of fiber p first opens all fibers
// up to p, so that it does not matter which loops ran in between. An entry of an inner level is new unless it is the
// present fiber's last one. Where one loop goes through all rows of a {dense, compressed} result, as most do, its end closes
// the row: `C_pos[i + 1] = pC`.

#include <algorithm>

#include "engine/emit/shorthand.hpp"
#include "engine/emit/statement.hpp"

namespace trellis::emit {

namespace {

using flow::Tensor;
using format::Array;
using format::ScalarType;

int last_sparse(const Tensor& tensor) {
  int last = -1;
  for (int l = 0; l < static_cast<int>(tensor.levels.size()); ++l)
    if (!facts_of(tensor, l).dense()) last = l;
  return last;
}

const format::Facts& last_facts(const Tensor& tensor) {
  return facts_of(tensor, static_cast<int>(tensor.levels.size()) - 1);
}

/// The last of the singleton levels that have an entry for each one of the level.
int reach(const Tensor& tensor, int level) {
  while (level + 1 < static_cast<int>(tensor.levels.size()) && facts_of(tensor, level + 1).child == format::Child::parent) ++level;
  return level;
}

/// The statements that run exactly once, whatever the data are.
template <class Visit>
void for_each_once(const flow::Stmt& s, const Visit& visit) {
  visit(s);
  if (const auto* seq = s.as<flow::Seq>())
    for (const flow::Stmt& inner : seq->statements) for_each_once(inner, visit);
  if (const auto* let = s.as<flow::Let>()) for_each_once(let->body, visit);
  if (const auto* locate = s.as<flow::Locate>()) for_each_once(locate->body, visit);
}

}  // namespace

std::string Statements::counter(const std::string& wanted) {
  const std::string name = names_.fix("#" + wanted, wanted);
  if (counters_.insert(name).second) top_.declarations.push_back(with_origin(c::stmt(c::Declaration{"int64_t", name, {}, c::number(0)})));
  return name;
}

std::string Statements::entries(const Tensor& tensor, int level) {
  while (facts_of(tensor, level).child == format::Child::parent && level > 0) --level;
  return counter("p" + tensor.name + (reach(tensor, level) == last_sparse(tensor) ? "" : std::to_string(level + 1)));
}

std::string Statements::opened(const Tensor& tensor, int level) {
  return counter(tensor.name + "_open" + (reach(tensor, level) == last_sparse(tensor) ? "" : std::to_string(level + 1)));
}

// The loop that goes through all rows, and in which all entries of the result are appended to the row that it is at.
void Statements::find_row_loops() {
  for (const Tensor& tensor : flow_.tensors) {
    if (tensor.storage != Tensor::Storage::result || tensor.levels.size() != 2) continue;
    if (!facts_of(tensor, 0).dense() || facts_of(tensor, 1).dense()) continue;
    std::vector<int> found;
    int appends = 0, inside = 0;
    const auto count = [&](const flow::Stmt& s, const std::string& row) {
      int total = 0;
      for_each_stmt(s, [&](const flow::Stmt& child) {
        const auto* a = child.as<flow::Append>();
        if (!a || a->tensor != tensor.name || a->counted) return;
        const auto* at = a->coordinates[0].as<flow::Name>();
        total += row.empty() || (at && at->name == row && at->kind == flow::Name::Kind::variable);
      });
      return total;
    };
    appends = count(flow_.root, "");
    for_each_once(flow_.root, [&](const flow::Stmt& s) {
      const auto* l = s.as<flow::Loop>();
      if (!l || l->direction != flow::Loop::Direction::up || l->until) return;
      if (l->execution == flow::Loop::Execution::parallel && !l->counting) return;
      const auto* low = l->low.as<flow::Constant>();
      if (!low || low->value.integer != 0 || !(l->high == tensor.levels[0].size)) return;
      if (appends == 0 || count(s, l->variable) != appends) return;
      found.push_back(s.id());
      ++inside;
    });
    if (inside == 1) row_loops_[tensor.name] = found.front();
  }
}

void Statements::begin_rows(const flow::Stmt& loop) {
  for (const auto& [name, id] : row_loops_) {
    if (id != loop.id()) continue;
    const Tensor& tensor = *flow_.tensor(name);
    if (!read_meanwhile(tensor)) continue;
    const std::string& row = loop.as<flow::Loop>()->variable;
    add(assign_to(index(expressions_.array(tensor, 1, Array::positions), sum(c::token(names_.variable(row)), c::number(1))), "=", c::token(entries(tensor, 1))));
  }
}

void Statements::end_rows(const flow::Stmt& loop) {
  for (const auto& [name, id] : row_loops_) {
    if (id != loop.id()) continue;
    const Tensor& tensor = *flow_.tensor(name);
    const std::string& row = loop.as<flow::Loop>()->variable;
    if (read_meanwhile(tensor)) continue;  // kept at every entry
    add(assign_to(index(expressions_.array(tensor, 1, Array::positions), sum(c::token(names_.variable(row)), c::number(1))), "=", c::token(entries(tensor, 1))));
  }
}

bool Statements::read_meanwhile(const Tensor& tensor) const {
  bool found = false;
  for_each_stmt(flow_.root, [&](const flow::Stmt& s) {
    if (const auto* l = s.as<flow::Locate>()) found |= l->tensor == tensor.name;
    if (const auto* c = s.as<flow::Coiterate>())
      for (const flow::Cursor& cursor : c->cursors) found |= cursor.tensor == tensor.name;
  });
  return found;
}

// while (C_open <= last) { C_pos[C_open] = pC; C_open += 1; }
void Statements::open_fibers(const Tensor& tensor, int level, c::Expr last) {
  open_fibers_while(tensor, level, c::binary("<=", c::token(opened(tensor, level)), std::move(last)));
}

void Statements::open_fibers_before(const Tensor& tensor, int level, c::Expr end) {
  open_fibers_while(tensor, level, c::binary("<", c::token(opened(tensor, level)), std::move(end)));
}

void Statements::open_fibers_while(const Tensor& tensor, int level, c::Expr condition) {
  const std::string open_count = opened(tensor, level);
  c::Expr positions = expressions_.array(tensor, level, Array::positions);
  c::Stmt here = assign_to(index(positions, c::token(open_count)), "=", c::token(entries(tensor, level)));
  c::Stmt body = c::stmt(c::Block{{here, set(open_count, "+=", c::number(1))}});
  add(c::stmt(c::While{std::move(condition), body}));
}

// How many fibers or values an entry of the level has in the dense levels right below it.
c::Expr Statements::block_below(const Tensor& tensor, int level) {
  c::Expr block = c::number(1);
  for (int l = level + 1; l < static_cast<int>(tensor.levels.size()) && facts_of(tensor, l).dense(); ++l) {
    c::Expr size = expressions_.expr(tensor.levels[static_cast<std::size_t>(l)].size);
    block = l == level + 1 ? size : times(block, size);
  }
  return block;
}

// The entry for the level's coordinate in the fiber of `parent`, singletons below it included: a new one, unless an inner
// level's last one is the same.
c::Expr Statements::append_entry(const Tensor& tensor, int level, c::Expr parent, const std::vector<std::string>& coordinates) {
  const format::Facts& facts = facts_of(tensor, level);
  const auto crd = [&](int l) { return expressions_.array(tensor, l, Array::coordinates); };
  const auto coordinate = [&](int l) { return c::token(coordinates[static_cast<std::size_t>(l)]); };
  const std::string p = entries(tensor, level);
  const bool first_apart = level == 0 && apart_.count(tensor.name) > 0;
  if (facts.positions && !row_loops_.count(tensor.name) && !first_apart) open_fibers(tensor, level, parent);
  const int end = reach(tensor, level);
  const auto levels = static_cast<int>(tensor.levels.size());
  const auto list = [&] {
    for (int l = level; l <= end; ++l) add(assign_to(index(crd(l), c::token(p)), "=", coordinate(l)));
  };
  c::Expr last = arithmetic(ScalarType::i64, "-", c::token(p), c::number(1));
  if (end + 1 < levels) {
    c::Expr start = facts.positions ? index(expressions_.array(tensor, level, Array::positions), parent) : c::number(0);
    if (first_apart) start = begin_of(tensor, level, coordinate(level));
    c::Expr differs = c::binary("==", c::token(p), start);
    for (int l = level; l <= end; ++l) differs = c::binary("||", differs, c::binary("!=", index(crd(l), last), coordinate(l)));
    open();
    list();
    if (end == last_sparse(tensor)) {
      // Dense levels below: a block that starts at the fill.
      const c::Expr block = block_below(tensor, end);
      const std::string q = bind("q");
      c::Expr at = sum(times(c::token(p), block), c::token(q));
      c::Stmt fill = assign_to(index(c::token(names_.fixed(tensor.name)), at), "=", expressions_.constant(tensor.fill));
      add(c::stmt(c::For{q, c::number(0), c::binary("<", c::token(q), block), q + "++", c::stmt(c::Block{{fill}})}));
    } else if (facts_of(tensor, end + 1).dense() && read_meanwhile(tensor)) {
      // Dense levels, then entries: fibers that are read before they are reached must look empty.
      int below = end + 1;
      while (facts_of(tensor, below).dense()) ++below;
      const c::Expr block = block_below(tensor, end);
      c::Expr from = sum(expressions_.array(tensor, below, Array::positions), sum(times(c::token(p), block), c::number(1)));
      c::Expr bytes = times(block, c::call("sizeof", {c::token(array_type(tensor, below, Array::positions))}));
      add(c::stmt(c::Evaluate{c::call(prelude_.use_clear(), {from, c::number(0), bytes})}));
    }
    add(set(p, "+=", c::number(1)));
    c::Stmt fresh = close();
    add(c::stmt(c::If{differs, fresh, {}}));
    return last;
  }
  list();
  return c::token(p);  // counted once its value is there
}

void Statements::append(const flow::Append& a, const text::Origin& origin, bool last) {
  const Tensor& tensor = *flow_.tensor(a.tensor);
  const auto levels = static_cast<int>(tensor.levels.size());
  expressions_.use(tensor.name);
  open();
  const bool tested = a.prune || tensor.pattern;
  c::Expr value;
  if (tested || !a.counted) value = without_cast(expressions_.expr(a.value), tensor.type);
  if (tested) {
    const std::string local = bind(tensor.name + "_value");
    add(c::stmt(c::Declaration{"const " + std::string(format::c_name(tensor.type)), local, {}, value}, origin));
    value = c::token(local);
    open();
  }
  std::vector<std::string> coordinates;
  for (int l = 0; l < levels; ++l) {
    c::Expr coordinate = expressions_.expr(a.coordinates[static_cast<std::size_t>(l)]);
    if (const auto* token = coordinate.as<c::Token>()) {
      coordinates.push_back(token->text);
      continue;
    }
    coordinates.push_back(bind(tensor.name + "_at" + std::to_string(l + 1)));
    add(c::stmt(c::Declaration{"const int64_t", coordinates.back(), {}, coordinate}));
  }
  if (last_facts(tensor).region == format::Region::run) {
    c::Expr through = a.through ? expressions_.expr(*a.through) : c::token(coordinates.back());
    store_run(tensor, coordinates, std::move(through), value);
  } else if (a.counted) {
    count(tensor, coordinates);
  } else {
    store(tensor, coordinates, value);
  }
  if (tested) {
    c::Stmt kept = close();
    c::Expr differs = tensor.pattern ? value : c::binary("!=", value, expressions_.constant(tensor.fill));
    add(c::stmt(c::If{differs, kept, {}}));
  }
  const c::Stmt all = close();
  const auto& statements = all.as<c::Block>()->statements;
  const bool declares = std::any_of(statements.begin(), statements.end(), [](const c::Stmt& s) { return s.as<c::Declaration>(); });
  if (declares && !last) add(all);
  else for (const c::Stmt& s : statements) add(s);
}

// The position below the first levels, with an entry at each of them that lists coordinates.
c::Expr Statements::descend(const Tensor& tensor, int levels, const std::vector<std::string>& coordinates) {
  c::Expr position = c::number(0);
  for (int l = 0; l < levels; ++l) {
    if (!facts_of(tensor, l).dense()) {
      position = append_entry(tensor, l, position, coordinates);
      l = reach(tensor, l);
      continue;
    }
    const c::Expr coordinate = c::token(coordinates[static_cast<std::size_t>(l)]);
    const c::Expr size = expressions_.expr(tensor.levels[static_cast<std::size_t>(l)].size);
    position = is_zero(position) ? coordinate : sum(times(position, size), coordinate);
  }
  return position;
}

// A run goes on where the one before it ends and has the same value, in one fiber.
//   if (pC > C_pos[i] && C_crd[pC - 1] == j - 1 && C[pC - 1] == v) C_crd[pC - 1] = j_last; else …
void Statements::store_run(const Tensor& tensor, const std::vector<std::string>& coordinates, c::Expr through,
                           c::Expr value) {
  const int level = last_sparse(tensor);
  const std::string p = entries(tensor, level);
  const c::Expr here = c::token(p), before = minus(here, c::number(1));
  const auto array = [&](Array which, c::Expr at) {
    return index(expressions_.array(tensor, level, which), std::move(at));
  };
  if (!value.as<c::Token>()) {
    const std::string local = bind(tensor.name + "_value");
    add(c::stmt(c::Declaration{"const " + std::string(format::c_name(tensor.type)), local, {}, value}));
    value = c::token(local);
  }
  const c::Expr parent = descend(tensor, level, coordinates);
  if (!row_loops_.count(tensor.name)) open_fibers(tensor, level, parent);
  const c::Expr start = c::token(coordinates.back());
  const c::Expr element = c::token(names_.fixed(tensor.name));
  c::Expr goes_on = c::binary(">", here, array(Array::positions, parent));
  goes_on = c::binary("&&", goes_on, c::binary("==", array(Array::coordinates, before), minus(start, c::number(1))));
  const bool real = format::is_floating(tensor.type);
  if (real)
    goes_on =
        c::binary("&&", goes_on, c::call(prelude_.use(Helper::same, tensor.type), {index(element, before), value}));
  else if (!tensor.pattern) goes_on = c::binary("&&", goes_on, c::binary("==", index(element, before), value));
  open();
  c::Expr site = expressions_.fault_site(FaultKind::result_too_large, {}, tensor.name);
  add(set(
      p, "=",
      c::call(prelude_.use(Helper::slot), {here, c::token(expressions_.capacity(tensor)), c::token("fault"), site})));
  add(assign_to(array(Array::starts, here), "=", start));
  add(assign_to(array(Array::coordinates, here), "=", through));
  if (!tensor.pattern) add(assign_to(index(element, here), "=", value));
  add(set(p, "+=", c::number(1)));
  const c::Stmt fresh = close();
  const c::Stmt longer = c::stmt(c::Block{{assign_to(array(Array::coordinates, before), "=", through)}});
  add(c::stmt(c::If{goes_on, longer, fresh}));
  if (read_meanwhile(tensor)) show_entries(tensor, coordinates);
}

void Statements::store(const Tensor& tensor, const std::vector<std::string>& coordinates, c::Expr value) {
  const auto levels = static_cast<int>(tensor.levels.size());
  const bool apart = apart_.count(tensor.name) > 0;
  const std::string p = entries(tensor, last_sparse(tensor));
  if (!apart) {  // else there is room for what was counted
    c::Expr site = expressions_.fault_site(FaultKind::result_too_large, {}, tensor.name);
    add(set(p, "=", c::call(prelude_.use(Helper::slot), {c::token(p), c::token(expressions_.capacity(tensor)), c::token("fault"), site})));
  }
  const c::Expr position = descend(tensor, levels, coordinates);
  if (!tensor.pattern) add(assign_to(index(c::token(names_.fixed(tensor.name)), position), "=", value));
  if (position.as<c::Token>() && position.as<c::Token>()->text == p) add(set(p, "+=", c::number(1)));
  if (!read_meanwhile(tensor) || apart) return;
  show_entries(tensor, coordinates);
}

// Whoever reads the fiber sees what it has so far.
void Statements::show_entries(const Tensor& tensor, const std::vector<std::string>& coordinates) {
  for (int l = 0; l < static_cast<int>(tensor.levels.size()); ++l) {
    if (!facts_of(tensor, l).positions) continue;
    c::Expr fiber = row_loops_.count(tensor.name) ? sum(c::token(coordinates[0]), c::number(1)) : c::token(opened(tensor, l));
    add(assign_to(index(expressions_.array(tensor, l, Array::positions), fiber), "=", c::token(entries(tensor, l))));
  }
}

// The fibers behind the last entry are empty.
void Statements::freeze(const flow::Freeze& f, const text::Origin& origin) {
  const Tensor& tensor = *flow_.tensor(f.tensor);
  if (tensor.storage == Tensor::Storage::temporary) return order_workspace(tensor, origin);
  c::Expr fibers = c::number(1);
  for (int l = 0; l < static_cast<int>(tensor.levels.size()); ++l) {
    const format::Facts& facts = facts_of(tensor, l);
    if (facts.dense()) {
      c::Expr size = expressions_.expr(tensor.levels[static_cast<std::size_t>(l)].size);
      const auto* one = fibers.as<c::Token>();
      fibers = one && one->text == "1" ? size : times(fibers, size);
      continue;
    }
    if (row_loops_.count(tensor.name)) continue;
    if (facts.positions) open_fibers(tensor, l, fibers);
    fibers = c::token(entries(tensor, l));
  }
}

// Nothing is stored any more. Fibers that are read before they are reached must look empty.
void Statements::reset_result(const Tensor& tensor, const text::Origin& origin) {
  c::Expr fibers = c::number(1);
  bool known = true;
  for (int l = 0; l < static_cast<int>(tensor.levels.size()); ++l) {
    const format::Facts& facts = facts_of(tensor, l);
    if (facts.dense()) {
      fibers = times(fibers, expressions_.expr(tensor.levels[static_cast<std::size_t>(l)].size));
      continue;
    }
    if (facts.positions) {
      if (!row_loops_.count(tensor.name)) add(set(opened(tensor, l), "=", c::number(0)));
      add(set(entries(tensor, l), "=", c::number(0)));
      c::Expr positions = expressions_.array(tensor, l, Array::positions);
      c::Expr count = known ? sum(fibers, c::number(1)) : c::number(2);
      c::Expr bytes = times(count, c::call("sizeof", {c::token(array_type(tensor, l, Array::positions))}));
      if (read_meanwhile(tensor) && known) add(c::stmt(c::Evaluate{c::call(prelude_.use_clear(), {positions, c::number(0), bytes})}, origin));
    }
    known = false;
  }
}

}  // namespace trellis::emit
