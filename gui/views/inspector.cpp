#include <algorithm>
#include <map>

#include "gui/page.hpp"
#include "gui/views/views.hpp"

namespace trellis::gui {
namespace {

constexpr std::size_t most_listed = 8;

const text::Text* text_of(const Scene& scene, text::Stage stage) {
  if (stage == text::Stage::source) return scene.snapshot->text.get();
  const session::DrawnView* drawn = scene.drawn();
  return drawn && static_cast<std::size_t>(stage) < drawn->stages.size() ? &drawn->stage(stage) : nullptr;
}

/// What a stage prints for a node, its first line.
std::string words_of(const Scene& scene, const text::NodeId& node) {
  const text::Text* text = text_of(scene, node.stage);
  if (!text) return "";
  const auto span = std::ranges::find(text->spans, node, &text::TextSpan::node);
  if (span == text->spans.end()) return "";
  std::string words = text->characters.substr(span->begin, span->end - span->begin);
  words.resize(std::min(words.size(), words.find('\n')));
  words.erase(0, std::min(words.find_first_not_of(' '), words.size()));
  return words;
}

const loop::For* loop_of(const Scene& scene, const text::NodeId& node) {
  const loop::For* found = nullptr;
  if (node.stage != text::Stage::loops || !scene.compiled()) return nullptr;
  loop::for_each(scene.compiled()->compilation.loops, [&](const loop::Stmt& stmt) {
    if (stmt.id() == node.id) found = stmt.as<loop::For>();
  });
  return found;
}

void draw_inspected_loop(const Scene& scene, Page& page, const loop::For& loop) {
  const Theme& t = page.ui().theme();
  const bool forall = loop.kind == loop::For::Kind::forall;
  page.sentence({{loop.variable, Piece::Kind::tag, colour_of_index(scene, t, loop.variable)},
                 {lang::to_string(loop.low) + " : " + lang::to_string(loop.high), Piece::Kind::code, t(Token::soft)},
                 {loop.descending ? "downwards" : "upwards"}});
  page.sentence({{forall ? "forall" : "for", Piece::Kind::tag, t(forall ? Token::accent : Token::soft)},
                 {forall ? "no iteration needs what another one gives, so they may run in any order"
                         : "an iteration needs what one before it gave"}});
  if (loop.execution == loop::For::Execution::parallel)
    page.sentence({{"parallel", Piece::Kind::tag, t(Token::accent)}, {"on all threads"}});
  if (loop.execution == loop::For::Execution::vectorized)
    page.sentence({{"vectorize", Piece::Kind::tag, t(Token::accent)}, {"in vectors"}});
  if (loop.jam > 1)
    page.sentence({{"jam", Piece::Kind::tag, t(Token::accent)},
                   {std::to_string(loop.jam) + " iterations at once, in the loops inside"}});
  if (loop.registers)
    page.sentence({{"registers", Piece::Kind::tag, t(Token::accent)},
                   {"over a tile that is held in registers while a loop around adds to it"}});
  if (loop.unroll > 1)
    page.sentence({{"unroll", Piece::Kind::tag, t(Token::accent)},
                   {"its body is written " + std::to_string(loop.unroll) + " times"}});
}

/// A node, and what it came from and became, a row a stage.
void draw_inspected_node(const Scene& scene, Page& page, const text::NodeId& node) {
  page.caption(std::string("NODE OF STAGE ") + text::name_of(node.stage));
  page.sentence({{words_of(scene, node).empty() ? "node " + std::to_string(node.id) : words_of(scene, node),
                  Piece::Kind::code, page.ui().theme()(Token::kin)}});
  if (const loop::For* loop = loop_of(scene, node)) draw_inspected_loop(scene, page, *loop);
  if (!scene.drawn()) return;
  std::map<text::Stage, std::vector<text::NodeId>> kin;
  for (const text::NodeId& one : scene.drawn()->kin.of(node)) kin[one.stage].push_back(one);
  page.caption("KIN");
  for (const auto& [stage, nodes] : kin) {
    if (nodes.size() == 1 && nodes.front() == node) continue;
    const std::string count = std::to_string(nodes.size()) + (nodes.size() == 1 ? " node" : " nodes");
    const Response response = page.row({.id = std::string("kin:") + text::name_of(stage),
                                        .code = words_of(scene, nodes.front()),
                                        .right = std::string(text::name_of(stage)) + " · " + count});
    if (response.hovered) page.ui().nodes(nodes, page.ui().paint().clipped());
  }
}

/// Every step that writes the element, or reads it.
struct Touched {
  std::vector<std::size_t> writes, reads, early;
};
Touched touches(const explore::Trace& trace, const std::string& tensor, const tensor::Index& index) {
  Touched touched;
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    const explore::Trace::Step& step = trace.steps[i];
    for (const explore::Trace::Touch& read : step.reads)
      if (read.tensor == tensor && read.covers(index)) {
        touched.reads.push_back(i);
        if (read.early) touched.early.push_back(i);
      }
    if (step.write && step.write->tensor == tensor && step.write->covers(index)) touched.writes.push_back(i);
  }
  return touched;
}

std::string iteration(const explore::Trace::Step& step) {
  std::string words;
  for (const auto& [name, value] : step.loops) words += (words.empty() ? "" : " ") + name + "=" + std::to_string(value);
  return words;
}

void draw_steps(Page& page, const explore::Trace& trace, const std::vector<std::size_t>& steps, const std::string& what,
                const std::vector<std::size_t>& early, std::size_t now) {
  if (steps.empty()) return;
  page.caption(what + " " + std::to_string(steps.size()) + (steps.size() == 1 ? " TIME" : " TIMES"));
  for (std::size_t k = 0; k < std::min(steps.size(), most_listed); ++k) {
    const std::size_t step = steps[k];
    const bool too_early = std::ranges::find(early, step) != early.end();
    Page::Row row{.id = "step:" + std::to_string(step + 1),
                  .state = too_early         ? "too early"
                           : step + 1 == now ? "now"
                                             : "",
                  .code = iteration(trace.steps[step]),
                  .words = too_early         ? "too early"
                           : step + 1 == now ? "now"
                                             : "",
                  .right = "step " + std::to_string(step + 1)};
    if (too_early) row.icon = Verdict::illegal;
    if (page.row(row).clicked) page.ui().act("window goto execution " + std::to_string(step + 1));
  }
  if (steps.size() > most_listed)
    page.paragraph("and " + std::to_string(steps.size() - most_listed) + " times more", Token::faint);
}

void draw_inspected_element(const Scene& scene, Page& page, const std::string& tensor, const tensor::Index& index) {
  page.caption("ELEMENT");
  const Theme& t = page.ui().theme();
  const session::Recorded* execution = scene.execution();
  std::optional<format::Value> now;
  Touched touched;
  if (execution) {
    touched = touches(execution->trace, tensor, index);
    for (const std::size_t step : touched.writes)
      if (step < scene.steps.execution) now = execution->trace.steps[step].write->value;
  }
  std::vector<Piece> is = {{text::element_text(tensor, {index.begin(), index.end()}), Piece::Kind::tag, t(Token::ink)}};
  const auto stored = scene.snapshot->tensors.find(tensor);
  if (now) is.insert(is.end(), {{"is now"}, {format::to_string(*now), Piece::Kind::code}});
  else if (!touched.writes.empty()) is.push_back({"is not written yet"});
  if (stored != scene.snapshot->tensors.end() && stored->second.value && stored->second.value->in_range(index) &&
      touched.writes.empty())
    is.insert(is.end(), {{"is"}, {format::to_string(stored->second.value->get(index)), Piece::Kind::code}});
  page.sentence(is);
  if (!execution) return;
  draw_steps(page, execution->trace, touched.writes, "WRITTEN", {}, scene.steps.execution);
  draw_steps(page, execution->trace, touched.reads, "READ", touched.early, scene.steps.execution);
}

void draw_inspected_position(const Scene& scene, Page& page, const session::Selection::Position& position) {
  page.caption("STORAGE");
  const auto found = scene.snapshot->tensors.find(position.tensor);
  if (found == scene.snapshot->tensors.end())
    return page.paragraph("There is no tensor " + position.tensor + " any more.");
  const view::StoredArrays& stored = found->second.stored;
  const std::string place = position.tensor + ", position " + std::to_string(position.position);
  const auto at = static_cast<std::size_t>(position.position);
  if (position.level >= static_cast<int>(stored.levels.size())) {
    page.sentence({{place + " of the values", Piece::Kind::code}});
    if (at < stored.values.size())
      page.sentence(
          {{"holds"}, {format::to_string(stored.values[at]), Piece::Kind::tag, page.ui().theme()(Token::ink)}});
    return;
  }
  const view::StoredLevel& level = stored.levels[static_cast<std::size_t>(position.level)];
  page.sentence(
      {{place, Piece::Kind::code}, {"of level"}, {level.level, Piece::Kind::tag, page.ui().theme()(Token::soft)}});
  for (const view::Strip& strip : level.strips)
    if (at < strip.items.size())
      page.sentence({{format::name_of(strip.which), Piece::Kind::code, page.ui().theme()(Token::soft)},
                     {std::to_string(strip.items[at]), Piece::Kind::tag, page.ui().theme()(Token::ink)}});
}

void draw_inspector(const Scene& scene, Ui& ui, Rect area) {
  const session::Selection& selection = scene.selection;
  const session::Recorded* execution = scene.execution();
  const std::size_t at = scene.steps.execution;
  const bool written_now =
      execution && at > 0 && at <= execution->trace.steps.size() && execution->trace.steps[at - 1].write.has_value();
  std::optional<text::NodeId> node = selection.pins.empty() ? std::nullopt : std::optional(selection.pins.front());
  if (!node && !selection.element && !selection.position && !written_now)
    return draw_nothing(ui, area, "Nothing is selected.", "Click a node, an element, a loop or a place in storage.");
  Page page(ui, "inspector", area);
  if (node) draw_inspected_node(scene, page, *node);
  if (selection.element) draw_inspected_element(scene, page, selection.element->tensor, selection.element->index);
  if (selection.position) draw_inspected_position(scene, page, *selection.position);
  if (node || selection.element || selection.position) return;
  // Nothing is selected: what the step writes.
  const explore::Trace::Touch& write = *execution->trace.steps[at - 1].write;
  draw_inspected_element(scene, page, write.tensor, write.index);
}

std::string inspector_subtitle(const Scene& scene) {
  const session::Selection& s = scene.selection;
  if (!s.pins.empty()) return "what is pinned";
  if (s.element || s.position) return "what is selected";
  return scene.steps.execution > 0 ? "what this step writes" : "";
}

}  // namespace

const View inspector_view = {"inspector", "Inspector", "data", inspector_subtitle, draw_inspector, ""};

}  // namespace trellis::gui
