#pragma once
// Program files: where a name in a statement points to, what stands there, and `source "f.tr"` carried out in the text.

#include <optional>
#include <string>

#include "engine/lang/syntax.hpp"
#include "engine/text/diagnostic.hpp"
#include "engine/text/source.hpp"

namespace trellis::session {

/// Names are relative to the file that says so, not to where the program was started.
std::string path_of(const text::Sources& sources, const lang::syntax::Name& name);

/// The same for a program that may read and write beneath this folder alone, whatever links there are; "" is anywhere.
/// Empty is reported (E0627).
std::optional<std::string> allowed_path(const text::Sources& sources, const lang::syntax::Name& name,
                                        const std::string& folder, text::Diagnostics& diagnostics);

/// The whole text, or why it cannot be read: it is no file, or longer than anybody writes (64 MiB).
std::optional<std::string> read_text(const std::string& path, std::string& problem);
/// Of what is open already, up to its end.
std::optional<std::string> read_text(int descriptor, std::string& problem);

/// Puts the statements of each file that a `source` command names behind that command, and of the files that these
/// name. Reported: files that cannot be read (E0622), that source themselves (E0623), that are outside of the folder
/// (E0627), too many (E0626), and their syntax errors.
lang::syntax::File splice_sources(text::Sources& sources, const lang::syntax::File& file, const std::string& folder,
                                  text::Diagnostics& diagnostics);

}  // namespace trellis::session
