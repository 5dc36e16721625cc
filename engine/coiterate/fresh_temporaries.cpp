#include "engine/coiterate/fresh_temporaries.hpp"

#include <map>
#include <vector>

namespace trellis::coiterate {

namespace {

class Fresh {
 public:
  FreshTemporaries in(const loop::Stmt& loops) {
    visit(loops);
    FreshTemporaries found;
    for (const auto& [name, starts] : starts_) {
      if (otherwise_.contains(name)) continue;
      found.starts.insert(starts.begin(), starts.end());
      if (writes_.at(name) == 1) found.assigned.insert(name);
    }
    return found;
  }

 private:
  struct Loop {
    std::string variable;  ///< "" of one that may run any number of times
    loop::Stmt body;
  };
  struct Start {
    std::size_t depth;  ///< loops around the reset
    int writes;         ///< of the tensor before it, in the text
  };

  void visit(const loop::Stmt& s) {
    if (const auto* d = s.as<loop::Declare>()) {
      reset_at_.erase(d->tensor.name);
      fills_[d->tensor.name] = d->tensor.fill;
    }
    if (const auto* r = s.as<loop::Reset>()) reset(*r);
    if (const auto* a = s.as<loop::Assign>()) assignment(s, *a);
    const auto* f = s.as<loop::For>();
    const auto* w = s.as<loop::While>();
    const bool repeats = f || w, may_not_run = repeats || s.as<loop::If>();
    const auto before = reset_at_;
    if (repeats) around_.push_back({f && !f->until ? f->variable : "", f ? f->body : w->body});
    loop::for_each_child(
        s,
        [&](const loop::Stmt& child) {
          visit(child);
          if (may_not_run) reset_at_ = before;
        },
        [](const lang::Expr&) {});
    if (repeats) around_.pop_back();
  }

  void reset(const loop::Reset& r) {
    const auto* value = r.value.as<lang::Constant>();
    const auto fill = fills_.find(r.tensor);
    if (value && fill != fills_.end() && value->value == fill->second)
      reset_at_[r.tensor] = {around_.size(), writes_[r.tensor]};
    else otherwise_.insert(r.tensor);
  }

  void assignment(const loop::Stmt& s, const loop::Assign& a) {
    const auto& access = *a.target.as<lang::Access>();
    const int before = writes_[access.tensor]++;
    const auto reset = reset_at_.find(access.tensor);
    if (a.op || reset == reset_at_.end() || before != reset->second.writes) return;
    const std::size_t depth = reset->second.depth;
    std::set<std::string> loops, indices;
    for (std::size_t k = depth; k < around_.size(); ++k) loops.insert(around_[k].variable);
    for (const lang::Expr& index : access.indices)
      if (const auto* v = index.as<lang::Variable>()) indices.insert(v->name);
    const bool each_once = indices.size() == access.indices.size() && indices == loops;
    const bool alone = depth == around_.size() || writes_in(around_[depth].body, access.tensor) == 1;
    if (each_once && alone && s.id() >= 0 && loops.size() == around_.size() - depth)
      starts_[access.tensor].insert(s.id());
  }

  /// Those of other iterations come before this one's.
  static int writes_in(const loop::Stmt& body, const std::string& tensor) {
    int writes = 0;
    loop::for_each(body, [&](const loop::Stmt& s) {
      const auto* a = s.as<loop::Assign>();
      writes += a && a->target.as<lang::Access>()->tensor == tensor;
    });
    return writes;
  }

  std::vector<Loop> around_;
  std::map<std::string, Start> reset_at_;
  std::map<std::string, format::Value> fills_;
  std::map<std::string, int> writes_;
  std::map<std::string, std::set<int>> starts_;
  std::set<std::string> otherwise_;  ///< reset to something else than the fill
};

}  // namespace

FreshTemporaries fresh_temporaries(const loop::Stmt& loops) { return Fresh().in(loops); }

}  // namespace trellis::coiterate
