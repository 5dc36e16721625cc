// Timesteps: which tensors have a superscript on a left side, how many steps are taken, and where superscripts are
// missing or out of place. In an equation a timestep ranges over the dimension that it indexes, else by a constraint
// (`t < 100`); the kernel takes as many steps as the equation with the most of them.

#include <algorithm>
#include <utility>

#include "engine/lang/resolve/resolve.hpp"
#include "engine/lang/resolve/walk.hpp"
#include "engine/lang/resolve/whole_arrays.hpp"
#include "engine/math/solver.hpp"

namespace trellis::lang::resolving {

using math::Affine;

namespace {

class Timing {
 public:
  Timing(Resolution& resolution, KernelDraft& kernel) : resolution_(resolution), kernel_(kernel) {}

  void run() {
    for (const Draft& draft : kernel_.equations)
      if (draft.step && !kernel_.has_steps(draft.tensor)) kernel_.timesteps.push_back({draft.tensor, Affine(0)});
    for (Draft& draft : kernel_.equations)
      if (draft.step && draft.step->kind == LeftIndex::Kind::variable) measure(draft);
    count();
    for (Draft& draft : kernel_.equations) check(draft);
    check_until();
    for (const Draft& draft : kernel_.equations) warn_if_meant_as_index(draft);
  }

 private:
  /// One past the last step that an equation gives, and where it says so.
  struct Extent {
    Affine size;
    text::Span span;
  };

  /// The range of the variable in the left side's superscript: the largest that an equation gives it. One that ends
  /// earlier, as where a tensor has an element for each step but no more, is cut by its own range.
  void measure(Draft& draft) {
    const std::string& name = draft.step->name;
    if (!draft.sound || kernel_.timestep_sizes.count(name)) return;
    draft.sound = !unmeasured_.count(name);
    if (!draft.sound) return;
    std::optional<Extent> most;
    for (Draft& other : kernel_.equations)
      if (other.sound && other.step && other.step->name == name && !include(extent(other), most)) return fail(draft);
    for (const Draft& other : kernel_.equations)
      if (!most && other.sound && contains(other.variables, name)) most = bounded(other, name);
    if (most) {
      kernel_.timestep_sizes.emplace(name, most->size);
      return;
    }
    fail(draft);
    text::Diagnostic& d = resolution_.error("E0340", draft.step->span, "nothing says how many steps " + name + " takes",
                                            name + " indexes no dimension");
    d.notes.push_back({{}, "bound it after ':', as in " + name + " < 100"});
    for (const syntax::Constraint& c : draft.source->constraints)
      for (const syntax::Expr& side : c.sides)
        if (const ArrayFunction* function = array_function(resolution_, side))
          d.notes.push_back({{}, function->instead});
  }

  void fail(Draft& draft) {
    draft.sound = false;
    unmeasured_.insert(draft.step->name);
  }

  std::optional<Extent> bounded(const Draft& draft, const std::string& name) const {
    const auto size = bounded_extent(resolution_, draft, name);
    return size ? std::optional(Extent{*size, draft.step ? draft.step->span : draft.left_span}) : std::nullopt;
  }

  std::optional<Extent> extent(Draft& draft) {
    const auto size = dimension(draft);
    return size ? std::optional(Extent{size->size, size->span}) : bounded(draft, draft.step->name);
  }

  /// The larger of both; false when nobody can say which that is.
  bool include(const std::optional<Extent>& other, std::optional<Extent>& most) {
    if (!other) return true;
    if (!most) {
      most = other;
      return true;
    }
    if (never_more(other->size, most->size)) return true;
    if (!never_more(most->size, other->size)) {
      const auto one = value_now(resolution_, other->size), another = value_now(resolution_, most->size);
      if (!one || !another) {
        report_counts(other->span, other->size, most->size)
            .notes.push_back({most->span, to_string(most->size) + " here"});
        return false;
      }
      const bool less = *one <= *another;
      assume_no_more(resolution_, less ? other->size : most->size, less ? most->size : other->size);
      if (less) return true;
    }
    most = other;
    return true;
  }

  /// Is `a <= b` for all sizes?
  bool never_more(const Affine& a, const Affine& b) const {
    const Affine more = b - a;
    if (more.is_constant()) return more.constant >= 0;
    math::Solver solver(size_assumptions(resolution_.program));
    return solver.implies({}, {a, math::Relation::less_equal, b});
  }

  /// The size of a dimension that the timestep indexes alone in its equation.
  std::optional<Range> dimension(Draft& draft) {
    const std::string& name = draft.step->name;
    std::vector<Range> ranges;
    const TensorInfo* info = resolution_.tensor(draft.tensor);
    for (std::size_t d = 0; info && d < draft.left.size() && d < info->shape.size(); ++d)
      if (draft.left[d].alone && draft.left[d].name == name)
        ranges.push_back({info->shape[d], draft.left[d].span, info->name, static_cast<int>(d)});
    collect_ranges(resolution_, draft.right, name, ranges);
    return common_range(resolution_, name, ranges, draft.sound);
  }

  /// One number of steps for all tensors of the kernel: the largest.
  void count() {
    std::optional<Affine> most;
    for (Draft& draft : kernel_.equations) {
      if (!draft.sound || !draft.step) continue;
      Affine end = draft.step->form() + Affine(1);
      if (draft.step->kind == LeftIndex::Kind::variable)
        end = kernel_.timestep_sizes.at(draft.step->name) + Affine(draft.step->offset);
      if (draft.step->kind == LeftIndex::Kind::constant && draft.step->offset < 0) continue;
      const Affine more = most ? end - *most : Affine(1);
      if (!more.is_constant()) {
        // A single step that an equation fixes lies within the range of a variable, or placement finds it outside.
        if (draft.step->kind == LeftIndex::Kind::variable && !most->is_constant()) {
          report_counts(draft.step->span, end, *most);
          draft.sound = false;
          return;
        }
        if (most->is_constant()) most = end;
      } else if (!most || more.constant > 0) {
        most = end;
      }
    }
    for (Timesteps& t : kernel_.timesteps) t.count = most.value_or(Affine(0));
  }

  text::Diagnostic& report_counts(text::Span span, const Affine& one, const Affine& other) {
    return resolution_.error("E0341", span, "steps end at two different numbers",
                             to_string(one) + ", and " + to_string(other) + " elsewhere");
  }

  void check(Draft& draft) {
    if (!draft.step && kernel_.has_steps(draft.tensor)) {
      resolution_.error("E0342", draft.left_span, draft.tensor + " has timesteps in this kernel", "which step?")
          .notes.push_back({{}, "write " + draft.tensor + "[-1] for the values before the first step"});
      draft.sound = false;
    }
    check_reads(draft.right, draft.sound);
    if (kernel_.untils.empty() || !draft.step) return;
    if (draft.step->kind == LeftIndex::Kind::constant && draft.step->offset == -1) return;
    if (draft.step->kind != LeftIndex::Kind::variable || draft.step->offset != 0) {
      resolution_.error("E0345", draft.step->span, "with until, a left side stands at the timestep itself, or at -1");
      draft.sound = false;
    }
  }

  void check_reads(const syntax::Expr& e, bool& sound) {
    const auto* r = e.as<syntax::Reference>();
    if (r && kind_of(resolution_, *r) == ReferenceKind::access) {
      const std::string& name = r->name.text;
      const bool stepped = kernel_.has_steps(name);
      if (r->step && !stepped && resolution_.tensor(name)) {
        auto& error = resolution_.error("E0343", e->span, name + " has no timesteps in this kernel",
                                        "no left side here has a superscript on " + name);
        if (!r->arguments && !resolution_.tensor(name)->shape.empty())
          error.notes.push_back({{}, "indices stand in parentheses, as in " + name + "(i); brackets hold a timestep"});
        else error.notes.push_back({{}, "without [ ] it is what data or an earlier kernel left"});
        sound = false;
      } else if (!r->step && stepped) {
        resolution_.error("E0342", e->span, name + " has timesteps in this kernel", "which step?")
            .notes.push_back(
                {{},
                 "name it, as in " + name + "[" + earlier_step() + "]; a later kernel reads the last step as " + name});
        sound = false;
      }
      if (r->step && stepped && !kernel_.untils.empty()) check_reached(*r->step, sound);
    }
    for_each_child(e, [&](const syntax::Expr& child) { check_reads(child, sound); });
  }

  /// How a read names the step before the one at hand.
  std::string earlier_step() const {
    return kernel_.timestep_sizes.empty() ? "-1" : kernel_.timestep_sizes.begin()->first + "-1";
  }

  /// After an early exit only the steps up to the one at hand are known to exist.
  void check_reached(const syntax::Expr& step, bool& sound) {
    if (!sound) return;
    std::vector<std::string> names;
    for (const auto& [name, size] : kernel_.timestep_sizes) names.push_back(name);
    text::Diagnostics unused;
    Resolution trial{resolution_.program, unused, resolution_.overrides, {}, {}, resolution_.poisoned, {}};
    const auto form = affine_of(trial, step, names, "a superscript");
    if (form &&
        (*form == Affine(-1) || (form->terms.size() == 1 && form->quotients.empty() && form->terms[0].second == 1 &&
                                 contains(names, form->terms[0].first) && form->constant <= 0)))
      return;
    resolution_.error("E0345", step->span, "with until, a superscript is the timestep, minus a constant, or -1");
    sound = false;
  }

  void check_until() {
    if (kernel_.untils.empty()) return;
    const KernelDraft::Until& first = kernel_.untils.front();
    bool sound = true;
    if (kernel_.untils.size() > 1)
      resolution_.error("E0344", kernel_.untils.back().span, "a kernel has one until")
          .notes.push_back({first.span, "the other one"});
    if (kernel_.timesteps.empty()) {
      resolution_.error("E0346", first.span, "until stands in a kernel without timesteps");
      return;
    }
    std::vector<std::string> used;
    for (const auto& [name, size] : kernel_.timestep_sizes)
      if (mentions_any(first.source->condition, {name})) used.push_back(name);
    if (used.empty() && unmeasured_.empty())
      resolution_.error("E0346", first.span, "this condition names no timestep", "so it never changes");
    if (kernel_.timestep_sizes.size() > 1)
      resolution_.error(
          "E0346", first.span, "with until, all left sides need one name for the timestep",
          kernel_.timestep_sizes.begin()->first + " and " + kernel_.timestep_sizes.rbegin()->first + " here");
    check_reads(first.source->condition, sound);
  }

  /// `s[i] = sum(j)(A(i,j))`: steps of a scalar that nothing reads, one for each row of A.
  void warn_if_meant_as_index(const Draft& draft) {
    const bool alone = draft.sound && draft.step && draft.step->kind == LeftIndex::Kind::variable && draft.left.empty();
    if (!alone || reads_steps_of(draft.tensor)) return;
    std::vector<Range> ranges;
    collect_ranges(resolution_, draft.right, draft.step->name, ranges);
    const auto defines = [&](const Draft& other) { return other.tensor == draft.tensor; };
    if (ranges.empty() || std::ranges::count_if(kernel_.equations, defines) != 1) return;
    const std::string step = draft.tensor + "[" + draft.step->name + "]";
    text::Diagnostic& d = resolution_.diagnostics.warning(
        "W0214", draft.left_span, step + " is a step of the scalar " + draft.tensor + ": only the last one is kept");
    d.label = "nothing reads the others";
    d.notes.push_back({{}, "indices stand in parentheses, as in " + draft.tensor + "(" + draft.step->name + ")"});
    syntax::Equation indexed = *draft.source;
    syntax::Reference left = *indexed.left.as<syntax::Reference>();
    left.arguments = std::vector<syntax::Argument>(1);
    left.arguments->front().value = *std::exchange(left.step, std::nullopt);
    indexed.left =
        syntax::Expr(syntax::ExprNode{std::move(left), indexed.left->span}, indexed.left.origin(), indexed.left.id());
    if (resolution_.tensor(draft.tensor)->kind == TensorInfo::Kind::implicit)
      offer(draft, indexed, "an element for each " + draft.step->name, d);
  }

  bool reads_steps_of(const std::string& tensor) const {
    const auto in = [&](const syntax::Expr& e) { return reads_a_step(e, tensor); };
    return std::ranges::any_of(kernel_.equations, in, &Draft::right) ||
           std::ranges::any_of(kernel_.untils, [&](const auto& until) { return in(until.source->condition); });
  }

  static bool reads_a_step(const syntax::Expr& e, const std::string& tensor) {
    const auto* r = e.as<syntax::Reference>();
    bool found = r && r->step && r->name.text == tensor;
    for_each_child(e, [&](const syntax::Expr& child) { found = found || reads_a_step(child, tensor); });
    return found;
  }

  Resolution& resolution_;
  KernelDraft& kernel_;
  std::set<std::string> unmeasured_;
};

}  // namespace

void find_timesteps(Resolution& resolution) {
  for (KernelDraft& kernel : resolution.kernels) Timing(resolution, kernel).run();
}

}  // namespace trellis::lang::resolving
