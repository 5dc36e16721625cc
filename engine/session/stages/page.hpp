#pragma once
// `trellis explain file.tr`: every stage of every kernel on one page of text. Nothing is loaded or run.

#include <string>

#include "engine/session/session.hpp"

namespace trellis::session {

/// What could not be shown stands in its place as a message, and makes the exit that of a wrong program.
struct Page {
  std::string text;
  Exit exit = Exit::success;
};

Page explain_page(Session& session);

}  // namespace trellis::session
