#include "tests/agree/agree.hpp"

#include <map>

#include "engine/flow/interpret.hpp"
#include "engine/loop/interpret.hpp"
#include "engine/session/session.hpp"
#include "tests/random/data.hpp"

namespace trellis::testing {
namespace {

using Tensors = std::map<std::string, tensor::Tensor>;

struct Feed {
  std::string output, errors;
  Tensors printed;
  bool ok = false;
};

Feed feed(session::Session& session, const std::string& text) {
  Feed feed;
  feed.ok = session
                .feed("golden", text,
                      [&](const session::Reply& reply) {
                        if (const auto* printed = std::get_if<session::Printed>(&reply.result)) {
                          feed.output += session::output_of(reply);
                          feed.printed[printed->tensor] = printed->value;
                        } else if (!reply.ok()) {
                          feed.errors += session::output_of(reply);
                        }
                        for (const text::Diagnostic& d : reply.diagnostics.all())
                          if (d.severity != text::Severity::note)
                            feed.errors += text::render(d, session.sources(), text::Colour::off);
                      })
                .exit == session::Exit::success;
  return feed;
}

std::string prints_of(session::Session& session) {
  text::Diagnostics ignored;
  std::string out;
  const lang::Program* program = session.state().program(ignored);
  if (!program) return out;
  for (const lang::Kernel& kernel : program->kernels)
    for (const std::string& name : kernel.results()) out += "print " + name + "\n";
  return out;
}

// Interprets each kernel's loops, and its control flow, on what it found when it ran, and compares with what it left.
std::string interpreters_disagree(session::Session& session, const Tensors& results) {
  text::Diagnostics diagnostics;
  session::State& state = session.state();
  for (const lang::Kernel& kernel : state.program(diagnostics)->kernels) {
    const auto compilation = state.compilation(kernel, diagnostics);
    const auto disagrees = [&](const std::string& who, const auto& interpret) -> std::string {
      check::State before = randomised::clone(state.finished(kernel)->before);
      const auto run = interpret(before);
      if (run.fault) return "the interpreter of " + who + " stopped: " + run.fault->message + "\n";
      if (run.end != decltype(run.end)::finished) return "the interpreter of " + who + " did not come to an end\n";
      Tensors expected, got;
      for (const std::string& name : kernel.results()) {
        expected[name] = results.at(name);
        got[name] = before.tensors.at(name);
      }
      const std::string d = randomised::difference(expected, got);
      return d.empty() ? "" : "the interpreter of " + who + " and jit differ: " + d + "\n";
    };
    const std::string loops = disagrees("loops", [&](const check::State& before) {
      return loop::interpret(compilation->loops, {before.parameters, before.tensors, compilation->program.functions});
    });
    if (!loops.empty()) return loops;
    const std::string flow = disagrees("control flow", [&](const check::State& before) {
      return flow::interpret(compilation->flow, {before.parameters, before.tensors});
    });
    if (!flow.empty()) return flow;
  }
  return "";
}

}  // namespace

Agreement agreement(const std::string& program, Native with_native) {
  const auto failed = [](const std::string& problem) {
    return Agreement{"", problem.empty() ? "it failed without a word\n" : problem};
  };
  session::Session jit({});
  const Feed declared = feed(jit, program);
  if (!declared.ok) return failed(declared.errors);
  const Feed checked = feed(jit, "run jit\ncheck\n");
  if (!checked.ok) return failed(checked.errors);
  const std::string prints = prints_of(jit);
  const Feed by_jit = feed(jit, prints);
  if (const std::string problem = interpreters_disagree(jit, by_jit.printed); !problem.empty()) return failed(problem);

  if (with_native == Native::left_out) return {by_jit.output, ""};
  session::Session native({});
  const Feed by_native = feed(native, program + "\nrun native\n" + prints);
  if (!by_native.ok) return failed(by_native.errors);
  if (const std::string d = randomised::difference(by_jit.printed, by_native.printed); !d.empty())
    return failed("jit and native differ: " + d + "\n");
  return {by_jit.output, ""};
}

std::string run_on_every_back_end(const std::string& program) {
  const Agreement found = agreement(program);
  return found.problem.empty() ? found.results : found.problem;
}

}  // namespace trellis::testing
