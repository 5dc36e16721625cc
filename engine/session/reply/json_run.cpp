// Runs, checks, counts and times, as JSON.
#include <nlohmann/json.hpp>

#include "engine/session/reply/json.hpp"
#include "engine/session/running/steps_taken.hpp"
#include "engine/view/json.hpp"

namespace trellis::session {

using view::Json;

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
    if (!k.why.empty()) json["kernels"].back()["why"] = k.why;
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

}  // namespace trellis::session
