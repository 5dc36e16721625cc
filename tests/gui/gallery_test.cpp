// Examples by topic, their sketches, and what is said of a name that is neither a file nor an example.
#include <doctest/doctest.h>

#include <algorithm>

#include "engine/session/program/documents.hpp"
#include "gui/files.hpp"
#include "gui/shelves.hpp"
#include "gui/sketch.hpp"

namespace trellis::gui {

TEST_CASE("shelves: each example stands on one, in the order of the page, and what it leaves out comes last") {
  std::size_t all = 0;
  for (const Shelf& shelf : shelves()) all += shelf.examples.size();
  CHECK(all == session::example_programs.size());
  REQUIRE(shelves().size() > 5);
  CHECK(shelves().front().topic == "Start here");
  CHECK(session::example_programs[shelves().front().examples.front()].name == "first");
  const std::vector<Shelf> few = shelves_of(
      "**Sums**\n\n| file | computes |\n| `prefix_sum.tr` | sums |\n| `nosuch.tr` | nothing |\n"
      "**None**\n**Again**\n| `prefix_sum.tr` | once more |\n");
  REQUIRE(few.size() == 2);
  CHECK(few[0].topic == "Sums");
  CHECK(few[0].examples.size() == 1);
  CHECK(few[1].topic == "Others");
  CHECK(few[1].examples.size() == session::example_programs.size() - 1);
}

TEST_CASE("sketch: tensors as they are declared, with how they are stored") {
  const std::vector<SketchedTensor> all = sketched_tensors(
      "param n = 3\ntensor A(n, m): csr   # sparse\ntensor x(m)\ny(i) = A(i,j) * x(j)\n"
      "tensor D(n, n): dia\ntensor T(n, n, n)\ntensor U(n): rle\n");
  REQUIRE(all.size() == 4);
  CHECK(all[0].name == "A");
  CHECK(all[0].dimensions == 2);
  CHECK(all[0].look == SketchedTensor::Look::scattered);
  CHECK(all[1].dimensions == 1);
  CHECK(all[1].look == SketchedTensor::Look::full);
  CHECK(all[2].look == SketchedTensor::Look::banded);
  CHECK(all[3].dimensions == 3);
}

TEST_CASE("files: a name that is nothing is told so, with an example like it") {
  const std::string words = why_not_opened("choleski");
  CHECK(words.find("cannot read choleski") == 0);
  CHECK(words.find("did you mean `cholesky`?") != std::string::npos);
  CHECK(why_not_opened("qqqqqqqq").find("did you mean") == std::string::npos);
}

}  // namespace trellis::gui
