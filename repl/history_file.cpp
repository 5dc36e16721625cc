#include "repl/history_file.hpp"

#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace trellis::repl {
namespace {

constexpr std::size_t most_entries = 2000;

std::string one_line(const std::string& entry) {
  std::string out;
  for (const char c : entry) {
    if (c == '\\') out += "\\\\";
    else if (c == '\n') out += "\\n";
    else out += c;
  }
  return out;
}

std::string entry_of(const std::string& line) {
  std::string out;
  for (std::size_t k = 0; k < line.size(); ++k) {
    if (line[k] != '\\' || k + 1 == line.size()) out += line[k];
    else out += line[++k] == 'n' ? '\n' : line[k];
  }
  return out;
}

}  // namespace

std::vector<std::string> HistoryFile::read() const {
  std::vector<std::string> lines;
  if (path_.empty()) return lines;
  std::ifstream stream(path_);
  for (std::string line; std::getline(stream, line);)
    if (!line.empty()) lines.push_back(line);
  if (lines.size() > most_entries) {
    const bool grown = lines.size() > 2 * most_entries;
    lines.erase(lines.begin(), lines.end() - static_cast<std::ptrdiff_t>(most_entries));
    const std::string shorter = path_ + ".new";
    std::error_code failed;
    if (grown) {
      std::ofstream out(shorter);
      for (const std::string& line : lines) out << line << "\n";
      out.close();
      if (out) std::filesystem::rename(shorter, path_, failed);
    }
  }
  for (std::string& line : lines) line = entry_of(line);
  return lines;
}

void HistoryFile::add(const std::string& entry) const {
  if (path_.empty()) return;
  std::error_code failed;
  std::filesystem::create_directories(std::filesystem::path(path_).parent_path(), failed);
  std::ofstream out(path_, std::ios::app);
  out << one_line(entry) + "\n";
  out.close();
  chmod(path_.c_str(), S_IRUSR | S_IWUSR);
}

std::string user_path(const char* variable, const char* fallback, const std::string& name) {
  if (const char* folder = std::getenv(variable); folder && *folder == '/')
    return std::string(folder) + "/trellis/" + name;
  if (const char* home = std::getenv("HOME"); home && *home)
    return std::string(home) + "/" + fallback + "/trellis/" + name;
  return "";
}

}  // namespace trellis::repl
