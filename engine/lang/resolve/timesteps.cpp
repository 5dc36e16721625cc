// Timesteps: which tensors have a superscript on a left side, how many steps are taken, and where superscripts are missing
// or out of place. A timestep ranges over the dimension that it indexes, else by one constraint of its kernel (`t < 100`).

#include "engine/lang/resolve/resolve.hpp"
#include "engine/lang/resolve/walk.hpp"

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
  }

 private:
  /// The range of the variable in the left side's superscript.
  void measure(Draft& draft) {
    const std::string& name = draft.step->name;
    if (!draft.sound || kernel_.timestep_sizes.count(name)) return;
    std::optional<Affine> size = dimension(name);
    for (const Draft& other : kernel_.equations)
      if (!size && other.sound && contains(other.variables, name)) size = bounded_extent(resolution_, other, name);
    if (size) {
      kernel_.timestep_sizes.emplace(name, *size);
      return;
    }
    draft.sound = false;
    if (!unmeasured_.insert(name).second) return;
    resolution_.error("E0340", draft.step->span, "nothing says how many steps " + name + " takes", name + " indexes no dimension")
        .notes.push_back({{}, "bound it after ':', as in " + name + " < 100"});
  }

  /// The size of a dimension that the timestep indexes alone, in whatever equation has it on its left.
  std::optional<Affine> dimension(const std::string& name) {
    for (Draft& draft : kernel_.equations) {
      if (!draft.sound || !draft.step || draft.step->name != name) continue;
      std::vector<Range> ranges;
      const TensorInfo* info = resolution_.tensor(draft.tensor);
      for (std::size_t d = 0; info && d < draft.left.size() && d < info->shape.size(); ++d)
        if (draft.left[d].alone && draft.left[d].name == name)
          ranges.push_back({info->shape[d], draft.left[d].span, info->name, static_cast<int>(d)});
      collect_ranges(resolution_, draft.right, name, ranges);
      if (auto range = common_range(resolution_, name, ranges, draft.sound)) return range->size;
    }
    return std::nullopt;
  }

  /// One number of steps for all tensors of the kernel: the largest.
  void count() {
    std::optional<Affine> most;
    for (Draft& draft : kernel_.equations) {
      if (!draft.sound || !draft.step) continue;
      Affine end = draft.step->form() + Affine(1);
      if (draft.step->kind == LeftIndex::Kind::variable) end = kernel_.timestep_sizes.at(draft.step->name) + Affine(draft.step->offset);
      if (draft.step->kind == LeftIndex::Kind::constant && draft.step->offset < 0) continue;
      const Affine more = most ? end - *most : Affine(1);
      if (!more.is_constant()) {
        // A single step that an equation fixes lies within the range of a variable, or placement finds it outside.
        if (draft.step->kind == LeftIndex::Kind::variable && !most->is_constant()) return report_counts(draft, end, *most);
        if (most->is_constant()) most = end;
      } else if (!most || more.constant > 0) {
        most = end;
      }
    }
    for (Timesteps& t : kernel_.timesteps) t.count = most.value_or(Affine(0));
  }

  void report_counts(Draft& draft, const Affine& one, const Affine& other) {
    resolution_.error("E0341", draft.step->span, "steps end at two different numbers", to_string(one) + ", and " + to_string(other) + " elsewhere");
    draft.sound = false;
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
        auto& error = resolution_.error("E0343", e->span, name + " has no timesteps in this kernel", "no left side here has a superscript on " + name);
        if (!r->arguments && !resolution_.tensor(name)->shape.empty())
          error.notes.push_back({{}, "indices stand in parentheses, as in " + name + "(i); brackets hold a timestep"});
        else
          error.notes.push_back({{}, "without [ ] it is what data or an earlier kernel left"});
        sound = false;
      } else if (!r->step && stepped) {
        resolution_.error("E0342", e->span, name + " has timesteps in this kernel", "which step?")
            .notes.push_back({{}, "name it, as in " + name + "[" + earlier_step() + "]; a later kernel reads the last step as " + name});
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
    if (form && (*form == Affine(-1) || (form->terms.size() == 1 && form->quotients.empty() && form->terms[0].second == 1 &&
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
      resolution_.error("E0344", kernel_.untils.back().span, "a kernel has one until").notes.push_back({first.span, "the other one"});
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
      resolution_.error("E0346", first.span, "with until, all left sides need one name for the timestep",
                        kernel_.timestep_sizes.begin()->first + " and " + kernel_.timestep_sizes.rbegin()->first + " here");
    check_reads(first.source->condition, sound);
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
