#include "engine/coiterate/number_lattices.hpp"

#include <map>

#include "engine/coiterate/lattice_words.hpp"
#include "engine/loop/print.hpp"

namespace trellis::coiterate {

namespace {

void collect(const Lattice::Case& c, Outcome so_far, std::vector<Outcome>& all) {
  if (c.tested < 0) {
    so_far.body = c.body;
    all.push_back(std::move(so_far));
    return;
  }
  Outcome there = so_far;
  there.present.push_back(c.tested);
  collect(c.branches.front(), std::move(there), all);
  if (c.certain) return;
  so_far.absent.push_back(c.tested);
  collect(c.branches.back(), std::move(so_far), all);
}

}  // namespace

std::vector<int> same_lattices(const std::vector<Lattice>& all) {
  std::vector<int> same_as(all.size());
  std::map<std::string, int> known;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const Lattice& l = all[k];
    const int parent = l.parent < 0 ? -1 : same_as[static_cast<std::size_t>(l.parent)];
    std::string key = std::to_string(parent) + "|" + std::to_string(l.loop.id()) + "|" + head(l) + "|" +
                      loop::to_string(l.for_().body);
    for (const std::string& remark : remarks(l)) key += "|" + remark;
    same_as[k] = known.emplace(key, static_cast<int>(k)).first->second;
  }
  return same_as;
}

std::vector<NumberedLattice> distinct(const std::vector<Lattice>& all) {
  const std::vector<int> same_as = same_lattices(all);
  std::vector<NumberedLattice> kept;
  int id = 0;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const Lattice& l = all[k];
    if (same_as[k] != static_cast<int>(k)) continue;
    const int parent = l.parent < 0 ? -1 : same_as[static_cast<std::size_t>(l.parent)];
    kept.push_back(
        {&l, l.parent < 0 ? nullptr : &all[static_cast<std::size_t>(l.parent)], static_cast<int>(k), parent, id});
    id += static_cast<int>(l.points.size()) + 2;
  }
  for (NumberedLattice& one : kept) {
    one.first_outcome = id;
    id = one.outcome_id(static_cast<int>(one.lattice->points.size()), 0);
  }
  return kept;
}

int NumberedLattice::outcome_id(int point, int outcome) const {
  std::size_t before = 0;
  for (int p = 0; p < point; ++p) before += outcomes(lattice->points[static_cast<std::size_t>(p)]).size();
  return first_outcome + static_cast<int>(before) + outcome;
}

std::vector<NumberedLattice> of_loop(const std::vector<NumberedLattice>& all, const std::string& variable) {
  std::vector<NumberedLattice> found;
  for (const NumberedLattice& one : all)
    if (variable.empty() ? !one.lattice->operands.empty() : one.lattice->for_().variable == variable)
      found.push_back(one);
  return found;
}

std::vector<Outcome> outcomes(const Lattice::Point& point) {
  std::vector<Outcome> all;
  if (point.by_cases) collect(point.cases, {}, all);
  else all.push_back({{}, {}, point.body});
  return all;
}

}  // namespace trellis::coiterate
