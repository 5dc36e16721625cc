#include "gui/page.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "gui/text_view.hpp"

namespace trellis::gui {
namespace {
constexpr float page_padding = 14;
}

Page::Page(Ui& ui, const std::string& name, Rect area)
    : ui_(ui), name_(name), area_(area), column_(area.inset(page_padding, 0)), kept_(ui.memory<Kept>(name)) {
  ui_.paint().clip(area_);
  if (ui_.key("PageDown")) kept_.down += area.h - 40;
  if (ui_.key("PageUp")) kept_.down -= area.h - 40;
  kept_.down = std::clamp(kept_.down, 0.F, std::max(0.F, kept_.height - area.h));
  y_ = std::round(area.y + 6 - kept_.down);
}

Page::~Page() {
  kept_.height = y_ + kept_.down - area_.y + 12;
  ui_.scroll(name_ + " scroll", area_, kept_.height, kept_.down);
  ui_.paint().unclip();
}

Rect Page::take(float height) {
  const Rect area{column_.x, y_, column_.w, height};
  y_ += height;
  return area;
}

void Page::bring_into_view(Rect part) {
  const float margin = 12;
  if (part.bottom() + margin > area_.bottom()) kept_.down += part.bottom() + margin - area_.bottom();
  else if (part.y - margin < area_.y) kept_.down -= area_.y - part.y + margin;
  ui_.animate();
}

void Page::heading(std::optional<Verdict> verdict, const std::string& text) {
  const float indent = verdict ? 28 : 0, width = column_.w - indent;
  const float height = ui_.paint().paragraph_height(width, text, Font::title);
  space(4);
  const Rect area = take(std::max(height, 24.F));
  if (verdict) ui_.paint().verdict({area.x + 10, area.y + 9}, *verdict, ui_.theme(), 10);
  ui_.paint().paragraph({area.x + indent, area.y, width, height}, text, Font::title, ui_.theme()(Token::ink));
  ui_.label("heading", text, area);
  space(4);
}

void Page::caption(const std::string& text) {
  space(7);
  const Rect area = take(18);
  ui_.paint().text_in(area, text, Font::medium, ui_.theme()(Token::soft));
  ui_.label("caption", text, area);
}

void Page::paragraph(const std::string& text, Token token, Font font) {
  const float height = ui_.paint().paragraph_height(column_.w, text, font);
  const Rect area = take(height + 2);
  ui_.paint().paragraph(area, text, font, ui_.theme()(token));
  ui_.label("paragraph", text, area);
}

void Page::sentence(const std::vector<Piece>& pieces, float line_height) {
  Paint& paint = ui_.paint();
  const Theme& t = ui_.theme();
  float x = 0, y = 0;
  std::string read;
  // `draw` is told where it stands; a piece that has no room begins the next line.
  const auto put = [&](float width, const auto& draw) {
    if (x > 0 && x + width > column_.w) x = 0, y += line_height;
    draw(Rect{column_.x + x, y_ + y, std::min(width, column_.w), line_height});
    x += width;
  };
  for (const Piece& piece : pieces) {
    read += (read.empty() ? "" : " ") + piece.text;
    if (piece.kind == Piece::Kind::words) {
      std::string_view rest = piece.text;
      while (rest.starts_with(' ')) rest.remove_prefix(1);
      while (!rest.empty()) {
        const std::string word(rest.substr(0, rest.find(' ')));
        rest.remove_prefix(std::min(rest.size(), word.size() + 1));
        put(paint.width(word, Font::text) + 5, [&](Rect spot) {
          paint.text_in({spot.x, spot.y, spot.w + 2, spot.h}, word, Font::text, piece.colour.value_or(t(Token::soft)));
        });
      }
      continue;
    }
    const bool tag = piece.kind != Piece::Kind::code;
    const Piece* next = &piece == &pieces.back() ? nullptr : &piece + 1;
    const bool closed = next && next->kind == Piece::Kind::words &&
                        std::string_view(".,;:)?").find(next->text[0]) != std::string_view::npos;
    put(paint.width(piece.text, Font::list_mono) + (tag      ? 20.F
                                                    : closed ? 1.F
                                                             : 6.F),
        [&](Rect spot) {
          const Colour colour = piece.colour.value_or(t(Token::ink));
          if (tag) {
            const Rect back{spot.x + 1, spot.y + 3, spot.w - 6, 20};
            paint.fill(back, faded(colour, t.verdict_fill), 4);
            if (piece.kind == Piece::Kind::missing) paint.dashed(back, colour, 1.2F, 4);
            spot = back.inset(6, 0);
          }
          paint.text_in(spot, piece.text, Font::list_mono, colour);
        });
  }
  const Rect area = take(y + line_height);
  ui_.label("sentence", read, area);
}

void Page::prose(const std::string& text) {
  std::vector<Piece> pieces;
  bool code = false;
  for (std::size_t at = 0; at <= text.size(); code = !code) {
    const std::size_t end = std::min(text.find('`', at), text.size());
    if (end > at)
      pieces.push_back({text.substr(at, end - at), code ? Piece::Kind::code : Piece::Kind::words,
                        ui_.theme()(code ? Token::accent : Token::ink)});
    at = end + 1;
  }
  sentence(pieces, 19);
}

Response Page::row(const Row& row) {
  Paint& paint = ui_.paint();
  const Theme& t = ui_.theme();
  const Rect area = take(27);
  space(4);
  const Response response = ui_.item(row.id, row.role, row.code.empty() ? row.words : row.code, row.state, area);
  const Token edge = row.first ? Token::good : Token::line2;
  paint.fill(area,
             response.hovered ? t(Token::hover)
             : row.first      ? t.fill(Token::good, t.verdict_fill)
                              : t(Token::raised),
             5);
  paint.outline(area, t(response.hovered && !row.first ? Token::edge : edge), 1, 5);
  Rect rest = area.inset(9, 0);
  if (row.icon) paint.verdict({rest.x + 6.5F, rest.centre().y}, *row.icon, t, 6.5F), rest.take_left(22);
  if (!row.right.empty()) {
    const float wide = paint.width(row.right, Font::small) + 2;
    if (rest.w > wide + 60)
      paint.text_in(rest.take_right(wide), row.right, Font::small, t(Token::faint), Align::right), rest.take_right(8);
  }
  if (!row.code.empty()) {
    const float wide = paint.width(row.code, Font::mono),
                y = std::round(rest.centre().y - paint.height(Font::mono) / 2);
    if (wide <= rest.w) paint_line(paint, t, {rest.x, y}, row.code, Colouring::program, nullptr, Font::mono);
    else paint.text_in(rest, row.code, Font::mono, t(Token::ink));
    rest.take_left(wide + 12);
  }
  if (rest.w > 20) paint.text_in(rest, row.words, Font::text, t(row.code.empty() ? Token::ink : Token::soft));
  return response;
}

void Page::listing(const std::string& id, const std::string& text, const Scene& scene) {
  constexpr float line_high = 16;
  const auto lines = static_cast<float>(std::ranges::count(text, '\n') + (text.ends_with('\n') ? 0 : 1));
  const Rect area = take(lines * line_high + 8);
  const Theme& t = ui_.theme();
  ui_.paint().fill(area, t(Token::raised), 5);
  ui_.label(id, text, area);
  const Clip clip(ui_.paint(), area);
  Rect rest = area.inset(10, 4);
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    const Rect row = rest.take_top(line_high);
    paint_line(ui_.paint(), t, {row.x, row.y}, line, Colouring::program, &scene, Font::small_mono);
  }
}

bool Page::button(const std::string& id, const std::string& label) {
  Rect area = take(26);
  area.w = ui_.paint().width(label, Font::text) + 22;
  return ui_.button(id, label, area);
}

}  // namespace trellis::gui
