// Layouts beside masks, threads and conditions: whatever results and operands are stored in, kernels agree with the
// reference.

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "tests/coiterate/shown.hpp"
#include "tests/session/transcript.hpp"

using namespace trellis::testing;

namespace {

const std::string declared =
    "layout tiled(R, C): (i, j) -> (i/R, j/C, i%R, j%C) {dense, dense, dense, dense}\n"
    "layout lower: (i, j) -> (i, j) {dense, dense} : j <= i\n"
    "layout sym: (i, j) -> (max(i, j), min(i, j)) {dense, compressed}\n"
    "layout skewed: (i, j) -> (i + j, j) {dense, compressed}\n";
const std::string masked_places = "fill_with M [[true, false, true], [false, false, true], [true, true, true]]\n";

}  // namespace

TEST_CASE("layouts beside: a mask is asked for elements, whatever it and its result are stored in") {
  for (const std::string result : {"dia", "bcsr(2, 2)", "tiled(2, 2)", "skewed", "ell(3)", "bcsr(2, 2) @ (1, 0)"})
    for (const std::string mask : {"csr", "csc", "dia", "bcsr(2, 2)", "bcsr(1, 3)", "skewed"})
      check_agrees_with_formats(declared + "tensor M(3, 3): " + mask + " bool\ntensor R(3, 3): " + result + "\n" +
                                masked_places + "R(i,j) = 1 + i\nmask R M\n");
}

TEST_CASE("layouts beside: a mask is asked for elements where a layout has places for some alone") {
  const std::string bounded =
      "layout upper: (i, j) -> (i, j) {dense, dense} : i <= j\n"
      "layout skyline: (i, j) -> (i, j) {dense, band} : j <= i\n"
      "layout banded(W): (i, j) -> (i, j) {dense, dense} : j - i <= W, i - j <= W\n";
  const std::pair<std::string, std::string> results[] = {{"lower", "j <= i"},
                                                         {"upper", "i <= j"},
                                                         {"skyline", "j <= i"},
                                                         {"sym", "j <= i"},
                                                         {"banded(1)", "j - i <= 1, i - j <= 1"}};
  for (const auto& [result, where] : results)
    for (const std::string mask : {"csr", "dia", "dense"})
      check_agrees_with_formats(declared + bounded + "tensor M(3, 3): " + mask + " bool\ntensor R(3, 3): " + result +
                                "\n" + masked_places + "R(i,j) = 1 + i : " + where + "\nmask R M\n");
}

TEST_CASE("layouts beside: factors that are packed take masks") {
  for (const std::string result : {"lower", "sym"})
    check_agrees_with_formats(declared + "tensor M(3, 3): csr bool\ntensor A(3, 3)\ntensor R(3, 3): " + result + "\n" +
                              masked_places + "fill_with A [[4, 1, 1], [1, 5, 1], [1, 1, 6]]\n" +
                              "R(i,j) = A(i,j) - sum(k < j)(R(i,k) * R(j,k)) : j <= i\nmask R M\n");
}

TEST_CASE("layouts beside: patterns of operands that store more than was listed, and change") {
  for (const std::string operand : {"bcsr(2, 2)", "{dense, band}", "{dense, rle}", "tiled(2, 2)", "dia"})
    for (const std::string result : {"csr", "bcsr(2, 2)", "dia", "sym"}) {
      const std::string program = declared + "tensor A(3, 3): " + operand + "\ntensor L(3, 3): " + result +
                                  "\nfill_with A [[4, 0, 1], [0, 5, 0], [0, 0, 0]]\n"
                                  "L(i,j) = 2*A(i,j) : j <= i\nmask L auto\nrun\ncheck\n";
      check_agrees_with_formats(program + "fill_with A [[4, 3, 1], [2, 5, 0], [0, 0, 7]]\n");
      Transcript t;
      t.say(program + "fill_with A [[4, 3, 1], [2, 5, 0], [0, 0, 7]]\nrun\n");
      CHECK(t.value("sum(i,j)(L(i,j))") == (result == "sym" ? "40" : "36"));
    }
}

TEST_CASE("layouts beside: patterns of recurrences over runs") {
  for (const std::string format : {"{dense, rle}", "{dense, sparse_rle}", "{rle, dense}"}) {
    const std::string stored = "tensor A(4, 4): " + format + "\ntensor L(4, 4): " + format +
                               "\nfill_with A [[4, 0, 0, 1], [1, 5, 0, 0], [0, 1, 6, 0], [1, 1, 1, 7]]\n";
    check_agrees_with_formats(stored + "L(i,j) = A(i,j) - sum(k < j)(L(i,k) * L(j,k)) : j <= i\nmask L auto\n");
    check_agrees_with_formats(stored + "L(0,j) = A(0,j)\nL(i,j) = L(i-1,j) + A(i,j) : 1 <= i\nmask L auto\n");
  }
}

TEST_CASE("layouts beside: a result of dense levels alone needs no workspace") {
  Transcript t;
  const auto reply = t.say(declared + "tensor A(3, 3)\ntensor R(3, 3): tiled(2, 2)\nR(i,j) = A(i,j)\n" +
                           "workspace W for R(i,:) bytemap\nrun\n");
  CHECK(reply.codes == "E0326");
}

TEST_CASE("layouts beside: rows of runs and blocks wait for each other on threads") {
  for (const std::string format :
       {"{dense, rle}", "{dense, sparse_rle}", "{dense, vbl}", "{rle, dense}", "{dense, interval}", "{dense, band}"})
    check_agrees_with_formats("tensor A(3, 3): " + format +
                              "\ntensor y(3, 2)\nfill_with A [[1, 1, 0], [1, 1, 0], [1, 1, 0]]\n"
                              "y(i,j) = 1 - sum(q < i)(A(i,q) * y(q,j))\norder i q j\nparallel i\n");
}

TEST_CASE("layouts beside: a loop's end asks for the element of its own iteration") {
  for (const std::string format : {"bcsr(2, 2)", "tiled(2, 2)", "dia", "sym", "skewed"})
    check_agrees_with_formats(declared + "tensor A(3, 3): " + format + "\ntensor y(3)\n" +
                              "fill_with A [[0, 2, 0], [2, 0, 1], [0, 1, 3]]\n" +
                              "loops { for i in 0:3 until A(i,i) > 0 { y(i) = 1 + A(i,i) } }\n");
  check_agrees_with_formats(
      "tensor A(3, 3): bcsr(2, 2)\ntensor R: bool\nloops { for i in 0:3 until A(i,i) > 0 { R = true } }\n");
}

TEST_CASE("layouts beside: what is stored as tuples is read by digits that keep several of them") {
  for (const std::string result : {"blocked", "dense"})
    for (const std::string operand :
         {"coo", "{compressed(nonunique), singleton(nonunique), singleton(unordered)}", "csf"})
      check_agrees_with_formats("layout blocked: (i) -> (i/3, i%3) {compressed, dense}\ntensor D(2, 2, 3): " + operand +
                                "\ntensor R(4): " + result + "\nrandom D seed 1 density 0.7\n" +
                                "R(i) = sum(r)(D(i/2,i%2,r))\n");
}

TEST_CASE("layouts beside: entries are counted ahead where a symmetric operand splits the loop inside") {
  check_agrees_with_formats(
      "layout packed: (i, j) -> (max(i, j), min(i, j)) {dense, dense}\n"
      "layout blocked(P): (i) -> (i/P, i%P) {compressed, dense}\n"
      "tensor T1(3, 3, 4): {compressed, compressed, dense}\ntensor T2(3, 3): packed\ntensor T4(4): blocked(3)\n"
      "tensor T3(3, 4)\ntensor R1(3, 3): csr\n"
      "random T1 seed 1\nrandom T2 seed 2\nrandom T3 seed 3\nrandom T4 seed 4\n"
      "R1(i,l) = sum(j,k)(T1(i,j,k) * T2(j,l) * (T3(l,k) + T4(k)))\nparallel i\n");
}

TEST_CASE("layouts beside: entries are dealt out as they are stored, whichever way that is") {
  for (const std::string format : {"{compressed(decreasing), compressed}", "{dense, compressed(decreasing)}", "csr"})
    for (const std::string order : {"k i j", "k- i j", "i k j", "i- k j"})
      for (const std::string dimensions : {"", " @ (1, 0)"}) {
        Transcript t;
        const auto reply = t.say("tensor A(5, 5): " + format + dimensions + "\ntensor B(5, 5): csr\ntensor R(5, 5)\n" +
                                 "random A seed 1 density 0.5\nrandom B seed 2 density 0.5\n" +
                                 "R(i,j) = A(i,k) * B(k,j)\norder " + order + "\nparallel A\nrun\ncheck\n");
        CAPTURE(format + dimensions + ", " + order);
        CHECK_MESSAGE(reply.ok(), reply.output);
      }
}

TEST_CASE("layouts beside: a mask leaves elements as they are in all steps, which takes one buffer") {
  const std::string program =
      "tensor A(3, 3): csr\ntensor y(3)\ntensor M(3): {compressed} bool\nrandom A seed 1\n"
      "fill_with y [1, 2, 3]\nfill_with M [true, false, true]\n";
  Transcript t;
  CHECK(t.say(program + "y[t](i) = y[t-1](i) + A(i,j) * y[t-1](j) : t < 3\nmask y M\nrun\n").codes.ends_with("E0326"));
  check_agrees_with_formats(program + "y[t](i) = y[t-1](i) + A(i,i) : t < 3\nmask y M\n");
}

TEST_CASE("layouts beside: rows that stand where their coordinates are, as a bytemap's, are not dealt out") {
  Transcript t;
  CHECK(t.say("tensor A(5, 5): {bytemap, compressed}\ntensor R(5)\nrandom A seed 1 density 0.3\n"
              "R(i) = sum(j)(A(i,j))\nparallel A\nrun\n")
            .codes.ends_with("E0150"));
}

TEST_CASE("layouts beside: orders of loop programs are tried on what layouts store") {
  check_agrees_with_formats(
      "tensor A(5, 5): bcsr(1, 1) @ (1, 0)\ntensor R(5, 5)\ntensor p(5): i64\nrandom A seed 1 density 0.4\n"
      "fill_with p [3, 1, 4, 0, 1]\nloops { for i, j { R(p(i),j) += A(i,j) } }\nparallel j\n");
}
