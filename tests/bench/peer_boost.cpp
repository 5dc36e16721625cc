// Boost.Graph beside us: headers only, so that finding them is enough.
#include "tests/bench/peers.hpp"

#ifdef TRELLIS_WITH_BOOST_GRAPH
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#include <boost/graph/adjacency_matrix.hpp>
#include <boost/graph/floyd_warshall_shortest.hpp>
#pragma GCC diagnostic pop

namespace trellis::bench {

std::optional<std::function<void(std::vector<std::vector<double>>&)>> boost_floyd_warshall() {
  return [](std::vector<std::vector<double>>& distances) {
    using Weight = boost::property<boost::edge_weight_t, double>;
    const boost::adjacency_matrix<boost::directedS, boost::no_property, Weight> graph(distances.size());
    boost::floyd_warshall_initialized_all_pairs_shortest_paths(graph, distances);
  };
}

}  // namespace trellis::bench
#else
namespace trellis::bench {
std::optional<std::function<void(std::vector<std::vector<double>>&)>> boost_floyd_warshall() { return std::nullopt; }
}  // namespace trellis::bench
#endif
