#pragma once
// What a pane asks the session for by itself when it is shown: a reply that belongs to the kernel as it is.

#include <memory>
#include <string>

#include "gui/scene.hpp"

namespace trellis::gui {

/// The reply to `command`, which is asked once for each text, while nothing else is under way. Null:
/// it is not there yet. Only side A asks.
const session::Reply* asked(const Scene& scene, Ui& ui, const std::string& command);

}  // namespace trellis::gui
