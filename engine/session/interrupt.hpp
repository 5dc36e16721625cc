#pragma once
// Ctrl-C, from a signal handler to whatever works at the moment: a kernel's process ends, and loops that take long ask.

namespace trellis::session {

/// Safe in a signal handler.
void request_interrupt();
/// Whether the statement under way should end.
bool interrupted();
/// The next statement runs again.
void clear_interrupt();

}  // namespace trellis::session
