// Levels whose index is completed by a loop inside: the loop around takes their entries together, segment by segment.
#include "tests/coiterate/shown.hpp"
#include "tests/folder.hpp"
#include "tests/random/wanted.hpp"

using namespace trellis::testing;

namespace {

/// Vectors of so many elements in that format, and what is computed of them.
std::string cut_up(const std::string& format, const std::string& equation, const std::string& order) {
  return "param n = 6\ntensor c(8*n): " + format + "\ntensor e(8*n+5): " + format +
         "\ntensor A(n, 8): csr\ntensor x(n)\nrandom c seed 1 density 0.3\nrandom e seed 2 density 0.5\n"
         "random A seed 3 density 0.4\nrandom x seed 4 density 1\n" +
         equation + "\norder " + order + "\n";
}

}  // namespace

TEST_CASE("entries of a vector are walked row by row, with no search") {
  const std::string split = cut_up("{compressed}", "tensor B(n, 8): csr\nB(i,j) = c(8*i+j)", "i j");
  const std::string c = shown("c", split);
  CHECK_FALSE(has(c, "seek"));
  CHECK_FALSE(has(c, "find"));
  CHECK(has(c, "c_crd[pc_i] / 8"));
  CHECK(has(shown("flow", split), "segments of 8"));
  check_agrees(split);
}

TEST_CASE("segments agree with the reference, in all formats and directions") {
  int number = 0;
  for (const char* format : {"{compressed}", "{compressed(decreasing)}", "{hashed}", "{bytemap}", "dense", "{rle}",
                             "{sparse_rle}", "{vbl}"}) {
    CAPTURE(format);
    for (const char* order : {"i j", "i- j", "i j-", "i- j-"}) {
      if (!trellis::randomised::is_taken(number++)) continue;
      CAPTURE(order);
      check_agrees(cut_up(format, "B(i,j) = c(8*i+j) : j < 8, i < n", order));
      check_agrees(cut_up(format, "B(i,j) = c(8*i+j) * A(i,j) : j < 8, i < n", order));
      check_agrees(cut_up(format, "B(i,j) = c(8*i+j) + A(i,j) : j < 8, i < n", order));
      check_agrees(cut_up(format, "B(i,j) = c(8*n-1-8*i-j) + e(8*i+j+3) : j < 8, i < n", order));
      check_agrees(cut_up(format, "B(i,j) = c(8*i+j) * e(8*i+j+1) : j < 5, i < n", order));
      check_agrees(cut_up(format, "s = max(i,j)(c(8*i+j) - e(8*i+7-j)) : 0 <= j, j < 8, 0 <= i, i < n", order));
    }
    for (const char* order : {"i j k", "i- j k", "i j- k-"})
      check_agrees(cut_up(format, "B(i,j,k) = c(8*i+4*j+k) : j < 2, k < 4, i < n", order));
  }
}

TEST_CASE("segments of rows, of lists of elements, and of what lies in a segment") {
  int number = 0;
  for (const char* format : {"csr", "dcsr", "coo", "{compressed, dense}", "csc"}) {
    CAPTURE(format);
    const std::string declared = "param n = 4\ntensor A(n, 6*n): " + std::string(format) +
                                 "\ntensor D(6*n, n): " + format +
                                 "\nrandom A seed 1 density 0.3\nrandom D seed 2 density 0.3\n";
    for (const char* order : {"r i j", "i r j", "i j r"}) {
      const int turn = number++;
      if (!trellis::randomised::is_taken(turn + turn / 3)) continue;
      CAPTURE(order);
      check_agrees(declared + "B(r,i,j) = A(r,6*i+j) : j < 6, i < n\norder " + order);
      check_agrees(declared + "B(r,i,j) = D(6*i+j,r) : j < 6, i < n\norder " + order);
      check_agrees(declared + "B(r,i,j) = A(r,6*i+j) * D(6*i+j,r) : j < 6, i < n\norder " + order);
    }
  }
}
