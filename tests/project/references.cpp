#include "tests/project/references.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <sstream>
#include <string_view>

namespace trellis::project {
namespace {

constexpr std::array<std::string_view, 16> file_endings = {".cpp", ".hpp", ".inl", ".c",     ".h",     ".md",
                                                           ".tr",  ".py",  ".sh",  ".json",  ".cmake", ".html",
                                                           ".txt", ".js",  ".css", ".golden"};

bool ends_like_a_file(const std::string& path) {
  return std::ranges::any_of(file_endings, [&](std::string_view ending) { return path.ends_with(ending); });
}

bool is_page(const std::string& path) { return path.ends_with(".md"); }
bool is_source(const std::string& path) {
  return path.ends_with(".cpp") || path.ends_with(".hpp") || path.ends_with(".inl");
}
bool is_code(const std::string& path) { return is_source(path) || path.ends_with(".c"); }
bool is_cmake(const std::string& path) { return path.ends_with(".cmake") || path.ends_with("CMakeLists.txt"); }

/// Where a mark stands outside of strings and characters, or the line's end.
std::size_t outside_of_strings(const std::string& line, std::string_view mark) {
  bool in_string = false;
  for (std::size_t k = 0; k < line.size(); ++k) {
    if (in_string && line[k] == '\\') ++k;
    else if (line[k] == '"') in_string = !in_string;
    else if (!in_string && line[k] == '\'' && k + 2 < line.size() && line[k + 2] == '\'') k += 2;
    else if (!in_string && line.compare(k, mark.size(), mark) == 0) return k;
  }
  return line.size();
}

bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
bool is_part_of_path(char c) { return is_letter(c) || c == '.' || c == '/' || c == '-' || c == '#'; }

/// The names in a remark, one after the other.
void collect_references(const std::string& remark, int line, bool in_page, std::vector<Reference>& found) {
  std::size_t end = 0;
  for (std::size_t begin = 0; begin < remark.size(); begin = end) {
    if (end = begin + 1; !is_part_of_path(remark[begin])) continue;
    while (end < remark.size() && is_part_of_path(remark[end])) ++end;
    std::string name = remark.substr(begin, end - begin);
    while (!name.empty() && (name.back() == '.' || name.back() == '-' || name.back() == '#')) name.pop_back();
    const char before = begin > 0 ? remark[begin - 1] : ' ';
    const bool link_within = in_page && name.starts_with('#') && before == '(';
    const bool begins_well = (!name.empty() && is_letter(name.front())) || name.starts_with("../") || link_within;
    if (!begins_well || std::string_view("<\"$}~@").find(before) != std::string_view::npos) continue;
    const std::size_t mark = name.find('#');
    found.push_back({line, name.substr(0, mark), mark == std::string::npos ? "" : name.substr(mark + 1)});
  }
}

std::string without_ending(const std::string& path) {
  return std::filesystem::path(path).replace_extension().generic_string();
}

std::string last_name(const std::string& path) { return std::filesystem::path(path).filename().generic_string(); }

std::string joined(const std::string& folder, const std::string& path) {
  return (std::filesystem::path(folder) / path).lexically_normal().generic_string();
}

}  // namespace

std::vector<Reference> references_in(const std::string& path, const std::string& text) {
  std::vector<Reference> found;
  if (!is_page(path) && !is_code(path) && !is_cmake(path)) return found;
  std::istringstream lines(text);
  bool in_fence = false;
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (is_page(path)) {
      const bool fence = line.starts_with("```");
      in_fence = in_fence != fence;
      if (!fence && !in_fence) collect_references(line, number, true, found);
    } else if (!line.starts_with("#include")) {
      const std::string_view mark = is_code(path) ? "//" : "#";
      const std::size_t begin = std::min(line.size(), outside_of_strings(line, mark) + mark.size());
      collect_references(line.substr(begin), number, false, found);
    }
  }
  return found;
}

std::set<std::string> anchors_of(const std::string& page) {
  std::set<std::string> anchors;
  std::map<std::string, int> times;
  std::istringstream lines(page);
  bool in_fence = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) in_fence = !in_fence;
    const std::size_t marks = std::min(line.find_first_not_of('#'), line.size());
    if (in_fence || marks == 0 || marks > 6 || marks == line.size() || line[marks] != ' ') continue;
    std::string anchor;
    for (const char c : line.substr(marks + 1)) {
      const bool of_several_bytes = static_cast<unsigned char>(c) >= 0x80;
      if (is_letter(c) || c == '-' || of_several_bytes)
        anchor += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      else if (c == ' ') anchor += '-';
    }
    const int before = times[anchor]++;
    anchors.insert(before == 0 ? anchor : anchor + "-" + std::to_string(before));
  }
  return anchors;
}

References::References(const std::vector<File>& files) {
  for (const File& file : files) {
    files_.insert(file.path);
    stems_.insert(without_ending(file.path));
    last_names_.insert(last_name(file.path));
    if (is_page(file.path)) anchors_[file.path] = anchors_of(file.text);
    for (std::string folder = file.path; folder.find('/') != std::string::npos;) {
      folder.resize(folder.rfind('/'));
      folders_.insert(folder);
      if (folder.find('/') == std::string::npos) top_folders_.insert(folder);
      if (folder.starts_with("engine/") && folder.rfind('/') == 6) engine_folders_.insert(folder.substr(7));
    }
  }
}

/// A file, or folder, by the ways in which it may be named.
std::optional<std::string> References::found(const std::string& from, const std::string& path) const {
  std::string name = path;
  while (name.ends_with('/')) name.pop_back();
  const std::size_t slash = from.rfind('/');
  std::vector<std::string> tried = {joined(slash == std::string::npos ? "" : from.substr(0, slash), name),
                                    joined("", name), joined("engine", name)};
  if (is_page(name)) tried.push_back(joined("docs", name));
  const bool is_file = ends_like_a_file(name);
  for (const std::string& one : tried)
    if (is_file ? files_.contains(one) : folders_.contains(one) || stems_.contains(one)) return one;
  const bool alone = is_source(name) && name.find('/') == std::string::npos;
  return alone && last_names_.contains(name) ? std::optional(name) : std::nullopt;
}

bool References::is_named(const std::string& path) const {
  if (path.find("NAME") != std::string::npos) return false;
  const std::string first = path.substr(0, path.find('/'));
  const bool has_folder = path.find('/') != std::string::npos;
  if (ends_like_a_file(path)) return has_folder || is_page(path) || is_source(path);
  if (!has_folder || first.empty()) return false;
  if (path.ends_with('/')) return top_folders_.contains(first);
  const bool of_engine = engine_folders_.contains(first) || path.starts_with("engine/");
  return of_engine && std::ranges::none_of(path, [](char c) { return std::isupper(static_cast<unsigned char>(c)); });
}

std::string References::problem(const std::string& from, const Reference& reference) const {
  const bool within = reference.path.empty();
  if (!within && !is_named(reference.path)) return "";
  const std::optional<std::string> to = within ? std::optional(from) : found(from, reference.path);
  if (!to) return "there is no " + reference.path;
  if (reference.anchor.empty()) return "";
  const auto page = anchors_.find(*to);
  if (page != anchors_.end() && page->second.contains(reference.anchor)) return "";
  return *to + " has no section #" + reference.anchor;
}

}  // namespace trellis::project
