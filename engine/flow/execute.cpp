// Statements, one by one.

#include <algorithm>

#include "engine/flow/cursor_iterator.hpp"

namespace trellis::flow {

namespace {

using format::ScalarType;

format::Value integer_value(std::int64_t number) { return format::Value::of_integer(ScalarType::i64, number); }

Workspace& workspace_of(Machine& m, const std::string& tensor) {
  auto* workspace = dynamic_cast<Workspace*>(&m.store(tensor));
  if (!workspace) throw Unsound{tensor + " is no temporary"};
  return *workspace;
}

Appended& result_of(Machine& m, const std::string& tensor) {
  auto* result = dynamic_cast<Appended*>(&m.store(tensor));
  if (!result) throw Unsound{tensor + " is not appended to"};
  return *result;
}

/// As C compares: a minus zero is a zero, and a not-a-number differs from itself.
bool differs(const format::Value& value, const format::Value& fill) {
  return format::is_floating(value.type) ? value.real != fill.real : value.integer != fill.integer;
}

}  // namespace

std::int64_t appended_entries(Machine& m) {
  std::int64_t sum = 0;
  for (const auto& [name, store] : m.stores)
    if (const auto* result = dynamic_cast<const Appended*>(store.get())) sum += result->appended();
  return sum;
}

namespace {

// What an iteration counts is what it appends afterwards.
void count_then_fill(Machine& m, const Loop& l, const Stmt& s, std::int64_t low, std::int64_t high,
                     Bound<format::Value>& variable) {
  std::vector<std::int64_t> counts;
  const auto iterations = [&](const auto& iteration) {
    for (std::int64_t i = low; i < high; ++i) {
      m.loops.back().second = i;
      variable.set(integer_value(i));
      m.begin(s);
      iteration(static_cast<std::size_t>(i - low));
    }
  };
  iterations([&](std::size_t) {
    m.counted = 0;
    m.counting = true;
    execute(m, *l.counting);
    m.counting = false;
    counts.push_back(m.counted);
  });
  iterations([&](std::size_t k) {
    const std::int64_t before = appended_entries(m);
    execute(m, l.body);
    if (appended_entries(m) - before != counts[k])
      throw Unsound{"an iteration over " + l.variable + " appends another number of entries than it counts"};
  });
}

/// At the end of an iteration those that waited for it move on, and its own fiber begins to wait.
void move_on(Machine& m, const Lists& lists, std::int64_t i) {
  Machine::Waiting& all = m.lists[lists.name];
  Store& store = m.store(lists.tensor);
  const auto wait = [&](std::int64_t fiber, std::int64_t entry) {
    m.spend(1);
    if (entry == store.fiber(lists.level, fiber).last) return;
    all.next[fiber] = entry;
    all.at[store.coordinate(lists.level, entry)].push_back(fiber);
  };
  const std::vector<std::int64_t> waited = std::move(all.at[i]);
  all.at.erase(i);
  for (auto k = waited.rbegin(); k != waited.rend(); ++k) wait(*k, all.next[*k] + 1);
  const Range own = store.fiber(lists.level, i);
  wait(i, first_that(own, [&](std::int64_t k) { return store.coordinate(lists.level, k) > i; }));
}

void among(Machine& m, const Loop& l, const Stmt& s, Bound<format::Value>& variable) {
  const Machine::Waiting& all = m.lists[l.among->lists];
  const std::int64_t coordinate = evaluate_integer(m, l.among->coordinate);
  const auto found = all.at.find(coordinate);
  const std::vector<std::int64_t> waiting = found == all.at.end() ? std::vector<std::int64_t>{} : found->second;
  for (auto k = waiting.rbegin(); k != waiting.rend(); ++k) {
    if (l.unless && evaluate(m, *l.unless).is_true()) break;
    const std::int64_t entry = all.next.at(*k);
    m.loops.back().second = *k;
    variable.set(integer_value(*k));
    const Bound<Spot> position(m.spots, l.among->entry, Spot{entry, {}, {{*k, *k}, {entry, coordinate}}});
    m.begin(s);
    execute(m, l.body);
    m.current = s;
  }
}

void loop(Machine& m, const Loop& l, const Stmt& s) {
  const std::int64_t low = evaluate_integer(m, l.low), high = evaluate_integer(m, l.high);
  m.loops.emplace_back(l.variable, low);
  Bound<format::Value> variable(m.variables, l.variable, integer_value(low));
  for (const Lists& lists : l.lists) m.lists[lists.name] = {};
  if (l.counting) count_then_fill(m, l, s, low, high, variable);
  if (l.among) among(m, l, s, variable);
  const std::int64_t before = l.after > 1 ? std::max<std::int64_t>(high - low, 0) / l.after * l.after : 0;
  for (std::int64_t count = before; count + l.by <= high - low && !l.counting && !l.among; count += l.by) {
    const std::int64_t i = l.direction == Loop::Direction::down ? high - 1 - count : low + count;
    if (l.unless && evaluate(m, *l.unless).is_true()) break;
    m.loops.back().second = i;
    variable.set(integer_value(i));
    m.begin(s);
    execute(m, l.body);
    for (const Lists& lists : l.lists) move_on(m, lists, i);
    m.current = s;
    if (!l.until || !evaluate(m, *l.until).is_true()) continue;
    m.execution.ended_after = i + 1;
    break;
  }
  m.loops.pop_back();
}

void let(Machine& m, const Let& l) {
  const auto* here = l.value.as<Here>();
  if (!here) {
    const Bound<format::Value> variable(m.variables, l.name, evaluate(m, l.value));
    return execute(m, l.body);
  }
  const auto walk = m.walks.find(here->cursor);
  if (walk == m.walks.end()) throw Unsound{"no cursor " + here->cursor};
  const Spot spot = walk->second->here() ? walk->second->spot() : Spot{-1, {}, {}};
  const Bound<Spot> position(m.spots, l.name, spot);
  const Bound<format::Value> variable(m.variables, l.name, integer_value(spot.position));
  execute(m, l.body);
}

void test(Machine& m, const Test& t) {
  const auto walk = m.walks.find(t.cursor);
  if (walk == m.walks.end()) throw Unsound{"no cursor " + t.cursor};
  const bool here = walk->second->here();
  if (t.certain && !here) throw Unsound{t.cursor + " is not where it certainly is"};
  if (m.observer) m.observer->tests(m.moment(), t, here);
  if (here) execute(m, t.then);
  else if (t.otherwise) execute(m, *t.otherwise);
}

/// The pointer of the fiber, which has passed all smaller coordinates.
std::int64_t marched(Machine& m, const Locate& l, const Store& store, std::int64_t parent, Range entries,
                     std::int64_t c) {
  std::vector<std::int64_t>& pointers = m.marches[l.march];
  if (static_cast<std::int64_t>(pointers.size()) <= parent) pointers.resize(static_cast<std::size_t>(parent) + 1, 0);
  std::int64_t& next = pointers[static_cast<std::size_t>(parent)];
  next = std::max(next, entries.first);
  if (l.returns && next > entries.first && store.coordinate(l.level, next - 1) >= c) next = entries.first;
  for (; next < entries.last && store.coordinate(l.level, next) < c; ++next) m.spend(1);
  return next < entries.last && store.coordinate(l.level, next) == c ? next : -1;
}

void locate(Machine& m, const Locate& l) {
  Spot found{-1, {}, {}};
  if (!l.exists || evaluate(m, *l.exists).is_true()) {
    Store& store = m.store(l.tensor);
    const std::int64_t c = evaluate_coordinate(m, l.coordinate, l.check, store, l.level);
    const Spot parent = evaluate(m, l.parent);
    const Range entries = fiber(store, l.level, parent);
    std::int64_t tries = 0;
    found.position = l.march.empty() ? store.find(l.level, parent.position, entries, c, tries)
                                     : marched(m, l, store, parent.position, entries, c);
    m.spend(l.held ? 1 : tries);
    if (found.position >= 0) {
      found.trail = parent.trail;
      if (store.facts(l.level).child == format::Child::parent && !found.trail.empty())
        found.trail.back().position = found.position;
      found.trail.push_back({found.position, c});
    }
    if (l.several) {
      std::int64_t end = found.position;
      if (end >= 0) do
          ++end;
        while (end < entries.last && store.coordinate(l.level, end) == c);
      found.end = end;
    }
    if (m.observer) m.observer->locates(m.moment(), l, {found.position, c});
  }
  const Bound<Spot> position(m.spots, l.name, found);
  const Bound<format::Value> variable(m.variables, l.name, integer_value(found.position));
  execute(m, l.body);
}

void tabulate(Machine& m, const Tabulate& t) {
  const Range entries = fiber(m.store(t.tensor), t.level, evaluate(m, t.parent));
  m.spend(2 * (entries.last - entries.first));  // filled, and emptied
  execute(m, t.body);
}

void insert(Machine& m, const Insert& i) {
  Workspace& store = workspace_of(m, i.tensor);
  const std::int64_t c = evaluate_coordinate(m, i.coordinate, i.check, store, i.level);
  Spot spot = evaluate(m, i.parent);
  bool fresh = false;
  spot.position = store.insert(i.level, spot.position, c, fresh);
  spot.end = std::nullopt;
  spot.trail.push_back({spot.position, c});
  if (m.observer) m.observer->inserts(m.moment(), i, spot.trail, fresh);
  const Bound<Spot> position(m.spots, i.name, spot);
  const Bound<format::Value> variable(m.variables, i.name, integer_value(spot.position));
  execute(m, i.body);
}

void assign(Machine& m, const Assign& a) {
  const format::Value value = evaluate(m, a.value);
  const Spot spot = element_at(m, a.tensor, a.position);
  Store& store = m.store(a.tensor);
  const format::Value before = store.get(spot.position);
  const bool defined = store.defined(spot.position);
  const format::Value after = a.op ? format::combine(*a.op, read_element(m, a.tensor, spot), value) : value;
  store.set(spot.position, after);
  if (m.observer) m.observer->write(m.moment(), {store.tensor(), spot.trail, spot.position, defined}, before, after);
}

void append(Machine& m, const Append& a) {
  Appended& result = result_of(m, a.tensor);
  const Tensor& tensor = result.tensor();
  const bool tested = a.prune || tensor.pattern;
  const bool counts = a.counted || (tensor.scattered && m.counting);
  std::vector<std::int64_t> coordinates;
  if (tested || !counts) {
    const format::Value value = evaluate(m, a.value);
    const bool kept = !tested || (tensor.pattern ? value.is_true() : differs(value, tensor.fill));
    if (!kept) return;
    if (!counts) {
      for (const Expr& c : a.coordinates) coordinates.push_back(evaluate_integer(m, c));
      std::vector<std::int64_t> through = coordinates;
      for (std::size_t l = 0; l < a.through.size(); ++l)
        if (a.through[l]) through[l] = evaluate_integer(m, *a.through[l]);
      if (result.full() && !tensor.scattered)
        m.fail(FaultKind::result_too_large, {}, a.tensor + " has more entries than there is room for");
      Trail trail;
      for (const auto& [position, c] : result.append(coordinates, through, value)) trail.push_back({position, c});
      const std::int64_t place = trail.empty() ? 0 : trail.back().position;
      Element element{tensor, trail, place};
      if (through != coordinates) element.through = through;
      if (m.observer) m.observer->appends(m.moment(), element, value);
      return;
    }
  }
  ++m.counted;
  if (!tensor.scattered) return;
  for (const Expr& c : a.coordinates) coordinates.push_back(evaluate_integer(m, c));
  result.count(coordinates);
}

void scatter(Machine& m, const Scatter& s) {
  Appended& result = result_of(m, s.tensor);
  const auto marches = m.marches;
  m.counting = true;
  execute(m, s.counting ? *s.counting : s.body);
  m.counting = false;
  if (!s.counting) m.marches = marches;  // as if it had not run yet
  if (!result.begin_fibers())
    m.fail(FaultKind::result_too_large, {}, s.tensor + " has more entries than there is room for");
  const std::int64_t before = appended_entries(m), counted = std::exchange(m.counted, 0);
  execute(m, s.body);
  if (appended_entries(m) - before != counted)
    throw Unsound{"a scatter of " + s.tensor + " appends another number of entries than it counts"};
}

void reset(Machine& m, const Reset& r) {
  Store& store = m.store(r.tensor);
  const format::Value value = evaluate(m, r.value);
  m.spend(store.reset(value));
  if (m.observer) m.observer->resets(m.moment(), store.tensor(), value);
}

}  // namespace

Range fiber(Store& store, int level, const Spot& parent) {
  return parent.end ? Range{parent.position, *parent.end} : store.fiber(level, parent.position);
}

void execute(Machine& m, const Stmt& s) {
  if (s.as<Note>()) return;
  const auto* seq = s.as<Seq>();
  if (!seq) m.begin(s);
  s.match(
      [&](const Seq& all) {
        for (const Stmt& one : all.statements) execute(m, one);
      },
      [&](const Loop& l) { loop(m, l, s); }, [&](const Coiterate& c) { execute(m, c, s); },
      [&](const Test& t) { test(m, t); }, [&](const Locate& l) { locate(m, l); },
      [&](const Tabulate& t) { tabulate(m, t); }, [&](const Insert& i) { insert(m, i); },
      [&](const While& w) {
        for (; evaluate(m, w.condition).is_true(); m.begin(s)) execute(m, w.body);
      },
      [&](const If& i) {
        if (evaluate(m, i.condition).is_true()) execute(m, i.then);
        else if (i.otherwise) execute(m, *i.otherwise);
      },
      [&](const Let& l) { let(m, l); },
      [&](const Declare& d) {
        workspace_of(m, d.tensor).declare();
        if (m.observer) m.observer->declares(m.moment(), m.store(d.tensor).tensor());
      },
      [&](const Reset& r) { reset(m, r); },
      [&](const Freeze& f) {
        m.store(f.tensor).freeze();
        if (m.observer) m.observer->freezes(m.moment(), m.store(f.tensor).tensor());
      },
      [&](const Assign& a) { assign(m, a); }, [&](const Append& a) { append(m, a); },
      [&](const Scatter& c) { scatter(m, c); }, [](const Await&) {},  // all iterations run in their order
      [](const Exchange&) {},                                         // a rank alone has nobody to send to
      [](const Note&) {});
}

}  // namespace trellis::flow
