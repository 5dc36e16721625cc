#include "engine/place/failure.hpp"

#include <algorithm>

#include "engine/place/extents.hpp"
#include "engine/place/instances.hpp"
#include "engine/place/tiles.hpp"
#include "engine/place/wording.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::place {
namespace {

constexpr std::size_t most_others = 8;

/// Larger is better: an element that the user can name, the user's own names, and then depth.
std::array<int, 4> rank(const Attempt& a, const std::vector<Fragment>& fragments) {
  const bool named = a.writer >= 0 && !fragments[static_cast<std::size_t>(a.writer)].temporary;
  return {a.violation >= 0, named, !a.renamed, a.depth};
}

std::string joined(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& n : names) out += (out.empty() ? "" : ", ") + n;
  return out;
}

/// With the loop reversed another component fails, at the same loop: it is needed both ways.
std::optional<Search> opposed(Dependences& dependences, const Search& search, lang::Order order,
                              const std::string& loop) {
  auto at = std::find_if(order.begin(), order.end(), [&](const auto& l) { return l.name == loop; });
  if (at == order.end()) return std::nullopt;
  at->descending = !at->descending;
  Search reversed = place::search(dependences, order, nullptr);
  if (reversed.success || reversed.failed == search.failed) return std::nullopt;
  bool same_loop =
      std::any_of(reversed.attempts.begin(), reversed.attempts.end(), [&](const Attempt& a) { return a.loop == loop; });
  return same_loop ? std::optional(std::move(reversed)) : std::nullopt;
}

/// Of the component that failed; first the one that reads too early, which is what the others may wait for.
std::vector<int> equations_of(const Search& search, const std::vector<Fragment>& fragments) {
  std::vector<int> found;
  const auto add = [&](int f) {
    if (const int equation = fragments[static_cast<std::size_t>(f)].equation; equation >= 0) add_once(found, equation);
  };
  if (const Attempt* best = deepest(search.attempts, fragments); best && contains(search.failed, best->reader))
    add(best->reader);
  for (const int f : search.failed) add(f);
  return found;
}

std::string name_result(const Analysis& analysis, const Search& search) {
  const auto& fragments = analysis.fragments.fragments;
  const std::vector<int> equations = equations_of(search, fragments);
  if (equations.empty()) return fragments[static_cast<std::size_t>(search.failed[0])].name;
  return analysis.kernel.equations[static_cast<std::size_t>(equations[0])].access().tensor;
}

math::Assignment pinned(const Fragment& f, const text::Point& point) {
  math::Assignment result;
  for (const auto& [name, value] : point)
    if (contains(f.domain.variables, name)) result.emplace_back(name, value);
  return result;
}

/// ", where i and k share a tile and j has another": the part of an equation that fails; empty: it is not cut.
std::string part_in_words(const Fragments& fragments, const Fragment& f) {
  if (parts_of(fragments, f).size() < 2) return "";
  std::vector<std::string> shared, alone;
  for (const Tile& tile : f.tiles) {
    if (tile.size != f.tiles.front().size) continue;
    std::string names;
    for (std::size_t k = 0; k < tile.coordinates.size(); ++k)
      names += (k == 0 ? "" : k + 1 == tile.coordinates.size() ? " and " : ", ") + tile.coordinates[k];
    (tile.coordinates.size() > 1 ? shared : alone).push_back(names);
  }
  std::string words;
  for (const std::string& names : shared) words += (words.empty() ? ", where " : ", ") + names + " share a tile";
  if (shared.empty()) return ", where " + joined(alone) + " have tiles of their own";
  for (const std::string& name : alone) words += " and " + name + " has another";
  return words;
}

/// A violated dependence on an accumulation is one half of a chain: the update that comes too late, at the point where
/// the accumulation stands, reads a value of the user's, one that this component writes if there is one. That half can
/// be named and confirmed.
void name_chain(const Analysis& analysis, const Search& search, Failure& failure) {
  Dependences& dependences = *analysis.dependences;
  const auto& fragments = analysis.fragments.fragments;
  const Fragment& update = fragments[static_cast<std::size_t>(failure.writer)];
  const Fragment& consumer = fragments[static_cast<std::size_t>(failure.reader)];
  failure.reason = "needs the whole " + name_of_reduction(update) + " in " +
                   lang::to_string(Expr({consumer.write, {}, {}})) + " before it is complete";
  failure.read_span = update.span;
  failure.need = lang::to_string(Expr({consumer.write, {}, {}})) + " needs the whole of it";
  std::vector<int> writers = search.failed;
  for (const Fragment& f : fragments) writers.push_back(f.id);
  const math::Assignment here = pinned(update, failure.instance.written_at);
  for (int f : writers) {
    if (fragments[static_cast<std::size_t>(f)].temporary || !dependences.depends(f, update.id)) continue;
    for (const math::Assignment& at : {here, math::Assignment{}}) {
      auto witness = dependences.smallest_written(f, update.id, at);
      if (!witness) continue;
      failure.instance = instance_of(analysis, *witness, f, update.id);
      failure.reader = update.id;
      failure.writer = f;
      failure.write_span =
          analysis.kernel.equations[static_cast<std::size_t>(fragments[static_cast<std::size_t>(f)].equation)]
              .left->span;
      return;
    }
  }
  failure.instance = {};
  failure.writer = -1;  // it reads loaded values only, which name_read shows
}

/// Without a dependence that is violated, an iteration that no loop can name: the smallest one that reads something.
void name_read(const Analysis& analysis, const Search& search, Failure& failure) {
  std::vector<int> readers = search.failed;
  for (const Fragment& f : analysis.fragments.fragments) {  // a reduction of the same equation reads for it
    if (f.equation == analysis.fragments.fragments[static_cast<std::size_t>(search.failed[0])].equation)
      readers.push_back(f.id);
  }
  for (int id : readers) {
    const Fragment& f = analysis.fragments.fragments[static_cast<std::size_t>(id)];
    for (const Read& read : f.reads) {
      if (!analysis.program.tensor(read.access.tensor)) continue;
      math::Domain reading = with_extents(f, f.domain);
      reading.constraints.insert(reading.constraints.end(), read.guards.begin(), read.guards.end());
      auto found = analysis.dependences->solver().smallest(reading);
      if (!found) continue;
      const auto middle = found->end() - static_cast<std::ptrdiff_t>(reading.variables.size());
      failure.instance.sizes = {found->begin(), middle};
      std::vector<std::int64_t> point;
      for (auto v = middle; v != found->end(); ++v) point.push_back(v->second);
      failure.instance.at = equation_point(analysis, f, point, failure.instance.sizes);
      std::vector<math::Affine> index;
      for (const auto& i : read.index) index.push_back(i.value_or(math::Affine(0)));
      name_element(failure.instance, read.access, element_at(index, values_of(f, point, failure.instance.sizes)));
      failure.reader = id;
      failure.read_span = read.span;
      return;
    }
  }
}

}  // namespace

std::vector<std::string> unlisted(const Search& search, const Fragments& fragments) {
  std::vector<std::string> result;
  for (int f : search.failed) {
    for (const std::string& v : fragments.fragments[static_cast<std::size_t>(f)].domain.variables) {
      bool listed = std::any_of(search.naming.order.begin(), search.naming.order.end(),
                                [&](const auto& l) { return contains(digit_names(v), l.name); });
      if (!listed) add_once(result, v);
    }
  }
  return result;
}

const Attempt* deepest(const std::vector<Attempt>& attempts, const std::vector<Fragment>& fragments) {
  const Attempt* best = nullptr;
  for (const Attempt& a : attempts)
    if (!best || rank(a, fragments) > rank(*best, fragments)) best = &a;
  return best;
}

std::optional<BothWays> needed_both_ways(const Analysis& analysis, const lang::Order& order) {
  if (const auto fitting = tiled(analysis, order)) return needed_both_ways(*fitting, order);
  Dependences& dependences = *analysis.dependences;
  const Search search = place::search(dependences, order, nullptr);
  const Attempt* best = search.success ? nullptr : deepest(search.attempts, analysis.fragments.fragments);
  const auto other = best && best->violation >= 0 ? opposed(dependences, search, order, best->loop) : std::nullopt;
  if (!other) return std::nullopt;
  const bool down = std::ranges::any_of(order, [&](const auto& l) { return l.name == best->loop && l.descending; });
  const auto& fragments = analysis.fragments.fragments;
  BothWays both{best->loop, equations_of(*other, fragments), equations_of(search, fragments)};
  if (down) std::swap(both.upwards, both.downwards);
  return both;
}

Failure explain(const Analysis& analysis, const Search& search, const lang::Order& order) {
  Dependences& dependences = *analysis.dependences;
  const auto& fragments = analysis.fragments.fragments;
  Failure result;
  const Attempt* best = deepest(search.attempts, fragments);
  if (best && best->violation >= 0) {
    result.reader = best->reader;
    result.writer = best->writer;
    result.loop = best->loop;
    if (auto witness = dependences.smallest(best->violation, best->writer, best->reader)) {
      result.instance = instance_of(analysis, *witness, best->writer, best->reader);
    }
    const Fragment& reader = fragments[static_cast<std::size_t>(best->reader)];
    const Fragment& writer = fragments[static_cast<std::size_t>(best->writer)];
    const Read* read = read_at(reader, result.instance);
    result.read_span = read ? read->span : reader.span;
    result.write_span = analysis.kernel.equations[static_cast<std::size_t>(writer.equation)].left->span;
    result.reason = "reads " + writer.write.tensor + " before it is computed";
    if (read) result.need = "needs " + needed_part(analysis, reader, *read);
    result.reason += part_in_words(analysis.fragments, reader);
    result.fault = fault_of_loop(analysis, *best, order);
    if (reader.kind == Fragment::Kind::until || writer.kind == Fragment::Kind::until) {
      result.reason =
          "begins a step before until has decided on the one before it: " + *reader.step + " has to be outermost";
      result.read_span = analysis.kernel.until->span;
      result.need = result.fault = "";
      result.instance = {};
      result.writer = -1;
    } else if (writer.temporary) {
      name_chain(analysis, search, result);
    }
    std::vector<decltype(Attempt::renaming)> seen = {best->renaming};
    for (const Attempt& a : search.attempts) {
      if (a.violation < 0 || result.others.size() >= most_others || contains(seen, a.renaming)) continue;
      seen.push_back(a.renaming);
      if (auto other = dependences.smallest(a.violation, a.writer, a.reader))
        result.others.push_back(instance_of(analysis, *other, a.writer, a.reader));
    }
  }
  if (result.writer < 0) name_read(analysis, search, result);
  if (const auto missing = unlisted(search, analysis.fragments); !missing.empty()) {
    result.kind = Failure::Kind::unlisted;
    result.reason = "lists no loop for " + joined(missing) + ", and no other loop can take " +
                    (missing.size() > 1 ? "their" : "its") + " place";
  } else if (auto other = opposed(dependences, search, order, result.loop)) {
    result.kind = Failure::Kind::direction;
    const bool down =
        std::any_of(order.begin(), order.end(), [&](const auto& l) { return l.name == result.loop && l.descending; });
    result.reason = "needs loop " + result.loop + " both ways: " + name_result(analysis, search) +
                    (down ? " upwards, " : " downwards, ") + name_result(analysis, *other) +
                    (down ? " downwards" : " upwards") + "; give " + result.loop + " another name in one of them";
  }
  if (result.reason.empty()) result.reason = "leaves " + name_result(analysis, search) + " without a loop nest";
  return result;
}

}  // namespace trellis::place
