// load, random, fill_with, prune.
#include <algorithm>
#include <cmath>

#include "engine/format/misfit.hpp"
#include "engine/session/command/commands.hpp"
#include "engine/session/command/compute.hpp"
#include "engine/session/program/declare_filled.hpp"
#include "engine/session/program/files.hpp"
#include "engine/session/program/literal.hpp"
#include "engine/session/state/shape.hpp"
#include "engine/tensor/convert.hpp"
#include "engine/tensor/keeps_promises.hpp"
#include "engine/tensor/load.hpp"
#include "engine/tensor/load_coordinates.hpp"
#include "engine/tensor/random.hpp"

namespace trellis::session {
namespace {

using lang::syntax::Name;

/// A number, or the value of a parameter or size.
std::optional<double> read_end(State& state, Words& words) {
  if (words.peek() && words.peek()->kind == lang::syntax::Word::Kind::name) {
    text::Diagnostics ignored;
    state.program(ignored);
    if (const auto value = state.parameter(words.peek()->text)) {
      words.optional_name();
      return value->as_double();
    }
  }
  return words.number("a number, or a parameter that has a value");
}

std::optional<tensor::RandomRange> read_range(State& state, Words& words) {
  tensor::RandomRange range;
  const auto whole = [&] { return words.peek() && words.peek()->text.find_first_of(".eE") == std::string::npos; };
  range.integers = true;
  for (double* end : {&range.low, &range.high}) {
    if (end == &range.high && !words.accept(":")) {
      words.unexpected("`:` between the ends of the range");
      return std::nullopt;
    }
    const bool named = words.peek() && words.peek()->kind == lang::syntax::Word::Kind::name;
    const bool written_whole = whole();
    const auto value = read_end(state, words);
    if (!value) return std::nullopt;
    *end = *value;
    range.integers = range.integers && (named ? *end == std::floor(*end) : written_whole);
  }
  return range;
}

std::optional<tensor::RandomOptions> read_random(State& state, Words& words) {
  tensor::RandomOptions options;
  while (!words.at_end()) {
    if (words.accept("normal")) options.kind = tensor::RandomKind::normal;
    else if (words.accept("spd")) options.kind = tensor::RandomKind::positive_definite;
    else if (words.accept("seed")) {
      const auto seed = words.integer("a seed");
      if (!seed) return std::nullopt;
      options.seed = static_cast<std::uint64_t>(*seed);
    } else if (words.accept("density")) {
      const text::Span at = words.span();
      const auto density = words.number("a density between 0 and 1");
      if (!density) return std::nullopt;
      if (*density < 0 || *density > 1) {
        words.diagnostics().error("E0601", at, "a density lies between 0 and 1", "");
        return std::nullopt;
      }
      options.density = *density;
    } else if (words.accept("range")) {
      options.range = read_range(state, words);
      if (!options.range) return std::nullopt;
    } else {
      words.unexpected("`seed N`, `density X`, `spd`, `normal` or `range LO:HI`",
                       {"seed", "density", "spd", "normal", "range"});
      return std::nullopt;
    }
  }
  return options;
}

// `record 2`, `record "NAME"`; nothing when there is no such word. False when something is wrong.
bool read_record(Words& words, std::optional<tensor::RecordChoice>& record) {
  if (!words.accept("record")) return true;
  record = tensor::RecordChoice{1, "", words.span()};
  if (words.peek() && words.peek()->kind == lang::syntax::Word::Kind::string) {
    record->name = words.string("a record")->text;
    return true;
  }
  const auto number = words.integer("the number of a record, from 1, or its name in quotes");
  if (!number) return false;
  record->number = *number;
  if (*number < 1) words.diagnostics().error("E0601", record->span, "records are numbered from 1", "");
  return *number >= 1;
}

/// What differs from the fill.
tensor::Coordinates entries_of(const ListLiteral& literal, const format::Value& fill) {
  tensor::Coordinates list;
  list.shape = literal.shape;
  list.field = format::is_floating(fill.type) ? tensor::Coordinates::Field::real : tensor::Coordinates::Field::integer;
  list.unsigned_integers = fill.type == format::ScalarType::u64;
  auto value = literal.values.begin();
  tensor::for_each_index(literal.shape, [&](const tensor::Index& index) {
    const format::Value here = *value++;
    if (here == fill && std::signbit(here.real) == std::signbit(fill.real)) return;
    list.indices.insert(list.indices.end(), index.begin(), index.end());
    if (list.field == tensor::Coordinates::Field::real) list.reals.push_back(here.real);
    else list.integers.push_back(here.integer);
    ++list.count;
  });
  return list;
}

// Sizes that a command took from its data; given back unless the command succeeds.
class TentativeSizes {
 public:
  explicit TentativeSizes(State& state) : state_(state), before_(state.data.sizes()) {}
  TentativeSizes(const TentativeSizes&) = delete;
  TentativeSizes& operator=(const TentativeSizes&) = delete;
  ~TentativeSizes() {
    if (!kept_) state_.data.restore(std::move(before_));
  }
  void keep() { kept_ = true; }

 private:
  State& state_;
  Data::Sizes before_;
  bool kept_ = false;
};

}  // namespace

const lang::TensorInfo* find_tensor(State& state, const Name& name, Words& words) {
  const lang::Program* program = state.program(words.diagnostics());
  if (!program) return nullptr;
  if (const lang::TensorInfo* info = program->tensor(name.text)) return info;
  std::vector<std::string> names;
  for (const lang::TensorInfo& t : program->tensors) names.push_back(t.name);
  text::Diagnostic& d = words.diagnostics().error("E0615", name.span, "there is no tensor `" + name.text + "`", "");
  const std::string near = text::did_you_mean(name.text, names);
  d.notes.push_back(
      {{}, near.empty() ? "declare it first, as in `tensor " + name.text + "(n, n)`" : "did you mean `" + near + "`?"});
  return nullptr;
}

const lang::TensorInfo* tensor_word(State& state, Words& words) {
  const auto name = words.name("a tensor");
  return name ? find_tensor(state, *name, words) : nullptr;
}

/// Indices that are what is promised of them: from 0 to below their number, where no range is given.
bool random_as_promised(State& state, const lang::TensorInfo& info, tensor::Tensor& made, std::uint64_t seed,
                        Words& words) {
  const auto end = [&](const std::optional<math::Affine>& of, std::int64_t otherwise) {
    return of ? state.value_of(*of).value_or(otherwise) : otherwise;
  };
  const std::int64_t low = end(info.promises.low, 0), high = end(info.promises.high, low + made.count());
  if (tensor::fill_as_promised(made, info.promises, low, high, seed)) return true;
  words.diagnostics().error("E0416", words.whole(), "there are not as many numbers as " + info.name + " has elements",
                            "from " + std::to_string(low) + " to below " + std::to_string(high) + ", for " +
                                std::to_string(made.count()) + " elements");
  return false;
}

CommandResult random(State& state, Words& words) {
  const lang::TensorInfo* info = tensor_word(state, words);
  auto options = info ? read_random(state, words) : std::nullopt;
  if (!options) return {};
  const auto shape = state.shape_of(*info, words.whole(), words.diagnostics());
  auto made = shape ? state.create(*info, *shape, words.whole(), words.diagnostics()) : std::nullopt;
  options->limit_bytes = state.data_limit();
  options->cancelled = state.cancel.question();
  const bool plain = !options->density && !options->range && options->kind == tensor::RandomKind::general &&
                     info->promises.any() && info->format.all_dense();
  if (!made || !(plain ? random_as_promised(state, *info, *made, options->seed, words)
                       : tensor::fill_random(*made, *options, words.whole(), words.diagnostics())))
    return {};
  if (!state.keeps_promises(*info, *made, words.whole(), words.diagnostics())) return {};
  const std::int64_t count = made->entries();
  state.data.put(info->name, std::move(*made));
  return {Loaded{info->name, *shape, count}};
}

CommandResult fill_with(State& state, Words& words) {
  const lang::TensorInfo* info = tensor_word(state, words);
  if (!info) return {};
  const auto literal = read_literal(words, info->type);
  TentativeSizes sizes(state);
  if (!literal ||
      !bind_shape(state, *info, literal->shape, ShapeClaim::exact, "the literal", words.whole(), words.diagnostics()))
    return {};
  auto made = state.create(*info, literal->shape, words.whole(), words.diagnostics());
  if (!made) return {};
  if (!tensor::load_into(*made, entries_of(*literal, info->fill), words.whole(), words.diagnostics(),
                         {.limit_bytes = state.data_limit()}))
    return {};
  if (!state.keeps_promises(*info, *made, words.whole(), words.diagnostics())) return {};
  state.data.put(info->name, std::move(*made));
  sizes.keep();
  return {Loaded{info->name, literal->shape, static_cast<std::int64_t>(literal->values.size())}};
}

/// A tensor that nothing declares would be declared as its file has it: where that cannot be read, that is the mistake.
bool reports_file(State& state, const Name& tensor, const Words& words) {
  const lang::Program* program = state.program(words.diagnostics());
  const lang::syntax::Word* file = words.peek();
  if (!program || program->tensor(tensor.text) || !file || file->kind != lang::syntax::Word::Kind::string) return false;
  const auto path = path_of(state, {file->text, file->span}, words.diagnostics());
  return !path || !tensor::read_contents(file_request(state, *path, file->span), words.diagnostics());
}

namespace {

/// What lies in its file as the tensor is declared, so that nothing has to be copied.
std::optional<tensor::Tensor> left_in_file(const tensor::FileContents& contents, const lang::TensorInfo& info,
                                           const tensor::Index& shape) {
  const auto* array = std::get_if<tensor::ArrayContents>(&contents.is);
  if (!array || !array->in_place || array->tensor.type() != info.type) return std::nullopt;
  const bool same = array->tensor.fill() == info.fill && array->tensor.shape() == shape &&
                    format::same_storage(array->tensor.format(), format::widened(info.format, shape));
  return same ? std::optional(array->tensor) : std::nullopt;
}

}  // namespace

CommandResult load(State& state, Words& words) {
  const auto named = words.name("a tensor");
  if (!named || reports_file(state, *named, words)) return {};
  const auto name = words.string("a file name in quotes");
  const lang::TensorInfo* info = name ? find_tensor(state, *named, words) : nullptr;
  std::optional<tensor::RecordChoice> record;
  if (!info || !read_record(words, record) || !words.finish()) return {};
  const auto path = path_of(state, *name, words.diagnostics());
  if (!path) return {};
  auto contents = tensor::read_contents(file_request(state, *path, name->span, record), words.diagnostics());
  if (!contents) return {};
  // A list without an entry says nothing about sizes, unless it states them.
  const bool says_nothing = !contents->shape_is_stated() && contents->shape().empty() && contents->entries() == 0;
  const tensor::Index given =
      tensor::shape_for_rank(*contents, static_cast<int>(info->shape.size())).value_or(contents->shape());
  TentativeSizes sizes(state);
  const ShapeClaim claim = contents->shape_is_stated() ? ShapeClaim::exact : ShapeClaim::at_least;
  if (!says_nothing &&
      !bind_shape(state, *info, given, claim, "`" + name->text + "`", words.whole(), words.diagnostics()))
    return {};
  const auto shape = state.shape_of(*info, words.whole(), words.diagnostics());
  if (!shape) return {};
  const std::int64_t entries = contents->entries();
  const bool as_truths = format::is_boolean(info->type) && contents->beyond_truths();
  auto made = left_in_file(*contents, *info, *shape);
  const bool in_file = made.has_value();
  if (!made) {
    made = state.create(*info, *shape, words.whole(), words.diagnostics());
    state.tell({"storing", 0, 0, info->name});
    if (!made || !tensor::load_into(*made, std::move(*contents), name->span, words.diagnostics(),
                                    {.limit_bytes = state.data_limit(), .cancelled = state.cancel.question()}))
      return {};
  }
  if (!state.keeps_promises(*info, *made, name->span, words.diagnostics())) return {};
  state.data.put(info->name, std::move(*made));
  sizes.keep();
  return {Loaded{info->name, *shape, entries, as_truths, in_file}};
}

CommandResult prune(State& state, Words& words) {
  const lang::TensorInfo* found = tensor_word(state, words);
  if (!found || !words.finish()) return {};
  const lang::TensorInfo info = *found;
  CommandResult result;
  const tensor::Tensor* value = computed(state, info, words, result.exit);
  if (!value) return result;
  const Pruned unchanged{info.name, value->entries(), value->entries()};
  if (value->dense() || !state.data.has(info.name)) return {unchanged};
  auto made = tensor::convert(*value, value->format(), tensor::ExplicitFills::dropped, state.data_limit());
  if (!made) {
    words.diagnostics().error("E0411", words.whole(), "there is no memory for another copy of " + info.name, "");
    return {};
  }
  const Pruned pruned{info.name, unchanged.before, made->entries()};
  if (pruned.after < pruned.before) state.data.store_anew(info.name, std::move(*made));
  return {pruned};
}

}  // namespace trellis::session
