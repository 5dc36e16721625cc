// Below the bars: what is done to the selected loop, and the verdict in a sentence.
#include <algorithm>

#include "gui/number_field.hpp"
#include "gui/order_words.hpp"
#include "gui/views/loops_parts.hpp"

namespace trellis::gui {
namespace {

constexpr float action_height = 24, by_width = 17, factor_width = 34;

/// A name that no loop has yet: `io`, else `io2`.
std::string fresh_name(const LoopsKept& kept, const std::string& wanted) {
  for (int round = 1;; ++round) {
    const std::string name = wanted + (round > 1 ? std::to_string(round) : "");
    if (std::ranges::find(kept.bars, name, &LoopBar::name) == kept.bars.end()) return name;
  }
}

/// The loop right inside the selected one; null: there is none.
const LoopBar* inner_of(const LoopsKept& kept, const LoopBar& bar) {
  const LoopBar* next = &bar + 1;
  return next < kept.bars.data() + kept.bars.size() && next->depth == bar.depth + 1 ? next : nullptr;
}

std::string reversed_order(const LoopsKept& kept, const LoopBar& bar) {
  if (bar.place < 0 || !kept.explained) return "";
  lang::Order order = kept.explained->order;
  bool& down = order[static_cast<std::size_t>(bar.place)].descending;
  down = !down;
  return order_command(order);
}

struct LoopAction {
  const char* label;
  std::string command;  ///< empty: it cannot be done to this loop
};
std::vector<LoopAction> actions_of(const LoopsKept& kept, const LoopBar& bar, std::int64_t by) {
  const LoopBar* inner = inner_of(kept, bar);
  const std::string number = std::to_string(by), both = inner ? bar.name + " " + inner->name : "";
  return {{"split", "split " + bar.name + " into " + fresh_name(kept, bar.name + "o") + " " +
                        fresh_name(kept, bar.name + "i") + " " + number},
          {"tile", inner ? "tile " + both + " " + number + " " + number : ""},
          {"unroll", "unroll " + bar.name + " " + number},
          {"skew", inner ? "skew " + both : ""},
          {"parallel", "parallel " + bar.name},
          {"vector", "vectorize " + bar.name},
          {"reverse", reversed_order(kept, bar)}};
}

void draw_loop_action(Ui& ui, const LoopAction& action, Rect spot) {
  const std::string id = std::string("do:") + action.label;
  if (!action.command.empty()) {
    if (ui.button(id, action.label, spot)) ui.act(action.command);
    return;
  }
  ui.label(id, action.label, spot, "off");
  ui.paint().outline(spot, ui.theme()(Token::line), 1, 6);
  ui.paint().text_in(spot, action.label, Font::text, ui.theme()(Token::edge), Align::centre);
}

std::string count_of(int number, const char* one) {
  return std::to_string(number) + " " + one + (number == 1 ? "" : "s");
}

LoopsVerdict illegal_verdict(const explore::Why& why) {
  std::string words =
      why.failure && !why.failure->fault.empty() ? "Loop " + why.failure->loop + " " + why.failure->fault : why.reason;
  if (!words.empty() && words.front() >= 'a' && words.front() <= 'z')
    words.front() = static_cast<char>(words.front() - 'a' + 'A');
  if (!words.empty() && !words.ends_with('.')) words += '.';
  return {Verdict::illegal, words, ""};
}

LoopsVerdict legal_verdict(const Scene& scene) {
  const session::ExplainedView& explained = *scene.explained();
  LoopsVerdict verdict{verdict_icon(scene.verdict.kind), "Legal, " + scene.verdict.proof, ""};
  if (scene.verdict.proof.starts_with("proven for all")) verdict.title = "Proven for all sizes";
  else if (scene.verdict.proof.starts_with("proven for")) verdict.title = "P" + scene.verdict.proof.substr(1);
  if (explained.certificate) {
    const place::Certificate& proof = *explained.certificate;
    verdict.more = count_of(proof.dependences, "dependence") + " respected, " +
                   (proof.instances == 1 ? "the fragment runs" : count_of(proof.instances, "fragment") + " run") +
                   " once";
  }
  const session::CompiledView* compiled = scene.compiled();
  if (compiled && !compiled->compilation.steps.empty()) {
    const auto& steps = compiled->compilation.steps;
    const schedule::Certificate& last = steps.back().certificate;
    verdict.more = "after " + count_of(static_cast<int>(steps.size()), "step") + ": " +
                   count_of(last.dependences, "dependence") + " respected, " +
                   (last.statements == 1 ? "the statement runs" : count_of(last.statements, "statement") + " run") +
                   " once";
  }
  if (const flow::LookUp* slow = session::discordant(*scene.kernel))
    verdict.title = "Legal, but searches " + slow->element + " against its storage";
  return verdict;
}

}  // namespace

float draw_loop_actions(Ui& ui, const LoopsKept& kept, Rect area, bool measure_only) {
  const LoopBar* bar = kept.chosen();
  if (!bar) return 0;
  Paint& paint = ui.paint();
  const std::vector<LoopAction> widest = actions_of(kept, *bar, 8);
  float all = by_width + factor_width;
  for (const LoopAction& action : widest) all += paint.width(action.label, Font::text);
  // Closer together where that saves a row.
  const auto parts = static_cast<float>(widest.size());
  const bool roomy = all + parts * 26 <= area.w;
  const float padding = roomy ? 20 : 10, between = roomy ? 6 : 3;
  float x = area.x, y = area.y;
  const auto next = [&](float width) {
    if (x > area.x && x + width > area.right() + 1) x = area.x, y += action_height + between;
    const Rect spot{x, y, width, action_height};
    x += width + between;
    return spot;
  };
  std::vector<Rect> spots;
  Rect number;
  for (const LoopAction& action : widest) {
    spots.push_back(next(paint.width(action.label, Font::text) + padding));
    if (std::string_view(action.label) == "unroll") number = next(by_width + factor_width), x += roomy ? 8 : 2;
  }
  if (measure_only) return y + action_height - area.y;
  paint.text_in(number.take_left(by_width), "by", Font::text, ui.theme()(Token::faint));
  const std::vector<LoopAction> actions = actions_of(kept, *bar, number_field(ui, "factor", "by how many", number, 8));
  for (std::size_t i = 0; i < actions.size(); ++i) draw_loop_action(ui, actions[i], spots[i]);
  return y + action_height - area.y;
}

LoopsVerdict loops_verdict(const Scene& scene) {
  using Kind = session::KernelVerdict::Kind;
  if (scene.predict) return {Verdict::unknown, "What do you say: is this order legal?", ""};
  switch (scene.verdict.kind) {
    case Kind::unknown: return {};
    case Kind::illegal: return illegal_verdict(*scene.explained()->why);
    case Kind::wrong: return {Verdict::illegal, "Wrong: see the program", ""};
    case Kind::differs: return {Verdict::illegal, "Its result differs from the reference", ""};
    case Kind::costly:
    case Kind::legal: break;
  }
  return legal_verdict(scene);
}

std::string failing_loop(const Scene& scene) {
  const session::ExplainedView* explained = scene.explained();
  return explained && explained->why && explained->why->failure ? explained->why->failure->loop : "";
}

}  // namespace trellis::gui
