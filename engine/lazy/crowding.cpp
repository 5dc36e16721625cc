#include "engine/lazy/crowding.hpp"

#include <algorithm>
#include <cmath>

namespace trellis::lazy {

namespace {

class Crowding {
 public:
  Crowding(const std::vector<double>& rows, const std::vector<double>& columns, double entries)
      : rows_(bands(rows)), columns_(bands(columns)), entries_(entries) {
    for (int turn = 0; turn < turns; ++turn) {
      double there = 0;
      for (const Band& row : rows_)
        for (const Band& column : columns_) there += row.count * column.count * chance(row, column);
      if (there <= 0 || there > entries * 0.99) break;
      more_ *= entries / there;
    }
  }

  double found(const std::vector<double>& at_rows, const std::vector<double>& at_columns) {
    weigh(rows_, at_rows);
    weigh(columns_, at_columns);
    double found = 0, expected = 0;
    for (const Band& row : rows_)
      for (const Band& column : columns_) {
        found += row.weight * column.weight * chance(row, column);
        expected += row.weight * column.weight * row.degree * column.degree / entries_;
      }
    return expected > 0 ? found / expected : 1;
  }

 private:
  static constexpr int turns = 8, bands_an_octave = 4, most_bands = 64;

  /// Coordinates of about the same degree.
  struct Band {
    double degree = 0, count = 0, weight = 0;
    std::vector<std::size_t> coordinates;
  };

  static std::vector<Band> bands(const std::vector<double>& degrees) {
    const double most = std::ranges::max(degrees);
    std::vector<Band> all(most_bands);
    for (std::size_t x = 0; x < degrees.size(); ++x) {
      if (degrees[x] <= 0) continue;
      const double below = std::log2(most / degrees[x]) * bands_an_octave;
      Band& band = all[static_cast<std::size_t>(std::min(below, most_bands - 1.0))];
      band.degree += degrees[x];
      band.coordinates.push_back(x);
    }
    std::erase_if(all, [](const Band& band) { return band.coordinates.empty(); });
    for (Band& band : all) {
      band.count = static_cast<double>(band.coordinates.size());
      band.degree /= band.count;
    }
    return all;
  }

  static void weigh(std::vector<Band>& bands, const std::vector<double>& weights) {
    for (Band& band : bands) {
      band.weight = 0;
      for (const std::size_t x : band.coordinates) band.weight += weights[x];
    }
  }

  double chance(const Band& row, const Band& column) const {
    return -std::expm1(-more_ * row.degree * column.degree / entries_);
  }

  std::vector<Band> rows_, columns_;
  double entries_, more_ = 1;
};

}  // namespace

bool is_crowded(const std::vector<double>& rows, const std::vector<double>& columns, double entries) {
  return !rows.empty() && !columns.empty() && 3 * std::ranges::max(rows) * std::ranges::max(columns) > entries;
}

double crowding(const std::vector<double>& rows, const std::vector<double>& columns, double entries,
                const std::vector<double>& at_rows, const std::vector<double>& at_columns) {
  return Crowding(rows, columns, entries).found(at_rows, at_columns);
}

}  // namespace trellis::lazy
