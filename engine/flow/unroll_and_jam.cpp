#include "engine/flow/unroll_and_jam.hpp"

#include <algorithm>
#include <set>

#include "engine/flow/fresh_names.hpp"
#include "engine/flow/jam_bodies.hpp"
#include "engine/flow/ranges.hpp"
#include "engine/flow/rename.hpp"

namespace trellis::flow {

namespace {

using Step = lang::ScheduleStep;

/// A loop whose iterations have nothing to share.
struct Idle {
  std::string variable;
  text::Span span;
};

class JammingLoops {
 public:
  explicit JammingLoops(Flow& flow) : flow_(flow), names_(flow) {}

  Stmt visit(const Stmt& s) {
    const Stmt inner = map_children(
        s, [&](const Stmt& child) { return visit(child); }, [](const Expr& e) { return e; });
    const auto* loop = inner.as<Loop>();
    return loop && loop->jam > 1 ? jammed(inner, *loop) : inner;
  }

  /// Of the loops over a variable, not one shares anything.
  std::optional<Idle> useless() const {
    const auto at = std::ranges::find_if(idle_, [&](const Idle& i) { return !used_.contains(i.variable); });
    return at == idle_.end() ? std::nullopt : std::optional(*at);
  }

 private:
  Stmt jammed(const Stmt& s, const Loop& loop) {
    const std::vector<Stmt> iterations = iterations_of_body(loop);
    Seq all;
    Loop next = loop;
    const std::string low = named(next.low, loop, "_low"), high = named(next.high, loop, "_end");
    next.jam = 1;
    bool shares = true;
    for (next.by = loop.jam; next.by > 1; next.by = next.by % 2 == 0 ? next.by / 2 : 1) {
      const Jammed together = jam_bodies({iterations.begin(), iterations.begin() + next.by});
      shares &= together.shares;
      next.body = together.body;
      all.statements.push_back(made(s, next));
      next.after = next.by;
      next.execution = Loop::Execution::serial;  // what is left is little
    }
    if (!shares) {
      idle_.push_back({loop.variable, s->span});
      next = loop;
      next.jam = 1;
      return made(s, std::move(next));
    }
    used_.insert(loop.variable);
    next.body = loop.body;
    all.statements.push_back(made(s, next));
    Stmt result = made(s, std::move(all));
    if (!high.empty()) result = made(s, Let{high, loop.high, std::move(result)});
    if (!low.empty()) result = made(s, Let{low, loop.low, std::move(result)});
    return result;
  }

  /// A bound that is not cheap is computed once for all of the loops, under a name; empty: it need not be.
  std::string named(Expr& bound, const Loop& loop, const char* suffix) {
    if (affine(bound)) return "";
    const std::string local = names_.take(names_.underlined(loop.variable + suffix));
    bound = name(local);
    return local;
  }

  template <class Node>
  static Stmt made(const Stmt& s, Node node) {
    return Stmt(StmtNode{std::move(node), s->span}, s.origin());
  }

  /// The body as it is for each of so many iterations.
  std::vector<Stmt> iterations_of_body(const Loop& loop) {
    std::vector<Stmt> all{loop.body};
    const bool down = loop.direction == Loop::Direction::down;
    for (std::int64_t k = 1; k < loop.jam; ++k) {
      const Binary on{down ? format::BinaryOp::subtract : format::BinaryOp::add, name(loop.variable), integer(k)};
      Renaming how = names_of_its_own(loop.body, "_" + std::to_string(k));
      how.values[loop.variable] = Expr(ExprNode{on, format::ScalarType::i64, {}});
      all.push_back(renamed(loop.body, how));
    }
    return all;
  }

  Renaming names_of_its_own(const Stmt& body, const std::string& suffix) {
    Renaming how;
    const auto rename = [&](std::map<std::string, std::string>& names, const std::string& name) {
      if (!names.contains(name)) names[name] = names_.take(names_.underlined(name + suffix));
    };
    for_each_stmt(body, [&](const Stmt& s) {
      if (const auto* l = s.as<Let>()) rename(how.names, l->name);
      if (const auto* l = s.as<Locate>()) rename(how.names, l->name);
      if (const auto* i = s.as<Insert>()) rename(how.names, i->name);
      const auto* d = s.as<Declare>();
      if (!d || how.tensors.contains(d->tensor)) return;
      rename(how.tensors, d->tensor);
      Tensor own = *flow_.tensor(d->tensor);
      own.name = how.tensors[d->tensor];
      flow_.tensors.push_back(std::move(own));
    });
    return how;
  }

  Flow& flow_;
  FreshNames names_;
  std::set<std::string> used_;  ///< variables of loops that were jammed
  std::vector<Idle> idle_;
};

/// The `jam` of a loop that became a walk over entries.
const Step* without_coordinates(const Flow& flow, const lang::Kernel& kernel) {
  const auto goes_by_entries = [&](const Step& step) {
    if (step.kind != Step::Kind::jam) return false;
    bool walked = false, jammed = false;
    for_each_stmt(flow.root, [&](const Stmt& s) {
      if (const auto* c = s.as<Coiterate>()) walked |= c->variable == step.loops.front();
      if (const auto* l = s.as<Loop>()) jammed |= l->variable == step.loops.front() && l->jam > 1;
    });
    return walked && !jammed;
  };
  const auto at = std::ranges::find_if(kernel.schedule.steps, goes_by_entries);
  return at == kernel.schedule.steps.end() ? nullptr : &*at;
}

text::Span span_of(const Idle& idle, const lang::Kernel& kernel) {
  for (const Step& step : kernel.schedule.steps)
    if (step.kind == Step::Kind::jam && step.loops.front() == idle.variable) return step.span;
  return idle.span;
}

}  // namespace

std::optional<Flow> unroll_and_jam(const Flow& flow, const lang::Kernel& kernel, text::Diagnostics& diagnostics) {
  if (const Step* step = without_coordinates(flow, kernel)) {
    const std::string what = "loop " + step->loops.front() + " cannot be jammed: it goes from entry to entry";
    diagnostics.error("E0149", step->span, what, "so many entries at once have nothing in common");
    return std::nullopt;
  }
  Flow result = flow;
  JammingLoops jamming(result);
  result.root = jamming.visit(flow.root);
  if (result.root.same(flow.root)) return flow;
  const std::optional<Idle> useless = jamming.useless();
  if (!useless) return result;
  const std::string& variable = useless->variable;
  auto& d = diagnostics.error("E0149", span_of(*useless, kernel), "jam " + variable + " is of no use here",
                              "no loop inside can run once for several iterations of it");
  d.notes.push_back({{}, "what they go through depends on " + variable + ", as entries of a row do, or they append"});
  return std::nullopt;
}

}  // namespace trellis::flow
