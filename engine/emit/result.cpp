#include "engine/emit/result.hpp"

#include <algorithm>

#include "engine/emit/shorthand.hpp"

namespace trellis::emit {

using flow::Tensor;
using format::Array;

namespace {

/// The loops that close rows of a result, by their numbers.
std::map<std::string, int> row_loops_in(const flow::Flow& flow) {
  std::map<std::string, int> loops;
  for_each_stmt(flow.root, [&](const flow::Stmt& s) {
    if (const auto* l = s.as<flow::Loop>())
      for (const std::string& result : l->closes) loops[result] = s.id();
  });
  return loops;
}

/// The row that everything goes to that the loop appends to a {dense, compressed} result; empty where there are
/// several.
std::optional<flow::Expr> row_in(const flow::Stmt& loop, const Tensor& tensor) {
  if (tensor.levels.size() != 2 || !facts_of(tensor, 0).dense() || facts_of(tensor, 1).dense()) return std::nullopt;
  const std::set<std::string> inside = bound_in(loop);
  std::optional<flow::Expr> row;
  bool one = true;
  for_each_stmt(loop, [&](const flow::Stmt& s) {
    const auto* reset = s.as<flow::Reset>();
    if (reset && reset->tensor == tensor.name) one = false;
    const auto* append = s.as<flow::Append>();
    if (!append || append->tensor != tensor.name) return;
    const flow::Expr& at = append->coordinates[0];
    const auto* name = at.as<flow::Name>();
    one = one && !append->counted && name && !inside.contains(name->name) && (!row || *row == at);
    row = at;
  });
  return one ? row : std::nullopt;
}

/// Those that have a place for each entry, or for each fiber below one.
std::vector<std::pair<int, Array>> arrays_that_grow(const Tensor& tensor) {
  std::vector<std::pair<int, Array>> arrays;
  bool below_entries = false;
  for (int l = 0; l < levels_of(tensor); ++l) {
    const format::Facts& facts = facts_of(tensor, l);
    if (facts.dense()) continue;
    if (facts.positions && below_entries) arrays.emplace_back(l, Array::positions);
    if (facts.starts) arrays.emplace_back(l, Array::starts);
    arrays.emplace_back(l, Array::coordinates);
    below_entries = true;
  }
  return arrays;
}

}  // namespace

std::string_view c_name(Array which) {
  switch (which) {
    case Array::positions: return "TRELLIS_POSITIONS";
    case Array::coordinates: return "TRELLIS_COORDINATES";
    case Array::table: return "TRELLIS_TABLE";
    case Array::starts: return "TRELLIS_STARTS";
    case Array::offsets: return "TRELLIS_OFFSETS";
    case Array::values: return "TRELLIS_VALUES";
  }
  return "";
}

bool has_one_fiber(const Tensor& tensor, int level) {
  return level == 0 && facts_of(tensor, level).positions && !tensor.readable;
}

int last_sparse(const Tensor& tensor) {
  int last = -1;
  for (int l = 0; l < levels_of(tensor); ++l)
    if (!facts_of(tensor, l).dense()) last = l;
  return last;
}

int last_of_group(const Tensor& tensor, int level) {
  while (level + 1 < levels_of(tensor) && facts_of(tensor, level + 1).child == format::Child::parent) ++level;
  return level;
}

std::vector<int> counted_levels(const Tensor& tensor) {
  std::vector<int> levels;
  for (int l = 0; l < levels_of(tensor); ++l)
    if (!facts_of(tensor, l).dense() && (l == 0 || facts_of(tensor, l).child != format::Child::parent))
      levels.push_back(l);
  return levels;
}

Results::Results(Context& out, Memory& memory) : out_(out), memory_(memory), row_loops_(row_loops_in(out.flow)) {}

std::string Results::counter(const std::string& wanted) {
  const std::string name = out_.names.fix(wanted);
  if (counters_.insert(name).second) memory_.declare_at_top(variable(name, c::number(0)));
  return name;
}

std::string Results::entries(const Tensor& tensor, int level) {
  while (facts_of(tensor, level).child == format::Child::parent && level > 0) --level;
  const bool innermost = last_of_group(tensor, level) == last_sparse(tensor);
  return counter("p." + tensor.name + "." + (innermost ? "" : std::to_string(level + 1)));
}

std::string Results::opened(const Tensor& tensor, int level) {
  const bool innermost = last_of_group(tensor, level) == last_sparse(tensor);
  return counter(tensor.name + "'open." + (innermost ? "" : std::to_string(level + 1)));
}

// if (pC + 1 > C_capacity) {
//   C_capacity = more_room(C_result, C_capacity, pC + 1, fault, 0);
//   C_crd = trellis_level_of(C_result, 1)->arrays[TRELLIS_COORDINATES].data; …
// }
void Results::ask_for_room(const Tensor& tensor, const c::Expr& entries) {
  if (out_.growth == Growth::none) return;
  const std::string capacity = out_.expressions.capacity(tensor), result = out_.names.fix(tensor.name + "'result");
  const c::Expr site = out_.expressions.fault_site(FaultKind::result_too_large, {}, tensor.name);
  const std::string more = out_.prelude.use_more_room();
  out_.open();
  out_.add(set(capacity, "=", c::call(more, {c::token(result), c::token(capacity), entries, c::token("fault"), site})));
  for (const auto& [level, which] : arrays_that_grow(tensor)) {
    const std::string text = "trellis_level_of(" + result + ", " + std::to_string(level) + ")->arrays[" +
                             std::string(c_name(which)) + "].data";
    out_.add(assign_to(out_.expressions.array(tensor, level, which), "=", c::token(text)));
  }
  if (!tensor.pattern) out_.add(set(out_.names.fixed(tensor.name), "=", c::token(result + "->values.data")));
  const c::Stmt grown = out_.close();
  out_.add(c::stmt(c::If{c::binary(">", entries, c::token(capacity)), grown, {}}));
}

void Results::begin() {
  for (const Tensor& tensor : out_.flow.tensors)
    if (tensor.appends() && has_one_fiber(tensor, 0))
      out_.add(assign_to(index(out_.expressions.array(tensor, 0, Array::positions), c::number(0)), "=", c::number(0)));
  for (const auto& [name, id] : row_loops_) {
    const c::Expr positions = out_.expressions.array(*out_.flow.tensor(name), 1, Array::positions);
    const text::Origin loop{{text::Stage::flow, id}};
    out_.add(c::stmt(c::Assignment{index(positions, c::number(0)), "=", c::number(0)}, loop));
  }
}

// What is read meanwhile is empty at the start of its row, and kept at every entry.
void Results::close_row(const flow::Loop& loop, bool begins) {
  for (const std::string& name : loop.closes) {
    const Tensor& tensor = *out_.flow.tensor(name);
    if (tensor.readable != begins) continue;
    const std::string& row = out_.names.variable(loop.variable);
    const c::Expr positions = out_.expressions.array(tensor, 1, Array::positions);
    out_.add(assign_to(index(positions, sum(c::token(row), c::number(1))), "=", c::token(entries(tensor, 1))));
  }
}

// while (C_open <= last) { C_pos[C_open] = pC; C_open += 1; }
void Results::open_fibers(const Tensor& tensor, int level, c::Expr last) {
  if (has_one_fiber(tensor, level)) return;
  open_fibers_while(tensor, level, c::binary("<=", c::token(opened(tensor, level)), std::move(last)));
}

std::vector<std::string> Results::open_row_of(const flow::Stmt& loop) {
  std::vector<std::string> opened;
  for (const Tensor& tensor : out_.flow.tensors) {
    if (!tensor.appends() || tensor.scattered || tensor.readable || by_rows(tensor) || has_open_row(tensor)) continue;
    const auto row = row_in(loop, tensor);
    if (!row) continue;
    open_fibers(tensor, 1, out_.expressions.expr(*row));
    open_.insert(tensor.name);
    opened.push_back(tensor.name);
  }
  return opened;
}

void Results::leave(const std::vector<std::string>& opened) {
  for (const std::string& tensor : opened) open_.erase(tensor);
}

void Results::open_fibers_before(const Tensor& tensor, int level, c::Expr end) {
  open_fibers_while(tensor, level, c::binary("<", c::token(opened(tensor, level)), std::move(end)));
}

void Results::open_fibers_while(const Tensor& tensor, int level, c::Expr condition) {
  const std::string open_count = opened(tensor, level);
  const c::Expr positions = out_.expressions.array(tensor, level, Array::positions);
  const c::Stmt here = assign_to(index(positions, c::token(open_count)), "=", c::token(entries(tensor, level)));
  const c::Stmt body = c::stmt(c::Block{{here, set(open_count, "+=", c::number(1))}});
  out_.add(c::stmt(c::While{std::move(condition), body}));
}

void Results::freeze(const Tensor& tensor) {
  if (tensor.scattered) return;  // all fibers have their ends
  c::Expr fibers = c::number(1);
  for (int l = 0; l < levels_of(tensor); ++l) {
    const format::Facts& facts = facts_of(tensor, l);
    if (facts.dense()) {
      const c::Expr size = out_.expressions.size(tensor, l);
      const auto* one = fibers.as<c::Token>();
      fibers = one && one->text == "1" ? size : times(fibers, size);
      continue;
    }
    if (by_rows(tensor)) continue;
    if (has_one_fiber(tensor, l))
      out_.add(assign_to(index(out_.expressions.array(tensor, l, Array::positions), c::number(1)), "=",
                         c::token(entries(tensor, l))));
    else if (facts.positions) open_fibers(tensor, l, fibers);
    fibers = c::token(entries(tensor, l));
  }
}

// Fibers that are read before they are reached must look empty.
void Results::reset(const Tensor& tensor, const text::Origin& origin) {
  c::Expr fibers = c::number(1);
  bool known = true;
  for (int l = 0; l < levels_of(tensor); ++l) {
    const format::Facts& facts = facts_of(tensor, l);
    if (facts.dense()) {
      fibers = times(fibers, out_.expressions.size(tensor, l));
      continue;
    }
    if (facts.positions) {
      if (!by_rows(tensor) && !has_one_fiber(tensor, l)) out_.add(set(opened(tensor, l), "=", c::number(0)));
      out_.add(set(entries(tensor, l), "=", c::number(0)));
      const c::Expr positions = out_.expressions.array(tensor, l, Array::positions);
      if (tensor.readable && known) {
        const c::Expr size = c::call("sizeof", {c::token(array_type(tensor, l, Array::positions))});
        const c::Expr bytes = times(sum(fibers, c::number(1)), size);
        out_.add(c::stmt(c::Evaluate{c::call(out_.prelude.use_clear(), {positions, c::number(0), bytes})}, origin));
      }
    }
    known = false;
  }
}

}  // namespace trellis::emit
