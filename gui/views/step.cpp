// The step of whatever is replayed, in words.
#include <algorithm>
#include <cmath>

#include "engine/view/captions.hpp"
#include "gui/operands.hpp"
#include "gui/text_view.hpp"
#include "gui/views/views.hpp"

namespace trellis::gui {
namespace {

using explore::LatticeStep;

constexpr float side = 14, line_gap = 6;

/// What is written from the top down, as long as there is something to say.
class StepColumn {
 public:
  StepColumn(const Scene& scene, Ui& ui, Rect area) : scene_(scene), ui_(ui), rest_(area.inset(side, 6)) {}

  float bottom() const { return rest_.y; }
  Rect row(float height) { return rest_.take_top(height); }
  void gap(float height = line_gap) { rest_.take_top(height); }
  /// Loops as tags, then the words.
  void headline(const std::vector<std::pair<std::string, std::int64_t>>& loops, const std::string& words) {
    const Theme& t = ui_.theme();
    Rect line = rest_.take_top(24);
    std::string all;
    for (const auto& [name, value] : loops) {
      const std::string tag = name + "=" + std::to_string(value);
      const float wide = ui_.paint().width(tag, Font::mono) + 18;
      if (line.w < wide) line = rest_.take_top(26), line.take_top(2);
      line.take_left(ui_.tag({line.x, line.y + 2}, tag, colour_of_index(scene_, t, name), Font::mono).w + 6);
      all += tag + " ";
    }
    if (ui_.paint().width(words, Font::text) > line.w && line.x > rest_.x) line = rest_.take_top(22);
    ui_.paint().text_in(line, words, Font::text, t(Token::ink));
    ui_.label("step", all + words, line);
    gap();
  }
  void heading(const std::string& words) {
    gap(2);
    ui_.paint().text_in(rest_.take_top(18), words, Font::small, ui_.theme()(Token::faint));
    gap(2);
  }
  void paragraph(const std::string& id, const std::string& words, Token colour = Token::soft) {
    const float height = ui_.paint().paragraph(rest_, words, Font::text, ui_.theme()(colour));
    ui_.label(id, words, {rest_.x, rest_.y, rest_.w, height});
    rest_.take_top(height + line_gap);
  }
  /// Code with a bar at its left.
  void code(const std::string& id, const std::string& words, Token bar = Token::accent) {
    const Theme& t = ui_.theme();
    const float advance = advance_of(Font::list_mono);
    const auto fits = static_cast<std::size_t>(std::max(10.F, (rest_.w - 24) / advance));
    std::vector<std::string> lines;
    for (std::string left = words; !left.empty();) {
      std::size_t end = left.size();
      if (end > fits) {
        end = left.rfind(' ', fits);
        if (end == std::string::npos || end == 0) end = fits;
      }
      lines.push_back(left.substr(0, end));
      left.erase(0, end == left.size() ? end : end + (left[end] == ' '));
    }
    const Rect box = rest_.take_top(18 * static_cast<float>(lines.size()) + 12);
    ui_.paint().fill(box, t(Token::raised), 5);
    ui_.paint().fill({box.x, box.y, 3, box.h}, t(bar), 1.5F);
    for (std::size_t i = 0; i < lines.size(); ++i)
      paint_line(ui_.paint(), t, {box.x + 12, box.y + 6 + 18 * static_cast<float>(i) + 1}, lines[i], Colouring::program,
                 &scene_, Font::list_mono);
    ui_.label(id, words, box);
    gap();
  }
  /// A row with a name, a sign, what is so, and a figure at the right.
  Rect card(const std::string& id, const std::string& label, const std::string& state) {
    const Rect box = rest_.take_top(28);
    ui_.item(id, "card", label, state, box);
    ui_.paint().fill(box, ui_.theme()(Token::raised), 5);
    gap(4);
    return box;
  }

 private:
  const Scene& scene_;
  Ui& ui_;
  Rect rest_;
};

std::string list_of(const std::vector<std::string>& names, const std::vector<int>& which, const char* last) {
  std::string out;
  for (std::size_t k = 0; k < which.size(); ++k)
    out += (k == 0                  ? ""
            : k + 1 == which.size() ? std::string(" ") + last + " "
                                    : ", ") +
           names[static_cast<std::size_t>(which[k])];
  return out;
}

void say_operand(const Scene& scene, Ui& ui, StepColumn& column, const coiterate::Lattice& lattice,
                 const std::vector<std::string>& names, const LatticeStep::Cursor& cursor) {
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  const std::string& name = names[static_cast<std::size_t>(cursor.operand)];
  std::string words = word_of_cursor(cursor);
  if (cursor.begin != cursor.end) words = "is " + words;
  else words = "has nothing here";
  const std::size_t next = static_cast<std::size_t>(std::max<std::int64_t>(0, cursor.at - cursor.first));
  if (!cursor.here && !cursor.ran_out && cursor.begin != cursor.end && next < cursor.stored.size() &&
      cursor.stored[next] != flow::no_key)
    words += ": next at " + std::to_string(cursor.stored[next]);
  // Who predicts the case is not told who is here.
  if (scene.predict && lattice_step(scene)->coordinate) words = "is it here?";
  const Rect box = column.card("operand:" + name, name, words);
  const Colour hue = colour_of_operand(scene, t, lattice, cursor.operand);
  paint.text_in({box.x + 12, box.y, 44, box.h}, name, Font::mono, hue);
  const Point sign{box.x + 62, box.centre().y};
  if (scene.predict) {
    draw_mark(paint, sign, 6, Mark::any, leads(lattice, cursor.operand), t(Token::faint));
  } else if (cursor.here) {
    paint.line(sign + Point{-5, 0}, sign + Point{-1.5F, 3.5F}, hue, 2),
        paint.line(sign + Point{-1.5F, 3.5F}, sign + Point{5, -4}, hue, 2);
  } else {
    draw_mark(paint, sign, 6, cursor.ran_out ? Mark::gone : Mark::absent, leads(lattice, cursor.operand),
              t(Token::faint));
  }
  paint.text_in({box.x + 78, box.y, box.w - 180, box.h}, words, Font::text, t(cursor.here ? Token::ink : Token::soft));
  const std::string figure = "p" + name + " = " + std::to_string(cursor.at) + " of " + std::to_string(cursor.end);
  paint.text_in({box.right() - 110, box.y, 100, box.h}, figure, Font::small_mono, t(Token::faint), Align::right);
}

/// As many digits as one compares with the eye.
std::string value_text(const format::Value& value) {
  return format::is_floating(value.type) ? view::short_number(value.real) : format::to_string(value);
}

void say_touches(Ui& ui, StepColumn& column, const LatticeStep& step) {
  for (const LatticeStep::Touch& touch : step.touches) {
    if (touch.kind == LatticeStep::Touch::Kind::finds) continue;
    std::string words = explore::in_words(touch);
    if (touch.value) words += " = " + value_text(*touch.value);
    const Rect row = column.row(18);
    ui.paint().text_in(row, words, Font::small_mono, ui.theme()(Token::soft));
    ui.label("touch", words, row);
  }
}

void say_lattice(const Scene& scene, Ui& ui, StepColumn& column) {
  const LatticeStep* step = lattice_step(scene);
  const coiterate::NumberedLattice* one = step ? lattice_of(*scene.drawn()->lattice_walk, step->lattice) : nullptr;
  if (!one) return column.paragraph("step", "The walk has not begun. → takes a step.");
  const coiterate::Lattice& lattice = *one->lattice;
  const std::vector<std::string> names = coiterate::brief_names(lattice);
  const std::string& variable = lattice.for_().variable;
  const coiterate::Lattice::Point& point = lattice.points[static_cast<std::size_t>(step->point)];
  auto loops = step->around;
  if (step->coordinate) {
    loops.emplace_back(variable, *step->coordinate);
    const char* which =
        lattice.for_().descending ? "is the greatest coordinate left" : "is the smallest coordinate left";
    column.headline(loops,
                    point.goes == coiterate::Lattice::Point::Goes::everywhere ? "is the next coordinate" : which);
  } else if (step->runs_out) {
    column.headline(loops, step->left            ? "nothing can change any more"
                           : *step->runs_out < 0 ? "the range of " + variable + " ends"
                                                 : names[static_cast<std::size_t>(*step->runs_out)] + " has run out");
  }
  for (const auto& [name, coordinate] : step->waited)
    column.paragraph("waited", name + " has waited for " + std::to_string(coordinate) + ", the next that it stores.");
  for (const LatticeStep::Cursor& cursor : step->cursors) say_operand(scene, ui, column, lattice, names, cursor);
  if (step->runs_out) {
    if (scene.predict) return;
    column.heading("WHAT COMES NEXT");
    return column.paragraph(
        "next", step->to < 0
                    ? "Nothing is left: the loop over " + variable + " ends."
                    : "On to the point below: " +
                          coiterate::condition(lattice, lattice.points[static_cast<std::size_t>(step->to)]) + ".");
  }
  if (scene.predict) return column.paragraph("why", "Which case is it, and what is done?");
  column.heading("WHAT IS DONE");
  column.code("does", step->does.empty() ? "nothing" : step->does);
  say_touches(ui, column, *step);
  const std::vector<int> lead = point.leads, follow = point.follows;
  if (lead.empty())
    return column.paragraph("why", "Every " + variable + " is visited: " +
                                       (lattice.everywhere.empty() ? "no operand leads" : lattice.everywhere) + ".");
  column.heading(
      "WHERE " + list_of(names, lead, "AND") + (lead.size() == 1 ? " STANDS DECIDES" : " STAND DECIDES") +
      (follow.empty() ? "" : "; " + list_of(names, follow, "AND") + (follow.size() == 1 ? " IS ASKED" : " ARE ASKED")));
  std::string why = "The loop visits the coordinates of " + to_string(point.algebra, names) + ", each once, in " +
                    (lattice.for_().descending ? "falling" : "rising") + " order.";
  if (!follow.empty()) why += " At each it moves " + list_of(names, follow, "and") + " up to there.";
  column.paragraph("why", why);
}

void say_touch(Ui& ui, StepColumn& column, const explore::Trace::Touch& touch, const char* what, Token hue) {
  const Theme& t = ui.theme();
  std::string element = text::element_text(touch.tensor, touch.index);
  if (!touch.last.empty()) element += " to " + text::element_text(touch.tensor, touch.last);
  const Rect box = column.card(std::string(what) + ":" + element, element, touch.early ? "too early" : what);
  Rect rest = box.inset(10, 0);
  ui.paint().text_in(rest.take_left(52), what, Font::text, t(Token::faint));
  ui.paint().text_in(rest.take_left(rest.w * 0.5F), element, Font::mono, t(hue));
  if (touch.early) {
    ui.paint().verdict({rest.x + 8, rest.centre().y}, Verdict::illegal, t, 6);
    ui.paint().text_in({rest.x + 18, rest.y, rest.w - 18, rest.h}, "too early", Font::text, t(Token::bad));
  } else {
    ui.paint().text_in(rest, value_text(touch.value), Font::list_mono, t(Token::ink), Align::right);
  }
}

void say_execution(const Scene& scene, Ui& ui, StepColumn& column) {
  const session::Recorded* recorded = scene.execution();
  const std::size_t at = recorded ? std::min(scene.steps.execution, recorded->trace.steps.size()) : 0;
  if (at == 0) return column.paragraph("step", "The execution has not begun. → takes a step.");
  const explore::Trace::Step& step = recorded->trace.steps[at - 1];
  const std::string number = "step " + std::to_string(at) + " of " + std::to_string(recorded->trace.steps.size());
  column.headline({step.loops.begin(), step.loops.end()}, number);
  if (!step.ends.empty()) return column.paragraph("what", step.ends + " has all of its entries now.");
  if (!step.starts.empty())
    return column.paragraph("what", step.filled ? step.starts + " becomes " + value_text(*step.filled) + " everywhere."
                                                : step.starts + " begins afresh: nothing is written in it yet.");
  const bool hidden = scene.predict;
  if (step.write) say_touch(ui, column, *step.write, "writes", Token::ink);
  for (explore::Trace::Touch read : step.reads) {
    read.early = read.early && !hidden;
    say_touch(ui, column, read, "reads", read.early ? Token::bad : Token::accent);
  }
  if (!hidden && std::ranges::any_of(step.reads, &explore::Trace::Touch::early))
    column.paragraph(
        "early", "What is read too early is not complete yet: it is written again later, or nothing has written it.",
        Token::bad);
}

void say_placement(const Scene& scene, Ui& ui, StepColumn& column) {
  const session::PlacementView& view = *scene.drawn()->placement;
  const std::size_t at = std::min(scene.steps.placement, view.events.size());
  if (at == 0) return column.paragraph("step", "The placement has not begun. → takes a step.");
  const place::Event& event = view.events[at - 1];
  column.headline({}, "event " + std::to_string(at) + " of " + std::to_string(view.events.size()));
  column.code("what", view.sentences[at - 1]);
  if (!event.fragments.empty()) column.heading("WHOM IT CONCERNS");
  for (const int f : event.fragments) {
    const auto& fragment = view.fragments[static_cast<std::size_t>(f)];
    const place::Progress& progress = view.progress[at][static_cast<std::size_t>(f)];
    const Rect box = column.card("fragment:" + fragment.name, fragment.writes, place::name_of(progress.kind));
    ui.node({text::Stage::fragments, fragment.id}, box);
    ui.paint().text_in({box.x + 12, box.y, 50, box.h}, fragment.name, Font::mono, ui.theme()(Token::ink));
    ui.paint().text_in({box.x + 64, box.y, box.w - 150, box.h}, fragment.writes, Font::list_mono,
                       ui.theme()(Token::soft));
    ui.paint().text_in({box.right() - 90, box.y, 80, box.h}, place::name_of(progress.kind), Font::text,
                       ui.theme()(Token::soft), Align::right);
  }
}

std::string step_subtitle(const Scene&) { return "in words"; }

void draw_step(const Scene& scene, Ui& ui, Rect area) {
  if (!scene.drawn())
    return draw_nothing(ui, area, scene.kernel ? "working" : "there is no kernel yet",
                        scene.kernel ? "" : "write an equation, or Ctrl+G opens an example");
  const Replay replay = replay_in_hand(scene, ui);
  if (replay == Replay::none)
    return draw_nothing(ui, area, "nothing is replayed yet", "→ steps through the pane that has the keys");
  auto& down = ui.memory<float>("down");
  auto& height = ui.memory<float>("height");
  ui.scroll("scroll", area, height, down);
  const Clip clip(ui.paint(), area);
  StepColumn column(scene, ui, {area.x, area.y - down, area.w, 8000});
  if (replay == Replay::lattice) say_lattice(scene, ui, column);
  else if (replay == Replay::execution) say_execution(scene, ui, column);
  else say_placement(scene, ui, column);
  height = column.bottom() - area.y + down + 8;
}

}  // namespace

const View step_view = {"step", "This step", "replay", step_subtitle, draw_step, "step"};

}  // namespace trellis::gui
