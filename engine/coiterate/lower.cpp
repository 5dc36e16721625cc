#include "engine/coiterate/lower.hpp"

#include <algorithm>

#include "engine/coiterate/context.hpp"
#include "engine/coiterate/fresh_temporaries.hpp"
#include "engine/coiterate/lower_functions.hpp"
#include "engine/coiterate/lower_tensors.hpp"
#include "engine/coiterate/recursion.hpp"
#include "engine/flow/assert_verified.hpp"
#include "engine/format/sparse_scalar.hpp"

namespace trellis::coiterate {

namespace {

/// What must be known of tensors before the first statement: which are written or sparse scalars, and which temporaries
/// there will be, changed by products or not.
void look_ahead(Context& in, const loop::Stmt& loops) {
  FreshTemporaries fresh = fresh_temporaries(loops);
  std::erase_if(fresh.assigned, [&](const std::string& name) { return in.program.tensor(name) != nullptr; });
  in.tensors.fresh = std::move(fresh.assigned);
  in.tensors.starts = std::move(fresh.starts);
  for (const std::string& name : written_in(loops))
    if (in.program.tensor(name)) in.tensors.written.insert(name);
  loop::for_each(loops, [&](const loop::Stmt& s) {
    if (const auto* f = s.as<loop::For>()) in.scope.reserved.insert(f->variable);
    if (const auto* d = s.as<loop::Declare>()) {
      in.scope.reserved.insert(d->tensor.name);
      in.tensors.declared[d->tensor.name] = d->tensor;
      in.tensors.written.erase(d->tensor.name);
    }
    const auto* a = s.as<loop::Assign>();
    if (a && a->op == format::ReduceOp::prod) in.tensors.multiplied.insert(a->target.as<lang::Access>()->tensor);
  });
  for (const lang::TensorInfo& one : in.program.tensors)
    if (format::is_sparse_scalar(one.format)) in.scalars.untouched[one.name] = one.fill;
}

/// The statements, which only write a result that is scattered, and after them the ends of sparse results.
Stmt lower_root(Context& in, const loop::Stmt& loops) {
  Seq all{{lower_stmt(in, loops)}};
  for (const std::string& name : in.tensors.scattered)
    all.statements.front() = make(in, Scatter{name, {}, all.statements.front()}, loops);
  for (const std::string& name : in.tensors.written)
    if (tensor(in, name).appends()) all.statements.push_back(make(in, Freeze{name}, loops));
  return all.statements.size() == 1 ? all.statements.front() : make(in, std::move(all), loops);
}

/// Those that are applied, by statements or by each other; each comes after those that it applies.
std::vector<Function> lower_functions(Context& in) {
  std::vector<Function> functions;
  for (auto f = in.program.functions.rbegin(); f != in.program.functions.rend(); ++f)
    if (in.applied.count(f->name)) functions.push_back(lower_function(in, *f));
  std::reverse(functions.begin(), functions.end());
  return functions;
}

/// What the kernel turned out to use, in the program's order.
void name_parameters(const Context& in, Flow& flow) {
  for (const lang::ParameterInfo& parameter : in.program.parameters)
    if (in.parameters.count(parameter.name)) (parameter.real ? flow.reals : flow.sizes).push_back(parameter.name);
}

std::vector<Tensor> used_tensors(const Context& in) {
  std::vector<Tensor> all;
  for (const lang::TensorInfo& info : in.program.tensors) {
    const auto used = in.tensors.operands.find(info.name);
    if (used != in.tensors.operands.end()) all.push_back(used->second);
  }
  all.insert(all.end(), in.tensors.temporaries.begin(), in.tensors.temporaries.end());
  return all;
}

}  // namespace

Lowered lower(const loop::Stmt& loops, const lang::Program& program, const std::string& kernel, const Wishes& wishes) {
  Context in(program);
  in.tensors.masked = wishes.masked;
  in.tensors.scattered = wishes.scattered;
  in.tensors.starting_at_fill = wishes.starting_at_fill;
  look_ahead(in, loops);
  Flow flow;
  flow.kernel = kernel;
  flow.root = lower_root(in, loops);
  flow.functions = lower_functions(in);
  name_parameters(in, flow);
  flow.tensors = used_tensors(in);
  flow.reassociated = std::move(in.reassociated);
  flow.root = mark_writes(with_shown_lattices(flow.root, in.origins), in.scalars.marks);
  Lowered lowered{flow::number(flow), std::move(in.origins.lattices)};
  flow::assert_verified(lowered.flow);
  return lowered;
}

}  // namespace trellis::coiterate
