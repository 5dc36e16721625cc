// Loops whose iterations run on several threads. What an iteration needs for itself, its thread allocates once:
//
//   #pragma omp parallel                       #pragma omp parallel for
//   {                                          for (int64_t i = 0; i < m; i++) {        count_then_fill: twice, and in
//     double *w = …;                             int64_t pC = 0;                        between counts become positions
//     #pragma omp for                            … pC += 1;                             (coiterate/count_appends.hpp)
//     for (int64_t i = 0; i < m; i++) …          C_pos[i + 1] = pC;
//     free(w);                                 }
//   }

#include <functional>

#include "engine/emit/shorthand.hpp"
#include "engine/emit/statement.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::emit {

namespace {

using flow::Loop;
using flow::Tensor;
using format::Array;
using format::ReduceOp;

/// The one operation by which the statements update the tensor.
std::optional<ReduceOp> reduction_of(const flow::Stmt& stmt, const std::string& tensor) {
  std::optional<ReduceOp> found;
  bool mixed = false;
  for_each_stmt(stmt, [&](const flow::Stmt& s) {
    const auto* a = s.as<flow::Assign>();
    if (!a || a->tensor != tensor) return;
    mixed |= !a->op || (found && *found != *a->op);
    found = a->op;
  });
  return mixed ? std::nullopt : found;
}

std::string_view clause(ReduceOp op) {
  switch (op) {
    case ReduceOp::sum: return "+";
    case ReduceOp::prod: return "*";
    case ReduceOp::min: return "min";
    case ReduceOp::max: return "max";
    case ReduceOp::any: return "||";
    case ReduceOp::all: return "&&";
    case ReduceOp::argmin:
    case ReduceOp::argmax:
    case ReduceOp::user: break;
  }
  return "+";
}

/// Do the statements use the elements, rather than only insert and walk coordinates?
bool has_values(const flow::Stmt& stmt, const std::string& tensor) {
  bool found = false;
  const auto in_expr = [&](const auto& self, const flow::Expr& e) -> void {
    const auto* v = e.as<flow::Value>();
    found |= v && v->tensor == tensor;
    flow::map_children(e, [&](const flow::Expr& child) {
      self(self, child);
      return child;
    });
  };
  for_each_stmt(stmt, [&](const flow::Stmt& s) {
    const auto* a = s.as<flow::Assign>();
    found |= a && a->tensor == tensor;
    flow::map_children(s, [](const flow::Stmt& child) { return child; },
                            [&](const flow::Expr& e) {
                              in_expr(in_expr, e);
                              return e;
                            });
  });
  return found;
}

int levels_of(const Tensor& tensor) { return static_cast<int>(tensor.levels.size()); }

/// The sparse levels that count their entries, outermost first: singletons go with the level above.
std::vector<int> counted_levels(const Tensor& tensor) {
  std::vector<int> levels;
  for (int l = 0; l < levels_of(tensor); ++l)
    if (!facts_of(tensor, l).dense() && (l == 0 || facts_of(tensor, l).child != format::Child::parent))
      levels.push_back(l);
  return levels;
}

/// The last of the singletons that have an entry for each one of the level.
int last_of_group(const Tensor& tensor, int level) {
  while (level + 1 < levels_of(tensor) && facts_of(tensor, level + 1).child == format::Child::parent) ++level;
  return level;
}

/// Levels whose coordinates tell whether an entry of an outer sparse level is new; the first is the iteration's own.
std::vector<int> compared_levels(const Tensor& tensor) {
  std::vector<int> levels;
  for (const int level : counted_levels(tensor)) {
    const int end = last_of_group(tensor, level);
    if (end + 1 == levels_of(tensor)) break;
    for (int l = levels.empty() ? 1 : levels.back() + 1; l <= end; ++l) levels.push_back(l);
  }
  return levels;
}

std::vector<const Tensor*> appended_in(const flow::Flow& flow, const flow::Stmt& body) {
  std::vector<const Tensor*> tensors;
  for_each_stmt(body, [&](const flow::Stmt& s) {
    const auto* a = s.as<flow::Append>();
    if (a) add_once(tensors, flow.tensor(a->tensor));
  });
  return tensors;
}

}  // namespace

std::string Statements::clauses(const std::vector<std::string>& reduces, const flow::Stmt& body) {
  std::string text;
  for (const std::string& name : reduces) {
    const Tensor& tensor = *flow_.tensor(name);
    const bool local = tensor.levels.empty() && workspace(tensor);
    const std::optional<ReduceOp> op = reduction_of(body, name);
    if (local && op) text += " reduction(" + std::string(clause(*op)) + ":" + names_.fixed(name) + ")";
    else shared_.insert(name);
  }
  return text;
}

Statements::Room Statements::private_room(const flow::Stmt& body) {
  // The cases of a lattice declare the same one again.
  std::vector<const Tensor*> own;
  for_each_stmt(body, [&](const flow::Stmt& s) {
    const auto* d = s.as<flow::Declare>();
    if (d && !flow_.tensor(d->tensor)->levels.empty()) add_once(own, flow_.tensor(d->tensor));
  });
  Room room;
  room_ = &room;
  for (const Tensor* tensor : own) {
    if (tensor->sparse() && !has_values(body, tensor->name)) valueless_.insert(tensor->name);
    declared_workspaces_.erase(tensor->name);
    declare(*tensor, nullptr, {});
  }
  room_ = &top_;
  return room;
}

void Statements::on_threads(const std::string& variable, const flow::Stmt& body, const std::string& clauses,
                            const std::function<void()>& loop) {
  open();
  const Room room = private_room(body);
  close();  // small arrays stand where they are declared
  const bool alone = room.arrays.empty() && room.declarations.empty();
  if (alone) {
    add(c::stmt(c::Pragma{"omp parallel for" + clauses}));
  } else {
    refused_ = true;
    open();
    c::Expr ready;
    for (const Room::Array& array : room.arrays) {
      add(c::stmt(c::Declaration{array.type + " *restrict", array.name, {}, array.memory}, array.origin));
      ready = ready ? c::binary("&&", ready, c::token(array.name)) : c::token(array.name);
    }
    for (const c::Stmt& s : room.declarations) add(s);
    if (ready) {
      ready_ = bind("ready");
      add(c::stmt(c::Declaration{"const int", ready_, {}, room.arrays.size() > 1 ? ready : c::binary("!=", ready, c::number(0))}));
      c::Stmt note = c::stmt(c::Block{{c::stmt(c::Pragma{"omp atomic write"}), set("refused", "=", c::number(1))}});
      add(c::stmt(c::If{c::expr(c::Unary{"!", c::token(ready_)}), note, {}}));
    }
    add(c::stmt(c::Pragma{"omp for" + clauses}));
  }
  landing_ = "next_" + variable + (landings_++ > 0 ? std::to_string(landings_) : "");
  loop();
  shared_.clear();
  valueless_.clear();
  if (alone) return;
  for (const c::Stmt& s : room.releases) add(s);
  for (const Room::Array& array : room.arrays) add(release(array));
  c::Stmt region = close();
  add(c::stmt(c::Pragma{"omp parallel"}));
  add(region);
}

// At the start of an iteration.
void Statements::skip_without_memory() {
  if (parallel_depth_ != 1 || ready_.empty()) return;
  add(c::stmt(c::If{c::expr(c::Unary{"!", c::token(ready_)}), c::stmt(c::Block{{c::stmt(c::Continue{})}}), {}}));
  ready_.clear();
}

c::Stmt Statements::give_up() {
  if (parallel_depth_ == 0) return c::stmt(c::Block{{c::stmt(c::Return{c::number(1)})}});
  refused_ = lands_ = true;
  return c::stmt(c::Block{{c::stmt(c::Pragma{"omp atomic write"}), set("refused", "=", c::number(1)), c::stmt(c::Goto{landing_})}});
}

void Statements::land() {
  if (lands_) add(c::stmt(c::Label{landing_}));
  lands_ = false;
}

void Statements::count_then_fill(const Loop& l, c::Expr low, c::Expr high, const text::Origin& origin) {
  const std::vector<const Tensor*> tensors = appended_in(flow_, l.body);
  if (!is_zero(low)) {
    // No iteration begins behind the last row.
    const std::string first = bind(l.variable + "_first");
    add(constant(first, c::expr(c::Conditional{c::binary("<", low, high), low, high})));
    low = c::token(first);
  }
  for (const Tensor* tensor : tensors) apart_.insert(tensor->name);
  const auto iterations = [&](const flow::Stmt& body, bool fills) {
    open();
    const std::string i = bind(l.variable);
    ++parallel_depth_;
    skip_without_memory();
    for (const Tensor* tensor : tensors) fills ? begin_filling(*tensor, c::token(i)) : begin_counting(*tensor);
    stmt(body, false);
    for (const Tensor* tensor : tensors) fills ? end_filling(*tensor, c::token(i)) : end_counting(*tensor, c::token(i));
    --parallel_depth_;
    land();
    c::Stmt block = close();
    add(c::stmt(c::For{i, low, c::binary("<", c::token(i), high), i + "++", block}, origin));
  };
  on_threads(l.variable, *l.counting, "", [&] { iterations(*l.counting, false); });
  if (refused_) add(c::stmt(c::If{c::token("refused"), c::stmt(c::Block{{c::stmt(c::Return{c::number(1)})}}), {}}));
  for (const Tensor* tensor : tensors) add_up(l.variable, *tensor, low, high);
  on_threads(l.variable, l.body, clauses(l.reduces, l.body), [&] { iterations(l.body, true); });
  for (const Tensor* tensor : tensors)
    for (const int level : counted_levels(*tensor)) {
      if (row_loops_.count(tensor->name)) continue;
      if (level > 0) add(set(opened(*tensor, level), "=", fibers_before(*tensor, level, high)));
      c::Expr end = index(expressions_.array(*tensor, level, Array::positions), c::token(opened(*tensor, level)));
      if (read_meanwhile(*tensor)) add(assign_to(end, "=", c::token(entries(*tensor, level))));
    }
  apart_.clear();
}

// Where the entries of an iteration begin: C_pos[i] where rows are the iterations, else in an array of its own.
c::Expr Statements::begin_of(const Tensor& tensor, int level, c::Expr iteration) {
  if (row_loops_.count(tensor.name)) return index(expressions_.array(tensor, level, Array::positions), std::move(iteration));
  const std::string wanted = tensor.name + (counted_levels(tensor).back() == level ? "" : std::to_string(level + 1)) + "_from";
  const std::string name = names_.fix("#" + wanted, wanted);
  c::Expr count = plus(expressions_.expr(tensor.levels[0].size), c::number(1));
  hoist("int64_t", name, c::call(prelude_.use(Helper::allocate), {count, c::number(8)}));
  return index(c::token(name), std::move(iteration));
}

// How many fibers of the level come before those of the iteration.
c::Expr Statements::fibers_before(const Tensor& tensor, int level, c::Expr iteration) {
  int above = level - 1;
  while (above > 0 && facts_of(tensor, above).dense()) --above;
  c::Expr fibers = iteration;
  if (!facts_of(tensor, above).dense()) {
    int group = above;
    while (group > 0 && facts_of(tensor, group).child == format::Child::parent) --group;
    fibers = begin_of(tensor, group, iteration);
  }
  for (int l = above + 1; l < level; ++l) fibers = times(fibers, expressions_.expr(tensor.levels[static_cast<std::size_t>(l)].size));
  return fibers;
}

void Statements::begin_counting(const Tensor& tensor) {
  for (const int level : counted_levels(tensor)) add(variable(entries(tensor, level), c::number(0)));
  for (const int level : compared_levels(tensor)) add(variable(last_seen(tensor, level), c::number(-1)));
}

void Statements::end_counting(const Tensor& tensor, c::Expr iteration) {
  for (const int level : counted_levels(tensor))
    add(assign_to(begin_of(tensor, level, sum(iteration, c::number(1))), "=", c::token(entries(tensor, level))));
}

std::string Statements::last_seen(const Tensor& tensor, int level) {
  const std::string wanted = tensor.name + std::to_string(level + 1) + "_last";
  return names_.fix("#" + wanted, wanted);
}

// One entry more; of an outer level, if it is not the one that the entry before went to.
void Statements::count(const Tensor& tensor, const std::vector<std::string>& coordinates) {
  const std::vector<int> compared = compared_levels(tensor);
  int begin = 0;
  for (const int level : counted_levels(tensor)) {
    const int end = last_of_group(tensor, level);
    c::Stmt more = set(entries(tensor, level), "+=", c::number(1));
    if (end + 1 == levels_of(tensor)) return add(more);
    c::Expr differs;
    open();
    for (const int l : compared) {
      if (l < begin) continue;
      const std::string last = last_seen(tensor, l);
      if (l > end) {
        add(set(last, "=", c::number(-1)));
        continue;
      }
      const std::string& coordinate = coordinates[static_cast<std::size_t>(l)];
      c::Expr one = c::binary("!=", c::token(coordinate), c::token(last));
      differs = differs ? c::binary("||", differs, one) : one;
      add(set(last, "=", c::token(coordinate)));
    }
    if (!differs) differs = c::binary("==", c::token(entries(tensor, level)), c::number(0));
    add(more);
    c::Stmt fresh = close();
    add(c::stmt(c::If{differs, fresh, {}}));
    begin = end + 1;
  }
}

// The counts of the iterations become the numbers of their first entries.
void Statements::add_up(const std::string& variable, const Tensor& tensor, c::Expr low, c::Expr high) {
  const std::vector<int> levels = counted_levels(tensor);
  if (!row_loops_.count(tensor.name))
    for (const int level : levels) {
      if (level == 0) open_fibers(tensor, level, c::number(0));
      else if (!is_zero(low)) open_fibers_before(tensor, level, fibers_before(tensor, level, low));
      add(assign_to(begin_of(tensor, level, low), "=", c::token(entries(tensor, level))));
    }
  open();
  const std::string i = bind(variable);
  for (const int level : levels) {
    c::Expr next = begin_of(tensor, level, sum(c::token(i), c::number(1)));
    add(set(entries(tensor, level), "+=", next));
    add(assign_to(next, "=", c::token(entries(tensor, level))));
  }
  c::Stmt body = close();
  add(c::stmt(c::For{i, low, c::binary("<", c::token(i), high), i + "++", body}));
  c::Expr too_many;
  for (const int level : levels) {
    c::Expr one = c::binary(">", c::token(entries(tensor, level)), c::token(expressions_.capacity(tensor)));
    too_many = too_many ? c::binary("||", too_many, one) : one;
  }
  gives_up_ = true;
  c::Expr kind = c::number(static_cast<int>(FaultKind::result_too_large));
  c::Expr site = expressions_.fault_site(FaultKind::result_too_large, {}, tensor.name);
  c::Stmt stop = c::stmt(c::Return{c::call(prelude_.use(Helper::record), {c::token("fault"), kind, site})});
  add(c::stmt(c::If{too_many, c::stmt(c::Block{{stop}}), {}}));
}

void Statements::begin_filling(const Tensor& tensor, c::Expr iteration) {
  for (const int level : counted_levels(tensor)) add(variable(entries(tensor, level), begin_of(tensor, level, iteration)));
  if (row_loops_.count(tensor.name)) return;
  for (const int level : counted_levels(tensor))
    if (level > 0) add(variable(opened(tensor, level), fibers_before(tensor, level, iteration)));
}

void Statements::end_filling(const Tensor& tensor, c::Expr iteration) {
  if (row_loops_.count(tensor.name)) return;
  for (const int level : counted_levels(tensor))
    if (level > 0) open_fibers_before(tensor, level, fibers_before(tensor, level, sum(iteration, c::number(1))));
}

}  // namespace trellis::emit
