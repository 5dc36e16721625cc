#include "engine/plan/inverse_lists.hpp"

#include <algorithm>
#include <set>

#include "engine/flow/look_ups.hpp"
#include "engine/format/storage_order.hpp"
#include "engine/format/turned.hpp"
#include "engine/lang/fresh_name.hpp"
#include "engine/plan/searched.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::plan {
namespace {

using format::BinaryOp;
using format::ReduceOp;
using lang::Access;
using lang::Equation;
using lang::Expr;
using lang::TensorInfo;

/// What makes one value of that value and many fills; empty: nothing does, whatever the value.
std::optional<ReduceOp> picks_from(const format::Value& fill) {
  if (fill.is_true()) return std::nullopt;
  return fill.type == format::ScalarType::boolean ? ReduceOp::any : ReduceOp::sum;
}

/// The value where the lists have it, and elsewhere what picks_from leaves out. A product and not a choice, so that the
/// value may be walked whatever the lists have: 0 * inf is 0 where nothing is stored.
Expr where(const Expr& found, const Expr& value) {
  if (value->type != format::ScalarType::boolean)
    return lang::binary(BinaryOp::multiply, lang::cast(value->type, found), value);
  return lang::binary(BinaryOp::logical_and, found, value);
}

/// The dimension whose index tensor gets lists, of those that are stored the innermost; empty where an index is
/// neither a loop nor an index tensor at loops.
class Choice {
 public:
  Choice(const lang::Program& program, const std::set<std::string>& results) : program_(program), results_(results) {}

  std::optional<std::size_t> dimension(const Access& access) const {
    const TensorInfo& info = *program_.tensor(access.tensor);
    for (const Expr& index : access.indices)
      if (!index.as<lang::Variable>() && !index_tensor(index)) return std::nullopt;
    for (std::size_t l = info.format.levels.size(); l-- > 0;) {
      const auto d = format::dimension_of(info.format, l);
      if (info.format.levels[l].name == "compressed" && index_tensor(access.indices[d])) return d;
    }
    return std::nullopt;
  }

  const TensorInfo* index_tensor(const Expr& index) const {
    const auto* access = index.as<Access>();
    const TensorInfo* info = access && !access->step ? program_.tensor(access->tensor) : nullptr;
    if (!info || !info->format.all_dense() || info->format.layout || info->pad || results_.contains(info->name) ||
        !(info->type == format::ScalarType::i64 || info->type == format::ScalarType::i32))
      return nullptr;
    std::set<std::string> met;
    for (const Expr& at : access->indices)
      if (const auto* variable = at.as<lang::Variable>(); !variable || !met.insert(variable->name).second)
        return nullptr;
    return info;
  }

 private:
  const lang::Program& program_;
  const std::set<std::string>& results_;
};

class Lister {
 public:
  Lister(const lang::Program& program, const lang::Kernel& kernel, std::set<std::string> searched)
      : kernel_(kernel), made_{program, kernel, {}}, searched_(std::move(searched)), names_(kernel.variables()) {
    for (const std::string& name : kernel.results()) results_.insert(name);
  }

  Made run() && {
    made_.kernel.equations.clear();
    for (Equation equation : kernel_.equations) {
      const auto* whole = equation.right.as<Access>();
      equation.right = whole && is_listed(equation.right) && writes_all(equation, *whole)
                           ? picked(equation.right, *whole, chosen_dimension(*whole))
                           : listed(equation.right);
      made_.kernel.equations.push_back(std::move(equation));
    }
    number();
    return std::move(made_);
  }

 private:
  Choice choice() const { return {made_.program, results_}; }

  std::size_t chosen_dimension(const Access& access) const { return *choice().dimension(access); }

  bool is_listed(const Expr& e) const {
    const auto* access = e.as<Access>();
    return access && !access->step && searched_.contains(access->tensor) && choice().dimension(*access);
  }

  /// Whether the equation is for all that its right side may choose: then it can be the sum itself.
  static bool writes_all(const Equation& equation, const Access& right) {
    std::vector<std::string> free;
    for (const Expr& index : right.indices)
      for (const std::string& variable : lang::free_variables(index)) add_once(free, variable);
    return std::ranges::all_of(equation.access().indices,
                               [](const Expr& index) { return index.as<lang::Variable>() != nullptr; }) &&
           free.size() == equation.domain.variables.size();
  }

  Expr listed(const Expr& e) {
    if (!is_listed(e)) return lang::map_children(e, [&](const Expr& child) { return listed(child); });
    return kept(e, *e.as<Access>());
  }

  /// The elements as a tensor of their own, over the loops that choose them: what is read instead.
  Expr kept(const Expr& e, const Access& access) {
    for (const auto& [read, instead] : kept_)
      if (read == access) return instead;
    const std::size_t d = chosen_dimension(access);
    TensorInfo info = *made_.program.tensor(access.tensor);
    Equation equation;
    Access left;
    std::vector<math::Affine> shape;
    for (std::size_t k = 0; k < access.indices.size(); ++k)
      add_loops(access.indices[k], info.shape[k], equation, shape);
    for (const std::string& variable : equation.domain.variables) left.indices.push_back(lang::variable(variable));
    left.tensor =
        lang::fresh_name(made_.program, kernel_, access.tensor + "_" + choice().index_tensor(access.indices[d])->name);
    const Expr instead(lang::ExprNode{left, e->type, e->span}, e.origin());
    equation.left = instead;
    equation.right = picked(e, access, d);
    equation.span = e->span;
    equation.origin = e.origin();
    info.format = stored_as(info.format, access, equation.domain.variables);
    info.name = left.tensor;
    info.shape = std::move(shape);
    info.kind = TensorInfo::Kind::implicit;
    info.promises = {};
    made_.program.tensors.push_back(std::move(info));
    made_.kernel.equations.push_back(std::move(equation));
    kept_.emplace_back(access, instead);
    return instead;
  }

  /// A dimension for each loop that the index is made of, unless it has one.
  void add_loops(const Expr& index, const math::Affine& size, Equation& equation,
                 std::vector<math::Affine>& shape) const {
    const auto add = [&](const std::string& variable, const math::Affine& extent) {
      if (contains(equation.domain.variables, variable)) return;
      equation.domain.variables.push_back(variable);
      shape.push_back(extent);
      add_range(equation.domain, variable, extent);
    };
    if (const auto* variable = index.as<lang::Variable>()) return add(variable->name, size);
    const TensorInfo& chooser = *choice().index_tensor(index);
    for (std::size_t k = 0; k < chooser.shape.size(); ++k)
      add(index.as<Access>()->indices[k].as<lang::Variable>()->name, chooser.shape[k]);
  }

  static void add_range(math::Domain& domain, const std::string& variable, const math::Affine& size) {
    domain.constraints.push_back({math::Affine(0), math::Relation::less_equal, math::Affine::name(variable)});
    domain.constraints.push_back({math::Affine::name(variable), math::Relation::less, size});
  }

  /// As the operand is, with the loops of an index in the place of its dimension.
  format::Format stored_as(const format::Format& from, const Access& access, const std::vector<std::string>& loops) {
    format::Format to;
    bool dense = true;
    for (std::size_t l = 0; l < from.levels.size(); ++l) {
      const Expr& index = access.indices[format::dimension_of(from, l)];
      for (const std::string& variable : lang::free_variables(index)) {
        const int dimension = static_cast<int>(std::ranges::find(loops, variable) - loops.begin());
        if (std::ranges::find(to.order, dimension) != to.order.end()) continue;
        to.order.push_back(dimension);
        dense = dense && from.levels[l].name == "dense";
        to.levels.push_back(dense ? format::Level{} : format::Level{"compressed", {}});
      }
    }
    return format::with_known_name(std::move(to));
  }

  Expr picked(const Expr& e, const Access& access, std::size_t d) {
    const TensorInfo info = *made_.program.tensor(access.tensor);
    for (std::size_t k = 0; k < access.indices.size(); ++k)
      if (const TensorInfo* chooser = choice().index_tensor(access.indices[k]))
        made_.within.push_back({chooser->name, info.shape[k]});
    const std::string c = fresh_loop("c");
    Access stored = access, there{lists_of(*access.indices[d].as<Access>(), info.shape[d]), {lang::variable(c)}, {}};
    stored.indices[d] = lang::variable(c);
    for (const Expr& index : access.indices[d].as<Access>()->indices) there.indices.push_back(index);
    const auto node = [&](auto is, format::ScalarType type) {
      return Expr(lang::ExprNode{std::move(is), type, e->span}, e.origin());
    };
    const Expr value = node(std::move(stored), e->type), found = node(std::move(there), format::ScalarType::boolean);
    math::Domain all{{c}, {}};
    add_range(all, c, info.shape[d]);
    return node(lang::Reduce{*picks_from(info.fill), std::move(all), where(found, value)}, e->type);
  }

  /// Each sum has a loop of its own, as index tensors choose from dimensions of several sizes.
  std::string fresh_loop(std::string name) {
    while ((name = lang::fresh_name(made_.program, kernel_, name)), contains(names_, name)) name += "_";
    return names_.emplace_back(name);
  }

  std::string lists_of(const Access& chooser, const math::Affine& size) {
    for (const std::string& known : made_.laid_out)
      if (const TensorInfo& info = *made_.program.tensor(known);
          info.inverse_of == chooser.tensor && info.shape.front() == size)
        return known;
    TensorInfo info = *made_.program.tensor(chooser.tensor);
    info.inverse_of = chooser.tensor;
    info.name = lang::fresh_name(made_.program, kernel_, chooser.tensor + "_lists");
    info.format = format::Format::inverse_lists(static_cast<int>(info.shape.size()));
    info.shape.insert(info.shape.begin(), size);
    info.type = format::ScalarType::boolean;
    info.fill = format::Value::truth(false);
    info.promises = {};
    made_.laid_out.push_back(info.name);
    made_.program.tensors.push_back(std::move(info));
    return made_.laid_out.back();
  }

  /// In pre-order, as stage `equations` is numbered.
  void number() {
    int next = 0;
    const auto numbered = [&](const auto& self, const Expr& e) -> Expr {
      const int id = next++;
      const Expr children = lang::map_children(e, [&](const Expr& child) { return self(self, child); });
      return Expr(*children, e.origin(), id);
    };
    for (Equation& equation : made_.kernel.equations) {
      equation.id = next++;
      equation.left = numbered(numbered, equation.left);
      equation.right = numbered(numbered, equation.right);
    }
  }

  const lang::Kernel& kernel_;
  Made made_;
  std::set<std::string> searched_, results_;
  std::vector<std::string> names_;  ///< of loops
  std::vector<std::pair<Access, Expr>> kept_;
};

}  // namespace

std::optional<Made> with_inverse_lists(const lang::Program& program, const lang::Kernel& kernel,
                                       const Compilation& compiled) {
  if (!compiled.placed || !kernel.timesteps.empty()) return std::nullopt;
  const auto wanted =
      searched(program, kernel, flow::look_ups(compiled.flow), [&](const flow::LookUp& one) { return one.searches(); });
  std::set<std::string> open;
  for (const std::string& name : wanted)
    if (picks_from(program.tensor(name)->fill)) open.insert(name);
  if (open.empty()) return std::nullopt;
  Made made = Lister(program, kernel, std::move(open)).run();
  return made.laid_out.empty() ? std::nullopt : std::optional(std::move(made));
}

}  // namespace trellis::plan
