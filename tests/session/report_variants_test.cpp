// A kernel in other orders and formats, as a report holds it.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/session/report/report.hpp"
#include "tests/session/report_programs.hpp"
#include "tests/session/transcript.hpp"

namespace trellis::testing {

TEST_CASE("a report holds every order of a kernel, legal or not, as it would be") {
  const Json model = model_of(viterbi_page);
  const Json& kernel = model["kernels"][0];
  REQUIRE(kernel["others"].size() == 5);  // and its own
  int legal = 0;
  for (const Json& other : kernel["others"]) {
    const std::string order = other["order_text"];
    CAPTURE(order);
    std::string chosen = viterbi_page;
    chosen.replace(chosen.find("order i j k"), 11, "order " + order);
    const Json own = model_of(chosen)["kernels"][0];  // it is what a page of that program shows
    CHECK(other["legal"] == own["legal"]);
    for (const char* stage : {"placement", "loops"}) {
      CHECK(other["stages"][stage]["ok"] == own["stages"][stage]["ok"]);
      if (own["stages"][stage]["ok"] == true) CHECK(other["stages"][stage]["text"] == own["stages"][stage]["text"]);
    }
    CHECK(other["placed"] == own["placed"]);
    CHECK(other["execution"]["steps"].size() == own["execution"]["steps"].size());
    if (other["legal"] != true) continue;
    ++legal;
    CHECK(other["stages"]["c"]["text"] == own["stages"]["c"]["text"]);
  }
  CHECK(legal == 2);
}

TEST_CASE("in a report's executions the same step bears the same name in every order") {
  const auto deeds = [](const Json& execution) {
    std::multiset<std::string> all;
    for (const Json& step : execution["steps"])
      // What a reduction begins with reads nothing: a scalar does not tell where it stands.
      if (step.contains("does") && !step["reads"].empty()) all.insert(step["does"].dump());
    return all;
  };
  const Json kernel = model_of(cholesky_page)["kernels"][0];
  const auto own = deeds(kernel["execution"]);
  CHECK(own.contains(R"([1,{"i":4,"j":2}])"));  // L1, which L(4,2) is written by
  for (const Json& other : kernel["others"]) CHECK(deeds(other["execution"]) == own);
}

TEST_CASE("a report holds a kernel with the formats that its program names") {
  const Json model = model_of(
      "param n = 4\ntensor A(n, n): csr; tensor B(n, n): csc; tensor x(n)\nrandom A seed 1; random B seed 2; random x\n"
      "kernel one { y(i) = A(i,j) * x(j) }\nkernel two { z(i) = B(i,j) * x(j) ; order j i }\nrun\n");
  const Json& formats = model["kernels"][0]["formats"];
  REQUIRE(formats.size() == 1);
  CHECK(formats[0]["command"] == "format A csc");
  CHECK(formats[0]["legal"] == true);
  CHECK(formats[0]["stages"]["c"]["text"] != model["kernels"][0]["stages"]["c"]["text"]);
  CHECK(model_of(cholesky_page)["kernels"][0]["formats"].empty());
}

TEST_CASE("a page holds fewer orders where it would be too large") {
  std::string program = "param n = 7\ntensor A(n, n, n); tensor B(n, n, n)\nrandom A; random B\n";
  for (int k = 0; k < 6; ++k)
    program += "kernel k" + std::to_string(k) + " { C" + std::to_string(k) +
               "(i,j) = sum(k,l)(A(i,k,l) * B(l,k,j)) + " + std::to_string(k) + " }\n";
  CHECK(page_of(program).size() < 2'000'000);
}

}  // namespace trellis::testing
