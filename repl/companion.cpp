#include "repl/companion.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace trellis::repl {

std::string exec_companion(const std::string& name, const std::vector<std::string>& arguments) {
  const std::string program = "trellis-" + name;
  std::error_code unknown;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", unknown);
  if (unknown) return "`" + program + "` cannot be found, since /proc cannot be read: " + unknown.message();

  std::vector<std::string> words{(self.parent_path() / program).string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  execv(argv[0], argv.data());
  const std::string reason = std::strerror(errno);
  return "`trellis " + name + "` is a program of its own, `" + words.front() + "`, which could not be started (" +
         reason + "): build its target `" + program + "`, or install it there";
}

}  // namespace trellis::repl
