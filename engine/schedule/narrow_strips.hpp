#pragma once
// The columns of narrow steps in strips (docs/design/recurrences.md#strips): a run of steps goes through some columns
// after the other, so that what it keeps of them stays in the nearest cache, and so that only values of neighbouring
// columns need one base. Elements may need those of columns on their left, of earlier steps; what the last columns of a
// strip are in each step of a run is noted for the next strip.
//
//   for i in first:end {                            for strip in 0:(m + 2047)/2048 { for i in first:end {
//     forall j in max(i - n, 1):m {                   H_steps(i%3,c - 1) = H_border(i - first)
//       H_steps(i%3,j) = max(H_steps((i+1)%3,j-1)  →  forall j in max(i - n, 1, c):min(m, c + 2048) { … }
//   … } }                                             H_border(i - first) = H_steps(i%3,c + 2047) } }        c = 2048*strip

#include <set>

#include "engine/schedule/narrow_values.hpp"

namespace trellis::schedule {

/// What the slot of an element counts: of `H_steps((d+1)%3,i)` d + 1.
std::optional<math::Affine> counted_step(const Expr& element);

inline void add_all(std::vector<loop::Stmt>& all, const std::vector<loop::Stmt>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

class ColumnStrips {
 public:
  using Visit = std::function<std::vector<loop::Stmt>(const Expr& element)>;

  /// Of a loop over steps; `before` is what writes them in front of it. Nothing where a statement is of no one column,
  /// or needs what lies on its right.
  static std::optional<ColumnStrips> find(const loop::Stmt& steps, const std::vector<loop::Stmt>& before,
                                          const NarrowValues& values, int columns);

  /// Names that nobody has yet.
  void name(const std::function<std::string(const std::string&)>& fresh);
  const std::string& variable() const { return variable_; }
  Expr count() const;
  /// The first column of the strip at hand, that behind its last, and the first on its left that it needs.
  Expr first() const, past() const, left() const;

  /// Of statements, what they do to columns from `low` on and before `past`.
  std::vector<loop::Stmt> clipped(const loop::Stmt& stmt, const Expr& low, const Expr& past) const;
  /// One step of the strip. `first`: of the run.
  loop::Stmt step(const Expr& first) const;
  /// The steps from `first` to `end` in which it does anything.
  Interval active(const loop::Stmt& step, const Expr& first, const Expr& end) const;

  /// Of elements that are there when the run begins, those on the strip's left as they were then; its own last ones are
  /// noted for the next strip.
  std::vector<loop::Stmt> handed_on(const std::vector<loop::Stmt>& there) const;
  /// What holds columns between strips: so many steps of a run of them, and what was there before.
  std::vector<lang::TensorInfo> borders(int steps) const;
  std::vector<std::string> border_names() const;

 private:
  ColumnStrips(const loop::Stmt& steps, const NarrowValues& values, int columns)
      : steps_(steps), values_(values), width_(columns) {}

  struct Needed {
    std::string tensor;
    int columns;  ///< so many on the left
    std::string border, before;
  };
  bool suits();
  bool suits(const loop::Stmt& stmt);
  bool suits(const loop::Assign& assign);
  bool has_one_column(const loop::Stmt& stmt) const;
  bool note_left_read(const Expr& read, const math::Affine& column);
  std::optional<Expr> column_of(const loop::Assign& assign) const;
  std::vector<Expr> steps_read(const Expr& e) const;
  bool reads_written(const Expr& e) const;
  std::vector<math::Affine> columns_in(const loop::Stmt& stmt) const;
  std::optional<math::Affine> past_variable(const loop::For& loop) const;
  const Needed* needed(const Expr& element) const;

  using Replaced = std::vector<std::pair<std::string, Expr>>;
  std::vector<loop::Stmt> at(const loop::Stmt& stmt, const Expr& column, const Visit& visit,
                             const Replaced& replaced) const;
  loop::Stmt made(decltype(loop::StmtNode::is) is) const;
  loop::Stmt set(const Expr& target, const Expr& value) const { return made(loop::Assign{target, {}, value}); }
  std::vector<loop::Stmt> when(const Expr& condition, std::vector<loop::Stmt> then) const;
  Expr border_of(const Needed& needed, int column, const Expr& step) const;

  loop::Stmt steps_;
  NarrowValues values_;
  int width_;
  std::string variable_;
  std::set<std::string> written_;
  std::map<std::string, math::Affine> step_written_;  ///< by what holds the steps: past the loop's variable
  std::map<std::string, std::size_t> dimension_;      ///< of results: which one the column is
  std::vector<Needed> needed_;
};

}  // namespace trellis::schedule
