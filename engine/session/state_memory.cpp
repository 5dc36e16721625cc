// The tensors, sizes and finished runs of a session.
#include <algorithm>

#include "engine/format/misfit.hpp"
#include "engine/lang/parse.hpp"
#include "engine/lang/push_shapes.hpp"
#include "engine/math/sizes.hpp"
#include "engine/run/sandbox.hpp"
#include "engine/session/shape.hpp"
#include "engine/session/state.hpp"
#include "engine/tensor/allocate.hpp"
#include "engine/tensor/convert.hpp"
#include "engine/tensor/entries.hpp"
#include "engine/tensor/keeps_promises.hpp"
#include "engine/tensor/storage.hpp"

namespace trellis::session {

std::optional<format::Value> State::parameter(const std::string& name) const {
  if (program_)
    if (const lang::ParameterInfo* info = program_->parameter(name); info && info->value) return info->value;
  const auto bound = sizes_.find(name);
  return bound == sizes_.end() ? std::nullopt : std::optional(bound->second);
}

std::optional<std::int64_t> State::value_of(const math::Affine& size) const {
  return size.evaluate([&](const std::string& name) -> std::optional<std::int64_t> {
    const auto known = parameter(name);
    return known ? std::optional(known->as_integer()) : std::nullopt;
  });
}

bool State::bind(const std::string& name, std::int64_t value) {
  if (const auto known = parameter(name)) return known->as_integer() == value;
  stale_ = stale_ || value > format::largest_narrow || !program_ || lang::asks_for_values(*program_);
  sizes_[name] = format::Value::of_integer(format::ScalarType::i64, value);
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
    if (!parameter(name)) report_unknown_size(name, tensor.name, at, diagnostics);
  return std::nullopt;
}

void State::report_unknown_size(const std::string& size, const std::string& what, text::Span at,
                                text::Diagnostics& diagnostics) {
  // A run that nobody wrote has no place; the size has one.
  const lang::ParameterInfo* declared = program_ ? program_->parameter(size) : nullptr;
  if (at.begin == at.end && declared) at = declared->span;
  text::Diagnostic& d = diagnostics.error("E0602", at, "the size " + size + " of " + what + " has no value yet", "");
  d.fixes.push_back({"param " + size + " = 5", "or load a tensor of that size, or run with -D " + size + "=5", 0});
  offer = {d.fixes, ""};
}

void State::finish(const lang::Kernel& kernel, FinishedRun run) {
  finished_[definition_key(kernel)] = std::make_shared<const FinishedRun>(std::move(run));
}

const FinishedRun* State::finished(const lang::Kernel& kernel) const {
  const auto found = finished_.find(definition_key(kernel));
  if (found == finished_.end()) return nullptr;
  const auto same = [&](const auto& then) {
    const auto now = parameter(then.first);
    return now && tensor::same_value(*now, then.second);  // a parameter may be no number
  };
  return std::ranges::all_of(found->second->before.parameters, same) ? found->second.get() : nullptr;
}

bool State::ever_ran(const std::string& kernel) const {
  return std::ranges::any_of(finished_, [&](const auto& run) { return run.second->kernel == kernel; });
}

const FinishedRun* State::run_that_left(const std::string& tensor) const {
  const tensor::Tensor* value = has(tensor) ? held(tensor) : nullptr;
  if (!value) return nullptr;
  for (const auto& [definition, run] : finished_)
    if (const auto left = run->after.find(tensor);
        left != run->after.end() && &left->second.storage() == &value->storage())
      return run.get();
  return nullptr;
}

void State::rewind(const lang::Kernel& kernel) {
  const auto position = [&](const std::string& name) {
    return std::ranges::find(program_->kernels, name, &lang::Kernel::name);
  };
  for (const std::string& name : kernel.results())
    for (const FinishedRun* run = run_that_left(name); run && position(run->kernel) >= position(kernel.name);
         run = run_that_left(name)) {
      const tensor::Tensor before = run->before.tensors.at(name);
      if (&before.storage() == &held(name)->storage()) break;  // it defined nothing
      const auto maker = run->makers.find(name);
      if (maker != run->makers.end()) {
        put(name, before, maker->second);
        continue;
      }
      drop(name);
    }
}

std::map<std::string, SharedText> State::makers(const std::vector<std::string>& tensors) const {
  std::map<std::string, SharedText> found;
  for (const std::string& name : tensors)
    if (const auto maker = makers_.find(name); maker != makers_.end()) found.insert(*maker);
  return found;
}

std::size_t State::data_limit() const { return options.data_limit ? options.data_limit : run::default_memory_limit(); }

std::optional<tensor::Tensor> State::create(const lang::TensorInfo& info, const tensor::Index& shape, text::Span at,
                                            text::Diagnostics& diagnostics) {
  return tensor::allocate(info.type, shape, format::widened(info.format, shape), info.fill,
                          {info.name, at, data_limit()}, diagnostics);
}

// The declared format has changed since the tensor was made.
std::optional<tensor::Tensor> State::lay_out(const tensor::Tensor& value, const lang::TensorInfo& info, text::Span at,
                                             text::Diagnostics& diagnostics) {
  const format::Format format = format::widened(info.format, value.shape());
  const auto least = tensor::Tensor::bytes_needed(value.type(), value.shape(), format);
  if (!least || *least > data_limit()) {
    diagnostics
        .error("E0410", at,
               info.name + ", " + tensor::shape_text(value.shape()) + " as " + format::to_string(format) + ", needs " +
                   (least ? tensor::human_bytes(*least) : "more memory than there are addresses") + "; the limit is " +
                   tensor::human_bytes(data_limit()),
               "")
        .notes.push_back({{}, "use another format, or a larger --memory"});
    return std::nullopt;
  }
  tensor::ConvertFailure failure;
  auto made =
      tensor::convert(value, format, value.dense() ? tensor::ExplicitFills::dropped : tensor::ExplicitFills::kept,
                      data_limit(), &failure);
  if (!made && failure.why.kind == tensor::PackFailure::Kind::memory)
    diagnostics.error("E0411", at,
                      "there is no memory to lay " + info.name + " out as " + format::to_string(info.format), "");
  else if (!made) report_pack_failure(failure.why, value, format, failure.index, at, diagnostics);
  return made;
}

bool State::holds_as_declared(const lang::TensorInfo& info) const {
  const tensor::Tensor* value = held(info.name);
  if (!value || value->type() != info.type || value->fill() != info.fill || value->shape().size() != info.shape.size())
    return false;
  for (std::size_t d = 0; d < info.shape.size(); ++d)
    if (value_of(info.shape[d]) != value->shape()[d]) return false;
  return true;
}

std::optional<lang::syntax::Statement> State::outgrown(const lang::TensorInfo& info) const {
  if (!has(info.name) || holds_as_declared(info)) return std::nullopt;
  return actions.fill_of(info.name, last_action_);
}

namespace {

/// Do the two store the same places? Where levels store what nobody listed, values tell which of them count.
bool stores_the_same(const tensor::Tensor& then, const tensor::Tensor& now) {
  format::Format own = now.format();
  own.pattern = true;
  if (!format::objection(own).empty()) return &then.storage() == &now.storage();
  return tensor::same_entries(then, now);
}

}  // namespace

// Made again when other entries are stored; other values in the same places make no difference.
const tensor::Tensor* State::entries(const lang::TensorInfo& info, text::Span at, text::Diagnostics& diagnostics) {
  const tensor::Tensor* base = tensor(*program_->tensor(info.entries_of), at, diagnostics);
  if (!base) return nullptr;
  const auto known = derived_.find(info.name);
  if (known != derived_.end() && derived_the_same(info.name, known->second.value)) return &known->second.value;
  format::Format own = base->format();
  own.pattern = true;
  auto of = format::objection(own).empty() ? tensor::entries_of(*base, own) : std::optional(*base);
  auto value = of ? tensor::entries_of(*base, format::widened(info.format, base->shape())) : std::nullopt;
  if (!value) {
    diagnostics.error("E0411", at, "there is no memory for the pattern of " + info.entries_of, "");
    return nullptr;
  }
  return &(derived_[info.name] = {std::move(*value), std::move(*of)}).value;
}

bool State::derived_the_same(const std::string& name, const tensor::Tensor& then) const {
  const lang::TensorInfo* info = program_ ? program_->tensor(name) : nullptr;
  const tensor::Tensor* base = info ? held(info->entries_of) : nullptr;
  const auto known = derived_.find(name);
  return base && known != derived_.end() && &known->second.value.storage() == &then.storage() &&
         stores_the_same(known->second.of, *base) &&
         format::same_storage(then.format(), format::widened(info->format, base->shape()));
}

const tensor::Tensor* State::tensor(const lang::TensorInfo& info, text::Span at, text::Diagnostics& diagnostics) {
  if (!info.entries_of.empty()) return entries(info, at, diagnostics);
  const auto shape = shape_of(info, at, diagnostics);
  if (!shape) return nullptr;
  const bool holds = holds_as_declared(info);
  if (const auto fill = holds ? std::nullopt : outgrown(info)) {
    diagnostics
        .error("E0625", at,
               info.name + " is empty: it was filled as " + tensor::shape_text(held(info.name)->shape()) + " " +
                   std::string(format::name_of(held(info.name)->type())))
        .notes.push_back({info.span, "it is " + tensor::shape_text(*shape) + " " +
                                         std::string(format::name_of(info.type)) + " now: fill it again"});
    return nullptr;
  }
  tensor::Tensor& slot = tensors_[info.name];
  if (holds && format::same_storage(slot.format(), format::widened(info.format, *shape))) return &slot;
  auto made = holds ? lay_out(slot, info, at, diagnostics) : create(info, *shape, at, diagnostics);
  if (!made) return nullptr;
  slot = std::move(*made);
  return &slot;
}

void State::put(const std::string& name, tensor::Tensor value, SharedText maker) {
  tensors_[name] = std::move(value);
  makers_[name] = std::move(maker);
  kept_.erase(name);
  ++version_;
}

void State::store_anew(const std::string& name, tensor::Tensor value) {
  tensors_[name] = std::move(value);
  kept_.erase(name);
  ++version_;
}

lang::Kernel State::with_inheritance(const lang::Kernel& kernel) const {
  lang::Kernel found = kernel;
  const SharedText own = meaning_of(kernel);
  for (const std::string& name : kernel.results())
    if (const auto maker = makers_.find(name); maker != makers_.end() && maker->second != own)
      found.inherited.insert(name);
  return found;
}

bool State::filled_by(const std::string& tensor, const std::string& command) const {
  const lang::TensorInfo* info = program_ ? program_->tensor(tensor) : nullptr;
  if (!info || !has(tensor) || !holds_as_declared(*info)) return false;
  const auto fill = actions.fill_of(tensor, last_action_);
  return fill && lang::to_string(*fill) == command;
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
  const tensor::Tensor* value = held(info.name);
  if (!info.promises.any() || !value) return true;
  if (const auto known = kept_.find(info.name); known != kept_.end() && known->second == info.promises) return true;
  if (!keeps_promises(info, *value, at, diagnostics)) return false;
  kept_[info.name] = info.promises;
  return true;
}

void State::drop(const std::string& tensor) {
  kept_.erase(tensor);
  tensors_.erase(tensor);
  makers_.erase(tensor);
  ++version_;
}

void State::keep_what_stands(const Fills& before, const Fills& wanted) {
  text::Diagnostics ignored;
  const lang::Program* now = program(ignored);
  if (!now) return;
  std::set<SharedText> meanings;
  std::set<const FinishedRun*> runs;
  for (const lang::Kernel& kernel : now->kernels) {
    meanings.insert(meaning_of(kernel));
    if (const FinishedRun* run = finished(kernel)) runs.insert(run);
  }
  const auto command_in = [](const Fills& fills, const std::string& name) {
    const auto found = fills.find(name);
    return found == fills.end() ? std::string() : found->second;
  };
  const auto stands = [&](const std::string& name, const SharedText& maker) {
    const lang::TensorInfo* info = now->tensor(name);
    if (!info) return false;
    if (const FinishedRun* run = run_that_left(name); run && !runs.contains(run)) return false;
    if (!maker.empty()) return meanings.contains(maker) && holds_as_declared(*info);
    const std::string command = command_in(wanted, name), earlier = command_in(before, name);
    if (!command.empty()) return filled_by(name, command);
    const auto fill = actions.fill_of(name, last_action_);
    return !fill || lang::to_string(*fill) != earlier;
  };
  std::vector<std::string> fallen;
  for (const auto& [name, maker] : makers_)
    if (!stands(name, maker)) fallen.push_back(name);
  const bool data_falls = std::ranges::any_of(fallen, [&](const std::string& name) { return before.contains(name); });
  for (const std::string& name : fallen) drop(name);
  std::erase_if(finished_, [&](const auto& run) { return !runs.contains(run.second.get()); });
  std::erase_if(tensors_, [&](const auto& held) { return !makers_.contains(held.first); });
  // Sizes may have come with the data: what is still wanted is filled again, with the sizes that there are then.
  if (!data_falls || sizes_.empty()) return;
  for (const auto& [name, command] : before) drop(name);
  forget_sizes_of_data();
}

// Those of data that stays are what it says they are.
void State::forget_sizes_of_data() {
  sizes_.clear();
  stale_ = true;
  text::Diagnostics ignored;
  const lang::Program* now = program(ignored);
  for (const auto& [name, maker] : makers_)
    if (const lang::TensorInfo* info = now ? now->tensor(name) : nullptr)
      bind_shape(*this, *info, tensors_.at(name).shape(), ShapeClaim::exact, name, {}, ignored);
}

}  // namespace trellis::session
