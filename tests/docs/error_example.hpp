#pragma once
// How a section of docs/errors.md shows its code: blocks behind lines that say what they are.
//
//   Example:                    With A.mtx:               On the command line:          At the prompt:
//
//       tensor A(2, 2)              no matrix                 $ trellis run example.tr       param n = 3
//       load A "A.mtx"                                                                       param n = 4

#include <string>
#include <utility>
#include <vector>

#include "tests/folder.hpp"

namespace trellis::testing {

struct ErrorExample {
  std::string program;                                     ///< `example.tr`
  std::vector<std::pair<std::string, std::string>> files;  ///< what lies beside it
  std::vector<std::string> commands;                       ///< of a shell; without any, the program is run
  std::vector<std::string> entries;                        ///< at the prompt
  std::string python;                                      ///< carried out by tests/python/test_errors.py

  bool shows_anything() const { return !program.empty() || !commands.empty() || !entries.empty() || !python.empty(); }
};

ErrorExample read_error_example(const std::string& section);

/// Whether what is shown gave the code, and ended as its severity says.
struct Shown {
  bool gives_code = false;
  bool fails = false;
  std::string output;  ///< everything that was said
};

Shown show(const ErrorExample& example, const std::string& code, const Folder& folder);

}  // namespace trellis::testing
