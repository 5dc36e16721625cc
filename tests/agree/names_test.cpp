// Programs that name things like the C that they become: every evaluator still agrees. (Random programs draw such names
// too.)
#include <doctest/doctest.h>

#include <string>

#include "engine/emit/helper_text.hpp"
#include "engine/emit/module.hpp"
#include "engine/emit/reserved.hpp"
#include "engine/run/unit.hpp"
#include "engine/session/session.hpp"
#include "tests/agree/agree.hpp"

namespace trellis::testing {
namespace {

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

TEST_CASE("an index may be called like a variable of the sort of a workspace") {
  CHECK(run_on_every_back_end(R"(tensor A(1, 2): csr
tensor B(1, 2): csr
tensor C(1, 2): csr
fill_with A [[0, 1]]
fill_with B [[0, 2]]
C(i,p) = A(i,p) + B(i,p)
)") == "C = csr 1 x 2, 1 entry\n  (0,1)  3\n");
}

TEST_CASE("a tensor may be called like the position in another one") {
  const std::string program = R"(tensor A(2, 2): csr
fill_with A [[1, 2], [0, 3]]
tensor pA(2)
fill_with pA [1, 1]
y(i) = A(i,j)*pA(j)
)";
  for (const char* name : {"pA", "pA_end", "pA_begin", "A_pos", "A_crd", "j_next", "fault", "arguments"}) {
    CAPTURE(name);
    CHECK(run_on_every_back_end(replaced(program, "pA", name)) == "y = [3 3]\n");
  }
}

TEST_CASE("tensors may be called like what a merge of two others keeps") {
  const std::string program = R"(tensor A(2, 3): csr
tensor C(2, 3): csr
tensor R(2, 3): csr
tensor NAME(3)
fill_with A [[1, 0, 2], [0, 3, 0]]
fill_with C [[0, 4, 5], [0, 6, 0]]
fill_with NAME [1, 10, 100]
R(i,j) = (A(i,j) + C(i,j)) * NAME(j)
)";
  for (const char* name : {"C_value", "pA_after", "R_open"}) {
    CAPTURE(name);
    CHECK(run_on_every_back_end(replaced(program, "NAME", name)) ==
          "R = csr 2 x 3, 4 entries\n  (0,0)  1\n  (0,1)  40\n  (0,2)  700\n  (1,1)  90\n");
  }
}

TEST_CASE("an index may be called like a position where its dimension is long") {
  session::Session session({});
  std::string output;
  session.feed("wide",
               "tensor A(1, 5000000): csr\ntensor B(1, 5000000): csr\ntensor C(1, 5000000): csr\n"
               "random A seed 1 density 1e-6\nrandom B seed 2 density 1e-6\nC(i,p) = A(i,p) + B(i,p)\nrun\n"
               "sum(i,j)(C(i,j)) == sum(i,j)(A(i,j)) + sum(i,j)(B(i,j))\n",
               [&](const session::Reply& reply) { output += session::output_of(reply); });
  CHECK(output.find("= true") != std::string::npos);
}

TEST_CASE("a tensor may be called like the level of another one") {
  CHECK(run_on_every_back_end(R"(tensor R(3, 3): dcsr
tensor R1(3): hashed
tensor a(3): compressed
tensor b(3): compressed
fill_with a [0, 5, 0]
fill_with b [7, 0, 0]
R(i,j) = a(i)
R1(i) = b(i)
)") == "R = dcsr 3 x 3, 3 entries\n  (1,0)  5\n  (1,1)  5\n  (1,2)  5\nR1 = hashed 3, 1 entry\n  (0)  7\n");
  CHECK(run_on_every_back_end(R"(tensor R(3, 2): dcsr
tensor R1(4): hashed
tensor a(3): compressed
tensor b(4): compressed
fill_with a [4, 0, 6]
fill_with b [0, 8, 9, 3]
R(i,j) = a(i)
R1(i) = b(i)
)") == "R = dcsr 3 x 2, 4 entries\n  (0,0)  4\n  (0,1)  4\n  (2,0)  6\n  (2,1)  6\n"
       "R1 = hashed 4, 3 entries\n  (1)  8\n  (2)  9\n  (3)  3\n");
}

TEST_CASE("tensors, indices and kernels may be called like what C and its libraries reserve") {
  const std::string program = R"(tensor TENSOR(3): compressed
fill_with TENSOR [1, 0, 2]
kernel KERNEL { y(INDEX) = 2 * TENSOR(INDEX) }
)";
  for (const char* name :
       {"defined", "release", "acquire", "stdin", "printf", "NULL", "EOF", "size_t", "__LINE__", "__attribute__",
        "_OPENMP", "register", "linux", "main", "INT64_MAX", "omp", "GCC", "time"}) {
    CAPTURE(name);
    for (const char* place : {"TENSOR", "INDEX", "KERNEL"})
      CHECK(run_on_every_back_end(
                replaced(replaced(replaced(replaced(program, place, name), "TENSOR", "x"), "INDEX", "i"), "KERNEL",
                         "double_it")) == "y = compressed 3, 2 entries\n  (0)  2\n  (2)  4\n");
  }
}

TEST_CASE("a pragma says what it says beside helpers of every kind") {
  CHECK(run_on_every_back_end(R"(tensor H(3, 4)
tensor T(3): compressed(unordered)
fill_with T [1, 0, 2]
H(i,j) = T(i) + sum(q < i)(H(q,j))
parallel i
)") == "H = [[1 1 1 1]\n     [1 1 1 1]\n     [4 4 4 4]]\n");
}

TEST_CASE("no name of a program is a helper's") {
  std::string prelude;
  for (const std::string_view file : emit::prelude_files) prelude += file;
  for (const char* placeholder : {"TYPE", "CRD"}) prelude = replaced(prelude, placeholder, "int32_t");
  for (const std::string& function : run::defined_functions(prelude)) {
    CAPTURE(function);
    const bool typed = function.find("int32_t") != std::string::npos;  // reserved by the name of each type
    CHECK((typed || emit::reserved_names().contains(function) || emit::belongs_to_implementation(function)));
  }
}

}  // namespace
}  // namespace trellis::testing
