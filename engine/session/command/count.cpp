// count.
#include <limits>

#include "engine/explore/count_steps.hpp"
#include "engine/session/command/commands.hpp"
#include "engine/session/command/compute.hpp"
#include "engine/session/program/files.hpp"
#include "engine/session/replay/record.hpp"
#include "engine/session/running/refill.hpp"
#include "engine/tensor/file.hpp"
#include "engine/view/growth.hpp"

namespace trellis::session {
namespace {

using lang::syntax::Name;
using lang::syntax::Word;

struct CountOptions {
  std::optional<Name> kernel, size, file;
  std::vector<std::int64_t> values;
};

bool is_size(State& state, const std::string& name) {
  text::Diagnostics ignored;
  const lang::Program* program = state.program(ignored);
  const lang::ParameterInfo* found = program ? program->parameter(name) : nullptr;
  return found && !found->real;
}

/// `[KERNEL] [SIZE N N …] ["growth.svg"]`; empty is reported.
std::optional<CountOptions> read_count(State& state, Words& words) {
  CountOptions options;
  while (!words.at_end() && words.peek()->kind == Word::Kind::name && !options.size) {
    if (is_size(state, words.peek()->text)) options.size = words.optional_name();
    else if (!options.kernel) options.kernel = words.optional_name();
    else break;
  }
  while (options.size && !words.at_end() && words.peek()->kind == Word::Kind::number) {
    const text::Span at = words.span();
    const auto value = words.integer("a value of the size");
    if (!value) return std::nullopt;
    if (*value < 1 || (!options.values.empty() && *value <= options.values.back())) {
      words.diagnostics().error("E0601", at, "`count` takes values of " + options.size->text + " that rise, from 1 on",
                                "");
      return std::nullopt;
    }
    options.values.push_back(*value);
  }
  if (options.values.size() > 1 && !words.at_end() && words.peek()->kind == Word::Kind::string)
    options.file = words.string("a file name in quotes");
  if (options.file && !options.file->text.ends_with(".png") && !options.file->text.ends_with(".svg")) {
    words.diagnostics().error("E0617", options.file->span, "\"" + options.file->text + "\" should end in .png or .svg",
                              "");
    return std::nullopt;
  }
  if (options.size && options.values.empty())
    words.unexpected("values of " + options.size->text + ", such as `4 8 16`");
  else if (!words.at_end()) words.unexpected("a kernel, or a size and its values: `n 4 8 16`");
  else return options;
  return std::nullopt;
}

/// The session as if the size had that value; what was filled is filled again.
State with_size(const State& state, const std::string& size, std::int64_t value, Words& words) {
  State other = state;
  other.options.parameters[size] = format::Value::of(format::ScalarType::i64, static_cast<double>(value));
  other.restore(other.content());
  text::Diagnostics said;
  fill_again(other, words.whole(), said);
  return other;
}

/// Empty is reported.
std::optional<Counted::Row> count_now(State& state, const std::optional<Name>& name, Words& words, Exit& exit) {
  const lang::Kernel* found = state.kernel(name, words.whole(), words.diagnostics());
  if (!found) return std::nullopt;
  const lang::Kernel kernel = *found;
  if (!run_operands_of(state, kernel, words, exit)) return std::nullopt;
  const auto compilation = state.compilation(kernel, words.diagnostics());
  constexpr std::int64_t any_number = std::numeric_limits<std::int64_t>::max();
  const auto bindings = compilation ? found_by(state, compilation->program, compilation->kernel, any_number,
                                               words.whole(), words.diagnostics())
                                    : std::nullopt;
  if (!bindings) return std::nullopt;
  const flow::Bindings data{bindings->parameters, bindings->tensors};
  const explore::StepCount count = explore::count_steps(compilation->flow, data);
  if (count.fault) {
    words.diagnostics().error("E0501", count.fault->span, count.fault->message, "");
    exit = Exit::kernel_failed;
    return std::nullopt;
  }
  Counted::Row row{0, count.steps, count.operations, 0, 0};
  for (const std::string& result : kernel.results()) {
    const tensor::Tensor& value = data.tensors.at(result);
    row.entries += value.dense() ? value.count() : value.entries();
    row.elements += static_cast<double>(value.count());
  }
  return row;
}

/// At another size; of what is said there only errors are news. Empty is reported.
std::optional<Counted::Row> count_at(const State& state, const std::string& size, std::int64_t value,
                                     const Name& kernel, Words& words, Exit& exit) {
  State other = with_size(state, size, value, words);
  const lang::syntax::Command command{{"count", words.whole()}, {}};
  text::Diagnostics said;
  Words quiet(command, words.whole(), said);
  auto row = count_now(other, kernel, quiet, exit);
  if (row) row->value = value;
  for (const text::Diagnostic& d : said.all())
    if (d.severity == text::Severity::error) words.diagnostics().add(d);
  return row;
}

}  // namespace

CommandResult count(State& state, Words& words) {
  const auto options = read_count(state, words);
  if (!options) return {};
  const lang::Kernel* kernel = state.kernel(options->kernel, words.whole(), words.diagnostics());
  if (!kernel) return {};
  Counted counted{kernel->name, options->size ? options->size->text : "", {}, ""};
  CommandResult result;
  const Name name{kernel->name, words.whole()};
  for (const std::int64_t value : options->values) {
    state.tell({"counting", 0, 0, counted.size + " = " + std::to_string(value)});
    const auto row = count_at(state, counted.size, value, name, words, result.exit);
    if (!row) return result;
    counted.rows.push_back(*row);
  }
  if (options->values.empty()) {
    const auto row = count_now(state, name, words, result.exit);
    if (!row) return result;
    counted.rows.push_back(*row);
  }
  if (options->file) {
    const auto path = path_of(state, *options->file, words.diagnostics());
    if (!path) return {};
    counted.path = *path;
    const view::Picture picture = view::growth_chart(growth_of(counted), "kernel " + counted.kernel);
    tensor::AtomicFile file(counted.path);
    file.write(counted.path.ends_with(".svg") ? view::to_svg(picture) : view::to_png(picture));
    if (const std::string why = file.commit(); !why.empty()) {
      words.diagnostics().error("E0412", options->file->span, "cannot write \"" + counted.path + "\": " + why);
      return {};
    }
  }
  result.result = std::move(counted);
  return result;
}

}  // namespace trellis::session
