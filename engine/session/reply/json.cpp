// Replies as programs read them (docs/design/language.md#replies-as-json).
#include <nlohmann/json.hpp>

#include "engine/session/reply/json_plan.hpp"
#include "engine/session/reply/reply.hpp"
#include "engine/session/running/steps_taken.hpp"
#include "engine/session/stages/find_notes.hpp"
#include "engine/view/json.hpp"
#include "engine/view/lattice.hpp"
#include "engine/view/tree.hpp"

namespace trellis::session {
namespace {

using view::Json;

void put(Json& json, const lang::Order& order) {
  json["order"] = view::names(order);
  json["descending"] = view::descending(order);
}

void put(Json& json, const Loaded& loaded) {
  json["tensor"] = loaded.tensor;
  json["shape"] = loaded.shape;
  json["entries"] = loaded.entries;
  if (loaded.as_truths) json["as_truths"] = true;
}

void put(Json& json, const Pruned& pruned) {
  json["tensor"] = pruned.tensor;
  json["entries"] = pruned.after;
  json["dropped"] = pruned.before - pruned.after;
}

void put(Json& json, const Ran& ran) {
  json["kernels"] = Json::array();
  for (const Ran::Kernel& k : ran.kernels) {
    Json stages = Json::object();
    for (const StageTimes::Entry& entry : k.stages.entries) stages[entry.stage] = entry.ms;
    json["kernels"].push_back({{"kernel", k.kernel},
                               {"backend", run::name_of(k.backend)},
                               {"order", view::names(k.order)},
                               {"descending", view::descending(k.order)},
                               {"compile_ms", k.compile_ms},
                               {"run_ms", k.run_ms},
                               {"stages_ms", stages},
                               {"results", k.results}});
    if (!k.how.empty()) json["kernels"].back()["how"] = k.how;
    if (k.steps)
      json["kernels"].back()["steps"] = {
          {"taken", k.steps->taken}, {"most", k.steps->most}, {"until", name_of(k.steps->end)}};
  }
}

void put(Json& json, const Checked& checked) {
  json["coverage"] = checked.sampled() ? "sampled" : "full";
  json["max_rel_error"] = view::to_json(checked.max_rel_error());
  json["kernels"] = Json::array();
  for (const Checked::Kernel& kernel : checked.kernels) {
    const bool equations = kernel.report.by == check::By::equations;
    json["kernels"].push_back({{"kernel", kernel.kernel},
                               {"by", equations ? "equations" : "elements"},
                               {"elements", kernel.report.elements},
                               {"max_of_bound", view::to_json(kernel.report.max_of_bound)},
                               {"undecided", kernel.report.undecided},
                               {"reassociated", kernel.reassociated}});
  }
  const check::Difference* first = checked.first_difference();
  json["first_difference"] = nullptr;
  if (first)
    json["first_difference"] = {{"tensor", first->tensor},
                                {"index", first->index},
                                {"got", view::to_json(first->got)},
                                {"expected", view::to_json(first->expected)},
                                {"equation", first->equation}};
}

/// By lattice, what its operands do, and what is proven of those that are looked up.
Json finds_json(const Shown& shown) {
  Json all = Json::array();
  for (const coiterate::NumberedLattice& one : shown.lattices) {
    Json notes = Json::array();
    for (const FindNote& note : find_notes(*shown.compilation, *one.lattice))
      notes.push_back({{"words", note.words}, {"verdict", name_of(note.trust)}});
    all.push_back({{"lattice", one.number}, {"notes", notes}});
  }
  return all;
}

Json to_json(const PassShown& pass) {
  Json lines = Json::array();
  for (const PassShown::Line& line : pass.lines) lines.push_back({std::string(1, line.mark), line.text});
  return {{"name", pass.name}, {"reason", pass.reason}, {"changed", !pass.diff.empty()}, {"lines", std::move(lines)}};
}

void put(Json& json, const Shown& shown) {
  json["stage"] = shown.stage;
  json["kernel"] = shown.kernel;
  json["text"] = shown.text.characters;
  json["spans"] = view::spans(shown.text);
  if (shown.stage == "fragments") json["model"] = view::to_json(shown.analysis->fragments);
  if (shown.stage == "graph") json["model"] = view::to_json(shown.analysis->graph, shown.analysis->fragments);
  if (shown.stage == "algebra") json["model"] = view::algebra_json(shown.lattices);
  if (shown.stage == "flow") json["model"] = view::tree_json(view::tree_of_flow(shown.text, "kernel " + shown.kernel));
  for (const PassShown& pass : shown.passes) json["passes"].push_back(to_json(pass));
  if (shown.stage == "lattice") json["model"] = view::lattice_json(shown.lattices);
  if (shown.stage == "lattice") json["finds"] = finds_json(shown);
  for (std::size_t line = 0; line < shown.remarks.size(); ++line)
    if (!shown.remarks[line].empty()) json["remarks"].push_back({{"line", line}, {"words", shown.remarks[line]}});
  for (const auto& [id, share] : shown.cost) json["cost"].push_back({{"id", id}, {"share", view::to_json(share)}});
  if (shown.stage == "placement") {
    json["model"]["events"] = view::to_json(shown.events, shown.analysis->fragments);
    json["model"]["nest"] = view::to_json(shown.nest);
    json["model"]["certificate"] = shown.certificate ? view::to_json(*shown.certificate) : Json(nullptr);
  }
}

Json to_json(const StoredTensor::Level& level) {
  const format::Facts& facts = level.facts;
  const auto named = [](auto kind, std::initializer_list<const char*> names) {
    return names.begin()[static_cast<std::size_t>(kind)];
  };
  Json arrays = Json::object();
  for (const auto& [name, bytes] : level.arrays) arrays[name] = bytes ? Json(*bytes) : Json(nullptr);
  return {{"level", format::to_string(level.level)},
          {"dimension", level.dimension},
          {"stores", level.stores},
          {"region", named(facts.region, {"point", "block", "run"})},
          {"gaps", facts.gaps},
          {"single", facts.single},
          {"ordered", facts.ordered},
          {"decreasing", facts.decreasing},
          {"unique", facts.unique},
          {"locate", named(facts.locate, {"none", "direct", "binary", "hash", "one"})},
          {"wide", facts.wide},
          {"arrays", arrays}};
}

void put(Json& json, const FormatsShown& shown) {
  json["stage"] = "formats";
  json["text"] = to_string(shown);
  json["model"] = {{"tensors", Json::array()}, {"kernels", Json::array()}};
  for (const StoredTensor& tensor : shown.tensors) {
    Json one{{"tensor", tensor.info.name},
             {"format", format::to_string(tensor.info.format)},
             {"type", format::name_of(tensor.info.type)},
             {"pattern", tensor.info.format.pattern},
             {"levels", Json::array()}};
    for (const StoredTensor::Level& level : tensor.levels) one["levels"].push_back(to_json(level));
    if (const auto& c = tensor.contents)
      one.update({{"entries", c->entries}, {"density", c->density()}, {"bytes", c->bytes}});
    json["model"]["tensors"].push_back(std::move(one));
  }
  for (const view::StoragePicture& picture : shown.pictures)
    if (!picture.empty()) json["model"]["pictures"].push_back(view::to_json(picture));
  for (const KernelStorage& kernel : shown.kernels)
    json["model"]["kernels"].push_back(
        {{"kernel", kernel.kernel}, {"written", kernel.written}, {"looked_up", kernel.looked_up}});
}

void put(Json& json, const OrdersListed& listed) {
  json["kernel"] = listed.kernel;
  json.update(view::to_json(listed.table));
  if (!listed.present.empty()) json["in_force"] = view::names(listed.present);
  if (listed.timed) json["backend"] = run::name_of(*listed.timed);
  if (listed.both_ways) json["both_ways"] = {listed.both_ways->first, listed.both_ways->second};
}

void put(Json& json, const WhyAnswered& answered) { json.update(view::to_json(answered.why)); }

void put(Json& json, const Printed& printed) {
  if (printed.expression.empty()) json["tensor"] = printed.tensor;
  else json["expression"] = printed.expression;
  json["type"] = format::name_of(printed.value.type());
  json["shape"] = printed.value.shape();
  json["format"] = printed.value.dense() ? "dense" : format::to_string(printed.value.format());
  json["fill"] = view::to_json(printed.value.fill());
  json["entries"] = view::entries(printed.value);
}

void put(Json& json, const Saved& saved) {
  if (!saved.tensor.empty()) json["tensor"] = saved.tensor;
  json["path"] = saved.path;
  if (saved.fills > 0) json["stored_fills"] = saved.fills;
  if (!saved.tensor.empty()) return;
  json["statements"] = saved.statements;
  json["actions"] = saved.actions;
}

void put(Json& json, const Exported& exported) {
  json["what"] = exported.what;
  json["kernel"] = exported.kernel;
  json["files"] = exported.files;
  if (!exported.function.empty()) json["function"] = exported.function;
  if (!exported.next.empty()) json["next"] = exported.next;
}

void put(Json& json, const Plotted& plotted) {
  json["tensor"] = plotted.tensor;
  if (plotted.path.empty()) json["text"] = plotted.text;
  else json["path"] = plotted.path;
}

void put(Json& json, const Counted& counted) {
  json["kernel"] = counted.kernel;
  if (!counted.size.empty()) json["size"] = counted.size;
  if (!counted.path.empty()) json["path"] = counted.path;
  json["rows"] = Json::array();
  for (const Counted::Row& row : counted.rows) {
    Json one{
        {"steps", row.steps}, {"operations", row.operations}, {"entries", row.entries}, {"elements", row.elements}};
    if (!counted.size.empty()) one["value"] = row.value;
    json["rows"].push_back(std::move(one));
  }
}

void put(Json& json, const Explained& explained) {
  json["topic"] = explained.topic;
  json["text"] = explained.text;
}

void put(Json& json, const Scheduled& scheduled) {
  json["applied"] = scheduled.command;
  if (!scheduled.kernel.empty()) json["kernel"] = scheduled.kernel;
}

void put(Json& json, const Timed& timed) {
  json["backends"] = Json::array();
  json["kernels"] = Json::array();
  for (const Timed::Kernel& k : timed.kernels) {
    for (const Timed::Backend& b : k.backends) {
      const auto rate = gflop_per_s(k, b.timing);
      json["backends"].push_back({{"kernel", k.kernel},
                                  {"backend", run::name_of(b.backend)},
                                  {"runs", b.timing.ms.size()},
                                  {"min_ms", b.timing.min},
                                  {"median_ms", b.timing.median},
                                  {"mad_ms", b.timing.mad},
                                  {"gb_per_s", gb_per_s(k, b.timing)},
                                  {"gflop_per_s", rate ? Json(*rate) : Json(nullptr)}});
    }
    json["kernels"].push_back({{"kernel", k.kernel},
                               {"order", view::names(k.order)},
                               {"bytes", k.bytes},
                               {"flops", k.flops ? Json(*k.flops) : Json(nullptr)},
                               {"threads", k.threads},
                               {"roof", nullptr}});
    if (k.roof) json["kernels"].back()["roof"] = {{"gb_per_s", k.roof->gb_per_s}, {"gflop_per_s", k.roof->gflop_per_s}};
  }
}

void put(Json& json, const Suggested& suggested) {
  json["kernel"] = suggested.kernel;
  put(json, suggested.order);
  json["cost"] = suggested.cycles / suggested.least();
  json["suggestions"] = Json::array();
  for (const explore::Suggestion& s : suggested.suggestions)
    json["suggestions"].push_back(
        {{"command", s.command}, {"reason", s.reason}, {"cost", s.cycles / suggested.least()}});
}

void put(Json& json, const PlanShown& shown) { json.update(json_of(shown)); }

void put(Json& json, const CoreFound& found) {
  json["kernel"] = found.kernel;
  put(json, found.order);
  json["legal"] = found.legal;
  json["core"] = Json::array();
  for (std::size_t k = 0; k < found.core.size(); ++k)
    json["core"].push_back({{"read", found.reads[k].text},
                            {"line", found.reads[k].line},
                            {"written_line", found.reads[k].written_line},
                            {"instance", view::to_json(found.core[k].instance)}});
}

void put(Json& json, const Differed& differed) {
  json["stage"] = differed.stage;
  const double least = std::min(differed.left.cycles, differed.right.cycles);
  for (const auto& [key, side] : {std::pair("left", &differed.left), std::pair("right", &differed.right)})
    json[key] = {{"name", side->name}, {"cost", least > 0 ? Json(side->cycles / least) : Json(nullptr)}};
  json["same"] = differed.diff.empty();
  json["diff"] = differed.diff;
}

void put(Json& json, const Travelled& travelled) {
  if (!travelled.name.empty()) json["name"] = travelled.name;
  if (!travelled.statements.empty()) json["statements"] = travelled.statements;
}

void put(Json& json, const explore::Trace::Step& step) {
  const auto touched = [](const explore::Trace::Touch& t) {
    Json one{{"tensor", t.tensor}, {"index", t.index}, {"value", view::to_json(t.value)}};
    if (!t.last.empty()) one["last"] = t.last;
    return one;
  };
  json["statement"] = step.statement;
  json["loops"] = Json::object();
  for (const auto& [name, value] : step.loops) json["loops"][name] = value;
  json["reads"] = Json::array();
  for (const explore::Trace::Touch& read : step.reads) {
    json["reads"].push_back(touched(read));
    json["reads"].back()["early"] = read.early;
  }
  if (step.write) json["writes"] = touched(*step.write);
  if (!step.starts.empty()) json["starts"] = step.starts;
  if (!step.ends.empty()) json["ends"] = step.ends;
}

/// Of each fragment after the step, and the nest as far as it stands.
void put_progress(Json& json, const ReplayedPlacement& p, std::size_t at) {
  const auto name = [&](int f) { return p.analysis->fragments.fragments[static_cast<std::size_t>(f)].name; };
  json["fragments"] = Json::array();
  const std::vector<place::Progress> all = place::progress(p.needs, p.events, at);
  for (std::size_t f = 0; f < all.size(); ++f) {
    Json one{{"name", name(static_cast<int>(f))}, {"state", place::name_of(all[f].kind)}, {"waits_for", Json::array()}};
    if (!all[f].why.empty()) one["why"] = all[f].why;
    for (const int other : all[f].waits_for) one["waits_for"].push_back(name(other));
    json["fragments"].push_back(std::move(one));
  }
  json["nest"] = Json::array();
  if (at == 0) return;
  for (const place::SketchLine& line : p.events[at - 1].nest) {
    json["nest"].push_back({{"depth", line.depth}});
    if (line.fragment >= 0) json["nest"].back()["fragment"] = name(line.fragment);
    else json["nest"].back()["loop"] = lang::to_string(lang::Order{line.loop});
  }
}

void put(Json& json, const Stepped& stepped) {
  json["replay"] = stepped.replay;
  json["kernel"] = stepped.kernel;
  json["at"] = stepped.at;
  json["of"] = stepped.of;
  json["complete"] = stepped.complete;
  if (stepped.execution) {
    json["order"] = view::names(stepped.execution->order);
    json["legal"] = stepped.execution->legal;
    json["replays"] = stepped.execution->compilation ? "control flow" : "loops";
    if (stepped.at > 0) put(json, stepped.execution->trace.steps[stepped.at - 1]);
  } else if (stepped.placement) {
    const ReplayedPlacement& p = *stepped.placement;
    json["order"] = view::names(p.order);
    json["legal"] = p.legal;
    json["events"] = view::to_json({p.events.begin(), p.events.begin() + static_cast<std::ptrdiff_t>(stepped.at)},
                                   p.analysis->fragments);
    put_progress(json, p, stepped.at);
  } else if (stepped.at > 0) {
    json["step"] = view::to_json(stepped.lattices->trace.steps[stepped.at - 1], stepped.lattices->lattices);
  }
}

void put(Json& json, const HistoryListed& listed) {
  json["done"] = listed.done;
  json["undone"] = listed.undone;
  json["snapshots"] = listed.snapshots;
}

void put(Json& json, const Sourced& sourced) { json["file"] = sourced.file; }

void put(Json& json, const ExamplesListed& listed) {
  json["examples"] = Json::array();
  for (const auto& entry : listed.entries)
    json["examples"].push_back({{"name", entry.name}, {"summary", entry.summary}});
}

void put(Json& json, const LessonShown& shown) {
  json["lesson"] = shown.number;
  json["of"] = shown.of;
  json["title"] = shown.title;
  json["text"] = shown.text;
  json["tasks"] = Json::array();
  for (const auto& task : shown.tasks)
    json["tasks"].push_back({{"statement", task.statement}, {"text", task.text}, {"done", task.done}});
}

void put(Json& json, const LessonsListed& listed) {
  json["present"] = listed.present;
  json["lessons"] = Json::array();
  for (const auto& lesson : listed.lessons)
    json["lessons"].push_back({{"title", lesson.title}, {"tasks", lesson.tasks}, {"done", lesson.done}});
}

void put(Json& json, const Quizzed& quizzed) {
  json["number"] = quizzed.number;
  json["kind"] = quizzed.kind;
  json["about"] = quizzed.about;
  json["scene"] = quizzed.scene;
  json["question"] = quizzed.question;
  json["choices"] = quizzed.choices;
  if (const auto& answer = quizzed.answer)
    json["answer"] = {{"given", answer->given == 0 ? Json(nullptr) : Json(answer->given)},
                      {"right", answer->right},
                      {"reason", answer->reason}};
  json["score"] = {{"right", quizzed.right}, {"answered", quizzed.answered}};
}

Json node_json(const text::NodeId& node) { return {{"stage", text::name_of(node.stage)}, {"id", node.id}}; }

/// What is not selected is left out.
void put(Json& json, const Selected& selected) {
  const Selection& s = selected.selection;
  Json one = Json::object();
  if (!s.kernel.empty()) one["kernel"] = s.kernel;
  if (s.stage != text::Stage::source) one["stage"] = text::name_of(s.stage);
  if (s.step) one["step"] = *s.step;
  if (s.node) one["node"] = node_json(*s.node);
  if (!s.instance.empty()) one["instance"] = view::to_json(text::Point(s.instance.begin(), s.instance.end()));
  if (s.element) one["element"] = {{"tensor", s.element->tensor}, {"index", s.element->index}};
  if (s.position)
    one["position"] = {
        {"tensor", s.position->tensor}, {"level", s.position->level}, {"position", s.position->position}};
  one["pins"] = Json::array();
  for (const text::NodeId& node : s.pins) one["pins"].push_back(node_json(node));
  json["selection"] = std::move(one);
}

void put(Json&, const Accepted&) {}
void put(Json&, const Left&) {}

void put(Json&, const Cleared&) {}

}  // namespace

nlohmann::ordered_json to_json(const Reply& reply, const text::Sources& sources) {
  Json json{{"command", reply.command}, {"line", reply.line}, {"ok", reply.ok()}};
  if (!reply.diagnostics.empty()) json["diagnostics"] = view::to_json(reply.diagnostics, sources);
  if (reply.ok() || !std::holds_alternative<Accepted>(reply.result))
    std::visit([&](const auto& r) { put(json, r); }, reply.result);
  if (const auto& learning = reply.learning)
    json["learning"] = {{"lesson", learning->lesson}, {"done", learning->task}, {"left", learning->left}};
  return json;
}

}  // namespace trellis::session
