#pragma once
// What would become of the program with a fix that a message offers: the text that `trellis fix FILE N` writes, and
// what is compiled of it.
//
//   [{"command": "order j i k", "remark": "one swap", "line": 23, "legal": true,
//     "program": {text, spans}, "kernel": "forward", "stages": {"equations": …, "loops": …, "c": …}}]

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "engine/session/state/state.hpp"

namespace trellis::session {

/// Of each fix of a message that stands in the program `source`. `kernel`: that it is about; "" when it is the whole
/// program. "legal": whether that kernel compiles with it; when it does not, "problem" or the stages say what else is
/// wrong.
nlohmann::ordered_json fixes_json(const State& state, int source, const text::Diagnostic& diagnostic,
                                  const std::string& kernel);

}  // namespace trellis::session
