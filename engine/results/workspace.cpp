#include "engine/results/workspace.hpp"

#include <algorithm>
#include <cassert>
#include <functional>

#include "engine/format/level.hpp"
#include "engine/format/storage_order.hpp"
#include "engine/loop/simplify_expressions.hpp"
#include "engine/schedule/nests.hpp"

namespace trellis::results {

using loop::Expr;
using loop::Stmt;

namespace {

Stmt make(auto node, const Stmt& from) { return Stmt(loop::StmtNode{std::move(node), from->span}, from.origin()); }

format::Format with_levels(std::vector<int> order, const std::function<const char*(std::size_t level)>& name) {
  format::Format format = format::Format::dense(static_cast<int>(order.size()));
  format.name.clear();
  for (std::size_t level = 0; level < order.size(); ++level) format.levels[level].name = name(level);
  format.order = std::move(order);
  return format;
}

}  // namespace

bool takes_any_order(const format::Format& format) {
  return std::ranges::all_of(format.levels, [](const format::Level& level) {
    const format::Facts facts = format::facts(level);
    return facts.locate == format::Locate::direct || facts.locate == format::Locate::hash;
  });
}

format::Format workspace_format(WorkspaceKind kind, std::vector<int> order) {
  if (kind == WorkspaceKind::dense || order.empty()) {
    format::Format format = format::Format::dense(static_cast<int>(order.size()));
    format.order = std::move(order);
    return format;
  }
  const std::size_t last = order.size() - 1;
  const bool hashed = kind == WorkspaceKind::hash || kind == WorkspaceKind::sort;
  format::Format format = with_levels(std::move(order), [&](std::size_t level) {
    return level < last ? "dense" : hashed ? "hashed" : "bytemap";
  });
  if (kind == WorkspaceKind::sort) format.levels[last].options.emplace_back("listed");
  return format;
}

format::Format hashed_format(std::vector<int> order) {
  return with_levels(std::move(order), [](std::size_t) { return "hashed"; });
}

format::Format hashed_like(const format::Format& format) {
  const auto is_dense = [](const format::Level& level) {
    const format::Facts facts = format::facts(level);
    return facts.dense() && !facts.bounded;
  };
  const auto sparse = std::ranges::find_if_not(format.levels, is_dense);
  const auto dense = sparse == format.levels.end() ? 0 : static_cast<std::size_t>(sparse - format.levels.begin());
  return with_levels(format.order, [&](std::size_t level) { return level < dense ? "dense" : "hashed"; });
}

FreshNames::FreshNames(const Stmt& loops, const lang::Program& program) {
  for (const auto& tensor : program.tensors) taken_.insert(tensor.name);
  for (const auto& parameter : program.parameters) taken_.insert(parameter.name);
  for (const auto& function : program.functions) taken_.insert(function.name);
  loop::for_each(loops, [&](const Stmt& stmt) {
    if (const auto* d = stmt.as<loop::Declare>()) taken_.insert(d->tensor.name);
    if (const auto* f = stmt.as<loop::For>()) variables_.insert(f->variable);
    if (const auto* l = stmt.as<loop::Let>()) variables_.insert(l->name);
  });
}

std::string FreshNames::take(const std::string& base) {
  std::string name = base;
  for (int k = 2; taken_.contains(name) || variables_.contains(name); ++k) name = base + std::to_string(k);
  taken_.insert(name);
  return name;
}

std::string FreshNames::variable(const std::string& wish, std::set<std::string>& around) const {
  std::string name = wish;
  for (int k = 2; taken_.contains(name) || around.contains(name); ++k) name = wish + std::to_string(k);
  around.insert(name);
  return name;
}

Expr access(const lang::TensorInfo& tensor, std::vector<Expr> indices) {
  return Expr(lang::ExprNode{lang::Access{tensor.name, std::move(indices), {}}, tensor.type, {}});
}

Stmt start_at_fill(const lang::TensorInfo& tensor, const Stmt& from) {
  const Expr fill = lang::constant(tensor.fill);
  if (tensor.shape.empty()) return make(loop::Assign{access(tensor, {}), std::nullopt, fill}, from);
  return make(loop::Reset{tensor.name, fill}, from);
}

Stmt declare(const lang::TensorInfo& tensor, const Stmt& from) { return make(loop::Declare{tensor}, from); }

lang::TensorInfo temporary_like(const lang::TensorInfo& tensor, std::string name, format::Format format) {
  lang::TensorInfo info = tensor;
  info.name = std::move(name);
  info.kind = lang::TensorInfo::Kind::temporary;
  info.pad = false;
  info.format = std::move(format);
  return info;
}

bool is_fill(const Expr& value, const lang::TensorInfo& tensor) {
  const Expr simple = loop::simplify(value);
  const auto* constant = simple.as<lang::Constant>();
  return constant && constant->value == tensor.fill;
}

std::vector<std::string> index_names(const Stmt& loops, const lang::TensorInfo& tensor) {
  std::vector<std::string> names(tensor.shape.size());
  // L(i,j) says more than L(i,i).
  const auto collect = [&](bool plain_only) {
    loop::for_each(loops, [&](const Stmt& stmt) {
      const auto* assign = stmt.as<loop::Assign>();
      const auto* target = assign ? assign->target.as<lang::Access>() : nullptr;
      if (!target || target->tensor != tensor.name) return;
      std::vector<std::string> written(names.size());
      std::set<std::string> different;
      for (std::size_t d = 0; d < names.size(); ++d)
        if (const auto* v = target->indices[d].as<lang::Variable>(); v && different.insert(v->name).second)
          written[d] = v->name;
      if (plain_only && different.size() < names.size()) return;
      for (std::size_t d = 0; d < names.size(); ++d)
        if (names[d].empty() && std::ranges::count(names, written[d]) == 0) names[d] = written[d];
    });
  };
  collect(true);
  collect(false);
  for (std::string& name : names)
    for (char letter = 'i'; name.empty(); ++letter)
      if (std::ranges::count(names, std::string(1, letter)) == 0) name = std::string(1, letter);
  return names;
}

namespace {

/// What a loop over a dimension goes through: all of it, or where a tensor stores it within bounds, no more than that.
class Reach {
 public:
  Reach(const Copy& wanted, const std::vector<Expr>& target) : wanted_(wanted), target_(target) {
    highs_.resize(target.size()), lows_.assign(target.size(), {0});
    for (std::size_t d = 0; d < target.size(); ++d) highs_[d].push_back(wanted.to.shape[d]);
    if (wanted.to.shape.size() != wanted.from.shape.size()) return;
    for (const lang::TensorInfo* one : {&wanted.to, &wanted.from})
      for (std::size_t l = 0; l < one->format.levels.size(); ++l)
        if (const auto& bounds = one->format.levels[l].bounds)
          narrow(format::dimension_of(one->format, l),
                 format::dimension_of(one->format, static_cast<std::size_t>(bounds->outer)), *bounds);
  }
  Expr low(std::size_t d) const { return schedule::extremum(format::Function::max, lows_[d], names()); }
  Expr high(std::size_t d) const { return schedule::extremum(format::Function::min, highs_[d], names()); }

 private:
  void narrow(std::size_t d, std::size_t outer, const format::Bounds& bounds) {
    [[maybe_unused]] const auto place = [&](std::size_t one) {
      return std::ranges::find(wanted_.order, static_cast<int>(one));
    };
    assert((wanted_.fixed[outer] || place(outer) < place(d)) && "copies go along the storage that has bounds");
    const math::Affine at = lang::affine(target_[outer]).value();
    if (bounds.low) lows_[d].push_back(bounds.low->slope * at + math::Affine(bounds.low->at_0));
    if (bounds.end) highs_[d].push_back(bounds.end->slope * at + math::Affine(bounds.end->at_0));
  }
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const Expr& index : target_)
      for (const std::string& name : lang::free_variables(index)) all.push_back(name);
    return all;
  }

  const Copy& wanted_;
  const std::vector<Expr>& target_;
  std::vector<std::vector<math::Affine>> lows_, highs_;
};

}  // namespace

Stmt copy(const Copy& wanted, const FreshNames& names, const Stmt& from) {
  std::set<std::string> around = wanted.around;
  std::vector<Expr> target, source;
  std::vector<std::string> variables(wanted.to.shape.size());
  for (std::size_t d = 0; d < wanted.to.shape.size(); ++d) {
    if (!wanted.fixed[d]) variables[d] = names.variable(wanted.wishes[d], around);
    target.push_back(wanted.fixed[d] ? *wanted.fixed[d] : lang::variable(variables[d]));
    if (!wanted.fixed[d]) source.push_back(target.back());
  }
  const Reach reach(wanted, target);
  Expr to = access(wanted.to, target), value = access(wanted.from, std::move(source));
  if (wanted.back) std::swap(to, value);
  Stmt result = make(loop::Assign{to, std::nullopt, value}, from);
  for (std::size_t k = wanted.order.size(); k-- > 0;) {
    const auto d = static_cast<std::size_t>(wanted.order[k]);
    loop::For f{variables[d], reach.low(d), reach.high(d), false, {}, {}, {}, 1, {}, {}};
    const auto level = std::ranges::find(wanted.to.format.order, wanted.order[k]) - wanted.to.format.order.begin();
    f.descending = format::facts(wanted.to.format.levels[static_cast<std::size_t>(level)]).decreasing;
    if (takes_any_order((wanted.back ? wanted.from : wanted.to).format)) f.kind = loop::For::Kind::forall;
    f.body = loop::block({result});
    result = make(std::move(f), from);
  }
  return result;
}

Stmt first_write(const Stmt& loops, const std::string& tensor) {
  Stmt found = loops;
  loop::for_each(loops, [&](const Stmt& stmt) {
    const auto* assign = stmt.as<loop::Assign>();
    if (found.same(loops) && assign && assign->target.as<lang::Access>()->tensor == tensor) found = stmt;
  });
  return found;
}

Stmt copy_all(const lang::TensorInfo& to, const lang::TensorInfo& from, const std::vector<int>& order,
              const lang::TensorInfo& tensor, const Stmt& loops, const FreshNames& names) {
  const std::vector<std::optional<Expr>> none_fixed(tensor.shape.size());
  const Copy wanted{to, from, none_fixed, index_names(loops, tensor), {}, order};
  return copy(wanted, names, first_write(loops, tensor.name));
}

}  // namespace trellis::results
