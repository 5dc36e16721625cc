#include "engine/lazy/stats.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

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

Statistics joined(std::span<const Statistics> parts) {
  Statistics s{{}, 1, {}};
  for (const Statistics& part : parts) {
    s.fields = lazy::united(s.fields, part.fields);
    s.entries *= part.entries;
  }
  for (const Field& field : s.fields) {
    Degrees weights(static_cast<std::size_t>(field.size), 1.0);
    int sharing = 0;
    for (const Statistics& part : parts)
      if (const Degrees* own = degrees_of(part, field)) multiply(weights, shares(*own)), ++sharing;
    if (sharing > 1) s.entries *= total(weights);
    s.degrees.push_back(shares(weights));
  }
  // No more than any of them allows at all points of the other fields.
  for (const Statistics& part : parts)
    s.entries = std::min(s.entries, part.entries * volume(without(s.fields, part.fields)));
  for (Degrees& degrees : s.degrees) degrees = scaled(std::move(degrees), s.entries);
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
  }

  Statistics take() {
    std::vector<const Alike*> chosen;
    visit(chosen, 1, 1);
    return std::move(result_);
  }

 private:
  void visit(std::vector<const Alike*>& chosen, double share, double points) {
    if (chosen.size() == groups_.size()) return count(chosen, -std::expm1(-hits_ * share) * points);
    for (const Alike& group : groups_[chosen.size()]) {
      chosen.push_back(&group);
      visit(chosen, share * group.share, points * static_cast<double>(group.coordinates.size()));
      chosen.pop_back();
    }
  }

  void count(const std::vector<const Alike*>& chosen, double there) {
    result_.entries += there;
    for (std::size_t f = 0; f < chosen.size(); ++f)
      for (const std::size_t x : chosen[f]->coordinates)
        result_.degrees[f][x] += there / static_cast<double>(chosen[f]->coordinates.size());
  }

  double hits_;
  Statistics result_;
  std::vector<std::vector<Alike>> groups_;
};

}  // namespace

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
