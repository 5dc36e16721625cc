#include "engine/explore/diff.hpp"

#include <algorithm>

namespace trellis::explore {
namespace {

constexpr std::size_t context = 3;

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace

std::vector<DiffLine> line_diff(std::string_view left_text, std::string_view right_text) {
  const std::vector<std::string_view> left = lines_of(left_text), right = lines_of(right_text);
  std::vector<std::vector<int>> common(left.size() + 1, std::vector<int>(right.size() + 1, 0));
  for (std::size_t i = left.size(); i-- > 0;)
    for (std::size_t j = right.size(); j-- > 0;)
      common[i][j] = left[i] == right[j] ? common[i + 1][j + 1] + 1 : std::max(common[i + 1][j], common[i][j + 1]);
  std::vector<DiffLine> out;
  std::size_t i = 0, j = 0;
  while (i < left.size() || j < right.size()) {
    if (i < left.size() && j < right.size() && left[i] == right[j]) out.push_back({' ', left[i++]}), ++j;
    else if (i < left.size() && (j == right.size() || common[i + 1][j] >= common[i][j + 1]))
      out.push_back({'-', left[i++]});
    else out.push_back({'+', right[j++]});
  }
  return out;
}

std::string unified_diff(std::string_view left, std::string_view right) {
  const std::vector<DiffLine> all = line_diff(left, right);
  std::string out;
  std::size_t shown = 0, old_line = 1, new_line = 1;  // of all[at], where the loop stands
  std::size_t at = 0;
  const auto pass = [&](std::size_t end) {
    for (; at < end; ++at) old_line += all[at].mark != '+', new_line += all[at].mark != '-';
  };
  while (true) {
    std::size_t change = std::max(at, shown);
    while (change < all.size() && all[change].mark == ' ') ++change;
    if (change == all.size()) return out;
    // A hunk ends where more than twice the context stays the same.
    std::size_t last = change;
    for (std::size_t k = change; k < all.size() && k <= last + 2 * context; ++k)
      if (all[k].mark != ' ') last = k;
    const std::size_t begin = std::max(shown, change - std::min(change, context)),
                      end = std::min(all.size(), last + context + 1);
    pass(begin);
    std::size_t removed = 0, added = 0;
    for (std::size_t k = begin; k < end; ++k) removed += all[k].mark != '+', added += all[k].mark != '-';
    out += "@@ -" + std::to_string(old_line) + "," + std::to_string(removed) + " +" + std::to_string(new_line) + "," +
           std::to_string(added) + " @@\n";
    for (std::size_t k = begin; k < end; ++k) out += all[k].mark + std::string(all[k].text) + "\n";
    shown = end;
    pass(end);
  }
}

}  // namespace trellis::explore
