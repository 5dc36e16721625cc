// Loops over operands with one value along many coordinates take as many steps as there are runs, whatever the size.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/session/transcript.hpp"

using namespace trellis::testing;

namespace {

/// Of n elements: x has three runs, y two, z one region with gaps around it, p one element.
std::string runs_of(const std::string& n) {
  return "param n = " + n +
         "\ntensor x(n): {rle}\ntensor y(n): {sparse_rle}\ntensor z(n): {interval}\ntensor p(n): {pinpoint}\n"
         "kernel data {\n  x(i) = i < n/4 ? 2 : i < n/2 ? -3 : 2\n  y(i) = 3*i < n ? 0 : 3*i < 2*n ? 4 : 1\n"
         "  z(i) = n/3 <= i && i < n-2 ? 5 : 0\n  p(i) = i == n/2 ? 7 : 0\n}\n"
         "tensor s: f64\ntensor t: f64\ntensor best: f64\ntensor at: i64\n";
}

void check_counts_runs(const std::string& kernel) {
  Transcript session;
  const auto counted = session.say(runs_of("8") + "kernel k {\n" + kernel + "\n}\nrun\ncount k n 200 1000");
  REQUIRE_MESSAGE(counted.ok(), counted.messages());
  const auto rows = counted.last("count")["rows"];
  CHECK_MESSAGE(rows[0]["steps"] == rows[1]["steps"],
                kernel << ": " << rows[0]["steps"] << " and " << rows[1]["steps"]);
  CHECK(rows[1]["steps"] < 200);
}

/// What the reference computes.
void check_right(const std::string& kernels) {
  const auto checked = Transcript().say(runs_of("11") + kernels + "run\ncheck");
  CHECK_MESSAGE(checked.ok(), kernels << checked.output << checked.messages());
}

void check_runs_agree(const std::string& kernel) {
  check_counts_runs(kernel);
  check_right("kernel k {\n" + kernel + "\n}\n");
}

std::string loop(const std::string& body, const std::string& head = "for i in 0:n") {
  return "  loops {\n    best = 1\n    at = -1\n    " + head + " {\n      " + body + "\n    }\n  }";
}

}  // namespace

TEST_CASE("both arms of a condition add up, to one thing or to two, as often as a run is long") {
  check_runs_agree(loop("if x(i) > 0 { s += y(i) } else { t += x(i) }"));
  check_runs_agree(loop("if x(i) > 0 { s += x(i) } else { s += 2*y(i) }"));
  check_counts_runs(loop("let v = x(i) { if v > 0 { s += v } else { s -= v } }"));
  check_counts_runs(loop("if z(i) > 0 { s += z(i) } else { t += 2 }"));
  check_counts_runs(loop("if x(i) > 0 { t = y(i) } else { t = 2 }", "for i down in 0:n"));
  // A product in one arm and a sum in the other depend on their order.
  check_right("kernel k {\n" + loop("if x(i) > 0 { s += 1 } else { s *= 2 }") + "\n}\n");
}

TEST_CASE("the first element of a run decides for argmin and argmax") {
  for (const char* operand : {"z(i)", "(x(i) + z(i))", "y(i)"}) {
    check_counts_runs(std::string("  at = argmax(i)(") + operand + ")");
    check_counts_runs(std::string("  at = argmin(i)(") + operand + ")");
  }
  check_right("kernel k { at = argmax(i)(z(i)) }\nkernel l { best = argmin(i)(z(i) + x(i)) }\n");
  check_right("kernel k { at = argmax(i)(x(i)) }\nkernel l { best = argmin(i)(x(i)); order i- }\n");
}

TEST_CASE("a choice that a loop makes is made where a run begins") {
  check_runs_agree(loop("if x(i) > best { best = x(i); at = i }"));
  check_counts_runs(loop("if at < 0 || y(i) < best { best = y(i); at = i; t += 1 }"));
  check_counts_runs(loop("if best < x(i) + z(i) { at = n - i; best = x(i) + z(i) }"));
  // The last of a run wins, or what else is done depends on the coordinate.
  for (const char* body : {"if x(i) >= best { best = x(i); at = i }", "t += i; if x(i) > best { best = x(i); s = t }",
                           "if x(i) + f64(at) > best { best = x(i) + f64(at); at = i }"})
    check_right("kernel k {\n" + loop(body) + "\n}\n");
  check_right("kernel k {\n" + loop("if x(i) > best { best = x(i); at = i }", "for i down in 0:n") + "\n}\n");
}

TEST_CASE("the only region of a level is walked along beside runs") {
  check_runs_agree("  s = sum(i)(x(i) + z(i))");
  check_runs_agree("  s = sum(i)(y(i) * z(i))\n  t = sum(i)(x(i) + p(i))");
  check_counts_runs("  s = max(i)(x(i) * 2 + z(n-1-i))");
}

TEST_CASE("a row that is filled along a run stands beside a choice over it") {
  for (const std::string order : {"i j", "i j-", "j i", "j- i"}) {
    CAPTURE(order);
    const auto checked = Transcript().say(
        "param n = 7\ntensor X(n): f32\ntensor p(n): f32\ntensor Z(n, n): f32\ntensor b(n): f32 {interval}\n"
        "random Z seed 1\nrandom b seed 2 density 0.5\n"
        "X(i) = f32(argmin(j)(b(j)*p(j)))\np(i) = Z(j,j)\norder " +
        order + "\nrun\ncheck");
    CHECK_MESSAGE(checked.ok(), checked.messages());
  }
}
