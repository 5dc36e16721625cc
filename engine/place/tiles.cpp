#include "engine/place/tiles.hpp"

#include <algorithm>
#include <map>

#include "engine/place/buffers.hpp"
#include "engine/place/components.hpp"
#include "engine/place/dependences.hpp"
#include "engine/place/extents.hpp"
#include "engine/place/graph.hpp"
#include "engine/place/placer.hpp"
#include "engine/place/reads_apart.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::place {
namespace {

using math::Affine;
using math::Constraint;
using math::Domain;
using math::Relation;
using Names = std::vector<std::string>;
/// Names in classes.
using Classes = std::vector<Names>;

/// Sets of names, of which two become one where they are found to be related.
class Related {
 public:
  void join(const Names& names) {
    for (const std::string& name : names) root_.try_emplace(name, name);
    for (const std::string& name : names) root_[find(name)] = find(names.front());
  }
  bool are(const std::string& a, const std::string& b) const { return a == b || find(a) == find(b); }

 private:
  std::string find(std::string name) const {
    for (auto at = root_.find(name); at != root_.end() && at->second != name; at = root_.find(name)) name = at->second;
    return name;
  }
  std::map<std::string, std::string> root_;
};

/// All ways to put names into classes.
std::vector<Classes> partitions_of(const Names& names) {
  std::vector<Classes> all{{}};
  for (const std::string& name : names) {
    std::vector<Classes> more;
    for (const Classes& classes : all) {
      more.push_back(classes);
      more.back().push_back({name});
      for (std::size_t k = 0; k < classes.size(); ++k) {
        more.push_back(classes);
        more.back()[k].push_back(name);
      }
    }
    all = std::move(more);
  }
  return all;
}

/// The tiles of an order, and how fragments get them.
class Tiler {
 public:
  Tiler(const Analysis& base, const lang::Order& order) : base_(base) {
    for (const lang::LoopName& loop : order)
      if (const auto tile = lang::tile_of(loop.name)) add_once(tiles_, *tile);
    // Whatever their order, so that they are named alike.
    std::ranges::sort(tiles_, [](const auto& a, const auto& b) {
      return std::pair(-a.size, a.variable) < std::pair(-b.size, b.variable);
    });
    find_components();
    find_related();
    cut_ = size_to_cut();
    find_roles();
  }

  Fragments run() {
    result_.temporaries = base_.fragments.temporaries;
    result_.inner_names = base_.fragments.inner_names;
    for (const Fragment& f : base_.fragments.fragments) divide(f);
    return std::move(result_);
  }

 private:
  void find_components() {
    component_.resize(base_.fragments.fragments.size());
    for (const auto& c : components(base_.dependences->dependents())) {
      const bool cyclic = c.size() > 1 || base_.dependences->depends(c[0], c[0]);
      for (const int f : c)
        if (cyclic) component_[at(f)] = c;
    }
  }

  bool is_defined_beside(const Fragment& f, const std::string& tensor) const {
    return std::ranges::any_of(component_[at(f.id)],
                               [&](int g) { return base_.fragments.fragments[at(g)].write.tensor == tensor; });
  }

  /// Two variables are related if, in a cycle, they index one dimension of a tensor that it defines.
  void find_related() {
    std::map<std::pair<std::string, std::size_t>, Names> indexing;
    for (const Fragment& f : base_.fragments.fragments) {
      const auto note = [&](const std::string& tensor, std::size_t dimension, const Affine& index) {
        for (const std::string& v : f.domain.variables)
          if (index.mentions(v)) add_once(indexing[{tensor, dimension}], v);
      };
      if (component_[at(f.id)].empty()) continue;
      for (std::size_t d = 0; d < f.write_index.size(); ++d) note(f.write.tensor, d, f.write_index[d]);
      for (const Read& read : f.reads) {
        if (!is_defined_beside(f, read.access.tensor)) continue;
        for (std::size_t d = 0; d < read.index.size(); ++d)
          if (read.index[d]) note(read.access.tensor, d, *read.index[d]);
      }
    }
    for (const auto& [dimension, names] : indexing) related_.join(names);
  }

  /// A variable of an equation also stands for those that index the same dimension where its elements are read, or
  /// where what it reads is defined: the j of L(j,j) for the i of L(i,j), and the i of U(i,j) for the k of U(k,j). It
  /// needs their tiles where both run in one loop over these.
  void find_roles() {
    using Dimension = std::pair<std::string, std::size_t>;
    std::map<Dimension, Names> defining, indexing;
    const auto visit = [&](const auto& see) {
      for (const Fragment& f : base_.fragments.fragments) {
        if (component_[at(f.id)].empty()) continue;
        const auto each = [&](const std::string& tensor, std::size_t d, const Affine& index, bool written) {
          for (const std::string& v : f.domain.variables)
            if (index == Affine::name(v)) see(f, Dimension(tensor, d), v, written);
        };
        for (std::size_t d = 0; d < f.write_index.size(); ++d) each(f.write.tensor, d, f.write_index[d], true);
        for (const Read& read : f.reads)
          for (std::size_t d = 0; d < read.index.size(); ++d)
            if (read.index[d]) each(read.access.tensor, d, *read.index[d], false);
      }
    };
    visit([&](const Fragment&, const Dimension& dimension, const std::string& v, bool written) {
      if (written) add_once(defining[dimension], v);
      add_once(indexing[dimension], v);
    });
    visit([&](const Fragment& f, const Dimension& dimension, const std::string& v, bool written) {
      if (contains(f.reduced, v)) return;
      for (const std::string& w : (written ? indexing : defining)[dimension]) add_once(roles_[{f.equation, v}], w);
    });
  }

  /// The tiles of the fragment's variables: those that the order names, and those of names that it does not have for
  /// which one of its variables stands.
  std::vector<lang::TileName> tiles_of(const Fragment& f) const {
    std::vector<lang::TileName> result;
    const auto has = [&](const std::string& v) { return contains(f.domain.variables, v); };
    for (const auto& tile : tiles_)
      if (has(tile.variable)) result.push_back(tile);
    for (const auto& tile : tiles_) {
      if (has(tile.variable)) continue;
      for (const std::string& v : f.domain.variables)
        if (const auto roles = roles_.find({f.equation, v});
            roles != roles_.end() && !contains(f.reduced, v) && contains(roles->second, tile.variable))
          add_once(result, lang::TileName{v, tile.size});
    }
    std::ranges::stable_sort(result, std::ranges::greater(), &lang::TileName::size);
    return result;
  }

  /// One level of tiles is cut: the coarsest that related variables share. Finer ones are digits like any other.
  std::int64_t size_to_cut() const {
    for (const auto& a : tiles_)
      for (const auto& b : tiles_)
        if (a.size == b.size && a.variable != b.variable && related_.are(a.variable, b.variable)) return a.size;
    return 0;
  }

  /// Its number: variables that are related and have one size share a partition.
  int partition_of(const lang::TileName& tile) {
    for (std::size_t k = 0; k < partitions_.size(); ++k)
      if (partitions_[k].size == tile.size && related_.are(partitions_[k].variable, tile.variable))
        return static_cast<int>(k);
    partitions_.push_back(tile);
    return static_cast<int>(partitions_.size()) - 1;
  }

  void divide(const Fragment& f) {
    Names cut;
    for (const auto& tile : tiles_of(f))
      if (tile.size == cut_) cut.push_back(tile.variable);
    const bool whole = component_[at(f.id)].empty() || f.chained || f.kind == Fragment::Kind::until || cut.size() < 2;
    first_ = static_cast<int>(result_.fragments.size());
    if (whole) return add(f, {});
    for (const Classes& classes : partitions_of(cut))
      if (keeps_related_together(classes)) add(f, classes);
  }

  bool keeps_related_together(const Classes& classes) const {
    return std::ranges::all_of(classes, [&](const Names& c) {
      return std::ranges::all_of(c, [&](const std::string& v) { return related_.are(v, c.front()); });
    });
  }

  /// The part of a fragment whose tiles are equal in each class, and in no two of them; nothing if that cannot be.
  void add(const Fragment& f, const Classes& classes) {
    Fragment part = f;
    part.id = static_cast<int>(result_.fragments.size());
    part.whole = first_;
    for (const Names& c : classes) part.tiles.push_back(tile(c, cut_));
    for (const auto& one : tiles_of(f))
      if (one.size != cut_ || classes.empty()) part.tiles.push_back(tile({one.variable}, one.size));
    if (part.tiles.empty()) return result_.fragments.push_back(std::move(part));
    part.elements = f.initialised;
    part.domain = over_digits(f, part.tiles, f.domain);
    part.initialised = over_digits(f, part.tiles, f.initialised);
    part.reduced.clear();
    for (std::size_t k = part.domain.variables.size() - count_reduced(f, part.tiles); k < part.domain.variables.size();
         ++k)
      part.reduced.push_back(part.domain.variables[k]);
    for (std::size_t a = 0; a < classes.size(); ++a)
      for (std::size_t b = a + 1; b < classes.size(); ++b) {
        if (!related_.are(classes[a].front(), classes[b].front())) continue;
        set_apart(part.tiles[a], part.tiles[b], f.domain, part.domain);
        if (f.op) set_apart(part.tiles[a], part.tiles[b], f.initialised, part.initialised);
      }
    if (classes.size() > 0 && base_.dependences->solver().is_empty(part.domain)) return;
    if (!classes.empty()) part.name += " " + in_words(classes);
    result_.fragments.push_back(std::move(part));
  }

  Tile tile(Names coordinates, std::int64_t size) {
    std::ranges::sort(coordinates);
    std::string digit;
    for (const std::string& v : coordinates) digit += (digit.empty() ? "" : ",") + v;
    const int partition = partition_of({coordinates.front(), size});
    return {lang::tile_text(digit, size), std::move(coordinates), size, partition};
  }

  static bool is_free(const Fragment& f, const Tile& tile) {
    return !f.op ||
           std::ranges::any_of(tile.coordinates, [&](const std::string& v) { return !contains(f.reduced, v); });
  }
  static std::size_t count_reduced(const Fragment& f, const std::vector<Tile>& tiles) {
    return f.reduced.size() +
           static_cast<std::size_t>(std::ranges::count_if(tiles, [&](const Tile& t) { return !is_free(f, t); }));
  }

  /// A domain of the fragment, with tiles among its variables: free ones stay in front of those that are reduced over.
  static Domain over_digits(const Fragment& f, const std::vector<Tile>& tiles, Domain domain) {
    Names variables, reduced;
    for (const std::string& v : domain.variables) (contains(f.reduced, v) ? reduced : variables).push_back(v);
    const auto is_here = [&](const Tile& t) {
      return std::ranges::any_of(t.coordinates, [&](const std::string& v) { return contains(domain.variables, v); });
    };
    for (const Tile& t : tiles)
      if (is_free(f, t) && is_here(t)) variables.push_back(t.digit);
    for (const Tile& t : tiles)
      if (!is_free(f, t) && is_here(t)) variables.push_back(t.digit);
    variables.insert(variables.end(), reduced.begin(), reduced.end());
    domain.variables = std::move(variables);
    return domain;
  }

  /// Two tiles are not equal: which one comes first the domain says, where it orders their coordinates.
  void set_apart(const Tile& a, const Tile& b, const Domain& given, Domain& domain) {
    if (!contains(domain.variables, a.digit) || !contains(domain.variables, b.digit)) return;
    const Affine left = Affine::name(a.digit), right = Affine::name(b.digit);
    bool ordered = false;
    for (const bool first : {true, false}) {
      const Relation never_behind = first ? Relation::less_equal : Relation::greater_equal;
      const bool holds = std::ranges::any_of(a.coordinates, [&](const std::string& x) {
        return std::ranges::any_of(b.coordinates, [&](const std::string& y) {
          return contains(given.variables, x) && contains(given.variables, y) &&
                 base_.dependences->solver().implies(given, {Affine::name(x), never_behind, Affine::name(y)});
        });
      });
      if (holds) domain.constraints.push_back({left, first ? Relation::less : Relation::greater, right});
      ordered = ordered || holds;
    }
    if (!ordered) domain.constraints.push_back({left, Relation::not_equal, right});
  }

  /// "I,JK": equal tiles side by side.
  static std::string in_words(const Classes& classes) {
    std::string out;
    for (Names c : classes) {
      std::ranges::sort(c);
      const bool letters = std::ranges::all_of(c, [](const std::string& v) { return v.size() == 1; });
      if (!out.empty()) out += ',';
      for (std::size_t k = 0; k < c.size(); ++k)
        out += letters ? std::string(1, static_cast<char>(std::toupper(static_cast<unsigned char>(c[k][0]))))
                       : (k == 0 ? "" : "=") + c[k];
    }
    return out;
  }

  static std::size_t at(int k) { return static_cast<std::size_t>(k); }

  const Analysis& base_;
  std::vector<lang::TileName> tiles_;        ///< coarsest first
  std::vector<std::vector<int>> component_;  ///< of each fragment in a cycle
  Related related_;
  std::map<std::pair<int, std::string>, Names> roles_;  ///< of an equation's variable: those that it stands for
  std::int64_t cut_ = 0;
  std::vector<lang::TileName> partitions_;
  Fragments result_;
  int first_ = 0;
};

Analysis with_fragments(const Analysis& base, Fragments fragments) {
  Analysis analysis{base.program, base.kernel, std::move(fragments), {}, nullptr};
  analysis.dependences = std::make_shared<Dependences>(lang::size_assumptions(base.program), analysis.fragments);
  analysis.graph = build_graph(analysis.kernel, *analysis.dependences);
  return analysis;
}

Analysis with_tiles(const Analysis& base, const lang::Order& order) {
  return with_fragments(base, Tiler(base, order).run());
}

/// Is some tensor kept at all of its steps in this order?
bool keeps_all_steps(const Analysis& analysis, const lang::Order& order) {
  const Search found = search(*analysis.dependences, used_names(analysis.kernel, order), nullptr);
  if (!found.success) return false;
  const auto starts = place_initialisers(found.tree, *analysis.dependences);
  return std::ranges::any_of(plan_buffers(analysis, found.tree, starts, {}),
                             [](const Buffers& b) { return b.slots == Buffers::all_steps; });
}

/// The same with what steps in tiles read of steps before in tables; nothing where that keeps no step less.
std::optional<Analysis> with_reads_apart(const Analysis& base, const Analysis& plain, const lang::Order& order) {
  Names variables;
  for (const lang::LoopName& loop : order)
    if (const auto tile = lang::tile_of(loop.name)) add_once(variables, tile->variable);
  auto apart = reads_apart(base.program, base.dependences->solver(), base.fragments, variables);
  if (!apart || !keeps_all_steps(plain, order)) return std::nullopt;
  Analysis tiled = with_tiles(with_fragments(base, std::move(*apart)), order);
  return keeps_all_steps(tiled, order) ? std::nullopt : std::optional(std::move(tiled));
}

/// Names of the tiles that the kernel has, sorted.
Names tiles_in(const lang::Kernel& kernel, const lang::Order& order) {
  Names result;
  const Names variables = kernel.variables();
  for (const lang::LoopName& loop : order)
    if (const auto tile = lang::tile_of(loop.name); tile && contains(variables, tile->variable))
      add_once(result, loop.name);
  std::ranges::sort(result);
  return result;
}

}  // namespace

std::vector<int> parts_of(const Fragments& fragments, const Fragment& fragment) {
  if (fragment.whole < 0) return {fragment.id};
  std::vector<int> ids;
  for (const Fragment& f : fragments.fragments)
    if (f.whole == fragment.whole) ids.push_back(f.id);
  return ids;
}

std::shared_ptr<const Analysis> tiled(const Analysis& analysis, const lang::Order& order) {
  const Names wanted = tiles_in(analysis.kernel, order);
  if (wanted == analysis.tiles) return nullptr;
  if (wanted.empty()) return analysis.untiled;
  const auto base = analysis.untiled ? analysis.untiled : std::make_shared<const Analysis>(analysis);
  auto& known = base->dependences->tilings;
  if (const auto found = known.find(wanted); found != known.end())
    if (auto alive = found->second.lock(); alive && alive->kernel.inherited == base->kernel.inherited) return alive;
  auto made = std::make_shared<Analysis>(with_tiles(*base, order));
  auto apart = with_reads_apart(*base, *made, order);
  const bool are_apart = apart.has_value();
  if (apart) *made = std::move(*apart);
  made->tiles = wanted;
  made->untiled = base;
  if (base->for_all_sizes) {
    const Analysis& sizes = *base->for_all_sizes;
    auto general = std::make_shared<Analysis>(with_tiles(sizes, order));
    if (are_apart)
      if (auto same = with_reads_apart(sizes, *general, order)) *general = std::move(*same);
    general->tiles = wanted;
    if (general->fragments.fragments.size() == made->fragments.fragments.size()) made->for_all_sizes = general;
  }
  known[wanted] = made;
  return made;
}

}  // namespace trellis::place
