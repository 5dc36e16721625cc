#pragma once
// What comments and pages name: files, folders, and sections of pages.
//
//   // placed greedily (docs/design/placement.md#the-search), see place/placer.cpp      both are references
//
// Of C++ and C the remarks behind `//` are read, of CMake those behind `#`, of pages all but what stands in fences,
// which other tests run. Paths are those of the top folder, of engine/, of the folder of whoever names them, and of
// pages those of docs/ as well. A name is a reference when it
//
//   ends like a file and has a folder     place/placer.cpp, docs/pipeline.md; a page needs none, nor does lattice.hpp
//   begins with a folder of engine/       place/placer, format/operation.*
//   is a folder of the top one            tests/golden/
//
// `NAME` in a path stands for any name.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tests/project/sources.hpp"

namespace trellis::project {

struct Reference {
  int line = 0;
  std::string path;    ///< empty: of the page itself
  std::string anchor;  ///< without #; empty: all of it
  bool operator==(const Reference&) const = default;
};

/// `path` tells what kind of file it is.
std::vector<Reference> references_in(const std::string& path, const std::string& text);

/// Of its headings, as GitHub names them: "Early exit, or not" is early-exit-or-not, the second one of a name ends in
/// -1. Headings hold no links.
std::set<std::string> anchors_of(const std::string& page);

class References {
 public:
  explicit References(const std::vector<File>& files);

  /// What is wrong with it in that file, in words; empty: nothing, or it is no reference.
  std::string problem(const std::string& from, const Reference& reference) const;

 private:
  std::optional<std::string> found(const std::string& from, const std::string& path) const;
  bool is_named(const std::string& path) const;

  std::set<std::string> files_, stems_, folders_, last_names_, engine_folders_, top_folders_;
  std::map<std::string, std::set<std::string>> anchors_;  ///< by page
};

}  // namespace trellis::project
