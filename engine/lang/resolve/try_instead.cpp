// Fixes that are equations: each is tried in the place of the one that is wrong before anyone sees it.

#include <algorithm>

#include "engine/lang/parse.hpp"
#include "engine/lang/resolve/resolve.hpp"

namespace trellis::lang::resolving {

namespace {

/// A result that only this equation declares has as many dimensions as the new one says.
void forget_implied(Resolution& trial, const Draft& draft) {
  std::ptrdiff_t definitions = 0;
  for (const KernelDraft& kernel : trial.kernels)
    definitions += std::ranges::count(kernel.equations, draft.tensor, &Draft::tensor);
  if (definitions != 1 || !trial.shapeless.erase(draft.tensor)) return;
  std::erase_if(trial.program.tensors, [&](const TensorInfo& info) { return info.name == draft.tensor; });
}

/// Whether nothing is wrong any more where the equation stands, once it is this one.
bool resolves(const Resolution& resolution, const Draft& draft, const syntax::Equation& equation) {
  text::Diagnostics unseen;
  Resolution trial = resolution.whole_trial(unseen);
  for (KernelDraft& kernel : trial.kernels)
    for (Draft& one : kernel.equations)
      if (one.source == draft.source) {
        forget_implied(trial, one);
        one = draft_of(trial, equation, draft.span);
        read_left_side(trial, one);
      }
  resolve_equations(trial);
  return std::ranges::none_of(unseen.all(), [&](const text::Diagnostic& d) {
    return d.severity == text::Severity::error && d.span.source == draft.span.source &&
           cover(draft.span, d.span) == draft.span;
  });
}

}  // namespace

void offer_instead(const Resolution& resolution, const Draft& draft, const syntax::Equation& equation,
                   const std::string& remark, text::Diagnostic& diagnostic) {
  if (!resolves(resolution, draft, equation)) return;
  const syntax::Statement statement(syntax::StatementNode{equation, draft.span});
  diagnostic.fixes.push_back({to_string(statement), remark, 0});
}

}  // namespace trellis::lang::resolving
