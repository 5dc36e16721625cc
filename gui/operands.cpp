#include "gui/operands.hpp"

#include <algorithm>
#include <cctype>
#include <set>

namespace trellis::gui {

using coiterate::Lattice;

namespace {

/// The same access, down to whichever level: A(i,:) in one loop is A(i,j) in the one inside.
bool same_access(const access::LevelKey& a, const access::LevelKey& b) {
  const std::size_t both = std::min(a.indices.size(), b.indices.size());
  return a.tensor == b.tensor &&
         std::equal(a.indices.begin(), a.indices.begin() + static_cast<std::ptrdiff_t>(both), b.indices.begin());
}

/// Among all operands of the kernel's loops, in the order in which the loops stand.
int number_of_operand(const Scene& scene, const Lattice& lattice, int operand) {
  const access::LevelKey& wanted = lattice.operands[static_cast<std::size_t>(operand)].literal.key;
  if (!scene.drawn() || !scene.drawn()->compiled) return operand;
  std::vector<const access::LevelKey*> known;
  for (const coiterate::NumberedLattice& one : scene.drawn()->compiled->lattices)
    for (const auto& other : one.lattice->operands) {
      if (same_access(other.literal.key, wanted)) {
        const auto at = std::ranges::find_if(known, [&](const auto* key) { return same_access(*key, wanted); });
        return static_cast<int>(at - known.begin());
      }
      if (std::ranges::none_of(known, [&](const auto* key) { return same_access(*key, other.literal.key); }))
        known.push_back(&other.literal.key);
    }
  return operand;
}

}  // namespace

Colour colour_of_operand(const Scene& scene, const Theme& theme, const Lattice& lattice, int operand) {
  std::set<std::string> indices;
  if (scene.explained())
    for (const place::Fragment& fragment : scene.explained()->fragments.fragments)
      indices.insert(fragment.domain.variables.begin(), fragment.domain.variables.end());
  return theme.index(static_cast<int>(std::max<std::size_t>(indices.size(), 1)) +
                     number_of_operand(scene, lattice, operand));
}

std::vector<int> walked_operands(const Lattice& lattice) {
  std::vector<int> walked = lattice.with_role(Lattice::Role::leads);
  const std::vector<int> follow = lattice.with_role(Lattice::Role::follows);
  walked.insert(walked.end(), follow.begin(), follow.end());
  return walked;
}

bool leads(const Lattice& lattice, int operand) {
  return lattice.operands[static_cast<std::size_t>(operand)].role == Lattice::Role::leads;
}

void draw_mark(Paint& paint, Point centre, float radius, Mark mark, bool lead, Colour colour) {
  const Rect square{centre.x - radius * 0.9F, centre.y - radius * 0.9F, radius * 1.8F, radius * 1.8F};
  const float corner = radius > 3 ? 2 : 0;
  switch (mark) {
    case Mark::there: return lead ? paint.disc(centre, radius, colour) : paint.fill(square, colour, corner);
    case Mark::absent:
      return lead ? paint.ring(centre, radius - 0.5F, colour, 1.2F) : paint.outline(square, colour, 1.2F, corner);
    case Mark::gone:
      return paint.line({centre.x - radius * 0.7F, centre.y}, {centre.x + radius * 0.7F, centre.y}, colour, 1.4F);
    case Mark::any: return paint.disc(centre, radius * 0.3F, colour);
  }
}

float paint_with_operands(const Scene& scene, Paint& paint, const Theme& theme, Point at, std::string_view text,
                          const Lattice& lattice, Font font, Colour rest, int lit) {
  const std::vector<std::string> names = coiterate::brief_names(lattice);
  float x = at.x;
  std::size_t plain = 0;
  const auto put = [&](std::size_t begin, std::size_t end, Colour colour) {
    if (begin < end) x += paint.text({x, at.y}, text.substr(begin, end - begin), font, colour);
  };
  const auto is_word = [&](std::size_t i) {
    return i < text.size() && (std::isalnum(static_cast<unsigned char>(text[i])) || text[i] == '_');
  };
  for (std::size_t i = 0; i < text.size();) {
    // The longest name that begins here, as a word of its own.
    std::size_t length = 0;
    int operand = -1;
    if (i == 0 || !is_word(i - 1))
      for (std::size_t k = 0; k < names.size(); ++k)
        if (names[k].size() > length && text.substr(i).starts_with(names[k]) &&
            !(is_word(i + names[k].size() - 1) && is_word(i + names[k].size())))
          length = names[k].size(), operand = static_cast<int>(k);
    if (operand < 0) {
      ++i;
      continue;
    }
    put(plain, i, rest);
    if (operand == lit) {
      const Rect word{x - 3, at.y - 1, paint.width(text.substr(i, length), font) + 6, paint.height(font) + 2};
      paint.fill(word, theme.fill(Token::accent, 0.3F), 3);
      paint.outline(word, theme(Token::accent), 1.5F, 3);
    }
    put(i, i + length, colour_of_operand(scene, theme, lattice, operand));
    plain = i += length;
  }
  put(plain, text.size(), rest);
  return x - at.x;
}

const char* word_of_cursor(const explore::LatticeStep::Cursor& cursor) {
  if (cursor.begin == cursor.end) return "nothing stored";
  return cursor.ran_out ? "at its end" : cursor.here ? "here" : "not here";
}

void draw_find_notes(Ui& ui, const std::vector<session::FindNote>& notes, Rect& area) {
  constexpr float row_high = 18;
  constexpr std::size_t most_rows = 4;
  // Who leads stands above already.
  const std::size_t first = !notes.empty() && notes.front().words.starts_with("leads ") ? 1 : 0;
  const std::size_t shown = std::min(notes.size() - first, most_rows);
  if (shown == 0) return;
  Rect all = area.take_bottom(row_high * static_cast<float>(shown) + 8);
  for (std::size_t k = 0; k < shown; ++k) {
    const session::FindNote& note = notes[first + k];
    Rect row = all.take_top(row_high).inset(14, 0);
    const Rect sign = row.take_left(16);
    using Trust = session::FindNote::Trust;
    if (note.trust != Trust::stated)
      ui.paint().verdict({sign.x + 5, sign.centre().y},
                         note.trust == Trust::proven    ? Verdict::legal
                         : note.trust == Trust::refuted ? Verdict::refused
                                                        : Verdict::unknown,
                         ui.theme(), 5);
    ui.paint().text_in(row, note.words, Font::small,
                       ui.theme()(note.trust == Trust::stated ? Token::soft : Token::ink));
    ui.label("find:" + std::to_string(k), note.words, row, session::name_of(note.trust));
    if (row.contains(ui.input().mouse) && ui.paint().width(note.words, Font::small) > row.w) ui.tooltip(note.words);
  }
}

}  // namespace trellis::gui
