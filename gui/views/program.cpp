#include <algorithm>
#include <cmath>

#include "gui/completion.hpp"
#include "gui/editor.hpp"
#include "gui/program_marks.hpp"
#include "gui/text_field.hpp"
#include "gui/text_view.hpp"
#include "gui/views/views.hpp"

namespace trellis::gui {
namespace {

constexpr float program_row = 20, program_left = 52, words_gap = 18;

struct ProgramPane {
  float down = 0, across = 0, height = 0;
  std::size_t caret = 0;
  std::string shown;  ///< the text as it was drawn last
  std::shared_ptr<const session::Snapshot> marked;
  bool predicted = false;
  ProgramMarks marks;
  Completing completing;
  bool focused = false;
  bool jumped = false;  ///< by this press of the button: dragging selects nothing
};

std::string program_subtitle(const Scene& scene) {
  const session::Snapshot& snapshot = *scene.snapshot;
  std::string words = snapshot.source >= 0 ? snapshot.sources.name(snapshot.source) : "";
  const auto errors = std::ranges::count_if(
      *scene.messages, [](const session::Message& m) { return m.diagnostic.severity == text::Severity::error; });
  if (errors > 0 && !scene.predict) words += " · " + std::to_string(errors) + (errors == 1 ? " error" : " errors");
  return words;
}

/// All that drawing the program needs to know.
struct ProgramFrame {
  const Scene& scene;
  Ui& ui;
  ProgramPane& pane;
  Editor& editor;
  Rect area;  ///< of the text, with its gutter
  TextLook look;
  TextShift shift;  ///< from the snapshot's text to the editor's
  bool focused = false;

  Rect row(int line) const {
    return {area.x, look.origin.y + static_cast<float>(line) * program_row, area.w, program_row};
  }
  Rect stretch(std::size_t begin, std::size_t end) const {
    const Point a = place_of(editor, look, begin), b = place_of(editor, look, end);
    return {a.x, a.y, b.x - a.x, program_row};
  }
};

/// Calls `visit(begin, end)` for the part of a stretch in each line that can be seen, leading blanks left out.
template <class Visit>
void each_line(const ProgramFrame& f, std::size_t begin, std::size_t end, const Visit& visit) {
  begin = f.shift(begin), end = std::max(f.shift(end), begin);
  for (int line = f.editor.line_of(begin); line <= f.editor.line_of(end) && line < f.editor.line_count(); ++line) {
    if (!f.row(line).meets(f.area)) continue;
    const std::size_t start = f.editor.line_start(line), stop = start + f.editor.line(line).size();
    std::size_t from = std::max(begin, start);
    const std::size_t to = std::min(end, stop);
    while (from < to && f.editor.text()[from] == ' ') ++from;
    if (from < to) visit(from, to);
  }
}

void draw_wave(Paint& paint, Rect stretch, Colour colour) {
  std::vector<Point> points;
  const float y = stretch.bottom() - 2.5F;
  for (float x = stretch.x, up = 1; x <= stretch.right() + 0.5F; x += 3, up = -up) points.push_back({x, y + 1.3F * up});
  paint.polyline(points, colour, 1.2F);
}

void draw_underlines(const ProgramFrame& f) {
  Paint& paint = f.ui.paint();
  const Theme& t = f.ui.theme();
  for (const Underline& one : f.pane.marks.underlines)
    each_line(f, one.begin, one.end, [&](std::size_t begin, std::size_t end) {
      const Rect spot = f.stretch(begin, end);
      const Colour colour = t(one.token);
      if (one.kind != Underline::Kind::dots) paint.fill(spot.inset(-2, 1), t.fill(one.token, 0.16F), 3);
      if (one.kind == Underline::Kind::wave) draw_wave(paint, spot, colour);
      else if (one.kind == Underline::Kind::straight)
        paint.fill({spot.x - 1, spot.bottom() - 2.5F, spot.w + 2, 1.5F}, colour);
      else
        for (float x = spot.x; x < spot.right(); x += 4) paint.fill({x, spot.bottom() - 2.5F, 1.5F, 1.5F}, colour);
      if (spot.cut(paint.clipped()).contains(f.ui.input().mouse) && !f.ui.input().down) f.ui.tooltip(one.words);
    });
}

void draw_kin(const ProgramFrame& f) {
  if (!f.scene.snapshot->text) return;
  for (const Lit& lit : lit_stretches(f.ui, *f.scene.snapshot->text))
    each_line(f, lit.begin, lit.end, [&](std::size_t begin, std::size_t end) {
      draw_glow(f.ui.paint(), f.ui.theme(), f.stretch(begin, end).inset(-2, 0), lit.glow);
    });
  for (const Lit& block : lit_blocks(f.ui, *f.scene.snapshot->text)) {
    Rect area;
    each_line(f, block.begin, block.end, [&](std::size_t begin, std::size_t end) {
      const Rect line = f.stretch(begin, end).inset(-3, 0);
      area = area.h > 0 ? area.around(line) : line;
    });
    draw_block(f.ui.paint(), f.ui.theme(), area, block.glow);
  }
}

constexpr std::string_view opening = "([{", closing = ")]}";

/// The bracket that belongs to the one at that offset, or npos.
std::size_t partner_of(const std::string& text, std::size_t at) {
  const bool forth = opening.find(text[at]) != std::string_view::npos;
  const char other = forth ? closing[opening.find(text[at])] : opening[closing.find(text[at])];
  int depth = 0;
  for (std::size_t i = at; i < text.size(); forth ? ++i : --i) {  // below 0 it wraps around, and ends
    if (text[i] == text[at]) ++depth;
    else if (text[i] == other && --depth == 0) return i;
  }
  return std::string::npos;
}

void draw_brackets(const ProgramFrame& f) {
  const std::string& text = f.editor.text();
  for (const std::size_t at : {f.editor.caret(), f.editor.caret() - 1}) {
    if (at >= text.size() ||
        (opening.find(text[at]) == std::string_view::npos && closing.find(text[at]) == std::string_view::npos))
      continue;
    const std::size_t partner = partner_of(text, at);
    for (const std::size_t one : {at, partner})
      if (one != std::string::npos)
        f.ui.paint().outline(f.stretch(one, one + 1).inset(-0.5F, 1), f.ui.theme()(Token::edge), 1, 2);
    return;
  }
}

/// A bulb: something helps here.
void draw_bulb(Paint& paint, Point centre, Colour colour) {
  paint.ring({centre.x, centre.y - 1.5F}, 4, colour, 1.4F);
  paint.line({centre.x - 2, centre.y + 4}, {centre.x + 2, centre.y + 4}, colour, 1.4F);
  paint.line({centre.x - 1.5F, centre.y + 6}, {centre.x + 1.5F, centre.y + 6}, colour, 1.4F);
}

/// Icon and number at the left, words behind; the result is the line's state.
std::string draw_line_marks(const ProgramFrame& f, int line, const std::vector<const LineMark*>& marks) {
  Paint& paint = f.ui.paint();
  const Theme& t = f.ui.theme();
  const Rect row = f.row(line);
  float x = place_of(f.editor, f.look, f.editor.line_start(line) + f.editor.line(line).size()).x + words_gap;
  std::string state;
  for (const LineMark* mark : marks) {
    if (state.empty()) state = mark->state;
    if (mark->fix > 0) {
      const Rect lamp{x - 4, row.y, 18, program_row};
      const Response response =
          f.ui.item("lamp:" + std::to_string(mark->fix), "button", mark->fix_command, "fix", lamp);
      if (response.hovered) {
        paint.fill(lamp, t(Token::hover), 4);
        f.ui.tooltip(mark->fix_command + "\n" + (mark->fix == 1 ? "Ctrl+. or click" : "click") + " to apply");
      }
      draw_bulb(paint, lamp.centre(), t(response.hovered ? Token::ink : Token::soft));
      if (response.clicked) f.ui.act("fix " + std::to_string(mark->fix));
      x += 18;
    }
    if (mark->words.empty()) continue;
    const Rect words{x, row.y, paint.width(mark->words, Font::text) + 1, program_row};
    paint.text_in(words, mark->words, Font::text, t(mark->token));
    x = words.right() + words_gap;
  }
  return state;
}

void draw_gutter(const ProgramFrame& f, int line, const std::vector<const LineMark*>& marks) {
  Paint& paint = f.ui.paint();
  const Theme& t = f.ui.theme();
  const Rect row = f.row(line);
  const bool current = f.focused && f.editor.line_of(f.editor.caret()) == line;
  paint.fill({row.x, row.y, program_left - 6, program_row}, t(current ? Token::raised : Token::pane));
  paint.text_in({row.x + 16, row.y, 24, program_row}, std::to_string(line + 1), Font::small_mono,
                t(current ? Token::soft : Token::faint), Align::right);
  for (const LineMark* mark : marks)
    if (mark->icon) return paint.verdict({row.x + 11, row.centre().y}, *mark->icon, t, 6);
}

void draw_lines(const ProgramFrame& f) {
  Paint& paint = f.ui.paint();
  std::vector<std::vector<const LineMark*>> marks(static_cast<std::size_t>(f.editor.line_count()));
  for (const LineMark& mark : f.pane.marks.lines)
    marks[static_cast<std::size_t>(f.editor.line_of(f.shift(mark.at)))].push_back(&mark);
  for (auto& of_line : marks)  // what has an icon comes first, the worst before all
    std::ranges::stable_sort(of_line, {}, [](const LineMark* m) {
      return !m->icon ? 3 : *m->icon == Verdict::illegal ? 0 : *m->icon == Verdict::costly ? 1 : 2;
    });
  const float text_y = std::round((program_row - paint.height(f.look.font)) / 2);
  for (int line = 0; line < f.editor.line_count(); ++line) {
    const Rect row = f.row(line);
    if (!row.meets(f.area)) continue;
    draw_selection(f.ui, f.editor, f.look, line);
    paint_line(paint, f.ui.theme(), {f.look.origin.x, row.y + text_y}, f.editor.line(line), Colouring::program,
               &f.scene, f.look.font);
    const auto& of_line = marks[static_cast<std::size_t>(line)];
    const std::string state = draw_line_marks(f, line, of_line);
    draw_gutter(f, line, of_line);
    std::string label(f.editor.line(line));
    for (const LineMark* mark : of_line)
      if (!mark->words.empty()) label += "  – " + mark->words;
    f.ui.label("line:" + std::to_string(line + 1), label, row, state);
  }
}

/// Double click: from a name to where it is declared.
bool go_to_declaration(const ProgramFrame& f, std::size_t at) {
  const auto [begin, end] = word_around(f.editor.text(), at);
  const auto found = f.pane.marks.declared.find(f.editor.text().substr(begin, end - begin));
  if (found == f.pane.marks.declared.end()) return false;
  const std::size_t there = f.shift(found->second);
  if (f.editor.line_of(there) == f.editor.line_of(begin)) return false;
  const std::size_t name = f.editor.text().find(found->first, there);
  const std::size_t target = name == std::string::npos ? there : name;
  f.editor.select(target, std::min(target + found->first.size(), f.editor.text().size()));
  return true;
}

void take_program_input(ProgramFrame& f) {
  Ui& ui = f.ui;
  const std::string field = ui.pane() + "/text";
  const Response response = ui.item("text", "editor", std::to_string(f.editor.line_count()) + " lines",
                                    "line " + std::to_string(f.editor.line_of(f.editor.caret()) + 1) + ", column " +
                                        std::to_string(column_of(f.editor, f.editor.caret()) + 1),
                                    f.area);
  if (response.pressed) ui.focus_text(field), f.pane.jumped = false;
  if (response.double_clicked && go_to_declaration(f, offset_under(f.editor, f.look, ui.input().mouse)))
    f.pane.jumped = true;
  else if (!f.pane.jumped) take_text_pointer(ui, f.editor, f.look, response);
  if (ui.pane_has_keys() && ui.text_field().empty() && ui.key("Enter")) ui.focus_text(field);
  f.focused = ui.text_field() == field && ui.pane_has_keys();
  if (f.focused) {
    const std::uint64_t before = f.editor.revision();
    take_completion_keys(ui, f.editor, f.pane.completing);
    const std::size_t length = f.editor.text().size();
    take_text_keys(ui, f.editor, {.page = std::max(1, static_cast<int>(f.area.h / program_row) - 1)});
    follow_completion(f.scene, f.editor, f.pane.completing, length != f.editor.text().size());
    if (before != f.editor.revision()) ui.act("window unpin");
  } else if (f.pane.focused) {
    f.pane.completing.close();
  }
  f.pane.focused = f.focused;
  // What belongs together lights up, while the text is the one that spans are of.
  const session::Snapshot& snapshot = *f.scene.snapshot;
  const float x = ui.input().mouse.x;
  if (response.hovered && !response.held && snapshot.text && f.shift.same() && x > f.look.origin.x - 4) {
    const std::size_t at = offset_under(f.editor, f.look, {x - advance_of(f.look.font) / 2, ui.input().mouse.y});
    const int line = static_cast<int>(std::floor((ui.input().mouse.y - f.look.origin.y) / program_row));
    if (line == f.editor.line_of(at) && at < f.editor.text().size() && f.editor.text()[at] != '\n')
      ui.nodes(text::nodes_at(*snapshot.text, static_cast<std::uint32_t>(at)), f.area);
  }
}

/// What was changed, or where the caret went, comes into sight.
void follow_change(ProgramFrame& f) {
  ProgramPane& pane = f.pane;
  std::optional<std::size_t> at;
  if (pane.shown != f.editor.text()) {
    if (f.focused) at = f.editor.caret();
    else
      at = static_cast<std::size_t>(std::ranges::mismatch(pane.shown, f.editor.text()).in2 - f.editor.text().begin());
    pane.shown = f.editor.text();
  } else if (pane.caret != f.editor.caret() || (f.focused && f.area.h < pane.height)) {
    at = f.editor.caret();
  }
  pane.caret = f.editor.caret(), pane.height = f.area.h;
  if (!at) return;
  const float y = static_cast<float>(f.editor.line_of(*at)) * program_row;
  if (y < pane.down) pane.down = std::max(0.F, y - (f.focused ? 0 : 2 * program_row));
  if (y + 2 * program_row > pane.down + f.area.h)
    pane.down = y + 2 * program_row - f.area.h + (f.focused ? 0 : 2 * program_row);
  if (!f.focused) return;
  const float x = static_cast<float>(column_of(f.editor, *at)) * advance_of(f.look.font),
              room = f.area.w - program_left - 30;
  if (x < pane.across) pane.across = std::max(0.F, x - 40);
  if (x > pane.across + room) pane.across = x - room + 40;
}

void draw_banner(Ui& ui, Rect area) {
  const Theme& t = ui.theme();
  ui.paint().fill(area, t(Token::pane));
  ui.paint().fill(area, t.fill(Token::bad, t.verdict_fill));
  ui.paint().fill({area.x, area.y, 3, area.h}, t(Token::bad));
  const std::string words = "The other panes show the last program that was right.";
  ui.paint().text_in(area.inset(14, 0), words, Font::text, t(Token::ink));
  ui.label("banner", words, area, "wrong");
}

void draw_program(const Scene& scene, Ui& ui, Rect area) {
  auto& pane = ui.memory<ProgramPane>("pane");
  Editor& editor = *scene.editor;
  if (pane.marked != scene.snapshot || pane.predicted != scene.predict) {
    pane.marked = scene.snapshot, pane.predicted = scene.predict;
    pane.marks = marks_of(scene);
  }
  const session::Snapshot& snapshot = *scene.snapshot;
  if (!snapshot.accepted && snapshot.program && !editor.text().empty()) draw_banner(ui, area.take_bottom(24));
  const std::string_view known = snapshot.source >= 0 ? snapshot.sources.content(snapshot.source) : std::string_view();
  const auto look = [&] {
    return TextLook{
        {std::round(area.x + program_left - pane.across), std::round(area.y + 4 - pane.down)}, Font::code, program_row};
  };
  ProgramFrame f{scene, ui, pane, editor, area, look(), TextShift(known, editor.text())};
  const Clip clip(ui.paint(), area);
  take_program_input(f);
  f.shift = TextShift(known, editor.text());
  follow_change(f);
  int widest = 0;
  for (int line = 0; line < editor.line_count(); ++line) widest = std::max(widest, columns(editor.line(line)));
  ui.scroll_across("across", area, program_left + 24 + static_cast<float>(widest) * advance_of(look().font),
                   pane.across);
  ui.scroll("scroll", area, static_cast<float>(editor.line_count()) * program_row + 12, pane.down);
  f.look = look();
  if (editor.text().empty())
    draw_nothing(
        ui, area, "An empty program.",
        f.focused ? "Type an equation: y(i) = A(i,j) * x(j)" : "Click here and type, or Ctrl+G for an example.");
  if (f.focused) ui.paint().fill(f.row(editor.line_of(editor.caret())), ui.theme()(Token::raised));
  draw_kin(f);
  draw_underlines(f);
  draw_lines(f);
  if (!f.focused) return;
  draw_brackets(f), draw_caret(ui, editor, f.look);
  draw_completion(ui, editor, pane.completing, place_of(editor, f.look, editor.caret()), program_row);
}

}  // namespace

const View program_view = {"program", "Program", "program", program_subtitle, draw_program, ""};

}  // namespace trellis::gui
