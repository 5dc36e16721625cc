#include "gui/text_view.hpp"

#include <algorithm>
#include <cmath>

#include "engine/session/typing/colouring.hpp"
#include "gui/find.hpp"

namespace trellis::gui {
namespace {

constexpr float text_padding = 14, number_width = 34, remark_gap = 24;

Token token_of(session::Word word) {
  switch (word) {
    case session::Word::key_word: return Token::word;
    case session::Word::type:
    case session::Word::function: return Token::accent;
    case session::Word::number:
    case session::Word::string: return Token::number;
    case session::Word::comment: return Token::comment;
    case session::Word::name: return Token::ink;
  }
  return Token::ink;
}

struct Line {
  std::uint32_t begin = 0, end = 0;  ///< bytes of the text
};

std::vector<Line> lines_of(const std::string& characters) {
  std::vector<Line> lines;
  std::uint32_t begin = 0;
  for (std::uint32_t i = 0; i <= characters.size(); ++i)
    if (i == characters.size() || characters[i] == '\n') {
      if (i > begin || i < characters.size()) lines.push_back({begin, i});
      begin = i + 1;
    }
  return lines;
}

}  // namespace

int columns(std::string_view text) {
  return static_cast<int>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

namespace {

/// Another node begins on a later line of it.
bool is_block(const text::Text& text, std::size_t span) {
  const text::TextSpan& outer = text.spans[span];
  const std::size_t line_ends = text.characters.find('\n', outer.begin);
  if (line_ends >= outer.end) return false;
  for (std::size_t i = span + 1; i < text.spans.size() && text.spans[i].begin < outer.end; ++i)
    if (text.spans[i].begin > line_ends) return true;
  return false;
}

}  // namespace

std::vector<Lit> lit_blocks(const Ui& ui, const text::Text& text) {
  std::vector<Lit> lit;
  for (std::size_t i = 0; i < text.spans.size(); ++i) {
    const text::TextSpan& span = text.spans[i];
    const Ui::Glow glow = ui.glow(span.node);
    if (glow == Ui::Glow::none || !is_block(text, i)) continue;
    const auto same = [&](const Lit& one) { return one.begin == span.begin && one.end == span.end; };
    if (const auto found = std::ranges::find_if(lit, same); found != lit.end())
      found->glow = std::max(found->glow, glow);
    else lit.push_back({span.begin, span.end, glow});
  }
  return lit;
}

std::vector<Lit> lit_stretches(const Ui& ui, const text::Text& text) {
  std::vector<Lit> lit;
  for (std::size_t i = 0; i < text.spans.size(); ++i) {
    const text::TextSpan& span = text.spans[i];
    const Ui::Glow glow = ui.glow(span.node);
    if (glow == Ui::Glow::none || is_block(text, i)) continue;
    if (!lit.empty() && span.begin < lit.back().end) {
      if (glow <= lit.back().glow) continue;
      // The inner one is brighter: it takes its part of the outer.
      Lit outer = lit.back();
      lit.back().end = span.begin;
      if (lit.back().begin >= lit.back().end) lit.pop_back();
      lit.push_back({span.begin, span.end, glow});
      if (span.end < outer.end) lit.push_back({span.end, outer.end, outer.glow});
      continue;
    }
    lit.push_back({span.begin, span.end, glow});
  }
  return lit;
}

namespace {

/// A note of what is ready, which a nest has where a fragment stands: `# ready V(:,j)`. False: it is none.
bool paint_ready(Paint& paint, const Theme& theme, Point at, float row, std::string_view line, Font font) {
  constexpr std::string_view word = "# ready ";
  const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
  if (!line.substr(begin).starts_with(word)) return false;
  const float x = at.x + static_cast<float>(begin) * advance_of(font),
              y = std::round(at.y + (row - paint.height(font)) / 2);
  paint.disc({x + 4, at.y + row / 2}, 3, theme(Token::good));
  paint.text({x + 2 * advance_of(font), y}, line.substr(begin + 2), font, theme(Token::good));
  return true;
}

float remark_width(const Paint& paint, const std::string& words) {
  return words.empty() ? 0 : paint.width(words, Font::text) + 2;
}

/// What is said behind a line; the whole of it is at the pointer.
void draw_remark(Ui& ui, const std::string& id, std::size_t line, const std::string& words, Rect area) {
  if (words.empty()) return;
  area.w = remark_width(ui.paint(), words);
  ui.paint().text_in(area, words, Font::text, ui.theme()(Token::accent));
  ui.label(id + " remark:" + std::to_string(line), words, area);
  // Where the line is too long for it to be seen, a mark at the left says that there is one.
  const Rect edge{ui.paint().clipped().x, area.y, 10, area.h};
  if (area.right() > ui.paint().clipped().right()) ui.paint().disc(edge.centre(), 2.5F, ui.theme()(Token::accent));
  const Point mouse = ui.input().mouse;
  if (area.cut(ui.paint().clipped()).contains(mouse) || edge.contains(mouse)) ui.tooltip(words);
}

/// From the first line's words to the end of the longest.
void draw_lit_blocks(Ui& ui, const text::Text& text, const std::vector<Line>& lines, Point origin,
                     const TextOptions& options) {
  const std::string_view characters = text.characters;
  const auto meets = [](const Lit& block, const Line& line) {
    return line.begin < block.end && line.end > block.begin;
  };
  for (const Lit& block : lit_blocks(ui, text)) {
    const auto top = std::ranges::find_if(lines, [&](const Line& line) { return meets(block, line); });
    if (top == lines.end()) continue;
    int widest = 0;
    auto end = top;
    for (; end != lines.end() && meets(block, *end); ++end)
      widest = std::max(widest, columns(characters.substr(end->begin, end->end - end->begin)));
    const auto indent = static_cast<int>(characters.find_first_not_of(' ', top->begin) - top->begin);
    draw_block(ui.paint(), ui.theme(),
               {origin.x + static_cast<float>(indent) * advance_of(options.font) - 4,
                origin.y + static_cast<float>(top - lines.begin()) * options.row,
                static_cast<float>(widest - indent) * advance_of(options.font) + 8,
                static_cast<float>(end - top) * options.row},
               block.glow);
  }
}

struct Run {
  std::uint32_t begin = 0, end = 0;
};
std::vector<Run> running(const text::Text& text, const TextOptions& options) {
  std::vector<Run> runs;
  std::uint32_t inside = 0;  // up to here it is part of one that is there
  for (const text::TextSpan& span : text.spans) {
    if (std::ranges::find(options.current, span.node) == options.current.end()) continue;
    if (!options.heads) {
      runs.push_back({span.begin, span.end});
      continue;
    }
    // What stands on one line has no head.
    const std::size_t line_end = text.characters.find('\n', span.begin);
    if (span.begin < inside || line_end >= span.end) continue;
    inside = span.end;
    runs.push_back({span.begin, static_cast<std::uint32_t>(line_end)});
  }
  return runs;
}

}  // namespace

namespace {

/// `.1:     vaddsd xmm0, …`: a label, and what is done.
std::vector<Stretch> coloured_instruction(std::string_view line) {
  std::vector<Stretch> out;
  const std::size_t colon = line.find(':'), label = colon < line.find(' ') ? colon + 1 : 0;
  if (label > 0) out.push_back({0, static_cast<std::uint32_t>(label), Token::accent});
  const std::size_t begin = line.find_first_not_of(' ', label);
  if (begin == std::string_view::npos) return out;
  const std::size_t end = std::min(line.find(' ', begin), line.size());
  out.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end), Token::word});
  return out;
}

}  // namespace

std::vector<Stretch> coloured(std::string_view line, Colouring colouring, const Scene* scene) {
  if (colouring == Colouring::assembly) return coloured_instruction(line);
  std::vector<Stretch> out;
  if (colouring == Colouring::none) return out;
  for (const session::ColouredStretch& one : session::coloured_stretches(
           line, colouring == Colouring::c ? session::TextLanguage::c : session::TextLanguage::program)) {
    Stretch stretch{static_cast<std::uint32_t>(one.begin), static_cast<std::uint32_t>(one.end), token_of(one.word), -1};
    if (one.word == session::Word::name && scene)
      stretch.index = scene->index_number(std::string(line.substr(one.begin, one.end - one.begin)));
    if (stretch.token != Token::ink || stretch.index >= 0) out.push_back(stretch);
  }
  return out;
}

void draw_block(Paint& paint, const Theme& theme, Rect area, Ui::Glow glow) {
  const bool weak = glow == Ui::Glow::weak;
  paint.outline(area, weak ? theme.fill(Token::kin, 0.5F) : theme(Token::kin), weak ? 1 : 1.5F, 4);
}

void draw_glow(Paint& paint, const Theme& theme, Rect spot, Ui::Glow glow) {
  const bool weak = glow == Ui::Glow::weak;
  paint.fill(spot, theme.fill(Token::kin, theme.kin_fill * (weak ? 0.5F : 1)), 3);
  if (!weak) paint.fill({spot.x, spot.bottom() - 1.5F, spot.w, 1.5F}, theme(Token::kin));
}

float paint_line(Paint& paint, const Theme& theme, Point at, std::string_view line, Colouring colouring,
                 const Scene* scene, Font font, float opacity) {
  float x = at.x;
  const auto put = [&](std::size_t begin, std::size_t end, Colour colour) {
    if (begin < end) x += paint.text({x, at.y}, line.substr(begin, end - begin), font, faded(colour, opacity));
  };
  std::size_t done = 0;
  for (const Stretch& s : coloured(line, colouring, scene)) {
    put(done, s.begin, theme(Token::ink));
    put(s.begin, s.end, s.index >= 0 ? theme.index(s.index) : theme(s.token));
    done = s.end;
  }
  put(done, line.size(), theme(Token::ink));
  return x - at.x;
}

void draw_text(const Scene& scene, Ui& ui, const std::string& id, const text::Text& text, Rect area,
               const TextOptions& options) {
  Paint& paint = ui.paint();
  const Theme& theme = ui.theme();
  const std::vector<Line> lines = lines_of(text.characters);
  const float advance = advance_of(options.font), left = area.x + text_padding + (options.numbers ? number_width : 0);
  struct Kept {
    float down = 0, across = 0;
    std::vector<text::NodeId> followed;
  };
  auto& kept = ui.memory<Kept>(id);

  const std::vector<Run> runs = running(text, options);
  const auto line_at = [&](std::uint32_t byte) {
    const auto found = std::ranges::upper_bound(lines, byte, {}, &Line::begin);
    return static_cast<int>(found - lines.begin()) - 1;
  };
  if (!runs.empty() && kept.followed != options.current) {
    kept.followed = options.current;
    const float y = static_cast<float>(line_at(runs.front().begin)) * options.row;
    if (y < kept.down || y + 3 * options.row > kept.down + area.h) kept.down = y - area.h / 3;
  }
  float widest = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line(text.characters.data() + lines[i].begin, lines[i].end - lines[i].begin);
    const float remark = i < options.remarks.size() ? remark_width(paint, options.remarks[i]) : 0;
    widest = std::max(widest, static_cast<float>(columns(line)) * advance + (remark > 0 ? remark + remark_gap : 0));
  }
  ui.item(id, "document", id, std::to_string(lines.size()) + " lines", area);
  if (ui.key("PageDown")) kept.down += area.h - options.row;
  if (ui.key("PageUp")) kept.down -= area.h - options.row;
  const Clip clip(paint, area);
  ui.scroll_across(id + " across", area, widest + 2 * text_padding + (left - area.x), kept.across);
  ui.scroll(id + " scroll", area, static_cast<float>(lines.size()) * options.row + 12, kept.down);

  const std::vector<Occurrence> found =
      ui.finding() ? occurrences(text.characters, ui.finding()->query) : std::vector<Occurrence>{};
  if (Ui::Find* find = ui.finding()) {
    find->answered = true, find->count = found.size();
    if (find->moved && find->at < found.size())
      kept.down = std::max(0.F, static_cast<float>(line_at(found[find->at].begin)) * options.row - area.h / 3);
  }
  const std::vector<Lit> lit = lit_stretches(ui, text);
  draw_lit_blocks(ui, text, lines, {left - kept.across, area.y + 4 - kept.down}, options);
  const std::size_t first = static_cast<std::size_t>(std::max(0.F, kept.down / options.row));
  const float text_y = std::round((options.row - paint.height(options.font)) / 2);
  for (std::size_t i = first; i < lines.size(); ++i) {
    const float y = std::round(area.y + 4 + static_cast<float>(i) * options.row - kept.down);
    if (y > area.bottom()) break;
    const Line& line = lines[i];
    const std::string_view characters(text.characters.data() + line.begin, line.end - line.begin);
    const float x0 = left - kept.across;
    const auto x_of = [&](std::uint32_t byte) {
      const std::uint32_t within = std::clamp(byte, line.begin, line.end) - line.begin;
      return x0 + static_cast<float>(columns(characters.substr(0, within))) * advance;
    };
    if (i < options.shares.size() && options.shares[i] > 0.005)
      paint.fill({area.x, y, 6 + 40 * static_cast<float>(options.shares[i]), options.row},
                 theme.fill(Token::warn, 0.12F + 0.5F * static_cast<float>(options.shares[i])));
    for (const Run& run : runs)
      if (run.begin < line.end && run.end > line.begin) {
        paint.fill({area.x, y, area.w, options.row}, theme.fill(Token::accent, 0.16F));
        paint.fill({area.x, y, 3, options.row}, theme(Token::accent));
        break;
      }
    for (const Lit& one : lit) {
      if (one.end <= line.begin || one.begin >= line.end) continue;
      std::uint32_t begin = std::max(one.begin, line.begin);
      while (begin < line.end && text.characters[begin] == ' ') ++begin;
      draw_glow(paint, theme, {x_of(begin) - 2, y, x_of(one.end) - x_of(begin) + 4, options.row}, one.glow);
    }
    for (std::size_t f = 0; f < found.size(); ++f)
      if (found[f].begin < line.end && found[f].end > line.begin)
        paint_occurrence(paint, theme,
                         {x_of(found[f].begin), y + 1, x_of(found[f].end) - x_of(found[f].begin), options.row - 2},
                         f == ui.finding()->at);
    if (options.numbers)
      paint.text_in({area.x, y, number_width, options.row}, std::to_string(i + 1), Font::small_mono,
                    theme(Token::faint), Align::right);
    const bool dim = i < options.dimmed.size() && options.dimmed[i];
    if (!paint_ready(paint, theme, {x0, y}, options.row, characters, options.font))
      paint_line(paint, theme, {x0, y + text_y}, characters, options.colouring, &scene, options.font, dim ? 0.35F : 1);
    if (i < options.remarks.size())
      draw_remark(ui, id, i, options.remarks[i], {x_of(line.end) + remark_gap, y, 0, options.row});
    const Rect row{area.x, y, area.w, options.row};
    if (row.cut(paint.clipped()).contains(ui.input().mouse)) {
      const int column = static_cast<int>((ui.input().mouse.x - x0) / advance);
      std::uint32_t byte = line.begin;
      for (int c = 0; c < column && byte < line.end; ++c) do
          ++byte;
        while (byte < line.end && (static_cast<unsigned char>(text.characters[byte]) & 0xC0U) == 0x80U);
      if (column >= 0 && byte < line.end) ui.nodes(text::nodes_at(text, byte), row);
    }
  }
}

}  // namespace trellis::gui
