// Implicit results: the shape and element type of a left side that nothing declares, from the equations that define it.

#include "engine/lang/resolve/integers.hpp"
#include "engine/lang/resolve/loops.hpp"
#include "engine/lang/resolve/operators.hpp"
#include "engine/lang/resolve/types.hpp"
#include "engine/lang/resolve/walk.hpp"

namespace trellis::lang::resolving {

using math::Affine;
using math::Constraint;

namespace {

class ShapeInference {
 public:
  explicit ShapeInference(Resolution& resolution) : resolution_(resolution) {
    for (KernelDraft& kernel : resolution_.kernels)
      for (Draft& draft : kernel.equations) definitions_[draft.tensor].push_back(&draft);
  }

  void run() {
    bool progress = true;
    while (progress && !resolution_.shapeless.empty()) {
      progress = false;
      measure();
      const std::set<std::string> pending = resolution_.shapeless;
      for (const std::string& name : pending) progress = infer_shape(name) || progress;
      progress = infer_loop_shapes(resolution_) || progress;
    }
    for (const std::string& name : resolution_.shapeless) report(name);
  }

 private:
  /// With the shapes that are known by now.
  void measure() {
    for (KernelDraft& kernel : resolution_.kernels)
      for (Draft& draft : kernel.equations)
        if (draft.sound) measure_operators(resolution_, draft, Measuring::trying);
  }

  template <class F>
  void each_definition(const std::string& tensor, F&& visit) {
    const auto found = definitions_.find(tensor);
    if (found == definitions_.end()) return;
    for (Draft* draft : found->second)
      if (draft->sound) visit(*draft);
  }

  bool has_equation(const std::string& tensor) const { return definitions_.contains(tensor); }

  /// One past the largest index that the variable takes, where that is plain from the equation.
  std::optional<Affine> extent(const Draft& draft, const std::string& variable) {
    std::vector<Range> ranges;
    collect_ranges(resolution_, draft.right, variable, ranges);
    if (!ranges.empty()) return ranges[0].size;
    return bounded_extent(resolution_, draft, variable);
  }

  bool infer_shape(const std::string& name) {
    bool defined = false;
    each_definition(name, [&](const Draft&) { defined = true; });
    if (!defined) return false;  // by loops only
    TensorInfo* info = resolution_.tensor(name);
    std::vector<Affine> shape;
    for (std::size_t d = 0; d < info->shape.size(); ++d) {
      auto size = dimension(name, d);
      if (!size) return false;
      shape.push_back(*size);
    }
    info->shape = std::move(shape);
    resolution_.shapeless.erase(name);
    return true;
  }

  /// The largest of what the equations define along one dimension; empty if that is not plain.
  std::optional<Affine> dimension(const std::string& name, std::size_t d) {
    std::vector<Affine> symbolic;
    std::int64_t constant = 0;
    bool unknown = false;
    bool ranged = false;
    each_definition(name, [&](const Draft& draft) {
      const LeftIndex& index = draft.left[d];
      const bool variable = index.kind == LeftIndex::Kind::variable;
      auto size = variable ? extent(draft, index.name) : index.form() + Affine(1);
      if (variable && size) size = *size + index.rest + Affine(index.offset);
      unknown = unknown || !size;
      ranged = ranged || (variable && size);
      if (size && size->is_constant()) constant = std::max(constant, size->constant);
      else if (size) symbolic.push_back(*size);
    });
    if (unknown && !ranged) return std::nullopt;
    if (symbolic.empty()) return Affine(constant);
    Affine largest = symbolic[0];
    for (const Affine& other : symbolic) {
      const Affine difference = other - largest;
      if (!difference.is_constant()) return std::nullopt;
      if (difference.constant > 0) largest = other;
    }
    return largest;
  }

  /// Operands that nobody declared are what is wrong when a shape cannot be told.
  bool report_undeclared(const syntax::Expr& e) {
    const auto* r = e.as<syntax::Reference>();
    bool found = r && r->arguments && kind_of(resolution_, *r) == ReferenceKind::access &&
                 !resolution_.tensor(r->name.text) && !resolution_.is_parameter(r->name.text);
    if (found) report_unknown(resolution_, e, r->name.text, {});
    for_each_child(e, [&](const syntax::Expr& child) { found = report_undeclared(child) || found; });
    return found;
  }

  /// Or operators whose sizes do not fit.
  bool report_operators(Draft& draft) {
    const bool sound = draft.sound;
    measure_operators(resolution_, draft, Measuring::reporting);
    const bool wrong = sound && !draft.sound;
    draft.sound = sound;
    return wrong;
  }

  /// The indices on the left of which nothing says how far they run: "i and k after ':', as in i < n, k < n".
  std::string unbounded(const std::string& name) {
    std::vector<std::string> indices;
    each_definition(name, [&](const Draft& draft) {
      for (const LeftIndex& index : draft.left)
        if (index.kind == LeftIndex::Kind::variable && !extent(draft, index.name)) add_once(indices, index.name);
    });
    if (indices.empty()) indices = {"i"};
    std::string names, bounds;
    for (std::size_t k = 0; k < indices.size(); ++k) {
      names += (k == 0 ? "" : k + 1 < indices.size() ? ", " : " and ") + indices[k];
      bounds += (k == 0 ? "" : ", ") + indices[k] + " < n";
    }
    return names + " after ':', as in " + bounds;
  }

  void report(const std::string& name) {
    bool unknown = false;
    each_definition(
        name, [&](Draft& draft) { unknown = report_undeclared(draft.right) || report_operators(draft) || unknown; });
    bool sound = false;
    each_definition(name, [&](const Draft&) { sound = true; });
    if (!sound && has_equation(name)) {
      // What is wrong with its equation has been said.
    } else if (!sound) {
      resolution_.error("E0261", resolution_.tensor(name)->span,
                        "the shape of " + name + " cannot be told from the loops around it",
                        "declare it, as in tensor " + name + "(n)");
    } else if (!unknown) {
      const TensorInfo& info = *resolution_.tensor(name);
      auto& diagnostic =
          resolution_.error("E0306", info.span, "the shape of " + name + " cannot be told from its equations");
      std::string sizes;
      for (std::size_t d = 0; d < info.shape.size(); ++d) sizes += d == 0 ? "n" : ", n";
      diagnostic.notes.push_back(
          {{}, "declare it, as in tensor " + name + "(" + sizes + "), or bound " + unbounded(name)});
    }
    resolution_.poisoned.insert(name);
    each_definition(name, [](Draft& draft) { draft.sound = false; });
  }

  Resolution& resolution_;
  std::map<std::string, std::vector<Draft*>> definitions_;  ///< by what they define
};

/// Repeats until nothing changes, since results may be defined by each other.
void infer_types(Resolution& resolution) {
  std::map<std::string, Natural> results;
  for (const TensorInfo& info : resolution.program.tensors)
    if (info.kind == TensorInfo::Kind::implicit) results.emplace(info.name, Natural{});
  bool changed = !results.empty();
  while (changed) {
    changed = false;
    NaturalTypes types(resolution, &results);
    for (const KernelDraft& kernel : resolution.kernels)
      for (const Draft& draft : kernel.equations) {
        auto result = results.find(draft.tensor);
        if (!draft.sound || result == results.end()) continue;
        const Natural next = join(result->second, types.of(draft.right));
        changed = changed || next != result->second;
        result->second = next;
      }
    changed = join_loop_types(resolution, results) || changed;
  }
  for (const auto& [name, natural] : results) {
    TensorInfo* info = resolution.tensor(name);
    info->type = accumulating(default_type(natural));
    info->fill = format::Value::of(info->type, 0);
  }
}

}  // namespace

std::optional<Affine> upper_bound(const Resolution& resolution, const syntax::Expr& left, math::Relation relation,
                                  const syntax::Expr& right, const std::string& name) {
  const bool upward = relation == math::Relation::less || relation == math::Relation::less_equal;
  const bool downward = relation == math::Relation::greater || relation == math::Relation::greater_equal;
  const std::string* small = bare_name(upward ? left : right);
  if ((!upward && !downward) || !small || *small != name) return std::nullopt;
  // A trial reading: what is wrong with the constraint itself is reported when the equation is built.
  text::Diagnostics unused;
  Resolution trial = resolution.sizes_trial(unused);
  auto bound = affine_of(trial, upward ? right : left, {}, "a bound");
  if (!bound) return std::nullopt;
  const bool strict = relation == math::Relation::less || relation == math::Relation::greater;
  return strict ? *bound : *bound + Affine(1);
}

std::optional<Affine> bounded_extent(const Resolution& resolution, const Draft& draft, const std::string& variable) {
  for (const syntax::Constraint& c : draft.source->constraints)
    for (std::size_t i = 0; i < c.relations.size(); ++i)
      if (auto bound = upper_bound(resolution, c.sides[i], c.relations[i], c.sides[i + 1], variable)) return bound;
  return std::nullopt;
}

void infer_results(Resolution& resolution) {
  ShapeInference(resolution).run();
  infer_types(resolution);
}

}  // namespace trellis::lang::resolving
