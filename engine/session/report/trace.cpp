#include "engine/session/report/trace.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/loop/print.hpp"
#include "engine/session/replay/account.hpp"
#include "engine/session/replay/record.hpp"
#include "engine/session/replay/replays.hpp"
#include "engine/view/element_levels.hpp"
#include "engine/view/json.hpp"
#include "engine/view/lattice.hpp"

namespace trellis::session {
namespace {

using view::Json;

constexpr std::size_t most_trace_steps = 500;
constexpr std::size_t most_lattice_steps = 300;
constexpr std::int64_t most_trace_elements = 4096;

Json values_of(const tensor::Tensor& tensor) {
  Json list = Json::array();
  tensor::for_each_index(tensor.shape(),
                         [&](const tensor::Index& index) { list.push_back(view::to_json(tensor.get(index))); });
  return list;
}

/// `["y", [0, 2], 1.5]`, and of a run the last element.
Json to_json(const explore::Trace::Touch& touch) {
  Json json{touch.tensor, touch.index, view::to_json(touch.value)};
  if (!touch.last.empty()) json.push_back(touch.last);
  return json;
}

Json to_json(const explore::Trace::Step& step) {
  Json json{{"at", step.statement}, {"loops", Json::object()}, {"reads", Json::array()}};
  for (const auto& [name, value] : step.loops) json["loops"][name] = value;
  for (const explore::Trace::Touch& read : step.reads) json["reads"].push_back(to_json(read));
  if (step.write) json["writes"] = to_json(*step.write);
  if (!step.starts.empty()) json["starts"] = step.starts;
  if (step.filled) json["fills"] = view::to_json(*step.filled);
  if (!step.ends.empty()) json["ends"] = step.ends;
  Json early = Json::array();
  for (std::size_t k = 0; k < step.reads.size(); ++k)
    if (step.reads[k].early) early.push_back(k);
  if (!early.empty()) json["early"] = early;
  return json;
}

/// Marks the steps that give elements their last value, where that is wrong.
void mark_wrong(Json& steps, const std::vector<explore::WrongElement>& wrong) {
  for (const explore::WrongElement& one : wrong) steps[one.step]["wrong"].push_back(one.element);
}

/// What a step does, whatever the order: the fragment, and where it stands in the equation's own indices.
void mark_deeds(Json& steps, const std::vector<explore::StepPoint>& points) {
  for (std::size_t k = 0; k < points.size(); ++k)
    if (points[k].fragment >= 0) steps[k]["does"] = {points[k].fragment, view::to_json(points[k].point)};
}

Json notes_of(const text::Diagnostic& d) {
  Json list = Json::array();
  for (const text::Note& note : d.notes) list.push_back(note.message);
  return list;
}

Json booleans(const std::vector<bool>& all) {
  Json list = Json::array();
  for (const bool one : all) list.push_back(one);
  return list;
}

/// What the execution touches, as it finds it: {"tensor", "shape", "role", "fill", "values", "stored"}, null for an
/// element that nothing has written; "stored" of sparse tensors. "pads": what is stored and the fill is padding;
/// "cuts": the rows and columns at which blocks of a layout begin.
Json found_before(const Recorded& recorded, const std::vector<std::string>& results) {
  Json list = Json::array();
  const Boards boards = boards_after(recorded, 0);
  for (const auto& [name, tensor] : recorded.before.tensors) {
    const bool result = std::ranges::find(results, name) != results.end();
    const std::vector<bool>& stored = boards.at(name).stored;
    const bool undefined = recorded.fresh.contains(name);
    list.push_back(
        {{"tensor", name},
         {"shape", tensor.shape()},
         {"role", result ? "result" : "operand"},
         {"fill", view::to_json(tensor.fill())},
         {"values", undefined ? Json(static_cast<std::size_t>(tensor.count()), Json()) : values_of(tensor)}});
    if (!stored.empty()) list.back()["stored"] = booleans(stored);
    if (!tensor.dense() && format::pads(tensor.format())) list.back()["pads"] = true;
    const view::BlockCuts cuts = view::block_cuts(tensor, most_trace_elements);
    if (!cuts.rows.empty()) list.back()["cuts"] = {booleans(cuts.rows), booleans(cuts.columns)};
  }
  for (const auto& [name, board] : boards) {
    if (recorded.before.tensors.contains(name) || board.elements.size() > static_cast<std::size_t>(most_trace_elements))
      continue;
    list.push_back({{"tensor", name},
                    {"shape", board.shape},
                    {"role", "temporary"},
                    {"values", Json(board.elements.size(), Json())}});
    if (!board.stored.empty()) list.back()["stored"] = booleans(board.stored);
  }
  return list;
}

}  // namespace

Json trace_json(State& state, const lang::Kernel& kernel) {
  text::Diagnostics found;
  const auto recorded = record(state, kernel, most_trace_steps, kernel.span, found);
  if (!recorded && !found.has_errors()) return nullptr;
  if (!recorded) return {{"problem", found.all().back().message}, {"notes", notes_of(found.all().back())}};
  const Account account = account_of(state, kernel, *recorded);
  const text::Text text =
      recorded->compilation ? flow::print(recorded->compilation->flow) : loop::print(recorded->nest);
  const char* const stage = recorded->compilation ? "flow" : recorded->legal ? "loops" : "replay";
  Json json{{"legal", recorded->legal},
            {"stage", stage},
            {"nest", view::to_json(text)},
            {"tensors", found_before(*recorded, kernel.results())},
            {"steps", Json::array()}};
  for (const auto& step : recorded->trace.steps) json["steps"].push_back(to_json(step));
  mark_deeds(json["steps"], account.points);
  mark_wrong(json["steps"], account.wrong);
  json["complete"] = recorded->trace.complete;
  if (recorded->trace.fault) json["fault"] = recorded->trace.fault->message;
  if (!recorded->order.empty()) json["order"] = lang::to_string(recorded->order);
  return json;
}

Json lattice_walk_json(State& state, const lang::Kernel& kernel) {
  text::Diagnostics ignored;
  const auto compilation = state.compilation(kernel, ignored);
  if (!compilation) return nullptr;
  const auto lattices = coiterate::distinct(compilation->lattices);
  const auto trace = traced_lattices(state, *compilation, most_lattice_steps, kernel.span, ignored);
  if (!trace || trace->steps.empty()) return nullptr;
  Json json{{"steps", Json::array()}, {"complete", trace->complete}};
  for (const explore::LatticeStep& step : trace->steps) json["steps"].push_back(view::to_json(step, lattices));
  if (trace->fault) json["fault"] = trace->fault->message;
  return json;
}

}  // namespace trellis::session
