#include "engine/check/loops.hpp"

#include <algorithm>

#include "engine/check/loop_machine.hpp"
#include "engine/tensor/convert.hpp"
#include "engine/tensor/for_each_entry.hpp"

namespace trellis::check {

using format::Value;
using math::Affine;
namespace action = lang::action;

bool LoopState::step(text::Span span) {
  if (!problem && ++steps > most_steps)
    fail("E0266", span, "the reference evaluator gave up after " + std::to_string(most_steps) + " steps");
  constexpr std::int64_t patience = 1 << 16;
  if (steps % patience == 0 && interrupted && interrupted())
    fail("E0506", span, "the reference evaluator was interrupted");
  return !problem;
}

void LoopState::fail(std::string code, text::Span span, std::string message) {
  if (problem) return;
  text::Diagnostic diagnostic;
  diagnostic.code = std::move(code);
  diagnostic.span = span;
  diagnostic.message = std::move(message);
  text::Point at;
  for (const auto& [name, slot] : loops) at.emplace_back(name, variables[static_cast<std::size_t>(slot)].integer);
  if (!at.empty()) diagnostic.instance_text = "at " + text::to_string(at);
  problem = std::move(diagnostic);
}

LoopCompiler::LoopCompiler(const lang::Program& program, LoopState& state, const std::map<std::string, Value>& values)
    : program_(program), state_(state), values_(values) {
  for (const lang::ParameterInfo& info : program.parameters)
    if (!info.real) sizes_[info.name] = Affine(values.at(info.name).as_integer());
}

void LoopCompiler::bind_tensor(const std::string& name, tensor::Tensor value, std::vector<bool> absent,
                               const lang::TensorInfo* info) {
  state_.tensors.push_back(std::move(value));
  state_.absent.push_back(std::move(absent));
  if (auto mirror =
          info && state_.tensors.back() ? tensor::mirror_of(info->format, state_.tensors.back().shape()) : nullptr)
    mirrors_[static_cast<int>(state_.tensors.size()) - 1] = std::move(mirror);
  tensors_[name] = static_cast<int>(state_.tensors.size()) - 1;
}

int LoopCompiler::add_variable(const std::string& name) {
  state_.variables.emplace_back();
  return variables_[name] = static_cast<int>(state_.variables.size()) - 1;
}

Perform LoopCompiler::compile(const lang::Actions& actions) {
  const auto outer = tensors_;
  std::vector<Perform> all;
  for (const lang::Action& one : actions) all.push_back(compile(one));
  tensors_ = outer;
  return [all](LoopState& s) {
    for (const Perform& one : all)
      if (!s.problem) one(s);
  };
}

Perform LoopCompiler::compile(const lang::Action& a) {
  const text::Span span = a->span;
  return a.match([&](const action::Block& b) { return compile(b.actions); },
                 [&](const action::Declare& d) { return declare(d, span); },
                 [&](const action::For& f) { return loop(f, span); },
                 [&](const action::While& w) -> Perform {
                   return [condition = compile(w.condition), body = compile(w.body), span](LoopState& s) {
                     while (s.step(span) && condition(s).is_true() && !s.problem) body(s);
                   };
                 },
                 [&](const action::If& i) -> Perform {
                   return [condition = compile(i.condition), then = compile(i.then), otherwise = compile(i.otherwise),
                           span](LoopState& s) {
                     if (!s.step(span)) return;
                     const bool holds = condition(s).is_true();
                     if (!s.problem) (holds ? then : otherwise)(s);
                   };
                 },
                 [&](const action::Let& l) -> Perform {
                   const Evaluate value = compile(l.value);
                   const int slot = add_variable(l.name);
                   return [value, slot, body = compile(l.body)](LoopState& s) {
                     s.variables[static_cast<std::size_t>(slot)] = value(s);
                     if (!s.problem) body(s);
                   };
                 },
                 [&](const action::Assign& assignment) { return assign(assignment, span); },
                 [&](const action::Reset& r) { return reset(r, span); },
                 [&](const action::Lifecycle&) -> Perform { return [](LoopState&) {}; });
}

Perform LoopCompiler::declare(const action::Declare& d, text::Span span) {
  tensor::Index shape;
  for (const Affine& size : d.tensor.shape)
    shape.push_back(std::max<std::int64_t>(0, size.substitute(sizes_).constant));
  auto made = tensor::Tensor::create(d.tensor.type, shape, format::Format::dense(static_cast<int>(shape.size())),
                                     d.tensor.fill);
  if (!made)
    return [span, name = d.tensor.name](LoopState& s) { s.fail("E0503", span, "there is no memory for " + name); };
  bind_tensor(d.tensor.name, *made, {}, &d.tensor);
  return [slot = tensor(d.tensor.name), fill = d.tensor.fill](LoopState& s) {
    tensor::Tensor& t = s.tensors[static_cast<std::size_t>(slot)];
    for (std::int64_t k = 0; k < t.count(); ++k) t.set_flat(k, fill);
  };
}

Perform LoopCompiler::loop(const action::For& f, text::Span span) {
  const Evaluate low = compile(f.low), high = compile(f.high);
  const int slot = add_variable(f.variable);
  const Perform body = compile(f.body);
  const Evaluate until = f.until ? compile(*f.until) : [](LoopState&) { return Value::truth(false); };
  return [=, name = f.variable, down = f.descending](LoopState& s) {
    const std::int64_t from = low(s).integer, to = high(s).integer;
    if (s.problem || from >= to) return;
    s.loops.emplace_back(name, slot);
    for (std::int64_t k = 0; k < to - from; ++k) {
      s.variables[static_cast<std::size_t>(slot)] =
          Value::of_integer(format::ScalarType::i64, down ? to - 1 - k : from + k);
      if (!s.step(span)) break;
      body(s);
      if (s.problem || until(s).is_true()) break;
    }
    s.loops.pop_back();
  };
}

namespace {

/// Of the element that is number `offset` of a dense tensor.
tensor::Index index_at(const tensor::Tensor& tensor, std::int64_t offset) {
  tensor::Index index(tensor.shape().size());
  for (std::size_t d = 0; d < index.size(); ++d) index[d] = offset / tensor.strides()[d] % tensor.shape()[d];
  return index;
}

}  // namespace

void LoopCompiler::mask(const std::string& name, const Masked& mask, std::vector<bool> stored) {
  masks_[name].push_back([slot = static_cast<std::size_t>(tensor(name)), mask, stored = std::move(stored)](
                             const LoopState& s, std::int64_t offset) {
    // Both have one shape, and every element a number here.
    const tensor::Tensor& of = s.tensors[static_cast<std::size_t>(mask.mask)];
    const tensor::Index index = index_at(s.tensors[slot], offset);
    const bool counts =
        stored.empty() ? !(of.get(index) == of.fill()) : bool(stored[static_cast<std::size_t>(of.offset(index))]);
    return counts != mask.complement;
  });
}

Perform LoopCompiler::assign(const action::Assign& a, text::Span span) {
  const auto& access = *a.target.as<lang::Access>();
  const auto masked = masks_.find(access.tensor);
  const auto mirror = mirrors_.find(tensor(access.tensor));
  return [value = compile(a.value), at = locate(access, a.target->span), slot = tensor(access.tensor), op = a.op, span,
          masks = masked == masks_.end() ? std::vector<Lets>() : masked->second,
          map = mirror == mirrors_.end() ? nullptr : mirror->second](LoopState& s) {
    if (!s.step(span)) return;
    const std::int64_t offset = at(s);
    if (offset < 0 || s.problem) return;
    tensor::Tensor& t = s.tensors[static_cast<std::size_t>(slot)];
    if (!std::ranges::all_of(masks, [&](const Lets& lets) { return lets(s, offset); })) return;
    const Value next = value(s);
    if (s.problem) return;
    t.set_flat(offset, op ? format::combine(*op, t.get_flat(offset), next) : next);
    if (!map) return;
    for (const tensor::Index& other : map->sharing(index_at(t, offset))) t.set(other, t.get_flat(offset));
  };
}

Perform LoopCompiler::reset(const action::Reset& r, text::Span span) {
  return [value = compile(r.value), slot = tensor(r.tensor), span](LoopState& s) {
    if (!s.step(span)) return;
    const Value next = value(s);
    tensor::Tensor& t = s.tensors[static_cast<std::size_t>(slot)];
    for (std::int64_t k = 0; k < t.count() && !s.problem; ++k) t.set_flat(k, next);
  };
}

namespace {

/// Elements have a number each here, whatever the format. What is written is no longer shared.
constexpr std::int64_t most_elements = std::int64_t{1} << 28;
enum class Touched { read, written };
tensor::Tensor whole(const tensor::Tensor& loaded, Touched how) {
  if (loaded.dense()) return how == Touched::written ? loaded.clone() : loaded;
  const bool fits = loaded.count() <= most_elements;
  return fits ? tensor::to_dense(loaded).value_or(tensor::Tensor()) : tensor::Tensor();
}

/// None of a dense tensor.
std::vector<bool> absent_elements(const tensor::Tensor& tensor, const tensor::Tensor& elements) {
  if (tensor.dense() || !elements) return {};
  std::vector<bool> absent(static_cast<std::size_t>(elements.count()), true);
  tensor::for_each_entry(tensor, [&](const tensor::Index& index, const Value&) {
    absent[static_cast<std::size_t>(elements.offset(index))] = false;
  });
  return absent;
}

}  // namespace

Evaluation evaluate_loops(const lang::Program& program, const lang::Kernel& kernel, const State& before,
                          std::int64_t most_steps, const Interrupted& interrupted) {
  std::map<std::string, Value> values;
  for (const lang::ParameterInfo& info : program.parameters) {
    const auto given = before.parameters.find(info.name);
    values[info.name] = given != before.parameters.end()
                            ? given->second
                            : info.value.value_or(Value::of_integer(format::ScalarType::i64, 0));
  }
  LoopState state;
  state.most_steps = most_steps;
  state.interrupted = interrupted;
  LoopCompiler compiler(program, state, values);
  const std::vector<std::string> results = kernel.results();
  std::vector<std::string> used = kernel.operands();
  used.insert(used.end(), results.begin(), results.end());
  for (const lang::TensorInfo& info : program.tensors) {
    const auto loaded = before.tensors.find(info.name);
    if (std::ranges::count(used, info.name) == 0) {
      compiler.bind_tensor(info.name, {});
      continue;
    }
    const bool written = std::ranges::count(results, info.name) > 0;
    if (loaded != before.tensors.end()) {
      const tensor::Tensor elements = whole(loaded->second, written ? Touched::written : Touched::read);
      compiler.bind_tensor(info.name, elements,
                           written ? std::vector<bool>() : absent_elements(loaded->second, elements), &info);
      continue;
    }
    tensor::Index shape;
    for (const Affine& size : info.shape)
      shape.push_back(
          size.evaluate([&](const std::string& name) { return std::optional(values.at(name).as_integer()); })
              .value_or(0));
    auto fresh =
        tensor::Tensor::create(info.type, shape, format::Format::dense(static_cast<int>(shape.size())), info.fill);
    compiler.bind_tensor(info.name, fresh ? *fresh : tensor::Tensor(), {}, &info);
  }
  for (const std::string& name : used)
    if (!state.tensors[static_cast<std::size_t>(compiler.tensor(name))])
      state.fail("E0266", kernel.span,
                 "the reference evaluator gave up: it keeps every element of " + name + ", and there are too many");
  if (state.problem) return {{}, std::move(state.problem)};
  for (const lang::Schedule::Mask& mask : kernel.schedule.masks) {
    if (!mask.pattern) continue;
    const int number = compiler.tensor(*mask.pattern);
    const Masked masked = check::masked(mask, number, program.tensor(*mask.pattern)->format);
    const auto loaded = before.tensors.find(*mask.pattern);
    std::vector<bool> stored;
    if (!masked.by_value && loaded != before.tensors.end()) {
      stored = absent_elements(loaded->second, state.tensors[static_cast<std::size_t>(number)]);
      stored.flip();
    }
    compiler.mask(mask.tensor, masked, std::move(stored));
  }
  compiler.compile (*kernel.loops)(state);
  Evaluation evaluation;
  evaluation.problem = std::move(state.problem);
  if (evaluation.problem) return evaluation;
  for (const std::string& name : results)
    evaluation.results.emplace(name, state.tensors[static_cast<std::size_t>(compiler.tensor(name))]);
  return evaluation;
}

}  // namespace trellis::check
