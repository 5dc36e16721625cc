// A kernel on ranks: whose elements are and who is sent them, who sends whom how much, and when each rank computed and
// waited. A rank that the pointer is on lights up in all of them.
#include <algorithm>
#include <cmath>

#include "engine/view/captions.hpp"
#include "engine/view/ranks_picture.hpp"
#include "gui/views/views.hpp"

namespace trellis::gui {
namespace {

using view::RanksPicture;

constexpr float rank_line = 20, rank_cell = 30, rank_gap = 14;

struct RanksKept {
  std::int64_t rank = -1;  ///< that the pointer is on, of the last frame
  float down = 0, across = 0;
};

struct RanksShown {
  Ui& ui;
  const RanksPicture& picture;
  std::int64_t lit;
  std::int64_t pointed = -1;
  Colour hue(std::int64_t rank) const { return ui.theme().index(static_cast<int>(rank)); }
};

std::string ranks_subtitle(const Scene& scene) {
  return scene.kernel && scene.kernel->ranks ? std::to_string(scene.kernel->ranks->ranks) + " ranks" : "";
}

/// How many ranks: a command for each choice. Of a grid all dimensions get as many.
void draw_numbers(RanksShown& s, const std::string& kernel, Rect area) {
  Paint& paint = s.ui.paint();
  const Theme& t = s.ui.theme();
  const std::size_t dimensions = s.picture.grid.size();
  for (const int each : dimensions == 1 ? std::vector<int>{2, 3, 4, 8, 16} : std::vector<int>{1, 2, 3, 4}) {
    std::string words;
    for (std::size_t g = 0; g < dimensions; ++g) words += (g ? "x" : "") + std::to_string(each);
    const bool chosen = std::ranges::all_of(s.picture.grid, [&](std::int64_t count) { return count == each; });
    const Rect chip = area.take_left(paint.width(words, Font::mono) + 16);
    const Response response = s.ui.item("ranks:" + words, "choice", words, chosen ? "chosen" : "", chip);
    if (chosen || response.hovered) paint.fill(chip, t(Token::hover), 5);
    if (chosen) paint.outline(chip, t(Token::line2), 1, 5);
    paint.text_in(chip, words, Font::mono, t(chosen ? Token::ink : Token::soft), Align::centre);
    if (response.clicked) s.ui.act("show ranks " + words + " " + kernel);
    area.take_left(4);
  }
}

/// The owner's colour and number; hatched, and with their numbers, where others are sent it.
void draw_owned_cell(RanksShown& s, const RanksPicture::Owned& owned, std::int64_t r, std::int64_t c, Rect cell) {
  Paint& paint = s.ui.paint();
  const Theme& t = s.ui.theme();
  const RanksPicture::Cell& one = owned.at(r, c);
  const std::string id = owned.tensor + ":" + std::to_string(r) + "," + std::to_string(c);
  const bool ghost = !one.readers.empty();
  if (s.ui.item(id, "cell", explain(owned, r, c), ghost ? "ghost" : "own", cell).hovered) {
    s.pointed = one.owner;
    s.ui.tooltip(explain(owned, r, c));
  }
  const bool read = std::ranges::find(one.readers, s.lit) != one.readers.end();
  const Rect inner = cell.inset(1);
  paint.fill(inner, faded(s.hue(one.owner), s.lit == one.owner ? 0.5F : 0.28F), 3);
  if (ghost) paint.hatch(inner, faded(s.hue(read ? s.lit : one.readers.front()), read ? 1.F : 0.7F), 5);
  if (s.lit == one.owner || read) paint.outline(inner, s.hue(s.lit), read ? 2.F : 1.F, 3);
  std::string words = std::to_string(one.owner);
  paint.text_in(inner, words, Font::small_mono, t(Token::ink), Align::centre);
}

/// The result is how high it is.
float draw_owned(RanksShown& s, const RanksPicture::Owned& owned, Rect area) {
  Paint& paint = s.ui.paint();
  const Theme& t = s.ui.theme();
  const float left = area.x + (owned.order > 1 ? 44.F : 4.F);
  const Rect head{area.x, area.y, area.w, rank_line};
  paint.text_in(head, caption(owned), Font::text, t(Token::ink));
  s.ui.label("owned:" + owned.tensor, caption(owned), head);
  const float top = area.y + 2 * rank_line - 4;
  const auto begins_part = [](const RanksPicture::Axis& axis, std::int64_t k) {
    return k == 0 || axis.cuts[static_cast<std::size_t>(k)];
  };
  const auto place = [](const RanksPicture::Axis& axis, std::int64_t k) {
    return std::to_string(axis.places[static_cast<std::size_t>(k)]);
  };
  const float wide = static_cast<float>(owned.columns.cells()) * rank_cell,
              high = static_cast<float>(owned.rows.cells()) * (rank_line + 2);
  for (std::int64_t c = 0; c < owned.columns.cells(); ++c)
    if (begins_part(owned.columns, c))
      paint.text({left + static_cast<float>(c) * rank_cell + 3, area.y + rank_line}, place(owned.columns, c),
                 Font::small, t(Token::faint));
  for (std::int64_t r = 0; r < owned.rows.cells(); ++r) {
    const float y = top + static_cast<float>(r) * (rank_line + 2);
    if (owned.order > 1 && begins_part(owned.rows, r))
      paint.text_in({area.x, y, 38, rank_line}, place(owned.rows, r), Font::small, t(Token::faint), Align::right);
    for (std::int64_t c = 0; c < owned.columns.cells(); ++c)
      draw_owned_cell(s, owned, r, c, {left + static_cast<float>(c) * rank_cell, y, rank_cell, rank_line + 2});
    if (r > 0 && owned.rows.cuts[static_cast<std::size_t>(r)])
      paint.line({left, y}, {left + wide, y}, t(Token::ink), 1.5F);
  }
  for (std::int64_t c = 1; c < owned.columns.cells(); ++c) {
    const float x = left + static_cast<float>(c) * rank_cell;
    if (owned.columns.cuts[static_cast<std::size_t>(c)]) paint.line({x, top}, {x, top + high}, t(Token::ink), 1.5F);
  }
  return top + high + rank_gap - area.y;
}

/// A rank that the pointer may be on, with its number.
void draw_rank_name(RanksShown& s, const std::string& id, std::int64_t rank, Rect area, Align align) {
  const std::string words = std::to_string(rank);
  const bool lit = s.lit == rank;
  if (s.ui.item(id + words, "rank", "rank " + words, lit ? "lit" : "", area).hovered) s.pointed = rank;
  if (lit) s.ui.paint().fill(area, faded(s.hue(rank), 0.3F), 3);
  s.ui.paint().text_in(area.inset(4, 0), words, Font::small_mono, s.hue(rank), align);
}

float draw_sends(RanksShown& s, Rect area) {
  Paint& paint = s.ui.paint();
  const Theme& t = s.ui.theme();
  const auto most = static_cast<float>(*std::ranges::max_element(s.picture.bytes));
  const Rect head{area.x, area.y, area.w, rank_line};
  const std::string title =
      "who sends (rows) whom (columns), bytes in all" + std::string(s.picture.at_most ? ", at most" : "");
  paint.text_in(head, title, Font::text, t(Token::ink));
  s.ui.label("sends", title, head);
  const float wide = paint.width(std::to_string(static_cast<std::int64_t>(most)), Font::small_mono) + 12;
  const float left = area.x + 34, top = area.y + 2 * rank_line;
  for (std::int64_t to = 0; to < s.picture.ranks; ++to)
    draw_rank_name(s, "to:", to, {left + static_cast<float>(to) * wide, area.y + rank_line, wide, rank_line},
                   Align::right);
  for (std::int64_t from = 0; from < s.picture.ranks; ++from) {
    const float y = top + static_cast<float>(from) * rank_line;
    draw_rank_name(s, "from:", from, {area.x, y, 30, rank_line}, Align::right);
    for (std::int64_t to = 0; to < s.picture.ranks; ++to) {
      const std::int64_t bytes = s.picture.bytes[static_cast<std::size_t>(from * s.picture.ranks + to)];
      const Rect cell = Rect{left + static_cast<float>(to) * wide, y, wide, rank_line}.inset(1);
      const std::string words =
          "rank " + std::to_string(from) + " sends rank " + std::to_string(to) + " " + std::to_string(bytes) + " bytes";
      if (s.ui.item("bytes:" + std::to_string(from) + "," + std::to_string(to), "cell", words, "", cell).hovered)
        s.ui.tooltip(words), s.pointed = from;
      paint.fill(cell, t(Token::cell), 3);
      if (bytes > 0) paint.fill(cell, t.fill(Token::accent, 0.1F + 0.35F * static_cast<float>(bytes) / most), 3);
      if (bytes > 0 && (s.lit == from || s.lit == to)) paint.outline(cell, s.hue(s.lit), 1, 3);
      paint.text_in(cell.inset(4, 0), bytes > 0 ? std::to_string(bytes) : "·", Font::small_mono,
                    t(bytes > 0 ? Token::ink : Token::faint), Align::right);
    }
  }
  return top + static_cast<float>(s.picture.ranks) * rank_line + rank_gap - area.y;
}

/// As high as a lane is filled the rank computed.
float draw_lanes(RanksShown& s, const view::RankLanes& lanes, Rect area) {
  Paint& paint = s.ui.paint();
  const Theme& t = s.ui.theme();
  const Rect head{area.x, area.y, area.w, rank_line};
  paint.text_in(head, caption(lanes), Font::text, t(Token::ink));
  s.ui.label("lanes", caption(lanes), head);
  float y = area.y + rank_line + 2;
  for (std::size_t r = 0; r < lanes.ranks.size(); ++r) {
    const view::RankLanes::Lane& one = lanes.ranks[r];
    const auto rank = static_cast<std::int64_t>(r);
    draw_rank_name(s, "lane:", rank, {area.x, y, 30, rank_line}, Align::right);
    const Rect lane{area.x + 34, y, std::max(60.F, area.w - 34 - 210), rank_line - 3};
    paint.fill(lane, t(Token::cell), 2);
    const float wide = lane.w / static_cast<float>(one.waits.size());
    for (std::size_t k = 0; k < one.waits.size(); ++k) {
      const float filled = lane.h * static_cast<float>(1 - one.waits[k]);
      paint.fill({lane.x + static_cast<float>(k) * wide, lane.bottom() - filled, wide, filled},
                 faded(s.hue(rank), 0.65F));
    }
    paint.outline(lane, s.lit == rank ? s.hue(rank) : t(Token::line2), 1, 2);
    paint.text_in({lane.right() + 8, y, 202, rank_line},
                  view::short_number(one.compute_ms) + " ms, waits " + view::short_number(one.wait_ms) + " ms",
                  Font::small, t(Token::soft));
    y += rank_line;
  }
  return y + rank_gap - area.y;
}

void draw_ranks(const Scene& scene, Ui& ui, Rect area) {
  if (!scene.kernel) return draw_nothing(ui, area, "there is no kernel yet");
  if (!scene.kernel->ranks)
    return draw_nothing(ui, area, "nothing of this kernel is dealt out", "as in `ranks p` and `distribute i over p`");
  const RanksPicture& picture = *scene.kernel->ranks;
  auto& kept = ui.memory<RanksKept>("kept");
  RanksShown shown{ui, picture, kept.rank};
  area = area.inset(12, 4);
  draw_numbers(shown, scene.kernel->name, area.take_top(24));
  area.take_top(6);
  const Clip clip(ui.paint(), area);
  float wide = 0;
  for (const RanksPicture::Owned& owned : picture.tensors)
    wide = std::max(wide, static_cast<float>(owned.columns.cells()) * rank_cell + 60);
  ui.scroll_across("across", area, wide, kept.across);
  Rect rest{area.x - kept.across, area.y - kept.down, std::max(wide, area.w), 100000};
  if (const std::string paper = forecast_text(picture); !paper.empty()) {
    const Rect text{rest.x, rest.y, area.w, 100};
    const float high = ui.paint().paragraph(text, paper, Font::text, ui.theme()(Token::soft));
    ui.label("paper", paper, {text.x, text.y, text.w, high});
    rest.take_top(high + rank_gap / 2);
  }
  if (picture.lanes) rest.take_top(draw_lanes(shown, *picture.lanes, {rest.x, rest.y, area.w, rest.h}));
  for (const RanksPicture::Owned& owned : picture.tensors) rest.take_top(draw_owned(shown, owned, rest));
  if (!picture.bytes.empty()) rest.take_top(draw_sends(shown, rest));
  if (picture.empty())
    draw_nothing(ui, area, std::to_string(picture.ranks) + " ranks are too many to draw", "`show ranks` counts them");
  ui.scroll("down", area, rest.y - area.y + kept.down + 12, kept.down);
  if (kept.rank != shown.pointed) ui.animate();
  kept.rank = shown.pointed;
}

}  // namespace

const View ranks_view = {"ranks", "Ranks", "data", ranks_subtitle, draw_ranks, "show ranks"};

}  // namespace trellis::gui
