#include "engine/place/dependences.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include "engine/math/sizes.hpp"
#include "engine/place/extents.hpp"
#include "engine/place/partitions.hpp"

namespace trellis::place {
namespace {

using math::Affine;
using math::Constraint;
using math::Domain;
using math::Relation;

/// The first fragment's variables get a mark, so that both can stand in one domain.
const std::string first_mark = "'";
std::string marked(const std::string& name) { return name + first_mark; }

std::map<std::string, Affine> marking(const std::vector<std::string>& variables) {
  std::map<std::string, Affine> result;
  for (const std::string& v : variables) result.emplace(v, Affine::name(marked(v)));
  return result;
}

void append(std::vector<Constraint>& to, const std::vector<Constraint>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

/// One element written and read; where an index is not affine, any element of that dimension.
std::vector<Constraint> same_element(const std::vector<Affine>& written, const std::vector<std::optional<Affine>>& read,
                                     const std::map<std::string, Affine>& mark) {
  std::vector<Constraint> result;
  for (std::size_t d = 0; d < written.size() && d < read.size(); ++d) {
    if (read[d]) result.push_back({written[d].substitute(mark), Relation::equal, *read[d]});
  }
  return result;
}

/// A condition for an early exit comes after its own step, and before all later ones.
void add_exits(const Fragment& first, const Fragment& second, const Domain& both, std::vector<Domain>& pieces) {
  const bool from = first.kind == Fragment::Kind::until, to = second.kind == Fragment::Kind::until;
  if ((!from && !to) || !first.step || !second.step) return;
  pieces.push_back(both);
  pieces.back().constraints.push_back(
      {Affine::name(marked(*first.step)), from ? Relation::less : Relation::equal, Affine::name(*second.step)});
}

/// An update of an element follows those that come before it in the order of the reduced variables.
template <class Add>
void add_chain(const Fragment& f, const std::map<std::string, Affine>& mark, Add&& add) {
  const std::vector<std::optional<Affine>> element(f.write_index.begin(), f.write_index.end());
  std::vector<Constraint> equal = same_element(f.write_index, element, mark);
  for (const std::string& v : f.reduced) {
    std::vector<Constraint> before = equal;
    before.push_back({Affine::name(marked(v)), Relation::less, Affine::name(v)});
    add(std::move(before));
    equal.push_back({Affine::name(marked(v)), Relation::equal, Affine::name(v)});
  }
}

/// By fragment: those that write a tensor that it reads, and what comes before or after a condition for an early exit.
std::vector<std::vector<int>> may_write_for(const std::vector<Fragment>& fragments) {
  std::map<std::string, std::vector<int>> by_tensor;
  std::vector<int> steps, exits;
  for (const Fragment& f : fragments) {
    by_tensor[f.write.tensor].push_back(f.id);
    if (f.step) steps.push_back(f.id);
    if (f.step && f.kind == Fragment::Kind::until) exits.push_back(f.id);
  }
  std::vector<std::vector<int>> all;
  for (const Fragment& g : fragments) {
    std::set<int> writers;
    const auto add = [&](const std::vector<int>& some) { writers.insert(some.begin(), some.end()); };
    for (const Read& read : g.reads)
      if (const auto found = by_tensor.find(read.access.tensor); found != by_tensor.end()) add(found->second);
    if (g.step) add(g.kind == Fragment::Kind::until ? steps : exits);
    if (g.chained) writers.insert(g.id);
    all.emplace_back(writers.begin(), writers.end());
  }
  return all;
}

}  // namespace

Dependences::Dependences(std::vector<Constraint> assumptions, Fragments fragments)
    : fragments_(std::move(fragments)), tuples_(fragments_), solver_(std::move(assumptions)), relations_(solver_) {
  const std::size_t n = fragments_.fragments.size();
  dependents_.resize(n);
  writers_ = may_write_for(fragments_.fragments);
  readers_.resize(n);
  for (const Fragment& g : fragments_.fragments)
    for (const int f : writers_of(g.id)) {
      readers_[at(f)].push_back(g.id);
      if (!relations_.is_empty(base(Kind::flow, f, g.id))) dependents_[at(f)].push_back(g.id);
    }
}

void Dependences::set_depends(int writer, int reader, bool whether) {
  std::vector<int>& all = dependents_[at(writer)];
  const auto place = std::ranges::lower_bound(all, reader);
  const bool known = place != all.end() && *place == reader;
  if (whether && !known) all.insert(place, reader);
  if (!whether && known) all.erase(place);
}

Domain Dependences::both_of(const Fragment& first, const Domain& from, const Fragment& second, const Domain& to) const {
  const auto mark = marking(first.domain.variables);
  Domain both;
  for (const std::string& v : first.domain.variables) both.variables.push_back(marked(v));
  both.variables.insert(both.variables.end(), second.domain.variables.begin(), second.domain.variables.end());
  append(both.constraints, from.substitute(mark).constraints);
  append(both.constraints, to.constraints);
  const auto add_digits = [&](const Fragment& of, const std::string& mark_of) {
    for (const std::string& v : of.domain.variables)
      for (const ElementTuples::Digit& digit : tuples_.digits(of, v, mark_of)) {
        both.variables.push_back(digit.name);
        both.constraints.push_back({Affine(0), Relation::less_equal, Affine::name(digit.name)});
        both.constraints.push_back({Affine::name(digit.name), Relation::less, digit.span});
      }
  };
  add_digits(first, first_mark);
  add_digits(second, "");
  return both;
}

std::vector<Domain> Dependences::pieces(Kind kind, const Fragment& first, const Fragment& second, int only) {
  // All pairs are asked for where it is about common iterations: those of tiles of their sizes.
  if (kind == Kind::any)
    return {both_of(first, with_extents(first, first.domain), second, with_extents(second, second.domain))};
  const auto mark = marking(first.domain.variables);
  const Domain& from = kind == Kind::initialise ? first.initialised : first.domain;
  const Domain both = both_of(first, from, second, second.domain);
  std::vector<Domain> result;
  auto add = [&](std::vector<Constraint> more) {
    result.push_back(both);
    append(result.back().constraints, more);
  };
  if (kind == Kind::update) {
    std::vector<std::optional<Affine>> element(second.write_index.begin(), second.write_index.end());
    if (first.write.tensor == second.write.tensor) {
      std::vector<Constraint> more = same_element(first.write_index, element, mark);
      append(more, tuples_.same_written(first, first_mark, second, ""));
      add(std::move(more));
    }
  } else {
    if (kind == Kind::flow && only == every_read) add_exits(first, second, both, result);
    for (std::size_t k = 0; k < second.reads.size(); ++k) {
      const Read& read = second.reads[k];
      if (read.access.tensor != first.write.tensor || (only != every_read && only != static_cast<int>(k))) continue;
      std::vector<Constraint> more = same_element(first.write_index, read.index, mark);
      append(more, tuples_.same_element(first, first_mark, second, static_cast<int>(k), ""));
      append(more, read.guards);
      add(std::move(more));
    }
    if (kind == Kind::flow && only == every_read && first.chained && first.id == second.id) add_chain(first, mark, add);
  }
  return in_tiles(std::move(result), first, from, second);
}

std::vector<Domain> Dependences::in_tiles(std::vector<Domain> pairs, const Fragment& first, const Domain& points,
                                          const Fragment& second) {
  if (first.tiles.empty() && second.tiles.empty()) return pairs;
  std::vector<ValueInTile> values = values_in_tiles(first, points.variables, first_mark);
  for (ValueInTile& value : values_in_tiles(second, second.domain.variables, "")) values.push_back(std::move(value));
  return under_some_partition(solver_, std::move(pairs), values);
}

Dependences::Id Dependences::base(Kind kind, int first, int second, int read) {
  const std::array<int, 4> key{static_cast<int>(kind), first, second, read};
  if (const auto known = bases_.find(key); known != bases_.end()) return known->second;
  // Remembered when it is complete: the question can be cancelled.
  return bases_[key] = relations_.add(pieces(kind, fragment(first), fragment(second), read));
}

Dependences::Id Dependences::pairs(Kind kind, int first, int second, std::vector<Pair> equal) {
  return agreeing(base(kind, first, second), first, std::move(equal));
}

Dependences::Id Dependences::through(int writer, int reader, int read) {
  return base(Kind::flow, writer, reader, read);
}

Dependences::Id Dependences::overwrites(int reader, int read, int writer, int slots) {
  return shared(Sharing::overwrites, reader, writer, read, slots);
}
Dependences::Id Dependences::rewrites(int earlier, int later, int slots) {
  return shared(Sharing::rewrites, earlier, later, every_read, slots);
}
Dependences::Id Dependences::supplies(int writer, int reader, int read) {
  return shared(Sharing::supplies, writer, reader, read, 1);
}

Dependences::Id Dependences::shared(Sharing sharing, int first, int second, int read, int slots) {
  const std::array<int, 5> key{static_cast<int>(sharing), first, second, read, slots};
  if (const auto known = shared_.find(key); known != shared_.end()) return known->second;
  const Fragment &f = fragment(first), &g = fragment(second);
  const auto mark = marking(f.domain.variables);
  Domain both = both_of(f, f.domain, g, g.domain);
  auto index_of = [&](const Fragment& of, bool reads) {
    if (!reads) return std::vector<std::optional<Affine>>(of.write_index.begin(), of.write_index.end());
    return of.reads[static_cast<std::size_t>(read)].index;
  };
  auto one = index_of(f, sharing == Sharing::overwrites);
  const auto other = index_of(g, sharing == Sharing::supplies);
  for (auto& index : one)
    if (index) index = index->substitute(mark);
  if (read != every_read) {
    const Fragment& reader = sharing == Sharing::supplies ? g : f;
    for (const Constraint& c : reader.reads[static_cast<std::size_t>(read)].guards)
      both.constraints.push_back(sharing == Sharing::supplies ? c : c.substitute(mark));
  }
  if (sharing == Sharing::supplies) both.constraints.push_back({*one[0], Relation::less_equal, *other[0]});
  else if (slots == 1) both.constraints.push_back({*one[0], Relation::less, *other[0]});
  else both.constraints.push_back({*one[0] + Affine(slots), Relation::equal, *other[0]});
  for (std::size_t d = 1; d < one.size(); ++d)
    if (one[d] && other[d]) both.constraints.push_back({*one[d], Relation::equal, *other[d]});
  Id result = relations_.add(in_tiles({both}, f, f.domain, g));
  if (sharing == Sharing::overwrites && first == second) {
    std::vector<Pair> same;
    for (int v = 0; v < static_cast<int>(f.domain.variables.size()); ++v) same.emplace_back(v, v);
    result = relations_.without(result, agreeing(result, first, std::move(same)));
  }
  return shared_[key] = result;
}

bool Dependences::meets(int writer, int reader, int read) {
  if (!depends(writer, reader)) return false;
  const auto& reads = fragment(reader).reads;
  const std::string& tensor = fragment(writer).write.tensor;
  if (reads[static_cast<std::size_t>(read)].access.tensor != tensor) return false;
  if (std::count_if(reads.begin(), reads.end(), [&](const Read& r) { return r.access.tensor == tensor; }) == 1)
    return true;
  return any(through(writer, reader, read));
}

Dependences::Id Dependences::agreeing(Id id, int first, std::vector<Pair> on) {
  std::sort(on.begin(), on.end());
  for (const Pair& pair : on) id = where(id, first, pair, Relation::equal);
  return id;
}

void Dependences::drop(int writer, int reader, Id pairs) {
  Id& all = bases_.at({static_cast<int>(Kind::flow), writer, reader, every_read});
  all = relations_.without(all, pairs);
  set_depends(writer, reader, !relations_.is_empty(all));
}

void Dependences::keep_only(int writer, int reader, const std::vector<int>& reads) {
  std::vector<math::Domain> kept;
  for (const int read : reads)
    for (math::Domain& piece : pieces(Kind::flow, fragment(writer), fragment(reader), read))
      kept.push_back(std::move(piece));
  if (kept.empty()) return drop(writer, reader, base(Kind::flow, writer, reader));
  const Id all = relations_.add(kept);
  bases_[{static_cast<int>(Kind::flow), writer, reader, every_read}] = all;
  set_depends(writer, reader, !relations_.is_empty(all));
}

Dependences::Id Dependences::where(Id id, int first, Pair variables, Relation relation) {
  const int offset = static_cast<int>(fragment(first).domain.variables.size());
  const int one = variables.first, other = offset + variables.second;
  const Id whole = relations_.restrict(id, one, relation, other);
  if (tuples_.none() || relations_.is_empty(whole)) return whole;
  const auto digits = ElementTuples::alike(relations_.variables(whole), one, other);
  if (digits.empty()) return whole;
  const std::tuple key{whole, one, other, relation};
  if (const auto known = compared_.find(key); known != compared_.end()) return known->second;
  return compared_[key] = lexicographic(whole, digits, relation);
}

/// Tuples compare by the first digit in which they differ.
Dependences::Id Dependences::lexicographic(Id id, const std::vector<Pair>& digits, Relation relation) {
  const bool down = relation == Relation::greater || relation == Relation::greater_equal;
  const bool strict = relation == Relation::less || relation == Relation::greater || relation == Relation::not_equal;
  std::optional<Id> all;
  const auto add = [&](Id more) { all = all ? relations_.unite(*all, more) : more; };
  Id equal = id;
  for (const auto& [one, other] : digits) {
    if (relation == Relation::not_equal) add(relations_.restrict(equal, one, relation, other));
    else if (relation != Relation::equal)
      add(relations_.restrict(equal, one, down ? Relation::greater : Relation::less, other));
    equal = relations_.restrict(equal, one, Relation::equal, other);
  }
  if (!strict) add(equal);
  return *all;
}

Dependences::Witness Dependences::witness(const math::Assignment& point, int first, int second) const {
  const Fragment &f = fragment(first), &g = fragment(second);
  std::map<std::string, std::int64_t> values(point.begin(), point.end());
  const auto value_of = [&](const std::string& name) {
    const auto at = values.find(name);
    return at == values.end() ? std::nullopt : std::optional(at->second);
  };
  const auto along = [&](const Fragment& of, const std::string& mark) {
    std::vector<std::int64_t> result;
    for (const std::string& v : of.domain.variables) {
      std::int64_t value = 0;
      const auto digits = tuples_.digits(of, v, mark);
      for (const auto& d : digits) value += values.at(d.name) * d.weight.evaluate(value_of).value_or(0);
      result.push_back(digits.empty() ? values.at(v + mark) : value);
    }
    return result;
  };
  Witness result{{}, along(f, first_mark), along(g, "")};
  const auto is_size = [&](const std::string& name) {
    const auto before = [&](const Fragment& of, const std::string& mark) {
      return std::ranges::any_of(of.domain.variables, [&](const std::string& v) {
        return name == v + mark || name.starts_with(v + mark + ".");
      });
    };
    return !before(f, first_mark) && !before(g, "");
  };
  for (const auto& size : point)
    if (is_size(size.first)) result.sizes.push_back(size);
  return result;
}

namespace {

/// That what lies in tiles of a fragment lies in tiles of so many values, and twice as many in coarser ones.
void add_extents(Domain& pairs, const Fragment& f, const std::string& mark, std::int64_t finest, std::int64_t size) {
  for (const Tile& tile : f.tiles) {
    Tile one{tile.digit + mark, {}, tile.size == finest ? size : 2 * size};
    for (const std::string& v : tile.coordinates) one.coordinates.push_back(v + mark);
    add_extent(pairs, one, one.coordinates);
  }
}

std::int64_t finest_tile(const Fragment& first, const Fragment& second) {
  std::int64_t finest = std::numeric_limits<std::int64_t>::max();
  for (const Fragment* f : {&first, &second})
    for (const Tile& tile : f->tiles) finest = std::min(finest, tile.size);
  return finest;
}

/// The smallest point of any piece. Of free tiles there is none: small ones of one size do for an instance.
std::optional<math::Assignment> smallest_of(math::Solver& solver, const std::vector<Domain>& pieces,
                                            const Fragment& first, const Fragment& second) {
  std::optional<math::Assignment> best;
  const std::int64_t finest = finest_tile(first, second);
  const bool tiled = !first.tiles.empty() || !second.tiles.empty();
  for (std::int64_t size = 1; size <= (tiled ? 3 : 1); ++size)
    for (Domain piece : pieces) {
      if (tiled) add_extents(piece, first, first_mark, finest, size), add_extents(piece, second, "", finest, size);
      const auto point = solver.smallest(piece);
      if (point && (!best || *point < *best)) best = point;
    }
  return best;
}

}  // namespace

std::optional<Dependences::Witness> Dependences::smallest(Id id, int first, int second) {
  const bool tiled = !fragment(first).tiles.empty() || !fragment(second).tiles.empty();
  const auto point =
      tiled ? smallest_of(solver_, relations_.domains(id), fragment(first), fragment(second)) : relations_.smallest(id);
  return point ? std::optional(witness(*point, first, second)) : std::nullopt;
}

std::optional<Dependences::Witness> Dependences::smallest_written(int writer, int reader,
                                                                  const math::Assignment& reading) {
  for (Domain& piece : pieces(Kind::flow, fragment(writer), fragment(reader))) {
    for (const auto& [name, value] : reading) piece.constraints.push_back({Affine::name(name), Relation::equal, value});
    if (const auto point = smallest_of(solver_, {piece}, fragment(writer), fragment(reader)))
      return witness(*point, writer, reader);
  }
  return std::nullopt;
}

}  // namespace trellis::place
