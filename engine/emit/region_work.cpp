#include "engine/emit/region_work.hpp"

#include <algorithm>

#include "engine/emit/shorthand.hpp"
#include "engine/flow/rename.hpp"

namespace trellis::emit {
namespace {

using Factors = std::vector<c::Expr>;

class Nest {
 public:
  Nest(Context& out, const flow::Domain& range, const std::string& variable) : out_(out) { enter(range, variable); }

  /// Of the deepest loops of a statement; empty where something is not known.
  std::optional<Factors> of(const flow::Stmt& s) {
    if (s.as<flow::While>() || s.as<flow::Scatter>()) return std::nullopt;
    if (const auto* l = s.as<flow::Loop>()) return loop(*l);
    if (const auto* c = s.as<flow::Coiterate>()) return walk(*c);
    for (const std::string& name : flow::bound_by(s)) unknown_.insert(name);
    return deepest(s);
  }

  void enter(const flow::Domain& range, const std::string& variable) {
    lows_.values[variable] = flow::renamed(range.low, lows_);
    highs_.values[variable] = flow::renamed(range.high, highs_);
    unknown_.insert(variable);
  }

 private:
  std::optional<Factors> deepest(const flow::Stmt& s) {
    std::optional<Factors> most = Factors();
    flow::for_each_child(
        s,
        [&](const flow::Stmt& child) {
          const auto one = most ? of(child) : std::nullopt;
          if (!one) most.reset();
          else if (one->size() > most->size()) most = one;
        },
        [](const flow::Expr&) {});
    return most;
  }

  std::optional<Factors> loop(const flow::Loop& l) {
    if (l.among) return std::nullopt;
    const auto length = length_of(l);
    enter(l, l.variable);
    auto inside = of(l.body);
    if (!length || !inside) return std::nullopt;
    inside->push_back(*length);
    return inside;
  }

  /// In double, of the shortest and of the longest run.
  std::optional<c::Expr> length_of(const flow::Loop& l) {
    const auto length = [&](const flow::Renaming& at) -> std::optional<c::Expr> {
      const flow::Expr low = flow::renamed(l.low, at), high = flow::renamed(l.high, at);
      if (!is_known(low) || !is_known(high)) return std::nullopt;
      const c::Expr first = out_.expressions.expr(low), last = out_.expressions.expr(high);
      return is_zero(first) ? last : minus(last, first);
    };
    const bool shaped = std::ranges::any_of(
        unknown_, [&](const std::string& name) { return flow::names(l.low, name) || flow::names(l.high, name); });
    const auto shortest = length(lows_);
    if (!shaped || !shortest) return shortest;
    const auto longest = length(highs_);
    if (!longest) return std::nullopt;
    return c::binary("*", c::token("0.5"), plus(*shortest, *longest));
  }

  bool is_known(const flow::Expr& e) const {
    return !e.as<flow::Value>() &&
           std::ranges::none_of(flow::named_by(e), [&](const std::string& name) { return unknown_.contains(name); }) &&
           reads_nothing(e);
  }

  bool reads_nothing(const flow::Expr& e) const {
    bool found = e.as<flow::Constant>() || e.as<flow::Name>() || e.as<flow::Binary>() || e.as<flow::Call>();
    if (const auto* b = e.as<flow::Binary>())
      found =
          b->op == format::BinaryOp::add || b->op == format::BinaryOp::subtract || b->op == format::BinaryOp::multiply;
    flow::for_each_child(e, [&](const flow::Expr& child) { found = found && reads_nothing(child); });
    return found;
  }

  /// What workspaces list is not more than what was put there.
  std::optional<Factors> walk(const flow::Coiterate& c) {
    for (const std::string& name : flow::bound_by(flow::Stmt(flow::StmtNode{c, {}}))) unknown_.insert(name);
    std::optional<Factors> most = Factors();
    for (const flow::Coiterate::Point& point : c.points) {
      auto inside = point.leads.empty() ? std::nullopt : of(point.body);
      if (!inside) return std::nullopt;
      const flow::Cursor& lead = c.cursors[static_cast<std::size_t>(point.leads.front())];
      const flow::Tensor& tensor = *out_.flow.tensor(lead.tensor);
      if (tensor.storage != flow::Tensor::Storage::temporary) {
        const auto length = fiber(lead, tensor);
        if (!length) return std::nullopt;
        inside->push_back(*length);
      }
      if (inside->size() > most->size()) most = inside;
    }
    return most;
  }

  std::optional<c::Expr> fiber(const flow::Cursor& lead, const flow::Tensor& tensor) {
    const bool plain = tensor.storage == flow::Tensor::Storage::operand && !lead.is_product() &&
                       facts_of(tensor, lead.level).positions;
    for (int level = 0; level < lead.level; ++level)
      if (!facts_of(tensor, level).dense()) return std::nullopt;
    if (!plain) return std::nullopt;
    const c::Expr stored = out_.expressions.stored(tensor, lead.level);
    if (lead.level == 0) return stored;
    const c::Expr fibers = plus(out_.expressions.count(tensor, lead.level), c::number(1));
    return c::binary("/", c::binary("*", c::token("1.0"), stored), fibers);
  }

  Context& out_;
  flow::Renaming lows_, highs_;
  std::set<std::string> unknown_;
};

}  // namespace

std::optional<c::Expr> region_work(Context& out, const c::Expr& iterations, const flow::Domain& range,
                                   const std::string& variable, const flow::Stmt& body) {
  const auto factors = Nest(out, range, variable).of(body);
  if (!factors) return std::nullopt;
  c::Expr all = c::binary("*", c::token("1.0"), iterations);
  for (const c::Expr& factor : *factors) all = c::binary("*", all, factor);
  return all;
}

}  // namespace trellis::emit
