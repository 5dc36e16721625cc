#pragma once
// Loops through all rows of a {dense, sparse} result, whose entries are appended row by row.

#include "engine/flow/flow.hpp"

namespace trellis::flow {

/// Does the loop go through all rows of the tensor, and are all entries appended to the row that it is at?
bool goes_through_rows(const Flow& flow, const Loop& loop, const Tensor& tensor);

/// The same of one of several loops that go through the rows one after another.
bool closes_rows(const Flow& flow, const Loop& loop, const Tensor& tensor);

/// Those loops, from the first row to the last; empty where they leave rows out or entries are appended elsewhere.
std::vector<Stmt> loops_through_rows(const Flow& flow, const Tensor& tensor);

}  // namespace trellis::flow
