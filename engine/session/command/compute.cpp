#include "engine/session/command/compute.hpp"

#include <algorithm>
#include <iterator>
#include <map>

#include "engine/place/definitions.hpp"
#include "engine/session/replay/cursor.hpp"
#include "engine/session/running/back_end.hpp"
#include "engine/session/running/execution.hpp"
#include "engine/session/running/steps_taken.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::session {
namespace {

bool makes(const lang::Kernel& kernel, const std::string& tensor) {
  if (kernel.loops) return contains(kernel.results(), tensor);
  return std::ranges::any_of(kernel.equations,
                             [&](const lang::Equation& equation) { return equation.access().tensor == tensor; });
}

/// Loaded, filled or set by hand, rather than left by a kernel.
bool is_given(const State& state, const std::string& tensor) {
  return state.data.has(tensor) && !state.run_that_left(tensor);
}

/// Of a derived tensor: whether what it was then would be the same now.
bool derived_the_same(const State& state, const std::string& name, const tensor::Tensor& then) {
  const lang::Program* now = state.declarations.program();
  const lang::TensorInfo* info = now ? now->tensor(name) : nullptr;
  const tensor::Tensor* base = info ? state.data.held(info->derived_from()) : nullptr;
  const tensor::Tensor* derived = base ? state.data.derived(*info, *base) : nullptr;
  return derived && &derived->storage() == &then.storage();
}

std::size_t number_of(const std::vector<lang::Kernel>& kernels, const std::string& kernel) {
  const auto found = std::ranges::find(kernels, kernel, &lang::Kernel::name);
  return static_cast<std::size_t>(found - kernels.begin());
}

/// Which finished runs will do.
enum class FinishedOn { present_data, any_data };

/// A kernel that has to run first.
struct Due {
  lang::Kernel kernel;
  std::string changed;  ///< what holds other data than its last run found, or will; "" when it did not run as it is now
};

/// In the order in which kernels run, each kernel once.
class Missing {
 public:
  Missing(const State& state, const lang::Program& program, FinishedOn counted)
      : state_(state),
        kernels_(program.kernels),
        counted_(counted),
        seen_(kernels_.size()),
        needed_(kernels_.size()),
        changed_(kernels_.size()) {
    for (const lang::TensorInfo& info : program.tensors)
      if (!info.derived_from().empty()) derived_from_.emplace(info.name, info.derived_from());
  }

  void need(const std::string& kernel) { need(number_of(kernels_, kernel)); }
  void need_operands(const std::string& kernel) { need_operands(number_of(kernels_, kernel)); }

  std::vector<Due> due() const {
    std::vector<Due> found;
    for (std::size_t k = 0; k < kernels_.size(); ++k)
      if (needed_[k]) found.push_back({kernels_[k], changed_[k]});
    return found;
  }

 private:
  void need(std::size_t k) {
    if (seen_[k]) return;
    seen_[k] = true;
    need_operands(k);
    const FinishedRun* finished = state_.finished(kernels_[k]);
    const std::string renewed = renewed_for(k);
    if (finished && !renewed.empty()) changed_[k] = renewed;
    else if (finished && counted_ == FinishedOn::present_data) changed_[k] = changed_since(k, *finished);
    needed_[k] = !finished || !changed_[k].empty();
  }

  void need_operands(std::size_t k) {
    if (k == 0) return;  // nothing comes before it
    for (const std::string& operand : bases(kernels_[k].operands()))
      for (std::size_t earlier = 0; earlier < k; ++earlier)
        if (makes(kernels_[earlier], operand) && !is_given(state_, operand)) need(earlier);
  }

  /// All that the kernel finds: what it starts from in its results as well.
  std::vector<std::string> found_by(std::size_t k) const {
    std::vector<std::string> found = kernels_[k].operands();
    std::ranges::copy(kernels_[k].results(), std::back_inserter(found));
    return found;
  }

  /// What patterns are derived from in their place.
  std::vector<std::string> bases(std::vector<std::string> names) const {
    for (std::string& name : names)
      if (const auto base = derived_from_.find(name); base != derived_from_.end()) name = base->second;
    return names;
  }

  /// What this one finds and an earlier one that runs makes; the first of them, or "".
  std::string renewed_for(std::size_t k) const {
    if (std::find(needed_.begin(), needed_.end(), true) == needed_.end()) return "";
    for (const std::string& name : bases(found_by(k)))
      for (std::size_t earlier = 0; earlier < k; ++earlier)
        if (needed_[earlier] && makes(kernels_[earlier], name)) return name;
    return "";
  }

  /// The first tensor that was given or computed anew since that run. What the kernel itself or a later one has left in
  /// a tensor is no reason to run it again: so it is after every run of all.
  std::string changed_since(std::size_t k, const FinishedRun& finished) const {
    for (const std::string& name : found_by(k)) {
      if (const auto base = derived_from_.find(name); base != derived_from_.end()) {
        const auto found = finished.before.tensors.find(name);
        if (found != finished.before.tensors.end() && !derived_the_same(state_, name, found->second))
          return base->second;
        continue;
      }
      if (!state_.data.has(name)) continue;
      const FinishedRun* left = state_.run_that_left(name);
      if (left && number_of(kernels_, left->kernel) >= k) continue;
      const auto found = finished.before.tensors.find(name);
      if (found != finished.before.tensors.end() && &found->second.storage() != &state_.data.held(name)->storage())
        return name;
    }
    return "";
  }

  const State& state_;
  const std::vector<lang::Kernel>& kernels_;
  FinishedOn counted_;
  std::map<std::string, std::string> derived_from_;  ///< tensors, by those that are made of their entries
  std::vector<bool> seen_, needed_;
  std::vector<std::string> changed_;
};

std::string why_due(const State& state, const Due& due) {
  if (!due.changed.empty()) return " had run before " + due.changed + " changed, and ran again";
  return state.runs.ever(due.kernel.name) ? " had not run as things are now, and ran first"
                                          : " had not run yet and ran first";
}

void announce(const Ran::Kernel& ran, const std::string& why, Words& words) {
  text::Diagnostic note;
  note.severity = text::Severity::note;
  note.code = "N0602";
  note.span = words.whole();
  note.message = ran.kernel + why + (ran.order.empty() ? "" : ", order " + lang::to_string(ran.order));
  if (ran.steps) note.message += ": " + to_string(*ran.steps);
  words.diagnostics().add(std::move(note));
}

/// Each as if it ran for the first time: what a run has left in its results gives way to what that run found there.
bool run_all(State& state, const std::vector<Due>& all, Words& words, Exit& exit) {
  const std::uint64_t before = state.version();
  for (const Due& due : all) {
    const lang::Kernel& kernel = due.kernel;
    const std::string why = why_due(state, due);
    rewind(state, kernel);
    const auto ran = run_kernel(state, kernel, back_end_for(state, kernel, words.diagnostics()), state.options.limits,
                                words.whole(), words.diagnostics(), exit);
    if (!ran) return false;
    state.acted(run_of(kernel.name, words.whole()));
    announce(*ran, why, words);
  }
  state.focus.cursor->carry_over(before, state.version());  // they began from what a replay of them began from
  return true;
}

/// Whether some equation defines an element, at the present sizes. Of loops nobody knows before they run.
bool defines_any(State& state, const lang::Kernel& kernel, const std::string& tensor, text::Diagnostics& diagnostics) {
  const auto compilation = kernel.loops ? nullptr : state.compilation(kernel, diagnostics);
  return !compilation || compilation->kernel.inherited.contains(tensor) ||
         place::defines_any(*compilation->analysis, tensor, sizes_now(state, compilation->program));
}

void warn_if_undefined(State& state, const lang::TensorInfo& info, const std::vector<std::string>& makers,
                       Words& words) {
  const lang::Program* program = state.program(words.diagnostics());
  if (!program || makers.empty() || std::ranges::any_of(makers, [&](const std::string& maker) {
        return defines_any(state, *program->kernel(maker), info.name, words.diagnostics());
      }))
    return;
  words.diagnostics()
      .warning("W0601", words.whole(), "no equation defines any element of " + info.name, "")
      .notes.push_back({info.span, "each is the fill, " + format::to_string(info.fill) + ", at these sizes"});
}

bool run_missing(State& state, const std::vector<std::string>& wanted, FinishedOn counted, Words& words, Exit& exit) {
  const lang::Program* program = state.program(words.diagnostics());
  if (!program) return true;
  Missing missing(state, *program, counted);
  for (const std::string& kernel : wanted) missing.need(kernel);
  return run_all(state, missing.due(), words, exit);
}

}  // namespace

bool run_unfinished(State& state, const std::vector<lang::Kernel>& wanted, Words& words, Exit& exit) {
  std::vector<std::string> names;
  for (const lang::Kernel& kernel : wanted) names.push_back(kernel.name);
  return run_missing(state, names, FinishedOn::any_data, words, exit);
}

bool run_operands_of(State& state, const lang::Kernel& kernel, Words& words, Exit& exit) {
  const lang::Program* program = state.program(words.diagnostics());
  if (!program) return true;
  Missing missing(state, *program, FinishedOn::present_data);
  missing.need_operands(kernel.name);
  return run_all(state, missing.due(), words, exit);
}

bool compute(State& state, const lang::TensorInfo& given, Words& words, Exit& exit) {
  const lang::TensorInfo info = given;  // a run may renew the program that holds it
  std::vector<std::string> makers;
  if (const lang::Program* program = state.program(words.diagnostics()))
    for (const lang::Kernel& kernel : program->kernels)
      if (makes(kernel, info.name)) makers.push_back(kernel.name);
  // What was put into the tensor itself after that is newer than anything that could be computed over it.
  const FinishedOn counted = is_given(state, info.name) ? FinishedOn::any_data : FinishedOn::present_data;
  if (!run_missing(state, makers, counted, words, exit)) return false;
  warn_if_undefined(state, info, makers, words);
  return true;
}

const tensor::Tensor* computed(State& state, const lang::TensorInfo& info, Words& words, Exit& exit) {
  return compute(state, info, words, exit) ? state.tensor(info, words.whole(), words.diagnostics()) : nullptr;
}

}  // namespace trellis::session
