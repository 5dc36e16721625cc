#include "engine/view/ranks_picture.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>

#include "engine/distribute/print.hpp"
#include "engine/distribute/renumber.hpp"
#include "engine/distribute/wants.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::view {
namespace {

using distribute::Cuts;
using distribute::Exchange;
using distribute::Numbers;
using distribute::Plan;
using math::Affine;
using math::Constraint;
using math::Domain;
using math::Relation;

/// By dimension the numbers that ranks have for the user's; null: the same.
using NumbersAlong = std::vector<const std::vector<std::int64_t>*>;

constexpr std::int64_t most_cells = 24;  ///< along a dimension, unless there are more parts

/// Cells of low:high, at most so many: of a part that has more elements the first and the last get a cell of their own,
/// as those are what neighbours read.
void add_cells(std::int64_t low, std::int64_t high, std::int64_t most, RanksPicture::Axis& axis) {
  const std::int64_t size = high - low;
  if (size <= 0) return;
  axis.cuts.push_back(!axis.cuts.empty());
  axis.places.push_back(low);
  const auto begin = [&](std::int64_t place) {
    axis.cuts.push_back(false);
    axis.places.push_back(place);
  };
  if (size <= most) {
    for (std::int64_t x = low + 1; x < high; ++x) begin(x);
    return;
  }
  if (most < 3) return;
  const std::int64_t inner = most - 2;
  for (std::int64_t k = 0; k < inner; ++k) begin(low + 1 + (size - 2) * k / inner);
  begin(high - 1);
}

RanksPicture::Axis axis_of(const std::vector<std::int64_t>& cuts) {
  RanksPicture::Axis axis{{}, {}};
  const std::int64_t parts = std::ssize(cuts) - 1;
  for (std::int64_t r = 0; r < parts; ++r)
    add_cells(cuts[static_cast<std::size_t>(r)], cuts[static_cast<std::size_t>(r) + 1],
              std::max<std::int64_t>(1, most_cells / parts), axis);
  axis.places.push_back(cuts.back());
  return axis;
}

/// The user's numbers, which are no ranks' own.
RanksPicture::Axis scattered_axis(std::int64_t size) {
  RanksPicture::Axis axis{{}, {}, true};
  const std::int64_t cells = std::min(size, most_cells);
  for (std::int64_t k = 0; k < cells; ++k) {
    axis.places.push_back(size * k / cells);
    axis.cuts.push_back(false);
  }
  axis.places.push_back(size);
  return axis;
}

/// Marks the cells of a tensor that have an element of a domain, by halves: most have none.
class Marker {
 public:
  Marker(RanksPicture::Owned& owned, std::optional<std::size_t> row, std::size_t column, std::int64_t reader,
         const NumbersAlong& numbering, const distribute::Wants* wants)
      : owned_(owned), row_(row), column_(column), reader_(reader), numbering_(numbering), wants_(wants) {}

  void mark(const Domain& domain, const Numbers& numbers) {
    domain_ = &domain, numbers_ = &numbers;
    if (!owned_.rows.scattered && !owned_.columns.scattered)
      return split(0, owned_.rows.cells(), 0, owned_.columns.cells());
    for (std::int64_t r = 0; r < owned_.rows.cells(); ++r)
      for (std::int64_t c = 0; c < owned_.columns.cells(); ++c)
        if (is_plain(owned_.rows, r) && is_plain(owned_.columns, c)) split(r, r + 1, c, c + 1);
  }

 private:
  /// Not several elements that ranks have in other places.
  static bool is_plain(const RanksPicture::Axis& axis, std::int64_t cell) {
    const auto k = static_cast<std::size_t>(cell);
    return !axis.scattered || axis.places[k + 1] == axis.places[k] + 1;
  }

  void within(std::vector<Constraint>& all, std::size_t dimension, const RanksPicture::Axis& axis, std::int64_t first,
              std::int64_t last) const {
    const Affine e = Affine::name(distribute::element_name(dimension));
    if (axis.scattered) {
      const auto element = static_cast<std::size_t>(axis.places[static_cast<std::size_t>(first)]);
      all.push_back({e, Relation::equal, Affine((*numbering_[dimension])[element])});
      return;
    }
    all.push_back({Affine(axis.places[static_cast<std::size_t>(first)]), Relation::less_equal, e});
    all.push_back({e, Relation::less, Affine(axis.places[static_cast<std::size_t>(last)])});
  }

  void split(std::int64_t r0, std::int64_t r1, std::int64_t c0, std::int64_t c1) {
    if (r0 >= r1 || c0 >= c1) return;
    Domain part = *domain_;
    if (row_) within(part.constraints, *row_, owned_.rows, r0, r1);
    within(part.constraints, column_, owned_.columns, c0, c1);
    if (distribute::count_wanted(part, *numbers_, wants_, reader_) == 0) return;
    if (r1 - r0 == 1 && c1 - c0 == 1) {
      RanksPicture::Cell& cell = owned_.cells[static_cast<std::size_t>(r0 * owned_.columns.cells() + c0)];
      add_once(cell.readers, reader_);
    } else if (r1 - r0 > c1 - c0) {
      split(r0, (r0 + r1) / 2, c0, c1), split((r0 + r1) / 2, r1, c0, c1);
    } else {
      split(r0, r1, c0, (c0 + c1) / 2), split(r0, r1, (c0 + c1) / 2, c1);
    }
  }

  RanksPicture::Owned& owned_;
  const std::optional<std::size_t> row_;
  const std::size_t column_;
  const std::int64_t reader_;
  const NumbersAlong& numbering_;
  const distribute::Wants* wants_;  ///< null: all that the domain has
  const Domain* domain_ = nullptr;
  const Numbers* numbers_ = nullptr;
};

class Drawer {
 public:
  Drawer(const Plan& plan, const Cuts& cuts) : plan_(plan), cuts_(cuts) {}

  std::optional<RanksPicture::Owned> owned(const distribute::Tensor& tensor, const distribute::Home& home) {
    const lang::TensorInfo& info = plan_.tensors.at(tensor);
    const std::size_t order = info.shape.size();
    std::vector<std::int64_t> shape;
    for (const Affine& size : info.shape) {
      const auto value = size.evaluate([&](const std::string& name) -> std::optional<std::int64_t> {
        const auto found = cuts_.sizes.find(name);
        return found == cuts_.sizes.end() ? std::nullopt : std::optional(found->second);
      });
      if (!value || *value <= 0) return std::nullopt;
      shape.push_back(*value);
    }
    const auto [row, column] = drawn_dimensions(home);
    RanksPicture::Owned made{tensor.name, distribute::home_text(plan_, home), static_cast<std::int64_t>(order)};
    for (const std::size_t d : {row.value_or(column), column})
      if (std::ssize(places_along(home, shape, d)) > most_parts(home, d)) return std::nullopt;
    numbering_ = distribute::numbers_along(plan_, cuts_, info, distribute::Into::ranks);
    const auto axis = [&](std::size_t d) {
      return numbering_[d] ? scattered_axis(shape[d]) : axis_of(places_along(home, shape, d));
    };
    if (row) made.rows = axis(*row);
    made.columns = axis(column);
    own_cells(home, row, column, made);
    for (const lang::RanksInfo& ranks : plan_.grid)
      if (std::ranges::none_of(home, [&](int p) { return p >= 0 && partition(p).ranks == ranks.name; }))
        made.also.push_back(ranks.name);
    for (const Exchange& e : plan_.exchanges)
      if (e.kind == Exchange::Kind::ghosts && e.tensor == tensor) mark_ghosts(e, row, column, made);
    for (RanksPicture::Cell& cell : made.cells) std::ranges::sort(cell.readers);
    return made;
  }

 private:
  const distribute::Partition& partition(int p) const { return plan_.partitions[static_cast<std::size_t>(p)]; }

  /// Those that are cut, and of one the last one beside it.
  static std::pair<std::optional<std::size_t>, std::size_t> drawn_dimensions(const distribute::Home& home) {
    std::vector<std::size_t> drawn;
    for (std::size_t d = 0; d < home.size(); ++d)
      if (home[d] >= 0 && drawn.size() < 2) drawn.push_back(d);
    for (std::size_t d = home.size(); d-- > 0 && drawn.size() < 2;)
      if (!contains(drawn, d)) drawn.push_back(d);
    std::ranges::sort(drawn);
    if (drawn.size() < 2) return {std::nullopt, drawn.front()};
    return {drawn[0], drawn[1]};
  }

  std::vector<std::int64_t> places_along(const distribute::Home& home, const std::vector<std::int64_t>& shape,
                                         std::size_t dimension) const {
    const int p = home[dimension];
    if (p >= 0 && partition(p).cyclic > 0) {
      std::vector<std::int64_t> blocks;
      for (std::int64_t at = 0; at < shape[dimension]; at += partition(p).cyclic) blocks.push_back(at);
      blocks.push_back(shape[dimension]);
      return blocks;
    }
    return p < 0 ? std::vector<std::int64_t>{0, shape[dimension]} : cuts_.places[static_cast<std::size_t>(p)];
  }

  /// Blocks that ranks take in turn are drawn where they are few.
  std::int64_t most_parts(const distribute::Home& home, std::size_t dimension) const {
    const bool in_turns = home[dimension] >= 0 && partition(home[dimension]).cyclic > 0;
    return in_turns ? 2 * most_cells : std::numeric_limits<std::int64_t>::max();
  }

  /// The part of a partition that has the place.
  std::int64_t part_of(int p, std::int64_t place) const {
    if (const distribute::Partition& all = partition(p); all.cyclic > 0) return place / all.cyclic % all.parts;
    const auto& places = cuts_.places[static_cast<std::size_t>(p)];
    return std::ranges::upper_bound(places, place) - places.begin() - 1;  // empty parts are none
  }

  /// The part that a cell of the axis belongs to, or most of it.
  std::int64_t part_of_cell(int p, std::size_t dimension, const RanksPicture::Axis& axis, std::int64_t cell) const {
    const auto k = static_cast<std::size_t>(cell);
    if (!axis.scattered) return part_of(p, axis.places[k]);
    std::map<std::int64_t, std::int64_t> count;
    for (std::int64_t x = axis.places[k]; x < axis.places[k + 1]; ++x)
      ++count[part_of(p, (*numbering_[dimension])[static_cast<std::size_t>(x)])];
    return std::ranges::max_element(count, {}, [](const auto& entry) { return entry.second; })->first;
  }

  void own_cells(const distribute::Home& home, std::optional<std::size_t> row, std::size_t column,
                 RanksPicture::Owned& made) const {
    const auto parts = [&](std::size_t dimension, const RanksPicture::Axis& axis) {
      std::vector<std::int64_t> by_cell;
      for (std::int64_t k = 0; k < axis.cells(); ++k)
        by_cell.push_back(home[dimension] < 0 ? 0 : part_of_cell(home[dimension], dimension, axis, k));
      return by_cell;
    };
    const auto by_row = row ? parts(*row, made.rows) : std::vector<std::int64_t>{};
    const auto by_column = parts(column, made.columns);
    for (std::int64_t r = 0; r < made.rows.cells(); ++r)
      for (std::int64_t c = 0; c < made.columns.cells(); ++c) {
        std::vector<std::int64_t> at(cuts_.grid.size(), 0);
        const auto stands = [&](std::size_t dimension, std::int64_t part) {
          if (home[dimension] < 0) return;
          const auto g = std::ranges::find(plan_.grid, partition(home[dimension]).ranks, &lang::RanksInfo::name);
          at[static_cast<std::size_t>(g - plan_.grid.begin())] = part;
        };
        if (row) stands(*row, by_row[static_cast<std::size_t>(r)]);
        stands(column, by_column[static_cast<std::size_t>(c)]);
        std::int64_t owner = 0;
        for (std::size_t g = 0; g < at.size(); ++g) owner = owner * cuts_.grid[g] + at[g];
        made.cells.push_back({owner, {}});
      }
  }

  void mark_ghosts(const Exchange& e, std::optional<std::size_t> row, std::size_t column,
                   RanksPicture::Owned& made) const {
    const lang::TensorInfo& info = plan_.tensors.at(e.tensor);
    std::vector<Domain> sections = distribute::over_all_iterations(plan_, cuts_.sizes, e);
    for (Domain& section : sections)
      for (std::size_t d = 0; d < info.shape.size(); ++d) {
        const Affine name = Affine::name(distribute::element_name(d));
        section.constraints.push_back({Affine(0), Relation::less_equal, name});
        section.constraints.push_back({name, Relation::less, info.shape[d]});
      }
    for (std::int64_t reader = 0; reader < cuts_.ranks(); ++reader) {
      const Numbers numbers = distribute::numbers_of(plan_, cuts_, reader);
      Marker marker(made, row, column, reader, numbering_, distribute::wants(plan_, cuts_, e));
      for (const Domain& section : sections) marker.mark(section, numbers);
    }
  }

  const Plan& plan_;
  const Cuts& cuts_;
  NumbersAlong numbering_;  ///< of the tensor that is drawn
};

/// By sender and receiver, of all exchanges together.
void add_bytes(const Plan& plan, const Cuts& cuts, RanksPicture& picture) {
  std::vector<std::int64_t> bytes(static_cast<std::size_t>(picture.ranks * picture.ranks), 0);
  for (const Exchange& e : plan.exchanges) {
    const auto sent = distribute::volume(plan, cuts, e);
    if (!sent) return;  // as what is computed decides how often
    picture.at_most |= !distribute::is_exact(cuts, e);
    for (const auto& [pair, count] : sent->between)
      bytes[static_cast<std::size_t>(pair.first * picture.ranks + pair.second)] += count;
  }
  if (std::ranges::any_of(bytes, [](std::int64_t count) { return count > 0; })) picture.bytes = std::move(bytes);
}

}  // namespace

RanksPicture ranks_picture(const Plan& plan, const Cuts& cuts) {
  RanksPicture picture{cuts.grid, cuts.ranks()};
  if (picture.ranks > most_ranks_drawn) return picture;
  Drawer drawer(plan, cuts);
  for (const auto& [tensor, info] : plan.tensors) {
    if (const distribute::Home* home = plan.home(tensor)) {
      if (auto owned = drawer.owned(tensor, *home)) picture.tensors.push_back(std::move(*owned));
    } else if (tensor.scope < 0 && !info.shape.empty()) {
      picture.whole.push_back(tensor.name);
    }
  }
  add_bytes(plan, cuts, picture);
  return picture;
}

}  // namespace trellis::view
