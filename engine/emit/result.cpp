#include "engine/emit/result.hpp"

#include <algorithm>

#include "engine/emit/shorthand.hpp"

namespace trellis::emit {

using flow::Tensor;
using format::Array;

namespace {

/// The statements that run exactly once, whatever the data are.
template <class Visit>
void for_each_once(const flow::Stmt& s, const Visit& visit) {
  visit(s);
  if (const auto* seq = s.as<flow::Seq>())
    for (const flow::Stmt& inner : seq->statements) for_each_once(inner, visit);
  if (const auto* let = s.as<flow::Let>()) for_each_once(let->body, visit);
  if (const auto* locate = s.as<flow::Locate>()) for_each_once(locate->body, visit);
}

/// How many statements append to the tensor; with `row`, only where that is the first coordinate.
int appends(const flow::Stmt& in, const Tensor& tensor, const std::string& row) {
  int total = 0;
  for_each_stmt(in, [&](const flow::Stmt& s) {
    const auto* a = s.as<flow::Append>();
    if (!a || a->tensor != tensor.name || a->counted) return;
    const auto* at = a->coordinates[0].as<flow::Name>();
    total += row.empty() || (at && at->name == row && at->kind == flow::Name::Kind::variable);
  });
  return total;
}

/// Is it a loop through all rows of the tensor, one after another or counted before?
bool goes_through_rows(const flow::Loop& l, const Tensor& tensor) {
  if (l.direction != flow::Loop::Direction::up || l.until) return false;
  if (l.execution == flow::Loop::Execution::parallel && !l.counting) return false;
  const auto* low = l.low.as<flow::Constant>();
  return low && low->value.integer == 0 && l.high == tensor.levels[0].size;
}

/// The loops that go through all rows of a result, and in which all entries are appended to the row that they are at.
std::map<std::string, int> find_row_loops(const flow::Flow& flow) {
  std::map<std::string, int> loops;
  for (const Tensor& tensor : flow.tensors) {
    if (tensor.storage != Tensor::Storage::result || tensor.levels.size() != 2) continue;
    if (!facts_of(tensor, 0).dense() || facts_of(tensor, 1).dense()) continue;
    const int all = appends(flow.root, tensor, "");
    if (all == 0) continue;
    std::vector<int> found;
    for_each_once(flow.root, [&](const flow::Stmt& s) {
      const auto* l = s.as<flow::Loop>();
      if (l && goes_through_rows(*l, tensor) && appends(s, tensor, l->variable) == all) found.push_back(s.id());
    });
    if (found.size() == 1) loops[tensor.name] = found.front();
  }
  return loops;
}

}  // namespace

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

Results::Results(Context& out, Memory& memory) : out_(out), memory_(memory), row_loops_(find_row_loops(out.flow)) {}

std::string Results::counter(const std::string& wanted) {
  const std::string name = out_.names.fix("#" + wanted, wanted);
  if (counters_.insert(name).second) memory_.declare_at_top(variable(name, c::number(0)));
  return name;
}

std::string Results::entries(const Tensor& tensor, int level) {
  while (facts_of(tensor, level).child == format::Child::parent && level > 0) --level;
  const bool innermost = last_of_group(tensor, level) == last_sparse(tensor);
  return counter("p" + tensor.name + (innermost ? "" : std::to_string(level + 1)));
}

std::string Results::opened(const Tensor& tensor, int level) {
  const bool innermost = last_of_group(tensor, level) == last_sparse(tensor);
  return counter(tensor.name + "_open" + (innermost ? "" : std::to_string(level + 1)));
}

void Results::begin() {
  for (const auto& [name, id] : row_loops_) {
    const c::Expr positions = out_.expressions.array(*out_.flow.tensor(name), 1, Array::positions);
    const text::Origin loop{{text::Stage::cfir, id}};
    out_.add(c::stmt(c::Assignment{index(positions, c::number(0)), "=", c::number(0)}, loop));
  }
}

bool Results::closes_rows(const flow::Stmt& loop) const {
  return std::ranges::any_of(row_loops_, [&](const auto& row) { return row.second == loop.id(); });
}

// What is read meanwhile is empty at the start of its row, and kept at every entry.
void Results::close_rows(const flow::Stmt& loop, bool begins) {
  for (const auto& [name, id] : row_loops_) {
    if (id != loop.id()) continue;
    const Tensor& tensor = *out_.flow.tensor(name);
    if (read_meanwhile(tensor) != begins) continue;
    const std::string& row = out_.names.variable(loop.as<flow::Loop>()->variable);
    const c::Expr positions = out_.expressions.array(tensor, 1, Array::positions);
    out_.add(assign_to(index(positions, sum(c::token(row), c::number(1))), "=", c::token(entries(tensor, 1))));
  }
}

bool Results::read_meanwhile(const Tensor& tensor) const {
  bool found = false;
  for_each_stmt(out_.flow.root, [&](const flow::Stmt& s) {
    if (const auto* l = s.as<flow::Locate>()) found |= l->tensor == tensor.name;
    if (const auto* c = s.as<flow::Coiterate>())
      for (const flow::Cursor& cursor : c->cursors) found |= cursor.tensor == tensor.name;
  });
  return found;
}

// while (C_open <= last) { C_pos[C_open] = pC; C_open += 1; }
void Results::open_fibers(const Tensor& tensor, int level, c::Expr last) {
  open_fibers_while(tensor, level, c::binary("<=", c::token(opened(tensor, level)), std::move(last)));
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
    if (facts.positions) open_fibers(tensor, l, fibers);
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
      if (!by_rows(tensor)) out_.add(set(opened(tensor, l), "=", c::number(0)));
      out_.add(set(entries(tensor, l), "=", c::number(0)));
      const c::Expr positions = out_.expressions.array(tensor, l, Array::positions);
      if (read_meanwhile(tensor) && known) {
        const c::Expr size = c::call("sizeof", {c::token(array_type(tensor, l, Array::positions))});
        const c::Expr bytes = times(sum(fibers, c::number(1)), size);
        out_.add(c::stmt(c::Evaluate{c::call(out_.prelude.use_clear(), {positions, c::number(0), bytes})}, origin));
      }
    }
    known = false;
  }
}

}  // namespace trellis::emit
