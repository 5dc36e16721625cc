#pragma once
// Schedule commands at random: masks, workspaces, parallel, split, unrolled, jammed and vectorised loops; and results
// that hold something already. Not all are legal in every program; those that are refused make no program.

#include "tests/random/random_format.hpp"

namespace trellis::randomised {

/// The draft with a few commands about what it computes.
Draft with_schedule(Draft draft, Dice& dice, const SparseWishes& wishes);

/// The draft with a parallel loop over an index of each result.
Draft on_threads(Draft draft, Dice& dice);

/// The draft on one dimension of ranks, or on a grid of two: loops over indices of its results are dealt out.
Draft on_ranks(Draft draft, Dice& dice);

/// The draft on ranks, where rows have other numbers: by parts of a matrix that the kernel need not use.
Draft on_ranks_by_parts(Draft draft, Dice& dice);

/// The draft with results that the kernel finds filled, so that what it does not define keeps a value.
Draft with_inherited(Draft draft, Dice& dice);

}  // namespace trellis::randomised
