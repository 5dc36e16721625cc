#pragma once
// Work that a session does itself ends in time, as kernels do: `--timeout` says when.

#include <functional>
#include <string>

#include "engine/text/cancel.hpp"
#include "engine/text/diagnostic.hpp"

namespace trellis::session {

/// Does one part of several, in so many seconds at most. False: it would have taken longer, and has left nothing.
/// Throws text::Cancelled where somebody else wishes the end.
bool in_time(const text::Cancel& cancel, double seconds, const std::function<void()>& part);

/// E0504, for what is no kernel.
void report_late(const std::string& what, double seconds, text::Span at, text::Diagnostics& diagnostics);

}  // namespace trellis::session
