#pragma once
// A factor by columns is read by rows: column j needs those columns that store row j. Nobody has its rows, and looking
// j up in each column costs n² in all. So columns wait in lists, one for each row: each in that of the next row that it
// stores.
//
//   loop j closes L { loop k in 0:j { locate pL = find L.2 below [k] at j { if pL >= 0 { … t[…] += … } } } … append L(j, …) }
//   →   loop j closes L lists L_rows { loop k in 0:j among L_rows at j as pL { … t[…] += … } … }
//
// Where the iterations of the loop over j finish the columns in turn, and those of the loop over k only add to what
// nobody reads meanwhile: the order in which columns wait is none. All entries are come by once.
// (docs/design/recurrences.md#waiting-lists)

#include "engine/flow/flow.hpp"

namespace trellis::flow {

Flow wait_in_lists(const Flow& flow);

}  // namespace trellis::flow
