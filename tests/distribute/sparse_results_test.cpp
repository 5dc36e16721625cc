// Results in sparse formats on ranks that are compiled: joined, they are laid out as what one process appends.
#include <doctest/doctest.h>

#include "engine/distribute/execute.hpp"
#include "engine/flow/interpret.hpp"
#include "engine/run/on_mpi.hpp"
#include "tests/distribute/filled.hpp"
#include "tests/distribute/on_threads.hpp"
#include "tests/environment.hpp"
#include "tests/folder.hpp"

using namespace trellis;
using namespace trellis::distribute::testing;

namespace {

using distribute::Numbers;

const std::string two_operands = "param n = 11\ntensor A(n, n): csr\ntensor B(n, n): csr\n";
const std::string sum_of_two = "C(i,j) = A(i,j) + B(i,j)\n",
                  product_of_two = "C(i,j) = sum(k)(A(i,k) * B(k,j))\norder i k j\n";
const std::string on_a_grid = "ranks p q\ndistribute i over p\ndistribute j over q\n";

/// What runs on ranks begins with.
loop::Bindings begun(const Made& m, const Numbers& sizes) {
  loop::Bindings bindings = filled(m, sizes);
  scatter(m, bindings, 3);
  return bindings;
}

/// Of one process.
loop::Bindings by_one_process(const Made& m, const Numbers& sizes) {
  loop::Bindings bindings = begun(m, sizes);
  CHECK_FALSE(flow::interpret(m.compilation->flow, {bindings.parameters, bindings.tensors}).fault);
  return bindings;
}

void same_arrays(const Made& m, const loop::Bindings& own, const loop::Bindings& expected) {
  for (const std::string& name : m.compilation->kernel.results()) {
    CHECK_MESSAGE(same_levels(own.tensors.at(name), expected.tensors.at(name)), name);
    CHECK_MESSAGE(same(own.tensors.at(name), expected.tensors.at(name)), name);
  }
}

void joins(const std::string& source, const std::vector<std::int64_t>& grid, const Numbers& sizes = {{"n", 11}},
           run::Backend backend = run::Backend::jit) {
  CAPTURE(source);
  const Made m = made(source);
  REQUIRE_MESSAGE(m.plan, m.errors);
  CHECK(distribute::not_compiled(*m.plan) == "");
  const loop::Bindings own = begun(m, sizes);
  const auto cuts = distribute::cut(*m.plan, grid, sizes);
  CHECK(run_on_threads(*m.compilation, *cuts, own.parameters, own.tensors, backend).problem == "");
  same_arrays(m, own, by_one_process(m, sizes));
}

std::string why_not_joined(const std::string& source) {
  const Made m = made(source);
  REQUIRE_MESSAGE(m.plan, m.errors);
  return distribute::not_compiled(*m.plan);
}

}  // namespace

TEST_CASE("a product of sparse matrices by rows has the arrays of one process") {
  for (const std::int64_t ranks : {1, 2, 3, 5, 11, 14})
    joins(two_operands + "tensor C(n, n): csr\n" + product_of_two + along_p, {ranks});
  joins(two_operands + "tensor C(n, n): csr\n" + product_of_two + along_p, {3}, {{"n", 11}}, run::Backend::native);
  joins(two_operands + "tensor C(n, n): csr\n" + product_of_two + along_p, {3}, {{"n", 0}});
  joins(two_operands + "tensor C(n, n): csr\n" + product_of_two + along_p, {3}, {{"n", 1}});
}

TEST_CASE("in each format parts stand one behind the other where the outermost level is cut") {
  for (const char* const format : {"csr", "dcsr", "coo", "{dense, hashed}", "{hashed, hashed}", "{dense, bytemap}",
                                   "ell(11)", "{compressed(wide), compressed}", "{dense, compressed(unordered)}",
                                   "{dense, sparse_rle}", "{dense, rle}", "{compressed, dense}", "{dense, band}"})
    joins(two_operands + "tensor C(n, n): " + std::string(format) + "\n" + sum_of_two + along_p, {4});
  joins("param n = 6\ntensor A(n, n, n): csf\ntensor C(n, n, n): csf\nC(i,j,k) = A(i,j,k) * 2\n" + along_p, {4},
        {{"n", 6}});
}

TEST_CASE("entries of several ranks take turns where an inner level is cut, or blocks go to ranks in turn") {
  for (const char* const format : {"csr", "csc", "dcsr", "coo", "{compressed, dense}", "{hashed, hashed}"}) {
    joins(two_operands + "tensor C(n, n): " + std::string(format) + "\n" + sum_of_two + on_a_grid, {2, 3});
    joins(
        two_operands + "tensor C(n, n): " + std::string(format) + "\n" + sum_of_two + "ranks p\ndistribute j over p\n",
        {3});
  }
  joins(two_operands + "tensor C(n, n): csr\n" + product_of_two + "ranks p(3)\ndistribute i over p cyclic 2\n", {3});
  joins(two_operands + "tensor C(n, n): {compressed(decreasing), compressed(decreasing)}\n" + sum_of_two + on_a_grid,
        {3, 2});
  joins(
      "param n = 5\ntensor A(n, n): csr\ntensor x(n)\ntensor C(n, n, n): {dense, compressed, dense}\n"
      "C(i,j,k) = A(i,j) * x(k)\nranks p\ndistribute k over p\n",
      {3}, {{"n", 5}});
}

TEST_CASE("fills other than zero, and several results at once") {
  joins("param n = 11\ntensor A(n, n): csr fill 2\ntensor C(n, n): csr fill 4\nC(i,j) = 2 * A(i,j)\n" + along_p, {3});
  joins(two_operands + "tensor C(n, n): csr\ntensor D(n, n): dcsr\ntensor y(n)\n" + sum_of_two +
            "D(i,j) = A(i,j) * B(i,j)\ny(i) = sum(j)(A(i,j))\n" + along_p,
        {4});
}

TEST_CASE("rows of a sparse result are read by the rank that appended them") {
  joins(two_operands + "tensor C(n, n): csr\ntensor y(n)\n" + sum_of_two + "y(i) = sum(j)(C(i,j))\n" + along_p, {4});
}

TEST_CASE("values where a mask has entries are stored by the ranks that own them") {
  const std::string masked =
      "param n = 11\ntensor A(n, n): csr\ntensor M(n, n): {dense, compressed, pattern} bool\ntensor L(n, n): csr\n"
      "kernel main {\n  L(i,j) = A(i,j) * 3 : j < i\n  mask L M\n  order i j\n}\n";
  for (const std::int64_t ranks : {1, 3, 12}) joins(masked + along_p, {ranks});
}

TEST_CASE("a loop that appends runs in one thread on each rank, and while no ghosts travel") {
  joins(two_operands + "tensor C(n, n): csr\n" + product_of_two + "parallel i\n" + along_p, {3});
  joins("param n = 11\ntensor x(n)\ntensor C(n): {compressed}\nC(i) = x(i-1) + x(i+1) : 1 <= i < n - 1\n" + along_p,
        {3});
}

TEST_CASE("a temporary that ranks add up stays where nothing else reads it in a case of a lattice") {
  const Made m = made(
      "param n = 6\ntensor A(n): i64 {compressed}\ntensor B(n, n): i64 {hashed, compressed} @ (0, 1)\n"
      "tensor C(2*n, n): i64 {bytemap, dense}\ntensor D(n): i64 {band}\ntensor E(n): i64\ntensor G(n, n): bool\n"
      "tensor F(n, n, n): bool {hashed, compressed, compressed, pattern}\ntensor X(n, n): i64 {dense, compressed}\n"
      "ranks p(2)\n"
      "X(i,j) = (sum(k)(A(k)) + B(j,i) + C(i(1:2*n:2),j) + (D(i) + E(i/2)) + B(i,j)) + E(i) + i64(F(i,j/2,j)) + "
      "(!(G(i,j)) ? (sum(k,l)(E(k) + D(l) + l) + sum(k,l)(B(k,l)*B(l,i)*E(j))) : 3)*B(i,j) + "
      "min(k)(E(k)*B(j,j))*(D(i) % 3) : k <= i, l <= i\norder i l j k\ndistribute j over p cyclic 3\n");
  REQUIRE_MESSAGE(m.plan, m.errors);
  text::Diagnostics diagnostics;
  CHECK(session::compiled_for_ranks(*m.compilation, diagnostics));
}

TEST_CASE("what stays in step says why") {
  CHECK(why_not_joined(two_operands + "tensor C(n, n): csr\nC(i,j) = A(i,j)\ntensor y(n)\ny(i) = sum(j)(C(j,i))\n" +
                       along_p) == "C is sent, and is not a flat array");
  CHECK(why_not_joined("param n = 8\ntensor A(n, n): csr\ntensor C(n, n): bcsr(2, 2)\nC(i,j) = A(i,j)\n" + along_p) ==
        "C is written, and has a layout");
  CHECK(why_not_joined("param n = 8\ntensor A(n): {compressed}\ntensor C(n): sparse_rle\nC(i) = A(i)\n" + along_p) ==
        "C is cut where it stores runs or blocks");
}

TEST_CASE("sparse results over MPI have the arrays of one process") {
  if (run::in_path("mpicc").empty() || run::in_path("mpiexec").empty()) {
    MESSAGE("SKIPPED: there is no mpicc or no mpiexec");
    return;
  }
  const trellis::testing::Folder cache;
  const trellis::testing::Environment apart("XDG_CACHE_HOME", cache.path().string());
  const auto joins_by_mpi = [](const std::string& source, const std::vector<std::int64_t>& grid) {
    CAPTURE(source);
    const Made m = made(source);
    REQUIRE_MESSAGE(m.plan, m.errors);
    const Numbers sizes{{"n", 11}};
    const loop::Bindings own = begun(m, sizes);
    Ready what = ready(*m.compilation, *distribute::cut(*m.plan, grid, sizes), own.parameters, own.tensors,
                       run::Backend::native);
    REQUIRE_MESSAGE(what.problem.empty(), what.problem);
    const run::MpiOutcome outcome = run::execute_on_mpi(what.kernel, what.job, {.seconds = 30});
    CHECK(outcome.missing == "");
    CHECK(outcome.ran.outcome.message == "");
    CHECK(put_sparse_results(what, own.tensors));
    same_arrays(m, own, by_one_process(m, sizes));
  };
  joins_by_mpi(two_operands + "tensor C(n, n): csr\n" + product_of_two + along_p, {3});
  joins_by_mpi(two_operands + "tensor C(n, n): dcsr\n" + sum_of_two + along_p, {4});
  joins_by_mpi(two_operands + "tensor C(n, n): coo\n" + sum_of_two + on_a_grid, {2, 2});
  joins_by_mpi(two_operands + "tensor C(n, n): csr\n" + product_of_two + "ranks p(3)\ndistribute i over p cyclic 2\n",
               {3});
}
