#include "engine/lazy/nest_cost.hpp"

#include <algorithm>
#include <numeric>

#include "engine/cost/machine.hpp"

namespace trellis::lazy {

namespace cycles = cost::cycles;

bool Storage::dense() const {
  return std::ranges::none_of(levels, [](const Level& level) { return level.sparse; });
}

Storage Storage::dense_of(const std::vector<int>& fields) {
  Storage s;
  for (const int field : fields) s.levels.push_back({field, false});
  return s;
}

Storage Storage::sparse_of(const std::vector<int>& fields) {
  Storage s;
  for (const int field : fields) s.levels.push_back({field, fields.size() != 2 || !s.levels.empty()});
  return s;
}

namespace {

constexpr double element_bytes = 8;
/// A result of so many bytes is in memory that was used before.
constexpr double pooled_bytes = 1e5;
/// All orders of so many loops are costed.
constexpr std::size_t most_permuted_loops = 6;

FieldSet bit(int field) { return FieldSet{1} << field; }

std::size_t place_of(int field, const std::vector<int>& order) {
  return static_cast<std::size_t>(std::ranges::find(order, field) - order.begin());
}

/// Its levels come in the order of the loops.
bool is_walked(const Storage& storage, const std::vector<int>& order) {
  return std::ranges::is_sorted(storage.levels, {}, [&](const Storage::Level& l) { return place_of(l.field, order); });
}

/// Cycles of one access somewhere in so many bytes; of those, half find the line that a neighbour has brought.
double miss(double bytes) {
  const cost::Machine machine;
  return bytes < machine.caches[1] ? 0 : machine.scattered[bytes < machine.caches[2] ? 1 : 2] / 2;
}

}  // namespace

double first_touch(double bytes, Memory memory) {
  const double fresh = memory == Memory::of_a_child ? cycles::fresh_in_child : cycles::fresh_element;
  return std::max(0.0, bytes - pooled_bytes) / element_bytes * fresh;
}

NestCost::NestCost(const Fields& fields, std::vector<Source> sources, FieldSet kept, FieldSet over, Memory memory,
                   Sums sums)
    : fields_(fields), sources_(std::move(sources)), kept_(kept), over_(over), memory_(memory), sums_(sums) {}

/// Each element of the result adds up what it is made of in the order of the reduced loops, wherever the others stand.
bool NestCost::is_allowed(const std::vector<int>& order) const {
  if (sums_ == Sums::reassociated) return true;
  std::vector<int> reduced;
  std::ranges::copy_if(order, std::back_inserter(reduced), [&](int field) { return (over_ & bit(field)) != 0; });
  return std::ranges::is_sorted(reduced);
}

double NestCost::volume(FieldSet set) const {
  double points = 1;
  for (std::size_t f = 0; f < fields_.size(); ++f)
    if (set & bit(static_cast<int>(f))) points *= size(static_cast<int>(f));
  return points;
}

const Statistics& NestCost::projected(int source, FieldSet onto) {
  const Source& s = sources_[static_cast<std::size_t>(source)];
  if (onto == s.fields) return s.stored;
  if (const auto found = s.projections->find(onto); found != s.projections->end()) return found->second;
  Fields gone;
  for (std::size_t f = 0; f < fields_.size(); ++f)
    if (!(onto & bit(static_cast<int>(f)))) gone.push_back(fields_[f]);
  return s.projections->emplace(onto, reduced(s.stored, common(s.stored.fields, gone))).first->second;
}

/// How often the body of the loops `before` runs; with a source that leads the next one, over `field`, how many of its
/// entries are walked there. Sources are taken to know nothing of each other.
double NestCost::joined(FieldSet before, int lead, int field) {
  const auto key = std::pair(std::pair(before, lead), field);
  if (const auto found = joins_.find(key); found != joins_.end()) return found->second;
  const auto first_of = [&](int source) {
    const int same = sources_[static_cast<std::size_t>(source)].same_as;
    return same >= 0 ? same : source;
  };
  std::vector<const Statistics*> parts;
  const FieldSet upto = lead >= 0 ? before | bit(field) : before;
  FieldSet covered = 0;
  for (int s = 0; s < static_cast<int>(sources_.size()); ++s) {
    const Source& source = sources_[static_cast<std::size_t>(s)];
    const FieldSet reached = source.fields & before;
    if (source.full || !reached || first_of(s) != s || (lead >= 0 && first_of(lead) == s)) continue;
    parts.push_back(&projected(s, reached));
    covered |= reached;
  }
  if (lead >= 0) {
    const FieldSet reached = sources_[static_cast<std::size_t>(lead)].fields & upto;
    parts.push_back(&projected(lead, reached));
    covered |= reached;
  }
  const double entries = joined_entries(parts) * volume(upto & ~covered);
  return joins_[key] = entries;
}

const Statistics& NestCost::result() {
  if (result_) return *result_;
  std::vector<Statistics> parts;
  Fields over, all;
  for (std::size_t f = 0; f < fields_.size(); ++f) {
    if (over_ & bit(static_cast<int>(f))) over.push_back(fields_[f]);
    if (all_fields() & bit(static_cast<int>(f))) all.push_back(fields_[f]);
  }
  for (const Source& source : sources_)
    if (!source.full && source.same_as < 0) parts.push_back(source.stored);
  return result_.emplace(reduced(repeated(lazy::joined(parts), all), over));
}

std::vector<bool> NestCost::against_storage(const std::vector<int>& order) const {
  std::vector<bool> against;
  for (const Source& source : sources_)
    against.push_back(std::ranges::any_of(
        source.parts, [&](const Storage& part) { return !part.dense() && !is_walked(part, order); }));
  return against;
}

/// Does a loop over the field walk entries of the source? Rows of csr are no cursor.
bool NestCost::leads(const Source& source, bool copied, int field, const std::vector<int>& order) const {
  if (source.full || !(source.fields & bit(field))) return false;
  if (!copied)
    return std::ranges::any_of(source.parts, [&](const Storage& part) {
      return std::ranges::find(part.levels, Storage::Level{field, true}) != part.levels.end();
    });
  std::vector<int> own;
  for (const int f : order)
    if (source.fields & bit(f)) own.push_back(f);
  return contains(Storage::sparse_of(own).levels, Storage::Level{field, true});
}

double NestCost::loops(const std::vector<int>& order, const std::vector<bool>& copied, double& iterations,
                       double& steps) {
  double total = 0, entered = 1;
  FieldSet before = 0;
  for (const int field : order) {
    double walked = 0, unit = cycles::step;
    int cursors = 0;
    for (std::size_t s = 0; s < sources_.size(); ++s)
      if (leads(sources_[s], copied[s], field, order)) {
        walked += joined(before, static_cast<int>(s), field);
        if (sources_[s].parts.size() > 1) unit += cycles::merge_step;
        ++cursors;
      }
    if (cursors == 0) walked = entered * size(field);
    if (cursors > 1) unit += cycles::merge_step - cycles::step;  // all are walked to the end
    total += entered * cycles::entry + walked * unit;
    before |= bit(field);
    entered = joined(before, -1, 0);
    steps = walked;
  }
  iterations = entered;
  return total;
}

std::vector<std::vector<double>> NestCost::walked(const std::vector<int>& order, const std::vector<bool>& copied) {
  std::vector<std::vector<double>> all;
  FieldSet before = 0;
  for (const int field : order) {
    const double runs = joined(before, -1, 0);
    all.emplace_back(sources_.size(), 0.0);
    for (std::size_t s = 0; s < sources_.size(); ++s)
      if (runs > 0 && leads(sources_[s], copied[s], field, order))
        all.back()[s] = joined(before, static_cast<int>(s), field) / runs;
    before |= bit(field);
  }
  return all;
}

double NestCost::clearing(const std::vector<int>& fields, const OrderCost& reader) {
  FieldSet all = 0, before = 0;
  for (const int field : fields) all |= bit(field);
  const double elements = volume(all) * cycles::cleared_element;
  double walked = 0;
  for (const int field : reader.order) {
    all &= ~bit(field);
    if (all == 0) {  // the innermost of them
      for (std::size_t s = 0; s < sources_.size(); ++s)
        if (leads(sources_[s], reader.copied[s], field, reader.order))
          walked += joined(before, static_cast<int>(s), field);
      break;
    }
    before |= bit(field);
  }
  return walked > 0 ? std::min(elements, walked * cycles::cleared_entry) : elements;
}

double NestCost::body(const std::vector<int>& order, bool& plain) const {
  const int inner = order.back();
  double cost = cycles::update;
  plain = true;
  for (const Source& source : sources_) {
    if (!source.full && source.fields & bit(inner)) plain = false;
    for (const Storage& part : source.parts) {
      if (!part.dense() || part.levels.empty()) continue;
      const int last = part.levels.back().field, outermost = part.levels.front().field;
      double bytes = element_bytes;
      for (const Storage::Level& level : part.levels) bytes *= size(level.field);
      // Of those with the same first coordinate, all are near where that loop is not the innermost one.
      if (outermost != inner) bytes /= std::max(1.0, size(outermost));
      plain &= last == inner || !(source.fields & bit(inner));
      cost += cycles::dense_operand + (last == inner ? 0 : miss(bytes));
    }
  }
  return cost;
}

void NestCost::write(const std::vector<int>& order, const std::vector<int>& result, Writes writes, double& update,
                     double& total) {
  std::vector<std::size_t> at;
  for (const int field : result) at.push_back(place_of(field, order));
  const std::size_t last = at.empty() ? 0 : *std::ranges::max_element(at) + 1;
  const bool innermost = last == order.size();
  const double elements = volume(kept_), bytes = elements * element_bytes;
  if (writes == Writes::row) {
    update += cycles::dense_operand / 2;
    return;
  }
  if (writes == Writes::dense) {
    if (!result.empty() && innermost) update += result.back() == order.back() ? cycles::dense_operand : miss(bytes);
    total += first_touch(bytes, memory_);
    return;
  }
  const double entries = this->result().entries;
  total += entries * cycles::result_entry;
  const bool in_order = std::ranges::is_sorted(at);
  bool rows = in_order;  // of all but the last field, outermost
  for (std::size_t k = 0; k + 1 < at.size(); ++k) rows = rows && at[k] == k;
  const bool at_once =
      in_order && std::ranges::none_of(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(last),
                                       [&](int field) { return over_ & bit(field); });
  if (at_once) return;
  total += entries * (rows ? cycles::row_entry : cycles::whole_entry);
  update += rows ? cycles::row_update : cycles::whole_update;
}

double NestCost::cycles(const std::vector<int>& order, const std::vector<bool>& copied, const std::vector<int>& result,
                        Writes writes) {
  double total = 0, iterations = 1, steps = 1;
  for (std::size_t s = 0; s < sources_.size(); ++s)
    if (copied[s]) total += cycles::copied_entry * sources_[s].entries;
  total += loops(order, copied, iterations, steps);
  bool plain = false;
  double update = order.empty() ? cycles::update : body(order, plain);
  write(order, result, writes, update, total);
  if (plain) total -= steps * cycles::step * (1 - cycles::vector_share);
  return total + iterations * update * (plain ? cycles::vector_share : 1);
}

OrderCost NestCost::cheapest(const std::vector<int>& result, Writes writes, const std::vector<int>& first) {
  std::vector<int> rest;
  for (int field = 0; field < static_cast<int>(fields_.size()); ++field)
    if (all_fields() & bit(field) && !contains(first, field)) rest.push_back(field);
  OrderCost best;
  const auto attempt = [&](const std::vector<int>& inner) {
    std::vector<int> order = first;
    order.insert(order.end(), inner.begin(), inner.end());
    if (!is_allowed(order)) return false;
    std::vector<bool> copied = against_storage(order);
    const double cost = cycles(order, copied, result, writes);
    const bool better = best.copied.size() != copied.size() || cost < best.cycles;
    if (better) best = {cost, std::move(order), std::move(copied)};
    return better;
  };
  attempt(rest);
  if (rest.size() <= most_permuted_loops) {
    while (std::ranges::next_permutation(rest).found) attempt(rest);
    return best;
  }
  // Of so many loops, one at a time is moved to where that is cheapest, until none is.
  for (bool better = true; better;) {
    better = false;
    for (std::size_t from = 0; from < rest.size() && !better; ++from)
      for (std::size_t to = 0; to < rest.size() && !better; ++to) {
        std::vector<int> moved = rest;
        moved.erase(moved.begin() + static_cast<std::ptrdiff_t>(from));
        moved.insert(moved.begin() + static_cast<std::ptrdiff_t>(to), rest[from]);
        better = attempt(moved);
        if (better) rest = std::move(moved);
      }
  }
  return best;
}

}  // namespace trellis::lazy
