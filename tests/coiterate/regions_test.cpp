// Loops that go by regions: from where one operand begins or ends to where another one does.
#include <nlohmann/json.hpp>

#include "tests/agree/agree.hpp"
#include "tests/coiterate/shown.hpp"
#include "tests/session/transcript.hpp"

using namespace trellis::testing;

TEST_CASE("entries that repeat wait where leads that go by regions do not meet") {
  // A's entry lies behind D's run: nothing is done there yet, and C's entries at that coordinate are still to come.
  for (const char* reads : {"min(B(i,2*m-1-2*j), C(j,i,k,i))", "(B(i,2*m-1-2*j) + C(j,i,k,i))"})
    for (const char* seed : {"6", "9", "12"})
      check_agrees_with_formats(
          std::string("param m = 7\nparam n = 6\ntensor A(m,n): i32 {compressed(nonunique), singleton}\n") +
          "tensor B(m,2*m): i32\ntensor C(m,m,n,m+1): i32 {dense, compressed(nonunique), "
          "singleton(nonunique), singleton}\ntensor D(m,3*m+n): i32 {dense, sparse_rle}\n"
          "random A seed " +
          seed +
          " density 0.5 range -2:3\nrandom B seed 7 density 0.5 range 0:2\n"
          "random C seed 8 density 0.3 range -2:3\nrandom D seed 9 density 0.5 range -2:3\n"
          "X(i,j) = min(k)(A(i,k)*" +
          reads + "*D(i,3*j+k))\norder i j k\n");
}

TEST_CASE("what is sought in a level of regions has a name of its own beside a checked index above") {
  for (const char* format : {"{compressed, dense, vbl}", "{compressed, dense, sparse_rle}", "{dense, dense, band}"})
    for (const char* seed : {"1", "2", "3"})
      check_agrees_with_formats(std::string("param n = 4\ntensor A(n,n+1,2): bool ") + format +
                                "\ntensor p(n): i64\ntensor D(n+1,n+1): f64 csr\ntensor X(n,n,n): f64\nrandom A seed " +
                                seed +
                                " density 0.4\nrandom p seed 2 range 0:4\nrandom D seed 3 density 0.5\n"
                                "X(i,j,l) = f64(A(n-1-i,p(l),j%2))*D((n-1-j)/2,i+1)\norder i- l j\n");
}

TEST_CASE("a run of one operand is not one of what an earlier iteration of a loop around has stored") {
  for (const char* format : {"{dense, rle}", "{dense, sparse_rle}", "csr", "{rle, dense}"})
    for (const char* reads : {"H(i-1,j)", "sum(q < i)(H(q,j))"})
      check_agrees(std::string("tensor A(3, 4): ") + format + "\ntensor H(3, 4): " + format +
                   "\nfill_with A [[1, 2, 3, 4], [0, 0, 0, 0], [5, 5, 0, 0]]\nH(0,j) = A(0,j)\nH(i,j) = " + reads +
                   " + A(i,j) : 1 <= i\n");
}

TEST_CASE("rows that add up ones before are right in every pair of formats, in the order of the rows") {
  const char* const formats[] = {"{dense, rle}", "{dense, sparse_rle}", "{rle, dense}", "{dense, vbl}", "csr"};
  const auto program = [](const std::string& operand, const std::string& result) {
    return "tensor A(2, 4): " + operand + "\ntensor H(2, 4): " + result +
           "\nfill_with A [[1, 2, 3, 4], [0, 0, 0, 0]]\nH(0,j) = A(0,j)\n"
           "H(i,j) = H(i-1,j) + A(i,j) : 1 <= i\norder i j\n";
  };
  for (const char* operand : formats)
    for (const char* result : formats) check_agrees_with_formats(program(operand, result));
  check_agrees(program("{dense, rle}", "{dense, rle}"));
}

TEST_CASE("a level with slots above runs holds no more than its slots") {
  for (const std::string last : {"rle", "sparse_rle", "vbl"}) {
    CHECK(Transcript().say("tensor R(2, 2): {compressed(2), " + last + "}\nR(i,j) = 1\nrun\ncheck").ok());
    CHECK(Transcript().say("tensor R(3, 2): {compressed(2), " + last + "}\nR(i,j) = 1\nrun").codes == "E0206");
    const std::string below = "tensor R(2, 3, 2): {dense, compressed(2), " + last + "}\nR(i,j,k) = 1\nrun";
    CHECK(Transcript().say(below).codes == "E0206");
  }
  CHECK(has(agreement("tensor R(3, 2): {compressed(2), rle}\nR(i,j) = 1\n").problem, "error[E0206]"));
}
