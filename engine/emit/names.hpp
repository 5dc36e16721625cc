#pragma once
// C names for the program's own: the same wherever C allows it, with underscores appended where a keyword, a library
// function, a helper or another name in scope is in the way.
//
// What belongs to something that has a name is asked for by that name and marks that no name of a program holds:
// `pA'end` is the end of the walk `pA`, and another one than the program's own `pA_end`. The C name is a hint made of
// it, with `'` as an underscore and without `.`, until something is in the way: `A.2'pos` is A2_pos, `'q` is q.

#include <map>
#include <set>
#include <string>
#include <vector>

namespace trellis::emit {

class Names {
 public:
  /// A name for the whole kernel: parameters and tensors.
  const std::string& fix(const std::string& name) { return fix(name, name); }
  /// For what has no name of its own in the program; `key` is unique.
  const std::string& fix(const std::string& key, const std::string& wanted);
  const std::string& fixed(const std::string& name) const { return fixed_.at(name); }

  /// A variable from here to `release`; an outer one of that name stays hidden meanwhile.
  std::string bind(const std::string& name);
  void release(const std::string& name);
  /// What is bound; a fault of the lowering, which names it, where nothing is.
  const std::string& variable(const std::string& name) const;

  /// The kernel's own function, which must not clash with any library function either.
  static std::string function(const std::string& kernel);

 private:
  std::string fresh(std::string name) const;
  std::map<std::string, std::string> fixed_;
  std::map<std::string, std::vector<std::string>> bound_;
  std::set<std::string> taken_;
};

}  // namespace trellis::emit
