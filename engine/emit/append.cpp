#include "engine/emit/append.hpp"

#include <algorithm>

#include "engine/emit/scatter.hpp"
#include "engine/emit/shorthand.hpp"

namespace trellis::emit {

using flow::Tensor;
using format::Array;
using format::ScalarType;

void Appends::append(const flow::Append& a, const text::Origin& origin, bool last) {
  const Tensor& tensor = *out_.flow.tensor(a.tensor);
  out_.expressions.use(tensor.name);
  out_.open();
  const bool tested = a.prune || tensor.pattern;
  c::Expr value;
  if (tested || !a.counted) value = without_cast(out_.expressions.expr(a.value), tensor.type);
  if (tested) {
    value = c::token(named(tensor, value, origin));
    out_.open();
  }
  const Coordinates coordinates = coordinates_of(a, tensor);
  if (tensor.scattered) scatter(tensor, coordinates, a.counted, value);
  else if (facts_of(tensor, levels_of(tensor) - 1).region == format::Region::run) store_run(tensor, coordinates, value);
  else if (a.counted) counts_.count(tensor, coordinates.first);
  else store_element(tensor, coordinates, value);
  if (tested) {
    const c::Stmt kept = out_.close();
    const c::Expr differs = tensor.pattern ? value : c::binary("!=", value, out_.expressions.constant(tensor.fill));
    out_.add(c::stmt(c::If{differs, kept, {}}));
  }
  const c::Stmt all = out_.close();
  const auto& statements = all.as<c::Block>()->statements;
  const auto declares = [](const c::Stmt& s) { return s.as<c::Declaration>() != nullptr; };
  if (!last && std::ranges::any_of(statements, declares)) return out_.add(all);
  for (const c::Stmt& s : statements) out_.add(s);
}

Appends::Coordinates Appends::coordinates_of(const flow::Append& a, const Tensor& tensor) {
  Coordinates coordinates;
  for (int l = 0; l < levels_of(tensor); ++l) {
    const auto level = static_cast<std::size_t>(l);
    const c::Expr coordinate = out_.expressions.expr(a.coordinates[level]);
    const auto* token = coordinate.as<c::Token>();
    coordinates.first.push_back(token ? token->text : out_.bind(tensor.name + "'at." + std::to_string(l + 1)));
    if (!token) out_.add(constant(coordinates.first.back(), coordinate));
    const bool is_run = level < a.through.size() && a.through[level];
    coordinates.last.push_back(is_run ? out_.expressions.expr(*a.through[level]) : c::token(coordinates.first.back()));
  }
  return coordinates;
}

std::string Appends::named(const Tensor& tensor, c::Expr value, const text::Origin& origin) {
  const std::string local = out_.bind(tensor.name + "'value");
  const std::string type = "const " + std::string(format::c_name(tensor.type));
  out_.add(c::stmt(c::Declaration{type, local, {}, std::move(value)}, origin));
  return local;
}

// The next entry, or the first and a fault where there is no room.
void Appends::take_slot(const Tensor& tensor) {
  const std::string p = results_.entries(tensor, last_sparse(tensor));
  results_.ask_for_room(tensor, plus(c::token(p), c::number(1)));
  out_.add(set(p, "=", slot(tensor)));
}

c::Expr Appends::slot(const Tensor& tensor) {
  const c::Expr site = out_.expressions.fault_site(FaultKind::result_too_large, {}, tensor.name);
  const c::Expr next = c::token(results_.entries(tensor, last_sparse(tensor)));
  const c::Expr capacity = c::token(out_.expressions.capacity(tensor));
  return c::call(out_.prelude.use(Helper::slot), {next, capacity, c::token("fault"), site});
}

void Appends::store_element(const Tensor& tensor, const Coordinates& coordinates, const c::Expr& value) {
  const bool apart = counts_.apart(tensor);
  const std::string p = results_.entries(tensor, last_sparse(tensor));
  if (!apart) take_slot(tensor);  // else there is room for what was counted
  const c::Expr position = descend(tensor, levels_of(tensor), coordinates);
  if (!tensor.pattern) out_.add(assign_to(index(c::token(out_.names.fixed(tensor.name)), position), "=", value));
  if (position.as<c::Token>() && position.as<c::Token>()->text == p) out_.add(set(p, "+=", c::number(1)));
  if (tensor.readable && !apart) show_entries(tensor, coordinates);
}

// q = T_pos[j]; T_crd[q] = i; T[q] = v; T_pos[j] = q + 1     (emit/scatter.hpp)
void Appends::scatter(const Tensor& tensor, const Coordinates& coordinates, bool counted, const c::Expr& value) {
  const int last = levels_of(tensor) - 1;
  const c::Expr fiber = descend(tensor, last, coordinates), one = c::number(1);
  if (counted) return out_.add(assign_to(of_fiber(out_, tensor, fiber, 1), "+=", one));
  const std::string q = out_.bind("'q");
  out_.add(constant(q, of_fiber(out_, tensor, fiber)));
  const c::Expr listed = index(out_.expressions.array(tensor, last, Array::coordinates), c::token(q));
  out_.add(assign_to(listed, "=", coordinates.last.back()));
  if (!tensor.pattern) out_.add(assign_to(index(c::token(out_.names.fixed(tensor.name)), c::token(q)), "=", value));
  out_.add(assign_to(of_fiber(out_, tensor, fiber), "=", sum(c::token(q), one)));
}

// A run goes on where the one before it ends and has the same value, in one fiber.
//   if (pC > C_pos[i] && C_crd[pC - 1] == j - 1 && C[pC - 1] == v) C_crd[pC - 1] = j_last; else …
void Appends::store_run(const Tensor& tensor, const Coordinates& coordinates, c::Expr value) {
  const int level = last_sparse(tensor);
  const std::string p = results_.entries(tensor, level);
  const c::Expr here = c::token(p), before = minus(here, c::number(1));
  const auto array = [&](Array which, c::Expr at) {
    return index(out_.expressions.array(tensor, level, which), std::move(at));
  };
  if (!value.as<c::Token>()) value = c::token(named(tensor, value, {}));
  const c::Expr parent = descend(tensor, level, coordinates);
  if (!results_.by_rows(tensor) && !results_.has_open_row(tensor)) results_.open_fibers(tensor, level, parent);
  const c::Expr start = c::token(coordinates.first.back()), through = coordinates.last.back();
  const c::Expr same = goes_on(tensor, parent, start, value);
  out_.open();
  take_slot(tensor);
  out_.add(assign_to(array(Array::starts, here), "=", start));
  out_.add(assign_to(array(Array::coordinates, here), "=", through));
  if (!tensor.pattern) out_.add(assign_to(index(c::token(out_.names.fixed(tensor.name)), here), "=", value));
  out_.add(set(p, "+=", c::number(1)));
  const c::Stmt fresh = out_.close();
  const c::Stmt longer = c::stmt(c::Block{{assign_to(array(Array::coordinates, before), "=", through)}});
  out_.add(c::stmt(c::If{same, longer, fresh}));
  if (tensor.readable) show_entries(tensor, coordinates);
}

c::Expr Appends::goes_on(const Tensor& tensor, const c::Expr& parent, const c::Expr& start, const c::Expr& value) {
  const int level = last_sparse(tensor);
  const c::Expr here = c::token(results_.entries(tensor, level)), before = minus(here, c::number(1));
  const auto array = [&](Array which, const c::Expr& at) {
    return index(out_.expressions.array(tensor, level, which), at);
  };
  const c::Expr in_fiber = c::binary(">", here, array(Array::positions, parent));
  const c::Expr adjacent = c::binary("==", array(Array::coordinates, before), minus(start, c::number(1)));
  const c::Expr next = c::binary("&&", in_fiber, adjacent);
  const c::Expr element = index(c::token(out_.names.fixed(tensor.name)), before);
  if (format::is_floating(tensor.type))
    return c::binary("&&", next, c::call(out_.prelude.use(Helper::same, tensor.type), {element, value}));
  return tensor.pattern ? next : c::binary("&&", next, c::binary("==", element, value));
}

// Whoever reads the fiber sees what it has so far.
void Appends::show_entries(const Tensor& tensor, const Coordinates& coordinates) {
  for (int l = 0; l < levels_of(tensor); ++l) {
    if (!facts_of(tensor, l).positions) continue;
    const c::Expr fiber = results_.by_rows(tensor) ? sum(c::token(coordinates.first[0]), c::number(1))
                                                   : c::token(results_.opened(tensor, l));
    const c::Expr end = index(out_.expressions.array(tensor, l, Array::positions), fiber);
    out_.add(assign_to(end, "=", c::token(results_.entries(tensor, l))));
  }
}

// The position below the first levels, with an entry at each of them that lists coordinates.
c::Expr Appends::descend(const Tensor& tensor, int levels, const Coordinates& coordinates) {
  c::Expr position = c::number(0);
  for (int l = 0; l < levels; ++l) {
    if (!facts_of(tensor, l).dense()) {
      position = append_entry(tensor, l, position, coordinates);
      l = last_of_group(tensor, l);
      continue;
    }
    const c::Expr coordinate = c::token(coordinates.first[static_cast<std::size_t>(l)]);
    const c::Expr size = out_.expressions.size(tensor, l);
    position = is_zero(position) ? coordinate : sum(times(position, size), coordinate);
  }
  return position;
}

// The entry for the level's coordinate in the fiber of `parent`, singletons below it included: a new one, unless an
// inner level's last one is the same.
c::Expr Appends::append_entry(const Tensor& tensor, int level, const c::Expr& parent, const Coordinates& coordinates) {
  const std::string p = results_.entries(tensor, level);
  const bool first_apart = level == 0 && counts_.apart(tensor);
  if (facts_of(tensor, level).positions && !results_.by_rows(tensor) && !results_.has_open_row(tensor) && !first_apart)
    results_.open_fibers(tensor, level, parent);
  const int end = last_of_group(tensor, level);
  if (end + 1 == levels_of(tensor)) {
    list_coordinates(tensor, level, coordinates);
    return c::token(p);  // counted once its value is there
  }
  const c::Expr differs = is_new(tensor, level, parent, coordinates);
  out_.open();
  list_coordinates(tensor, level, coordinates);
  begin_block(tensor, end);
  out_.add(set(p, "+=", c::number(1)));
  const c::Stmt fresh = out_.close();
  out_.add(c::stmt(c::If{differs, fresh, {}}));
  return minus(c::token(p), c::number(1));
}

c::Expr Appends::is_new(const Tensor& tensor, int level, const c::Expr& parent, const Coordinates& coordinates) {
  const c::Expr next = c::token(results_.entries(tensor, level)), last = minus(next, c::number(1));
  const auto coordinate = [&](int l) { return c::token(coordinates.first[static_cast<std::size_t>(l)]); };
  c::Expr start = c::number(0);
  if (facts_of(tensor, level).positions) start = index(out_.expressions.array(tensor, level, Array::positions), parent);
  if (level == 0 && counts_.apart(tensor)) start = counts_.begin_of(tensor, level, coordinate(level));
  c::Expr differs = c::binary("==", next, start);
  for (int l = level; l <= last_of_group(tensor, level); ++l) {
    const Array first = facts_of(tensor, l).starts ? Array::starts : Array::coordinates;
    const c::Expr stored = index(out_.expressions.array(tensor, l, first), last);
    differs = c::binary("||", differs, c::binary("!=", stored, coordinate(l)));
  }
  return differs;
}

void Appends::list_coordinates(const Tensor& tensor, int level, const Coordinates& coordinates) {
  const c::Expr entry = c::token(results_.entries(tensor, level));
  for (int l = level; l <= last_of_group(tensor, level); ++l) {
    const auto put = [&](Array which, const c::Expr& coordinate) {
      out_.add(assign_to(index(out_.expressions.array(tensor, l, which), entry), "=", coordinate));
    };
    if (facts_of(tensor, l).starts) put(Array::starts, c::token(coordinates.first[static_cast<std::size_t>(l)]));
    put(Array::coordinates, coordinates.last[static_cast<std::size_t>(l)]);
  }
}

// What is below a new entry: dense levels that start at the fill, or fibers that must look empty when they are read
// before they are reached.
void Appends::begin_block(const Tensor& tensor, int level) {
  const c::Expr p = c::token(results_.entries(tensor, level));
  if (level == last_sparse(tensor)) {
    const c::Expr block = block_below(tensor, level);
    const std::string q = out_.bind("'q");
    const c::Expr at = sum(times(p, block), c::token(q));
    const c::Expr element = index(c::token(out_.names.fixed(tensor.name)), at);
    const c::Stmt fill = assign_to(element, "=", out_.expressions.constant(tensor.fill));
    const c::Expr more = c::binary("<", c::token(q), block);
    out_.add(c::stmt(c::For{q, c::number(0), more, q + "++", c::stmt(c::Block{{fill}})}));
  } else if (facts_of(tensor, level + 1).dense() && tensor.readable) {
    int below = level + 1;
    while (facts_of(tensor, below).dense()) ++below;
    const c::Expr block = block_below(tensor, level);
    const c::Expr positions = out_.expressions.array(tensor, below, Array::positions);
    const c::Expr from = sum(positions, sum(times(p, block), c::number(1)));
    const c::Expr size = c::call("sizeof", {c::token(array_type(tensor, below, Array::positions))});
    out_.add(c::stmt(c::Evaluate{c::call(out_.prelude.use_clear(), {from, c::number(0), times(block, size)})}));
  }
}

// How many fibers or values an entry of the level has in the dense levels right below it.
c::Expr Appends::block_below(const Tensor& tensor, int level) {
  c::Expr block = c::number(1);
  for (int l = level + 1; l < levels_of(tensor) && facts_of(tensor, l).dense(); ++l) {
    const c::Expr size = out_.expressions.size(tensor, l);
    block = l == level + 1 ? size : times(block, size);
  }
  return block;
}

}  // namespace trellis::emit
