// freeze and thaw: a frozen tensor is not written until it is thawed, and each of them takes back the other. What is
// frozen on some path counts as frozen. Loops may run again, so that what the end of a body leaves frozen is frozen at
// its beginning; a tensor that is declared in the body is another one each time.

#include <set>

#include "engine/lang/resolve/loops.hpp"

namespace trellis::lang::resolving {

namespace {

class Lifecycles {
 public:
  explicit Lifecycles(Resolution& resolution) : resolution_(resolution) {}

  void visit(const Actions& actions) {
    for (const Action& one : actions) visit(one);
  }

 private:
  void visit(const Action& action) {
    if (const auto* l = action.as<action::Lifecycle>()) {
      if (l->thaw) thaw(l->tensor, action->span);
      else freeze(l->tensor, action->span);
    }
    if (const auto* d = action.as<action::Declare>()) frozen_.erase(d->tensor.name);
    if (const auto* a = action.as<action::Assign>()) written(a->target.as<Access>()->tensor, action->span);
    if (const auto* r = action.as<action::Reset>()) written(r->tensor, action->span);
    const bool repeats = action.as<action::For>() || action.as<action::While>();
    const std::map<std::string, text::Span> before = frozen_;
    std::map<std::string, text::Span> after;
    for (const Actions* body : action::bodies(action)) {
      frozen_ = before;
      visit(*body);
      if (repeats) visit(*body);
      after.insert(frozen_.begin(), frozen_.end());
    }
    if (action::bodies(action).empty()) return;
    if (repeats) after.insert(before.begin(), before.end());  // it may run no iteration
    frozen_ = std::move(after);
  }

  void freeze(const std::string& tensor, text::Span span) {
    const auto [found, fresh] = frozen_.emplace(tensor, span);
    if (fresh || !reported_.insert(span).second) return;
    const bool again = found->second == span;
    resolution_
        .error("E0270", span, tensor + " is frozen already",
               again ? "write thaw " + tensor + " behind the reads" : "leave it out")
        .notes.push_back({found->second, again ? "an iteration before has frozen it" : "frozen here"});
  }

  void thaw(const std::string& tensor, text::Span span) {
    if (frozen_.erase(tensor) > 0 || !reported_.insert(span).second) return;
    resolution_.error("E0270", span, tensor + " is not frozen here", "leave it out: what is not frozen can be written");
  }

  void written(const std::string& tensor, text::Span span) {
    const auto found = frozen_.find(tensor);
    if (found == frozen_.end()) return;
    const text::Span frozen = found->second;
    frozen_.erase(found);  // said once
    if (!reported_.insert(span).second) return;
    resolution_
        .error("E0264", span, tensor + " is frozen and cannot be written here", "write thaw " + tensor + " before")
        .notes.push_back({frozen, "frozen here"});
  }

  Resolution& resolution_;
  std::map<std::string, text::Span> frozen_;
  std::set<text::Span> reported_;
};

}  // namespace

void check_lifecycles(Resolution& resolution, const Actions& loops) { Lifecycles(resolution).visit(loops); }

}  // namespace trellis::lang::resolving
