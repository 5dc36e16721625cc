#include "engine/emit/names.hpp"

#include <stdexcept>

#include "engine/emit/reserved.hpp"

namespace trellis::emit {

namespace {

std::string hint(const std::string& key) {
  std::string name;
  for (const char c : key)
    if (c == '\'' ? !name.empty() : c != '.') name += c == '\'' ? '_' : c;
  return name;
}

}  // namespace

std::string Names::fresh(std::string name) const {
  if (belongs_to_implementation(name)) name.insert(0, "v");
  while (taken_.count(name) > 0 || reserved_names().count(name) > 0) name += '_';
  return name;
}

const std::string& Names::fix(const std::string& key, const std::string& wanted) {
  auto [entry, added] = fixed_.try_emplace(key);
  if (added) {
    entry->second = fresh(hint(wanted));
    taken_.insert(entry->second);
  }
  return entry->second;
}

std::string Names::bind(const std::string& name) {
  std::string chosen = fresh(hint(name));
  taken_.insert(chosen);
  bound_[name].push_back(chosen);
  return chosen;
}

void Names::release(const std::string& name) {
  std::vector<std::string>& stack = bound_.at(name);
  taken_.erase(stack.back());
  stack.pop_back();
}

const std::string& Names::variable(const std::string& name) const {
  const auto found = bound_.find(name);
  if (found == bound_.end() || found->second.empty())
    throw std::logic_error("the variable " + name + " is used where nothing binds it");
  return found->second.back();
}

std::string Names::function(const std::string& kernel) {
  std::string name = belongs_to_implementation(kernel) ? "k" + kernel : kernel;
  while (reserved_names().count(name) > 0 || library_functions().count(name) > 0) name += '_';
  return name;
}

}  // namespace trellis::emit
