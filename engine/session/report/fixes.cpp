#include "engine/session/report/fixes.hpp"

#include <nlohmann/json.hpp>

#include "engine/lang/statement_edit.hpp"
#include "engine/session/report/stages.hpp"
#include "engine/session/session.hpp"
#include "engine/view/json.hpp"
#include "engine/view/source_spans.hpp"

namespace trellis::session {
namespace {

using view::Json;

constexpr const char* stages_of_equations[] = {"equations", "fragments"};
constexpr const char* stages_of_fixes[] = {"schedule", "loops", "flow", "c"};

/// A session that has read that text, with what the state holds in memory, and what is wrong with the text.
struct Reread {
  Session session;
  int source;
  std::string problem;
};

Reread reread(const State& state, const std::string& name, const std::string& text, const std::string& about) {
  Reread read{Session(state.options), 0, ""};
  const auto fed = read.session.feed(name, text, Session::Extent::declarations, [&](const Reply& reply) {
    read.problem += report_answer(reply, read.session.sources()).value("rendered", "");
  });
  read.source = fed.source;
  if (fed.exit == Exit::success) read.problem.clear();
  Content content = state.content();
  content.declared = read.session.state().content().declared;
  content.offer = {};
  // The text chooses now: that is what the fix is about.
  for (const std::string& scope : {about, std::string()}) content.orders.erase(scope);
  read.session.state().restore(std::move(content));
  return read;
}

Json fixed_json(const State& state, const text::Span& place, const std::string& command, const std::string& about) {
  const std::string_view written = state.sources.content(place.source);
  const lang::TextEdit edit = lang::edit_for(written, command, {.about = place});
  Reread read = reread(state, state.sources.name(place.source), edit.applied_to(written), about);
  State& after = read.session.state();
  const text::Text program_text = view::annotated_source(after.sources, read.source, *after.content().declared);
  Json json{{"line", edit.line_in(written)}, {"program", view::to_json(program_text)}};
  text::Diagnostics ignored;
  const lang::Program* program = after.program(ignored);
  const lang::Kernel* found = program ? program->kernel(about) : nullptr;
  if (program && !found) found = after.kernel(std::nullopt, {}, ignored);
  json["legal"] = found && after.compilation(*found, ignored);
  if (!read.problem.empty()) json["problem"] = read.problem;
  if (!found) return json;
  const lang::Kernel kernel = *found;
  json["kernel"] = kernel.name;
  json["stages"] = stages_json(after, kernel.name, stages_of_fixes);
  if (!kernel.loops) json["stages"].update(stages_json(after, kernel.name, stages_of_equations));
  return json;
}

}  // namespace

Json fixes_json(const State& state, int source, const text::Diagnostic& diagnostic, const std::string& kernel) {
  Json list = Json::array();
  if (diagnostic.span.source != source) return list;
  for (const text::Fix& fix : diagnostic.fixes) {
    Json json{{"command", fix.command}, {"remark", fix.remark}};
    json.update(fixed_json(state, diagnostic.span, fix.command, kernel));
    list.push_back(std::move(json));
  }
  return list;
}

}  // namespace trellis::session
