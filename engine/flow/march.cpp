#include "engine/flow/march.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "engine/flow/ranges.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::flow {

namespace {

enum class Wanted { asked_for, where_it_wins };

class Marching {
 public:
  Marching(const Flow& flow, std::string tensor, std::string variable, Wanted wanted)
      : flow_(flow), tensor_(std::move(tensor)), variable_(std::move(variable)), wanted_(wanted) {}

  std::variant<Flow, NoMarch> run() {
    for_each_stmt(flow_.root, [&](const Stmt& s) {
      const auto* l = s.as<Locate>();
      if (l && !l->march.empty() && l->tensor == tensor_) ++pointers_;
    });
    Flow result = flow_;
    result.root = visit(flow_.root);
    if (any_) return result;
    if (!reason_.empty()) return NoMarch{reason_};
    return NoMarch{"no element of " + tensor_ + " is looked up at a coordinate " + variable_ +
                   ": it is walked in that loop, or found otherwise"};
  }

 private:
  struct Around {
    std::string variable;                                   ///< empty: a while
    bool rises = false, parallel = false, entries = false;  ///< entries: those alone are visited
    bool waits = false;                                     ///< a parallel loop whose iterations wait for each other,
    bool awaits = false;                                    ///< and one inside that does so
  };

  static bool awaits_first(const Stmt& body) {
    const auto* all = body.as<Seq>();
    return all && !all->statements.empty() && all->statements.front().as<Await>();
  }

  static std::optional<Around> around(const Stmt& s) {
    if (const auto* l = s.as<Loop>())
      return Around{l->variable,
                    l->direction == Loop::Direction::up,
                    l->execution == Loop::Execution::parallel,
                    false,
                    iterations_wait(*l),
                    awaits_first(l->body)};
    if (const auto* c = s.as<Coiterate>()) {
      const bool entries = std::ranges::none_of(c->points, [](const Coiterate::Point& p) { return p.leads.empty(); });
      return Around{c->variable,
                    c->direction == Loop::Direction::up,
                    c->execution == Loop::Execution::parallel,
                    entries,
                    false,
                    std::ranges::all_of(c->points, [](const Coiterate::Point& p) { return awaits_first(p.body); })};
    }
    if (s.as<While>()) return Around{};
    return std::nullopt;
  }

  Stmt visit(const Stmt& s) {
    const std::optional<Around> loop = around(s);
    if (loop) loops_.push_back(*loop);
    const Stmt inner = map_children(
        s, [&](const Stmt& child) { return visit(child); }, [](const Expr& e) { return e; });
    if (loop) loops_.pop_back();
    const auto* l = inner.as<Locate>();
    if (!l || l->tensor != tensor_ || l->held || !rises_with_loop(*l)) return inner;
    if (const std::string why = hindrance(*l); !why.empty()) {
      reason_ = why;
      return inner;
    }
    Locate next = *l;
    // Names of positions come again in loops beside each other: pointers that two look-ups shared would run ahead of
    // one.
    if (next.march.empty()) next.march = tensor_ + "_next" + (pointers_ > 0 ? std::to_string(pointers_ + 1) : "");
    next.returns = loops_.front().variable != variable_ || may_have_passed(*l);
    ++pointers_;
    any_ = true;
    return Stmt(StmtNode{std::move(next), inner->span}, inner.origin(), inner.id());
  }

  /// Where iterations of a parallel loop wait, each thread has pointers of its own. It comes by the iterations that ask
  /// for a fiber in their order, if they are those that wait for the fiber's iteration; other ones may come in any
  /// order.
  bool may_have_passed(const Locate& l) const {
    if (!loops_.front().waits) return false;
    const auto* fiber = l.parent.as<Direct>();
    const auto* number = fiber && fiber->parent.as<Root>() ? fiber->coordinate.as<Name>() : nullptr;
    return !number || std::ranges::none_of(
                          loops_, [&](const Around& loop) { return loop.awaits && loop.variable == number->name; });
  }

  /// What is appended to stays where it is, unless all of it goes.
  bool is_reset() const {
    bool found = false;
    for_each_stmt(flow_.root, [&](const Stmt& s) {
      const auto* r = s.as<Reset>();
      found |= r && r->tensor == tensor_;
    });
    return found;
  }

  bool rises_with_loop(const Locate& l) const {
    const auto coordinate = affine(l.coordinate);
    return coordinate && coordinate->coefficient(variable_) != 0;
  }

  /// Why this one cannot; empty when it can.
  std::string hindrance(const Locate& l) const {
    const Tensor& tensor = *flow_.tensor(l.tensor);
    const std::string loop = "the loop over " + variable_;
    if (tensor.appends() ? is_reset() : tensor.storage != Tensor::Storage::operand && tensor.entries_of.empty())
      return tensor_ + " is computed here: its entries move while it grows";
    if (wanted_ == Wanted::where_it_wins && (!l.march.empty() || !asks_again(l))) return "each fiber is asked once";
    if (const std::string none = no_pointers(tensor, l); !none.empty()) return none;
    for (const Around& outer : loops_)
      if (outer.parallel && !outer.waits) return "iterations of a parallel loop would share the pointers";
    const auto own = std::ranges::find(loops_, variable_, &Around::variable);
    if (own == loops_.end()) return loop + " does not stand around it";
    if (!own->rises) return loop + " runs downwards";
    const bool few = own != loops_.begin() && !own->entries;
    if (wanted_ == Wanted::where_it_wins && few) return loop + " visits all coordinates, again and again";
    // What else is in the coordinate must stand still while the loop runs.
    math::Affine rest = *affine(l.coordinate);
    if (rest.coefficient(variable_) != 1) return tensor_ + " is not looked up at " + variable_ + " itself";
    for (const Around& other : loops_)
      if (other.variable != variable_ && !other.variable.empty() && rest.mentions(other.variable))
        return "another loop moves the coordinate as well";
    return "";
  }

  /// Is a fiber asked again, by an inner loop that visits entries alone, and so not many times for nothing?
  bool asks_again(const Locate& l) const {
    const auto mentioned = [&](const std::string& variable) {
      bool found = false;
      const auto look = [&](const auto& self, const Expr& e) -> Expr {
        found |= e.as<Name>() && e.as<Name>()->name == variable;
        return map_children(e, [&](const Expr& child) { return self(self, child); });
      };
      for_each_child(l.parent, [&](const Expr& e) { return look(look, e); });
      return found;
    };
    return !mentioned(variable_) && std::ranges::any_of(loops_, [&](const Around& loop) {
      return loop.entries && loop.variable != variable_ && mentioned(loop.variable);
    });
  }

  const Flow& flow_;
  const std::string tensor_, variable_;
  const Wanted wanted_;
  std::vector<Around> loops_;
  bool any_ = false;
  int pointers_ = 0;  ///< names of them that are taken, by earlier marches as well
  std::string reason_;
};

}  // namespace

std::string no_pointers(const Tensor& tensor, const Locate& l) {
  const format::Facts& facts = tensor.levels[static_cast<std::size_t>(l.level)].facts;
  if (!facts.points()) return tensor.name + " stores regions there, not points";
  if (facts.locate != format::Locate::binary || l.several) return tensor.name + " is found there without bisection";
  if (facts.decreasing) return "the coordinates of " + tensor.name + " fall";
  if (const auto* at = l.parent.as<At>(); at && at->several)
    return "a loop around has found the entries among which it is";
  for (int level = 0; level < l.level; ++level)
    if (!tensor.levels[static_cast<std::size_t>(level)].facts.dense())
      return "a pointer for each fiber needs dense levels above, as in csr or csc";
  return "";
}

std::variant<Flow, NoMarch> march(const Flow& flow, const std::string& tensor, const std::string& variable) {
  return Marching(flow, tensor, variable, Wanted::asked_for).run();
}

Flow march_where_it_wins(const Flow& flow) {
  std::vector<std::string> variables;  // outer ones before inner ones: a pointer that never goes back is better
  for_each_stmt(flow.root, [&](const Stmt& s) {
    if (const auto* l = s.as<Loop>()) add_once(variables, l->variable);
    if (const auto* c = s.as<Coiterate>()) add_once(variables, c->variable);
  });
  Flow current = flow;
  for (const std::string& variable : variables)
    for (const Tensor& tensor : flow.tensors) {
      if (tensor.storage == Tensor::Storage::temporary || !tensor.sparse()) continue;
      auto result = Marching(current, tensor.name, variable, Wanted::where_it_wins).run();
      if (auto* marched = std::get_if<Flow>(&result)) current = std::move(*marched);
    }
  return current;
}

std::optional<Flow> march_as_scheduled(const Flow& flow, const lang::Kernel& kernel, text::Diagnostics& diagnostics) {
  Flow current = flow;
  bool all = true;
  for (const lang::Schedule::March& wanted : kernel.schedule.marches) {
    auto result = march(current, wanted.tensor, wanted.variable);
    const auto* none = std::get_if<NoMarch>(&result);
    if (none) {
      const std::string what = wanted.tensor + " does not march along " + wanted.variable + " here";
      diagnostics.error("E0912", wanted.span, what, none->reason);
    } else {
      current = std::move(std::get<Flow>(result));
    }
    all &= !none;
  }
  return all ? std::optional(std::move(current)) : std::nullopt;
}

}  // namespace trellis::flow
