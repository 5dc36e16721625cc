#pragma once
// What must hold of a loop that bears a mark of its pace: the passes set marks where it does, and `verify` asks again.

#include "engine/flow/flow.hpp"

namespace trellis::flow {

/// `in_pairs`: the updates of the loop, if that is what it does and no more; else empty.
std::vector<Assign> updates_apart(const Flow& flow, const Coiterate& loop);

/// `asks_every`: are its iterations without loops, searches and insertions, and not written out several times already?
bool has_simple_iterations(const Loop& loop);
/// The same of a walk along stored entries: does it do nothing but find out, by `x ||= e` or `x &&= e`, whether it is
/// over? Then iterations behind that leave x as it is.
bool only_finds_out(const Flow& flow, const Coiterate& loop);

/// `listed`: how a temporary's values at one coordinate make one.
struct AddedUp {
  std::optional<format::ReduceOp> op;  ///< none: the last one stays
};
/// Is all that is done to a temporary of dense levels above a hashed one that elements are inserted and updated by one
/// operation, from its identity on, and that entries are walked once it is frozen? Empty: no.
std::optional<AddedUp> adds_up(const Flow& flow, const Tensor& tensor);

/// `unsorted`: does the loop only count the entries of a whole bytemap?
bool counts_bytemap(const Flow& flow, const Coiterate& loop);

/// `partials`: can each thread have a part of it? The operation by which all updates in the statement are; else none.
std::optional<format::ReduceOp> partial_by(const Flow& flow, const Stmt& stmt, const std::string& tensor);

}  // namespace trellis::flow
