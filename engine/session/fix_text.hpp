#pragma once
// A fix written into the text of a program, as a person would write it:
//
//   C(i,k) = 2 * A(i,k)          an equation takes the place of the one that the message is about
//   order i j k                  an order that of the order of the kernel, or stands behind its equations when it has
//   none …                            param stands before everything else; any other command behind the kernel's
//   equations

#include <string>

#include "engine/text/diagnostic.hpp"

namespace trellis::session {

struct FixedText {
  std::string content;
  int line = 0;  ///< where the fix stands now
};

/// `source` is the program, where the diagnostic stands.
FixedText with_fix(const text::Sources& sources, int source, const text::Diagnostic& diagnostic, const text::Fix& fix);

}  // namespace trellis::session
