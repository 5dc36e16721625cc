// Libraries that `export c` writes, of kernels of examples: they build without a warning, and their examples
// print what the session computes.

#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <map>
#include <sstream>

#include "engine/emit/entry.hpp"
#include "engine/emit/helper_text.hpp"
#include "engine/emit/tensor_library.hpp"
#include "engine/run/call.hpp"
#include "engine/run/process.hpp"
#include "engine/session/command/small_instance.hpp"
#include "tests/agree/example_kernels.hpp"
#include "tests/folder.hpp"
#include "tests/options.hpp"

namespace trellis::testing {
namespace {

/// Libraries of all of them, as `export c` writes them, in one program a compiler.
class Exports {
 public:
  struct One {
    std::shared_ptr<session::Session> session;
    lang::Kernel kernel;
    std::string symbol;
    check::State data;
  };

  void add(const std::shared_ptr<session::Session>& session, const lang::Kernel& kernel) {
    text::Diagnostics diagnostics;
    session::State& state = session->state();
    const auto compilation = state.compilation(kernel, diagnostics);
    REQUIRE(compilation);
    const std::string symbol = "k" + std::to_string(all.size());
    auto data = session::small_instance(state, kernel, *compilation, {}, diagnostics);
    REQUIRE(data);
    emit::LibraryRequest request{symbol, symbol, {}, compilation->kernel.inherited, data->tensors};
    for (const auto& [name, value] : data->parameters) request.parameters[name] = value.as_double();
    write(symbol, emit::tensor_library(compilation->flow, compilation->program, request));
    all.push_back({session, kernel, symbol, *data});
    if (!emit::all_flat(compilation->flow, compilation->program) || all.size() % one_flat_of != 0) return;
    request.symbol = request.stem = "flat_" + symbol;
    write(request.stem, emit::library(compilation->flow, compilation->program, request));
    flat_.push_back(request.stem);
  }

  /// A compiler and its options beside those of all; `every` n tries each n-th kernel, from a seed on.
  struct Compiler {
    std::string name;
    std::vector<std::string> command;
    std::size_t every = 1;
  };

  /// Compiles them into one program, without a warning; what the compiler says.
  std::string build(const Compiler& compiler) const {
    std::vector<std::string> command = compiler.command;
    for (const char* flag : {"-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-fwrapv", "-fopenmp"})
      command.push_back(flag);
    std::string mains, calls;
    for (const std::string& symbol : symbols_of(compiler)) {
      mains += "int " + symbol + "_main(void);\n";
      calls += "  printf(\"" + symbol + ": %d\\n\", " + symbol + "_main());\n";
      command.push_back(folder_ / (symbol + "_both.c"));
    }
    folder_.file("trellis_tensor.h", std::string(emit::file_trellis_tensor_h));
    command.push_back(folder_.file(compiler.name + ".c", "#include <stdio.h>\n" + mains +
                                                             "int main(void) {\n  setvbuf(stdout, 0, _IONBF, 0);\n" +
                                                             calls + "  return 0;\n}\n"));
    command.insert(command.end(), {"-lm", "-o", folder_ / compiler.name});
    const run::Finished built = run::run_program(command, run::Wait(250));
    return built.output + (built.succeeded() ? "" : "it did not end well");
  }

  /// What the program prints, by symbol: its results and its status.
  std::map<std::string, std::string> run(const Compiler& compiler) const {
    const run::Finished ran = run::run_program({folder_ / compiler.name});
    std::string output = ran.output;
    for (std::size_t at; (at = output.find("-nan")) != std::string::npos;) output.erase(at, 1);
    CHECK_MESSAGE(ran.succeeded(), compiler.name << " ended with " << ran.ending.code << "\n" << output);
    std::map<std::string, std::string> sections;
    std::size_t from = 0;
    for (const std::string& symbol : symbols_of(compiler)) {
      const std::size_t status = ("\n" + output).find("\n" + symbol + ": ", from);
      REQUIRE_MESSAGE(status != std::string::npos, compiler.name << " printed nothing of " << symbol << "\n" << output);
      const std::size_t end = output.find('\n', status) + 1;
      sections[symbol] = output.substr(from, end - from);
      from = end;
    }
    return sections;
  }

  std::vector<One> all;

 private:
  void write(const std::string& symbol, emit::Library library) const {
    const std::string main = "int main(void)";
    library.example.replace(library.example.find(main), main.size(), "int " + symbol + "_main(void)");
    folder_.file(symbol + ".c", library.source);
    folder_.file(symbol + ".h", library.header);
    folder_.file(symbol + "_example.c", "int " + symbol + "_main(void);\n" + library.example);
    // One unit of both: a compiler starts half as often.
    folder_.file(symbol + "_both.c",
                 "#include \"" + symbol + ".c\"\n#undef INFINITY\n#undef NAN\n#include \"" + symbol + "_example.c\"\n");
  }

  std::vector<std::string> symbols_of(const Compiler& compiler) const {
    std::vector<std::string> names = flat_, chosen;
    for (const One& one : all) names.push_back(one.symbol);
    for (std::size_t k = options().seed.value_or(1) % compiler.every; k < names.size(); k += compiler.every)
      chosen.push_back(names[k]);
    return chosen;
  }

  /// Of the kernels of flat arrays so many are tried as functions of these as well.
  static constexpr std::size_t one_flat_of = 2;
  Folder folder_;
  std::vector<std::string> flat_;  ///< libraries of those that take flat arrays
};

/// What an example says of a result that holds this. Runs and blocks are another list before they are published: "".
std::string told(const std::string& name, const tensor::Tensor& tensor) {
  const tensor::Tensor stored = tensor.stored();
  const std::vector<format::Facts> facts = format::facts(stored.format());
  if (std::ranges::any_of(facts, [](const format::Facts& f) { return !f.dense() && (f.pads || f.overhangs()); }) ||
      std::ranges::any_of(facts, [](const format::Facts& f) { return f.region == format::Region::run; }))
    return "";
  const bool pattern = stored.format().pattern;
  const std::size_t bytes = pattern ? stored.array_bytes(stored.levels() - 1, format::Array::coordinates)
                                    : stored.array_bytes(-1, format::Array::values);
  const std::size_t width = !pattern ? format::size_of(stored.type()) : facts.back().wide ? 8 : 4;
  double sum = 0;
  for (std::size_t k = 0; k < bytes / width && !pattern; ++k)
    sum += stored.get_flat(static_cast<std::int64_t>(k)).as_double();
  char text[96];
  std::snprintf(text, sizeof text, ": %zu stored, checksum %.10g\n", bytes / width, std::isnan(sum) ? NAN : sum);
  return name + text;
}

/// What the example should print, in lines: the kernel, called on the data of the example.
std::string expected_of(const Exports::One& one) {
  text::Diagnostics diagnostics;
  const auto compilation = one.session->state().compilation(one.kernel, diagnostics);
  const emit::Callable callable =
      emit::callable(compilation->flow, compilation->program, {"called", compilation->kernel.inherited});
  run::Bindings bindings;
  for (const auto& [name, value] : one.data.parameters) {
    bindings.sizes[name] = value.as_integer();
    bindings.reals[name] = value.as_double();
  }
  for (const emit::TensorArgument& argument : callable.tensors) {
    const tensor::Tensor& data = one.data.tensors.at(argument.name);
    const bool appended =
        argument.role == emit::TensorArgument::Role::appended || argument.role == emit::TensorArgument::Role::continued;
    bindings.arrays[argument.name] = appended ? data.with_some_room().value() : data.clone();
  }
  const run::Outcome outcome = run::call(compiled(callable.module), callable, bindings);
  std::string lines;
  for (const emit::TensorArgument& argument : callable.tensors) {
    if (argument.role == emit::TensorArgument::Role::read || outcome.status != run::Outcome::Status::ok) continue;
    tensor::Tensor& result = bindings.arrays.at(argument.name);
    REQUIRE(result.publish());
    lines += told(argument.name, result);
  }
  const int status = outcome.status == run::Outcome::Status::ok ? 0 : static_cast<int>(outcome.fault);
  return lines + one.symbol + ": " + std::to_string(status) + "\n";
}

/// A quarter each; without clang the test says so.
std::vector<Exports::Compiler> others() {
  constexpr std::size_t quarter = 4;
  std::vector<Exports::Compiler> found{
      {"sanitised", {"cc", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"}, quarter}};
  for (const char* name : {"clang", "clang-14"})
    if (run::run_program({name, "--version"}).succeeded()) {
      found.push_back({name, {name}, quarter});
      return found;
    }
  MESSAGE("there is no clang: nobody looks at what it says of exports");
  return found;
}

}  // namespace

TEST_CASE("interface: the exports of examples build without a warning and print what the session computes") {
  Exports exports;
  for_each_kernel(2, [&](const auto& session, const lang::Kernel& kernel) { exports.add(session, kernel); });
  const Exports::Compiler ours{"cc", {"cc"}};
  REQUIRE(exports.build(ours) == "");
  const auto printed = exports.run(ours);
  for (const Exports::One& one : exports.all) {
    CAPTURE(one.kernel.name);
    const std::string section = "\n" + printed.at(one.symbol);
    std::istringstream lines(expected_of(one));
    std::size_t last = 0;
    for (std::string line; std::getline(lines, line);) {
      const std::size_t found = section.find("\n" + line + "\n", last);
      REQUIRE_MESSAGE(found != std::string::npos, line << "\n" << section);
      last = found;
    }
  }
  for (const Exports::Compiler& other : others()) {
    CAPTURE(other.name);
    REQUIRE(exports.build(other) == "");
    for (const auto& [symbol, section] : exports.run(other)) CHECK(section == printed.at(symbol));
  }
}

}  // namespace trellis::testing
