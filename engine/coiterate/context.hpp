#pragma once
// What all parts of the lowering know where they stand in the loops, and what they have made so far. Each takes it
// first, and leaves the scope, the entries and what is being done as it found them.
//
//   Tensors    those of the flow, and the temporaries in scope
//   Scope      variables and positions around, and their ranges
//   Entries    what was found in sparse levels so far: by a cursor, or looked up
//   Segments   where in a level the entries of the loops' coordinates are, before the loops inside it find one
//   Scalars    sparse ones, and where something is known to be written to them
//   Origins    the statement that is being lowered, and the lattices around

#include <deque>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/coiterate/mark_writes.hpp"
#include "engine/coiterate/origins.hpp"
#include "engine/coiterate/reduce.hpp"
#include "engine/coiterate/support.hpp"
#include "engine/flow/levels.hpp"
#include "engine/flow/ranges.hpp"
#include "engine/text/scoped.hpp"

namespace trellis::coiterate {

// What loops become.
using flow::After, flow::constant, flow::integer, flow::name, flow::root;
using flow::Append, flow::Apply, flow::Assign, flow::At, flow::Binary, flow::Call, flow::Cast, flow::Checked;
using flow::Await, flow::Note, flow::Position, flow::PositionNode, flow::Ranges, flow::Reset, flow::Select, flow::Seq,
    flow::Site;
using flow::Coiterate;
using flow::Constant, flow::Cursor, flow::Declare, flow::Direct, flow::Expr, flow::ExprNode, flow::Flow, flow::Freeze;
using flow::Function, flow::Here, flow::If, flow::Insert, flow::Let, flow::Level, flow::Locate, flow::Loop, flow::Name;
using flow::Scatter, flow::Stmt, flow::StmtNode, flow::Tensor, flow::Test, flow::Unary, flow::Value, flow::While;

struct Tensors {
  std::map<std::string, Tensor> operands;            ///< of the program, as far as they are used
  std::deque<Tensor> temporaries;                    ///< of all scopes; they stay where they are
  std::map<std::string, lang::TensorInfo> declared;  ///< all temporaries; the latest of a name
  std::map<std::string, std::string> alive;          ///< temporaries in scope, and what they are called in the flow
  std::set<std::string> written;                     ///< tensors of the program that the kernel writes
  std::map<std::string, std::string> masked;         ///< those that have the entries of an operand
  std::set<std::string> scattered;                   ///< those whose entries come fiber by fiber in turn
  std::set<std::string> starting_at_fill;            ///< those of them that each element is written to from its fill on
  std::set<std::string> fresh;                       ///< temporaries that are at the fill until their single assignment
  std::set<std::string> multiplied;                  ///< tensors that products change, which may make fills of them
  std::set<int> starts;                              ///< assignments that come to their elements first
  std::set<std::string> frozen;                      ///< hashed temporaries that are being walked
};

struct Scope {
  std::set<std::string> bound;       ///< variables
  std::set<std::string> positions;   ///< and other names that the program does not have
  std::set<std::string> everywhere;  ///< variables of loops that visit every coordinate
  std::set<std::string> reserved;    ///< what the program and all of its loops name, in scope or not
  Ranges ranges;                     ///< of the loops around

  /// A name that nothing in scope has, and nothing that the program names.
  std::string unused(const std::string& name) const;
  /// The same, from now on in scope.
  std::string introduce(const std::string& name) { return *positions.insert(unused(name)).first; }
  lang::Expr to_expr(const math::Affine& form) const { return lang::to_expr(form, {bound.begin(), bound.end()}); }
};

using Conditions = std::vector<lang::Expr>;  ///< all of them

/// Where the entry of a level at given indices is. It may be read under several conditions, of which one may depend on
/// an earlier read:
///   (c ? Z(p(i)) : 0) < 1 ? 0 : Z(p(i))
/// Then it is looked up again, else once where any of them holds.
struct Entry {
  Position position;
  std::string missing;                   ///< a variable that is -1 when there is no such entry; "": there is one
  std::vector<Conditions> only_if = {};  ///< looked up where one of these holds; empty: always

  bool covers(const Read& read) const;
};
using Entries = std::map<access::LevelKey, Entry>;

/// The entries of a level at which a loop around stands, where loops inside complete its index.
struct Segment {
  Position position;               ///< the first of several
  std::string missing;             ///< a variable that is -1 where there are none; "": there are some
  access::Inverse::Stored stored;  ///< from which coordinate to which
};
using Segments = std::map<access::LevelKey, Segment>;

struct Scalars {
  Untouched untouched;            ///< sparse scalars in scope, and what they are while nothing is written to them
  std::set<std::string> touched;  ///< those of them whose marks have been asked, and hold
  Marks marks;                    ///< that something asks for, by the names that the flow gives the scalars
};

struct Context {
  explicit Context(const lang::Program& of);

  const lang::Program& program;
  Tensors tensors;
  Scope scope;
  Entries entries;
  Segments segments;
  Scalars scalars;
  std::vector<std::pair<lang::Expr, format::Value>> known_elements;  ///< what the block around has just set elements to
  std::map<std::string, std::string> runs;  ///< what is appended by a variable goes on up to another
  Origins origins;
  std::vector<flow::Reassociated> reassociated;
  std::set<std::string> parameters;  ///< that are used so far
  std::set<std::string> applied;     ///< functions, likewise
};

/// Notes the sums and products of floating numbers in a statement that was made of these of the loops.
void note_reassociated(Context& in, const loop::Stmt& made, const std::string& how);

/// A node made of another, which says its type and span, for the statement that is being lowered. It comes from the
/// part of an equation that the other is, or else from the statement.
template <class Node>
Expr make(const Context& in, Node node, const lang::Expr& from) {
  return Expr(ExprNode{std::move(node), from->type, from->span}, in.origins.of(from));
}
template <class Node>
Stmt make(const Context& in, Node node, const loop::Stmt& from) {
  return Stmt(StmtNode{std::move(node), from->span}, in.origins.of(from));
}

}  // namespace trellis::coiterate
