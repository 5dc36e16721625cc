#pragma once
// What comes of a loop order: a certified nest with the events of its making, the reason why there is none, or what
// the order would do all the same.

#include <map>
#include <string>
#include <variant>
#include <vector>

#include "engine/loop/stmt.hpp"
#include "engine/place/fragment.hpp"
#include "engine/text/diagnostic.hpp"

namespace trellis::place {

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

/// Why an order is illegal.
struct Failure {
  enum class Kind { order, unlisted, direction } kind = Kind::order;
  text::Instance instance;       ///< smallest sizes, then smallest coordinates
  int reader = -1, writer = -1;  ///< fragment ids
  text::Span read_span, write_span;
  std::string loop;                    ///< at which it fails
  std::string reason;                  ///< one line: "reads V before it is computed"
  std::string need;                    ///< beside the read: "needs all of column j-1"
  std::string fault;                   ///< beside the loop, or empty: "finishes row i before it starts row i+1"
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
  int dependences = 0;  ///< relations shown to be respected
  int instances = 0;    ///< fragments shown to run each instance once
  std::string sizes;    ///< "for all sizes", or "for n = 64" where a size had to be substituted
  std::vector<Reassociated> reassociated = {};
};

/// A read whose value another step would overwrite if a tensor had one buffer for all steps.
struct Overwrite {
  text::Instance instance;  ///< `written_at`: where it would be overwritten
  text::Span span, write_span;
};

/// What is kept of the steps of a tensor: "u has 2 buffers", and why no less: "u[0](1) is read at
/// t=1, i=2, and one buffer would lose it at t=1, i=1".
struct KeptSteps {
  std::string tensor, words, because;
};

struct Placed {
  lang::Order order;
  loop::Stmt nest;                            ///< before normalisation; readiness markers as notes
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

/// Reads that come before their write when an order is followed all the same.
struct Violation {
  int writer = -1, reader = -1;  ///< fragment ids
  int read = -1;                 ///< which of the reader's reads
  text::Instance instance;       ///< the smallest
  text::Span read_span, write_span;
  std::vector<math::Domain> pairs;  ///< all of them: the writer's variables, each marked with ', then the reader's
};

/// What an order would do. Only ever interpreted: a type of its own, so that nothing compiles it by accident.
struct Replay {
  lang::Order order;
  loop::Stmt nest;  ///< notes mark the statements that read too early
  std::vector<lang::TensorInfo> temporaries;
  std::vector<Event> events;
  std::vector<Violation> violated;  ///< none: the order is legal, and the nest the ordinary one
};

}  // namespace trellis::place
