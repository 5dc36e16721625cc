// An index that may be out of range is asked for wherever its access is read, whether or not anything is stored above
// it.
#include <vector>

#include "tests/coiterate/shown.hpp"
#include "tests/session/transcript.hpp"

using namespace trellis::testing;

namespace {

std::string ending(const std::string& program) {
  Transcript t;
  CHECK_MESSAGE(t.say(program).ok(), program);
  const std::string codes = t.say("run").codes;
  return codes.empty() ? "ran" : codes;
}

/// Row 1 alone is stored; the index of row 2 is out of range in `wrong`.
std::string matrix(const std::string& format, const std::string& p) {
  return "param n = 4; tensor C(n, n): " + format + "; tensor b(n); tensor p(n): i64; tensor y(n)\n" +
         "fill_with C [[0, 0, 0, 0], [0, 5, 6, 0], [0, 0, 0, 0], [0, 0, 0, 0]]; fill_with b [1, 2, 0, 3]\n" +
         "fill_with p " + p + "\n";
}

const std::string fine = "[3, 2, 1, 0]", wrong = "[3, 2, 4, 0]", negative = "[3, 2, -1, 0]";

const std::vector<std::string> formats{"csr",
                                       "csc",
                                       "dcsr",
                                       "dcsc",
                                       "coo",
                                       "{compressed, dense}",
                                       "{compressed, hashed}",
                                       "{hashed, compressed}",
                                       "{bytemap, dense}",
                                       "{compressed(unordered), compressed}",
                                       "{compressed(decreasing), bytemap}",
                                       "{compressed, vbl}",
                                       "{vbl, compressed}",
                                       "{sparse_rle, dense}",
                                       "{interval, compressed}",
                                       "{compressed, band}",
                                       "{pinpoint, dense}",
                                       "{compressed, rle} @ (1, 0)"};

}  // namespace

TEST_CASE("an index out of range is an error in every format, where nothing is stored above it too") {
  const std::vector<std::string> kernels{
      "y(i) = C(i,p(i))\norder i\n",
      "y(i) = b(i) > 1 ? b(i) : 2 * C(i,p(i))\norder i\n",
      "y(i) = C(i,p(i)) + C(i,i)\norder i\n",
      "y(i) = sum(j)(C(i,j) + C(i,p(j)))\norder i j\n",
      "y(i) = sum(j)(C(j,p(i)) * b(j))\norder j i\n",
      "y(i) = max(j)(min(C(i,p(i)), C(j,i)))\norder i j\n",
      "loops { for i, j { if C(i,p(j)) > 5 { y(j) += 1 } } }\n",
  };
  for (const std::string& format : formats)
    for (const std::string& kernel : kernels) {
      CAPTURE(format);
      CAPTURE(kernel);
      check_agrees_with_formats(matrix(format, fine) + kernel);
      CHECK(ending(matrix(format, wrong) + kernel) == "E0502");
      CHECK(ending(matrix(format, negative) + kernel) == "E0502");
    }
}

TEST_CASE("an index that cannot be computed is an error where nothing is stored above it") {
  for (const std::string format :
       {"", "csf", "coo", "{compressed, dense, dense}", "{compressed, dense, compressed}", "{dense, compressed, dense}",
        "{hashed, dense, bytemap}", "{compressed, compressed, dense}"}) {
    CAPTURE(format);
    const std::string program = "param n = 4; tensor D(n, n, n): " + (format.empty() ? std::string("f64") : format) +
                                "; tensor x(n, n); tensor s(n)\nrandom D seed 1 density 0.2\n";
    CHECK(ending(program + "x(i,j) = D(i,j%i,i)\norder i j\n") == "E0502");
    CHECK(ending(program + "s(i) = sum(k)(D(i,i/i,k))\norder i k\n") == "E0502");
    check_agrees_with_formats(program + "x(i,j) = D(i,j%i,i) : 1 <= i\norder i j\n");
    check_agrees_with_formats(program + "x(i,j) = 1 <= i ? D(i,j%i,i) : 7\norder i j\n");
    check_agrees_with_formats(program + "s(i) = sum(k)(D(i,i/i,k)) : 1 <= i\norder i k\n");
  }
}

TEST_CASE("an index is not asked for where its access is not read") {
  for (const std::string& format : formats) {
    CAPTURE(format);
    check_agrees_with_formats(matrix(format, wrong) + "y(i) = b(i) > 0 ? C(i,p(i)) : 2\norder i\n");
    check_agrees_with_formats(matrix(format, wrong) +
                              "loops { for i { if b(i) > 0 { for k in 0:i { y(i) += C(i,p(i)) } } } }\n");
    check_agrees_with_formats(matrix(format, negative) +
                              "y(i) = sum(k)(b(i) > 0 && C(i,p(i)) > b(k) ? 1 : 0)\norder i k\n");
  }
}

TEST_CASE("a row below an index that may be out of range is walked once the index was checked") {
  const std::string program =
      "param n = 4; tensor C(n, n, n): {compressed, dense, compressed}; tensor p(n): i64; tensor y(n)\n"
      "random C seed 3 density 0.4; fill_with p [3, 2, 1, 0]\n"
      "y(i) = sum(k)(C(i,p(i),k))\norder i k\n";
  const std::string flow = shown("flow", program);
  CAPTURE(flow);
  CHECK(has(flow, "let C_index = 0 < n ? (p[i] checked for C.2) : 0"));
  CHECK(has(flow, "lead pC at C.3 below [pC1_here][C_index]"));
  check_agrees(program);
}

TEST_CASE("rows that are not stored are passed by where all indices are proven to be in range") {
  const std::string flow = shown("flow", matrix("dcsr", fine) + "x = sum(i)(C(i,i/2))\norder i\n");
  CHECK(has(flow, "lead pC1 at C.1"));
  CHECK_FALSE(has(flow, "checked"));
  const std::string why = shown("algebra", matrix("dcsr", fine) + "x = sum(i)(C(i,p(i)))\norder i\n");
  CHECK(has(why, "C(i,p(i)) has an index that may be out of range where nothing is stored"));
}

TEST_CASE("by regions, a condition is known by what was found, whatever the variable is") {
  const std::string program =
      "param n = 2\ntensor A(n+1, 3*n+n, n): bool\ntensor p(n): i64\ntensor C(n+1): bool {compressed}\n"
      "tensor B(n, 2*n): bool {rle, compressed, pattern}\nrandom A seed 1\nrandom B seed 2 density 0.3\n"
      "random C seed 3 density 0.5\nfill_with p [2, 0]\n"
      "X(l,i,j) = A(p(i),3*l+i,j) && any(k)(B(k,l(0:2*n:2)) || C(p(j)))\norder l i j- k\n";
  CHECK(has(shown("flow", program), "find C.1 at p[j] checked"));
  check_agrees(program);
}
