#include "engine/coiterate/offers_of.hpp"

#include <algorithm>

#include "engine/coiterate/grows_ahead.hpp"
#include "engine/coiterate/inner_range.hpp"
#include "engine/coiterate/lower_tensors.hpp"
#include "engine/coiterate/positions.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::coiterate {

namespace {

/// An access that the loop's body reads, below those of its levels that are known before the loop.
struct Reach {
  const lang::Access& access;
  const lang::TensorInfo& described;
  const Tensor& tensor;
  int level;  ///< the first that is not known; of a product the last of its levels
  std::optional<access::Product> product = {};

  const lang::Expr& index(int l) const { return level_index(access, described, l); }
  const lang::Expr& index() const { return index(level); }
  access::LevelKey key(int l) const { return level_key(access, described, l); }
};

bool reads_any(const lang::Expr& e, const std::set<std::string>& tensors) {
  bool found = false;
  for_each_read(e, [&](const Read& read) { found |= tensors.contains(read.access.as<lang::Access>()->tensor); });
  return found;
}

Reach reach(Context& in, const lang::Access& access) {
  Reach all{access, *info(in, access.tensor), tensor(in, access.tensor), 0};
  all.level = found_levels(in, access);
  // What was found already needs no index: all along a run it is the same.
  const auto is_passed = [&](int level) {
    return facts_of(all.tensor, level).dense() ? is_known(in, all.index(level)) : in.entries.contains(all.key(level));
  };
  while (all.level < levels_of(all.tensor) && is_passed(all.level)) ++all.level;
  return all;
}

/// The sparse level that the loop's variable indexes; the rank: none.
int wanted_level(const Reach& read, const loop::For& f) {
  const int rank = levels_of(read.tensor);
  const auto is_indexed = [&](int level) { return contains(lang::free_variables(read.index(level)), f.variable); };
  int wanted = read.level;
  while (wanted < rank && (facts_of(read.tensor, wanted).dense() || !is_indexed(wanted))) ++wanted;
  return wanted;
}

/// Whether the very element is written: its place is that of the write, which need not be walked again.
bool writes_element(const loop::Stmt& body, const lang::Access& read) {
  bool found = false;
  loop::for_each(body, [&](const loop::Stmt& s) {
    const auto* a = s.as<loop::Assign>();
    const auto* target = a ? a->target.as<lang::Access>() : nullptr;
    found = found || (target && target->tensor == read.tensor && target->indices == read.indices);
  });
  return found;
}

/// Whether the loop may walk the temporary although it stores into it: only where it is still to come.
bool grows(Context& in, const Reach& read, const loop::For& f) {
  const format::Facts& stored = facts_of(read.tensor, 0);
  const bool table = stored.gaps && stored.locate == format::Locate::direct && stored.rises();
  return read.tensor.storage == Tensor::Storage::temporary && table && levels_of(read.tensor) == 1 &&
         grows_ahead(f, read.access, [&](const math::Affine& value) { return in.scope.ranges.non_negative(value); });
}

/// Walked as one: of an operand, as its levels keep their entries next to each other. Threads would share where they
/// are.
std::optional<access::Product> product_of(Context& in, const Reach& read, const loop::For& f) {
  if (read.tensor.storage != Tensor::Storage::operand || f.execution == loop::For::Execution::parallel) return {};
  std::vector<format::Facts> levels;
  for (int level = 0; level < levels_of(read.tensor); ++level) levels.push_back(facts_of(read.tensor, level));
  const auto non_negative = [&](const math::Affine& value) { return in.scope.ranges.non_negative(value); };
  return access::product(read.access, read.described, levels, read.level, f.variable, non_negative);
}

/// Why the level cannot be walked, whatever its index is; empty: it can. The entries of a mask stay while it is
/// written.
std::optional<std::string> refusal(Context& in, const Reach& read, const loop::For& f, const Conditions& only_if,
                                   const std::set<std::string>& changed) {
  const bool stays = in.tensors.masked.contains(read.access.tensor) && !writes_element(f.body, read.access);
  if (changed.contains(read.access.tensor) && !stays && !grows(in, read, f)) return "is written in this loop";
  if (!read.product && wanted_level(read, f) != read.level) {
    if (lang::free_variables(read.index()) == std::vector<std::string>{f.variable})
      return "has one element for each " + f.variable;
    return "is stored by " + lang::to_string(read.index()) + " first";
  }
  const auto is_decided = [&](const lang::Expr& condition) {
    return !reads_any(condition, changed) && is_known(in, condition);
  };
  for (int level = 0; level < read.level; ++level)
    if (index_check(in, read.access, read.index(level)) && !std::ranges::all_of(only_if, is_decided))
      return "has an index that may be out of range where it is not read";
  return std::nullopt;
}

/// A name that the index map needs and nobody has given a value yet.
std::optional<std::string> unknown_name(const Context& in, const access::Sequence& sequence) {
  std::set<std::string> names;
  sequence.inverse.offset.collect_names(names);
  const auto is_unknown = [&](const std::string& n) { return !in.scope.bound.contains(n) && !in.program.parameter(n); };
  const auto found = std::ranges::find_if(names, is_unknown);
  return found == names.end() ? std::nullopt : std::optional(*found);
}

// Full is what reaches over all of the loop, wherever the levels above have an entry
// (docs/design/coiteration.md#extent).
bool is_full(Context& in, const access::Sequence& sequence, const Reach& read) {
  if (sequence.is_product() || !sequence.stored.full() || !sequence.window.spans ||
      !descend(in, read.access).missing.empty())
    return false;
  for (int level = 0; level < sequence.level; ++level)
    if (index_check(in, read.access, read.index(level))) return false;
  return !in_range(in, read.access, sequence.level);
}

/// Entries lie in the order of their coordinates, and each by itself.
bool has_segments(const Tensor& tensor, int level) {
  const format::Facts& facts = facts_of(tensor, level);
  return tensor.storage == Tensor::Storage::operand && facts.ordered && facts.coordinates && facts.points() &&
         facts.locate == format::Locate::binary && !facts.overhangs();
}

access::Place place_of(Context& in, const Reach& read, const loop::For& f) {
  // Free slots stand at the level's end, right behind its coordinates; the last block may reach further.
  const format::Facts& facts = facts_of(read.tensor, read.level);
  const std::int64_t behind = facts.slots > 0 ? 0 : facts.width > 0 ? 2 - facts.width : 1;
  access::Place place{{math::Affine(0), access::level_size(read.described, read.level) - math::Affine(behind)}, {}};
  place.product = read.product;
  if (read.product) place.stored = {read.product->first, read.product->last};
  if (read.product) return place;
  const auto segment = in.segments.find(read.key(read.level));
  if (segment != in.segments.end()) place.stored = segment->second.stored;
  if (has_segments(read.tensor, read.level)) place.inner = inner_range(in, f, read.access, read.level);
  return place;
}

/// Empty: its index cannot be turned around.
std::optional<access::Sequence> offered_by(Context& in, const Reach& read, const loop::For& f) {
  const auto non_negative = [&](const math::Affine& value) { return in.scope.ranges.non_negative(value); };
  format::Facts facts = facts_of(read.tensor, read.level);
  if (read.product) facts.gaps = true, facts.locate = format::Locate::binary;  // a singleton's too
  auto offered = access::sequence(read.access, read.described, read.level, facts, place_of(in, read, f),
                                  {f.variable, lang::affine(f.low), lang::affine(f.high)}, non_negative);
  if (offered) offered->full = !offered->takes_segments() && is_full(in, *offered, read);
  return offered;
}

/// Does the loop want an operand to be walked, if each time from its start? Then those beside it are as well.
bool walks_all(const loop::For& f) {
  return std::ranges::any_of(
      f.finds, [](const lang::Schedule::Find& find) { return find.how != lang::Schedule::Find::How::binary; });
}

bool is_bisected(const loop::For& f, const std::string& tensor) {
  return std::ranges::any_of(f.finds, [&](const lang::Schedule::Find& find) {
    return find.tensor == tensor && find.how == lang::Schedule::Find::How::binary;
  });
}

Literal literal(const Context& in, const Reach& read, const loop::For& f, const lang::Expr& access,
                access::Sequence sequence, bool changes) {
  const bool segments = sequence.takes_segments();
  const bool last = read.level + 1 == levels_of(read.tensor) && !segments;
  const bool restarts =
      sequence.first_level() == 0 && !in.scope.bound.empty() && !in.segments.contains(read.key(0)) && !walks_all(f);
  return {.key = read.key(read.level),
          .name = access::element_name(read.access, read.described, read.level),
          .access = access,
          .sequence = std::move(sequence),
          .last = last,
          .exact = last && read.tensor.pattern,
          .fill = read.tensor.fill,
          .temporary = read.tensor.storage == Tensor::Storage::temporary,
          .restarts = restarts,
          .searched = is_bisected(f, read.tensor.name),
          .grows = changes && read.tensor.storage == Tensor::Storage::temporary};
}

/// The literal, or another access that shares it.
void add(std::vector<Literal>& all, Literal one, const Conditions& only_if) {
  const std::string& tensor = one.access.as<lang::Access>()->tensor;
  const auto shared = std::ranges::find_if(all, [&](const Literal& other) {
    return other.key == one.key && other.access.as<lang::Access>()->tensor == tensor;
  });
  if (shared == all.end()) {
    if (!only_if.empty()) one.only_if.push_back(only_if);
    all.push_back(std::move(one));
  } else if (only_if.empty()) {
    shared->only_if.clear();
  } else if (!shared->only_if.empty()) {
    add_once(shared->only_if, only_if);
  }
}

void refuse(std::vector<Offers::Refusal>& all, const Reach& read, const std::string& why) {
  const int last = static_cast<int>(read.access.indices.size()) - 1;
  const std::string name = access::element_name(read.access, read.described, last);
  if (std::ranges::find(all, name, &Offers::Refusal::name) == all.end()) all.push_back({name, why});
}

/// An iteration that stands for many coordinates has no segment of its own, and keys are those of points; nor is what
/// grows met by them.
void without_segments_by_regions(Offers& offers) {
  const auto apart = [](const Literal& l) { return l.sequence.has_regions() || l.grows; };
  if (std::ranges::none_of(offers.literals, apart)) return;
  const auto is_product = [](const Literal& l) { return l.sequence.is_product(); };
  for (const Literal& l : offers.literals) {
    if (l.sequence.takes_segments())
      offers.refusals.push_back({l.name, "has several entries at each coordinate of what goes by regions"});
    else if (is_product(l))
      offers.refusals.push_back({l.name, "is stored in several levels, beside what goes by regions"});
  }
  std::erase_if(offers.literals, [&](const Literal& l) { return l.sequence.takes_segments() || is_product(l); });
}

}  // namespace

Offers offers_of(Context& in, const loop::For& f) {
  Offers found;
  const std::set<std::string> changed = written_in(f.body);
  for_each_read(f.body, [&](const Read& one) {
    const auto& access = *one.access.as<lang::Access>();
    if (!is_sparse(in, access.tensor)) return;
    Reach read = reach(in, access);
    read.product = product_of(in, read, f);
    if (read.product) read.level = read.product->level;
    if (!read.product && wanted_level(read, f) == levels_of(read.tensor)) return;
    Conditions only_if = one.around;
    only_if.insert(only_if.end(), one.conditions.begin(), one.conditions.end());
    if (const auto why = refusal(in, read, f, only_if, changed)) return refuse(found.refusals, read, *why);
    auto offered = offered_by(in, read, f);
    if (!offered)
      return refuse(found.refusals, read,
                    "is not indexed by " + f.variable + " itself, but by " + lang::to_string(read.index()));
    if (const auto unknown = unknown_name(in, *offered))
      return refuse(found.refusals, read, "needs to know " + *unknown + " first");
    const bool changes = changed.contains(access.tensor);
    add(found.literals, literal(in, read, f, one.access, *std::move(offered), changes), only_if);
  });
  without_segments_by_regions(found);
  return found;
}

}  // namespace trellis::coiterate
