// How what is looked up is found, at the loops and lines where it is.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "engine/session/stages/find_notes.hpp"
#include "tests/session/transcript.hpp"

using namespace trellis;
using nlohmann::ordered_json;
using testing::Transcript;

namespace {

const std::string found_rising =
    "tensor x(40): compressed\ntensor p(5): i64 sorted\nrandom x density 0.3 seed 3\n"
    "fill_with p [0, 3, 3, 9, 20]\nz(i) = x(p(i))\n";
const std::string found_in_rows =
    "tensor A(6, 6): csr\ntensor b(6): compressed\nrandom A density 0.5 seed 1\n"
    "random b density 0.5 seed 2\ny(i) = A(i,j) * b(j)\norder i j\n";

/// The lines with remarks, each with its words.
std::vector<std::pair<std::string, std::string>> remarked(const ordered_json& shown) {
  std::vector<std::pair<std::string, std::string>> all;
  if (!shown.contains("remarks")) return all;
  const std::string text = shown["text"];
  for (const ordered_json& remark : shown["remarks"]) {
    std::size_t begin = 0;
    for (int line = 0; line < remark["line"].get<int>(); ++line) begin = text.find('\n', begin) + 1;
    begin = text.find_first_not_of(' ', begin);
    all.emplace_back(text.substr(begin, text.find('\n', begin) - begin), remark["words"]);
  }
  return all;
}

}  // namespace

TEST_CASE("find notes: a line of C that looks something up says how") {
  Transcript t;
  REQUIRE(t.say(found_in_rows).ok());
  const auto c = remarked(t.say("show c").last("show"));
  REQUIRE(c.size() == 1);
  CHECK(c[0].first.find("find(b_crd") != std::string::npos);
  CHECK(c[0].second == "b(j): by bisection");
  const auto flow = remarked(t.say("show flow").last("show"));
  REQUIRE(flow.size() == 1);
  CHECK(flow[0].first == "locate pb = find b.1 at j");
  REQUIRE(t.say("format b hashed").ok());
  CHECK(remarked(t.say("show c").last("show")).at(0).second == "b(j): by hashing");
  REQUIRE(t.say("format b dense").ok());
  CHECK(remarked(t.say("show c").last("show")).empty());
}

TEST_CASE("find notes: the operands of a loop and what they do stand with its lattice") {
  Transcript t;
  REQUIRE(t.say(found_in_rows).ok());
  const ordered_json finds = t.say("show lattice").last("show")["finds"];
  REQUIRE(finds.size() == 1);
  CHECK(finds[0]["notes"][0]["words"] == "leads A(i,j)");
  CHECK(finds[0]["notes"][1]["words"] ==
        "looks up b(j) by bisection, which would be walked from its start again in each iteration around");
  CHECK(finds[0]["notes"][1]["verdict"] == "");
}

TEST_CASE("find notes: a loop that looks up by an index says what was proven of that") {
  Transcript t;
  REQUIRE(
      t.say("tensor A(6, 6): csr\ntensor b(6): compressed\ntensor q(6): i64 sorted\nrandom A seed 1\nrandom b seed 2\n"
            "fill_with q [0, 0, 1, 2, 2, 5]\ny(i) = A(i,j) * b(q(j))\norder i j\nfind b gallop\n")
          .ok());
  const ordered_json notes = t.say("show lattice").last("show")["finds"].at(0)["notes"];
  REQUIRE(notes.size() == 3);
  CHECK(notes[1]["words"] == "cannot walk b(q(j)), which is not indexed by j itself, but by q(j)");
  CHECK(notes[2]["words"].get<std::string>().starts_with("b(q(j)): by a pointer that "));
  CHECK(notes[2]["verdict"] == (find::has_prover_of_functions() ? "proven" : "unknown"));
}

TEST_CASE("find notes: what a pointer finds says who has proven that it may") {
  Transcript t;
  REQUIRE(t.say(found_rising).ok());
  const auto c = remarked(t.say("show c").last("show"));
  REQUIRE(c.size() == 1);
  if (find::has_prover_of_functions()) {
    CHECK(c[0].first.find("march(x_crd") != std::string::npos);
    CHECK(c[0].second == "x(p(i)): by a pointer that goes on, proven by Z3");
  } else {
    CHECK(c[0].second == "x(p(i)): by bisection");
  }
}
