#pragma once
// The estimate as it is added up: a walk over the flow that charges what each statement does, as often as the loops
// around it say. Of loops, branches and the walk itself in estimate.cpp; of elements in estimate_elements.cpp.

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/cost/elements.hpp"
#include "engine/cost/estimate.hpp"
#include "engine/cost/iterations.hpp"
#include "engine/cost/occupancy.hpp"
#include "engine/cost/operations.hpp"
#include "engine/cost/shape.hpp"
#include "engine/cost/tally.hpp"
#include "engine/cost/walks.hpp"

namespace trellis::cost {

class Estimator {
 public:
  Estimator(const flow::Flow& flow, const Data& data, const Machine& machine)
      : flow_(flow),
        data_(data),
        machine_(machine),
        names_(names_of(data)),
        tally_(data, machine),
        occupancy_(flow, data),
        walks_(data) {}
  Estimate run();
  /// What stands in workspaces is known once all of the flow was looked at.
  std::optional<Data> with_collected() const;

 private:
  /// Bounds of inner loops depend on outer variables: such a loop is looked at where its variable stands at this many
  /// places.
  static constexpr int places = 4;

  void visit(const flow::Stmt& s);
  void visit_parts(const flow::Stmt& s);

  // ---- loops ----
  /// Visits the body of a loop that the present one contains, where its variable stands at the first place after `low`,
  /// or at several places.
  template <class Visit>
  void repeated(Level level, double low, bool shaped, Visit&& visit_body) {
    tally_.scalar(cycles::entry);
    if (level.trips <= 0) return;
    level.runs = tally_.executions();
    const int tried = shaped ? static_cast<int>(std::min<double>(std::ceil(level.trips), places)) : 1;
    level.share = 1.0 / tried;
    for (int place = 0; place < tried; ++place) {
      if (shaped) names_[level.variable] = static_cast<std::int64_t>(low + (2 * place + 1) * level.trips / (2 * tried));
      tally_.in_loop(level, visit_body);
    }
    if (shaped) names_.erase(level.variable);
  }
  void loop(const flow::Loop& l);
  /// Fibers that wait at a coordinate.
  double waiting(const flow::Loop& l) const;
  void unrolled(const flow::Loop& l);
  /// Vectors of a row each, of which those that do not move along a loop are loaded once for all of its iterations. A
  /// product that is rounded apart is an operation of its own.
  void in_registers(const RegisterTile& tile);
  template <class Inside>
  void in_threads(bool parallel, double trips, Inside&& inside) {
    if (!parallel || machine_.threads < 2) return inside();
    tally_.scalar(machine_.fork);
    const double threads = 1 + (std::min<double>(machine_.threads, std::max(1.0, trips)) - 1) * thread_worth;
    tally_.in_threads(threads, inside);
  }
  void coiterate(const flow::Coiterate& c);
  void begin_walk(const flow::Cursor& cursor) { walks_.begin(tensor(cursor.tensor), elements_.of_entry(cursor.name)); }
  /// Where it begins and ends is read; what a workspace lists is sorted.
  void begin_fiber(const flow::Cursor& cursor);

  // ---- branches ----
  void either(double chance, const flow::Stmt& then, const std::optional<flow::Stmt>& otherwise);
  void choose(double chance, const flow::Stmt& then, const std::optional<flow::Stmt>& otherwise);
  double chance_of(const flow::Expr& condition) const;
  /// Of a condition on an element that its branch replaces: the k-th of values in no order is the best so far with a
  /// chance of 1/k.
  std::optional<double> record_chance(const flow::If& i) const;
  void branch(const flow::If& i);
  void test(const flow::Test& t);
  void let(const flow::Let& l);

  // ---- elements ----
  void locate(const flow::Locate& l);
  void tabulate(const flow::Tabulate& t);
  void insert(const flow::Insert& i);
  void freeze(const flow::Freeze& f);
  void reset(const flow::Reset& r);
  void assign(const flow::Assign& a);
  void compute(const flow::Expr& e);
  void load(const flow::Expr& e);
  /// `bytes`: beside the value, or instead of it.
  void touch(const flow::Tensor& t, const flow::Path& path, double bytes, bool read, bool written);
  const flow::Tensor& tensor(const std::string& name) const { return *flow_.tensor(name); }

  const flow::Flow& flow_;
  const Data& data_;
  const Machine& machine_;
  std::map<std::string, std::int64_t> names_;  ///< that have a value here
  Elements elements_;
  Tally tally_;
  Occupancy occupancy_;
  Walks walks_;
  bool collects_ = false;  ///< in workspaces
  bool tested_ = false, merges_ = false;
  std::map<std::string, std::pair<double, double>>
      present_;                            ///< of cursors: at an iteration; at a coordinate where another is
  std::map<std::string, double> found_;    ///< of variables that hold positions: the chance that there is one
  std::map<std::string, double> regions_;  ///< of variables at which regions begin: their length
  std::vector<flow::Lists> lists_;         ///< of the loops around
};

}  // namespace trellis::cost
