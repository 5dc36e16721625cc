#include "tests/bench/contest.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <set>
#include <utility>

#include "engine/compile.hpp"
#include "engine/lang/parse.hpp"
#include "engine/run/backends.hpp"
#include "engine/symbolic/with_patterns.hpp"
#include "engine/tensor/random.hpp"
#include "tests/bench/difference.hpp"
#include "tests/bench/measure.hpp"

namespace trellis::bench {
namespace {

/// Of the table that is being made.
std::vector<std::string>& broken_rows() {
  static std::vector<std::string> names;
  return names;
}

std::string c_type(const emit::Argument& argument) {
  if (argument.kind == emit::Argument::Kind::size) return "long";
  if (argument.kind == emit::Argument::Kind::real) return "double";
  static const std::map<format::ScalarType, std::string> names = {
      {format::ScalarType::f64, "double"}, {format::ScalarType::i32, "int"}, {format::ScalarType::u8, "unsigned char"}};
  return names.at(argument.type);
}

}  // namespace

std::optional<emit::Module> module_of(const std::string& program) {
  text::Sources texts;
  text::Diagnostics diagnostics;
  const auto file = lang::parse(texts, texts.add("bench", program), diagnostics);
  auto resolved = lang::resolve(file, diagnostics);
  if (!resolved) return std::nullopt;
  resolved = symbolic::with_patterns(std::move(*resolved), diagnostics);
  const Compilation compilation = compile(*resolved, resolved->kernels.back(), diagnostics);
  if (diagnostics.has_errors() || compilation.rejected) return std::nullopt;
  return compilation.module;
}

emit::Module by_hand(const std::string& source, const std::string& function, std::vector<emit::Argument> arguments) {
  emit::Module module;
  module.kernel = function;
  module.entry = function + "_entry";
  std::string call;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string slot = "arguments[" + std::to_string(i) + "]";
    const bool array = arguments[i].kind == emit::Argument::Kind::array;
    call += (i ? ", " : "") + (array ? slot : "*(const " + c_type(arguments[i]) + " *)" + slot);
  }
  module.source = source + "\nint " + module.entry + "(void *const *arguments) {\n  " + function + "(" + call +
                  ");\n  return 0;\n}\n";
  module.arguments = std::move(arguments);
  return module;
}

namespace {

/// Levels that a kernel writes are appended to, and begin with room and nothing in them.
bool appends_to(const emit::Module& module, const std::string& tensor) {
  return std::ranges::any_of(module.arguments,
                             [&](const emit::Argument& a) { return a.name == tensor && a.written && a.level >= 0; });
}

/// What the kernel writes, each tensor once: a pattern has no values among the arguments.
std::set<std::string> written(const emit::Module& module) {
  std::set<std::string> names;
  for (const emit::Argument& argument : module.arguments)
    if (argument.written) names.insert(argument.name);
  return names;
}

void renew(run::Bindings& own, const emit::Module& module, const run::Bindings& data) {
  constexpr std::size_t room = std::size_t{1} << 32;
  for (const std::string& name : written(module)) {
    const tensor::Tensor& original = data.arrays.at(name);
    tensor::Tensor& tensor = own.arrays.at(name);
    if (appends_to(module, name))
      tensor = tensor::Tensor::reserve(original.type(), original.shape(), original.format(), original.fill(), room,
                                       tensor::Writer::this_process)
                   .value();
    else std::memcpy(tensor.data(), original.data(), original.array_bytes(-1, format::Array::values));
  }
}

/// Results that have the entries of another tensor, its mask say, share their structure.
run::Bindings with_structures(run::Bindings data, const emit::Module& module) {
  for (const emit::Argument& argument : module.arguments) {
    if (argument.entries_of.empty()) continue;
    tensor::Tensor& values = data.arrays.at(argument.name);
    values = values.with_structure_of(data.arrays.at(argument.entries_of), tensor::Writer::this_process).value();
  }
  return data;
}

}  // namespace

std::optional<Measured> native(const std::optional<emit::Module>& module, const run::Bindings& given, int threads,
                               std::shared_ptr<run::Bindings> results) {
  if (!module) return std::nullopt;
  const run::Bindings data = with_structures(given, *module);
  auto compiled = run::compile(*module, only_small() ? run::Backend::jit : run::Backend::native);
  const auto* kernel = std::get_if<run::Kernel>(&compiled);
  if (!kernel) return std::nullopt;
  run::Bindings own = data;
  for (const std::string& name : written(*module)) own.arrays[name] = data.arrays.at(name).clone();
  run::Limits limits;
  limits.trusted = true;
  limits.threads = threads;
  if (only_once() && !results) results = std::make_shared<run::Bindings>();
  const std::shared_ptr<const run::Bindings> kept = results;
  auto run = [kernel = *kernel, own, data, limits, results]() mutable {
    renew(own, kernel.module(), data);
    // A copy to go back to would push what the kernel reads out of the caches; a peer makes none.
    const double ms = run::execute(kernel, own, limits, run::AfterFailure::abandoned).run_ms;
    // The next run gives up what was appended to, and takes its pages again. To settle runs takes longer than to
    // compute them.
    for (auto& [name, array] : own.arrays)
      if (!format::appends_runs(array.format()) || !appends_to(kernel.module(), name) || results) array.publish();
    if (results)
      for (const std::string& name : written(kernel.module())) results->arrays[name] = own.arrays[name].clone();
    results = nullptr;
    return ms;
  };
  return Measured(std::move(run), kept);
}

Measured called(std::function<void()> prepare, std::function<void()> run) {
  return [prepare = std::move(prepare), run = std::move(run)] {
    prepare();
    return time_once(run);
  };
}

/// Other work on the machine slows spells of some milliseconds: a short kernel is measured for longer than those.
constexpr double least_ms = 500;
/// One that takes seconds is not slowed by them, and others wait.
constexpr double most_ms = 2000;

void tell_row(const std::string& name) {
  if (isatty(STDERR_FILENO)) std::fprintf(stderr, "\r\033[K%s", name.c_str());
}

std::string& only_rows() {
  static std::string part;
  return part;
}

bool& only_once() {
  static bool once = false;
  return once;
}

bool& only_small() {
  static bool small = false;
  return small;
}

std::int64_t sized(std::int64_t usually, std::int64_t small) { return only_small() ? small : usually; }

std::optional<Row> contest(const std::string& name, const Entrant& ours, const Entrant& peer, int turns,
                           double target) {
  if (!ours.run && name.find(only_rows()) != std::string::npos) broken_rows().push_back(name);
  if (!ours.run || !peer.run || name.find(only_rows()) == std::string::npos) return std::nullopt;
  tell_row(name);
  if (only_once()) {
    const double ours_ms = (*ours.run)();
    Row row{name, ours_ms, 0, peer.name, (*peer.run)(), target};
    if (peer.same) row.difference = difference(ours.run->written(), peer.run->written());
    return row;
  }
  std::vector<double> our_ms, peer_ms;
  // Caches, pages and clocks settle within two turns, which do not count.
  for (double warm_ms = 0; const bool second : {false, true})
    if (!second || warm_ms < most_ms) warm_ms += (*ours.run)() + (*peer.run)();
  double total_ms = 0;
  while (our_ms.empty() || (total_ms < most_ms && (std::ssize(our_ms) < turns || total_ms < least_ms))) {
    our_ms.push_back((*ours.run)());
    peer_ms.push_back((*peer.run)());
    total_ms += our_ms.back() + peer_ms.back();
  }
  tell_row("");
  const Summary summary = summarise(our_ms);
  return Row{name, summary.median, summary.deviation, peer.name, run::median(peer_ms), target};
}

std::optional<Row> of_group(const std::string& group, std::optional<Row> row, const std::function<double()>& apart) {
  if (!row) return row;
  row->group = group;
  row->difference = apart();
  return row;
}

namespace {

/// Groups stand where their first rows stood.
std::vector<Row> with_means(const std::vector<Row>& rows) {
  std::vector<Row> all;
  std::set<std::string> done;
  for (const Row& row : rows) {
    if (row.group.empty()) all.push_back(row);
    if (row.group.empty() || !done.insert(row.group).second) continue;
    double logarithms = 0;
    int count = 0;
    for (const Row& other : rows)
      if (other.group == row.group) {
        all.push_back(other);
        if (other.failed.empty()) logarithms += std::log(other.ratio()), ++count;
      }
    if (count == 0) continue;
    Row mean;
    mean.name = row.group + ", geometric mean of " + std::to_string(count);
    mean.mean = std::exp(logarithms / count);
    all.push_back(mean);
  }
  return all;
}

}  // namespace

Table table_of(const std::string& name, std::vector<std::optional<Row>> rows) {
  Table table{name, "native, one thread, in turns, medians", {}};
  int missing = 0;
  for (std::optional<Row>& row : rows) {
    if (row) table.rows.push_back(std::move(*row));
    else ++missing;
  }
  if (missing > 0)
    table.remark += "; " + std::to_string(missing) + " rows left out: third_party/README.md names the peers to install";
  table.rows = with_means(table.rows);
  table.broken = std::exchange(broken_rows(), {});
  return table;
}

tensor::Tensor random_matrix(std::int64_t rows, std::int64_t columns, std::uint64_t seed) {
  auto matrix = *tensor::Tensor::create(format::ScalarType::f64, {rows, columns}, format::Format::dense(2),
                                        format::Value::of(format::ScalarType::f64, 0));
  text::Diagnostics diagnostics;
  tensor::RandomOptions options;
  options.seed = seed;
  tensor::fill_random(matrix, options, {}, diagnostics);
  return matrix;
}

}  // namespace trellis::bench
