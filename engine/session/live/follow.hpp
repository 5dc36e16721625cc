#pragma once
// A session's state as snapshots, wave by wave. What did not change since the last revision is not made again.

#include <functional>
#include <set>

#include "engine/session/live/snapshot.hpp"
#include "engine/session/session.hpp"
#include "engine/session/stages/found_pattern.hpp"

namespace trellis::session {

struct Wishes {
  bool run = true;       ///< the last wave: run the kernels, and compare with the reference
  double seconds = 0.2;  ///< that each kernel may take for that
};

/// Who is told of waves.
struct Waves {
  std::function<void(const Snapshot&)> publish;
  std::function<void()> pause =
      {};  ///< between two kernels: time for something else that changes nothing. May be empty
};

/// Stays on the thread of its session, which outlives it.
class Follower {
 public:
  explicit Follower(Session& session) : session_(session) {}

  /// The text becomes the program. Publishes a snapshot for each wave, until the session is interrupted.
  void revise(std::uint64_t version, const std::string& name, std::string content, const Wishes& wishes,
              const Waves& waves);
  /// What was measured, snapshots show from then on.
  void hear(const Reply& reply);
  /// The same after something else has changed the session, such as a command.
  void refresh(std::uint64_t version, const Wishes& wishes, const Waves& waves);

 private:
  struct Compiled {
    std::shared_ptr<const Compilation> from;
    std::shared_ptr<const CompiledView> view;
  };
  struct Explained {
    std::string kernel;
    std::shared_ptr<const place::Analysis> analysis;
    std::shared_ptr<const Compilation> from;  ///< null: its order is illegal, or its schedule wrong
    lang::Order order;
    std::vector<lang::ScheduleStep> steps;
    std::map<std::string, format::Value> parameters;
    std::vector<const void*> data;  ///< that its execution was recorded on
    std::shared_ptr<const ExplainedView> view;
  };
  /// What a measurement is of.
  struct Subject {
    std::shared_ptr<const void> compiled;  ///< the kernel as it was compiled; of its orders what they share
    std::vector<lang::ScheduleStep> steps = {};
    bool operator==(const Subject&) const = default;
  };
  template <class Result>
  struct Measured {
    std::shared_ptr<const Result> result;
    Subject of;
    bool stale = false;  ///< the kernel was another one when that was last looked at
  };
  struct Pictured {
    FoundPattern of;
    std::shared_ptr<const MaskPicture> view;
  };
  struct Ran {
    std::shared_ptr<const Compilation> from;
    const FinishedRun* finished;
    std::shared_ptr<const RunView> view;
  };
  struct PlannedFrom {
    std::shared_ptr<const lang::Program> program;
    std::string kernel;
    std::vector<const void*> data;
    std::map<std::string, format::Value> parameters;
    bool operator==(const PlannedFrom&) const = default;
  };
  struct PlanDrawn {
    PlannedFrom from;
    std::shared_ptr<const PlanPicture> view;
  };
  struct RanksFrom {
    std::shared_ptr<const Compilation> compilation;
    std::vector<std::int64_t> grid;
    std::vector<const void*> data;
    std::map<std::string, format::Value> parameters;
    std::shared_ptr<const view::RankLanes> lanes;
    bool operator==(const RanksFrom&) const = default;
  };
  struct RanksDrawn {
    RanksFrom from;
    std::shared_ptr<const view::RanksPicture> view;
  };
  struct LastLanes {  ///< of the last run on ranks
    std::shared_ptr<const Compilation> of;
    std::shared_ptr<const view::RankLanes> lanes;
  };
  struct Late {  ///< not done in time, or not at all
    std::shared_ptr<const Compilation> from;
    std::vector<const void*> data;
  };
  void make_waves(Snapshot snapshot, const Wishes& wishes, const Waves& waves);
  void add_program(Snapshot& snapshot);
  void add_tensors(Snapshot& snapshot);
  void add_measurements(Snapshot& snapshot) const;
  void compare_measurements(const lang::Kernel& kernel);
  Subject measured(const lang::Kernel& kernel);
  Subject measured_in_all_orders(const lang::Kernel& kernel);
  std::shared_ptr<const CompiledView> compiled(const lang::Kernel& kernel);
  std::shared_ptr<const ExplainedView> explained(const lang::Kernel& kernel);
  std::shared_ptr<const DrawnView> drawn(const lang::Kernel& kernel, const KernelView& view);
  std::shared_ptr<const MaskPicture> pattern(const lang::Kernel& kernel);
  std::shared_ptr<const PlanPicture> plan(const lang::Kernel& kernel);
  std::shared_ptr<const view::RanksPicture> ranks(const lang::Kernel& kernel);
  /// Runs it unless that would change nothing; `made`: results of the runs before it that did.
  std::shared_ptr<const RunView> ran(const lang::Kernel& kernel, const Wishes& wishes, std::set<std::string>& made);
  std::shared_ptr<const RunView> run(const lang::Kernel& kernel, const Wishes& wishes);
  bool would_run_the_same(const FinishedRun& finished, const lang::Kernel& kernel) const;
  ExplainedView explain(const lang::Kernel& kernel, const std::shared_ptr<const place::Analysis>& analysis);
  std::vector<const void*> data_of(const lang::Kernel& kernel) const;
  std::map<std::string, format::Value> parameters() const;

  Session& session_;
  int source_ = -1;
  bool accepted_ = false;
  std::shared_ptr<const text::Text> text_;
  text::Diagnostics read_;  ///< messages of the last revision
  std::shared_ptr<const lang::Program> program_;
  std::uint64_t program_version_ = 0;
  text::Recent<Compiled> compiled_{32};
  text::Recent<Explained> explained_{32};
  text::Recent<Drawn> drawn_{32};
  text::Recent<Pictured> patterns_{32};
  text::Recent<PlanDrawn> plans_{32};
  text::Recent<RanksDrawn> ranks_{32};
  std::map<std::string, std::vector<std::int64_t>> ranks_shown_;  ///< by kernel, how many were asked for last
  std::map<std::string, LastLanes> last_lanes_;                   ///< by kernel
  text::Recent<Ran> ran_{32};
  text::Recent<Late> late_{32};
  std::map<std::string, Measured<Timed::Kernel>> timings_;  ///< by kernel
  std::map<std::string, Measured<OrdersListed>> orders_;    ///< likewise
};

}  // namespace trellis::session
