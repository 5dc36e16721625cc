// Storage formats as declarations and `format` commands say them.

#include <doctest/doctest.h>

#include "tests/lang/resolved.hpp"

namespace {

using namespace trellis;
using trellis::testing::codes;
using trellis::testing::resolve;

/// The format of A as the resolved program prints it; codes of errors when there are any.
std::string format_of(const std::string& source) {
  const auto result = resolve(source);
  return result.program ? format::to_string(result.program->tensor("A")->format) : codes(source);
}

const format::Format& resolved(const testing::Resolved& result) { return result.program->tensor("A")->format; }

}  // namespace

TEST_CASE("formats print as they are written, and read back as the same storage") {
  for (const char* written : {"tensor A(n): dense",
                              "tensor A(n): bytemap",
                              "tensor A(n): hashed(wide)",
                              "tensor A(n, m): csr",
                              "tensor A(n, m): csc",
                              "tensor A(n, m): coo",
                              "tensor A(n, m): dcsr",
                              "tensor A(n, m): dcsc",
                              "tensor A(n, m, p): csf",
                              "tensor A(n, m, p): coo",
                              "tensor A(n, m, p): csf @ (1, 0, 2)",
                              "tensor A(n, m): csr @ (1, 0)",
                              "tensor A(n, m): dense @ (1, 0)",
                              "tensor A(n, m): {dense, compressed(unordered, wide)} @ (1, 0)",
                              "tensor A(n, m): {compressed(nonunique), singleton(decreasing)}",
                              "tensor A(n, m): {dense, hashed}",
                              "tensor A(n): {compressed, pattern} bool",
                              "tensor A(n, m): {dense, compressed, pattern} @ (1, 0) bool",
                              "tensor A(n, m): {dense, rle}",
                              "tensor A(n): vbl(wide)",
                              "tensor A(n): vbl(4)",
                              "tensor A(n, m, p): {interval, band, pinpoint}",
                              "tensor A(n, m): {rle, sparse_rle, pattern} bool",
                              "tensor A"}) {
    CAPTURE(written);
    const auto first = resolve(written);
    REQUIRE(first.program);
    const std::string printed = format::to_string(resolved(first));
    const std::string shape = std::string(written).substr(0, std::string(written).find(':'));
    const bool truth = std::string(written).ends_with(" bool");
    CHECK(std::string(written).starts_with(shape + (shape == written ? "" : ": " + printed)));
    const auto again = resolve(shape + ": " + printed + (truth ? " bool" : ""));
    REQUIRE(again.program);
    CHECK(resolved(again) == resolved(first));
  }
}

TEST_CASE("named formats are short for levels and a storage order") {
  const auto same = [](const std::string& a, const std::string& b) {
    const auto left = resolve("tensor A" + a), right = resolve("tensor A" + b);
    REQUIRE(left.program);
    REQUIRE(right.program);
    return format::same_storage(resolved(left), resolved(right));
  };
  CHECK(same("(n, m): csr", "(n, m): {dense, compressed}"));
  CHECK(same("(n, m): csc", "(n, m): csr @ (1, 0)"));
  CHECK(same("(n, m): dcsc", "(n, m): @ (1, 0) {compressed, compressed}"));
  CHECK(same("(n, m): coo", "(n, m): {compressed(nonunique), singleton}"));
  CHECK(same("(n, m, p): coo", "(n, m, p): {compressed(nonunique), singleton(nonunique), singleton}"));
  CHECK(same("(n): compressed", "(n): csf"));
  CHECK_FALSE(same("(n, m): csr", "(n, m): csc"));
}

TEST_CASE("formats that do not fit the tensor are refused") {
  for (const char* source :
       {"tensor A(n): csr", "tensor A(n, m, p): csc", "tensor A: coo", "tensor A(n, m): compressed",
        "tensor A(n, m): {dense}", "tensor A(n): {dense, compressed}", "tensor A(n, m): csf @ (0, 0)",
        "tensor A(n, m): csr @ (0)"})
    CHECK_MESSAGE(codes(source) == "E0207", source);
  for (const char* source : {"tensor A(n, m): csr csc",
                             "tensor A(n, m): csr {dense, compressed}",
                             "tensor A(n, m): csc @ (0, 1)",
                             "tensor A(n, m): dense @ (1, 0) @ (0, 1)",
                             "tensor A(n, m): {dense(wide), compressed}",
                             "tensor A(n, m): {dense, hashed(nonunique)}",
                             "tensor A(n, m): {compressed, singleton}",
                             "tensor A(n): singleton",
                             "tensor A(n, m): {compressed(nonunique), compressed}",
                             "tensor A(n): compressed(wide, wide)",
                             "tensor A(n): compressed(unordered, decreasing)",
                             "tensor A(n): {dense, pattern} bool",
                             "tensor A(n): {compressed, pattern} f64",
                             "tensor A(n, m): {compressed, dense, pattern}",
                             "tensor A(n, m): {dense, rle, pattern}",
                             "tensor A(n): band(decreasing)",
                             "tensor A(n): vbl(nonunique)",
                             "tensor A(n): vbl(0)",
                             "tensor A(n): vbl(2, decreasing)",
                             "tensor A(n): compressed(0)",
                             "tensor A(n): compressed(4, decreasing)",
                             "tensor A(n, m): csr pattern f64",
                             "tensor A(n, m): {dense, compressed, pattern} pattern",
                             "tensor A(n, m): pattern",
                             "tensor A(n): {compressed, pattern} bool fill true",
                             "tensor A(n, m): {pattern, dense} bool",
                             "tensor A(n): pattern bool"})
    CHECK_MESSAGE(codes(source) == "E0206", source);
  for (const char* source :
       {"tensor A(n, m): csr(wide)", "tensor A(n): compressed(long)", "tensor A(n, m): {dense, compresed}",
        "tensor A(n, m): {csr, dense}", "tensor A(n): {compressed, pattern(wide)} bool",
        "tensor A(n, m): csr pattern(wide)", "tensor A(n): compressed(many)"})
    CHECK_MESSAGE(codes(source) == "E0205", source);
}

TEST_CASE("a pattern is of bool without saying so") {
  for (const char* source : {"tensor A(n, m): {dense, compressed, pattern}", "tensor A(n, m): csr pattern",
                             "tensor A(n, m): pattern bool csr"}) {
    CAPTURE(source);
    const auto result = resolve(source);
    REQUIRE(result.program);
    CHECK(result.program->tensor("A")->type == format::ScalarType::boolean);
    CHECK(format::to_string(resolved(result)) == "{dense, compressed, pattern}");
  }
}

TEST_CASE("one clear message says which level is wrong") {
  const std::string text = testing::equations("tensor A(n, m): {compressed, singleton}");
  CHECK(text.find("1:30") != std::string::npos);
  CHECK(text.find("E0206]: singleton stands below compressed") != std::string::npos);
  CHECK(text.find("as in {compressed(nonunique), singleton}") != std::string::npos);
}

TEST_CASE("a format command has the last word, wherever it stands") {
  const std::string a = "tensor A(n, m): csr; tensor x(m)\n", y = "y(i) = sum(j)(A(i,j) * x(j))\n";
  CHECK(format_of(a + y + "format A csc") == "csc");
  CHECK(format_of(a + "format A csc; format A dcsr\n" + y) == "dcsr");
  CHECK(format_of(a + "kernel k { " + y + "format A {compressed, compressed} @ (1, 0) }") ==
        "{compressed, compressed} @ (1, 0)");
  CHECK(format_of(a + "format A @ (1, 0)") == "dense @ (1, 0)");
  CHECK(format_of("tensor x(n)\nA(i) = 2 * x(i)\nformat A compressed(wide)") == "compressed(wide)");
  CHECK(codes(a + "format A csr csc") == "E0206");
  CHECK(codes(a + "format A {dense}") == "E0207");
  CHECK(codes(a + "format A {dense, compressed, pattern}") == "E0206");
  CHECK(codes(a + "format B csr") == "E0201");
  CHECK(codes(a + "format A ccsr") == "E0205");
  CHECK(format_of(a + "format A bcsr(2, 2)") == "bcsr(2, 2)");
  for (const char* command : {"format", "format A", "format 3 csr", "format A {dense", "format A @ (x)", "format A @ 1",
                              "format A {dense, }"})
    CHECK_MESSAGE(codes(a + command + "\n") != "", command);
}

TEST_CASE("dimensions that need 64 bits make their level wide") {
  CHECK(format_of("tensor A(3000000000): compressed") == "compressed(wide)");
  CHECK(format_of("tensor A(2147483647): compressed") == "compressed");
  CHECK(format_of("param n = 5000000000; tensor A(n, 4): coo") == "{compressed(nonunique, wide), singleton}");
  CHECK(format_of("param n = 5000000000; tensor A(4, n): csr") == "{dense, compressed(wide)}");
  CHECK(format_of("param n = 5000000000; tensor A(4, n): csc") == "csc");
  CHECK(format_of("tensor A(n, 4): coo") == "coo");
  CHECK(format_of("tensor x(3000000000): compressed\nA(i) = x(i)\nformat A hashed") == "hashed(wide)");
}

TEST_CASE("mask, march and workspace become part of the schedule, and print as they are written") {
  const auto result = resolve(
      "tensor A(n, n): csr; tensor B(n, n): csr; tensor L(n, n): csr; tensor M(n, n): csr\n"
      "L(i,j) = sum(k)(A(i,k) * B(k,j))\nmask L M; mask L auto; march A k; workspace w for L(i,:) hash; workspace w "
      "for L(:,j) bytemap");
  REQUIRE(result.program);
  const lang::Schedule& schedule = result.program->kernels.at(0).schedule;
  REQUIRE(schedule.masks.size() == 2);
  CHECK(to_string(schedule.masks[0]) == "mask L M");
  CHECK(to_string(schedule.masks[1]) == "mask L auto");
  REQUIRE(schedule.marches.size() == 1);
  CHECK(to_string(schedule.marches[0]) == "march A k");
  REQUIRE(schedule.workspaces.size() == 1);
  CHECK(to_string(schedule.workspaces[0]) == "workspace w for L(:,j) bytemap");
  CHECK(schedule.workspaces[0].inner == std::vector<int>{0});
}

TEST_CASE("what cannot be masked, marched along or collected is refused in one line") {
  const std::string p =
      "tensor A(n, n): csr; tensor B(n, n); tensor C(m, m): csr; tensor L(n, n): csr; tensor D(n, n)\n"
      "L(i,j) = A(i,j) * B(i,j); D(i,j) = B(i,j)\n";
  for (const char* command :
       {"mask A L", "mask L C", "mask L L", "march C i", "march B i", "workspace w for A(i,:) hash",
        "workspace w for D(i,:) hash", "workspace w for L(i,j) hash", "workspace w for L(:) hash",
        "workspace w for B(:,:) hash", "workspace w for C(:,:) hash"})
    CHECK_MESSAGE(codes(p + command) == "E0326", command);
  for (const char* command : {"workspace w for A(:) hash", "workspace w for A(i,:) bytemap"})
    CHECK_MESSAGE(codes(p + command) == "E0326", command);
  // What is read alone is not written.
  const auto dense = resolve(p + "workspace w for B(:,:) hash");
  CHECK(dense.diagnostics.all().back().message == "B is dense: any of its elements is at hand");
  for (const char* command : {"mask X M", "mask L X", "march X i", "workspace w for X(i,:) hash"})
    CHECK_MESSAGE(codes(p + command) == "E0201", command);
  for (const char* command : {"march A z", "workspace w for L(z,:) hash"})
    CHECK_MESSAGE(codes(p + command) == "E0320", command);
  for (const char* command :
       {"mask", "mask L", "mask L A A", "march A", "march A i j", "workspace", "workspace w L(i,:) hash",
        "workspace w for L hash", "workspace w for L(i,:)", "workspace w for L(i,:) tree",
        "workspace w for L(i,:) hash i", "workspace w for L(i,2) hash"})
    CHECK_MESSAGE(codes(p + command) == "E0323", command);
  for (const char* name : {"A", "n", "i"}) CHECK(codes(p + "workspace " + name + " for L(i,:) hash") == "E0325");
}

TEST_CASE("a kernel inherits what commands and earlier kernels put into its results") {
  const auto result = resolve(
      "tensor A(n, n): csr; tensor x(n); tensor y(n)\nload A \"a.mtx\"\n"
      "kernel first { y(i) = sum(j)(A(i,j) * x(j)) }\nkernel second { x(i) = 2 * i; fill_with x [1] }\n"
      "kernel third { y(i) = 3 * i }");
  REQUIRE(result.program);
  using Names = std::set<std::string>;
  CHECK(result.program->kernels.at(0).inherited == Names{});
  CHECK(result.program->kernels.at(1).inherited == Names{"x"});
  CHECK(result.program->kernels.at(2).inherited == Names{"y"});
}
