#pragma once
// The report: everything that the session can show of its program, as one model and as one page that holds it.
//
//   {"file", "program": {text, spans}, "messages": [{code, places…}], "tensors": [{tensor, shape, arrays…}],
//    "kernels": [{"kernel", "order", "legal", "stages": {"equations": …, "c": …}, "drawings", "orders", "refused", …}]}
//
// Stages, orders and reasons are the very replies of `show STAGE`, `orders` and `why`
// (docs/design/language.md#replies-as-json).

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "engine/session/session.hpp"

namespace trellis::session {

struct ReportOptions {
  /// Measures every kernel that ran: the one part of a report that is never twice the same.
  enum class Timing { none, measured } timing = Timing::none;
  /// What was said while the program was read and run.
  text::Diagnostics said = {};
};

/// A program with errors yields a model that holds the program and what is wrong with it. `source`: of the text that
/// the page shows as the program; -1 is the first that declares something.
nlohmann::ordered_json report_model(State& state, const ReportOptions& options = {}, int source = -1);

/// The page that shows the model.
std::string report(State& state, const ReportOptions& options = {}, int source = -1);

}  // namespace trellis::session
