#pragma once
// What was planned, as an answer to why.

#include "engine/lazy/plan.hpp"
#include "engine/lazy/why.hpp"

namespace trellis::lazy {

/// Plans again for each operand with 2, 4, 10, 100 times as many entries and as few, until another plan wins.
Why why(const std::vector<Query>& queries, const Formats& formats, const CountedTables& counted,
        const PlanOptions& options, const Planning& planning);

}  // namespace trellis::lazy
