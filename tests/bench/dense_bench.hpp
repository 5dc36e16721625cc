#pragma once
// The parts of `trellis bench dense`. Each adds its rows; an empty one stands for a peer that this machine lacks.

#include <optional>
#include <vector>

#include "tests/bench/bench.hpp"

namespace trellis::bench {

void matrix_products(std::vector<std::optional<Row>>& rows);
void blocks(std::vector<std::optional<Row>>& rows);
void shortest_paths(std::vector<std::optional<Row>>& rows);
void alignments(std::vector<std::optional<Row>>& rows, const Options& options);
void narrow_alignments(std::vector<std::optional<Row>>& rows);

}  // namespace trellis::bench
