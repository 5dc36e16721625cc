// Units of a folder, a header with its source each, that include each other in a circle can only be read together.
#include <doctest/doctest.h>

#include <map>
#include <set>

#include "tests/project/sources.hpp"

namespace trellis::project {
namespace {

using Units = std::map<std::string, std::set<std::string>>;  ///< what each unit includes

std::string unit_of(const std::string& path) { return path.substr(0, path.rfind('.')); }

Units units_under(const std::string& folder) {
  Units units;
  for (const File* file : cpp_files(folder)) {
    std::set<std::string>& included = units[unit_of(file->path)];
    for (const std::string& name : file->includes)
      if (name.starts_with(folder + "/")) included.insert(unit_of(name));
  }
  return units;
}

/// All units that the unit leads to.
const std::set<std::string>& reached(const Units& units, const std::string& from,
                                     std::map<std::string, std::set<std::string>>& known) {
  if (const auto found = known.find(from); found != known.end()) return found->second;
  std::set<std::string> all;
  std::vector<std::string> open = {from};
  while (!open.empty()) {
    const auto at = units.find(open.back());
    open.pop_back();
    if (at == units.end()) continue;
    for (const std::string& next : at->second)
      if (all.insert(next).second) open.push_back(next);
  }
  return known[from] = all;
}

/// Sets of units each of which leads to all others.
std::set<std::set<std::string>> circles(const Units& units) {
  std::map<std::string, std::set<std::string>> known;
  std::set<std::set<std::string>> all;
  for (const auto& [unit, included] : units) {
    const std::set<std::string> ahead = reached(units, unit, known);
    std::set<std::string> circle;
    for (const std::string& other : ahead)
      if (reached(units, other, known).contains(unit)) circle.insert(other);
    if (circle.size() > 1) all.insert(circle);
  }
  return all;
}

std::string drawn(const std::set<std::string>& circle) {
  std::string all;
  for (const std::string& unit : circle) all += (all.empty() ? "" : " <-> ") + unit;
  return all;
}

constexpr std::size_t most = 3;

}  // namespace

TEST_CASE("a circle of units is found") {
  const Units units = {{"a", {"b"}}, {"b", {"c"}}, {"c", {"a", "d"}}, {"d", {}}, {"e", {"a"}}};
  CHECK(circles(units) == std::set<std::set<std::string>>{{"a", "b", "c"}});
}

TEST_CASE("no more than three units of a folder include each other in a circle") {
  std::set<std::string> folders = {"gui", "repl"};
  for (const File* file : cpp_files("engine"))
    if (const std::size_t slash = file->path.find('/', 7); slash != std::string::npos)
      folders.insert(file->path.substr(0, slash));
  for (const std::string& folder : folders)
    for (const std::set<std::string>& circle : circles(units_under(folder))) {
      INFO(drawn(circle));
      CHECK(circle.size() <= most);
    }
}

}  // namespace trellis::project
