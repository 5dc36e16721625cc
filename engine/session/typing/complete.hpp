#pragma once
// What may be typed next: commands and their words, names of the program, files. The table of commands says which words
// a command takes, so a command that joins the table completes as well.
//
//   sho        show
//   show la    lattice
//   print      the tensors
//   order i    the indices but i, and how legal orders go on: `k j`
//   y(i) = sq  sqrt

#include <string>
#include <string_view>
#include <vector>

#include "engine/session/state/state.hpp"

namespace trellis::session {

struct Completion {
  std::size_t begin = 0;           ///< where the word begins that the cursor stands in, or at
  std::vector<std::string> words;  ///< that may stand there, sorted; each begins with what stands there
  std::string closing;             ///< what belongs behind the word if it is the only one: a blank, a bracket, a quote
};

/// `text` is all of the entry so far, in lines; only what stands before the cursor matters.
Completion complete(State& state, std::string_view text, std::size_t cursor);

}  // namespace trellis::session
