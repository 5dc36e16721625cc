#pragma once
// The project's own files, for tests about the project itself.

#include <filesystem>
#include <string>
#include <vector>

namespace trellis::project {

struct File {
  std::string path;  ///< relative to the top, with '/'
  std::string text;
  /// What it includes: names as written, between quotes or angle brackets.
  std::vector<std::string> includes;
};

/// Every text file of the project; build folders and version control are left out.
const std::vector<File>& files();

/// C++ files under one folder, such as "engine/math"; all of them for "".
std::vector<const File*> cpp_files(const std::string& under);

/// First folder below engine/ ("math"), "compile" for the pipeline's own files, "" outside.
std::string engine_folder(const std::string& path);

/// Names in the top folder.
std::vector<std::string> top_level();

/// Includes of a file, with those of the project's files that it includes, and so on.
std::vector<std::string> all_includes(const File& file);

}  // namespace trellis::project
