// What differs between two schedules of a comparison: costs, temporaries, and their loops or C. Sides have colours of
// their own; neither is better for being one of them.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "engine/loop/print.hpp"
#include "gui/order_words.hpp"
#include "gui/sides.hpp"
#include "gui/text_view.hpp"
#include "gui/two_sides.hpp"
#include "gui/views/views.hpp"

namespace trellis::gui {
namespace {

constexpr float differs_row = 18;

struct DiffersKept {
  std::shared_ptr<const session::CompiledView> a, b;
  bool c = false;  ///< C rather than loops
  std::vector<SideLine> lines;
  std::vector<FacingLines> rows;  ///< of these lines
  bool made = false;
  float scroll = 0, across = 0;

  DiffersKept() = default;
  DiffersKept(const DiffersKept&) {}  // std::any asks for it; what is kept is never copied
  DiffersKept& operator=(const DiffersKept&) = delete;
};

std::string differs_subtitle(const Scene& scene) {
  if (!scene.other) return "";
  return std::string(1, scene.stepped_side) + " leads · A is yours to change, B stays";
}

std::string cycles_words(std::optional<double> cycles) {
  if (!cycles) return "–";
  char text[40];
  if (*cycles < 1e4) std::snprintf(text, sizeof text, "%.0f cycles", *cycles);
  else
    std::snprintf(text, sizeof text,
                  *cycles < 1e6   ? "%.1f k cycles"
                  : *cycles < 1e9 ? "%.1f M cycles"
                                  : "%.1f G cycles",
                  *cycles / (*cycles < 1e6   ? 1e3
                             : *cycles < 1e9 ? 1e6
                                             : 1e9));
  return text;
}

/// `tV2(states)`.
std::string shape_words(const lang::TensorInfo& tensor) {
  std::string words = loop::to_string(tensor);
  if (words.starts_with("tensor ")) words.erase(0, 7);
  return words.substr(0, words.find(':'));
}

std::string temporaries_words(const session::CompiledView* compiled) {
  if (!compiled) return "–";
  std::string words;
  loop::for_each(compiled->compilation.loops, [&](const loop::Stmt& stmt) {
    if (const auto* declare = stmt.as<loop::Declare>())
      words += (words.empty() ? "" : ", ") + shape_words(declare->tensor);
  });
  return words.empty() ? "none" : words;
}

std::string order_words_of(const session::KernelView* kernel) {
  if (!kernel || !kernel->explained) return "–";
  const lang::Order& order = kernel->explained->in_force;
  return order.empty() ? "as written" : lang::to_string(order);
}

struct DifferingFact {
  const char* name;
  std::string a, b;
};

void draw_differing_fact(Ui& ui, const DifferingFact& fact, Rect area) {
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  const bool same = fact.a == fact.b;
  ui.label(std::string("fact:") + fact.name, "A " + fact.a + ", B " + fact.b, area, same ? "same" : "differs");
  paint.text_in(area.take_left(84), fact.name, Font::text, t(Token::faint));
  const Rect a = area.take_left(area.w / 2);
  paint.text_in(a.inset(2, 0), fact.a, Font::list_mono, same ? t(Token::soft) : side_colour(t, 'A'));
  paint.text_in(area.inset(2, 0), fact.b, Font::list_mono, same ? t(Token::soft) : side_colour(t, 'B'));
}

/// One line, with the colour and the shape of its side where only that one has it.
void draw_side_line(const Scene& scene, Ui& ui, const SideLine& line, Rect row, const DiffersKept& kept,
                    std::size_t number) {
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  if (line.side == '~')
    return paint.line({row.x + 8, row.centre().y}, {row.right() - 8, row.centre().y}, t(Token::line));
  const bool alone = line.side != ' ';
  Rect rest = row;
  const Rect mark = rest.take_left(20);
  if (alone) {
    paint.fill(row, faded(side_colour(t, line.side), 0.12F));
    draw_side(paint, t, mark.centre(), 8, line.side);
    ui.label("only:" + std::to_string(number) + line.side, line.text, row, std::string("only ") + line.side);
  }
  const Clip clip(paint, rest);
  paint_line(paint, t, {rest.x - kept.across, row.y + (row.h - paint.height(Font::list_mono)) / 2}, line.text,
             kept.c ? Colouring::c : Colouring::program, &scene, Font::list_mono, alone ? 1 : 0.75F);
}

/// Side by side where there is room; else in one column, what A has before what B has.
bool in_two_columns(Rect area) { return area.w >= 520; }

void draw_differing_lines(const Scene& scene, Ui& ui, DiffersKept& kept, Rect area) {
  ui.paint().fill(area, ui.theme()(Token::window), 6);
  if (kept.lines.empty())
    return draw_nothing(ui, area, kept.c ? "the C of both is the same" : "the loops of both are the same",
                        "change the schedule of side A");
  area = area.inset(0, 6);
  const Clip clip(ui.paint(), area);
  const bool two = in_two_columns(area);
  const std::size_t rows = two ? kept.rows.size() : kept.lines.size();
  const float column = two ? std::floor((area.w - 10) / 2) : area.w - 8;
  std::size_t longest = 0;
  for (const SideLine& line : kept.lines) longest = std::max(longest, line.text.size());
  ui.scroll_across("across", area, static_cast<float>(longest) * advance_of(Font::list_mono) + 22 + area.w - column,
                   kept.across);
  ui.scroll("scroll", area, static_cast<float>(rows) * differs_row, kept.scroll);
  for (auto i = static_cast<std::size_t>(std::max(0.F, kept.scroll / differs_row)); i < rows; ++i) {
    const Rect left{area.x, area.y + static_cast<float>(i) * differs_row - kept.scroll, column, differs_row};
    if (left.y > area.bottom()) break;
    if (!two) {
      draw_side_line(scene, ui, kept.lines[i], left, kept, i);
      continue;
    }
    if (kept.rows[i].a) draw_side_line(scene, ui, *kept.rows[i].a, left, kept, i);
    if (kept.rows[i].b) draw_side_line(scene, ui, *kept.rows[i].b, left.moved({column + 2, 0}), kept, i);
  }
}

void update_diff(DiffersKept& kept, const session::KernelView* a, const session::KernelView* b) {
  const auto compiled_of = [](const session::KernelView* kernel) { return kernel ? kernel->compiled : nullptr; };
  if (kept.made && kept.a == compiled_of(a) && kept.b == compiled_of(b)) return;
  kept.a = compiled_of(a), kept.b = compiled_of(b), kept.made = true, kept.scroll = 0;
  const auto text_of = [&](const session::CompiledView* one) {
    return one ? (kept.c ? one->c : one->loops).characters : "";
  };
  kept.lines = side_lines(text_of(kept.a.get()), text_of(kept.b.get()));
  kept.rows = facing(kept.lines);
}

void draw_differs_switch(Ui& ui, DiffersKept& kept, Rect area) {
  for (const bool c : {false, true}) {
    const char* word = c ? "C" : "loops";
    if (ui.button(c ? "of:c" : "of:loops", word, area.take_left(c ? 34 : 56), false, kept.c == c))
      kept.c = c, kept.made = false;
    area.take_left(6);
  }
}

void draw_differs(const Scene& scene, Ui& ui, Rect area) {
  if (!scene.other)
    return draw_nothing(ui, area, "there is no side B to compare with", "Ctrl+D keeps this schedule as side B");
  if (!scene.kernel) return draw_nothing(ui, area, "no program yet");
  const bool is_b = scene.side == 'B';
  const session::KernelView* other = scene.other->kernel(scene.kernel->name);
  const session::KernelView* a = is_b ? other : scene.kernel;
  const session::KernelView* b = is_b ? scene.kernel : other;
  auto& kept = ui.memory<DiffersKept>("differs");
  update_diff(kept, a, b);
  Rect rest = area.inset(14, 4);
  Rect head = rest.take_top(22);
  head.take_left(84);
  const Theme& t = ui.theme();
  ui.tag({head.x, head.y}, "A", t(Token::accent), Font::strong);
  ui.tag({head.x + head.w / 2, head.y}, "B", t(Token::index4), Font::strong);
  rest.take_top(2);
  const auto cycles = [](const session::KernelView* k) {
    return k && k->drawn && k->compiled ? k->drawn->cycles : std::nullopt;
  };
  for (const DifferingFact& fact :
       {DifferingFact{"order", order_words_of(a), order_words_of(b)},
        DifferingFact{"estimate", cycles_words(cycles(a)), cycles_words(cycles(b))},
        DifferingFact{"temporaries", temporaries_words(kept.a.get()), temporaries_words(kept.b.get())}})
    draw_differing_fact(ui, fact, rest.take_top(20));
  rest.take_top(8);
  draw_differs_switch(ui, kept, rest.take_top(24));
  rest.take_top(8);
  rest.take_bottom(6);
  if (!kept.a || !kept.b)
    return draw_nothing(ui, rest, kept.a ? "side B does not compile" : "side A does not compile",
                        "an illegal order has no loops to compare");
  draw_differing_lines(scene, ui, kept, rest);
}

}  // namespace

const View differs_view = {"differs", "What differs", "schedule", differs_subtitle, draw_differs, "diff"};

}  // namespace trellis::gui
