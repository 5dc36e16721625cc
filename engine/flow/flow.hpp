#pragma once
// The control-flow IR: loops over positions in storage. All that the emitter reads; dense programs are control flow
// too.
//
//   flow     := [kernel NAME] size* real* [tells steps] tensor* map* function* stmt
//               `read` takes it as `print` writes it: a line a statement, whose body is indented below it, or `pass`
//   tensor   := (operand | result | temporary) NAME ([size [: dense …]] | {size [: level]})*: TYPE [@ (dimension*)]
//               [pattern] [fill number] …        {n} is compressed, {n: hashed wide} is said
//   map      := map NAME from tensor to tensor
//   function := function NAME(NAME: TYPE [annihilated by number (or number)*] …) [with NAME: TYPE …] stmt* value expr
//   stmt     := loop | coiterate | test | locate | insert | while expr stmt | if expr stmt [else stmt] | block stmt
//             | let NAME = expr stmt | tabulate | life | assign | append | scatter | await | exchange | note
//   loop     := loop NAME [down] in expr:expr [among LISTS at expr as NAME] [by INT] [after INT]
//               [parallel] [by tensor.level] [vector [INT]] (reduces NAME [by op])* [unroll INT] [jam INT] [registers]
//               [closes NAME,*] [carries (NAME at tensor.level),*] [lists (NAME of tensor.level),*]
//               [unless expr [every INT]] [until expr] [counting stmt then] stmt
//   coiterate := coiterate NAME [down] in expr:expr [parallel] [by tensor.level] (reduces NAME [by op])*
//               [carries (NAME at tensor.level),*] [carried] [streams ARRAY*] [unroll INT] [in pairs] [unless expr]
//               cursor* [ahead] point*
//   ahead    := fetch NAME ahead: (tensor at position)*
//   cursor   := (lead | follow) NAME at tensor.level (below INT * level)* [below position] [, variable = where it is]
//               [if expr] [full] [clipped [below | above]] [by (merge | scan | gallop)] [from [past] NAME [there]]
//               [to [past] NAME [there]] [in any order]
//   point    := (each | while [any] cursor ((and | or) cursor)*) (, cursor (follows | rests))* [together]
//               [by regions first..last] [counting stmt then] stmt
//               the loop goes on with the next point when one runs out. By regions each iteration deals with all
//               coordinates from first to last, none of which begins or ends anything: a block loops over them, a run
//               is dealt with at once. Together: only with those at which all leads are
//   test     := (if | since) cursor here stmt [else stmt]        since: it is certain to be
//   locate   := locate NAME[…] [with what is near [the end]] = (find | march NAME [again] in | NAME[expr] in)
//               tensor.level [below position] at coordinate [there] [if expr] stmt
//               -1: not stored. NAME[expr]: a table, or a map, has it
//   insert   := insert NAME into tensor.level [below position] at coordinate stmt    found, or a new entry at the fill
//   tabulate := tabulate NAME of tensor.level [below position] [in map NAME] stmt
//               where the fiber has each coordinate
//   life     := declare NAME | reset NAME = expr | freeze NAME
//   assign   := [atomic] target (= | += | *= | min= | max= | ||= | &&=) expr         target := tensor position
//   await    := await NAME at expr            that iteration of a parallel loop around, an earlier one, is over
//   exchange := exchange (start | finish | open | combine | receive | pass) INT of NAME [at expr (, expr)*]
//   append   := (append | count) tensor((expr [through expr]),*) = expr [unless it is the fill]
//   scatter  := scatter NAME [counting stmt then] stmt
//               whose appends to the tensor come in any order of fibers, and rise within each
//   expr     := constant | name | tensor position | here(cursor) | unary | binary | select | cast | call
//             | (expr; expr) | (expr checked for tensor.level) | stored(tensor.level)
//             | begin(tensor.level [below position]) | coordinate(tensor.level at expr)
//   position := ([coordinate [checked]] | [NAME] | [NAME…] | [NAME at coordinate])*      NAME: of an entry
//
// A tensor is a chain of levels in storage order; the position at its last level names one element, and a scalar's is
// `root`. Coordinates are those of levels: layouts have been applied. `verify` states the invariants as code.

#include <initializer_list>
#include <set>
#include <string>
#include <vector>

#include "engine/flow/stmt.hpp"
#include "engine/text/function_ref.hpp"

namespace trellis::flow {

// Programs.

struct Level {
  Expr size;
  format::Facts facts = format::facts(format::Level{});  ///< dense unless said otherwise
};

struct Tensor {
  std::string name;
  format::ScalarType type = format::ScalarType::f64;
  std::vector<Level> levels;  ///< in storage order
  std::vector<int> order;     ///< order[level] = dimension
  enum class Storage { operand, result, temporary } storage = Storage::operand;
  format::Value fill = {};
  bool pattern = false;   ///< no values: what is stored is true
  bool readable = false;  ///< a result that is appended to, and read meanwhile: its fibers end where they do so far
  /// The operand that has the entries of a result, in the same levels: those that the result is written at and read by.
  /// Nothing is appended, and no position ever moves. Empty: it has no such pattern.
  std::string entries_of = {};
  /// Of an operand that is a pattern found by the compiler: the one whose entries it has, in another layout.
  std::string same_as = {};
  /// A temporary with one bytemap: entries may come ahead of where a loop stands that walks it, which comes by them
  /// too. An ordered set beside the table, so that nothing is sorted.
  /// (docs/design/recurrences.md#live-workspaces)
  bool live = false;
  /// A temporary whose last level is hashed, below dense ones: what is inserted is only added up with what is there, by
  /// one operation, and nobody looks before it is frozen, so that it may be put in order then (flow/list_entries.hpp).
  bool listed = false;
  /// A result of dense levels above one with entries, which are appended within a `scatter` alone.
  bool scattered = false;
  bool appends() const { return storage == Storage::result && sparse() && entries_of.empty(); }
  bool sparse() const;  ///< has a level whose positions are stored, rather than computed
};

/// A function of the user on scalars. Its operands and locals are scalar temporaries of its own.
struct Function {
  std::string name;
  std::vector<Tensor> parameters, locals;
  Stmt body;
  Expr result;
  /// By place of the operand: values of it that the function gives back whatever the other operands are.
  std::vector<std::vector<format::Value>> annihilators = {};
};

/// A sum or a product of floating numbers whose terms come in another order than that of the loops it was lowered from.
struct Reassociated {
  text::Origin origin;  ///< of the statement that adds them up
  std::string how;      ///< "in 8 parts"
};

/// Where one tensor has each entry of another one, which is stored by the other dimension first; -1: it has none. Both
/// have a dense level above a compressed one, and entries that stand still.
struct PositionMap {
  std::string name;
  std::string from, to;
};

struct Flow {
  std::string kernel;
  std::vector<std::string> sizes;  ///< integer parameters that are used
  std::vector<std::string> reals;
  std::vector<Tensor> tensors;  ///< in the program's order, then temporaries
  Stmt root;
  std::vector<Function> functions = {};         ///< that it applies; each only those before it
  std::vector<Reassociated> reassociated = {};  ///< noted by whoever changes the order
  std::vector<PositionMap> maps = {};           ///< made before anything else
  /// A loop over timesteps that `until` ends says after how many of them.
  bool tells_steps = false;

  const Tensor* tensor(const std::string& name) const;
};

// Building.

Expr constant(format::Value value);
Expr integer(std::int64_t value);
bool is_zero(const Expr& integer);
Expr name(std::string name, Name::Kind kind = Name::Kind::variable);
Position root();

// Children: expressions and positions of an expression or position; statements and expressions of a statement.
// Unchanged children give back the very same handle.

Position map_children(const Position& position, text::FunctionRef<Expr(const Expr&)> on_expr);
/// Descends through positions to their coordinates.
Expr map_children(const Expr& expr, text::FunctionRef<Expr(const Expr&)> on_expr);
Stmt map_children(const Stmt& stmt, text::FunctionRef<Stmt(const Stmt&)> on_stmt,
                  text::FunctionRef<Expr(const Expr&)> on_expr);

// The same, looked at; nothing is rebuilt.

void for_each_child(const Position& position, text::FunctionRef<void(const Expr&)> on_expr);
void for_each_child(const Expr& expr, text::FunctionRef<void(const Expr&)> on_expr);
void for_each_child(const Stmt& stmt, text::FunctionRef<void(const Stmt&)> on_stmt,
                    text::FunctionRef<void(const Expr&)> on_expr);

/// The statement and all those inside it, in pre-order.
void for_each_stmt(const Stmt& stmt, text::FunctionRef<void(const Stmt&)> visit);

/// The iterations of a loop over so many coordinates.
double iterations_in(const Loop& loop, double coordinates);

/// Variables, positions and cursors that the statement itself binds for those inside it.
std::set<std::string> bound_by(const Stmt& stmt);
/// And those that they bind in turn.
std::set<std::string> bound_in(const Stmt& stmt);

/// Marks that loops may bear which are plain otherwise.
enum class But { down, vector, parallel, unless, until, counting, carries };
/// Does the loop come by all of its coordinates once, upwards and on one thread, whatever it finds, but for these?
bool is_plain(const Loop& loop, std::initializer_list<But> but = {});

/// The same without what makes loops faster; numbered.
Flow without_pace(const Flow& flow);

/// Do iterations of the loop wait for each other?
bool iterations_wait(const Loop& loop);

bool mentions(const Expr& expr, const std::string& tensor);
/// Does the statement read, write or declare the tensor?
bool mentions(const Stmt& stmt, const std::string& tensor);

/// Numbers statements and expressions 0, 1, … in pre-order; origins of stage `c` refer to these.
Flow number(const Flow& flow);

/// Empty when the invariants hold; else what is broken: types of operands, levels in order, names bound, tensors known.
std::string verify(const Flow& flow);

void print(text::TextBuilder& out, const Expr& expr);
std::string to_string(const Expr& expr);
/// What `show flow` prints, and `read` takes: one line a statement, spans of stage flow.
text::Text print(const Flow& flow);

}  // namespace trellis::flow
