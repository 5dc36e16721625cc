// What windows draw of a kernel: pictures that agree with what commands say, of legal orders and of illegal ones.
#include "engine/session/live/drawn.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "engine/session/live/worker.hpp"

namespace trellis::session {
namespace {

using text::Stage;

const std::string max_product =
    "param n = 3\ntensor A(n, n)\ntensor B(n, n)\nrandom A seed 1\nrandom B seed 2\n"
    "V(i,0) = B(i,0)\nV(i,j) = max(k)(V(k,j-1) * A(k,i) * B(i,j)) : 1 <= j\n";
const std::string sparse_product =
    "param n = 4; tensor A(n, n): csr; tensor x(n)\nfill_with A [[1,0,0,2],[0,0,0,0],[0,3,0,0],[0,0,4,5]]\n"
    "random x seed 2\ny(i) = A(i,j) * x(j)\norder i j\n";

std::shared_ptr<const Snapshot> shown(Worker& worker, const std::string& program) {
  worker.revise("drawn.tr", program);
  worker.finish();
  return worker.latest();
}

/// As a terminal shows it.
std::string said(const std::string& program, const std::string& command) {
  Session session({});
  std::string output;
  session.enter("program", program, [](const Reply&) {});
  session.enter("command", command, [&](const Reply& reply) { output += output_of(reply); });
  return output;
}

const view::Drawing::Node* node(const view::Drawing& drawing, int id) {
  const auto found = std::ranges::find(drawing.nodes, id, &view::Drawing::Node::id);
  return found == drawing.nodes.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE(
    "drawn: of an illegal order the edge that it violates, the step of the instance, and each event of placement") {
  Worker worker({});
  const auto snapshot = shown(worker, max_product + "order i j k");
  const KernelView& main = *snapshot->kernel("main");
  REQUIRE(main.drawn);
  const DrawnView& drawn = *main.drawn;

  REQUIRE(drawn.violated.size() == 1);
  const auto [from, to] = *drawn.violated.begin();
  CHECK(node(drawn.graph, from)->lines.front().starts_with("V(i,"));
  CHECK(node(drawn.graph, to)->lines.front() == "V(k,j-1)");
  CHECK(std::ranges::any_of(drawn.graph.edges, [&](const auto& e) { return e.from == from && e.to == to; }));
  CHECK(drawn.graph_with_inputs.nodes.size() > drawn.graph.nodes.size());

  const auto& steps = main.explained->execution->trace.steps;
  REQUIRE(drawn.instance_step);
  const explore::Trace::Step& smallest = steps.at(*drawn.instance_step - 1);
  CHECK(std::ranges::any_of(smallest.reads, &explore::Trace::Touch::early));
  CHECK(said(max_product + "order i j k", "show instance").starts_with("step " + std::to_string(*drawn.instance_step)));
  CHECK(drawn.timeline.steps == steps.size());
  CHECK(drawn.account.points.size() == steps.size());
  CHECK_FALSE(drawn.account.violations.empty());
  CHECK_FALSE(drawn.account.wrong.empty());

  const PlacementView& placement = *drawn.placement;
  CHECK_FALSE(placement.legal);
  CHECK(placement.events.size() == main.explained->events.size());
  CHECK(placement.nests.size() == placement.events.size() + 1);
  CHECK(placement.progress.size() == placement.nests.size());
  CHECK(placement.nests.front().characters.empty());
  CHECK(placement.sentences.back().starts_with("reject"));
  CHECK(std::ranges::any_of(placement.fragments, [](const auto& f) { return f.writes == "V(i,j)"; }));

  CHECK(drawn.stage(Stage::graph).characters == said(max_product + "order i j k", "show graph"));
  CHECK(drawn.stage(Stage::placement).characters == said(max_product + "order i j k", "show placement"));
  CHECK(drawn.stage(Stage::c).characters.empty());
  CHECK(drawn.lattice_walk == nullptr);
}

TEST_CASE("drawn: the nest of a placement grows, says what is ready, and ends as the loops that were placed") {
  Worker worker({});
  const auto snapshot = shown(worker, max_product + "order j i k");
  const PlacementView& placement = *snapshot->kernel("main")->drawn->placement;
  REQUIRE(placement.legal);
  const auto ready = std::ranges::find(placement.events, place::Event::Kind::ready, &place::Event::kind);
  REQUIRE(ready != placement.events.end());
  const auto at = static_cast<std::size_t>(ready - placement.events.begin());
  CHECK(placement.nests[at].characters.find("ready") == std::string::npos);
  CHECK(placement.nests[at + 1].characters.find("# ready V(i,0)\n") != std::string::npos);
  CHECK(placement.nests.back().characters.find("forall i in 0:n") != std::string::npos);
  for (std::size_t done = 0; done < placement.progress.size(); ++done)
    for (const place::Progress& one : placement.progress[done])
      if (done + 1 == placement.progress.size()) CHECK(one.kind == place::Progress::Kind::placed);
}

TEST_CASE("drawn: of sparse operands the walk through lattices, stages as `show` prints them, and where loops may go") {
  Worker worker({});
  const auto snapshot = shown(worker, sparse_product);
  const DrawnView& drawn = *snapshot->kernel("main")->drawn;
  REQUIRE(drawn.lattice_walk);
  CHECK_FALSE(drawn.lattice_walk->trace.steps.empty());
  CHECK(drawn.lattice_walk->compilation->analysis == nullptr);
  CHECK(drawn.lattices.size() == 1);
  CHECK_FALSE(drawn.algebra.nodes.empty());
  CHECK_FALSE(drawn.flow.nodes.empty());
  for (const Stage stage : {Stage::equations, Stage::fragments, Stage::graph, Stage::placement, Stage::loops,
                            Stage::algebra, Stage::lattice, Stage::flow, Stage::c})
    CHECK(drawn.stage(stage).characters == said(sparse_product, "show " + std::string(text::name_of(stage))));
  REQUIRE(drawn.drop_slots.size() == 2);
  CHECK(drawn.drop_slots[0].size() == 2);
  CHECK(drawn.cycles.value_or(0) > 0);
  double shares = 0;
  for (const auto& [node, share] : drawn.cost_share) shares += share;
  CHECK(shares == doctest::Approx(1));
  // From C to the program's text.
  const auto& spans = drawn.stage(Stage::c).spans;
  CHECK(std::ranges::any_of(spans, [&](const text::TextSpan& span) {
    const auto kin = drawn.kin.of(span.node);
    return std::ranges::any_of(kin, [](const text::NodeId& n) { return n.stage == Stage::source; });
  }));
  const TensorView& a = snapshot->tensors.at("A");
  CHECK(a.stored.values.size() == 5);
  REQUIRE(a.format.contents);
  CHECK(a.format.contents->entries == 5);
}

TEST_CASE(
    "drawn: an access is linked to what it became, down to C and in the graph, and statements to their own lines") {
  Worker worker({});
  const auto snapshot = shown(worker,
                              "param n = 3\ntensor A(n, n)\ntensor x(n)\nrandom A seed 1\nrandom x seed 2\n"
                              "y(i) = A(i,j) * x(j)\nz(i) = y(i) + x(i)\n");
  const DrawnView& drawn = *snapshot->kernel("main")->drawn;
  /// What of a stage lights up while the pointer is on those words of the program.
  const auto lit = [&](const std::string& words, Stage stage) {
    const text::Text& program = *snapshot->text;
    const auto at = static_cast<std::uint32_t>(program.characters.find(words));
    const auto kin = drawn.kin.lit(text::nodes_at(program, at)).strong;
    std::vector<std::string> found;
    for (const text::TextSpan& span : drawn.stage(stage).spans)
      if (span.node.stage == stage && kin.contains(span.node))
        found.push_back(drawn.stage(stage).characters.substr(span.begin, span.end - span.begin));
    return found;
  };
  using Words = std::vector<std::string>;
  CHECK(lit("A(i,j)", Stage::c) == Words{"A[i * n + j]"});
  CHECK(lit("x(j)", Stage::c) == Words{"x[j]"});
  CHECK(lit("x(i)", Stage::c) == Words{"x[i]"});
  CHECK(lit("A(i,j)", Stage::flow) == Words{"A[i][j]"});
  REQUIRE(lit("x(j)", Stage::graph).size() == 1);
  CHECK(lit("x(j)", Stage::graph).front().starts_with("x(j)   input"));
  // Back from C, and to the graph.
  const auto of_c = [&](const std::string& words, Stage stage) {
    const text::Text& c = drawn.stage(Stage::c);
    const auto at = static_cast<std::uint32_t>(c.characters.find(words));
    std::set<text::NodeId> found;
    for (const text::NodeId& node : drawn.kin.of(text::nodes_at(c, at).front()))
      if (node.stage == stage) found.insert(node);
    return found;
  };
  CHECK(of_c("x[j]", Stage::source).size() == 1);
  CHECK(of_c("z[i] =", Stage::graph).size() == 1);
  CHECK(of_c("z[i] =", Stage::graph) != of_c("y[i] =", Stage::graph));
  CHECK(of_c("z[i] =", Stage::c).size() == 1);  // and no line beside it
}

TEST_CASE("drawn: what nothing has changed is the same object, and other data keeps the placement") {
  Worker worker({});
  shown(worker, sparse_product);
  const auto first =
      shown(worker, sparse_product + "# it has run by now: what is drawn are the tensors that it found\n");
  const auto moved = shown(worker, "# a line above\n" + sparse_product);
  CHECK(first->kernel("main")->drawn == moved->kernel("main")->drawn);
  worker.enter("random x seed 7");
  worker.finish();
  const auto refilled = worker.latest();
  CHECK(first->kernel("main")->drawn != refilled->kernel("main")->drawn);
  CHECK(first->kernel("main")->drawn->placement == refilled->kernel("main")->drawn->placement);
}

TEST_CASE("drawn: what was measured stays in view, and is stale once the kernel is another one") {
  Worker worker({});
  shown(worker, sparse_product);
  worker.enter("time");
  worker.enter("orders time");
  worker.finish();
  auto snapshot = worker.latest();
  REQUIRE(snapshot->timings.contains("main"));
  REQUIRE(snapshot->measured_orders.contains("main"));
  CHECK(snapshot->measured_orders.at("main")->table.orders.front().median_ms);
  CHECK(snapshot->stale_timings.empty());
  worker.enter("order j i");
  worker.finish();
  snapshot = worker.latest();
  CHECK(snapshot->timings.contains("main"));
  CHECK(snapshot->stale_timings.contains("main"));
  CHECK_FALSE(snapshot->stale_orders.contains("main"));  // its orders are as they were
  snapshot = shown(worker, sparse_product + "z(i) = 2 * y(i)\n");
  CHECK(snapshot->stale_orders.contains("main"));
}

}  // namespace trellis::session
