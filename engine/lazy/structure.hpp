#pragma once
// In what format a query's result is stored when nobody says so: of structure alone, so that a program's results have
// the types that they had on other data (docs/design/arrays.md#structure).

#include <map>
#include <string>

#include "engine/lazy/logic.hpp"

namespace trellis::lazy {

/// Formats of tables by name.
using Formats = std::map<std::string, format::Format>;

enum class Structure { dense, sparse };

/// Sparse where some coordinate need not be stored whatever the sizes and the data: a product of two sparse matrices,
/// as a row and a column may have nothing in common, but none of a sparse and a dense one. Dense all the same: a
/// scalar or vector made by a reduction, as SciPy has it, and what has a fill that sizes decide, or none that can be
/// declared.
Structure structure_of(const Query& query, const Formats& formats);

/// `compressed`, `csr` or `csf`: fields in the order of their levels, with gaps below the first of two.
format::Format sparse_format(int rank);

/// The query's own, or else dense, `compressed`, `csr` or `csf`.
format::Format result_format(const Query& query, const Formats& formats);

}  // namespace trellis::lazy
