// Kernels entered through the interface for tensors: asked to end, and with results that run out of room.

#include <doctest/doctest.h>

#include <deque>
#include <limits>

#include "engine/emit/entry.hpp"
#include "engine/run/call.hpp"
#include "engine/run/lent.hpp"
#include "tests/agree/example_kernels.hpp"

namespace trellis::testing {
namespace {

/// The first kernel of a program that has run, and its tensors.
struct Subject {
  session::Session session{session::Options()};
  emit::Callable callable;
  run::Kernel code;

  Subject(const std::string& text, emit::Interruption interruption) {
    session.run_text("program", text, [](const session::Reply&) {});
    text::Diagnostics diagnostics;
    const auto program = session.state().program(diagnostics);
    REQUIRE(program);
    const auto compilation = session.state().compilation(program->kernels.front(), diagnostics);
    REQUIRE(compilation);
    callable = emit::callable(compilation->flow, compilation->program,
                              {"called", compilation->kernel.inherited, interruption});
    code = compiled(callable.module);
  }

  tensor::Tensor tensor(const std::string& name) const { return *session.state().data.held(name); }

  /// With `result` for what the kernel writes, up to so many bytes in an array of it.
  run::Outcome enter(const tensor::Tensor& result, trellis_error& error,
                     std::size_t most_bytes = std::numeric_limits<std::size_t>::max()) const {
    std::deque<run::OwnLentTensor> lent;
    std::vector<trellis_tensor*> tensors;
    for (const emit::TensorArgument& argument : callable.tensors) {
      const bool read = argument.role == emit::TensorArgument::Role::read;
      lent.emplace_back(read ? tensor(argument.name) : result, argument.role, most_bytes);
      tensors.push_back(lent.back().get());
    }
    return run::enter(run::entry_of(code), {tensors, {}, {}}, 0, error);
  }
};

const char* const sums = R"(param n = 40
tensor A(n,n): f64 csr
random A seed 1 density 0.2
y(i) = sum(j)(A(i,j))
run
)";

const char* const added = R"(param n = 200
tensor A(n,n): f64 csr
tensor C(n,n): f64 csr
tensor B(n,n): f64 csr
random A seed 1 density 0.2
random B seed 2 density 0.2
C(i,j) = A(i,j) + B(i,j)
run
)";

}  // namespace

TEST_CASE("interface: a kernel that was asked to end leaves a loop, and one that does not look goes on") {
  for (const auto interruption : {emit::Interruption::none, emit::Interruption::looked_for}) {
    const Subject subject(sums, interruption);
    const bool looks = interruption == emit::Interruption::looked_for;
    tensor::Tensor y = subject.tensor("y").clone();
    y.reset();
    trellis_error error{};
    error.status = TRELLIS_INTERRUPTED;
    const run::Outcome outcome = subject.enter(y, error);
    CHECK(outcome.status == (looks ? run::Outcome::Status::interrupted : run::Outcome::Status::ok));
    CHECK(y.get_flat(0).real == (looks ? 0 : subject.tensor("y").get_flat(0).real));
    if (looks) CHECK(std::string(error.message) == "interrupted");

    error = {};
    CHECK(subject.enter(y, error).status == run::Outcome::Status::ok);
    CHECK(y.get_flat(0).real == subject.tensor("y").get_flat(0).real);
  }
}

TEST_CASE("interface: room that was set aside is handed out where it lies, up to a limit") {
  const Subject subject(added, emit::Interruption::none);
  const tensor::Tensor expected = subject.tensor("C");
  const std::size_t limit = 1 << 20;
  for (const std::size_t most : {limit, static_cast<std::size_t>(expected.entries()) * sizeof(double) / 2}) {
    auto made = tensor::Tensor::reserve(expected.type(), expected.shape(), expected.format(), expected.fill(), limit,
                                        tensor::Writer::this_process);
    REQUIRE(made);
    const void* const before = made->data();
    trellis_error error{};
    const run::Outcome outcome = subject.enter(*made, error, most);
    CHECK(made->data() == before);
    if (most < limit) {
      CHECK(outcome.fault == emit::FaultKind::result_too_large);
      continue;
    }
    REQUIRE(outcome.status == run::Outcome::Status::ok);
    REQUIRE(made->publish());
    CHECK(made->entries() == expected.entries());
  }
}

}  // namespace trellis::testing
