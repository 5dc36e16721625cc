#include "engine/run/native.hpp"

#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <mutex>
#include <optional>
#include <sstream>

#include "engine/run/cache.hpp"
#include "engine/run/clock.hpp"
#include "engine/run/code.hpp"
#include "engine/run/math_functions.hpp"
#include "engine/run/process.hpp"
#include "engine/run/unit.hpp"

namespace trellis::run {
namespace {

using Compiled = std::variant<Kernel, CompileError>;

// Results must equal libtcc's. -std=c99 forbids contraction to fused multiply-add; functions that libm does not round
// exactly must be libm's, not a constant folded by the compiler, nor pow(x, -1) as 1/x. A check of an index whose
// record of a fault is inlined in part makes the loop around it three times as slow. A compiler knows the models of
// processors that are older than itself and takes another for the one it resembles: tuned for none, a tiled matrix
// product is 1.6 times as fast where that went wrong. A walk of a row has few turns, and costs up to 3 % more where it
// begins late in a cache line of code.
std::vector<std::string> native_flags() {
  std::vector<std::string> all = {
      "-std=c99", "-fwrapv", "-O3", "-march=native",         "-mtune=generic", "-falign-loops=64", "-fopenmp",
      "-shared",  "-fPIC",   "-w",  "-fno-partial-inlining", "-Wl,-z,defs"};
  for (const MathFunction& function : math_functions())
    for (const char* suffix : {"", "f"})
      if (!function.exact) all.push_back(std::string("-fno-builtin-") + function.name + suffix);
  return all;
}
const std::vector<std::string> flags = native_flags();

std::vector<std::string> compiler_command() {
  const char* const chosen = std::getenv("CC");
  std::istringstream words(chosen && *chosen ? chosen : "cc");
  std::vector<std::string> command;
  for (std::string word; words >> word;) command.push_back(word);
  if (command.empty()) command.push_back("cc");
  return command;
}

CompileError missing_compiler(const std::vector<std::string>& command, const std::string& reason) {
  return {"the C compiler `" + command.front() + "` could not be started (" + reason +
          "): install gcc, name another one in the environment variable CC, or use the back end `jit`"};
}

std::string how_it_ended(const Ending& ending) {
  return (ending.kind == Ending::Kind::killed_by_signal ? "signal " : "exit code ") + std::to_string(ending.code);
}

/// Of a compiler that was stopped; empty when it came to its end by itself.
std::optional<CompileError> stopped(const std::vector<std::string>& command, const Finished& finished,
                                    const Wait& wait) {
  const std::string compiler = "the C compiler `" + command.front() + "`";
  if (finished.ending.kind == Ending::Kind::interrupted)
    return CompileError{compiler + " was interrupted", CompileError::Kind::interrupted};
  if (finished.ending.kind == Ending::Kind::timed_out)
    return CompileError{compiler + " did not end within its time limit of " + in_seconds(wait.seconds()),
                        CompileError::Kind::timed_out};
  return std::nullopt;
}

// The processor that -march=native means.
std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  std::string facts;
  for (std::string line; std::getline(file, line) && !line.empty();)  // the first core's lines
    if (line.starts_with("model name") || line.starts_with("flags") || line.starts_with("Features"))
      facts += line + '\n';
  return facts;
}

struct Toolchain {
  std::vector<std::string> command;
  std::string identity;  ///< compiler, version, flags and processor: part of every cache key
};

std::variant<Toolchain, CompileError> toolchain(const Wait& wait, Priority priority) {
  const std::vector<std::string> command = compiler_command();
  static std::vector<std::string> asked_for;  // one version per process, unless CC changes
  static std::string version;
  static std::mutex lock;
  const std::lock_guard guard(lock);
  if (asked_for != command) {
    std::vector<std::string> question = command;
    question.push_back("--version");
    const Finished answer = run_program(question, wait, "", priority);
    const Ending& ending = answer.ending;
    if (auto error = stopped(command, answer, wait)) return *error;
    if (ending.kind == Ending::Kind::not_started) return missing_compiler(command, std::strerror(ending.code));
    if (!answer.succeeded()) return missing_compiler(command, how_it_ended(ending));
    asked_for = command;
    version = answer.output;
  }
  static const std::string cpu = processor();
  std::string identity = version + cpu;
  for (const auto& words : {command, flags})
    for (const std::string& word : words) identity += word + '\n';
  return Toolchain{command, identity};
}

std::shared_ptr<Kernel::Code> code_in(const std::string& file, const std::string& symbol) {
  auto code = std::make_shared<Kernel::Code>();
  code->file = file;
  code->symbol = symbol;
  return code;
}

struct Job {
  const emit::Module* module;
  std::string made_of;  ///< with which compiler, and from which source
  std::string key;
  std::string entry;                     ///< symbol in the shared object
  std::shared_ptr<Kernel::Code> code{};  ///< set once found or compiled
  bool cached = false;
  double ms = 0;
  CompileError error{};
};

bool find_in_cache(Job& job) {
  const std::optional<std::string> folder = cache_folder();
  if (!folder) return false;
  const CachedCode cached(*folder, job.key);
  if (!cached.holds(job.made_of)) return false;
  job.code = code_in(cached.file(), job.entry);
  return job.cached = true;
}

// The source as one unit; empty when it could not be written.
std::string write_source(const ScratchFolder& scratch, const std::vector<Job*>& jobs) {
  const std::string source = scratch.file("kernels.c");
  std::ofstream file(source);
  for (const Job* job : jobs) file << keyed_source(*job->module, job->key);
  file.flush();
  return scratch.exists() && file ? source : "";
}

// Compiles the jobs as one unit into `object`; what is wrong with all of them when it cannot.
std::optional<CompileError> compile_unit(const Toolchain& tools, const std::vector<Job*>& jobs,
                                         const ScratchFolder& scratch, const std::string& object, const Wait& wait,
                                         Priority priority = Priority::usual,
                                         const std::vector<std::string>& more_flags = {}) {
  const std::string source = write_source(scratch, jobs);
  if (source.empty())
    return CompileError{"no folder to compile in: neither the cache folder nor the temporary folder can be written"};
  std::vector<std::string> command = tools.command;
  command.insert(command.end(), flags.begin(), flags.end());
  command.insert(command.end(), more_flags.begin(), more_flags.end());
  command.insert(command.end(), {"-o", object, source, "-lm"});
  const Finished finished = run_program(command, wait, scratch.path(), priority);
  if (auto error = stopped(command, finished, wait)) return error;
  if (finished.succeeded()) return std::nullopt;
  return CompileError{finished.output.empty() ? "it ended with " + how_it_ended(finished.ending) : finished.output};
}

std::optional<CompileError> build(const Toolchain& tools, const std::vector<Job*>& jobs, const Wait& wait,
                                  Priority priority) {
  const auto scratch = std::make_shared<const ScratchFolder>();
  const std::string object = scratch->file("kernels.so");
  if (auto error = compile_unit(tools, jobs, *scratch, object, wait, priority)) return error;
  const std::optional<std::string> folder = cache_folder();
  for (Job* job : jobs) {
    if (folder && CachedCode(*folder, job->key).keep(object, job->made_of)) {
      job->code = code_in(CachedCode(*folder, job->key).file(), job->entry);
    } else {
      job->code = code_in(object, job->entry);
      job->code->folder = scratch;
    }
  }
  return std::nullopt;
}

void build_all(const Toolchain& tools, const std::vector<Job*>& jobs, const Wait& wait, Priority priority) {
  const auto start = Clock::now();
  if (const auto error = build(tools, jobs, wait, priority)) {
    // One bad module must not cost the others theirs.
    if (jobs.size() > 1 && error->kind == CompileError::Kind::refused) {
      for (Job* job : jobs) build_all(tools, {job}, wait, priority);
      return;
    }
    for (Job* job : jobs) job->error = *error;
  }
  for (Job* job : jobs) job->ms = milliseconds_since(start) / static_cast<double>(jobs.size());
}

CompileError error_of(const Job& job) {
  if (job.error.kind != CompileError::Kind::refused) return job.error;
  return {"the C compiler could not compile kernel `" + job.module->kernel + "`: " + job.error.message};
}

}  // namespace

// Unloading code that ran a parallel region would pull libgomp's waiting threads from under themselves; and its
// functions are found by whoever asks (openmp.hpp) where it was loaded for all.
Kernel::Entry load_entry(const char* file, const char* symbol) {
  dlopen("libgomp.so.1", RTLD_NOW | RTLD_NODELETE | RTLD_GLOBAL);
  void* const image = dlopen(file, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  return image ? reinterpret_cast<Kernel::Entry>(dlsym(image, symbol)) : nullptr;
}

std::vector<Compiled> compile_native(const std::vector<emit::Module>& modules, const Limits& limits) {
  const Wait wait(limits.seconds, limits.cancel);
  const Priority priority = limits.aside ? Priority::lowest : Priority::usual;
  const auto found = toolchain(wait, priority);
  if (const auto* error = std::get_if<CompileError>(&found)) return std::vector<Compiled>(modules.size(), *error);
  const auto& tools = std::get<Toolchain>(found);

  std::vector<Job> jobs;
  for (const emit::Module& module : modules) {
    std::string made_of = tools.identity + module.entry + '\n' + module.source;
    const std::string key = content_key(made_of);
    jobs.push_back({&module, std::move(made_of), key, keyed_entry(module, key)});
  }
  std::map<std::string, Job*> missing;  // by key: the same text twice is compiled once
  for (Job& job : jobs) {
    const auto start = Clock::now();
    if (!find_in_cache(job)) missing.emplace(job.key, &job);
    job.ms = milliseconds_since(start);
  }
  std::vector<Job*> to_build;
  for (const auto& [key, job] : missing) to_build.push_back(job);
  if (!to_build.empty()) build_all(tools, to_build, wait, priority);

  std::vector<Compiled> kernels;
  for (const Job& job : jobs) {
    const Job& source = job.code ? job : *missing.at(job.key);
    if (source.code) kernels.emplace_back(Kernel(source.code, *job.module, Backend::native, source.ms, source.cached));
    else kernels.emplace_back(error_of(source));
  }
  return kernels;
}

std::variant<std::string, CompileError> compile_with_lines(const emit::Module& module, const std::string& key,
                                                           const ScratchFolder& scratch, const Limits& limits) {
  const Wait wait(limits.seconds, limits.cancel);
  const auto found = toolchain(wait, Priority::usual);
  if (const auto* error = std::get_if<CompileError>(&found)) return *error;
  Job job{&module, "", key, keyed_entry(module, key)};
  const std::string object = scratch.file("lines.so");
  if (auto error = compile_unit(std::get<Toolchain>(found), {&job}, scratch, object, wait, Priority::usual, {"-g1"})) {
    job.error = *error;
    return error_of(job);
  }
  return object;
}

}  // namespace trellis::run
