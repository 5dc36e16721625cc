#include "engine/view/lattice.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/view/dot.hpp"
#include "engine/view/json.hpp"

namespace trellis::view {

namespace {

using coiterate::Lattice;
using coiterate::NumberedLattice;

Json named(const Lattice& lattice, const std::vector<int>& operands) {
  Json list = Json::array();
  for (const int k : operands) list.push_back(lattice.operands[static_cast<std::size_t>(k)].literal.name);
  return list;
}

const char* name_of(Lattice::Role role) {
  switch (role) {
    case Lattice::Role::leads: return "leads";
    case Lattice::Role::follows: return "follows";
    case Lattice::Role::located: break;
  }
  return "located";
}

const char* name_of(Lattice::Point::Goes goes) {
  switch (goes) {
    case Lattice::Point::Goes::while_all: return "while all";
    case Lattice::Point::Goes::while_any: return "while any";
    case Lattice::Point::Goes::everywhere: break;
  }
  return "everywhere";
}

const char* name_of(format::Locate locate) {
  switch (locate) {
    case format::Locate::none: return "none";
    case format::Locate::direct: return "direct";
    case format::Locate::binary: return "binary";
    case format::Locate::one: return "one";
    case format::Locate::hash: break;
  }
  return "hash";
}

Json operand_json(const Lattice::Operand& operand) {
  const coiterate::Literal& l = operand.literal;
  Json json{{"name", l.name},
            {"tensor", l.access.as<lang::Access>()->tensor},
            {"level", l.level() + 1},
            {"sequence", access::to_string(l.sequence)},
            {"last", l.last},
            {"fill", to_json(l.fill)},
            {"pattern", l.exact},
            {"ordered", l.stored().ordered},
            {"unique", l.stored().unique},
            {"locate", name_of(l.stored().locate)},
            {"role", name_of(operand.role)}};
  if (!operand.why.empty()) json["why"] = operand.why;
  return json;
}

Json loop_json(const NumberedLattice& one) {
  const Lattice& l = *one.lattice;
  Json json{{"id", one.number},
            {"loop", l.for_().variable},
            {"low", lang::to_string(l.for_().low)},
            {"high", lang::to_string(l.for_().high)},
            {"descending", l.for_().descending},
            {"algebra", to_string(l.algebra, l.names())},
            {"parent", one.parent < 0 ? Json(nullptr) : Json(one.parent)}};
  json["missing"] = one.around ? named(*one.around, l.absent) : Json::array();
  json["everywhere"] = l.everywhere.empty() ? Json(nullptr) : Json(l.everywhere);
  json["operands"] = Json::array();
  for (const Lattice::Operand& operand : l.operands) json["operands"].push_back(operand_json(operand));
  json["refused"] = Json::array();
  for (const auto& refusal : l.refusals) json["refused"].push_back({{"name", refusal.name}, {"why", refusal.why}});
  return json;
}

Json node_json(const NumberedLattice& one, int p) {
  const Lattice& l = *one.lattice;
  const Lattice::Point& point = l.points[static_cast<std::size_t>(p)];
  Json json{{"id", one.point_id(p)},
            {"loop", one.number},
            {"kind", name_of(point.goes)},
            {"leads", named(l, point.leads)},
            {"follows", named(l, point.follows)},
            {"algebra", to_string(point.algebra, l.names())},
            {"body", coiterate::in_brief(point.body)},
            {"cases", Json::array()}};
  for (const coiterate::Outcome& outcome : outcomes(point))
    json["cases"].push_back({{"present", named(l, outcome.present)},
                             {"absent", named(l, outcome.absent)},
                             {"body", coiterate::in_brief(outcome.body)}});
  return json;
}

Json edge_json(const NumberedLattice& one, int from, const Lattice::Edge& edge) {
  const auto& operands = one.lattice->operands;
  return {{"from", one.point_id(from)},
          {"to", one.point_id(edge.to)},
          {"runs_out",
           edge.runs_out < 0 ? Json(nullptr) : Json(operands[static_cast<std::size_t>(edge.runs_out)].literal.name)}};
}

std::string node_label(const Lattice& lattice, const Lattice::Point& point) {
  std::string label = condition(lattice, point) + "\\l";
  for (const coiterate::Outcome& outcome : outcomes(point)) {
    std::string what;
    for (const auto* side : {&outcome.present, &outcome.absent})
      for (const int k : *side)
        what += (what.empty() ? "" : " ∩ ") + std::string(side == &outcome.absent ? "¬" : "") +
                lattice.operands[static_cast<std::size_t>(k)].literal.name;
    label += "  " + (what.empty() ? "" : what + ":  ") + escaped(coiterate::in_brief(outcome.body)) + "\\l";
  }
  return label;
}

}  // namespace

Json algebra_json(const std::vector<NumberedLattice>& lattices) {
  Json json{{"loops", Json::array()}};
  for (const NumberedLattice& one : lattices) json["loops"].push_back(loop_json(one));
  return json;
}

Json lattice_json(const std::vector<NumberedLattice>& lattices) {
  Json json = algebra_json(lattices);
  json["nodes"] = Json::array();
  json["edges"] = Json::array();
  for (const NumberedLattice& one : lattices) {
    const auto points = static_cast<int>(one.lattice->points.size());
    for (int p = 0; p < points; ++p) {
      json["nodes"].push_back(node_json(one, p));
      for (const Lattice::Edge& edge : one.lattice->points[static_cast<std::size_t>(p)].edges)
        json["edges"].push_back(edge_json(one, p, edge));
    }
    json["nodes"].push_back({{"id", one.point_id(-1)}, {"loop", one.number}, {"kind", "end"}});
  }
  return json;
}

std::string to_dot(const std::vector<NumberedLattice>& lattices, const std::string& title) {
  std::string out = "digraph \"" + escaped(title) + "\" {\n  label=\"" + escaped(title) +
                    "\";\n  node [fontname=\"monospace\", shape=box, style=\"rounded,filled\", "
                    "fillcolor=\"#cfe8ff\"];\n  edge [fontname=\"monospace\"];\n";
  for (const NumberedLattice& one : lattices) {
    const Lattice& l = *one.lattice;
    out += "  subgraph cluster_" + std::to_string(one.number) + " {\n    label=\"" +
           escaped("for " + l.for_().variable + ": " + to_string(l.algebra, l.names())) +
           "\";\n    fontname=\"monospace\";\n    style=dotted;\n";
    for (std::size_t p = 0; p < l.points.size(); ++p)
      out += "    n" + std::to_string(one.point_id(static_cast<int>(p))) + " [label=\"" + node_label(l, l.points[p]) +
             "\"];\n";
    out += "    n" + std::to_string(one.point_id(-1)) + " [label=\"end\", shape=plaintext, style=\"\"];\n";
    for (std::size_t p = 0; p < l.points.size(); ++p)
      for (const Lattice::Edge& edge : l.points[p].edges) {
        const std::string label =
            edge.runs_out < 0 ? "" : l.operands[static_cast<std::size_t>(edge.runs_out)].literal.name + " runs out";
        out += "    n" + std::to_string(one.point_id(static_cast<int>(p))) + " -> n" +
               std::to_string(one.point_id(edge.to)) + " [label=\"" + label + "\"];\n";
      }
    out += "  }\n";
  }
  return out + "}\n";
}

Json to_json(const explore::LatticeStep& step, const std::vector<coiterate::NumberedLattice>& lattices) {
  const auto of = std::ranges::find(lattices, step.lattice, &coiterate::NumberedLattice::number);
  const auto literal = [&](int operand) -> const coiterate::Literal& {
    return of->lattice->operands[static_cast<std::size_t>(operand)].literal;
  };
  Json json{{"lattice", step.lattice},
            {"point", of->point_id(step.point)},
            {"cursors", Json::array()},
            {"around", Json::object()}};
  for (const auto& [name, value] : step.around) json["around"][name] = value;
  for (const auto& [name, coordinate] : step.waited) json["waited"][name] = coordinate;
  if (step.coordinate) json["coordinate"] = *step.coordinate;
  for (const explore::LatticeStep::Cursor& c : step.cursors) {
    json["cursors"].push_back({{"operand", literal(c.operand).name},
                               {"tensor", literal(c.operand).access.as<lang::Access>()->tensor},
                               {"level", literal(c.operand).level()},
                               {"at", c.at},
                               {"begin", c.begin},
                               {"end", c.end},
                               {"here", c.here},
                               {"ran_out", c.ran_out},
                               {"first", c.first},
                               {"crd", c.stored}});
    Json& cursor = json["cursors"].back();
    for (Json& one : cursor["crd"])
      if (one == flow::no_key) one = nullptr;
    if (!c.starts.empty()) cursor["starts"] = c.starts;
    if (c.here && c.to > c.from + 1) cursor["together"] = Json::array({c.from, c.to});
    for (const flow::Standing::Level& level : c.levels)
      cursor["levels"].push_back({{"level", level.level},
                                  {"name", access::level_name(cursor["tensor"], level.level)},
                                  {"unit", level.unit},
                                  {"at", level.at},
                                  {"begin", level.begin},
                                  {"end", level.end},
                                  {"first", level.first},
                                  {"crd", level.stored}});
  }
  for (const explore::LatticeStep::Touch& touch : step.touches) {
    Json one{{"kind", explore::name_of(touch.kind)},
             {"tensor", touch.tensor},
             {"index", touch.index},
             {"place", touch.place},
             {"words", explore::in_words(touch)}};
    if (touch.value) one["value"] = to_json(*touch.value);
    if (!touch.last.empty()) one["last"] = touch.last;
    json["touches"].push_back(std::move(one));
  }
  if (step.left) json["left"] = true;
  if (step.which >= 0) json.update({{"does", step.does}, {"case", step.which}});
  if (step.runs_out) {
    json["runs_out"] = *step.runs_out < 0 ? Json(nullptr) : Json(literal(*step.runs_out).name);
    json["to"] = of->point_id(step.to);
  }
  return json;
}

}  // namespace trellis::view
