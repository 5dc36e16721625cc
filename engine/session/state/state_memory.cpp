// The tensors, sizes and finished runs of a session.
#include <algorithm>

#include "engine/format/misfit.hpp"
#include "engine/format/storage_order.hpp"
#include "engine/lang/parse.hpp"
#include "engine/lang/push_shapes.hpp"
#include "engine/math/sizes.hpp"
#include "engine/run/sandbox.hpp"
#include "engine/session/state/shape.hpp"
#include "engine/session/state/state.hpp"
#include "engine/tensor/allocate.hpp"
#include "engine/tensor/convert.hpp"
#include "engine/tensor/entries.hpp"
#include "engine/tensor/from_lists.hpp"
#include "engine/tensor/inverse_lists.hpp"
#include "engine/tensor/keeps_promises.hpp"
#include "engine/tensor/spill.hpp"
#include "engine/tensor/storage.hpp"
#include "engine/tensor/supernodes.hpp"

namespace trellis::session {

bool State::bind(const std::string& name, std::int64_t value) {
  if (const auto known = parameter(name)) return known->as_integer() == value;
  const lang::Program* now = declarations.program();
  if (value > format::largest_narrow || !now || lang::asks_for_values(*now)) declarations.touch();
  data.set_size(name, value);
  return true;
}

std::optional<tensor::Index> State::shape_of(const lang::TensorInfo& tensor, text::Span at,
                                             text::Diagnostics& diagnostics) {
  tensor::Index shape;
  std::set<std::string> names;
  for (const math::Affine& size : tensor.shape) {
    const auto value = value_of(size);
    if (!value) {
      std::set<std::string> own;
      math::collect_factors(size, own);
      if (std::ranges::all_of(own, [&](const std::string& name) { return parameter(name).has_value(); })) {
        report_size_overflow(tensor, size, at, diagnostics);
        return std::nullopt;
      }
      names.merge(own);
      continue;
    }
    if (*value < 0) {
      diagnostics.error("E0606", at,
                        tensor.name + " would have the size " + math::to_string(size) + " = " + std::to_string(*value),
                        "sizes cannot be negative");
      return std::nullopt;
    }
    shape.push_back(*value);
  }
  if (names.empty()) return shape;
  for (const std::string& name : names)
    if (!parameter(name)) report_unknown_size(*this, name, tensor.name, at, diagnostics);
  return std::nullopt;
}

void report_unknown_size(State& state, const std::string& size, const std::string& what, text::Span at,
                         text::Diagnostics& diagnostics) {
  // A run that nobody wrote has no place; the size has one.
  const lang::Program* now = state.declarations.program();
  const lang::ParameterInfo* declared = now ? now->parameter(size) : nullptr;
  if (at.begin == at.end && declared) at = declared->span;
  text::Diagnostic& d = diagnostics.error("E0602", at, "the size " + size + " of " + what + " has no value yet", "");
  d.fixes.push_back({"param " + size + " = 5", "or load a tensor of that size, or run with -D " + size + "=5", 0});
  state.offer = {d.fixes, ""};
}

void State::finish(const lang::Kernel& kernel, FinishedRun run) {
  runs.finish(caches.definition_of(*declarations.program(), kernel), std::move(run));
}

const FinishedRun* State::finished(const lang::Kernel& kernel) const {
  const FinishedRun* found = runs.of(caches.definition_of(*declarations.program(), kernel));
  const auto same = [&](const auto& then) {
    const auto now = parameter(then.first);
    return now && tensor::same_value(*now, then.second);  // a parameter may be no number
  };
  return found && std::ranges::all_of(found->before.parameters, same) ? found : nullptr;
}

const FinishedRun* State::run_that_left(const std::string& tensor) const {
  const tensor::Tensor* value = data.has(tensor) ? data.held(tensor) : nullptr;
  return value ? runs.that_left(tensor, *value) : nullptr;
}

void rewind(State& state, const lang::Kernel& kernel) {
  const auto& kernels = state.declarations.program()->kernels;
  const auto position = [&](const std::string& name) { return std::ranges::find(kernels, name, &lang::Kernel::name); };
  for (const std::string& name : kernel.results())
    for (const FinishedRun* run = state.run_that_left(name); run && position(run->kernel) >= position(kernel.name);
         run = state.run_that_left(name)) {
      const tensor::Tensor before = run->before.tensors.at(name);
      if (&before.storage() == &state.data.held(name)->storage()) break;  // it defined nothing
      const auto maker = run->makers.find(name);
      if (maker != run->makers.end()) state.data.put(name, before, maker->second);
      else state.data.drop(name);
    }
}

std::size_t State::memory_limit() const {
  return options.data_limit ? options.data_limit : run::default_memory_limit();
}

std::size_t State::data_limit() const { return std::max(memory_limit(), tensor::spill_room()); }

std::optional<tensor::Tensor> State::create(const lang::TensorInfo& info, const tensor::Index& shape, text::Span at,
                                            text::Diagnostics& diagnostics) const {
  return tensor::allocate(info.type, shape, format::widened(info.format, shape), info.fill,
                          {info.name, at, data_limit()}, diagnostics);
}

namespace {

// The declared format has changed since the tensor was made.
std::optional<tensor::Tensor> lay_out(const tensor::Tensor& value, const lang::TensorInfo& info, std::size_t limit,
                                      text::Span at, text::Diagnostics& diagnostics) {
  const format::Format format = format::widened(info.format, value.shape());
  const auto least = tensor::Tensor::bytes_needed(value.type(), value.shape(), format);
  if (!least || *least > limit) {
    diagnostics
        .error("E0410", at,
               info.name + ", " + tensor::shape_text(value.shape()) + " as " + format::to_string(format) + ", needs " +
                   (least ? tensor::human_bytes(*least) : "more memory than there are addresses") + "; the limit is " +
                   tensor::human_bytes(limit),
               "")
        .notes.push_back({{}, "use another format, or a larger --memory"});
    return std::nullopt;
  }
  tensor::ConvertFailure failure;
  auto made = tensor::convert(
      value, format, value.dense() ? tensor::ExplicitFills::dropped : tensor::ExplicitFills::kept, limit, &failure);
  if (!made && failure.why.kind == tensor::PackFailure::Kind::memory)
    diagnostics.error("E0411", at,
                      "there is no memory to lay " + info.name + " out as " + format::to_string(info.format), "");
  else if (!made) report_pack_failure(failure.why, value, format, failure.index, at, diagnostics);
  return made;
}

}  // namespace

bool State::holds_as_declared(const lang::TensorInfo& info) const {
  const tensor::Tensor* value = data.held(info.name);
  if (!value || value->type() != info.type || value->fill() != info.fill || value->shape().size() != info.shape.size())
    return false;
  for (std::size_t d = 0; d < info.shape.size(); ++d)
    if (value_of(info.shape[d]) != value->shape()[d]) return false;
  return true;
}

std::optional<lang::syntax::Statement> State::outgrown(const lang::TensorInfo& info) const {
  if (!data.has(info.name) || holds_as_declared(info)) return std::nullopt;
  return actions.fill_of(info.name, last_action_);
}

std::string State::base_of(const std::string& name) const {
  const lang::Program* now = declarations.program();
  const lang::TensorInfo* info = now ? now->tensor(name) : nullptr;
  return info ? info->derived_from() : "";
}

namespace {

/// The same elements in another order, made again when the tensor is another one.
const tensor::Tensor* copy(State& state, const lang::TensorInfo& info, const tensor::Tensor& base, text::Span at,
                           text::Diagnostics& diagnostics) {
  auto made = lay_out(base, info, state.data_limit(), at, diagnostics);
  return made ? state.data.derive(info, std::move(*made), base) : nullptr;
}

/// Where an index tensor holds each value, made again when that is another one.
const tensor::Tensor* inverse(State& state, const lang::TensorInfo& info, const tensor::Tensor& base, text::Span at,
                              text::Diagnostics& diagnostics) {
  const auto shape = state.shape_of(info, at, diagnostics);
  if (!shape) return nullptr;
  if (const tensor::Tensor* known = state.data.derived(info, base); known && known->shape() == *shape) return known;
  auto made = tensor::inverse_lists(base, shape->front());
  return made ? state.data.derive(info, std::move(*made), base) : nullptr;
}

/// Of supernodes of a pattern.
std::optional<tensor::Tensor> of_supernodes(const lang::TensorInfo& info, const tensor::Tensor& pattern) {
  using What = lang::TensorInfo::Supernodes::What;
  const lang::TensorInfo::Supernodes& how = *info.supernodes;
  const tensor::ColumnsBelow columns(pattern);
  const std::vector<std::int32_t> firsts = tensor::supernodes(columns, how.relax);
  if (how.what == What::firsts) return tensor::pattern_from(firsts, columns.columns(), info.format);
  const tensor::RunsOfColumns panels = tensor::panels(columns, firsts);
  const format::Format format = format::widened(info.format, pattern.shape());
  if (how.what == What::panels) return tensor::pattern_of(panels, how.diagonal, format);
  return tensor::pattern_from(tensor::updates(panels), format::is_column_major(format), pattern.shape(), format);
}

// Made again when other entries are stored; other values in the same places make no difference.
const tensor::Tensor* derived(State& state, const lang::TensorInfo& info, text::Span at,
                              text::Diagnostics& diagnostics) {
  const lang::TensorInfo& from = *state.declarations.program()->tensor(info.derived_from());
  const tensor::Tensor* base = state.tensor(from, at, diagnostics);
  if (!base) return nullptr;
  if (!info.inverse_of.empty()) return inverse(state, info, *base, at, diagnostics);
  if (const tensor::Tensor* known = state.data.derived(info, *base)) return known;
  if (!info.format.pattern) return copy(state, info, *base, at, diagnostics);
  format::Format own = base->format();
  own.pattern = true;
  auto of = format::objection(own).empty() ? tensor::entries_of(*base, own) : std::optional(*base);
  auto value = !of               ? std::nullopt
               : info.supernodes ? of_supernodes(info, *of)
                                 : tensor::entries_of(*base, format::widened(info.format, base->shape()));
  if (value) return state.data.derive(info, std::move(*value), std::move(*of));
  diagnostics.error("E0411", at, "there is no memory for the pattern of " + info.derived_from(), "");
  return nullptr;
}

}  // namespace

const tensor::Tensor* State::tensor(const lang::TensorInfo& info, text::Span at, text::Diagnostics& diagnostics) {
  if (!info.derived_from().empty()) return derived(*this, info, at, diagnostics);
  const auto shape = shape_of(info, at, diagnostics);
  if (!shape) return nullptr;
  const bool holds = holds_as_declared(info);
  if (const auto fill = holds ? std::nullopt : outgrown(info)) {
    diagnostics
        .error("E0625", at,
               info.name + " is empty: it was filled as " + tensor::shape_text(data.held(info.name)->shape()) + " " +
                   std::string(format::name_of(data.held(info.name)->type())))
        .notes.push_back({info.span, "it is " + tensor::shape_text(*shape) + " " +
                                         std::string(format::name_of(info.type)) + " now: fill it again"});
    return nullptr;
  }
  const tensor::Tensor* value = data.held(info.name);
  if (holds && format::same_storage(value->format(), format::widened(info.format, *shape))) return value;
  auto made = holds ? lay_out(*value, info, data_limit(), at, diagnostics) : create(info, *shape, at, diagnostics);
  if (!made) return nullptr;
  data.lay(info.name, std::move(*made));
  return data.held(info.name);
}

lang::Kernel State::with_inheritance(const lang::Kernel& kernel) const {
  lang::Kernel found = kernel;
  const SharedText own = meaning_of(kernel);
  for (const std::string& name : kernel.results())
    if (const auto maker = data.makers()->find(name); maker != data.makers()->end() && maker->second != own)
      found.inherited.insert(name);
  return found;
}

bool State::keeps_promises(const lang::TensorInfo& info, const tensor::Tensor& value, text::Span at,
                           text::Diagnostics& diagnostics) const {
  if (!info.promises.any()) return true;
  const auto end = [&](const std::optional<math::Affine>& of) { return of ? value_of(*of) : std::nullopt; };
  const auto broken = tensor::broken_promise(value, info.promises, end(info.promises.low), end(info.promises.high));
  if (!broken) return true;
  text::Diagnostic& d = diagnostics.error(
      "E0416", at, info.name + " is not " + broken->promise + ": " + tensor::in_words(*broken, info.name));
  d.notes.push_back({info.span, "it is declared to be: " + format::to_string(info.promises)});
  return false;
}

bool State::keeps_promises(const lang::TensorInfo& info, text::Span at, text::Diagnostics& diagnostics) {
  const tensor::Tensor* value = data.held(info.name);
  if (!info.promises.any() || !value) return true;
  const auto end = [&](const std::optional<math::Affine>& of) { return of ? value_of(*of) : std::nullopt; };
  const Data::Kept promised{info.promises, end(info.promises.low), end(info.promises.high)};
  if (data.is_known_to_keep(info.name, promised)) return true;
  if (!keeps_promises(info, *value, at, diagnostics)) return false;
  data.note_kept(info.name, promised);
  return true;
}

}  // namespace trellis::session
