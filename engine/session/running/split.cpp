#include "engine/session/running/split.hpp"

#include <algorithm>
#include <set>

#include "engine/lang/statement_edit.hpp"
#include "engine/lazy/equations.hpp"
#include "engine/session/running/kernel_queries.hpp"

namespace trellis::session {
namespace {

namespace syntax = lang::syntax;

bool has_no_schedule(const lang::Schedule& s) {
  return !s.order && s.steps.empty() && s.inplace.empty() && s.masks.empty() && s.workspaces.empty() &&
         s.marches.empty() && s.finds.empty() && s.distributions.empty() && s.pipelines.empty() &&
         s.wavefronts.empty() && s.supernodes.empty();
}

std::set<std::string> names_of(const lang::Program& program) {
  std::set<std::string> names;
  for (const auto& one : program.parameters) names.insert(one.name);
  for (const auto& one : program.tensors) names.insert(one.name);
  for (const auto& one : program.functions) names.insert(one.name);
  for (const auto& one : program.kernels) names.insert(one.name);
  return names;
}

/// All equations among the statements become these, at the place of the first one. False: there is none.
bool replace_equations(std::vector<syntax::Statement>& statements, const std::vector<syntax::Equation>& equations) {
  const auto is_equation = [](const syntax::Statement& one) { return one.as<syntax::Equation>() != nullptr; };
  const auto first = std::ranges::find_if(statements, is_equation);
  if (first == statements.end()) return false;
  const text::Span span = (*first)->span;
  const auto at = first - statements.begin();
  std::erase_if(statements, is_equation);
  std::vector<syntax::Statement> fresh;
  for (const syntax::Equation& equation : equations) fresh.emplace_back(syntax::StatementNode{equation, span});
  statements.insert(statements.begin() + at, fresh.begin(), fresh.end());
  return true;
}

bool replace_equations(syntax::File& file, const lang::Kernel& kernel, const std::vector<syntax::Equation>& equations) {
  const syntax::Statement* block = lang::block_of(file, {kernel.name, {}});
  if (!block) return replace_equations(file.statements, equations);
  syntax::Kernel changed = *block->as<syntax::Kernel>();
  if (!replace_equations(changed.statements, equations)) return false;
  file.statements[static_cast<std::size_t>(block - file.statements.data())] =
      syntax::Statement(syntax::StatementNode{std::move(changed), (*block)->span});
  return true;
}

/// Steps are another way to make the results, which stay what they are.
bool keeps_results(const lang::Program& before, const lang::Program& after, const lang::Kernel& kernel) {
  return std::ranges::all_of(kernel.results(), [&](const std::string& name) {
    const lang::TensorInfo *was = before.tensor(name), *is = after.tensor(name);
    return is && was->type == is->type && was->shape == is->shape && was->fill == is->fill &&
           format::same_storage(was->format, is->format);
  });
}

lang::Expr from(const text::Origin& origin, const lang::Expr& e) {
  const lang::Expr inside = lang::map_children(e, [&](const lang::Expr& child) { return from(origin, child); });
  return lang::Expr(lang::ExprNode{inside->is, inside->type, inside->span}, origin, e.id());
}

/// Steps lead back to the equation of their result, and what is made for several to all of them.
void give_origins(lang::Kernel& steps, const lang::Kernel& written) {
  for (lang::Equation& equation : steps.equations) {
    text::Origin origin, all;
    for (const lang::Equation& e : written.equations) {
      all = text::merge(all, e.origin);
      if (e.access().tensor == equation.access().tensor) origin = text::merge(origin, e.origin);
    }
    if (origin.empty()) origin = all;
    equation.origin = origin;
    equation.left = from(origin, equation.left);
    equation.right = from(origin, equation.right);
  }
}

}  // namespace

std::optional<Split> split(const State& state, const lang::Kernel& kernel) {
  if (kernel.loops || !has_no_schedule(kernel.schedule)) return std::nullopt;
  const lang::Program& program = *state.declarations.program();
  const auto translated = queries_of(state, program, kernel);
  const auto* queries = std::get_if<KernelQueries>(&translated);
  if (!queries) return std::nullopt;
  const lazy::Planning planning = lazy::plan(queries->queries, queries->formats, queries->counted, {});
  const lazy::Equations made = lazy::equations_of(planning.chosen, names_of(program));
  syntax::File file = state.declarations.file();
  if (!replace_equations(file, kernel, made.equations)) return std::nullopt;
  Declarations declarations = state.declarations;
  declarations.restore(std::move(file));
  text::Sources sources = state.sources;
  declarations.resolve(state.options, state.data.sizes(), sources);
  const lang::Program* found = declarations.program();
  const lang::Kernel* changed = found ? found->kernel(kernel.name) : nullptr;
  if (!changed || !keeps_results(program, *found, kernel)) return std::nullopt;
  Split result{*found, *changed, {}, !made.kept.empty() || planning.associates, planning.associates};
  result.kernel.inherited = kernel.inherited;
  give_origins(result.kernel, kernel);
  for (const std::string& name : made.order) result.order.push_back({name, false});
  return result;
}

}  // namespace trellis::session
