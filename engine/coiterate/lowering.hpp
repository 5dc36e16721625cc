#pragma once
// The state of one lowering; lower.hpp says what it does. Tensors and functions are in lower.cpp, expressions and positions
// in lower_expressions.cpp, statements in lower_statements.cpp, what they look up in lower_look_ups.cpp, what depends on sparse scalars in lower_scalars.cpp, what walks sequences in
// lower_loops.cpp and lower_until.cpp.

#include <functional>
#include <limits>
#include <map>
#include <set>

#include "engine/coiterate/lower.hpp"
#include "engine/coiterate/mark_writes.hpp"
#include "engine/flow/ranges.hpp"
#include "engine/coiterate/reduce.hpp"

namespace trellis::coiterate {

// What loops become.
using flow::Append, flow::Apply, flow::Assign, flow::At, flow::Binary, flow::Call, flow::Cast, flow::Checked;
using flow::Coiterate;
using flow::Constant, flow::Cursor, flow::Declare, flow::Direct, flow::Expr, flow::ExprNode, flow::Flow, flow::Freeze;
using flow::Function, flow::Here, flow::If, flow::Insert, flow::Let, flow::Level, flow::Locate, flow::Loop, flow::Name;
using flow::Note, flow::Position, flow::PositionNode, flow::Ranges, flow::Reset, flow::Select, flow::Seq, flow::Site;
using flow::Stmt, flow::StmtNode, flow::Tensor, flow::Test, flow::Unary, flow::Value, flow::While;
using flow::After, flow::constant, flow::integer, flow::name, flow::root;

class Lowering {
 public:
  explicit Lowering(const lang::Program& program) : program_(program) {}
  Lowered run(const loop::Stmt& loops, const std::string& kernel);

 private:
  // Tensors and functions.
  Tensor describe(const lang::TensorInfo& info, const std::string& name, Tensor::Storage storage);
  Tensor& lookup(const std::string& name);
  std::string declare(const lang::TensorInfo& info);
  const lang::TensorInfo* info(const std::string& name) const;
  Function function(const lang::Function& f);
  Stmt steps(const std::vector<lang::FunctionStep>& all);
  Stmt of_shown_lattices(const Stmt& root) const;

  // Expressions and positions.
  /// A node of `show lattice`: the lattice of a loop, a point of it, or what is done there in one case.
  struct LatticeNode {
    int lattice = -1;  ///< its number
    int point = -1;
    int outcome = -1;
  };
  text::NodeId in_lattice(int point = -1, int outcome = -1);
  /// What a node comes from that is made now: a statement of the loops, and where in the lattice around it is.
  text::Origin origin(int stmt) const;
  text::Origin origin() const { return origin(stmt_); }
  text::Origin origin(const loop::Stmt& from) const { return origin(from.id() < 0 ? stmt_ : from.id()); }
  template <class Node>
  Expr make(Node node, const lang::Expr& from) {
    return Expr(ExprNode{std::move(node), from->type, from->span}, origin());
  }
  Expr expr(const lang::Expr& e);
  Expr value(const lang::Expr& e, const lang::Access& access);
  /// Where too little is stored for anything else, an expression is `otherwise`.
  struct Presence {
    std::optional<Expr> present;  ///< enough is stored; none: it never is, the expression is a constant
    format::Value otherwise;
    bool by_one;  ///< a missing operand decides, whatever the others are; no: it is computed with fills
  };
  /// Empty: the expression is computed, whatever is stored.
  std::optional<Presence> presence(const lang::Expr& e);
  /// The operation of an expression, only carried out where enough is stored if that can make a difference.
  Expr where_present(const lang::Expr& e, const Expr& operation);
  bool is_found_already(const lang::Expr& e);
  static Expr is_found(const std::string& position);
  Expr affine(const math::Affine& form);
  std::optional<Site> check(const lang::Access& access, const lang::Expr& index) const;

  /// How far down its levels an access is known by now, at most so far.
  struct Resolved {
    Position position;
    int levels = 0;
    std::string missing;  ///< a variable that is -1 when there is no such entry
  };
  Resolved resolve(const lang::Access& access, bool guarded = false, int most_levels = std::numeric_limits<int>::max());
  struct State;
  Position position_of(const State& state, const lang::Access& access, int level);
  /// Is an index checked when it runs, so that going down to it could be a fault where the access is not read?
  bool is_checked(const lang::Access& access) const;
  /// Is the index of a level checked before the level is gone down to, as what is above it may be missing?
  bool is_checked_apart(const lang::Access& access, int level);
  /// The statement behind that, which knows the index by a name; only where it is asked for at all.
  Stmt checked_apart(const loop::Stmt& s, const lang::Access& access, int level, const std::optional<Expr>& asked,
                     const std::function<Stmt(const Expr&)>& inner);
  /// The coordinates of the dense levels above `level` are in range, as far as the loops around do not say so; those that are
  /// checked where they are used are left to that, unless the access is `guarded`.
  std::optional<Expr> in_range(const lang::Access& access, int level, bool guarded);
  using Conditions = std::vector<lang::Expr>;  ///< all of them
  /// One of the lists holds, each of which is not empty.
  Expr any_of(const std::vector<Conditions>& lists);
  /// And the entry above is there, if that may be missing.
  static std::optional<Expr> exists(std::optional<Expr> in_range, const std::string& missing);
  static Expr both(const Expr& a, const std::optional<Expr>& b);
  /// Are all values at hand that it needs?
  bool known(const lang::Expr& e);
  bool known(const lang::Access& access);

  // Statements.
  template <class Node>
  Stmt make(Node node, const loop::Stmt& from) {
    return Stmt(StmtNode{std::move(node), from->span}, origin(from));
  }
  /// A statement whose operands may have to be looked up first.
  Stmt stmt(const loop::Stmt& s);
  Stmt located(const loop::Stmt& s, const Read& read, int level);
  struct Sought {
    Expr coordinate;
    std::optional<Site> check;
    bool lenient;  ///< may be out of range, where there is no entry
  };
  Stmt found(const loop::Stmt& s, const Read& read, int level, const Sought& sought, std::vector<Conditions> only_if);
  /// Inside, the access stands at this coordinate of a dense level.
  Stmt placed(const lang::Access& access, int level, const Expr& coordinate, std::vector<Conditions> only_if,
              const std::function<Stmt()>& inner);
  /// The conditions under which a look-up is for the read, and for others of the statement; none: always.
  std::vector<Conditions> asked_under(const loop::Stmt& s, const Read& read, int level);
  bool is_missed(const Read& read, const lang::Access& access, int level, const State& state);
  std::optional<std::pair<Read, int>> next_to_locate(const loop::Stmt& s);
  Stmt plain(const loop::Stmt& s);
  std::optional<loop::Stmt> with_condition_apart(const loop::Stmt& s);
  void forget_written(const loop::Stmt& s);
  Seq block(const loop::Block& b);
  Stmt assign(const loop::Stmt& s, const loop::Assign& a);
  bool may_be_fill(const lang::Access& access);
  Stmt store(const loop::Stmt& s, const loop::Assign& a);
  Stmt overwrite(const loop::Stmt& s, const lang::Access& access, int level, const Position& parent, const std::function<Stmt(const Position&)>& inner);
  Stmt insert(const loop::Stmt& s, const loop::Assign& a, const std::function<Stmt(const Position&)>& inner);
  void freeze_walked(const loop::Stmt& s, Seq& into);

  // Sparse scalars.
  Untouched sparse_scalars(const loop::Stmt& s, const loop::Block& b);
  bool may_stay_untouched(const loop::Block& b, const std::string& name);
  Expr mark(const std::string& scalar);
  std::optional<Stmt> where_touched(const loop::Stmt& s);
  std::optional<Stmt> specialised(const loop::Stmt& s, const Untouched& read);
  Stmt where_known(const Untouched& scalars, const loop::Stmt& s);
  bool reads_touched(const lang::Expr& value) const;

  // Loops.
  Stmt loop(const loop::Stmt& s, const loop::For& f);
  std::optional<Stmt> with_checks_apart(const loop::Stmt& s, const loop::For& f, const Lattice& lattice);
  std::optional<loop::Stmt> lifted(const loop::Stmt& s, const Offers& offered);
  std::optional<loop::Stmt> walked_until(const loop::Stmt& s, const loop::For& f);
  bool can_be_asked_before(const lang::Expr& condition, const loop::For& f);
  lang::Expr with_settled(const lang::Expr& e);
  loop::For first_of(loop::For f);
  void settle(const loop::Stmt& s);
  void unsettle(const loop::Stmt& s);
  Stmt dense_loop(const loop::Stmt& s, const loop::For& f);
  std::vector<std::string> reduced(const loop::For& f);
  Offers offers(const loop::For& f);
  std::optional<Offers::Refusal> refusal(const lang::Access& access, const lang::TensorInfo& info, int level, const std::string& variable);
  struct Walk;
  Stmt coiterate(const loop::Stmt& s, const loop::For& f, const Lattice& lattice);
  Expr runs(const loop::For& f);
  Cursor cursor(const Literal& literal, const loop::For& f, Cursor::Role role);
  Coiterate::Point point(const Walk& walk, const Lattice::Point& point);
  Stmt cases(const Walk& walk, const Lattice::Case& c, std::vector<int> present);
  Stmt one_body(const Walk& walk, const Lattice::Point& point);
  enum class Present { all, some };
  Stmt leaf(const Walk& walk, const loop::Stmt& body, const std::vector<int>& present, Present which = Present::all);
  std::optional<Stmt> over_region(const Walk& walk, const loop::Stmt& body, const std::vector<int>& present);
  bool takes_runs(const lang::Access& target, const std::string& variable);
  bool covers(const access::Sequence& sequence, const lang::Access& access, const loop::For& f);
  Surroundings around() const;
  std::string fresh(const std::string& name);

  const lang::Program& program_;
  std::map<std::string, Tensor> operands_;
  std::vector<Tensor> temporaries_;
  std::map<std::string, std::string> alive_;            ///< temporaries in scope, and what they are called in the flow
  std::map<std::string, lang::TensorInfo> declared_;    ///< all temporaries; the latest of a name
  std::set<std::string> written_;                       ///< tensors of the program that the kernel writes
  std::set<std::string> fresh_;                         ///< temporaries that are at the fill until their single assignment
  std::set<std::string> parameters_;
  std::set<std::string> bound_;      ///< variables in scope
  Ranges ranges_;                    ///< of the loops around
  std::set<std::string> everywhere_; ///< those of loops that visit every coordinate
  std::vector<std::pair<lang::Expr, format::Value>> settled_;  ///< what the block around has just set elements to
  Untouched untouched_;              ///< sparse scalars in scope
  std::set<std::string> touched_;    ///< those of them whose marks have been asked, and hold
  Marks marks_;
  std::set<std::string> frozen_;     ///< hashed temporaries that are being walked
  struct State {
    Position position;
    std::string missing;
    std::vector<Conditions> only_if = {};  ///< looked up where one of these holds; empty: always

    bool covers(const Read& read) const;
  };
  std::map<access::LevelKey, State> states_;  ///< entries found so far
  std::vector<Lattice> lattices_;        ///< of the loops so far
  std::map<std::string, std::string> runs_;  ///< what is appended by a variable goes on up to another
  struct Within {
    int lattice = -1;         ///< of the innermost loop around; -1: none
    std::vector<int> absent;  ///< its operands that are missing here
    int point = -1;
    int outcomes = 0;  ///< of the point's cases so far
  } within_;
  std::vector<LatticeNode> lattice_nodes_;  ///< by what origins call them until all lattices are known
  text::Origin around_;                     ///< those of the innermost lattice that the nodes made now belong to
  text::Origin function_;                   ///< of the user, inside which they are
  std::set<std::string> applied_;        ///< functions
  std::set<std::string> names_;          ///< of positions in scope
  bool inside_function_ = false;
  int stmt_ = -1;
};

}  // namespace trellis::coiterate
