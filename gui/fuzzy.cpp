#include "gui/fuzzy.hpp"

#include <algorithm>
#include <cctype>
#include <limits>
#include <string>

namespace trellis::gui {
namespace {

constexpr int none = std::numeric_limits<int>::min() / 2;
constexpr int at_start = 12, at_word = 8, beside = 6, skipped = 1;

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }
bool letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

int worth(std::string_view text, std::size_t at) {
  if (at == 0) return at_start;
  return !letter(text[at - 1]) || (std::isupper(static_cast<unsigned char>(text[at])) &&
                                   std::islower(static_cast<unsigned char>(text[at - 1])))
             ? at_word
             : 1;
}

}  // namespace

// best[q][t]: the best score of the first q + 1 letters when the last of them is the text's t-th.
std::optional<Fit> fit(std::string_view query, std::string_view text) {
  std::string letters;
  for (const char c : query)
    if (c != ' ') letters += lower(c);
  const std::size_t rows = letters.size(), columns = text.size();
  if (rows == 0) return Fit{};
  if (rows > columns) return std::nullopt;
  std::vector<int> best(rows * columns, none);
  std::vector<std::uint32_t> from(rows * columns, 0);
  for (std::size_t q = 0; q < rows; ++q) {
    int before = none;  // of the letter before, anywhere further left, less what lies between
    std::uint32_t where = 0;
    for (std::size_t t = q; t < columns; ++t) {
      if (q > 0 && t > 0) {
        before -= skipped;
        if (best[(q - 1) * columns + t - 1] > before)
          before = best[(q - 1) * columns + t - 1], where = static_cast<std::uint32_t>(t - 1);
      }
      if (lower(text[t]) != letters[q]) continue;
      int& here = best[q * columns + t];
      if (q == 0) {
        here = worth(text, t) - static_cast<int>(std::min<std::size_t>(t, 10));
        continue;
      }
      const int neighbour = t > 0 ? best[(q - 1) * columns + t - 1] + beside : none;
      from[q * columns + t] = neighbour >= before ? static_cast<std::uint32_t>(t - 1) : where;
      here = std::max(neighbour, before);
      if (here > none / 2) here += worth(text, t);
    }
  }
  const auto last = best.end() - static_cast<std::ptrdiff_t>(columns);
  const auto top = std::max_element(last, best.end());
  if (*top < none / 2) return std::nullopt;
  Fit found{.score = *top * 4 - static_cast<int>(std::min<std::size_t>(columns, 100)) / 4,
            .at = std::vector<std::uint32_t>(rows)};
  auto t = static_cast<std::size_t>(top - last);
  for (std::size_t q = rows; q-- > 0;) found.at[q] = static_cast<std::uint32_t>(t), t = from[q * columns + t];
  return found;
}

}  // namespace trellis::gui
