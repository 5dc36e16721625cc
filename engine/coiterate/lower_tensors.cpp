#include "engine/coiterate/lower_tensors.hpp"

#include <algorithm>
#include <cassert>

#include "engine/coiterate/recursion.hpp"

namespace trellis::coiterate {

namespace {

/// Runs are appended as such; other regions are made of what was appended once the kernel is through (Tensor::publish).
format::Facts appended(const format::Facts& stored) {
  format::Facts facts;
  if (stored.region == format::Region::run) facts = format::facts(format::Level{"sparse_rle", {}});
  facts.wide = stored.wide;
  facts.decreasing = stored.decreasing;
  facts.unique = stored.unique;
  if (!stored.covaries()) return facts;
  facts.single = true;
  facts.child = format::Child::parent;
  facts.positions = false;
  return facts;
}

/// A workspace is a table, whatever regions its declaration asks for: what is in it comes and goes.
format::Facts inserted(const format::Facts& stored, bool last) {
  if (stored.points() && stored.locate != format::Locate::one) return stored;
  return format::facts(format::Level{last ? "bytemap" : "hashed", {}});
}

/// What comes and goes, or is appended to, keeps every coordinate of a dense level.
format::Facts unbounded(const format::Facts& stored) {
  return stored.bounded ? format::facts(format::Level{}) : stored;
}

// What the kernel appends to is laid out as if it were compressed until the run is over (Tensor::publish); what it
// inserts into is a table of its own.
Tensor describe(Context& in, const lang::TensorInfo& info, const std::string& name, Tensor::Storage storage) {
  Tensor tensor{name, info.type, {}, info.format.order, storage, info.fill, info.format.pattern};
  if (const auto mask = in.tensors.masked.find(name); mask != in.tensors.masked.end()) tensor.entries_of = mask->second;
  tensor.scattered = storage == Tensor::Storage::result && in.tensors.scattered.contains(name);
  if (storage == Tensor::Storage::operand && info.format.pattern) tensor.same_as = info.entries_of;
  if (tensor.order.empty()) {
    for (std::size_t d = 0; d < info.shape.size(); ++d) tensor.order.push_back(static_cast<int>(d));
  }
  const std::vector<format::Facts> stored = format::facts(info.format);
  const Scoped stmt(in.origins.stmt, -1);  // sizes come from wherever they are used
  const bool grows = storage == Tensor::Storage::result && tensor.entries_of.empty() && !info.format.all_known();
  for (std::size_t level = 0; level < tensor.order.size(); ++level) {
    const bool last = level + 1 == tensor.order.size();
    const auto dimension = static_cast<std::size_t>(tensor.order[level]);
    format::Facts facts = level < stored.size() ? stored[level] : format::facts(format::Level{});
    if (!facts.dense() && storage == Tensor::Storage::result && tensor.entries_of.empty()) facts = appended(facts);
    if (!facts.dense() && storage == Tensor::Storage::temporary) facts = inserted(facts, last);
    if (storage == Tensor::Storage::temporary || grows) facts = unbounded(facts);
    tensor.levels.push_back({lower_expr(in, lang::to_expr(info.shape[dimension], {})), facts});
  }
  return tensor;
}

const Tensor* temporary(const Context& in, const std::string& name) {
  const auto found = std::ranges::find(in.tensors.temporaries, name, &Tensor::name);
  return found == in.tensors.temporaries.end() ? nullptr : &*found;
}

bool are_alike(const Tensor& a, const Tensor& b) {
  const auto alike = [](const Level& l, const Level& k) { return l.size == k.size && l.facts == k.facts; };
  return a.type == b.type && a.order == b.order && a.fill == b.fill && std::ranges::equal(a.levels, b.levels, alike);
}

bool has_sparse_level(const format::Format& format) {
  return std::ranges::any_of(format.levels, [](const format::Level& l) { return !format::facts(l).dense(); });
}

}  // namespace

const lang::TensorInfo* info(const Context& in, const std::string& name) {
  const auto declared = in.tensors.declared.find(name);
  return declared != in.tensors.declared.end() ? &declared->second : in.program.tensor(name);
}

const Tensor& tensor(Context& in, const std::string& name) {
  Tensors& all = in.tensors;
  if (const auto called = all.alive.find(name); called != all.alive.end()) return *temporary(in, called->second);
  if (const auto known = all.operands.find(name); known != all.operands.end()) return known->second;
  const lang::TensorInfo* info = in.program.tensor(name);
  assert(info && "loops name tensors of the program or declared ones");
  const auto storage = all.written.count(name) ? Tensor::Storage::result : Tensor::Storage::operand;
  return all.operands.emplace(name, describe(in, *info, name, storage)).first->second;
}

void grow_live(Context& in, const std::string& name) {
  std::ranges::find(in.tensors.temporaries, name, &Tensor::name)->live = true;
}

bool is_in_scope(const Context& in, const std::string& name) {
  return in.tensors.alive.count(name) || !in.tensors.declared.count(name);
}

bool is_sparse(Context& in, const std::string& name) {
  return info(in, name) && is_in_scope(in, name) && tensor(in, name).sparse();
}

/// Temporaries of one name in disjoint blocks share their storage when they are alike, else the later one is renamed.
std::string declare(Context& in, const lang::TensorInfo& info) {
  std::string name = info.name;
  in.tensors.declared[info.name] = info;
  for (int suffix = 2;; ++suffix) {
    const Tensor* taken = temporary(in, name);
    Tensor tensor = describe(in, info, name, Tensor::Storage::temporary);
    if (taken && are_alike(*taken, tensor)) break;
    if (!taken && !in.program.tensor(name)) {
      in.tensors.temporaries.push_back(std::move(tensor));
      break;
    }
    name = info.name + "_" + std::to_string(suffix);
  }
  in.tensors.alive[info.name] = name;
  return name;
}

Surroundings surroundings(const Context& in) {
  Surroundings result{
      in.program, [&in](const std::string& name) { return info(in, name); }, in.tensors.fresh, in.tensors.starts, {}};
  for (const std::string& name : in.tensors.written)
    if (has_sparse_level(in.program.tensor(name)->format) && !in.tensors.masked.contains(name))
      result.results.insert(name);
  result.appended.insert(result.results.begin(), result.results.end());
  result.appended.insert(in.tensors.starting_at_fill.begin(), in.tensors.starting_at_fill.end());
  return result;
}

}  // namespace trellis::coiterate
