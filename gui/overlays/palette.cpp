// Everything that can be done, found by typing a part of its name; a command of the language goes on to its arguments.
#include <algorithm>
#include <cmath>

#include "engine/session/command/commands.hpp"
#include "gui/overlays/offers.hpp"
#include "gui/overlays/sheet.hpp"

namespace trellis::gui {
namespace {

constexpr float row_height = 34;
constexpr std::size_t rows_shown = 12;

struct PaletteKept {
  Editor query;
  Choosing rows;
  std::string group;             ///< that is searched; "": all
  std::string opened_as = "\n";  ///< the words that it was opened with
  std::shared_ptr<const session::Snapshot> of;
  std::vector<Offer> offers;
  std::string asked = "\n";  ///< what `found` answers
  std::vector<Ranked> found;
};

/// The command that the text begins with, once there is a blank behind its name.
const session::CommandInfo* command_begun(const std::string& text) {
  const std::size_t blank = text.find(' ');
  return blank == std::string::npos ? nullptr : session::find_command(text.substr(0, blank));
}

void renew(App& app, PaletteKept& kept, const std::string& words) {
  if (kept.opened_as != words) {
    kept = {};
    kept.opened_as = words, kept.group = words;
  }
  const auto snapshot = app.scene().snapshot;
  if (kept.of != snapshot) kept.of = snapshot, kept.offers = offers_of(app), kept.asked = "\n";
  const std::string& query = kept.query.text();
  if (kept.asked == query) return;
  kept.asked = query;
  kept.found = ranked(kept.offers, kept.group, query);
}

/// The letters that fit are set off.
void draw_label(Paint& paint, const Theme& t, Rect area, const Offer& offer, const std::vector<std::uint32_t>& lit,
                bool code) {
  const Font font = code ? Font::mono : Font::text;
  const Clip clip(paint, area);
  paint.text_in(area, offer.label, font, t(Token::ink));
  const float y = std::round(area.y + (area.h - paint.height(font)) / 2);
  for (const std::uint32_t at : lit) {
    if (at >= offer.label.size()) continue;
    const std::string_view label = offer.label;
    const float x = area.x + paint.width(label.substr(0, at), font), width = paint.width(label.substr(at, 1), font);
    paint.fill({x, y + paint.height(font) - 1, width, 1.5F}, t(Token::accent));
  }
}

void draw_offer(Ui& ui, Rect row, const Offer& offer, const std::vector<std::uint32_t>& lit) {
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  row = row.inset(10, 0);
  const Point icon{row.x + 9, row.centre().y};
  if (offer.verdict) paint.verdict(icon, *offer.verdict, t, 6.5F);
  else draw_icon(paint, offer.icon, icon, 13, t(Token::faint));
  row.take_left(28);
  if (!offer.chord.empty()) row.take_right(draw_chord(paint, t, row, offer.chord) + 12);
  if (offer.chosen)
    draw_icon(paint, Icon::check, {row.right() - 8, row.centre().y}, 12, t(Token::accent)), row.take_right(24);
  const bool code =
      offer.group == "command" || offer.group == "order" || offer.group == "tensor" || offer.group == "kernel";
  const float wide = paint.width(offer.label, code ? Font::mono : Font::text);
  draw_label(paint, t, row.take_left(std::min(wide + 1, row.w)), offer, lit, code);
  row.take_left(14);
  if (row.w > 40)
    paint.text_in(row, offer.detail, Font::text, t(Token::faint),
                  offer.group == "action" || offer.detail == offer.group ? Align::right : Align::left);
}

/// What is typed is a command: it is carried out as it stands, or goes on with a word that fits.
void draw_arguments(App& app, Ui& ui, Rect area, PaletteKept& kept, const session::CommandInfo& command) {
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  const std::string text = kept.query.text();
  Rect usage = area.take_top(44).inset(12, 4);
  paint.text_in(usage.take_top(18), command.usage, Font::mono, t(Token::soft));
  paint.text_in(usage, command.summary, Font::text, t(Token::faint));
  ui.label("usage", std::string(command.usage), area);
  app.document().complete(text);
  const session::Completion* completion = app.document().completion(text);
  std::vector<std::string> words;  // that change something
  if (completion)
    for (const std::string& word : completion->words)
      if (text.substr(completion->begin) != word) words.push_back(word);
  const auto whole = [&](std::size_t i) { return i == 0 ? text : text.substr(0, completion->begin) + words[i - 1]; };
  const Rows rows{.count = 1 + words.size(),
                  .height = row_height,
                  .look =
                      [&](std::size_t i) {
                        return i == 0 ? RowLook{"carry out", text} : RowLook{"word:" + words[i - 1], whole(i)};
                      },
                  .draw =
                      [&](std::size_t i, Rect row, bool) {
                        row = row.inset(10, 0);
                        draw_icon(paint, i == 0 ? Icon::prompt : Icon::plus, {row.x + 9, row.centre().y}, 12,
                                  t(i == 0 ? Token::accent : Token::faint));
                        row.take_left(28);
                        if (i == 0) draw_chord(paint, t, row, "Enter");
                        paint.text_in(row, whole(i), Font::mono, t(i == 0 ? Token::ink : Token::soft));
                      }};
  const bool tab = ui.key("Tab");
  std::optional<std::size_t> taken = draw_rows(ui, area, rows, kept.rows);
  if (tab && rows.count > 1) taken = std::max<std::size_t>(1, kept.rows.at);
  if (!taken) return;
  if (*taken == 0) {
    app.modal.close();
    return ui.act(text);
  }
  kept.query.replace_all(whole(*taken) + (words.size() == 1 ? completion->closing : " "));
  kept.query.move(Editor::Move::end, false);
  kept.rows = {};
}

void draw_found(App& app, Ui& ui, Rect area, PaletteKept& kept) {
  if (kept.found.empty()) {
    ui.paint().text_in(area.take_top(60), "Nothing is called that", Font::text, ui.theme()(Token::soft), Align::centre);
    ui.label("nothing", "Nothing is called that", area);
    return;
  }
  const auto offer = [&](std::size_t i) -> const Offer& { return kept.offers[kept.found[i].offer]; };
  const Rows rows{
      .count = kept.found.size(),
      .height = row_height,
      .look =
          [&](std::size_t i) {
            const Offer& one = offer(i);
            std::string state = one.verdict ? *one.verdict == Verdict::legal     ? "legal"
                                              : *one.verdict == Verdict::illegal ? "illegal"
                                                                                 : ""
                                            : "";
            if (one.chosen) state += state.empty() ? "now" : ", now";
            return RowLook{one.group + ":" + (one.types.empty() ? one.command : one.command + " …"), one.label, state};
          },
      .draw = [&](std::size_t i, Rect row, bool) { draw_offer(ui, row, offer(i), kept.found[i].lit); }};
  const auto taken = draw_rows(ui, area, rows, kept.rows);
  if (!taken) return;
  const Offer one = offer(*taken);
  if (!one.types.empty()) {
    kept.query.replace_all(one.types), kept.query.move(Editor::Move::end, false);
    kept.group.clear(), kept.rows = {};
    return focus_field(ui, "query");
  }
  app.modal.close();
  ui.act(one.command);
}

}  // namespace

void draw_palette(App& app, Ui& ui, Rect window, const std::string& words) {
  auto& kept = ui.memory<PaletteKept>("palette");
  if (app.modal.is_new()) kept.opened_as = "\n";
  renew(app, kept, words);
  const bool command_typed = command_begun(kept.query.text()) != nullptr;
  const auto rows = command_typed ? rows_shown : std::clamp<std::size_t>(kept.found.size(), 2, rows_shown);
  Rect area =
      draw_sheet(app, ui, window, {.width = 660, .height = 47 + row_height * static_cast<float>(rows) + 12, .top = 52});
  Rect head = area.take_top(46).inset(16, 0);
  draw_icon(ui.paint(), Icon::search, {head.x + 7, head.centre().y}, 15, ui.theme()(Token::soft));
  head.take_left(26);
  if (!kept.group.empty()) {
    const Rect tag = ui.tag({head.x, head.y + 13}, kept.group, ui.theme()(Token::accent), Font::small);
    ui.label("group", kept.group, tag);
    head.take_left(tag.w + 8);
    if (kept.query.text().empty() && ui.key("Backspace")) kept.group.clear(), kept.asked = "\n";
  }
  if (draw_field(ui, "query", kept.query, head,
                 {.placeholder = kept.group.empty() ? "Search, or a command" : "Which one?",
                  .font = command_typed ? Font::code : Font::strong,
                  .framed = false}))
    kept.rows = {};
  renew(app, kept, words);
  ui.paint().fill({area.x, area.y, area.w, 1}, ui.theme()(Token::line));
  area = area.inset(8, 6);
  if (const session::CommandInfo* command = command_begun(kept.query.text()))
    draw_arguments(app, ui, area, kept, *command);
  else draw_found(app, ui, area, kept);
}

}  // namespace trellis::gui
