#include "engine/distribute/graph_parts.hpp"

#include <metis.h>

#include <algorithm>
#include <limits>
#include <mutex>
#include <numeric>

#include "engine/tensor/for_each_entry.hpp"

namespace trellis::distribute {
namespace {

using Ids = std::vector<idx_t>;

/// As METIS takes it: the neighbours of v are neighbours[first[v]] … neighbours[first[v+1] - 1], each of them once.
struct Graph {
  Ids first, neighbours, weights;
};

std::optional<Graph> graph_of(const Pattern& pattern) {
  constexpr std::int64_t most = std::numeric_limits<idx_t>::max();
  const std::int64_t rows = pattern.rows();
  if (rows >= most || std::ssize(pattern.columns) > most / 2) return std::nullopt;
  std::vector<std::int64_t> begin(static_cast<std::size_t>(rows) + 1, 0);
  const auto each_edge = [&](const auto& visit) {
    for (std::int64_t i = 0; i < rows; ++i)
      for (std::int64_t e = pattern.first[static_cast<std::size_t>(i)];
           e < pattern.first[static_cast<std::size_t>(i) + 1]; ++e)
        if (const std::int64_t j = pattern.columns[static_cast<std::size_t>(e)]; j != i) visit(i, j), visit(j, i);
  };
  each_edge([&](std::int64_t i, std::int64_t) { ++begin[static_cast<std::size_t>(i) + 1]; });
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  Ids all(static_cast<std::size_t>(begin.back()));
  std::vector<std::int64_t> at = begin;
  each_edge([&](std::int64_t i, std::int64_t j) {
    all[static_cast<std::size_t>(at[static_cast<std::size_t>(i)]++)] = static_cast<idx_t>(j);
  });
  Graph graph{{0}, {}, {}};
  for (std::size_t i = 0; i < static_cast<std::size_t>(rows); ++i) {
    const auto from = all.begin() + begin[i], to = all.begin() + begin[i + 1];
    std::sort(from, to);
    graph.neighbours.insert(graph.neighbours.end(), from, std::unique(from, to));
    graph.first.push_back(static_cast<idx_t>(graph.neighbours.size()));
  }
  for (const std::int64_t weight : weights_of(pattern)) graph.weights.push_back(static_cast<idx_t>(weight));
  return graph;
}

/// It draws its random numbers from a generator that all threads share.
std::mutex metis;

}  // namespace

Pattern pattern_of(const tensor::Tensor& matrix, std::size_t along) {
  Pattern pattern{std::vector<std::int64_t>(static_cast<std::size_t>(matrix.shape()[along]) + 1, 0), {}};
  tensor::for_each_element(matrix, [&](const tensor::Index& index, std::int64_t) {
    ++pattern.first[static_cast<std::size_t>(index[along]) + 1];
  });
  std::partial_sum(pattern.first.begin(), pattern.first.end(), pattern.first.begin());
  pattern.columns.resize(static_cast<std::size_t>(pattern.first.back()));
  std::vector<std::int64_t> at = pattern.first;
  tensor::for_each_element(matrix, [&](const tensor::Index& index, std::int64_t) {
    pattern.columns[static_cast<std::size_t>(at[static_cast<std::size_t>(index[along])]++)] =
        index.size() == 2 ? index[1 - along] : 0;
  });
  return pattern;
}

std::vector<std::int64_t> weights_of(const Pattern& pattern) {
  std::vector<std::int64_t> weights;
  for (std::size_t i = 1; i < pattern.first.size(); ++i) weights.push_back(1 + pattern.first[i] - pattern.first[i - 1]);
  return weights;
}

std::vector<std::int64_t> weights_of(const tensor::Tensor& tensor, std::size_t along) {
  std::vector<std::int64_t> weights(static_cast<std::size_t>(tensor.shape()[along]), 1);
  tensor::for_each_element(
      tensor, [&](const tensor::Index& index, std::int64_t) { ++weights[static_cast<std::size_t>(index[along])]; });
  return weights;
}

std::optional<std::vector<std::int64_t>> parts_of(const Pattern& pattern, std::int64_t parts) {
  const std::int64_t rows = pattern.rows();
  if (parts <= 1 || rows <= parts) {  // METIS wants several parts, and rows for all of them
    std::vector<std::int64_t> part(static_cast<std::size_t>(rows), 0);
    if (parts > 1) std::iota(part.begin(), part.end(), 0);
    return part;
  }
  auto graph = graph_of(pattern);
  if (!graph) return std::nullopt;
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;
  options[METIS_OPTION_NUMBERING] = 0;
  auto vertices = static_cast<idx_t>(rows), wanted = static_cast<idx_t>(parts);
  idx_t constraints = 1, cut = 0;
  Ids part(static_cast<std::size_t>(rows), 0);
  const std::scoped_lock alone(metis);
  const int ended =
      METIS_PartGraphKway(&vertices, &constraints, graph->first.data(), graph->neighbours.data(), graph->weights.data(),
                          nullptr, nullptr, &wanted, nullptr, nullptr, options, &cut, part.data());
  if (ended != METIS_OK) return std::nullopt;
  return std::vector<std::int64_t>(part.begin(), part.end());
}

std::vector<std::int64_t> places_of(const std::vector<std::int64_t>& part, std::int64_t parts) {
  std::vector<std::int64_t> places(static_cast<std::size_t>(parts) + 1, 0);
  for (const std::int64_t p : part) ++places[static_cast<std::size_t>(p) + 1];
  std::partial_sum(places.begin(), places.end(), places.begin());
  return places;
}

Numbering numbering_of(const std::vector<std::int64_t>& part, std::int64_t parts) {
  std::vector<std::int64_t> next = places_of(part, parts);
  Numbering numbering{{}, std::vector<std::int64_t>(part.size())};
  for (const std::int64_t p : part) {
    const std::int64_t number = next[static_cast<std::size_t>(p)]++;
    numbering.from[static_cast<std::size_t>(number)] = std::ssize(numbering.to);
    numbering.to.push_back(number);
  }
  return numbering;
}

std::int64_t ghosts_of(const Pattern& pattern, const std::vector<std::int64_t>& part, std::int64_t parts) {
  const Numbering numbering = numbering_of(part, parts);
  std::vector<std::int64_t> reader(part.size(), -1);  // the last part that was seen to read it
  std::int64_t ghosts = 0;
  for (const std::int64_t row : numbering.from) {
    const auto i = static_cast<std::size_t>(row);
    for (std::int64_t e = pattern.first[i]; e < pattern.first[i + 1]; ++e) {
      const auto j = static_cast<std::size_t>(pattern.columns[static_cast<std::size_t>(e)]);
      if (part[j] == part[i] || reader[j] == part[i]) continue;
      reader[j] = part[i];
      ++ghosts;
    }
  }
  return ghosts;
}

std::vector<std::int64_t> parts_between(const std::vector<std::int64_t>& places) {
  std::vector<std::int64_t> part;
  for (std::size_t p = 0; p + 1 < places.size(); ++p)
    part.resize(static_cast<std::size_t>(places[p + 1]), static_cast<std::int64_t>(p));
  return part;
}

double largest_part(const std::vector<std::int64_t>& weights, const std::vector<std::int64_t>& part,
                    std::int64_t parts) {
  std::vector<std::int64_t> sums(static_cast<std::size_t>(parts), 0);
  for (std::size_t i = 0; i < part.size(); ++i) sums[static_cast<std::size_t>(part[i])] += weights[i];
  const std::int64_t total = std::accumulate(sums.begin(), sums.end(), std::int64_t{0});
  if (total == 0) return 1;
  return static_cast<double>(*std::ranges::max_element(sums)) * static_cast<double>(parts) / static_cast<double>(total);
}

}  // namespace trellis::distribute
