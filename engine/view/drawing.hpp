#pragma once
// Graphs of the compiler as drawings: values that the report's page, SVG and windows render alike, laid out for a
// monospaced font of a given size.
//
//   y(i) = A(i,j) * x(j)    three boxes A(i,j), x(j), y(i), and two arrows; with inputs folded one box of three lines

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "engine/coiterate/print_lattice.hpp"
#include "engine/place/place.hpp"
#include "engine/view/layout.hpp"
#include "engine/view/tree.hpp"

namespace trellis::view {

/// What a character takes in the unit of the drawing.
struct FontSize {
  double width = 7.3, height = 17;
};

struct Drawing {
  enum class Kind { input, result, temporary, point, end, step };
  struct Node {
    int id = 0;  ///< of what it shows, in the numbers of its stage
    Kind kind = Kind::step;
    Layout::Box box;
    std::vector<std::string> lines;
  };
  struct Edge {
    int from = 0, to = 0;  ///< ids of nodes
    Layout::Curve curve;
    std::string label = {};
    std::string fragment = {};  ///< of the dependence graph: that reads the one and writes the other
    bool exact = true;          ///< false: no instance of the one ever meets one of the other
  };
  struct Frame {
    Layout::Box box;
    std::string label;
  };
  double width = 0, height = 0;
  std::vector<Node> nodes;
  std::vector<Edge> edges;
  std::vector<Frame> frames;
};

struct LatticeDrawing {
  int lattice = 0;       ///< NumberedLattice::number
  std::string variable;  ///< of its loop
  Drawing drawing;
};

/// Whether what nothing defines is a box of its own, or lines in the boxes of those that read it.
enum class Inputs { shown, folded };

/// Accesses in frames, one for each cycle; edges from what is read to what is computed of it.
Drawing drawing_of(const place::Graph& graph, const place::Fragments& fragments, FontSize font = {},
                   Inputs inputs = Inputs::shown);
/// How a case says what is there: `A ∩ B: y(i) = …`, or with room for a mark of each operand that leads or follows
/// before `y(i) = …`. Marks and a row take as much as two characters and one and a half lines.
enum class Cases { named, marked };

/// One drawing for each lattice: points from top to bottom, what runs out on the edges.
std::vector<LatticeDrawing> drawings_of(const std::vector<coiterate::NumberedLattice>& lattices, FontSize font = {},
                                        Cases cases = Cases::named);
/// Which way the arrows of a tree point: to what hangs below, or to what it hangs from.
enum class Arrows { down, up };
/// From the root downwards, what comes first on the left.
Drawing drawing_of(const Tree& tree, FontSize font = {}, Arrows arrows = Arrows::down);

/// {"width", "height", "nodes": [{"id", "x", "y", "width", "height", "lines"}],
///  "edges": [{"from", "to", "points": [[x, y]…], "tip", "label", "at"}], "groups": [{"x", "y", "width", "height",
///  "label"}]};
/// edges of the dependence graph have "fragment" and "exact".
nlohmann::ordered_json to_json(const Drawing& drawing);
/// The same with "lattice" and "variable".
nlohmann::ordered_json to_json(const LatticeDrawing& one);

}  // namespace trellis::view
