// The greedy placement, event by event: what has become of each fragment, and the nest as it grows.
#include <algorithm>
#include <cmath>

#include "gui/text_view.hpp"
#include "gui/views/views.hpp"

namespace trellis::gui {
namespace {

using place::Event;
using place::Progress;

constexpr float event_row = 22, card_height = 50, card_width = 136;

struct PlacementKept {
  float down = 0;
  std::size_t followed = 0;
  const session::PlacementView* of = nullptr;
};

std::string placement_subtitle(const Scene& scene) {
  return scene.drawn() && scene.drawn()->placement ? "greedy, with what is ready" : "";
}

/// What is said of a fragment on its card.
std::string words_about(const session::PlacementView& view, const Progress& progress) {
  std::string whom;
  for (const int f : progress.waits_for)
    whom += (whom.empty() ? "" : ", ") + view.fragments[static_cast<std::size_t>(f)].name;
  switch (progress.kind) {
    case Progress::Kind::placed: return "placed";
    case Progress::Kind::tried: return "being tried";
    case Progress::Kind::refused: return "refused for now: " + progress.why;
    case Progress::Kind::waiting: break;
  }
  return whom.empty() ? "waits" : "waits for " + whom;
}

void draw_card(Ui& ui, const session::PlacementView& view, std::size_t f, const Progress& progress, bool concerned,
               Rect card) {
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  const session::PlacementView::Fragment& fragment = view.fragments[f];
  const text::NodeId id{text::Stage::fragments, fragment.id};
  const std::string words = words_about(view, progress);
  const Response response =
      ui.item("card:" + fragment.name, "card", fragment.name + ": " + fragment.writes, words, card);
  ui.node(id, card);
  const bool lit = ui.glow(id) != Ui::Glow::none;
  Token hue = Token::line2;
  if (progress.kind == Progress::Kind::placed) hue = Token::good;
  else if (progress.kind == Progress::Kind::tried) hue = Token::accent;
  else if (progress.kind == Progress::Kind::refused) hue = Token::warn;
  if (hue != Token::line2) paint.fill(card, t.fill(hue, t.verdict_fill), 7);
  if (lit) paint.fill(card, t.fill(Token::kin, t.kin_fill), 7);
  if (progress.kind == Progress::Kind::waiting && !lit) paint.dashed(card, t(hue), 1.2F, 7);
  else paint.outline(card, t(lit ? Token::kin : hue), concerned ? 2 : 1, 7);
  const Point icon{card.x + 17, card.y + 16};
  switch (progress.kind) {
    case Progress::Kind::placed: paint.verdict(icon, Verdict::legal, t, 6.5F); break;
    case Progress::Kind::refused: paint.verdict(icon, Verdict::refused, t, 6); break;
    case Progress::Kind::waiting: paint.verdict(icon, Verdict::waits, t, 6); break;
    case Progress::Kind::tried:
      paint.ring(icon, 6, t(Token::accent), 1.5F), paint.disc(icon, 3, t(Token::accent));
      break;
  }
  paint.text_in({card.x + 30, card.y + 6, card.w - 36, 20}, fragment.name, Font::mono, t(Token::ink));
  paint.text_in({card.x + 12, card.y + 26, card.w - 20, 18}, words, Font::text,
                t(hue == Token::line2 ? Token::faint : hue));
  if (response.hovered) ui.tooltip(fragment.writes + "\n" + words);
}

/// As many in a row as there is room for; the rest in rows below. At most a third of the pane.
void draw_cards(Ui& ui, const session::PlacementView& view, std::size_t at, Rect& area) {
  const std::vector<Progress>& progress = view.progress[at];
  const auto count = static_cast<int>(view.fragments.size());
  const float gap = 6, room = area.w - 28;
  const int across = std::clamp(static_cast<int>((room + gap) / (card_width + gap)), 1, std::max(count, 1));
  const int rows = (count + across - 1) / across;
  const float width = std::min(240.F, (room - gap * static_cast<float>(across - 1)) / static_cast<float>(across));
  const float wanted = static_cast<float>(rows) * (card_height + gap);
  // Whole rows; the rest scrolls.
  const float fit = std::floor(area.h / 3 / (card_height + gap)) * (card_height + gap);
  Rect box = area.take_top(std::min(wanted, std::max(card_height + gap, fit)));
  auto& down = ui.memory<float>("cards down");
  const Clip clip(ui.paint(), box);
  ui.scroll("cards", box, wanted, down);
  for (int f = 0; f < count; ++f) {
    const Rect card{box.x + 14 + static_cast<float>(f % across) * (width + gap),
                    box.y + static_cast<float>(f / across) * (card_height + gap) - down, width, card_height};
    if (!card.meets(box)) continue;
    const bool concerned =
        at > 0 && std::ranges::find(view.events[at - 1].fragments, f) != view.events[at - 1].fragments.end();
    draw_card(ui, view, static_cast<std::size_t>(f), progress[static_cast<std::size_t>(f)], concerned, card);
  }
}

void draw_event_icon(Paint& paint, const Theme& t, Point at, Event::Kind kind, float opacity) {
  const auto hue = [&](Token token) { return faded(t(token), opacity); };
  switch (kind) {
    case Event::Kind::place:
      paint.disc(at, 5.5F, hue(Token::good));
      paint.line(at + Point{-2.5F, 0.2F}, at + Point{-0.6F, 2.2F}, t(Token::pane), 1.5F),
          paint.line(at + Point{-0.6F, 2.2F}, at + Point{2.7F, -2}, t(Token::pane), 1.5F);
      return;
    case Event::Kind::reject:
      paint.ring(at, 5, hue(Token::warn), 1.5F),
          paint.line(at + Point{-2.5F, 0}, at + Point{2.5F, 0}, hue(Token::warn), 1.5F);
      return;
    case Event::Kind::ready: paint.disc(at, 3.5F, hue(Token::good)); return;
    case Event::Kind::attempt:
    case Event::Kind::assume: {
      const Point corners[] = {at + Point{-3, -4}, at + Point{4.5F, 0}, at + Point{-3, 4}};
      return paint.polygon(corners, hue(Token::accent));
    }
    case Event::Kind::undo:
      paint.arc(at, 4, 0.1F, 0.75F, hue(Token::warn), 1.4F),
          paint.arrow_head(at + Point{-5, -2.5F}, at + Point{-4, 1}, hue(Token::warn), 5);
      return;
    default: paint.disc(at, 2, hue(Token::faint));
  }
}

/// What the placement does in an event, before what it does it to.
const char* verb_of(Event::Kind kind) {
  switch (kind) {
    case Event::Kind::component: return "takes up";
    case Event::Kind::coalesce: return "joins";
    case Event::Kind::assume: return "assumes";
    case Event::Kind::attempt: return "tries";
    case Event::Kind::reject: return "refuses";
    case Event::Kind::place: return "places";
    case Event::Kind::reorder: return "reorders";
    case Event::Kind::ready: return "ready";
    case Event::Kind::shrink: return "shrinks";
    case Event::Kind::undo: return "takes back";
    case Event::Kind::ignore: break;
  }
  return "passes over";
}

void draw_event(const Scene& scene, Ui& ui, const session::PlacementView& view, std::size_t e, std::size_t at,
                Rect row) {
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  const bool now = e + 1 == at, to_come = e >= at;
  const std::string words =
      to_come && scene.predict ? "…" : std::string(verb_of(view.events[e].kind)) + " " + view.events[e].text;
  const Response response = ui.item("event:" + std::to_string(e + 1), "row", words,
                                    now       ? "now"
                                    : to_come ? "to come"
                                              : "done",
                                    row);
  std::vector<text::NodeId> nodes;
  for (const int f : view.events[e].fragments) nodes.push_back({text::Stage::fragments, f});
  const bool lit = std::ranges::any_of(nodes, [&](const text::NodeId& id) { return ui.glow(id) != Ui::Glow::none; });
  if (now) paint.fill(row, t.fill(Token::accent, 0.2F), 4), paint.fill({row.x, row.y, 3, row.h}, t(Token::accent));
  else if (response.hovered) paint.fill(row, t(Token::raised), 4);
  else if (lit) paint.fill(row, t.fill(Token::kin, t.kin_fill * 0.6F), 4);
  if (response.clicked) ui.act("window goto placement " + std::to_string(e + 1));
  if (response.hovered) ui.tooltip(words);
  float x = row.x + 14 + std::min(static_cast<float>(view.depth[e]) * 12, row.w * 0.4F);
  const float opacity = to_come ? 0.4F : 1;
  if (words == "…") return paint.text_in({x + 12, row.y, row.w, row.h}, words, Font::text, t(Token::faint));
  draw_event_icon(paint, t, {x, row.centre().y}, view.events[e].kind, opacity);
  x += 11;
  x += paint.text({x, std::round(row.centre().y - paint.height(Font::text) / 2)}, verb_of(view.events[e].kind),
                  Font::text, faded(t(Token::soft), opacity)) +
       5;
  paint.text_in({x, row.y, row.right() - x - 8, row.h}, view.events[e].text, Font::list_mono,
                faded(t(Token::ink), opacity));
}

void draw_events(const Scene& scene, Ui& ui, const session::PlacementView& view, std::size_t at, Rect area) {
  auto& kept = ui.memory<PlacementKept>("kept");
  const float content = static_cast<float>(view.events.size()) * event_row + 8;
  if (kept.followed != at || kept.of != &view) {
    kept.followed = at, kept.of = &view;
    const float y = static_cast<float>(at) * event_row;
    if (y - 2 * event_row < kept.down || y + 2 * event_row > kept.down + area.h) kept.down = y - area.h / 2;
  }
  const Clip clip(ui.paint(), area);
  ui.scroll("events", area, content, kept.down);
  const auto first = static_cast<std::size_t>(std::max(0.F, kept.down / event_row));
  for (std::size_t e = first; e < view.events.size(); ++e) {
    const Rect row{area.x + 4, std::round(area.y + 2 + static_cast<float>(e) * event_row - kept.down), area.w - 12,
                   event_row};
    if (row.y > area.bottom()) break;
    draw_event(scene, ui, view, e, at, row);
  }
}

/// How it ended, once it has.
void draw_outcome(const Scene& scene, Ui& ui, const session::PlacementView& view, std::size_t at, Rect& area) {
  if (at < view.events.size() || scene.predict) return;
  const Theme& t = ui.theme();
  std::string words = "no place is left for what remains: the order is illegal";
  if (const auto& certificate = scene.explained()->certificate; view.legal && certificate)
    words = "proven " + certificate->sizes + ": " + std::to_string(certificate->dependences) +
            " dependences respected, " + std::to_string(certificate->instances) + " fragments run once";
  const Rect strip = area.take_bottom(26);
  ui.paint().verdict({strip.x + 21, strip.centre().y}, view.legal ? Verdict::legal : Verdict::illegal, t, 6.5F);
  ui.paint().text_in({strip.x + 34, strip.y, strip.w - 44, strip.h}, words, Font::text,
                     t(view.legal ? Token::good : Token::bad));
  ui.label("outcome", words, strip, view.legal ? "legal" : "illegal");
}

void draw_placement(const Scene& scene, Ui& ui, Rect area) {
  const session::DrawnView* drawn = scene.drawn();
  if (!drawn)
    return draw_nothing(ui, area, scene.kernel ? "working" : "there is no kernel yet",
                        scene.kernel ? "" : "write an equation, or Ctrl+G opens an example");
  if (!drawn->placement)
    return draw_nothing(ui, area, "nothing is placed: the kernel is a loop program",
                        "step walks through its execution");
  const session::PlacementView& view = *drawn->placement;
  const std::size_t at = std::min(scene.steps.placement, view.events.size());
  area.take_top(2);
  draw_cards(ui, view, at, area);
  draw_outcome(scene, ui, view, at, area);
  Rect list = area.take_left(std::round(area.w * 0.47F));
  draw_events(scene, ui, view, at, list);
  ui.paint().line({area.x, area.y + 4}, {area.x, area.bottom() - 6}, ui.theme()(Token::line), 1);
  if (view.nests[at].characters.empty()) return draw_nothing(ui, area, "nothing stands yet");
  draw_text(scene, ui, "nest", view.nests[at], area.inset(1, 0));
}

}  // namespace

const View placement_view = {"placement",    "Placement",      "stage",    placement_subtitle,
                             draw_placement, "show placement", "placement"};

}  // namespace trellis::gui
