#pragma once
// A plan as programs read it (docs/design/language.md#replies-as-json).

#include <nlohmann/json_fwd.hpp>

#include "engine/session/reply/reply.hpp"

namespace trellis::session {

/// {"kernel", "chosen": {"outline", "ms", "queries": […]}, "second", "operands", "flips", "rewrites", …}; times in ms.
nlohmann::ordered_json json_of(const PlanShown& shown);

}  // namespace trellis::session
