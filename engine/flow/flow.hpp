#pragma once
// The control-flow IR: loops over positions in storage. All that the emitter reads; dense programs are control flow
// too.
//
//   flow     := size* real* tensor* map* stmt
//   map      := NAME from tensor to tensor
//   stmt     := seq stmt* | loop | coiterate | test | locate | insert | while expr stmt | if expr stmt [else stmt]
//             | let NAME = expr stmt | tabulate | life | assign | append | await | note
//   loop     := (loop | loop down) NAME in expr:expr [among LISTS at expr as NAME] [by INT] [after INT] [parallel |
//   vector [INT]]
//               [reduces (NAME [by op])*] [unroll INT] [jam INT] [closes NAME*] [carries NAME*] [lists NAME*]
//               [unless expr [every INT]] [until expr] [counting stmt] stmt
//   coiterate := (coiterate | coiterate down) NAME in expr:expr [parallel] [reduces (NAME [by op])*] [carries NAME*]
//               [carried] [streams ARRAY*] [unroll INT] [in pairs] [unless expr] cursor* [ahead] point*
//   ahead    := fetch NAME ahead: (tensor at position)*
//   cursor   := NAME at tensor level (below INT * level)* below position [offset expr] [stride INT [width INT]]
//               [stretch INT] [in any order] [from (at | past) NAME] [to NAME] (leads | follows)     bounds: unprinted
//   point    := while (all | any) of cursors [cursors follow] [[together] by regions first..last]: stmt
//               the loop goes on with the next point when one runs out. By regions each turn deals with all coordinates
//               from first to last, none of which begins or ends anything: a block loops over them, a run is dealt with
//               at once. Together: only with those at which all leads are
//   test     := if cursor here stmt [else stmt]
//   locate   := NAME [with what is near] = (find | march | NAME[expr])(level, parent position, coordinate) [there] stmt
//               -1: not stored. NAME[expr]: a table, or a map, has it
//   insert   := NAME = insert(level, parent position, coordinate) stmt        found, or a new entry at the fill
//   tabulate := NAME of tensor level below position [in map NAME] stmt       where the fiber has each coordinate
//   life     := declare NAME | reset NAME = expr | freeze NAME
//   assign   := [atomic] target (= | += | *= | min= | max= | ||= | &&=) expr          target := tensor at position
//   await    := await NAME at expr            that round of a parallel loop around, an earlier one, is over
//   append   := tensor ((expr [through expr])*) = expr | count tensor (coordinates) [= expr]
//   expr     := constant | name | value(tensor, position) | here(cursor) | unary | binary | select | cast | call |
//   (expr; expr) | expr checked for tensor level | stored(tensor level)
//   position := root | direct(level, parent position, coordinate [checked]) | at NAME | within(level,
//   NAME, coordinate)
//
// A tensor is a chain of levels in storage order; the position at its last level names one element, and a scalar's is
// `root`. Coordinates are those of levels: layouts have been applied. `verify` states the invariants as code.

#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "engine/format/level.hpp"
#include "engine/format/scalar.hpp"
#include "engine/math/digit_map.hpp"
#include "engine/text/node.hpp"
#include "engine/text/source.hpp"
#include "engine/text/text.hpp"

namespace trellis::flow {

struct ExprNode;
using Expr = text::Handle<ExprNode>;
struct PositionNode;
using Position = text::Handle<PositionNode>;
struct StmtNode;
using Stmt = text::Handle<StmtNode>;

// Positions.

/// Before the first level: the only position of a scalar.
struct Root { bool operator==(const Root&) const = default; };

/// Why a run-time check can fail, for the message: where in the program, and in which words.
struct Site {
  text::Span span;
  std::string what;  ///< "index a(i) of T"
  bool operator==(const Site&) const { return true; }
};

/// In a dense level: parent * size + coordinate.
struct Direct {
  std::string tensor;
  int level = 0;
  Position parent;
  Expr coordinate;            ///< i64
  std::optional<Site> check;  ///< none: proven to be in range
  bool operator==(const Direct&) const = default;
};

/// The entry that a cursor stands on, or that a search found: the value of a variable. `several`: where coordinates may
/// repeat, the entries from there to `NAME_end`.
struct At {
  std::string name;
  bool several = false;
  bool operator==(const At&) const = default;
};

/// In a block, the entry that a variable holds: the place of a coordinate among its children.
struct Within {
  std::string tensor;
  int level = 0;
  std::string name;
  Expr coordinate;  ///< i64, of the level
  bool operator==(const Within&) const = default;
};

struct PositionNode {
  std::variant<Root, Direct, At, Within> is;
  bool operator==(const PositionNode&) const = default;
};

// Expressions.

struct Constant { format::Value value; bool operator==(const Constant&) const = default; };
/// A size (i64), a real parameter (f64), or a loop's or let's variable.
struct Name {
  enum class Kind { size, real, variable } kind = Kind::variable;
  std::string name;
  bool operator==(const Name&) const = default;
};
struct Value { std::string tensor; Position position; bool operator==(const Value&) const = default; };
/// The position at which the cursor stands if that is at the loop's coordinate, else -1. Only as the value of a `let`.
struct Here { std::string cursor; bool several = false; bool operator==(const Here&) const = default; };
struct Unary { format::UnaryOp op; Expr operand; bool operator==(const Unary&) const = default; };
/// Integer `/` and `%` can fail at run time; the node's span says where.
struct Binary { format::BinaryOp op; Expr left, right; bool operator==(const Binary&) const = default; };
struct Select { Expr condition, then, otherwise; bool operator==(const Select&) const = default; };
struct Cast { Expr operand; bool operator==(const Cast&) const = default; };
struct Call { format::Function function; std::vector<Expr> arguments; bool operator==(const Call&) const = default; };
/// Of one of the flow's own functions.
struct Apply { std::string function; std::vector<Expr> arguments; bool operator==(const Apply&) const = default; };
/// The value, once the first has been evaluated, which may be an error.
struct After { Expr first, value; bool operator==(const After&) const = default; };
/// How many entries a level of an operand stores.
struct Stored { std::string tensor; int level = 0; bool operator==(const Stored&) const = default; };
/// A coordinate of a level, which is an error where it is out of range: that of an index that is asked for whether or not there
/// is anything to be indexed.
struct Checked {
  std::string tensor;
  int level = 0;
  Expr coordinate;  ///< i64
  Site check;
  bool operator==(const Checked&) const = default;
};

struct ExprNode {
  std::variant<Constant, Name, Value, Here, Unary, Binary, Select, Cast, Call, Apply, After, Checked, Stored> is;
  format::ScalarType type = format::ScalarType::f64;
  text::Span span;
  bool operator==(const ExprNode& other) const { return type == other.type && is == other.is; }
};

// Statements.

struct Seq { std::vector<Stmt> statements; bool operator==(const Seq&) const = default; };
/// Where one fiber ends the next begins: the loop's rounds are for the fibers of a level, one after the other, and in each of
/// them a `carried` loop walks the next one, from where its cursor stopped in the round before.
struct Carry {
  std::string cursor;
  std::string tensor;
  int level = 0;
  bool operator==(const Carry&) const = default;
};
/// A scalar that the rounds of a parallel loop update together: each thread has a part of its own, and in the end the
/// operation makes one of them.
struct Partial {
  std::string tensor;
  format::ReduceOp op;
  bool operator==(const Partial&) const = default;
};
/// The rounds of a parallel loop are for the fibers of a level, one after the other, and in each of them one walk goes
/// along the fiber. Threads get as many fibers and entries together each, so that a fiber may be walked by several: what
/// they update for it, they update together. (Merrill and Garland, Merge-based parallel sparse matrix-vector
/// multiplication, 2016.)
struct Dealt {
  std::string tensor;
  int level = 0;  ///< of the entries
  bool operator==(const Dealt&) const = default;
};
/// A list for each coordinate of a level below a dense one: the fibers whose next entry has it. They wait there until the loop
/// comes by, whose rounds are for the coordinates; at the end of a round those in its list move on to their next entries, and
/// the fiber of the round's own number, which is finished, begins to wait. (RECURRENCES, "Known patterns")
struct Lists {
  std::string name;
  std::string tensor;
  int level = 0;
  bool operator==(const Lists&) const = default;
};
/// The fibers that wait at a coordinate, in any order, and their entries there.
struct Among {
  std::string lists;
  Expr coordinate;
  std::string entry;  ///< variable: a position
  bool operator==(const Among&) const = default;
};
/// low <= variable < high, upwards or downwards; the bounds are evaluated once. `until`: no iteration after one at whose end it
/// holds. `unless`: no iteration need begin once it holds, as none changes anything. `counting`: all iterations do this first, which
/// tells how many entries each of them appends, and so where.
struct Loop {
  std::string variable;
  Expr low, high;
  enum class Direction { up, down } direction = Direction::up;
  enum class Execution { serial, parallel, vector } execution = Execution::serial;
  std::vector<std::string> reduces;  ///< tensors that parallel iterations update together
  int unroll = 1;
  Stmt body;
  std::optional<Expr> until = {};
  std::optional<Stmt> counting = {};
  std::optional<Expr> unless = {};
  std::vector<Carry> carries = {};  ///< positions that go on from round to round
  int lanes = 1;                    ///< in vectors: floating sums are added up in so many parts, as long as there are any
  std::vector<Partial> partials = {};     ///< of `reduces`, those of which each thread has a part
  std::optional<Dealt> dealt = {};        ///< none: rounds are handed out whole
  std::vector<std::string> closes =
      {};  ///< results all of whose rows it goes through: the end of a round is that of a row
  std::optional<Among> among = {};  ///< not all coordinates: of the fibers that wait at one
  std::vector<Lists> lists = {};    ///< that its rounds go through
  std::int64_t asks_every = 1;            ///< `unless` is asked before each so many rounds
  int jam = 1;                            ///< so many rounds at once, in the loops inside: wanted (flow/jam_loops)
  /// Each round is for so many coordinates, of which the variable is the first; those that make no whole round are
  /// left.
  int by = 1;
  int after = 1;  ///< without the coordinates that rounds for so many at once deal with
  bool takes_each() const { return by == 1 && after == 1 && !among; }  ///< one coordinate a round, all of them
  bool operator==(const Loop&) const = default;
};
struct While { Expr condition; Stmt body; bool operator==(const While&) const = default; };
struct If { Expr condition; Stmt then; std::optional<Stmt> otherwise; bool operator==(const If&) const = default; };
struct Let { std::string name; Expr value; Stmt body; bool operator==(const Let&) const = default; };
/// A temporary comes to life, undefined, until the end of the enclosing seq.
struct Declare { std::string tensor; bool operator==(const Declare&) const = default; };
/// Every element of the tensor becomes the value.
struct Reset { std::string tensor; Expr value; bool operator==(const Reset&) const = default; };
struct Assign {
  std::string tensor;
  Position position;
  std::optional<format::ReduceOp> op;  ///< none: `=`; never argmin or argmax
  Expr value;
  bool atomic = false;                 ///< several threads do so to the same element
  bool operator==(const Assign&) const = default;
};
/// What a level of a tensor offers to a loop: its entries below a position, in the loop's direction.
struct Cursor {
  std::string name;    ///< of the variable that holds its position
  std::string tensor;
  int level = 0;
  Position parent;             ///< of a product: of its first level
  std::optional<Expr> exists;  ///< the parent's coordinates are in range; else there is nothing
  bool reversed = false;       ///< the loop's coordinate is offset - stored, else offset + stored,
  std::int64_t stride = 1;     ///< divided by this, and entries where it does not divide are left out;
  /// Where it is more, as many numbers from each multiple of the stride on are of one coordinate, as are all entries
  /// there: a segment, which a loop inside walks.
  std::int64_t width = 1;
  std::int64_t stretch = 1;    ///< each entry is at so many coordinates: stored is this times its own, and those up to the next
  Expr offset;                 ///< i64
  enum class Role { lead, follow } role = Role::lead;
  bool below = false, above = false;  ///< may hold coordinates before the loop's low bound, or from its high bound on
  bool full = false;           ///< it has an entry for every coordinate of the loop
  /// Beside others that are all needed: how it comes to where another stands. Nothing that is computed depends on it.
  enum class Find { chosen, merge, scan, gallop } find = Find::chosen;
  bool unsorted = false;       ///< its entries are wanted in any order
  /// What a look-up around found at the loop's low bound, or right before it, and at its high bound: neither is sought.
  struct Bound {
    std::string look_up;  ///< by name
    bool past = false;    ///< from behind its coordinate on
    bool there = false;   ///< it is certain to have found an entry
    bool operator==(const Bound&) const = default;
  };
  std::optional<Bound> from = {}, to = {};
  /// A level above the cursor's, through which a product goes as well.
  struct Digit {
    int level = 0;
    std::int64_t unit = 1;  ///< times its digit, added to that of the level below: what is stored, in all else
    math::DigitMap map = {};
    bool operator==(const Digit&) const = default;
  };
  std::vector<Digit> digits = {};                            ///< outermost first; none: it is no product
  math::DigitMap own = {};                                   ///< of a product: the digit that its own level has
  bool unmoved() const;                                      ///< the loop's coordinate is what is stored
  bool plain() const { return unmoved() && !is_product(); }  ///< in one level
  bool is_product() const { return !digits.empty(); }
  bool leaves_digits_out() const;  ///< some of what its levels store is no digit
  int first_level() const { return is_product() ? digits.front().level : level; }
  bool takes_segments() const { return width > 1; }
  bool operator==(const Cursor&) const = default;
};

/// Rows that the entries of a walk choose, fetched from memory some entries before they are needed.
struct Ahead {
  struct Row {
    std::string tensor;
    Position position;  ///< of the row's first element that is needed
    bool operator==(const Row&) const = default;
  };
  std::string coordinate;  ///< variable: the loop's coordinate of the entry to come
  std::vector<Row> rows;
  bool operator==(const Ahead&) const = default;
};

/// One loop over what the cursors offer: a lattice, its points in the order in which they run. (COITERATION, "Pseudocode".)
struct Coiterate {
  struct Point {
    std::vector<int> leads;  ///< numbers of cursors; none: every coordinate within the bounds
    std::vector<int> follows;  ///< cursors that are kept at the coordinate too
    bool any = false;        ///< goes on while any lead has entries left, rather than all
    Stmt body;
    /// The variables that the body knows instead of the loop's, where it goes by regions.
    struct Regions {
      std::string first, last;
      bool operator==(const Regions&) const = default;
    };
    std::optional<Regions> regions = {};
    bool together = false;  ///< by regions, with turns only where all leads are
    text::Origin origin = {};  ///< as of a node: the lattice's point
    bool operator==(const Point& other) const {
      return leads == other.leads && follows == other.follows && any == other.any && body == other.body &&
             regions == other.regions && together == other.together;
    }
  };
  std::string variable;
  Expr low, high;
  Loop::Direction direction = Loop::Direction::up;
  Loop::Execution execution = Loop::Execution::serial;
  std::vector<std::string> reduces;
  std::vector<Cursor> cursors;
  std::vector<Point> points;
  std::optional<Expr> unless = {};  ///< no turn begins once it holds
  std::vector<Carry> carries = {};  ///< as of a loop
  std::vector<Partial> partials = {};  ///< as of a loop
  std::optional<Dealt> dealt = {};     ///< as of a loop
  std::optional<Stmt> counting = {};   ///< as of a loop, of an only cursor
  // How the walk of an only cursor is made faster. Nothing that is computed depends on it.
  bool carried = false;                       ///< it begins where the one before ended: a loop around carries its position
  std::vector<format::Array> streamed = {};   ///< arrays of the cursor's that come from memory before they are needed
  int unroll = 1;                             ///< so many entries in each round, at most, with a test behind each
  bool in_pairs = false;                      ///< two entries update elements apart: both are read before one is written
  std::optional<Ahead> ahead = {};
  bool by_regions() const;          ///< all of its points, or none
  const Cursor* only() const;       ///< the cursor, where a single one leads alone, entry by entry; else null
  bool operator==(const Coiterate&) const = default;
};
/// Does the cursor stand at the loop's coordinate? By regions: does its region hold the turn's?
struct Test {
  std::string cursor;
  Stmt then;
  std::optional<Stmt> otherwise;
  bool certain = false;  ///< it does, as no other lead can be what the loop stands at
  bool operator==(const Test&) const = default;
};
struct Locate {
  std::string name;
  std::string tensor;
  int level = 0;
  Position parent;
  Expr coordinate;
  std::optional<Expr> exists;  ///< as of a cursor
  bool several = false;        ///< also sets NAME_end
  std::optional<Site> check = {};  ///< none: the coordinate is proven to be in range, or may be outside
  Stmt body = {};
  std::string march = {};  ///< pointers of its own, one for each fiber, that rise with a loop; empty: found
  bool returns = false;    ///< a loop that runs many times: its pointers go back where it begins anew
  /// Also sets NAME_near, the first entry at or behind the coordinate; which end of the fiber that is likely to be.
  enum class Near { no, first, last } near = Near::no;
  bool certain = false;  ///< it is stored, as another operand has said
  /// An array that has the position, at an index: a table around the look-up, or one of the flow's maps.
  struct Held {
    std::string array;
    Expr index;  ///< i64: of a table a coordinate, of a map an entry
    bool operator==(const Held&) const = default;
  };
  std::optional<Held> held = {};
  /// It takes a search, or steps from where the one before has ended.
  bool searches() const { return march.empty() && !held; }
  bool operator==(const Locate&) const = default;
};
/// While the body runs there is a table of the fiber's entries, by coordinate; -1: there is none. Its entries stand
/// still, whatever becomes of their values.
struct Tabulate {
  std::string name;
  std::string tensor;
  int level = 0;
  Position parent;
  std::string map = {};  ///< where the map has the entries, in its other tensor; empty: the entries themselves
  Stmt body = {};
  bool operator==(const Tabulate&) const = default;
};
/// Into a bytemap or hashed level of a temporary.
struct Insert {
  std::string name;
  std::string tensor;
  int level = 0;
  Position parent;
  Expr coordinate;
  std::optional<Site> check;
  Stmt body;
  bool operator==(const Insert&) const = default;
};
/// The next entry of a result: its storage coordinates are larger than all before.
struct Append {
  std::string tensor;
  std::vector<Expr> coordinates;  ///< outermost level first
  Expr value;
  bool prune = false;    ///< a value that is the fill is not stored
  bool counted = false;  ///< nothing is stored yet: there will be one entry more
  /// By level, of runs: the last of the coordinates that share the entry. Empty: each level has one coordinate.
  std::vector<std::optional<Expr>> through = {};
  bool operator==(const Append&) const = default;
};
/// Nothing more is appended or inserted for now: the entries can be walked in order.
struct Freeze { std::string tensor; bool operator==(const Freeze&) const = default; };
/// Goes on when the round of a parallel loop around, of that coordinate, is over: an earlier one. (schedule/await.hpp)
struct Await {
  std::string loop;  ///< its variable
  Expr coordinate;
  bool operator==(const Await&) const = default;
};
/// A remark for the reader.
struct Note { std::string text; bool operator==(const Note&) const { return true; } };

struct StmtNode {
  std::variant<Seq, Loop, Coiterate, Test, Locate, Insert, While, If, Let, Tabulate, Declare, Reset, Freeze, Assign,
               Append, Await, Note>
      is;
  text::Span span;
  bool operator==(const StmtNode& other) const { return is == other.is; }
};

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
  bool pattern = false;  ///< no values: what is stored is true
  bool readable = false; ///< a result that is appended to, and read meanwhile: its fibers end where they do so far
  /// The operand that has the entries of a result, in the same levels: those that the result is written at and read by.
  /// Nothing is appended, and no position ever moves. Empty: it has no such pattern.
  std::string entries_of = {};
  /// Of an operand that is a pattern found by the compiler: the one whose entries it has, in another layout.
  std::string same_as = {};
  /// A temporary with one bytemap: entries may come ahead of where a loop stands that walks it, which comes by them
  /// too. An ordered set beside the table, so that nothing is sorted. (RECURRENCES, "Live workspaces")
  bool live = false;
  bool appends() const { return storage == Storage::result && sparse() && entries_of.empty(); }
  bool sparse() const;   ///< has a level whose positions are stored, rather than computed
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
  std::vector<Tensor> tensors;     ///< in the program's order, then temporaries
  Stmt root;
  std::vector<Function> functions = {};  ///< that it applies; each only those before it
  std::vector<Reassociated> reassociated = {};  ///< noted by whoever changes the order
  std::vector<PositionMap> maps = {};           ///< made before anything else

  const Tensor* tensor(const std::string& name) const;
};

// Building.

Expr constant(format::Value value);
Expr integer(std::int64_t value);
bool is_zero(const Expr& integer);
Expr name(std::string name, Name::Kind kind = Name::Kind::variable);
Position root();

// Children: expressions and positions of an expression or position; statements and expressions of a statement. Unchanged
// children give back the very same handle.

template <class OnExpr>
Position map_children(const Position& position, OnExpr&& on_expr);
template <class OnExpr>
Expr map_children(const Expr& expr, OnExpr&& on_expr);  ///< descends through positions to their coordinates
template <class OnStmt, class OnExpr>
Stmt map_children(const Stmt& stmt, OnStmt&& on_stmt, OnExpr&& on_expr);

/// The statement and all those inside it, in pre-order.
template <class Visit>
void for_each_stmt(const Stmt& stmt, Visit&& visit);

/// The rounds of a loop over so many coordinates.
double rounds_in(const Loop& loop, double coordinates);

/// Variables, positions and cursors that the statement itself binds for those inside it.
std::set<std::string> bound_by(const Stmt& stmt);
/// And those that they bind in turn.
std::set<std::string> bound_in(const Stmt& stmt);

/// Do rounds of the loop wait for each other?
bool rounds_wait(const Loop& loop);

bool mentions(const Expr& expr, const std::string& tensor);
/// Does the statement read, write or declare the tensor?
bool mentions(const Stmt& stmt, const std::string& tensor);

/// Numbers statements and expressions 0, 1, … in pre-order; origins of stage `c` refer to these.
Flow number(const Flow& flow);

/// Empty when the invariants hold; else what is broken: types of operands, levels in order, names bound, tensors known.
std::string verify(const Flow& flow);

void print(text::TextBuilder& out, const Expr& expr);
std::string to_string(const Expr& expr);
/// What `show cfir` prints: one line a statement, spans of stage cfir.
text::Text print(const Flow& flow);

}  // namespace trellis::flow

#include "engine/flow/flow.inl"
