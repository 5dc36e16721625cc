#pragma once
// What the report has to say about its program: refused orders, failed runs and warnings, each with its places in the
// text.
//
//   [{"severity": "error", "code": "E0101", "message": "order i j k reads V before it is computed", "kernel": "main",
//     "rendered": …, "fixed": [the program with each of its fixes: fixes.hpp],
//     "places": [{"begin": 61, "end": 69, "says": "needs all of column j-1"}, {… "says": "computed here"}]}]

#include <nlohmann/json_fwd.hpp>

#include "engine/session/state/state.hpp"

namespace trellis::session {

/// Errors and warnings of each kernel as it stands now, then what else was said. `source`: the text whose places count.
nlohmann::ordered_json messages_json(State& state, const text::Diagnostics& said, int source);

}  // namespace trellis::session
