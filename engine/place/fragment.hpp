#pragma once
// Fragments: the equations of a kernel with every reduction taken out into an accumulation of its own, over exact
// domains (docs/design/placement.md#fragments; RECUMA section 6.2). They are what placement orders and what the
// certificate counts.

#include <optional>
#include <string>
#include <vector>

#include "engine/lang/program.hpp"

namespace trellis::place {

using lang::Expr;

/// One tensor read by a fragment, with the iterations in which it happens (domain plus guards around the read).
/// A tensor with timesteps has one dimension more here, in front: its step, plus 1, so that the loaded values are at 0.
struct Read {
  lang::Access access;
  std::vector<std::optional<math::Affine>>
      index;  ///< empty where the index is not affine: any element of that dimension
  std::vector<math::Constraint> guards;
  text::Span span;
};

/// A tile among the variables of a fragment (place/tiles.hpp), and whose values lie in it: of several, that they lie in
/// one tile is what the fragment is about.
struct Tile {
  std::string digit;                     ///< the variable: "j/96", "i,j/96"
  std::vector<std::string> coordinates;  ///< sorted
  std::int64_t size = 0;
  int partition = 0;  ///< tiles of one partition can be compared
};

/// `write = value`, or `write op= value` when `op` is set, for every point of `domain`.
struct Fragment {
  /// `copy`: elements that no equation defines at a step keep the previous step's value. `until`: the condition after
  /// which no further step is taken; every fragment of a step depends on it at earlier steps, and it on every fragment
  /// of its own.
  enum class Kind { equation, copy, until } kind = Kind::equation;
  int id = 0;
  std::string name;  ///< "L1", "tL1": unique, for messages and markers
  std::optional<format::ReduceOp> op;
  std::string function;              ///< with ReduceOp::user: the instance
  bool chained = false;              ///< updates of one element keep their order, that of `reduced`
  math::Domain domain;               ///< variables: the free ones, then those reduced over
  math::Domain around;               ///< the equation's and all enclosing reductions' points, as the user wrote them
  std::vector<std::string> reduced;  ///< the variables that only the accumulation has
  lang::Access write;
  std::vector<math::Affine> write_index;
  Expr value;  ///< holds no Reduce
  /// argmin and argmax keep the best value beside the index that they write.
  std::optional<lang::Access> best;
  Expr argument;  ///< argmin and argmax: the index that `write` receives
  std::vector<Read> reads;
  bool temporary = false;    ///< writes a temporary that placement invented
  math::Domain initialised;  ///< accumulations: the free points whose elements start at the identity
  std::vector<Tile> tiles = {};
  int whole = -1;                   ///< of a part of a fragment that was cut by its tiles: the first of its parts
  math::Domain elements = {};       ///< with tiles: what `initialised` is over all parts, over coordinates alone
  std::optional<std::string> step;  ///< the timestep among its variables, in a kernel with `until`
  int equation = 0;                 ///< its place in the kernel; a copy's is the first that defines the tensor
  text::Origin origin;              ///< the equation
  text::Span span;
};

/// "sum", or the function of the user that it reduces by.
std::string name_of_reduction(const Fragment& fragment);

/// Is it no part of a fragment, or the first one?
inline bool is_first_part(const Fragment& fragment) { return fragment.whole < 0 || fragment.whole == fragment.id; }

struct Fragments {
  std::vector<Fragment> fragments;
  std::vector<lang::TensorInfo> temporaries;  ///< full shape; placement shrinks them later
  std::vector<std::string>
      inner_names;  ///< of copies' variables that no equation names: loops inside all that an order lists
};

/// By id, those that give the tensor elements.
std::vector<int> fragments_that_write(const Fragments& fragments, const std::string& tensor);

/// By id, the parts of the fragment that it is one of, itself among them.
std::vector<int> parts_of(const Fragments& fragments, const Fragment& fragment);

/// Bottom up; equalities between variables are substituted first.
Fragments fragment(const lang::Program& program, const lang::Kernel& kernel);

text::Text print(const Fragments& fragments);

}  // namespace trellis::place
