#pragma once
// Pictures as text that Graphviz draws: `dot -Tsvg graph.dot -o graph.svg`.

#include <string>

#include "engine/place/place.hpp"

namespace trellis::view {

/// As it stands between the quotes of a DOT string.
std::string escaped(const std::string& text);

/// The dependency graph: accesses as nodes, a box around each cycle, dashes for dependences that no instance has.
std::string to_dot(const place::Graph& graph, const place::Fragments& fragments, const std::string& title);

}  // namespace trellis::view
