#include "engine/lazy/stats.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/lazy/crowding.hpp"
#include "engine/tensor/for_each_entry.hpp"

namespace trellis::lazy {

namespace {

using Degrees = std::vector<double>;

double volume(const Fields& fields) {
  double points = 1;
  for (const Field& field : fields) points *= static_cast<double>(field.size);
  return points;
}

double total(const Degrees& degrees) { return std::accumulate(degrees.begin(), degrees.end(), 0.0); }

Degrees evenly(double entries, const Field& field) {
  const auto size = static_cast<std::size_t>(field.size);
  return Degrees(size, size > 0 ? entries / static_cast<double>(size) : 0);
}

Degrees scaled(Degrees degrees, double factor) {
  for (double& degree : degrees) degree *= factor;
  return degrees;
}

/// Degrees that sum to 1, or to nothing.
Degrees shares(const Degrees& degrees) {
  const double sum = total(degrees);
  return sum > 0 ? scaled(degrees, 1 / sum) : degrees;
}

const Degrees* degrees_of(const Statistics& s, const Field& field) {
  const auto found = std::ranges::lower_bound(s.fields, field);
  return found == s.fields.end() || *found != field ? nullptr
                                                    : &s.degrees[static_cast<std::size_t>(found - s.fields.begin())];
}

void multiply(Degrees& by, const Degrees& with) {
  for (std::size_t x = 0; x < by.size(); ++x) by[x] *= with[x];
}

}  // namespace

Counted count_entries(const tensor::Tensor& tensor) {
  Counted counted;
  for (const std::int64_t size : tensor.shape()) counted.degrees.emplace_back(static_cast<std::size_t>(size), 0.0);
  tensor::for_each_listed(tensor, [&](const tensor::Index& index, const format::Value&) {
    ++counted.entries;
    for (std::size_t d = 0; d < index.size(); ++d) ++counted.degrees[d][static_cast<std::size_t>(index[d])];
  });
  return counted;
}

Statistics Statistics::full(const Fields& fields) {
  Statistics s{fields, volume(fields), {}};
  for (const Field& field : fields) s.degrees.push_back(evenly(s.entries, field));
  return s;
}

Statistics Statistics::empty(const Fields& fields) {
  Statistics s{fields, 0, {}};
  for (const Field& field : fields) s.degrees.push_back(evenly(0, field));
  return s;
}

double Statistics::density() const {
  const double points = volume(fields);
  return points > 0 ? entries / points : 0;
}

Counted counted(const Statistics& of, const std::vector<Field>& fields) {
  Counted table{of.entries, {}};
  for (const Field& field : fields) table.degrees.push_back(*degrees_of(of, field));
  return table;
}

Statistics at(const Counted& counted, const std::vector<Field>& fields) {
  Statistics s{as_set(fields), counted.entries, {}};
  for (const Field& field : s.fields) {
    Degrees weights(static_cast<std::size_t>(field.size), 1.0);
    int times = 0;
    for (std::size_t d = 0; d < fields.size(); ++d)
      if (fields[d] == field) multiply(weights, shares(counted.degrees[d])), ++times;
    // On a diagonal both coordinates fall together as often as their shares say.
    if (times > 1) s.entries *= total(weights);
    s.degrees.push_back(shares(weights));
  }
  for (Degrees& degrees : s.degrees) degrees = scaled(std::move(degrees), s.entries);
  return s;
}

namespace {

/// Degrees of those parts that have the field.
std::vector<const Degrees*> meeting_at(const Field& field, std::span<const Statistics* const> parts) {
  std::vector<const Degrees*> met;
  for (const Statistics* part : parts)
    if (const Degrees* own = degrees_of(*part, field)) met.push_back(own);
  return met;
}

/// Π at each coordinate.
Degrees products(const std::vector<const Degrees*>& met) {
  Degrees all = *met.front();
  for (std::size_t p = 1; p < met.size(); ++p) multiply(all, *met[p]);
  return all;
}

/// Σₓ Π shares: the chance that entries, one of each part, meet at a coordinate.
double chance_to_meet(const std::vector<const Degrees*>& met) {
  if (met.size() < 2) return 1;
  double sums = 1;
  for (const Degrees* degrees : met) sums *= total(*degrees);
  if (sums <= 0) return 0;
  const double together =
      met.size() == 2 ? std::inner_product(met[0]->begin(), met[0]->end(), met[1]->begin(), 0.0) : total(products(met));
  return together / sums;
}

/// Of a part with two fields that others have as well.
double crowding_of(const Statistics& part, std::span<const Statistics* const> parts) {
  std::vector<Field> shared;
  for (const Field& field : part.fields)
    if (meeting_at(field, parts).size() > 1) shared.push_back(field);
  if (shared.size() != 2) return 1;
  const Degrees &rows = *degrees_of(part, shared[0]), &columns = *degrees_of(part, shared[1]);
  if (part.fields.size() > 2 || !is_crowded(rows, columns, part.entries)) return 1;
  const auto others = [&](const Field& field) {
    std::vector<const Degrees*> met = meeting_at(field, parts);
    std::erase(met, degrees_of(part, field));
    return products(met);
  };
  return crowding(rows, columns, part.entries, others(shared[0]), others(shared[1]));
}

}  // namespace

double joined_entries(std::span<const Statistics* const> parts) {
  Fields fields;
  double entries = 1;
  for (const Statistics* part : parts) {
    fields = lazy::united(fields, part->fields);
    entries *= part->entries;
  }
  for (const Field& field : fields) entries *= chance_to_meet(meeting_at(field, parts));
  for (const Statistics* part : parts) entries *= crowding_of(*part, parts);
  // No more than any of them allows at all points of the other fields.
  for (const Statistics* part : parts)
    entries = std::min(entries, part->entries * volume(without(fields, part->fields)));
  return entries;
}

Statistics joined(std::span<const Statistics> parts) {
  std::vector<const Statistics*> all;
  for (const Statistics& part : parts) all.push_back(&part);
  Statistics s{{}, joined_entries(all), {}};
  for (const Statistics& part : parts) s.fields = lazy::united(s.fields, part.fields);
  for (const Field& field : s.fields) s.degrees.push_back(scaled(shares(products(meeting_at(field, all))), s.entries));
  return s;
}

Statistics repeated(const Statistics& of, const Fields& fields) {
  const double times = volume(without(fields, of.fields));
  Statistics s{fields, of.entries * times, {}};
  for (const Field& field : fields) {
    const Degrees* own = degrees_of(of, field);
    s.degrees.push_back(own ? scaled(*own, times) : evenly(s.entries, field));
  }
  return s;
}

Statistics united(std::span<const Statistics> parts, Overlap overlap) {
  Fields fields;
  for (const Statistics& part : parts) fields = lazy::united(fields, part.fields);
  Statistics s = Statistics::empty(fields);
  for (const Statistics& part : parts) {
    const Statistics more = repeated(part, fields);
    const double left = overlap == Overlap::none ? 1 : 1 - s.density();
    s.entries += more.entries * left;
    for (std::size_t f = 0; f < fields.size(); ++f)
      for (std::size_t x = 0; x < s.degrees[f].size(); ++x) s.degrees[f][x] += more.degrees[f][x] * left;
  }
  return s;
}

namespace {

/// Coordinates of a field with about the same share of the entries.
struct Alike {
  double share = 0;  ///< of each, on average
  std::vector<std::size_t> coordinates;
};

std::vector<Alike> grouped(const Degrees& share, std::size_t groups) {
  std::vector<std::size_t> order(share.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (!share.empty() && std::ranges::min(share) == std::ranges::max(share)) return {{share[0], std::move(order)}};
  std::ranges::sort(order, {}, [&](std::size_t x) { return share[x]; });
  groups = std::min(groups, order.size());
  std::vector<Alike> all(groups);
  for (std::size_t place = 0; place < order.size(); ++place) {
    Alike& group = all[place * groups / order.size()];
    group.share += share[order[place]];
    group.coordinates.push_back(order[place]);
  }
  for (Alike& group : all) group.share /= static_cast<double>(group.coordinates.size());
  return all;
}

/// Of so many hits that fall at coordinates as the shares say: those coordinates that are hit at all.
class Occupancy {
 public:
  Occupancy(const Fields& fields, double hits, const std::vector<Degrees>& degrees)
      : hits_(hits), result_(Statistics::empty(fields)) {
    // 48 groups of two fields are 2304 pairs; of three fields as many need 13.
    const std::size_t groups = fields.size() <= 2 ? 48 : 12;
    for (std::size_t f = 0; f < fields.size(); ++f)
      groups_.push_back(grouped(shares(degrees[f]), fields.size() == 1 ? degrees[f].size() : groups));
    for (const auto& of_field : groups_) there_.emplace_back(of_field.size(), 0.0);
  }

  Statistics take() {
    std::vector<std::size_t> chosen;
    visit(chosen, 1, 1);
    for (std::size_t f = 0; f < groups_.size(); ++f)
      for (std::size_t g = 0; g < groups_[f].size(); ++g)
        for (const std::size_t x : groups_[f][g].coordinates)
          result_.degrees[f][x] = there_[f][g] / static_cast<double>(groups_[f][g].coordinates.size());
    return std::move(result_);
  }

 private:
  void visit(std::vector<std::size_t>& chosen, double share, double points) {
    if (chosen.size() == groups_.size()) return count(chosen, -std::expm1(-hits_ * share) * points);
    const std::vector<Alike>& groups = groups_[chosen.size()];
    for (std::size_t g = 0; g < groups.size(); ++g) {
      chosen.push_back(g);
      visit(chosen, share * groups[g].share, points * static_cast<double>(groups[g].coordinates.size()));
      chosen.pop_back();
    }
  }

  void count(const std::vector<std::size_t>& chosen, double there) {
    result_.entries += there;
    for (std::size_t f = 0; f < chosen.size(); ++f) there_[f][chosen[f]] += there;
  }

  double hits_;
  Statistics result_;
  std::vector<std::vector<Alike>> groups_;
  std::vector<Degrees> there_;  ///< by field and group: at all of its coordinates together
};

}  // namespace

Statistics scaled(const Statistics& of, double entries) {
  Statistics s{of.fields, std::min(entries, volume(of.fields)), {}};
  for (const Degrees& degrees : of.degrees) s.degrees.push_back(scaled(shares(degrees), s.entries));
  return s;
}

Statistics reduced(const Statistics& of, const Fields& over) {
  const Fields left = without(of.fields, over);
  if (left == of.fields) return of;
  if (of.entries >= volume(of.fields)) return Statistics::full(left);
  if (left.empty()) return {{}, std::min(1.0, of.entries), {}};
  std::vector<Degrees> degrees;
  for (const Field& field : left) degrees.push_back(*degrees_of(of, field));
  return Occupancy(left, of.entries, degrees).take();
}

}  // namespace trellis::lazy
