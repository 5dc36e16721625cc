#include "engine/coiterate/fresh_temporaries.hpp"

#include <map>
#include <vector>

namespace trellis::coiterate {

namespace {

class Fresh {
 public:
  std::set<std::string> in(const loop::Stmt& loops) {
    visit(loops);
    std::set<std::string> names;
    for (const auto& [name, writes] : writes_)
      if (writes == 1 && good_.count(name) && !otherwise_.count(name)) names.insert(name);
    return names;
  }

 private:
  void visit(const loop::Stmt& s) {
    if (const auto* d = s.as<loop::Declare>()) {
      reset_at_.erase(d->tensor.name);
      fills_[d->tensor.name] = d->tensor.fill;
    }
    if (const auto* r = s.as<loop::Reset>()) {
      const auto* value = r->value.as<lang::Constant>();
      if (value && value->value == fills_[r->tensor])
        reset_at_[r->tensor] = around_.size();
      else
        otherwise_.insert(r->tensor);
    }
    if (const auto* a = s.as<loop::Assign>()) assignment(*a);
    const auto* f = s.as<loop::For>();
    const bool repeats = f || s.as<loop::While>(), may_not_run = repeats || s.as<loop::If>();
    const auto before = reset_at_;
    if (repeats) around_.push_back(f && !f->until ? f->variable : "");
    loop::map_children(
        s,
        [&](const loop::Stmt& child) {
          visit(child);
          if (may_not_run) reset_at_ = before;
          return child;
        },
        [](const lang::Expr& e) { return e; });
    if (repeats) around_.pop_back();
  }

  void assignment(const loop::Assign& a) {
    const auto& access = *a.target.as<lang::Access>();
    ++writes_[access.tensor];
    const auto reset = reset_at_.find(access.tensor);
    if (a.op || reset == reset_at_.end()) return;
    std::set<std::string> loops(around_.begin() + static_cast<std::ptrdiff_t>(reset->second), around_.end()), indices;
    for (const lang::Expr& index : access.indices)
      if (const auto* v = index.as<lang::Variable>()) indices.insert(v->name);
    const bool each_once = indices.size() == access.indices.size() && indices == loops;
    if (each_once && loops.size() == around_.size() - reset->second) good_.insert(access.tensor);
  }

  std::vector<std::string> around_;  ///< variables of the loops; "" of one that may run any number of times
  std::map<std::string, std::size_t> reset_at_;
  std::map<std::string, format::Value> fills_;
  std::map<std::string, int> writes_;
  std::set<std::string> good_;
  std::set<std::string> otherwise_;  ///< reset to something else than the fill
};

}  // namespace

std::set<std::string> fresh_temporaries(const loop::Stmt& loops) { return Fresh().in(loops); }

}  // namespace trellis::coiterate
