// Patterns that a session finds for `mask X auto`: when it looks again, and what it says of them and of masks of the
// user.
#include <doctest/doctest.h>

#include "engine/session/stages/found_pattern.hpp"
#include "tests/session/transcript.hpp"

namespace trellis::session {
namespace {

using testing::contains;

const std::string factor =
    "tensor A(4, 4): csc\ntensor L(4, 4): csc\n"
    "fill_with A [[4, 0, 1, 1], [0, 4, 0, 0], [1, 0, 4, 0], [1, 0, 0, 4]]\n"
    "kernel factor {\n"
    "  L(i,j) = (A(i,j) - sum(k)(L(i,k) * L(j,k))) / L(j,j) : k < j < i\n"
    "  L(i,i) = sqrt(A(i,i) - sum(k)(L(i,k)^2))             : k < i\n";

/// How a kernel ran: "" by code of its own; "no" when it did not.
std::string how(const testing::Answer& answer, const std::string& kernel) {
  std::string found = "no";
  for (const Reply& reply : answer.replies)
    if (const auto* ran = std::get_if<Ran>(&reply.result))
      for (const Ran::Kernel& one : ran->kernels)
        if (one.kernel == kernel) found = one.how;
  return found;
}

}  // namespace

TEST_CASE("patterns: they are kept while the same places are stored, and found again when others are") {
  testing::Transcript session;
  const auto first = session.say(factor + "  mask L auto\n}\nrun\ncheck\n");
  REQUIRE(first.ok());
  CHECK(how(first, "factor_pattern") == "by the elimination tree");
  CHECK(contains(first.messages(), "L will have 7 entries, 56 bytes of values; fill 1.5, 4 products to add up"));
  const auto again = session.say("fill_with A [[9, 0, 2, 2], [0, 9, 0, 0], [2, 0, 9, 0], [2, 0, 0, 9]]\nrun\ncheck\n");
  REQUIRE(again.ok());
  CHECK(how(again, "factor_pattern") == "as before: the same places are stored");
  const auto other =
      session.say("fill_with A [[9, 1, 2, 2], [1, 9, 0, 0], [2, 0, 9, 0], [2, 0, 0, 9]]\nprint L_mask\n");
  REQUIRE(other.ok());
  CHECK(contains(other.output, "10 entries"));
  const auto run = session.say("run factor\ncheck factor\n");
  REQUIRE(run.ok());
  CHECK(how(run, "factor").empty());
}

TEST_CASE("patterns: a kernel that runs alone has its pattern found first") {
  testing::Transcript session;
  const auto ran = session.say(factor + "  mask L auto\n}\nrun factor\ncheck factor\nprint L\n");
  REQUIRE(ran.ok());
  CHECK(contains(ran.messages(), "factor_pattern had not run yet and ran first"));
  CHECK(contains(ran.output, "7 entries"));
}

TEST_CASE("patterns: the note names the kernel that there is, where the usual name is taken") {
  testing::Transcript session;
  const auto said = session.say("tensor factor_pattern(3)\n" + factor + "  mask L auto\n}\nrun\n");
  REQUIRE(said.ok());
  CHECK(contains(said.messages(), "which kernel factor_pattern_ finds before"));
  CHECK(how(said, "factor_pattern_") == "by the elimination tree");
}

TEST_CASE("patterns: `show mask` says how they are found") {
  testing::Transcript session;
  const auto shown = session.say(factor + "  mask L auto\n}\nrun\nshow mask factor\n");
  REQUIRE(shown.ok());
  CHECK(contains(shown.output, "L has entries where L_mask has: {dense, compressed, pattern} @ (1, 0), 7 entries"));
  CHECK(contains(shown.output, "found by kernel factor_pattern, by the elimination tree"));
  CHECK(contains(shown.output, "  o\n  . o\n  o . o\n  o . + o\n"));
  CHECK(contains(shown.output, "  1\n  3\n  └─ 2\n     └─ 0\n"));
  CHECK(contains(session.say("show mask factor_pattern\n").output, "no result of kernel factor_pattern has a mask"));
}

TEST_CASE("patterns: without an order, the compiler takes one that keeps no sums of the result's rank") {
  testing::Transcript session;
  CHECK(session.say(factor + "  mask L auto\n}\nshow schedule factor\n").output ==
        "order i k j   # chosen by the compiler\n");
}

TEST_CASE("patterns: a mask of the user that leaves out fill-in or entries is said to") {
  const std::string mask = "tensor M(4, 4): {dense, compressed, pattern} @ (1, 0) bool\n";
  testing::Transcript session;
  const auto incomplete = session.say(mask + "fill_with M [[1, 0, 0, 0], [0, 1, 0, 0], [1, 0, 1, 0], [1, 0, 0, 1]]\n" +
                                      factor + "  mask L M\n}\nrun\nshow mask factor\n");
  CHECK(incomplete.ok());
  CHECK(contains(incomplete.codes, "N0208"));
  CHECK(contains(incomplete.messages(),
                 "M leaves out 1 entry that the equations may give L, such as L(3,2): it is incomplete"));
  const auto closed =
      session.say("fill_with M [[1, 0, 0, 0], [1, 1, 0, 0], [1, 0, 1, 0], [1, 0, 1, 1]]\nrun\nshow mask factor\n");
  CHECK(closed.ok());
  CHECK_FALSE(contains(closed.codes, "N0208"));
  CHECK(contains(closed.output, "closed: all that the equations may give L has its place"));
}

TEST_CASE("patterns: more values than there is memory for are warned of") {
  Options options;
  options.data_limit = 4000;
  testing::Transcript session(options);
  const auto ran = session.say(
      "tensor A(40, 40): csc\ntensor L(40, 40): csc\n"
      "kernel arrow { A(i,j) = i == j ? 50 : i == 0 || j == 0 ? 1 : 0; order j i }\n"
      "L(i,j) = (A(i,j) - sum(k)(L(i,k) * L(j,k))) / L(j,j) : k < j < i\n"
      "L(i,i) = sqrt(A(i,i) - sum(k)(L(i,k)^2)) : k < i\nmask L auto\nrun arrow\nprint L_mask(39,1)\n");
  CHECK(contains(ran.codes, "W0211"));
  CHECK(contains(ran.messages(), "L will have 820 entries"));
}

TEST_CASE("patterns: the picture says what is given, what fills in, and of what") {
  testing::Transcript session;
  REQUIRE(session.say(factor + "  mask L auto\n}\nrun\n").ok());
  State& state = session.session().state();
  text::Diagnostics ignored;
  const lang::Kernel kernel = *state.program(ignored)->kernel("factor");
  const auto found = found_pattern(state, kernel);
  REQUIRE(found);
  const auto picture = picture_of(state, *found, {});
  REQUIRE(picture);
  CHECK(caption(*picture) == "4 rows, 6 given, 1 filled in");
  CHECK(explain(*picture, 3, 2) == "row 3, column 2: filled in, as (3,0) and (2,0) have entries");
  CHECK(explain(*picture, 2, 0) == "row 2, column 0: given");
  CHECK(explain(*picture, 1, 0) == "row 1, column 0: nothing");
  REQUIRE(picture->tree.nodes.size() == 4);
  CHECK(picture->tree.edges.size() == 2);  // 0 to 2 to 3; 1 is alone
  for (const view::Drawing::Edge& edge : picture->tree.edges) {
    const auto column = [&](int node) { return picture->columns[static_cast<std::size_t>(node)].first; };
    CHECK(picture->parent[static_cast<std::size_t>(column(edge.from))] == column(edge.to));
    CHECK(edge.curve.tip.y < edge.curve.points.front().y);  // the arrow points up
  }
  CHECK_FALSE(found_pattern(state, *state.program(ignored)->kernel("factor_pattern"))->data.empty());
}

TEST_CASE("patterns: long chains of columns share a box, and large matrices a cell") {
  testing::Transcript session;
  REQUIRE(session
              .say("param n = 200\ntensor A(n, n): csc\ntensor L(n, n): csc\n"
                   "kernel line { A(i,j) = i == j ? 4 : i == j + 1 || j == i + 1 ? -1 : 0; order j i }\n"
                   "kernel factor {\n"
                   "  L(i,j) = (A(i,j) - sum(k)(L(i,k) * L(j,k))) / L(j,j) : k < j < i\n"
                   "  L(i,i) = sqrt(A(i,i) - sum(k)(L(i,k)^2))             : k < i\n"
                   "  mask L auto\n}\nrun\n")
              .ok());
  State& state = session.session().state();
  text::Diagnostics ignored;
  const auto found = found_pattern(state, *state.program(ignored)->kernel("factor"));
  REQUIRE(found);
  const auto picture = picture_of(state, *found, {});
  REQUIRE(picture);
  REQUIRE(picture->tree.nodes.size() == 1);
  CHECK(picture->tree.nodes[0].lines.front() == "0…199");
  CHECK(picture->block == 3);
  CHECK(picture->given == 399);
  CHECK(picture->filled == 0);
}

}  // namespace trellis::session
