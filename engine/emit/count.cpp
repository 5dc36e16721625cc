#include "engine/emit/count.hpp"

#include "engine/emit/shorthand.hpp"

namespace trellis::emit {

using flow::Tensor;
using format::Array;

namespace {

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

}  // namespace

void Counts::begin(const std::vector<const Tensor*>& tensors) {
  for (const Tensor* tensor : tensors) apart_.insert(tensor->name);
}

// C_pos[i] where rows are the iterations, else in an array of its own.
c::Expr Counts::begin_of(const Tensor& tensor, int level, c::Expr iteration) {
  if (results_.by_rows(tensor))
    return index(out_.expressions.array(tensor, level, Array::positions), std::move(iteration));
  const std::string number = counted_levels(tensor).back() == level ? "" : std::to_string(level + 1);
  const std::string wanted = tensor.name + "." + number + "'from";
  const std::string name = out_.names.fix(wanted);
  const c::Expr count = plus(out_.expressions.size(tensor, 0), c::number(1));
  memory_.hoist("int64_t", name, c::call(out_.prelude.use(Helper::allocate), {count, c::number(8)}));
  return index(c::token(name), std::move(iteration));
}

c::Expr Counts::fibers_before(const Tensor& tensor, int level, const c::Expr& iteration) {
  int above = level - 1;
  while (above > 0 && facts_of(tensor, above).dense()) --above;
  c::Expr fibers = iteration;
  if (!facts_of(tensor, above).dense()) {
    int group = above;
    while (group > 0 && facts_of(tensor, group).child == format::Child::parent) --group;
    fibers = begin_of(tensor, group, iteration);
  }
  for (int l = above + 1; l < level; ++l) fibers = times(fibers, out_.expressions.size(tensor, l));
  return fibers;
}

std::string Counts::last_seen(const Tensor& tensor, int level) {
  const std::string wanted = tensor.name + "." + std::to_string(level + 1) + "'last";
  return out_.names.fix(wanted);
}

void Counts::begin_counting(const Tensor& tensor) {
  for (const int level : counted_levels(tensor)) out_.add(variable(results_.entries(tensor, level), c::number(0)));
  for (const int level : compared_levels(tensor)) out_.add(variable(last_seen(tensor, level), c::number(-1)));
}

void Counts::count_nothing(const Tensor& tensor, c::Expr iteration) {
  const c::Expr next = sum(std::move(iteration), c::number(1));
  for (const int level : counted_levels(tensor)) out_.add(assign_to(begin_of(tensor, level, next), "=", c::number(0)));
}

void Counts::end_counting(const Tensor& tensor, c::Expr iteration) {
  const c::Expr next = sum(std::move(iteration), c::number(1));
  for (const int level : counted_levels(tensor))
    out_.add(assign_to(begin_of(tensor, level, next), "=", c::token(results_.entries(tensor, level))));
}

// Of an outer level, if it is not the one that the entry before went to.
void Counts::count(const Tensor& tensor, const std::vector<std::string>& coordinates) {
  const std::vector<int> compared = compared_levels(tensor);
  int begin = 0;
  for (const int level : counted_levels(tensor)) {
    const int end = last_of_group(tensor, level);
    const c::Expr entries = c::token(results_.entries(tensor, level));
    const c::Stmt more = assign_to(entries, "+=", c::number(1));
    if (end + 1 == levels_of(tensor)) return out_.add(more);
    c::Expr differs;
    out_.open();
    for (const int l : compared) {
      if (l < begin) continue;
      const std::string last = last_seen(tensor, l);
      if (l > end) {
        out_.add(set(last, "=", c::number(-1)));
        continue;
      }
      const std::string& coordinate = coordinates[static_cast<std::size_t>(l)];
      const c::Expr one = c::binary("!=", c::token(coordinate), c::token(last));
      differs = differs ? c::binary("||", differs, one) : one;
      out_.add(set(last, "=", c::token(coordinate)));
    }
    if (!differs) differs = c::binary("==", entries, c::number(0));
    out_.add(more);
    const c::Stmt fresh = out_.close();
    out_.add(c::stmt(c::If{differs, fresh, {}}));
    begin = end + 1;
  }
}

void Counts::add_up(const std::string& variable, const Tensor& tensor, const c::Expr& low, const c::Expr& high) {
  const std::vector<int> levels = counted_levels(tensor);
  if (!results_.by_rows(tensor))
    for (const int level : levels) {
      if (level == 0) results_.open_fibers(tensor, level, c::number(0));
      else if (!is_zero(low)) results_.open_fibers_before(tensor, level, fibers_before(tensor, level, low));
      out_.add(assign_to(begin_of(tensor, level, low), "=", c::token(results_.entries(tensor, level))));
    }
  out_.open();
  const std::string i = out_.bind(variable);
  for (const int level : levels) {
    const c::Expr next = begin_of(tensor, level, sum(c::token(i), c::number(1)));
    out_.add(set(results_.entries(tensor, level), "+=", next));
    out_.add(assign_to(next, "=", c::token(results_.entries(tensor, level))));
  }
  const c::Stmt body = out_.close();
  out_.add(c::stmt(c::For{i, low, c::binary("<", c::token(i), high), i + "++", body}));
  stop_if_too_large(tensor);
}

void Counts::stop_if_too_large(const Tensor& tensor) {
  for (const int level : counted_levels(tensor))
    results_.ask_for_room(tensor, c::token(results_.entries(tensor, level)));
  c::Expr too_many;
  for (const int level : counted_levels(tensor)) {
    const c::Expr entries = c::token(results_.entries(tensor, level));
    const c::Expr one = c::binary(">", entries, c::token(out_.expressions.capacity(tensor)));
    too_many = too_many ? c::binary("||", too_many, one) : one;
  }
  memory_.may_return();
  const c::Expr kind = c::number(static_cast<int>(FaultKind::result_too_large));
  const c::Expr site = out_.expressions.fault_site(FaultKind::result_too_large, {}, tensor.name);
  const c::Expr recorded = c::call(out_.prelude.use(Helper::record), {c::token("fault"), kind, site});
  out_.add(c::stmt(c::If{too_many, c::stmt(c::Block{{c::stmt(c::Return{recorded})}}), {}}));
}

void Counts::begin_filling(const Tensor& tensor, const c::Expr& iteration) {
  for (const int level : counted_levels(tensor))
    out_.add(variable(results_.entries(tensor, level), begin_of(tensor, level, iteration)));
  if (results_.by_rows(tensor)) return;
  for (const int level : counted_levels(tensor))
    if (level > 0) out_.add(variable(results_.opened(tensor, level), fibers_before(tensor, level, iteration)));
}

void Counts::end_filling(const Tensor& tensor, const c::Expr& iteration) {
  if (results_.by_rows(tensor)) return;
  const c::Expr next = sum(iteration, c::number(1));
  for (const int level : counted_levels(tensor))
    if (level > 0) results_.open_fibers_before(tensor, level, fibers_before(tensor, level, next));
}

void Counts::finish(const Tensor& tensor, const c::Expr& high) {
  if (results_.by_rows(tensor)) return;
  for (const int level : counted_levels(tensor)) {
    if (level > 0) out_.add(set(results_.opened(tensor, level), "=", fibers_before(tensor, level, high)));
    const c::Expr positions = out_.expressions.array(tensor, level, Array::positions);
    const c::Expr end = index(positions, c::token(results_.opened(tensor, level)));
    if (tensor.readable) out_.add(assign_to(end, "=", c::token(results_.entries(tensor, level))));
  }
}

}  // namespace trellis::emit
