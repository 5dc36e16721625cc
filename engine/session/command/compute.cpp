#include "engine/session/command/compute.hpp"

#include <algorithm>
#include <iterator>

#include "engine/place/definitions.hpp"
#include "engine/session/execution.hpp"
#include "engine/session/replay/cursor.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::session {
namespace {

bool makes(const lang::Kernel& kernel, const std::string& tensor) { return contains(kernel.results(), tensor); }

/// Loaded, filled or set by hand, rather than left by a kernel.
bool is_given(const State& state, const std::string& tensor) {
  return state.has(tensor) && !state.run_that_left(tensor);
}

/// In the order in which kernels run, each kernel once.
class Missing {
 public:
  Missing(State& state, const std::vector<lang::Kernel>& kernels)
      : state_(state), kernels_(kernels), seen_(kernels.size()), needed_(kernels.size()) {}

  void need(std::size_t k) {
    if (seen_[k]) return;
    seen_[k] = true;
    need_operands(k);
    needed_[k] = !state_.finished(kernels_[k]) || finds_needed(k);
  }

  void need_operands(std::size_t k) {
    for (const std::string& operand : kernels_[k].operands())
      for (std::size_t earlier = 0; earlier < k; ++earlier)
        if (makes(kernels_[earlier], operand) && !is_given(state_, operand)) need(earlier);
  }

  std::vector<lang::Kernel> kernels() const {
    std::vector<lang::Kernel> found;
    for (std::size_t k = 0; k < kernels_.size(); ++k)
      if (needed_[k]) found.push_back(kernels_[k]);
    return found;
  }

 private:
  /// Whether an earlier one that runs makes something that this one finds.
  bool finds_needed(std::size_t k) const {
    std::vector<std::string> found = kernels_[k].operands();
    std::ranges::copy(kernels_[k].results(), std::back_inserter(found));
    for (std::size_t earlier = 0; earlier < k; ++earlier)
      if (needed_[earlier] &&
          std::ranges::any_of(found, [&](const std::string& name) { return makes(kernels_[earlier], name); }))
        return true;
    return false;
  }

  const State& state_;
  const std::vector<lang::Kernel>& kernels_;
  std::vector<bool> seen_, needed_;
};

std::vector<lang::Kernel> all_kernels(State& state, Words& words) {
  const lang::Program* program = state.program(words.diagnostics());
  return program ? program->kernels : std::vector<lang::Kernel>{};
}

std::size_t number_of(const std::vector<lang::Kernel>& kernels, const lang::Kernel& kernel) {
  const auto found = std::ranges::find(kernels, kernel.name, &lang::Kernel::name);
  return static_cast<std::size_t>(found - kernels.begin());
}

void announce(const Ran::Kernel& ran, bool again, Words& words) {
  text::Diagnostic note;
  note.severity = text::Severity::note;
  note.code = "N0602";
  note.span = words.whole();
  note.message = ran.kernel +
                 (again ? " had not run as things are now, and ran first" : " had not run yet and ran first") +
                 (ran.order.empty() ? "" : ", order " + lang::to_string(ran.order));
  words.diagnostics().add(std::move(note));
}

/// Each as if it ran for the first time: what a run has left in its results gives way to what that run found there.
bool run_all(State& state, const std::vector<lang::Kernel>& kernels, Words& words, Exit& exit) {
  const std::uint64_t before = state.version();
  for (const lang::Kernel& kernel : kernels) {
    const bool again = state.ever_ran(kernel.name);
    state.rewind(kernel);
    const auto ran = run_kernel(state, kernel, state.options.backend, state.options.limits, words.whole(),
                                words.diagnostics(), exit);
    if (!ran) return false;
    state.acted(run_of(kernel.name, words.whole()));
    announce(*ran, again, words);
  }
  state.cursor->carry_over(before, state.version());  // they began from what a replay of them began from
  return true;
}

/// Whether some equation defines an element, at the present sizes. Of loops nobody knows before they run.
bool defines_any(State& state, const lang::Kernel& kernel, const std::string& tensor, text::Diagnostics& diagnostics) {
  const auto compilation = kernel.loops ? nullptr : state.compilation(kernel, diagnostics);
  return !compilation || compilation->kernel.inherited.contains(tensor) ||
         place::defines_any(*compilation->analysis, tensor, sizes_now(state, compilation->program));
}

void warn_if_undefined(State& state, const lang::TensorInfo& info, const std::vector<lang::Kernel>& makers,
                       Words& words) {
  if (makers.empty() || std::ranges::any_of(makers, [&](const lang::Kernel& k) {
        return defines_any(state, k, info.name, words.diagnostics());
      }))
    return;
  words.diagnostics()
      .warning("W0601", words.whole(), "no equation defines any element of " + info.name, "")
      .notes.push_back({info.span, "each is the fill, " + format::to_string(info.fill) + ", at these sizes"});
}

}  // namespace

bool run_missing(State& state, const std::vector<lang::Kernel>& wanted, Words& words, Exit& exit) {
  const std::vector<lang::Kernel> kernels = all_kernels(state, words);
  Missing missing(state, kernels);
  for (const lang::Kernel& kernel : wanted) missing.need(number_of(kernels, kernel));
  return run_all(state, missing.kernels(), words, exit);
}

bool run_operands_of(State& state, const lang::Kernel& kernel, Words& words, Exit& exit) {
  const std::vector<lang::Kernel> kernels = all_kernels(state, words);
  Missing missing(state, kernels);
  missing.need_operands(number_of(kernels, kernel));
  return run_all(state, missing.kernels(), words, exit);
}

bool compute(State& state, const lang::TensorInfo& given, Words& words, Exit& exit) {
  const lang::TensorInfo info = given;  // a run may renew the program that holds it
  std::vector<lang::Kernel> makers = all_kernels(state, words);
  std::erase_if(makers, [&](const lang::Kernel& kernel) { return !makes(kernel, info.name); });
  if (!run_missing(state, makers, words, exit)) return false;
  warn_if_undefined(state, info, makers, words);
  return true;
}

const tensor::Tensor* computed(State& state, const lang::TensorInfo& info, Words& words, Exit& exit) {
  return compute(state, info, words, exit) ? state.tensor(info, words.whole(), words.diagnostics()) : nullptr;
}

}  // namespace trellis::session
