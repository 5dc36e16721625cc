#include "tests/project/sources.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

namespace trellis::project {
namespace {

namespace fs = std::filesystem;

const fs::path top = TRELLIS_SOURCE_DIR;

bool is_made_by_tools(const std::string& name) {
  return name == ".git" || name == ".cache" || name == "__pycache__" || name.starts_with("build");
}

std::vector<std::string> includes_of(const std::string& text) {
  std::vector<std::string> found;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("#include ") || line.size() < 12) continue;
    const std::size_t end = line.find(line[9] == '<' ? '>' : '"', 10);
    if (end != std::string::npos) found.push_back(line.substr(10, end - 10));
  }
  return found;
}

File read(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(stream)), {});
  std::vector<std::string> includes = includes_of(text);
  return {fs::relative(path, top).generic_string(), std::move(text), std::move(includes)};
}

bool is_cpp(const std::string& path) {
  const std::string extension = fs::path(path).extension().string();
  return extension == ".cpp" || extension == ".hpp" || extension == ".inl";
}

void collect(const std::string& name, const std::map<std::string, const File*>& by_path, std::set<std::string>& found) {
  if (!found.insert(name).second) return;
  const auto file = by_path.find(name);
  if (file == by_path.end()) return;
  for (const std::string& next : file->second->includes) collect(next, by_path, found);
}

}  // namespace

std::vector<std::string> top_level() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(top)) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

const std::vector<File>& files() {
  static const std::vector<File> all = [] {
    std::vector<File> found;
    for (const std::string& name : top_level()) {
      if (is_made_by_tools(name)) continue;
      if (fs::is_regular_file(top / name)) found.push_back(read(top / name));
      if (!fs::is_directory(top / name)) continue;
      for (const auto& entry : fs::recursive_directory_iterator(top / name))
        if (entry.is_regular_file()) found.push_back(read(entry.path()));
    }
    return found;
  }();
  return all;
}

std::vector<const File*> cpp_files(const std::string& under) {
  std::vector<const File*> found;
  for (const File& file : files())
    if (is_cpp(file.path) && (under.empty() || file.path.starts_with(under + "/"))) found.push_back(&file);
  return found;
}

std::string engine_folder(const std::string& path) {
  if (!path.starts_with("engine/")) return {};
  const std::string rest = path.substr(7);
  const std::size_t slash = rest.find('/');
  return rest.substr(0, slash == std::string::npos ? rest.find('.') : slash);
}

std::vector<std::string> all_includes(const File& file) {
  std::map<std::string, const File*> by_path;
  for (const File& each : files()) by_path[each.path] = &each;
  std::set<std::string> found;
  for (const std::string& name : file.includes) collect(name, by_path, found);
  return {found.begin(), found.end()};
}

}  // namespace trellis::project
