// Kernels called through the interface for tensors agree, bit for bit, with the same kernels as the session runs them.

#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <sstream>

#include "engine/emit/entry.hpp"
#include "engine/emit/helper_text.hpp"
#include "engine/emit/tensor_library.hpp"
#include "engine/run/call.hpp"
#include "engine/run/execute.hpp"
#include "engine/run/jit.hpp"
#include "engine/run/process.hpp"
#include "engine/session/command/small_instance.hpp"
#include "engine/session/running/execution.hpp"
#include "engine/session/session.hpp"
#include "tests/folder.hpp"
#include "tests/programs.hpp"

namespace trellis::testing {
namespace {

/// What a run left, or what went wrong.
struct Left {
  std::map<std::string, tensor::Tensor> results;
  std::string message;
};

std::optional<session::Prepared> prepared_now(session::State& state, const lang::Kernel& kernel) {
  text::Diagnostics diagnostics;
  session::Exit exit = session::Exit::success;
  auto prepared = session::prepare(state, kernel, {}, diagnostics, exit);
  if (prepared) prepared->writer = tensor::Writer::this_process;
  return prepared;
}

run::Kernel compiled(const emit::Module& module) {
  auto kernel = run::compile_jit(module);
  if (const auto* error = std::get_if<run::CompileError>(&kernel)) FAIL(error->message << "\n" << module.source);
  return std::get<run::Kernel>(std::move(kernel));
}

Left published(session::Prepared& prepared, const run::Outcome& outcome) {
  if (outcome.status != run::Outcome::Status::ok) return {{}, "failed: " + outcome.message};
  text::Diagnostics diagnostics;
  session::Exit exit = session::Exit::success;
  if (!prepared.publish({}, diagnostics, exit)) return {{}, diagnostics.all().front().message};
  Left left;
  for (const std::string& name : prepared.compilation->kernel.results())
    if (const auto found = prepared.bindings.arrays.find(name); found != prepared.bindings.arrays.end())
      left.results[name] = found->second;
  return left;
}

Left as_run(session::State& state, const lang::Kernel& kernel) {
  auto prepared = prepared_now(state, kernel);
  REQUIRE(prepared);
  run::Limits limits;
  limits.trusted = true;
  return published(*prepared, run::execute(compiled(prepared->compilation->module), prepared->bindings, limits));
}

using Compiled = std::function<run::Kernel(const emit::Module&)>;

/// Results that are appended to begin with little room, so that they grow.
Left as_called(session::State& state, const lang::Kernel& kernel, const Compiled& compile) {
  auto prepared = prepared_now(state, kernel);
  REQUIRE(prepared);
  const Compilation& compilation = *prepared->compilation;
  const emit::Callable callable =
      emit::callable(compilation.flow, compilation.program, {"called", compilation.kernel.inherited});
  for (const emit::TensorArgument& argument : callable.tensors)
    if (argument.role == emit::TensorArgument::Role::appended || argument.role == emit::TensorArgument::Role::continued)
      prepared->bindings.arrays[argument.name] = prepared->before.tensors.at(argument.name).with_some_room().value();
  return published(*prepared, run::call(compile(callable.module), callable, prepared->bindings));
}

/// The first array of two tensors in which they differ, or "".
std::string difference(const tensor::Tensor& a, const tensor::Tensor& b) {
  if (a.shape() != b.shape() || !(a.format() == b.format())) return "of another shape or format";
  const auto same = [&](int level, format::Array which) {
    const std::size_t bytes = a.array_bytes(level, which);
    return bytes == b.array_bytes(level, which) &&
           (bytes == 0 || std::memcmp(a.array(level, which), b.array(level, which), bytes) == 0);
  };
  for (int level = 0; level < a.levels(); ++level)
    for (const format::Array which : format::level_arrays)
      if (!same(level, which)) return "differs in an array of level " + std::to_string(level);
  return same(-1, format::Array::values) ? "" : "differs in its values";
}

void compare(const Left& called, const Left& run) {
  CHECK(called.message == run.message);
  REQUIRE(called.results.size() == run.results.size());
  for (const auto& [name, result] : run.results) {
    CAPTURE(name);
    CHECK(difference(called.results.at(name), result) == "");
  }
}

/// Every kernel of every example, once the example has run.
template <class Use>
void for_each_kernel(const Use& use) {
  for (const std::filesystem::path& path : files_of("examples", ".tr")) {
    CAPTURE(path.string());
    const auto session = std::make_shared<session::Session>(session::Options());
    session->run_text(path.string(), read(path), [](const session::Reply&) {});
    text::Diagnostics diagnostics;
    const auto program = session->state().program(diagnostics);
    REQUIRE(program);
    for (const lang::Kernel& kernel : program->kernels) {
      CAPTURE(kernel.name);
      use(session, kernel);
    }
  }
}

/// Libraries of all of them, as `export c` writes them, in one shared object and one program.
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
    if (!emit::all_flat(compilation->flow) || all.size() % one_flat_of != 0) return;
    request.symbol = request.stem = "flat_" + symbol;
    write(request.stem, emit::library(compilation->flow, compilation->program, request));
    flat_.push_back(request.stem);
  }

  /// Compiles them without a warning; what the compiler says.
  std::string build() {
    folder_.file("trellis_tensor.h", std::string(emit::file_trellis_tensor_h));
    std::vector<std::string> command{"cc"}, sources, symbols = flat_;
    for (const One& one : all) symbols.push_back(one.symbol);
    std::string mains, calls;
    for (const std::string& symbol : symbols) {
      mains += "int " + symbol + "_main(void);\n";
      calls += "  printf(\"" + symbol + ": %d\\n\", " + symbol + "_main());\n";
      sources.push_back(folder_ / (symbol + "_both.c"));
    }
    folder_.file("main.c", "#include <stdio.h>\n" + mains + "int main(void) {\n  setvbuf(stdout, 0, _IONBF, 0);\n" +
                               calls + "  return 0;\n}\n");
    for (const char* flag : {"-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-fwrapv", "-fopenmp", "-fPIC"})
      command.push_back(flag);
    command.insert(command.end(), sources.begin(), sources.end());
    command.insert(command.end(), {folder_ / "main.c", "-rdynamic", "-lm", "-o", folder_ / "all"});
    const run::Finished built = run::run_program(command, run::Wait(250));
    return built.output + (built.succeeded() ? "" : "it did not end well");
  }

  std::string run() {
    const run::Finished ran = run::run_program({folder_ / "all"});
    std::string output = ran.output;
    for (std::size_t at; (at = output.find("-nan")) != std::string::npos;) output.erase(at, 1);
    return "\n" + output + (ran.succeeded() ? "" : "ended with " + std::to_string(ran.ending.code));
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

  /// Of the kernels of flat arrays so many are tried as functions of these as well.
  static constexpr std::size_t one_flat_of = 5;
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

}  // namespace

TEST_CASE("interface: all examples compute through it what they compute without") {
  int compared = 0;
  for_each_kernel([&](const std::shared_ptr<session::Session>& session, const lang::Kernel& kernel) {
    compare(as_called(session->state(), kernel, compiled), as_run(session->state(), kernel));
    ++compared;
  });
  CHECK(compared > 100);
}

TEST_CASE("interface: the exports of all examples build without a warning and print what the session computes") {
  Exports exports;
  for_each_kernel([&](const auto& session, const lang::Kernel& kernel) { exports.add(session, kernel); });
  REQUIRE(exports.build() == "");
  const std::string output = exports.run();
  std::size_t last = 0;
  for (const Exports::One& one : exports.all) {
    CAPTURE(one.kernel.name);
    const std::size_t end = output.find("\n" + one.symbol + ": ");
    REQUIRE(end != std::string::npos);
    const std::string before = output.substr(0, output.find('\n', end + 1) + 1);
    std::istringstream lines(expected_of(one));
    for (std::string line; std::getline(lines, line);) {
      const std::size_t found = before.rfind(line);
      CHECK_MESSAGE((found != std::string::npos && found >= last), line << "\n" << before.substr(last));
    }
    last = end;
  }
}

}  // namespace trellis::testing
