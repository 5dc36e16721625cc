#include "engine/session/report/report.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>

#include "engine/session/command/ask.hpp"
#include "engine/session/report/messages.hpp"
#include "engine/session/report/orders.hpp"
#include "engine/session/report/stages.hpp"
#include "engine/session/report/trace.hpp"
#include "engine/session/report/variant.hpp"
#include "engine/session/running/in_time.hpp"
#include "engine/session/running/ranks_cuts.hpp"
#include "engine/session/stages/formats.hpp"
#include "engine/session/stages/found_pattern.hpp"
#include "engine/session/stages/plan_picture.hpp"
#include "engine/session/stages/ranks.hpp"
#include "engine/view/arrays.hpp"
#include "engine/view/json.hpp"
#include "engine/view/report.hpp"
#include "engine/view/source_spans.hpp"

namespace trellis::session {
namespace {

using view::Json;

constexpr const char* report_stages_of_equations[] = {"equations", "fragments", "graph", "placement"};
constexpr const char* report_stages[] = {"schedule", "loops",     "storage", "algebra", "lattice",
                                         "flow",     "flow each", "c",       "memory",  "formats"};

int first_source(const lang::syntax::File& declared) {
  for (const lang::syntax::Statement& statement : declared.statements)
    if (statement->span.known()) return statement->span.source;
  return -1;
}

/// A page is handed out and mailed: it holds as many orders as go into so many bytes.
constexpr std::size_t most_bytes_of_page = 2'000'000;

/// What takes less than this is the price of a call: nothing is said about the kernel.
constexpr double least_ms = 0.01;

bool means_something(const Reply& reply) {
  const auto* timed = std::get_if<Timed>(&reply.result);
  return timed && !timed->kernels.empty() && std::ranges::any_of(timed->kernels.front().backends, [](const auto& one) {
           return one.timing.median >= least_ms;
         });
}

/// A part of the page that takes work, or what stands in its place where that takes too long.
void add_in_time(State& state, Json& to, const char* name, Json otherwise, const std::function<Json()>& make) {
  const double seconds = state.options.limits.seconds / parts_of_a_page;
  if (!in_time(state.cancel, seconds, [&] { to[name] = make(); })) to[name] = std::move(otherwise);
}

/// Null where there is nothing to choose.
Json plan_json(State& state, const lang::Kernel& kernel) {
  text::Diagnostics ignored;
  const lang::Program* program = kernel.loops ? nullptr : state.program(ignored);
  if (!program) return nullptr;
  const PlanPicture picture = plan_picture(state, *program, kernel);
  return picture.has_choices() ? to_json(picture) : Json(nullptr);
}

Json kernel_json(State& state, const lang::Kernel& kernel, const ReportOptions& options) {
  Json json{{"kernel", kernel.name}, {"kind", kernel.loops ? "loops" : "equations"}};
  text::Diagnostics ignored;
  const auto compilation = state.compilation(kernel, ignored);
  json["legal"] = compilation != nullptr;
  if (!kernel.loops)
    for (const char* stage : report_stages_of_equations) add_stage(state, kernel.name, stage, json);
  for (const char* stage : report_stages) add_stage(state, kernel.name, stage, json);
  if (!kernel.schedule.distributions.empty()) {
    add_stage(state, kernel.name, "ranks", json);
    if (compilation && compilation->distributed)
      if (const auto cuts = cuts_to_show(state, compilation, ranks_to_show(state, *compilation), kernel.span, ignored))
        json["ranks"] = view::to_json(
            ranks_picture(state, *compilation, *cuts, network_of(state), last_lanes(state, *compilation)));
  }
  const Reply orders = ask(state, "orders " + kernel.name);
  json["orders"] = report_answer(orders, state.sources);
  json["present"] = present_order(orders);
  add_in_time(state, json, "refused", Json::array(), [&] { return refused_json(state, kernel, orders); });
  json["others"] = others_json(state, kernel, orders);
  json["formats"] = formats_json(state, kernel);
  const Json late{{"problem", "following the loops takes too long: `--timeout S` sets the limit"},
                  {"notes", Json::array()}};
  add_in_time(state, json, "execution", late, [&] { return trace_json(state, kernel); });
  add_in_time(state, json, "lattice_walk", nullptr, [&] { return lattice_walk_json(state, kernel); });
  if (const auto found = found_pattern(state, kernel))
    if (const auto picture = picture_of(state, *found, {})) json["pattern"] = to_json(*picture);
  add_in_time(state, json, "plan", nullptr, [&] { return plan_json(state, kernel); });
  if (options.timing == ReportOptions::Timing::measured && state.finished(kernel)) {
    const Reply timed = ask(state, "time " + kernel.name);
    if (means_something(timed)) json["timing"] = report_answer(timed, state.sources);
  }
  return json;
}

Json tensors_json(const State& state, const lang::Program& program) {
  Json list = Json::array();
  for (const lang::TensorInfo& info : program.tensors) {
    const tensor::Tensor* held = state.data.has(info.name) ? state.data.held(info.name) : nullptr;
    if (!held) continue;
    list.push_back(view::to_json(view::stored_arrays(info.name, *held)));
    if (pictured(*held)) list.back()["picture"] = view::to_json(view::storage_picture(info.name, *held));
  }
  return list;
}

/// Other orders beyond the nearest so many of each kernel go, and formats beyond the first so many; "orders_left_out"
/// says how many orders.
void keep_nearest(Json& model, std::size_t kept) {
  for (Json& kernel : model["kernels"]) {
    for (const char* part : {"formats", "others"}) {
      Json& all = kernel[part];
      if (all.size() <= kept) continue;
      if (part == std::string_view("others"))
        kernel["orders_left_out"] = kernel.value("orders_left_out", std::size_t{0}) + all.size() - kept;
      all.erase(all.begin() + static_cast<std::ptrdiff_t>(kept), all.end());
    }
  }
}

}  // namespace

Json report_model(State& state, const ReportOptions& options, int source) {
  const Content content = state.content();
  if (source < 0) source = first_source(*content.declared);
  Json json;
  json["file"] = source < 0 ? "" : std::filesystem::path(state.sources.name(source)).filename().string();
  json["program"] =
      view::to_json(source < 0 ? text::Text{} : view::annotated_source(state.sources, source, *content.declared));
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
  Json model = report_model(state, options, source);
  const std::string title = model["file"];
  std::string page = view::report_page(model, title);
  for (std::size_t kept : {12, 6, 3, 0}) {
    if (page.size() <= most_bytes_of_page) break;
    keep_nearest(model, kept);
    page = view::report_page(model, title);
  }
  return page;
}

}  // namespace trellis::session
