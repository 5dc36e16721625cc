#include "engine/session/running/execution.hpp"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <set>

#include "engine/check/loops.hpp"
#include "engine/check/reference.hpp"
#include "engine/explore/reassociated.hpp"
#include "engine/flow/wrapped_bounds.hpp"
#include "engine/place/definitions.hpp"
#include "engine/run/sandbox.hpp"
#include "engine/session/running/density.hpp"
#include "engine/session/running/planned.hpp"
#include "engine/tensor/convert.hpp"
#include "engine/tensor/verify.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::session {
namespace {

std::optional<run::Bindings> bind(State& state, const Compilation& compilation, text::Span at,
                                  text::Diagnostics& diagnostics) {
  run::Bindings bindings;
  const std::vector<std::string> read = compilation.kernel.operands();
  const std::set<std::string> operands(read.begin(), read.end());
  for (const emit::Argument& argument : compilation.module.arguments) {
    if (argument.kind != emit::Argument::Kind::array) continue;
    const lang::TensorInfo& info = *compilation.program.tensor(argument.name);
    const tensor::Tensor* value = state.tensor(info, at, diagnostics);
    const bool operand = operands.contains(info.name);
    if (!value || (operand && !state.keeps_promises(info, at, diagnostics))) return std::nullopt;
    bindings.arrays[argument.name] = *value;
  }
  for (const emit::Argument& argument : compilation.module.arguments) {
    if (argument.kind == emit::Argument::Kind::array || argument.kind == emit::Argument::Kind::capacity) continue;
    const auto value = state.parameter(argument.name);
    if (!value) {
      report_unknown_size(state, argument.name, "kernel " + compilation.kernel.name, at, diagnostics);
      return std::nullopt;
    }
    if (argument.kind == emit::Argument::Kind::size) bindings.sizes[argument.name] = value->as_integer();
    else bindings.reals[argument.name] = value->as_double();
  }
  return bindings;
}

/// Of the results that share the entries of one. Empty is reported.
std::optional<std::map<std::string, tensor::Tensor>> bind_masks(State& state, const Compilation& compilation,
                                                                text::Span at, text::Diagnostics& diagnostics) {
  std::map<std::string, tensor::Tensor> masks;
  for (const emit::Argument& argument : compilation.module.arguments) {
    if (argument.entries_of.empty()) continue;
    const tensor::Tensor* mask = state.tensor(*compilation.program.tensor(argument.entries_of), at, diagnostics);
    if (!mask) return std::nullopt;
    masks[argument.name] = *mask;
  }
  return masks;
}

/// Reads were proven in range for tensors that are not empty; with an empty one they are proven again, for the sizes
/// there are.
bool stays_in_range(const State& state, const Compilation& compilation, const run::Bindings& bindings,
                    text::Diagnostics& diagnostics) {
  if (!compilation.analysis) return true;  // a loop program checks what it cannot prove
  if (std::ranges::none_of(bindings.arrays, [](const auto& array) { return array.second.count() == 0; })) return true;
  place::check_ranges(*compilation.analysis, sizes_now(state, compilation.program), diagnostics);
  return !diagnostics.has_errors();
}

/// Of a bound or an index. False is reported.
bool holds_in_64_bits(const Compilation& compilation, const run::Bindings& bindings, text::Diagnostics& diagnostics) {
  const auto overflow = flow::find_overflow(compilation.flow, bindings.sizes);
  if (!overflow) return true;
  const text::Span at = overflow->expr->span.known() ? overflow->expr->span : compilation.kernel.span;
  diagnostics
      .error("E0606", at, "the bound " + flow::to_string(overflow->expr) + " is more than 64 bits hold",
             "comes to " + overflow->result)
      .notes.push_back({{}, "bounds and indices lie between -2^62 and 2^62: use smaller numbers"});
  return false;
}

}  // namespace

std::optional<check::State> found_by(State& state, const lang::Kernel& kernel, const lang::Program& program,
                                     text::Span at, text::Diagnostics& diagnostics) {
  check::State before;
  for (const lang::ParameterInfo& p : program.parameters)
    if (const auto value = state.parameter(p.name)) before.parameters[p.name] = *value;
  auto keep = [&](const std::string& name) {
    if (const tensor::Tensor* value = state.tensor(*program.tensor(name), at, diagnostics))
      before.tensors[name] = *value;
  };
  // What the kernel made before, out of fills, it makes out of fills again.
  auto begin = [&](const lang::TensorInfo& info) {
    if (info.format.all_dense() || kernel.inherited.contains(info.name)) return keep(info.name);
    const auto shape = state.shape_of(info, at, diagnostics);
    auto empty = shape ? state.create(info, *shape, at, diagnostics) : std::nullopt;
    if (empty) before.tensors[info.name] = std::move(*empty);
  };
  for (const std::string& name : kernel.operands()) {
    keep(name);
    // What is laid out for a plan, the reference reads where it is.
    const lang::TensorInfo* origin = laid_out_of(state, *program.tensor(name));
    const tensor::Tensor* value = origin ? state.tensor(*origin, at, diagnostics) : nullptr;
    if (value) before.tensors[origin->name] = *value;
  }
  for (const std::string& name : kernel.results()) begin(*program.tensor(name));
  return diagnostics.has_errors() ? std::nullopt : std::optional(std::move(before));
}

namespace {

bool appends_to(const emit::Module& module, const std::string& tensor) {
  return std::ranges::any_of(module.arguments, [&](const emit::Argument& a) {
    return a.kind == emit::Argument::Kind::capacity && a.name == tensor;
  });
}

}  // namespace

bool Prepared::renew() {
  for (const std::string& name : compilation->kernel.results()) {
    const auto array = bindings.arrays.find(name);
    if (array == bindings.arrays.end()) continue;
    const tensor::Tensor& old = before.tensors.at(name);
    if (const auto mask = masks.find(name); mask != masks.end())
      array->second = old.with_structure_of(mask->second, writer).value_or(tensor::Tensor());
    else
      array->second = appends_to(compilation->module, name) ? old.with_room(memory, writer).value_or(tensor::Tensor())
                                                            : old.clone(writer);
    if (!array->second) return false;
  }
  return true;
}

bool Prepared::publish(text::Span at, text::Diagnostics& diagnostics, Exit& exit) {
  for (auto& [name, array] : bindings.arrays) {
    [[maybe_unused]] const bool appended = array.reserved();
    const format::Format wanted = array.format();
    if (array.publish()) {
      assert(!appended || tensor::verify(array).empty());
      continue;
    }
    if (const auto region = tensor::region_without_room(array, wanted, memory))
      report_pack_failure(region->why, array, wanted, region->index, compilation->program.tensor(name)->span,
                          diagnostics);
    else
      diagnostics.error("E0503", at, "there is no memory to store result " + name + " as " + format::to_string(wanted),
                        "");
    exit = Exit::kernel_failed;
    return false;
  }
  return true;
}

std::vector<math::Constraint> sizes_now(const State& state, const lang::Program& program) {
  std::vector<math::Constraint> sizes;
  for (const lang::ParameterInfo& p : program.parameters)
    if (const auto value = state.parameter(p.name); value && !p.real)
      sizes.push_back({math::Affine::name(p.name), math::Relation::equal, math::Affine(value->as_integer())});
  return sizes;
}

std::optional<Prepared> prepare(State& state, const lang::Kernel& kernel, text::Span at, text::Diagnostics& diagnostics,
                                Exit& exit) {
  const auto compilation = planned(state, kernel, diagnostics);
  if (!compilation || !mind_density(state, compilation->kernel, compilation->program, at, diagnostics))
    return std::nullopt;
  auto bindings = bind(state, *compilation, at, diagnostics);
  auto masks = bind_masks(state, *compilation, at, diagnostics);
  if (!bindings || !masks || !stays_in_range(state, *compilation, *bindings, diagnostics) ||
      !holds_in_64_bits(*compilation, *bindings, diagnostics))
    return std::nullopt;
  auto before = found_by(state, compilation->kernel, compilation->program, at, diagnostics);
  if (!before) return std::nullopt;
  // Half, for a result has several arrays that grow together.
  const std::size_t limit = state.options.limits.memory ? state.options.limits.memory : run::default_memory_limit();
  Prepared prepared{compilation,
                    std::move(*before),
                    std::move(*bindings),
                    limit / 2,
                    state.options.limits.trusted ? tensor::Writer::this_process : tensor::Writer::child_process,
                    std::move(*masks)};
  if (prepared.renew()) return prepared;
  diagnostics.error(
      "E0503", at,
      "there is no memory to keep the results of kernel " + kernel.name + " as they are beside their new values", "");
  exit = Exit::kernel_failed;
  return std::nullopt;
}

namespace {

/// Where equations went wrong, with values, when the reference gets there within half a second.
std::string instance_of_equations(const Compilation& compilation, const check::State& before) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::milliseconds(500);
  if (check::estimate_terms(compilation.program, compilation.kernel, before) > 1e8) return "";
  const auto reference =
      check::evaluate(compilation.program, compilation.kernel, before, [&] { return Clock::now() > end; });
  if (!reference.problem || reference.problem->code == "E0506") return "";
  return reference.problem->instance_text;
}

/// Where a kernel went wrong, with values, when the reference gets there soon enough.
std::string instance_of_fault(const Compilation& compilation, const check::State& before) {
  constexpr std::int64_t soon = 5'000'000;
  if (!compilation.kernel.loops) return instance_of_equations(compilation, before);
  const auto reference = check::evaluate_loops(compilation.program, compilation.kernel, before, soon);
  if (!reference.problem || reference.problem->code != "E0502") return "";
  return reference.problem->message +
         (reference.problem->instance_text.empty() ? "" : ", " + reference.problem->instance_text);
}

}  // namespace

Exit report_failure(const run::Outcome& outcome, const Compilation& compilation, const check::State& before,
                    text::Diagnostics& diagnostics) {
  using Status = run::Outcome::Status;
  const std::string name = "kernel " + compilation.kernel.name;
  text::Span at = compilation.kernel.span;
  switch (outcome.status) {
    case Status::ok: return Exit::success;
    case Status::fault: {
      if (outcome.site >= 0 && outcome.site < static_cast<int>(compilation.module.sites.size()))
        if (const text::Span site = compilation.module.sites[static_cast<std::size_t>(outcome.site)].span; site.known())
          at = site;
      text::Diagnostic& d = diagnostics.error("E0502", at, name + " stopped: " + outcome.message, "");
      d.notes.push_back({{}, "all tensors are as they were before the run"});
      d.instance_text = instance_of_fault(compilation, before);
      return Exit::kernel_failed;
    }
    case Status::out_of_memory:
      diagnostics.error("E0503", at, name + " ran out of memory", "")
          .notes.push_back({{}, "`--memory SIZE` sets the limit; " + outcome.message});
      return Exit::kernel_failed;
    case Status::timed_out:
      diagnostics.error("E0504", at, name + " did not finish in time", "")
          .notes.push_back({{}, "`--timeout S` sets the limit; " + outcome.message});
      return Exit::kernel_failed;
    case Status::crashed:
      diagnostics.error("E0505", at, name + " crashed", "").notes.push_back({{}, outcome.message});
      return Exit::kernel_failed;
    case Status::interrupted: diagnostics.error("E0506", at, name + " was interrupted", ""); return Exit::interrupted;
  }
  return Exit::kernel_failed;
}

lang::Order order_that_ran(const Compilation& compilation) {
  return compilation.placed ? compilation.placed->order : compilation.kernel.schedule.order.value_or(lang::Order{});
}

void keep_results(State& state, const lang::Kernel& kernel, Prepared prepared, const Took& took) {
  FinishedRun finished{kernel.name,
                       std::move(prepared.before),
                       state.data.makers(kernel.results()),
                       {},
                       took,
                       explore::reassociated_sums(*prepared.compilation)};
  if (const Plan* plan = plan_for(state, kernel); plan && plan->chosen == prepared.compilation && plan->rounds)
    finished.reassociated.push_back("the products of kernel " + kernel.name + " are associated anew, in steps");
  for (std::string& sums : prepared.in_other_orders) finished.reassociated.push_back(std::move(sums));
  // Elements that no equation defines are still fills; steps and loops may have gone on from what there was.
  const auto made_anew = [&](const std::string& name) {
    const bool stepped =
        std::ranges::any_of(kernel.timesteps, [&](const lang::Timesteps& t) { return t.tensor == name; });
    return !kernel.loops && !stepped && !prepared.compilation->kernel.inherited.contains(name);
  };
  const SharedText meaning = state.meaning_of(kernel);
  for (const std::string& name : kernel.results()) {
    // A result of which no element is defined is no argument, and stays as it was found.
    const auto array = prepared.bindings.arrays.find(name);
    const tensor::Tensor& value =
        array != prepared.bindings.arrays.end() ? array->second : finished.before.tensors.at(name);
    state.data.put(name, value, made_anew(name) ? meaning : SharedText());
    finished.after[name] = value;
  }
  state.finish(kernel, std::move(finished));
}

std::vector<lang::Kernel> chosen_kernels(State& state, const std::optional<lang::syntax::Name>& name, Words& words) {
  const lang::Kernel* one = state.kernel(name, words.whole(), words.diagnostics());
  if (!one) return {};
  if (name) return {*one};
  return state.program(words.diagnostics())->kernels;
}

}  // namespace trellis::session
