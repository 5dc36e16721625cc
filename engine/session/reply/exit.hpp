#pragma once
// How a command ends.

namespace trellis::session {

/// docs/design/language.md#exit-codes.
enum class Exit {
  success = 0,
  wrong_program = 1,
  wrong_command_line = 2,
  kernel_failed = 3,
  difference = 4,
  fault = 5,
  interrupted = 130
};

}  // namespace trellis::session
