#pragma once
// Short names for what is typed often. They are the prompt's, not the language's: a file means the same for everyone.
//
//   alias sl show loops       from now on `sl first` is `show loops first`
//   alias                     lists them
//   unalias sl

#include <map>
#include <optional>
#include <string>

namespace trellis::repl {

class Aliases {
 public:
  /// What to answer when the entry is `alias …` or `unalias …`, which is carried out; empty when it is neither.
  std::optional<std::string> answer(const std::string& entry);
  /// The entry with its first word replaced, if that is an alias and no equation begins with it.
  std::string expanded(const std::string& entry) const;

 private:
  std::string define(const std::string& name, const std::string& meaning);
  std::map<std::string, std::string> meanings_;
};

}  // namespace trellis::repl
