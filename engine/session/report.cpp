#include "engine/session/report.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "engine/session/ask.hpp"
#include "engine/session/report_messages.hpp"
#include "engine/session/report_trace.hpp"
#include "engine/view/arrays.hpp"
#include "engine/view/drawing.hpp"
#include "engine/view/json.hpp"
#include "engine/view/report.hpp"
#include "engine/view/source_spans.hpp"

namespace trellis::session {
namespace {

using view::Json;

constexpr const char* report_stages_of_equations[] = {"equations", "fragments", "graph", "placement"};
constexpr const char* report_stages[] = {"schedule", "loops", "algebra", "lattice", "cfir", "c", "memory", "formats"};

/// A reply as programs read it, without what says which line asked; what went wrong also in the words of the terminal.
Json answer(const Reply& reply, const text::Sources& sources) {
  Json json = to_json(reply, sources);
  json.erase("line");
  std::string rendered;
  for (const text::Diagnostic& d : reply.diagnostics.all()) rendered += text::render(d, sources, text::Colour::off);
  if (!rendered.empty()) json["rendered"] = rendered;
  return json;
}

Json text_json(const text::Text& text) { return {{"text", text.characters}, {"spans", view::spans(text)}}; }

int first_source(const lang::syntax::File& declared) {
  for (const lang::syntax::Statement& statement : declared.statements)
    if (statement->span.known()) return statement->span.source;
  return -1;
}

/// The grid that an instance is about, with the element that the reading iteration is on its way to:
/// {"tensor", "shape", "reads", "computes"}; null when it has more than two dimensions or sizes are not known.
Json grid_of(const State& state, const lang::Program& program, const WhyAnswered& answered, const place::Analysis* analysis) {
  const text::Instance& instance = answered.why.instance;
  const lang::TensorInfo* info = program.tensor(instance.read);
  if (!info || instance.element.empty() || info->shape.size() > 2) return nullptr;
  const auto value = [&](const std::string& name) -> std::optional<std::int64_t> {
    for (const text::Point* point : {&instance.at, &instance.sizes})
      for (const auto& [key, number] : *point)
        if (key == name) return number;
    const auto parameter = state.parameter(name);
    return parameter ? std::optional(parameter->as_integer()) : std::nullopt;
  };
  Json json{{"tensor", instance.read}, {"shape", Json::array()}, {"reads", instance.element}};
  for (const math::Affine& size : info->shape) {
    const auto extent = size.evaluate(value);
    if (!extent) return nullptr;
    json["shape"].push_back(*extent);
  }
  if (!analysis || !answered.why.failure || answered.why.failure->reader < 0) return json;
  const auto& fragments = analysis->fragments.fragments;
  const int equation = fragments[static_cast<std::size_t>(answered.why.failure->reader)].equation;
  for (const place::Fragment& f : fragments) {
    if (f.equation != equation || f.temporary || f.write.tensor != instance.read || f.write_index.size() != info->shape.size()) continue;
    Json computes = Json::array();
    for (const math::Affine& index : f.write_index)
      if (const auto at = index.evaluate(value)) computes.push_back(*at);
    if (computes.size() == info->shape.size()) json["computes"] = computes;
  }
  return json;
}

/// The orders that are not legal, each with its reason and instance.
Json refused(State& state, const lang::Kernel& kernel, const Reply& orders) {
  Json list = Json::array();
  const auto* listed = std::get_if<OrdersListed>(&orders.result);
  if (!listed) return list;
  constexpr std::size_t most = 24;
  text::Diagnostics ignored;
  const lang::Program program = *state.program(ignored);
  const auto analysis = kernel.loops ? nullptr : state.analysis(kernel, ignored);
  for (const explore::Verdict& verdict : listed->table.orders) {
    if (verdict.legal || list.size() == most) continue;
    const Reply reply = ask(state, "why " + kernel.name + ": " + lang::to_string(verdict.order));
    Json json = answer(reply, state.sources);
    if (const auto* why = std::get_if<WhyAnswered>(&reply.result)) {
      json["order_text"] = lang::to_string(verdict.order);
      json["grid"] = grid_of(state, program, *why, analysis.get());
    }
    list.push_back(std::move(json));
  }
  return list;
}

Json kernel_json(State& state, const lang::Kernel& kernel, const ReportOptions& options) {
  Json json{{"kernel", kernel.name}, {"kind", kernel.loops ? "loops" : "equations"}};
  text::Diagnostics ignored;
  const auto compilation = state.compilation(kernel, ignored);
  json["legal"] = compilation != nullptr;
  const auto add = [&](const char* stage) {
    const Reply reply = ask(state, "show " + std::string(stage) + " " + kernel.name);
    json["stages"][stage] = answer(reply, state.sources);
    const auto* shown = std::get_if<Shown>(&reply.result);
    if (!shown || !reply.ok()) return;
    if (shown->stage == "graph") json["drawings"]["graph"] = view::drawing_of(shown->analysis->graph, shown->analysis->fragments);
    if (shown->stage == "lattice") json["drawings"]["lattice"] = view::drawings_of(shown->lattices);
  };
  if (!kernel.loops)
    for (const char* stage : report_stages_of_equations) add(stage);
  for (const char* stage : report_stages) add(stage);
  const Reply orders = ask(state, "orders " + kernel.name);
  json["orders"] = answer(orders, state.sources);
  json["refused"] = refused(state, kernel, orders);
  json["execution"] = trace_json(state, kernel);
  json["lattice_walk"] = lattice_walk_json(state, kernel);
  if (options.timing == ReportOptions::Timing::measured && state.finished(kernel)) json["timing"] = answer(ask(state, "time " + kernel.name), state.sources);
  return json;
}

Json tensors_json(const State& state, const lang::Program& program) {
  Json list = Json::array();
  for (const lang::TensorInfo& info : program.tensors) {
    const tensor::Tensor* held = state.has(info.name) ? state.held(info.name) : nullptr;
    if (held) list.push_back(view::arrays_json(info.name, *held));
  }
  return list;
}

}  // namespace

Json report_model(State& state, const ReportOptions& options, int source) {
  const Content content = state.content();
  if (source < 0) source = first_source(content.declared);
  Json json;
  json["file"] = source < 0 ? "" : std::filesystem::path(state.sources.name(source)).filename().string();
  json["program"] = source < 0 ? Json{{"text", ""}, {"spans", Json::array()}} : text_json(view::annotated_source(state.sources, source, content.declared));
  json["messages"] = messages_json(state, options.said, source);
  text::Diagnostics ignored;
  const lang::Program* program = state.program(ignored);
  json["kernels"] = Json::array();
  json["tensors"] = Json::array();
  if (!program) return json;
  const lang::Program kept = *program;
  for (const lang::Kernel& kernel : kept.kernels) json["kernels"].push_back(kernel_json(state, kernel, options));
  json["tensors"] = tensors_json(state, kept);
  return json;
}

std::string report(State& state, const ReportOptions& options, int source) {
  const Json model = report_model(state, options, source);
  return view::report_page(model, model["file"].get<std::string>());
}

}  // namespace trellis::session
