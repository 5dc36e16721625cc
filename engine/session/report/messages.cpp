#include "engine/session/report/messages.hpp"

#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "engine/session/report/fixes.hpp"
#include "engine/session/stages/look_ups.hpp"
#include "engine/view/json.hpp"

namespace trellis::session {
namespace {

using view::Json;

class Messages {
 public:
  Messages(const State& state, int source) : state_(state), sources_(state.sources), source_(source) {}

  void add(const text::Diagnostic& d, const std::string& kernel) {
    if (d.severity == text::Severity::note || !known_.insert({d.code, d.span, d.message}).second) return;
    Json json = view::to_json(d, sources_);
    if (!kernel.empty()) json["kernel"] = kernel;
    text::Diagnostic told = d;
    told.fixes.clear();  // the page has buttons for them
    json["rendered"] = text::render(told, sources_, text::Colour::off);
    json["fixed"] = fixes_json(state_, source_, d, kernel);
    json["places"] = Json::array();
    const auto place = [&](text::Span span, const std::string& says) {
      if (span.source == source_ && span.begin < span.end)
        json["places"].push_back({{"begin", span.begin}, {"end", span.end}, {"says", says}});
    };
    place(d.span, d.label);
    for (const text::Note& note : d.notes) place(note.span, note.message);
    list_.push_back(std::move(json));
  }
  void add(const text::Diagnostics& all, const std::string& kernel) {
    for (const text::Diagnostic& d : all.all()) add(d, kernel);
  }
  Json take() { return std::move(list_); }

 private:
  const State& state_;
  const text::Sources& sources_;
  int source_;
  Json list_ = Json::array();
  std::set<std::tuple<std::string, text::Span, std::string>> known_;
};

}  // namespace

Json messages_json(State& state, const text::Diagnostics& said, int source) {
  Messages messages(state, source);
  text::Diagnostics found;
  if (const lang::Program* program = state.program(found)) {
    const std::vector<lang::Kernel> kernels = program->kernels;
    for (const lang::Kernel& kernel : kernels) {
      text::Diagnostics own;
      const auto compilation = state.compilation(kernel, own);
      messages.add(own, kernel.name);
      if (compilation)
        if (const auto warning = searches(state, kernel, *compilation)) messages.add(*warning, kernel.name);
    }
  }
  messages.add(found, "");
  messages.add(said, "");
  return messages.take();
}

}  // namespace trellis::session
