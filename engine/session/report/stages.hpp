#pragma once
// Stages of a kernel as the report has them: the very replies of `show STAGE`.

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "engine/session/reply/reply.hpp"
#include "engine/session/state/state.hpp"

namespace trellis::session {

/// A reply as programs read it, without what says which line asked; what went wrong also in the words of the terminal.
nlohmann::ordered_json report_answer(const Reply& reply, const text::Sources& sources);

/// Puts `show STAGE` into a kernel's part of the model: "stages", and what the page draws or steps through of it:
/// "drawings", "placed".
void add_stage(State& state, const std::string& kernel, const char* stage, nlohmann::ordered_json& json);

/// {"loops": {"text", "spans", …}, "c": …}: a stage that cannot be shown says why.
nlohmann::ordered_json stages_json(State& state, const std::string& kernel, std::span<const char* const> stages);

}  // namespace trellis::session
