#pragma once
// Files that `export` writes.

#include <string>
#include <vector>

#include "engine/session/command/words.hpp"

namespace trellis::session {

struct ExportedFile {
  std::string path;
  std::string content;
};

/// All of them or, when one cannot be written, none that was not there before.
bool write_all(const std::vector<ExportedFile>& files, const lang::syntax::Name& name, text::Diagnostics& diagnostics);

}  // namespace trellis::session
