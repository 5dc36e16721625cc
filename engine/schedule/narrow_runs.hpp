#pragma once
// One loop over steps in runs, each narrow where it fits (schedule/narrow.hpp).

#include "engine/schedule/narrow_strips.hpp"

namespace trellis::schedule {

/// What a run needs: names that nobody has yet.
struct RunNames {
  std::string run, lowest, highest, base;
  std::function<std::string(const std::string&)> fresh;  ///< one that nobody has, like this one
};

/// A scalar of which the steps do nothing but make it the least or greatest of narrow values: narrow in a run as well.
struct Total {
  Expr wide;  ///< an Access
  format::ReduceOp op;
  std::string narrow;
};

class NarrowRuns {
 public:
  /// `before`: what has been written when the loop begins, the loops over earlier steps included. Throws Unsuited.
  NarrowRuns(const loop::Stmt& loop, NarrowValues values, RunNames names, std::vector<loop::Stmt> before,
             RunSizes sizes)
      : loop_(loop),
        steps_of_(*loop.as<loop::For>()),
        values_(std::move(values)),
        names_(std::move(names)),
        sizes_(sizes),
        before_(std::move(before)),
        totals_(find_totals()) {
    find_window();
    find_strips();
  }

  /// Declarations, what is looked up once, and the loop over runs. Throws Unsuited.
  std::vector<loop::Stmt> runs();

 private:
  using Visit = std::function<std::vector<loop::Stmt>(const Expr& element)>;
  using Ranges = std::map<std::string, Interval>;

  /// Steps, as slots count them: low <= step < high.
  struct Window {
    Expr low, high;
  };
  /// Each element that `stmt` writes, once more; of a window, if there is one.
  std::vector<loop::Stmt> written_by(const loop::Stmt& stmt, const Window* window, const Visit& visit) const;
  std::vector<loop::Stmt> within(const Window& window, const Expr& element, std::vector<loop::Stmt> visited) const;
  /// How far all steps that a loop writes are past its variable, where that is one number.
  std::optional<math::Affine> step_past(const loop::For& loop) const;
  /// Of what was written before the loop: what the steps of the run may read.
  std::vector<loop::Stmt> written_before(const Expr& first, const Expr& end, const Visit& visit) const;
  /// Of the steps before `end`, whose bodies are like this one, what may be read from there on.
  std::vector<loop::Stmt> last_steps(const loop::Stmt& body, const Expr& end, const Visit& visit) const;
  /// Elements that are there when a run begins and may be read in it, each set to itself.
  std::vector<loop::Stmt> there(const Expr& first, const Expr& end, const loop::Stmt& body) const;
  /// Between strips: what is there when a run begins.
  std::vector<loop::Stmt> handed_on(const Expr& first, const Expr& end) const;
  std::vector<loop::Stmt> whole(const Visit& visit) const;
  enum class Columns { all, of_strip };
  std::vector<loop::Stmt> whole(const Narrowed& one, const Visit& visit, Columns columns) const;
  /// One run, of a strip if there are strips.
  std::vector<loop::Stmt> run(const Expr& first, const Expr& end);
  std::vector<loop::Stmt> as_narrow(const Expr& first, const Expr& end, const Interval& taken,
                                    const loop::Stmt& body) const;
  void find_strips();
  std::vector<loop::Stmt> grown(const loop::Stmt& stmt, Ranges ranges);
  std::vector<Total> find_totals() const;
  void find_window();
  const Total* total_of(const Expr& access) const;
  loop::Stmt narrow(const loop::Stmt& stmt) const;
  std::vector<loop::Stmt> look_over(const Scanned& scanned) const;
  std::vector<loop::Stmt> widen_hull(const std::vector<Reach>& reaches) const;

  loop::Stmt made(decltype(loop::StmtNode::is) is) const;
  loop::Stmt declared(const lang::TensorInfo& info) const { return made(loop::Declare{info}); }
  loop::Stmt set(const Expr& target, const Expr& value, std::optional<format::ReduceOp> op = {}) const;
  loop::Stmt over(const std::string& variable, const Expr& low, const Expr& high, std::vector<loop::Stmt> body) const;
  loop::Stmt steps(const Expr& low, const Expr& high, const loop::Stmt& body) const;

  const loop::Stmt& loop_;
  const loop::For& steps_of_;
  NarrowValues values_;
  RunNames names_;
  RunSizes sizes_;
  std::int64_t offset_ = 0;  ///< the least that a step, as its slot counts it, is past the loop's variable
  std::int64_t window_ = 0;  ///< as many iterations before the run have written what it may read
  std::vector<loop::Stmt> before_;
  std::vector<Total> totals_;
  std::vector<loop::Stmt> compared_in_;  ///< what results compare in these is within the hull
  std::optional<ColumnStrips> strips_;
  std::string begins_, ends_;  ///< the steps of a run in which a strip does anything
};

/// Does the statement write a step of the tensors?
bool writes(const loop::Stmt& stmt, const NarrowValues& values);
/// Is it a loop whose iterations are steps?
bool is_over_steps(const loop::Stmt& stmt, const NarrowValues& values);

}  // namespace trellis::schedule
