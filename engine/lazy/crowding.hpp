#pragma once
// Entries are no more than one at a place: where long rows cross long columns there are fewer than their degrees d and
// e would have, d·e/E of E entries, and elsewhere more.

#include <vector>

namespace trellis::lazy {

/// Would some place hold more than a third of an entry by that?
bool is_crowded(const std::vector<double>& rows, const std::vector<double>& columns, double entries);

/// How many entries others find that come by so often at each row and each column, over how many they would find if
/// places could hold several.
double crowding(const std::vector<double>& rows, const std::vector<double>& columns, double entries,
                const std::vector<double>& at_rows, const std::vector<double>& at_columns);

}  // namespace trellis::lazy
