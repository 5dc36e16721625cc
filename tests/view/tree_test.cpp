// Stages as trees: what stands below what.
#include "engine/view/tree.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "engine/view/svg.hpp"

using namespace trellis;
using view::Tree;

namespace {

/// Each line that begins with a number in brackets shows that node of the stage: "[3] loop i" is printed as "loop i".
text::Text flow_of(const std::vector<std::string>& lines) {
  text::Text text;
  for (const std::string& line : lines) {
    const std::size_t at = line.find_first_not_of(' '), end = line.find("] ");
    text.characters += line.substr(0, at);
    const auto begin = static_cast<std::uint32_t>(text.characters.size());
    const bool shows = line[at] == '[';
    text.characters += shows ? line.substr(end + 2) : line.substr(at);
    if (shows)
      text.spans.push_back({begin,
                            static_cast<std::uint32_t>(text.characters.size()),
                            {text::Stage::flow, std::stoi(line.substr(at + 1))},
                            {}});
    text.characters += '\n';
  }
  return text;
}

/// A line for each node: its place in the list, where it hangs and by which way, its lines, what it shows.
std::string told(const Tree& tree) {
  std::string out;
  for (std::size_t k = 0; k < tree.nodes.size(); ++k) {
    const Tree::Node& node = tree.nodes[k];
    out += std::to_string(k) + " < " + std::to_string(node.parent) + (node.way.empty() ? "" : " " + node.way) + ":";
    for (const std::string& line : node.lines) out += " " + line + ";";
    for (const int id : node.shows) out += " " + std::to_string(id);
    out += "\n";
  }
  return out;
}

const std::vector<std::string> merge = {
    "size n",
    "[1] loop i in 0:n",
    "  [2] coiterate j in 0:n",
    "    lead pA at A.2",
    "    while pA",
    "      [3] if pA here",
    "        [4] append A",
    "        [5] # ready",
    "      else",
    "        [6] let x = 1",
    "          [7] append x",
    "        [8] append B",
    "    while pB",
    "      pass",
    "[9] freeze C",
};

}  // namespace

TEST_CASE("what is printed further to the right hangs below, steps share a node, an else leads away from its if") {
  CHECK(told(view::tree_of_flow(flow_of(merge), "kernel main")) ==
        "0 < -1: kernel main; size n;\n"
        "1 < 0: loop i in 0:n; 1\n"
        "2 < 1: coiterate j in 0:n; lead pA at A.2; 2\n"
        "3 < 2: while pA;\n"
        "4 < 3: if pA here; 3\n"
        "5 < 4: append A; # ready; 4 5\n"
        "6 < 4 else: let x = 1; 6\n"
        "7 < 6: append x; 7\n"
        "8 < 4 else: append B; 8\n"
        "9 < 2: while pB; pass;\n"
        "10 < 0: freeze C; 9\n");
}

TEST_CASE("a tree as JSON, for Graphviz and as a picture") {
  const Tree tree{{{{"for i: \"U\""}, {7}, -1, ""},
                   {{"for j", "leads A"}, {8, 9}, 0, "where B is missing"},
                   {{"for k"}, {}, 0, ""}}};
  CHECK(
      view::tree_json(tree).dump() ==
      R"({"nodes":[{"id":0,"lines":["for i: \"U\""],"shows":[7]},{"id":1,"lines":["for j","leads A"],"shows":[8,9]},{"id":2,"lines":["for k"],"shows":[]}],)"
      R"("edges":[{"from":0,"to":1,"label":"where B is missing"},{"from":0,"to":2}]})");
  const std::string dot = view::to_dot(tree, "main");
  CHECK(dot.find("  n0 [label=\"for i: \\\"U\\\"\\l\"];\n") != std::string::npos);
  CHECK(dot.find("  n1 [label=\"for j\\lleads A\\l\"];\n  n0 -> n1 [label=\"where B is missing\"];\n") !=
        std::string::npos);
  CHECK(dot.find("  n0 -> n2;\n") != std::string::npos);
  const std::string svg = view::to_svg(tree, "main");
  const auto left_of = [&](const std::string& text) {
    const std::size_t at = svg.rfind("x=\"", svg.find(">" + text + "</text>"));
    return std::stod(svg.substr(at + 3));
  };
  REQUIRE(svg.find(">leads A</text>") != std::string::npos);
  CHECK(left_of("for j") < left_of("for k"));
  CHECK(svg.find(">where B is missing</text>") != std::string::npos);
}
