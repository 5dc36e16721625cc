// `parallel A`: rows and entries are split evenly; rows that threads share are added up by them.

#include "tests/coiterate/shown.hpp"
#include "tests/session/transcript.hpp"

using namespace trellis::testing;

namespace {

/// One row holds most of the entries.
const std::string skewed =
    "param n = 40\ntensor A(n, n): csr\ntensor H(n)\nrandom A seed 1 density 0.03\ntensor x(n)\nrandom x seed 2\n";

std::string refusal(const std::string& program) {
  Transcript t;
  const Answer answer = t.say(program);
  CHECK_FALSE(answer.ok());
  return answer.codes + ": " + answer.messages();
}

}  // namespace

TEST_CASE("deal out: sums over rows agree with the reference in every format with rows") {
  for (const std::string format :
       {"csr", "csc", "dcsr", "dcsc", "{dense, compressed(unordered)}", "{dense, compressed(wide)}"})
    for (const std::string equation : {"y(i) = A(i,j) * x(j)", "s = A(i,j) * x(i) * x(j)", "Z(i,k) = A(i,j) * B(j,k)",
                                       "y(i) = max(j)(A(i,j) * x(j))"}) {
      // Where nothing is stored a product is 0, which may be the greatest: rows without entries are asked for as well.
      if (format != "csr" && equation.find("max") != std::string::npos) continue;
      CAPTURE(format + ": " + equation);
      check_agrees_with_formats(
          "param n = 12\nparam m = 3\ntensor A(n, n): " + format +
          "\ntensor B(n, m)\ntensor x(n)\nrandom A seed 1 density 0.2\nrandom B seed 2\nrandom x seed 3\n" + equation +
          "\nparallel A\n");
    }
}

TEST_CASE("deal out: any number of threads gives the same sums of integers, empty rows and long ones") {
  for (const char* threads : {"1", "2", "3", "7", "16"})
    for (const std::string format : {"csr", "dcsr"}) {
      Transcript t;
      CAPTURE(format + ", threads " + threads);
      std::string matrix = "[";
      for (int i = 0; i < 9; ++i) {
        matrix += i ? ", [" : "[";
        for (int j = 0; j < 9; ++j)
          matrix += (j ? ", " : "") + std::to_string(i == 4 ? j + 1 : i == 7 && j == 2 ? 5 : 0);
        matrix += "]";
      }
      const Answer answer =
          t.say("tensor A(9, 9): " + format + " i64\ntensor x(9): i64\nfill_with A " + matrix +
                "]\nfill_with x [1, 2, 3, 4, 5, 6, 7, 8, 9]\ny(i) = A(i,j) * x(j)\nparallel A\nrun native threads " +
                threads + "\ncheck");
      REQUIRE_MESSAGE(answer.ok(), answer.messages());
      CHECK(t.value("y") == "[0 0 0 0 285 0 0 15 0]");
    }
}

TEST_CASE("deal out: a part begins and ends within a row, which is updated together") {
  const std::string c = shown("c", skewed + "y(i) = A(i,j) * x(j)\nparallel A\n");
  for (const char* part : {"A_all * A_part / A_parts", "rows_before(A_pos, A_rows, A_begin)",
                           "const int A_whole = ", "#pragma omp atomic", "A_pos[i] < A_from ? A_from : A_pos[i]"})
    CHECK_MESSAGE(has(c, part), c);
  CHECK(has(shown("loops", skewed + "y(i) = A(i,j) * x(j)\nparallel A\n"), "forall i in 0:n reduces y parallel by A"));
}

TEST_CASE("deal out: where a result is appended to rows are whole, and are counted and filled in the same parts") {
  const std::string square =
      skewed + "tensor C(n, n): csr\nC(i,j) = sum(k)(A(i,k) * A(k,j))\norder i k j\nparallel A\n";
  const std::string c = shown("c", square);
  for (const char* part : {"A_begin > 0 ? rows_before(A_pos, A_rows - 1, A_begin - 1) + 1 : 0",
                           "for (int64_t i = A_first; i < A_last; i++)"})
    CHECK_MESSAGE(has(c, part), c);
  CHECK_FALSE(has(c, "A_whole"));
  for (const char* threads : {"1", "2", "3", "16", "50"})
    for (const std::string format : {"csr", "{dense, compressed(wide)}"}) {
      CAPTURE(format + ", threads " + threads);
      Transcript t;
      const Answer answer =
          t.say("param n = 30\ntensor A(n, n): " + format +
                "\ntensor B(n, n): csr\ntensor C(n, n): csr\nrandom A seed 5 density 0.1\nrandom B seed "
                "6 density 0.2\nC(i,j) = sum(k)(A(i,k) * B(k,j))\norder i k j\nparallel A\nrun "
                "native threads " +
                threads + "\ncheck");
      CHECK_MESSAGE(answer.ok(), answer.messages());
    }
}

TEST_CASE("deal out: elements that several rows update are updated together, whole rows or not") {
  for (const char* program :
       {"tensor A(n, n): csc\n@y(i) = A(i,j) * x(j)\n", "tensor A(n, n): csr\n@y(j) = A(i,j) * x(i)\n"}) {
    std::string text = std::string("param n = 40\n") + program;
    text.replace(text.find('@'), 1, "random A seed 1 density 0.3\ntensor x(n)\nrandom x seed 2\n");
    CHECK_FALSE(has(shown("c", text + "parallel A\n"), "if (A_whole)"));
    check_agrees_with_formats(text + "parallel A\n");
  }
}

TEST_CASE("deal out: later steps leave rows that threads share as they are, or are refused") {
  const std::string two = skewed +
                          "tensor B(n, n): csr\nrandom B seed 3 density 0.2\ny(i) = A(i,j) * x(j)\n"
                          "z(i) = B(i,j) * y(j)\norder i j\n";
  for (const char* step : {"parallel i", "vectorize i", "unroll i 2", "parallel A", "lead A", "split i into io ii 4"})
    CHECK(
        refusal(skewed + "y(i) = A(i,j) * x(j)\nparallel A\n" + step + "\nshow c").find("deal out the entries of A") !=
        std::string::npos);
  CHECK(has(shown("loops", two + "parallel A\nparallel B\n"), "reduces y parallel by A"));
  check_agrees_with_formats(two + "parallel A\nparallel B\n");
  CHECK(refusal(skewed + "y(i) = A(i,j) * x(j)\nparallel i\nlead A\nshow c").find("give `lead` first") !=
        std::string::npos);
}

TEST_CASE("deal out: what has no rows, waits, or appends is refused with what to do") {
  CHECK(refusal("tensor A(4, 4): coo\ntensor x(4)\ny(i) = A(i,j) * x(j)\nparallel A\nshow c")
            .find("the entries of A cannot be dealt out: its format, coo, has no rows") != std::string::npos);
  CHECK(refusal("tensor A(4, 4): csr\ntensor x(4)\ny(i) = A(i,j) * x(j)\nparallel x\nshow c").find("E0150") !=
        std::string::npos);
  CHECK(refusal("tensor A(4, 4): csr\ntensor x(4)\ny(i) = A(i,j) * x(j)\nparallel y\nshow c")
            .find("y is no operand of") != std::string::npos);
  CHECK(refusal("tensor A(4, 4): csr\ntensor C(4, 4): csr\nC(i,j) = 2 * A(i,j) + (i > j ? A(i,j) : 0)\nworkspace w for "
                "C(:,:) hash\nparallel A\nshow c")
            .find("E01") != std::string::npos);
  CHECK(refusal("param n = 4\ntensor A(n, n): csr\ntensor y(n)\ny(i) = 1 + A(i,j) * y(j) : j < i\norder i j\nparallel "
                "A\nshow c")
            .find("E01") != std::string::npos);
}
