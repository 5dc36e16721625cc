#pragma once
// Placement: fragments into the user's loop order, greedily, or the reason why that cannot be
// (docs/design/placement.md).
//
//   analyse(kernel)            fragments and exact dependences, once for all orders; ill-founded, overlapping and
//                              out-of-range definitions are found here
//   place(analysis, order)     a certified loop nest with the events of its making, or a Failure

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/loop/stmt.hpp"
#include "engine/place/fragment.hpp"
#include "engine/text/diagnostic.hpp"

namespace trellis::place {

/// Access-level picture (RECUMA figure 5) and fragment-level truth.
struct GraphNode {
  int id;
  std::string label;       ///< "L(i,k)"
  enum class Kind { input, result, temporary } kind;
  std::vector<int> fragments;  ///< that write or read it, in order
  int component = -1;      ///< -1: in no cycle
  text::Span span;
};
struct GraphEdge {
  int from, to;  ///< node ids: `to` depends on `from`
  int fragment;
  bool exact;    ///< false: syntactic only, no instance of this access ever meets one of the other
};
struct Graph {
  std::vector<GraphNode> nodes;
  std::vector<GraphEdge> edges;
  std::vector<std::vector<int>> components;  ///< fragment ids, in topological order
};

class Dependences;  // exact relations; isl inside, behind math/

/// Shared by all orders of a kernel. Not thread-safe: isl's context lives inside.
struct Analysis {
  lang::Program program;
  lang::Kernel kernel;
  Fragments fragments;
  Graph graph;
  std::shared_ptr<Dependences> dependences;
  /// The same kernel without values for sizes, where this one has some in it: what is proven of its fragments, which
  /// are the same ones, holds for all.
  std::shared_ptr<const Analysis> for_all_sizes = nullptr;
};

/// Empty when the definitions themselves are wrong; `diagnostics` then says where, with an instance.
std::optional<Analysis> analyse(const lang::Program& program, const lang::Kernel& kernel, text::Diagnostics& diagnostics);

text::Text print(const Graph& graph, const Fragments& fragments);

/// A line of the nest in the making: a loop, or a fragment's statement.
struct SketchLine {
  int depth = 0;
  lang::LoopName loop = {};  ///< its name is empty where a fragment stands
  int fragment = -1;
  bool operator==(const SketchLine&) const = default;
};
using Sketch = std::vector<SketchLine>;
bool stands_in(const Sketch& nest, int fragment);

/// A step of the greedy placement, for replay.
struct Event {
  enum class Kind { component, coalesce, assume, attempt, reject, place, reorder, ready, shrink, undo, ignore } kind;
  int depth = 0;
  std::vector<int> fragments;
  std::string loop;  ///< loop variable, or empty
  std::string text;  ///< one line, in the user's names
  Sketch nest = {};  ///< as far as it stands after this step
};
const char* name_of(Event::Kind kind);

/// Why an order is illegal.
struct Failure {
  enum class Kind { order, unlisted, direction } kind = Kind::order;
  text::Instance instance;       ///< smallest sizes, then smallest coordinates
  int reader = -1, writer = -1;  ///< fragment ids
  text::Span read_span, write_span;
  std::string loop;              ///< at which it fails
  std::string reason;            ///< one line: "reads V before it is computed"
  std::string need;              ///< beside the read: "needs all of column j-1"
  std::string fault;             ///< beside the loop, or empty: "finishes row i before it starts row i+1"
  std::vector<text::Instance> others;  ///< one per renaming tried
};

/// A sum or a product of floating numbers whose terms come in another order than the equation says.
struct Reassociated {
  int fragment = -1;
  std::string words;
};
/// "the sum over i, j in s is added up in another order, with j outside i: reassociated".
std::string reassociated_in_words(const lang::Kernel& kernel, const Fragment& fragment, const std::string& how);

/// What was proven, with isl, for symbolic sizes.
struct Certificate {
  int dependences = 0;        ///< relations shown to be respected
  int instances = 0;          ///< fragments shown to run each instance once
  std::string sizes;          ///< "for all sizes", or "for n = 64" where a size had to be substituted
  std::vector<Reassociated> reassociated = {};
};

/// A read whose value another step would overwrite if a tensor had one buffer for all steps.
struct Overwrite {
  text::Instance instance;       ///< `written_at`: where it would be overwritten
  text::Span span, write_span;
};

/// What is kept of the steps of a tensor: "u has 2 buffers", and why no less: "u[0](1) is read at
/// t=1, i=2, and one buffer would lose it at t=1, i=1".
struct KeptSteps {
  std::string tensor, words, because;
};

struct Placed {
  lang::Order order;
  loop::Stmt nest;                       ///< before normalisation; readiness markers as notes
  std::vector<lang::TensorInfo> temporaries;  ///< as shrunk
  std::vector<Event> events;
  Certificate certificate;
  std::map<std::string, Overwrite> not_in_place;  ///< by tensor with timesteps: why one buffer does not do
  std::vector<KeptSteps> steps = {};              ///< of the tensors with timesteps
};

struct Rejected {
  lang::Order order;
  Failure failure;
  std::vector<Event> events;
};

using Placement = std::variant<Placed, Rejected>;

Placement place(const Analysis& analysis, const lang::Order& order);

/// The order with those variables innermost, in the order in which they stand, that it does not list and for which none
/// of its loops can stand.
lang::Order completed(const Analysis& analysis, const lang::Order& order);

/// Reads that come before their write when an order is followed all the same.
struct Violation {
  int writer = -1, reader = -1;        ///< fragment ids
  int read = -1;                       ///< which of the reader's reads
  text::Instance instance;             ///< the smallest
  text::Span read_span, write_span;
  std::vector<math::Domain> pairs;     ///< all of them: the writer's variables, each marked with ', then the reader's
};

/// What an order would do. Only ever interpreted: a type of its own, so that nothing compiles it by accident.
struct Replay {
  lang::Order order;
  loop::Stmt nest;                     ///< notes mark the statements that read too early
  std::vector<lang::TensorInfo> temporaries;
  std::vector<Event> events;
  std::vector<Violation> violated;     ///< none: the order is legal, and the nest the ordinary one
};

/// Places any order that names enough loops: dependences that stand in its way are dropped, and only those. Empty when a
/// variable finds no loop.
std::optional<Replay> place_ignoring(const Analysis& analysis, const lang::Order& order);

/// Legality only: no nest, no events kept. What `orders` asks thousands of times.
bool is_legal(const Analysis& analysis, const lang::Order& order);

/// The compiler's own choice when the user gives none, before anything has a size: of the legal ascending orders the
/// first of those with the fewest strided accesses in the innermost loops, preferring an outermost forall
/// (preference.hpp). Of more than a few loops not all orders are tried: where none is found there may be one.
constexpr std::size_t few_loops = 6;
std::optional<lang::Order> choose_order(const Analysis& analysis);

/// The order to place in: the user's, or the compiler's own choice. Empty, and E0105, when none is legal.
std::optional<lang::Order> order_for(const Analysis& analysis, const lang::Schedule& schedule, text::Diagnostics&);

/// "place V(i,0)".
std::string to_string(const Event& event);
/// The nest as far as it stands after the first `count` events, each fragment with `# ready V(i,0)` behind it once
/// that is known. Spans are of stage fragments.
text::Text print_sketch(const std::vector<Event>& events, std::size_t count, const Fragments& fragments);
/// Spans are of stage placement, numbered from `first` on: the loops that are shown above have the numbers before.
text::Text print_events(const std::vector<Event>& events, int first = 0);

}  // namespace trellis::place
