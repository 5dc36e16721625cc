// Every node of every stage comes from somewhere: a line of C leads back to its case and point of the lattice, its
// loop, its fragment and its equation, stage by stage, and every equation leads forward to a line of C. A third
// of the examples and of the golden files are gone through, and with `--random N` all.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <set>

#include "engine/session/command/ask.hpp"
#include "engine/session/session.hpp"
#include "engine/view/source_spans.hpp"
#include "tests/golden/golden_file.hpp"
#include "tests/programs.hpp"
#include "tests/random/wanted.hpp"

namespace trellis::testing {
namespace {

namespace fs = std::filesystem;
using text::NodeId;
using text::Stage;

constexpr const char* stages_of_equations[] = {"equations", "fragments", "graph", "placement"};
constexpr const char* stages[] = {"loops", "algebra", "lattice", "flow", "c"};

/// All stages of one kernel, and what their nodes were made of.
class Stages {
 public:
  Stages(session::State& state, const lang::Kernel& kernel) : kernel_(kernel) {
    const session::Content content = state.content();
    const int source = content.declared->statements.front()->span.source;
    add("source", view::annotated_source(state.sources, source, *content.declared));
    if (!kernel.loops)
      for (const char* stage : stages_of_equations) show(state, stage);
    for (const char* stage : stages) show(state, stage);
  }

  bool complete() const { return texts_.count("c") > 0; }
  const text::Text& text(const std::string& stage) const { return texts_.at(stage); }

  /// The node and all that it came from.
  std::set<NodeId> back(const NodeId& node) const {
    std::set<NodeId> found;
    std::vector<NodeId> to_do = {node};
    while (!to_do.empty()) {
      const NodeId next = to_do.back();
      to_do.pop_back();
      if (!found.insert(next).second) continue;
      if (const auto from = origins_.find(next); from != origins_.end())
        to_do.insert(to_do.end(), from->second.begin(), from->second.end());
    }
    return found;
  }

  /// From all that stands on one line: not by way of what only holds statements together.
  std::set<NodeId> back_from_all(const std::string& stage) const {
    std::set<NodeId> found;
    for (const text::TextSpan& span : text(stage).spans)
      if (what(stage, span).find('\n') == std::string::npos) found.merge(back(span.node));
    return found;
  }

  /// What is wrong, a line each.
  std::string gaps() const {
    std::string all;
    for (const auto& [stage, text] : texts_)
      if (stage != "source")
        for (const text::TextSpan& span : text.spans) all += gap(stage, text, span);
    return all + bare_lines() + lost();
  }

  std::string what(const std::string& stage, const text::TextSpan& span) const {
    return text(stage).characters.substr(span.begin, span.end - span.begin);
  }

 private:
  void show(session::State& state, const std::string& stage) {
    const session::Reply reply = session::ask(state, "show " + stage + " " + kernel_.name);
    if (const auto* shown = std::get_if<session::Shown>(&reply.result); shown && reply.ok()) add(stage, shown->text);
  }

  void add(const std::string& stage, const text::Text& text) {
    for (const text::TextSpan& span : text.spans) origins_[span.node].insert(span.origin.begin(), span.origin.end());
    texts_[stage] = text;
  }

  std::string gap(const std::string& stage, const text::Text& text, const text::TextSpan& span) const {
    const std::string here = stage + ": `" + text.characters.substr(span.begin, span.end - span.begin) + "` ";
    if (span.origin.empty()) return here + "has no origin\n";
    for (const NodeId& origin : span.origin) {
      if (origin.stage >= span.node.stage) return here + "comes from a later stage\n";
      if (!origins_.count(origin))
        return here + "comes from " + text::name_of(origin.stage) + " " + std::to_string(origin.id) +
               ", which nobody shows\n";
    }
    const std::set<NodeId> from = back(span.node);
    const bool leads = std::ranges::any_of(from, [&](const NodeId& node) { return node.stage == Stage::source; });
    return leads ? "" : here + "does not lead back to the program\n";
  }

  /// Lines of C that no span begins on or goes over; a function's head and end are none of its statements.
  std::string bare_lines() const {
    const text::Text& c = text("c");
    std::string all;
    bool inside = false;
    for (std::size_t begin = 0; begin < c.characters.size();) {
      const std::size_t end = c.characters.find('\n', begin);
      const std::string line = c.characters.substr(begin, end - begin);
      const std::size_t first = begin + std::min(line.find_first_not_of(' '), line.size());
      if (line == "}") inside = false;
      const bool covered =
          std::ranges::any_of(c.spans, [&](const auto& s) { return s.begin <= first && first < s.end; });
      if (inside && !covered) all += "c: the line `" + line + "` has no origin\n";
      inside = inside || line.ends_with(") {");
      begin = end + 1;
    }
    return all;
  }

  /// Equations that lead to no line of C. One of no elements has no loops either.
  std::string lost() const {
    std::string all;
    const std::set<NodeId> c = back_from_all("c"), loops = back_from_all("loops");
    const std::set<NodeId> placement = kernel_.loops ? std::set<NodeId>() : back_from_all("placement");
    for (const lang::Equation& equation : kernel_.equations) {
      const NodeId node{Stage::equations, equation.id};
      if (!placement.count(node)) all += "placement has lost an equation\n";
      if (loops.count(node) && !c.count(node)) all += "c has lost an equation\n";
    }
    return all;
  }

  const lang::Kernel& kernel_;
  std::map<std::string, text::Text> texts_;
  std::map<NodeId, std::set<NodeId>> origins_;
};

/// Every kernel of a program, as far as it compiles.
int go_through(const std::string& name, const std::string& program, const std::function<void(const Stages&)>& visit) {
  CAPTURE(name);
  session::Session session({});
  session.feed(name, program, session::Session::Extent::declarations, [](const session::Reply&) {});
  text::Diagnostics ignored;
  const lang::Program* resolved = session.state().program(ignored);
  if (!resolved) return 0;
  const lang::Program kept = *resolved;
  int complete = 0;
  for (const lang::Kernel& kernel : kept.kernels) {
    CAPTURE(kernel.name);
    const Stages all(session.state(), kernel);
    if (!all.complete()) continue;
    visit(all);
    ++complete;
  }
  return complete;
}

void check_gaps(const Stages& all) { CHECK(all.gaps() == ""); }

/// Texts of the nodes of one stage among these, innermost last.
std::vector<std::string> texts_of(const Stages& all, const std::string& stage, const std::set<NodeId>& nodes) {
  std::vector<std::string> found;
  for (const text::TextSpan& span : all.text(stage).spans)
    if (nodes.count(span.node)) found.push_back(all.what(stage, span));
  return found;
}

/// What the first statement or expression of the stage that reads so came from.
std::set<NodeId> back_from(const Stages& all, const std::string& stage, const std::string& begins) {
  for (const text::TextSpan& span : all.text(stage).spans)
    if (all.what(stage, span).starts_with(begins)) return all.back(span.node);
  FAIL_CHECK("no span of ", stage, " begins with ", begins);
  return {};
}

}  // namespace

TEST_CASE("origins without gaps: examples") {
  int kernels = 0, number = 0;
  for (const fs::path& path : files_of("examples", ".tr"))
    if (randomised::is_taken(number++)) kernels += go_through(path.string(), read(path), check_gaps);
  CHECK(kernels > 30);
}

TEST_CASE("origins without gaps: golden files") {
  int kernels = 0, number = 0;
  for (const fs::path& path : files_of("tests/golden", ".golden")) {
    if (!randomised::is_taken(number++)) continue;
    for (const Section& section : parse_golden(read(path)).sections)
      if (section.heading == "source") kernels += go_through(path.string(), section.body, check_gaps);
  }
  CHECK(kernels > 20);
}

TEST_CASE("a line of C leads to its case, its point, its loop, its fragment and its equation") {
  const char* program = R"(
param n = 5
tensor A(n, n): dcsr
tensor B(n, n): dcsr
tensor C(n, n): csr
C(i,j) = A(i,j) + B(i,j)
order i j
)";
  const auto check = [](const Stages& all) {
    const auto lattice = [&](const char* stage, const char* begins) {
      return texts_of(all, "lattice", back_from(all, stage, begins));
    };
    const std::set<NodeId> from = back_from(all, "c", "C[pC] = A[pA] + B[pB];");
    const std::vector<std::string> places = texts_of(all, "lattice", from);
    REQUIRE(places.size() == 3);
    CHECK(places[0].starts_with("for j: A(i,j) ∪ B(i,j)\n"));
    CHECK(places[1].starts_with("while A(i,j) and B(i,j) have entries\n"));
    CHECK(places[2] == "A(i,j) ∩ B(i,j)    C(i,j) = A(i,j) + B(i,j)");
    CHECK(texts_of(all, "loops", from).back() == "C(i,j) = A(i,j) + B(i,j)");
    CHECK(texts_of(all, "fragments", from).back().starts_with("C: C(i,j) = "));
    CHECK(texts_of(all, "equations", from).front() == "C(i,j) = A(i,j) + B(i,j)");
    // A loop belongs to its point, a test to the cases in which its operand is there.
    CHECK(lattice("c", "while (pA < pA_end && pB < pB_end)") == std::vector{places[0], places[1]});
    CHECK(lattice("c", "while (pB < pB_end)").back().starts_with("while B(i,j) has entries\n"));
    CHECK(lattice("c", "C[pC] = B[pB];").back() == "¬A(i,j) ∩ B(i,j)   C(i,j) = B(i,j)");
    CHECK(lattice("flow", "if pB here\n                append") == places);
  };
  CHECK(go_through("program", program, check) == 1);
}

}  // namespace trellis::testing
