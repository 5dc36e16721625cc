#include "gui/completion.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace trellis::gui {
namespace {

constexpr float completion_row = 20;
constexpr std::size_t most_rows = 9, least_letters = 2;

void take_word(Editor& editor, Completing& completing) {
  const std::string word =
      completing.words[completing.chosen] + (completing.words.size() == 1 ? completing.closing : "");
  editor.select(completing.begin, editor.caret());
  editor.insert(word);
  completing.close();
}

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }

/// How many letters and digits stand before the caret, if they begin with a letter.
std::size_t letters_before(const Editor& editor) {
  std::size_t begin = editor.caret();
  while (begin > 0 &&
         (is_letter(editor.text()[begin - 1]) || std::isdigit(static_cast<unsigned char>(editor.text()[begin - 1]))))
    --begin;
  return begin < editor.caret() && is_letter(editor.text()[begin]) ? editor.caret() - begin : 0;
}

/// In a comment there is nothing to complete.
bool in_comment(const Editor& editor) {
  const std::size_t start = editor.line_start(editor.line_of(editor.caret()));
  return editor.text().substr(start, editor.caret() - start).find('#') != std::string::npos;
}

}  // namespace

void take_completion_keys(Ui& ui, Editor& editor, Completing& completing) {
  if (ui.key("Ctrl+Space")) {
    completing.close();
    completing.before = editor.text().substr(0, editor.caret());
    completing.wanted_all = true;
  }
  if (!completing.open()) return;
  const std::size_t count = completing.words.size();
  if (ui.key("Down")) completing.chosen = (completing.chosen + 1) % count;
  if (ui.key("Up")) completing.chosen = (completing.chosen + count - 1) % count;
  if (ui.key("PageDown")) completing.chosen = std::min(count - 1, completing.chosen + most_rows);
  if (ui.key("PageUp")) completing.chosen = completing.chosen > most_rows ? completing.chosen - most_rows : 0;
  if (ui.key("Escape")) return completing.close();
  // A word that is whole already is left as it is, and Enter ends the line.
  const bool whole = editor.text().compare(completing.begin, editor.caret() - completing.begin,
                                           completing.words[completing.chosen]) == 0;
  if (whole && !ui.key("Tab")) {
    if (std::ranges::find(ui.input().keys, "Enter") != ui.input().keys.end()) completing.close();
    return;
  }
  if (whole || ui.key("Enter") || ui.key("Tab")) take_word(editor, completing);
}

void follow_completion(const Scene& scene, Editor& editor, Completing& completing, bool typed) {
  const std::string before = editor.text().substr(0, editor.caret());
  if (typed && editor.selection_begin() == editor.selection_end() && letters_before(editor) >= least_letters &&
      !in_comment(editor))
    completing.before = before;
  if (completing.before != before) completing.close();  // the caret has gone elsewhere
  if (!completing.before.empty() && scene.complete) {
    const session::Completion* found = scene.complete(completing.before);
    if (!found) return;  // what was known stays until then
    const std::string chosen =
        completing.open() ? completing.words[std::min(completing.chosen, completing.words.size() - 1)] : "";
    completing.begin = found->begin, completing.words = found->words, completing.closing = found->closing;
    const bool nothing_new =
        found->words.size() == 1 && before.substr(std::min(found->begin, before.size())) == found->words.front();
    if (completing.take_only && found->words.size() == 1) {
      completing.chosen = 0;
      take_word(editor, completing);
    }
    completing.take_only = false;
    if (nothing_new || (found->words.size() > 60 && !completing.wanted_all)) completing.words.clear();
    const auto same = std::ranges::find(completing.words, chosen);
    completing.chosen = same == completing.words.end() ? 0 : static_cast<std::size_t>(same - completing.words.begin());
  }
}

void draw_completion(Ui& ui, Editor& editor, Completing& completing, Point caret, float row) {
  if (!completing.open()) return;
  ui.above([&ui, &editor, &completing, caret, row] {
    Paint& paint = ui.paint();
    const Theme& t = ui.theme();
    const Rect window = paint.clipped();
    const std::size_t count = completing.words.size(), shown = std::min(count, most_rows);
    float wide = 120;
    for (const std::string& word : completing.words)
      wide = std::max(wide, std::min(360.F, paint.width(word, Font::list_mono) + 28));
    const float letters =
        static_cast<float>(editor.caret() - std::min(completing.begin, editor.caret())) * advance_of(Font::mono);
    Rect box{caret.x - letters - 10, caret.y + row + 4, wide, static_cast<float>(shown) * completion_row + 8};
    if (box.bottom() > window.bottom() - 4) box.y = caret.y - box.h - 4;
    box.x = std::clamp(box.x, 4.F, std::max(4.F, window.right() - box.w - 4));
    paint.fill(box, t(Token::raised), 6);
    paint.outline(box, t(Token::edge), 1, 6);
    const std::size_t first = completing.chosen < shown ? 0 : std::min(completing.chosen + 1 - shown, count - shown);
    for (std::size_t i = first; i < first + shown; ++i) {
      const Rect line{box.x + 4, std::round(box.y + 4 + static_cast<float>(i - first) * completion_row), box.w - 8,
                      completion_row};
      const bool chosen = i == completing.chosen;
      const Response response =
          ui.item("word:" + completing.words[i], "row", completing.words[i], chosen ? "chosen" : "", line);
      if (chosen || response.hovered) paint.fill(line, chosen ? t.fill(Token::accent, 0.25F) : t(Token::hover), 4);
      const std::size_t known = editor.caret() - std::min(completing.begin, editor.caret());
      const std::string& word = completing.words[i];
      const Rect text = line.inset(6, 0);
      paint.text_in(text, word, Font::list_mono, t(Token::ink));
      if (known <= word.size())
        paint.text_in(text, std::string_view(word).substr(0, known), Font::list_mono, t(Token::accent));
      if (response.pressed) {
        completing.chosen = i;
        take_word(editor, completing);
        return ui.keep_text_focus();
      }
    }
    if (count > shown) {
      const float height = box.h - 8, thumb = height * static_cast<float>(shown) / static_cast<float>(count);
      paint.fill(
          {box.right() - 5,
           box.y + 4 + (height - thumb) * static_cast<float>(first) / static_cast<float>(count - shown), 3, thumb},
          t(Token::edge), 1.5F);
    }
  });
}

}  // namespace trellis::gui
