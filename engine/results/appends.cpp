#include "engine/results/appends.hpp"

#include <algorithm>

#include "engine/format/level.hpp"
#include "engine/schedule/dependences.hpp"

namespace trellis::results {
namespace {

using math::Affine;
using math::Assignment;
using math::Constraint;
using math::Domain;
using math::Relation;

/// One tensor's touch with the statement that does it.
struct Use {
  const schedule::Site* site;
  const schedule::Touch* touch;
};

void add(std::vector<Constraint>& to, const std::vector<Constraint>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

/// Where in the tensor, a coordinate per dimension; one that is not affine is a variable that nothing is known about.
std::vector<Affine> element_of(const Use& use, std::size_t rank, Domain& of) {
  std::vector<Affine> at;
  for (std::size_t d = 0; d < rank; ++d) {
    if (d < use.touch->index.size() && use.touch->index[d]) {
      at.push_back(*use.touch->index[d]);
    } else {
      of.variables.push_back("any#" + std::to_string(d));
      at.push_back(Affine::name(of.variables.back()));
    }
  }
  return at;
}

/// Two touches of one tensor, the first one's names marked: what holds of both, and their elements.
struct Pair {
  Domain domain;
  std::vector<Affine> first, second;

  Pair(const Use& a, const Use& b, std::size_t rank) {
    Domain one = a.site->domain, two = b.site->domain;
    add(one.constraints, a.touch->guards);
    add(two.constraints, b.touch->guards);
    first = element_of(a, rank, one);
    second = element_of(b, rank, two);
    const auto mark = schedule::marking(one.variables);
    for (Affine& coordinate : first) coordinate = coordinate.substitute(mark);
    domain = schedule::both(one, two);
  }
};

/// `a` does not lie behind `b` in storage: conjunctions, one of which holds.
std::vector<std::vector<Constraint>> not_behind(const std::vector<Affine>& a, const std::vector<Affine>& b,
                                                const format::Format& format) {
  std::vector<std::vector<Constraint>> result;
  std::vector<Constraint> same;
  for (std::size_t level = 0; level < format.order.size(); ++level) {
    const auto d = static_cast<std::size_t>(format.order[level]);
    const bool falling = format::facts(format.levels[level]).decreasing;
    result.push_back(same);
    result.back().push_back({a[d], falling ? Relation::greater : Relation::less, b[d]});
    same.push_back({a[d], Relation::equal, b[d]});
  }
  result.push_back(same);
  return result;
}

std::vector<Constraint> equal(const std::vector<Affine>& a, const std::vector<Affine>& b) {
  std::vector<Constraint> result;
  for (std::size_t d = 0; d < a.size(); ++d) result.push_back({a[d], Relation::equal, b[d]});
  return result;
}

class Uses {
 public:
  std::vector<Use> reads, writes, wholes;  ///< wholes: what gives every element a value at once

  Uses(const std::vector<schedule::Site>& sites, const std::string& tensor, std::size_t rank) {
    for (const schedule::Site& site : sites)
      for (const schedule::Touch& touch : site.touches) {
        if (touch.tensor != tensor || touch.scope >= 0) continue;
        const bool whole = touch.kind == schedule::Touch::Kind::write && touch.index.size() < rank;
        (touch.kind == schedule::Touch::Kind::read ? reads : whole ? wholes : writes).push_back({&site, &touch});
      }
  }
};

// ---- words

std::int64_t value(const Affine& form, const Assignment& point) {
  return form
      .evaluate([&](const std::string& name) -> std::optional<std::int64_t> {
        for (const auto& [known, number] : point)
          if (known == name) return number;
        return 0;
      })
      .value_or(0);
}

std::string element_at(const std::string& tensor, const std::vector<Affine>& index, const Assignment& point) {
  std::vector<std::int64_t> numbers;
  for (const Affine& coordinate : index) numbers.push_back(value(coordinate, point));
  return text::element_text(tensor, numbers);
}

/// "i=0, k=1"; empty outside all loops.
std::string iteration(const schedule::Site& site, const Assignment& point, bool of_first) {
  text::Point at;
  for (const schedule::Around& around : site.loops) {
    if (around.variable.find('#') != std::string::npos) continue;
    const std::string name = of_first ? schedule::marked(around.variable) : around.variable;
    at.emplace_back(around.variable, value(Affine::name(name), point));
  }
  return at.empty() ? "" : " at " + text::to_string(at);
}

bool known(const Use& use, std::size_t rank) {
  return use.touch->index.size() == rank &&
         std::ranges::all_of(use.touch->index, [](const auto& index) { return index.has_value(); });
}

class Proof {
 public:
  Proof(const std::vector<schedule::Site>& sites, const lang::TensorInfo& tensor, math::Solver& solver)
      : uses_(sites, tensor.name, tensor.shape.size()), tensor_(tensor), rank_(tensor.shape.size()), solver_(solver) {}

  std::optional<std::string> obstacle() {
    for (const Use& write : uses_.writes)
      for (const Use& whole : uses_.wholes)
        if (meets(write, whole, schedule::runs_before(*write.site, *whole.site)))
          return tensor_.name + " is reset while the loops write it";
    for (const Use& first : uses_.writes)
      for (const Use& second : uses_.writes)
        if (auto words = falls(first, second)) return words;
    for (const Use& write : uses_.writes)
      for (const Use& read : uses_.reads)
        if (auto words = unfinished(write, read)) return words;
    return std::nullopt;
  }

  bool rises_in_each_fiber() {
    if (uses_.writes.empty() || !uses_.reads.empty() || !uses_.wholes.empty()) return false;
    if (!std::ranges::all_of(uses_.writes, [&](const Use& write) { return known(write, rank_); })) return false;
    const auto in_turn = [&](const Use& first, const Use& second) {
      const Pair pair(first, second, rank_);
      auto where = not_behind(pair.second, pair.first, tensor_.format);
      where.erase(where.begin(), where.end() - 2);  // left: one fiber, and an entry before or again
      return !find(pair, schedule::runs_before(*first.site, *second.site), where);
    };
    for (const Use& first : uses_.writes)
      for (const Use& second : uses_.writes)
        if (!in_turn(first, second)) return false;
    return true;
  }

 private:
  bool meets(const Use& a, const Use& b, const std::vector<schedule::Before>& orders) {
    const Pair pair(a, b, rank_);
    return std::ranges::any_of(orders, [&](const schedule::Before& order) {
      Domain domain = pair.domain;
      add(domain.constraints, order.constraints);
      return !solver_.is_empty(domain);
    });
  }

  /// Instances of `first` and `second` in such an order, whose elements are as one of `where` says.
  std::optional<Assignment> find(const Pair& pair, const std::vector<schedule::Before>& orders,
                                 const std::vector<std::vector<Constraint>>& where) {
    for (const schedule::Before& order : orders)
      for (const auto& condition : where) {
        Domain domain = pair.domain;
        add(domain.constraints, order.constraints);
        add(domain.constraints, condition);
        if (!solver_.is_empty(domain)) return solver_.smallest(domain);
      }
    return std::nullopt;
  }

  std::optional<std::string> falls(const Use& first, const Use& second) {
    const Pair pair(first, second, rank_);
    const auto point = find(pair, schedule::runs_before(*first.site, *second.site),
                            not_behind(pair.second, pair.first, tensor_.format));
    if (!point) return std::nullopt;
    if (!known(first, rank_) || !known(second, rank_))
      return "which element of " + tensor_.name + " is written is known only when it runs";
    const std::string one = element_at(tensor_.name, pair.first, *point),
                      two = element_at(tensor_.name, pair.second, *point);
    const std::string when = iteration(*second.site, *point, false);
    return one == two ? one + " is written again" + when : two + " is written" + when + " after " + one;
  }

  std::optional<std::string> unfinished(const Use& write, const Use& read) {
    const Pair pair(write, read, rank_);
    const auto point =
        find(pair, schedule::runs_after(*write.site, *read.site), not_behind(pair.first, pair.second, tensor_.format));
    if (!point) return std::nullopt;
    const std::string when = iteration(*read.site, *point, false);
    if (!known(read, rank_))
      return "which element of " + tensor_.name + " is read" + when + " is known only when it runs";
    const std::string one = element_at(tensor_.name, pair.first, *point),
                      two = element_at(tensor_.name, pair.second, *point);
    return two + " is read" + when + " before " + (one == two ? "it" : one) + " is written";
  }

  Uses uses_;
  const lang::TensorInfo& tensor_;
  std::size_t rank_;
  math::Solver& solver_;
};

}  // namespace

std::optional<std::string> append_obstacle(const std::vector<schedule::Site>& sites, const lang::TensorInfo& tensor,
                                           math::Solver& solver) {
  return Proof(sites, tensor, solver).obstacle();
}

bool rises_in_each_fiber(const std::vector<schedule::Site>& sites, const lang::TensorInfo& tensor,
                         math::Solver& solver) {
  return Proof(sites, tensor, solver).rises_in_each_fiber();
}

bool overwrites(const std::vector<schedule::Site>& sites, const lang::TensorInfo& tensor, math::Solver& solver) {
  const std::size_t rank = tensor.shape.size();
  Uses uses(sites, tensor.name, rank);
  // An update reads what is there.
  std::vector<Use> writes, reads = uses.reads;
  for (const Use& use : uses.writes) {
    const bool sure = use.site->exact && use.touch->guards.empty() && known(use, rank);
    if (use.touch->kind == schedule::Touch::Kind::update) reads.push_back(use);
    else if (sure) writes.push_back(use);
  }
  for (const Use& use : uses.wholes)
    if (use.site->exact) writes.push_back(use);

  Domain all;
  std::vector<Affine> element;
  for (std::size_t d = 0; d < rank; ++d) {
    all.variables.push_back("at#" + std::to_string(d));
    element.push_back(Affine::name(all.variables.back()));
    all.constraints.push_back({0, Relation::less_equal, element.back()});
    all.constraints.push_back({element.back(), Relation::less, tensor.shape[d]});
  }
  std::vector<Domain> pieces;
  for (const Use& use : writes) {
    Domain piece{all.variables, use.site->domain.constraints};
    piece.variables.insert(piece.variables.end(), use.site->domain.variables.begin(), use.site->domain.variables.end());
    for (std::size_t d = 0; d < use.touch->index.size(); ++d)
      piece.constraints.push_back({element[d], Relation::equal, *use.touch->index[d]});
    pieces.push_back(std::move(piece));
  }
  if (pieces.empty() || !solver.covers(pieces, all)) return false;

  return std::ranges::all_of(reads, [&](const Use& read) {
    std::vector<Domain> before;
    Domain reading = read.site->domain;
    add(reading.constraints, read.touch->guards);
    for (const Use& write : writes) {
      const Pair pair(write, read, rank);
      for (const schedule::Before& order : schedule::runs_before(*write.site, *read.site)) {
        before.push_back(pair.domain);
        add(before.back().constraints, order.constraints);
        if (!write.touch->index.empty()) add(before.back().constraints, equal(pair.first, pair.second));
      }
    }
    element_of(read, rank, reading);  // whatever an unknown index is
    return !before.empty() && solver.covers(before, reading);
  });
}

std::vector<int> idle_writes(const std::vector<schedule::Site>& sites, const std::vector<int>& fills,
                             const lang::TensorInfo& tensor, math::Solver& solver) {
  const std::size_t rank = tensor.shape.size();
  const Uses uses(sites, tensor.name, rank);
  const auto writes_fill = [&](const Use& use) { return std::ranges::find(fills, use.site->statement) != fills.end(); };
  const auto follows = [&](const Use& late, const Use& early) {
    const Pair pair(early, late, rank);
    return std::ranges::any_of(schedule::runs_before(*early.site, *late.site), [&](const schedule::Before& order) {
      Domain domain = pair.domain;
      add(domain.constraints, order.constraints);
      add(domain.constraints, equal(pair.first, pair.second));
      return !solver.is_empty(domain);
    });
  };
  std::vector<int> idle;
  for (const Use& late : uses.writes) {
    const bool changes =
        std::ranges::any_of(uses.writes, [&](const Use& early) { return !writes_fill(early) && follows(late, early); });
    if (writes_fill(late) && !changes) idle.push_back(late.site->statement);
  }
  return idle;
}

}  // namespace trellis::results
