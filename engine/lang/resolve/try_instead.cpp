// Fixes that are equations. Where one is a guess at what was meant it is tried, in the place of the one that is wrong,
// before anyone sees it.

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
  const TensorInfo* info = trial.tensor(draft.tensor);
  if (definitions != 1 || !info || info->kind != TensorInfo::Kind::implicit) return;
  trial.shapeless.erase(draft.tensor);
  std::erase_if(trial.program.tensors, [&](const TensorInfo& one) { return one.name == draft.tensor; });
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
        one.alone = draft.alone;
        read_left_side(trial, one);
      }
  resolve_equations(trial);
  return std::ranges::none_of(unseen.all(), [&](const text::Diagnostic& d) {
    return d.severity == text::Severity::error && d.span.source == draft.span.source &&
           cover(draft.span, d.span) == draft.span;
  });
}

}  // namespace

std::string to_text(const Draft& draft, const syntax::Equation& equation) {
  if (draft.alone) return to_string(equation.right);
  return to_string(syntax::Statement(syntax::StatementNode{equation, draft.span}));
}

void offer(const Draft& draft, const syntax::Equation& equation, const std::string& remark,
           text::Diagnostic& diagnostic) {
  if (draft.alone && equation.left.as<syntax::Reference>()->arguments) return;
  const std::string command = to_text(draft, equation);
  if (!std::ranges::count(diagnostic.fixes, command, &text::Fix::command))
    diagnostic.fixes.push_back({command, remark, 0});
}

void offer_instead(const Resolution& resolution, const Draft& draft, const syntax::Equation& equation,
                   const std::string& remark, text::Diagnostic& diagnostic) {
  if (!resolution.tries && resolves(resolution, draft, equation)) offer(draft, equation, remark, diagnostic);
}

}  // namespace trellis::lang::resolving
