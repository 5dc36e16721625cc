#pragma once
// The calls of a kernel that is one of several ranks, through a table of functions that whoever runs it brings
// (abi/trellis_ranks.h). Which elements are sent is not in the C: the plan has it, by the number of the exchange.
//
//   exchange start 0 of u at t%2        ranks->key[0] = t % 2;
//                                  →    ranks->start(ranks, 0, u);

#include "engine/emit/context.hpp"

namespace trellis::emit {

bool has_exchanges(const flow::Flow& flow);

/// What the table is called in the kernel.
const std::string& ranks_name(Names& names);

void exchange(Context& out, const flow::Exchange& exchange, const text::Origin& origin);

}  // namespace trellis::emit
