#include "engine/emit/names.hpp"

#include "engine/emit/prelude.hpp"

namespace trellis::emit {

std::string Names::fresh(std::string name) const {
  while (taken_.count(name) > 0 || reserved_names().count(name) > 0) name += '_';
  return name;
}

const std::string& Names::fix(const std::string& key, const std::string& wanted) {
  auto [entry, added] = fixed_.try_emplace(key);
  if (added) {
    entry->second = fresh(wanted);
    taken_.insert(entry->second);
  }
  return entry->second;
}

std::string Names::bind(const std::string& name) {
  std::string chosen = fresh(name);
  taken_.insert(chosen);
  bound_[name].push_back(chosen);
  return chosen;
}

void Names::release(const std::string& name) {
  std::vector<std::string>& stack = bound_.at(name);
  taken_.erase(stack.back());
  stack.pop_back();
}

std::string Names::function(const std::string& kernel) {
  // Known to compilers under any type other than their own only with a warning.
  static const std::set<std::string> library{
      "y0",     "y1",     "yn",     "j0",     "j1",    "jn",    "gamma", "lgamma", "tgamma", "index",  "rindex", "printf",
      "puts",   "exit",   "abort",  "memcpy", "memset", "erfc",  "fma",   "fmin",   "fmax",   "fdim",   "nan",    "scalb",
      "logb",   "ilogb",  "ldexp",  "frexp",  "modf",  "rint",  "lrint", "drem",   "pow10",  "exp10",  "sincos", "asinh",
      "acosh",  "atanh",  "conj",   "strlen", "strcmp", "calloc", "realloc", "labs", "isnan", "isinf", "finite", "bcmp",
      "remainder", "significand", "nearbyint", "copysign", "signbit", "ffs", "putchar", "fork", "toupper", "tolower"};
  std::string name = kernel;
  while (reserved_names().count(name) > 0 || library.count(name) > 0) name += '_';
  return name;
}

}  // namespace trellis::emit
