// A picture of ranks in letters, and what is said of its parts.
#include <algorithm>
#include <cmath>

#include "engine/text/fit.hpp"
#include "engine/view/captions.hpp"
#include "engine/view/ranks_picture.hpp"

namespace trellis::view {
namespace {

std::string ending_at(const std::string& text, std::size_t width) {
  const auto seen = static_cast<std::size_t>(text::width_of(text));
  return std::string(width - std::min(width, seen), ' ') + text;
}

std::string filled_to(const std::string& text, std::size_t width) {
  const auto seen = static_cast<std::size_t>(text::width_of(text));
  return text + std::string(width - std::min(width, seen), ' ');
}

std::string raised(std::int64_t number) {
  static constexpr const char* digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string out;
  for (const char digit : std::to_string(number)) out += digits[digit - '0'];
  return out;
}

/// The owner, and raised who is sent it.
std::string letters(const RanksPicture::Cell& cell) {
  if (cell.readers.empty()) return std::to_string(cell.owner);
  return std::to_string(cell.owner) + (cell.readers.size() > 1 ? "⁺" : raised(cell.readers.front()));
}

std::string range_text(const RanksPicture::Axis& axis, std::int64_t cell) {
  const auto k = static_cast<std::size_t>(cell);
  const std::int64_t low = axis.places[k], high = axis.places[k + 1];
  return high == low + 1 ? std::to_string(low) : std::to_string(low) + ":" + std::to_string(high);
}

std::string owned_text(const RanksPicture::Owned& owned) {
  std::size_t wide = 1, margin = 0;
  for (const RanksPicture::Cell& cell : owned.cells)
    wide = std::max(wide, static_cast<std::size_t>(text::width_of(letters(cell))));
  const bool matrix = owned.order > 1;
  for (std::int64_t r = 0; matrix && r < owned.rows.cells(); ++r)
    margin = std::max(margin, range_text(owned.rows, r).size());
  std::string out = "  " + caption(owned) + "\n";
  for (std::int64_t r = 0; r < owned.rows.cells(); ++r) {
    std::string line, between;
    for (std::int64_t c = 0; c < owned.columns.cells(); ++c) {
      const bool cut = owned.columns.cuts[static_cast<std::size_t>(c)];
      line += (cut ? "│" : c > 0 ? " " : "") + filled_to(letters(owned.at(r, c)), wide);
      between += cut ? "┼" : c > 0 ? "─" : "";
      for (std::size_t k = 0; k < wide; ++k) between += "─";
    }
    if (owned.rows.cuts[static_cast<std::size_t>(r)]) out += "    " + std::string(margin, ' ') + " " + between + "\n";
    while (line.ends_with(' ')) line.pop_back();
    out += "    " + (matrix ? ending_at(range_text(owned.rows, r), margin) + " " : "") + line + "\n";
  }
  return out;
}

/// A row for each rank that sends, a column for each that receives.
std::string who_sends_whom(const RanksPicture& picture) {
  std::size_t width = 2;
  for (const std::int64_t count : picture.bytes) width = std::max(width, std::to_string(count).size());
  std::string out = "who sends whom, bytes in all" + std::string(picture.at_most ? ", at most" : "") + ":\n  to     ";
  for (std::int64_t to = 0; to < picture.ranks; ++to) out += ending_at(std::to_string(to), width + 2);
  for (std::int64_t from = 0; from < picture.ranks; ++from) {
    out += "\n  from " + ending_at(std::to_string(from), 2);
    for (std::int64_t to = 0; to < picture.ranks; ++to) {
      const std::int64_t count = picture.bytes[static_cast<std::size_t>(from * picture.ranks + to)];
      out += ending_at(count == 0 ? "." : std::to_string(count), width + 2);
    }
  }
  return out + "\n";
}

/// Dark where it computed, light where it waited.
const char* lane_letter(double waited) {
  static constexpr const char* letters_by_share[] = {"█", "▓", "▒", "░", " "};
  return letters_by_share[std::clamp(static_cast<int>(waited * 5), 0, 4)];
}

std::string lanes_text(const RankLanes& lanes) {
  std::string out = caption(lanes) + "; █ computes, blank waits:\n";
  const std::size_t digits = std::to_string(std::ssize(lanes.ranks) - 1).size();
  for (std::size_t r = 0; r < lanes.ranks.size(); ++r) {
    const RankLanes::Lane& lane = lanes.ranks[r];
    out += "  " + ending_at(std::to_string(r), digits) + " │";
    for (const double waited : lane.waits) out += lane_letter(waited);
    out += "│ " + short_number(lane.compute_ms) + " ms, waits " + short_number(lane.wait_ms) + " ms\n";
  }
  return out;
}

std::string ranks_text(const std::vector<std::int64_t>& ranks) {
  std::string out = ranks.size() == 1 ? "rank " : "ranks ";
  for (std::size_t k = 0; k < ranks.size(); ++k)
    out += (k == 0 ? "" : k + 1 == ranks.size() ? " and " : ", ") + std::to_string(ranks[k]);
  return out;
}

bool aggregates(const RanksPicture::Axis& axis) { return axis.places.back() > axis.cells(); }

}  // namespace

std::string explain(const RanksPicture::Owned& owned, std::int64_t row, std::int64_t column) {
  const RanksPicture::Cell& cell = owned.at(row, column);
  std::string at = owned.order > 1 ? range_text(owned.rows, row) + ", " : "";
  at += range_text(owned.columns, column);
  const auto mixed = [](const RanksPicture::Axis& axis, std::int64_t k) {
    const auto cell_at = static_cast<std::size_t>(k);
    return axis.scattered && axis.places[cell_at + 1] > axis.places[cell_at] + 1;
  };
  std::string out = owned.tensor + "(" + at + (owned.order > 2 ? ", …" : "") + ")" +
                    (mixed(owned.rows, row) || mixed(owned.columns, column) ? ", most of it" : "") + " of " +
                    ranks_text({cell.owner});
  return cell.readers.empty() ? out : out + ", sent to " + ranks_text(cell.readers);
}

std::string caption(const RanksPicture::Owned& owned) {
  std::string out = owned.tensor + " over " + owned.home;
  for (const std::string& ranks : owned.also) out += ", copies along " + ranks;
  if (owned.order > 2) out += ", two of its " + std::to_string(owned.order) + " dimensions";
  const std::int64_t rows = owned.rows.places.back(), columns = owned.columns.places.back();
  if (aggregates(owned.rows) || aggregates(owned.columns))
    out += ": " + (owned.order > 1 ? std::to_string(rows) + " x " : "") + std::to_string(columns) +
           ", a cell is several elements" +
           (owned.rows.scattered || owned.columns.scattered ? ", most of them of that rank" : "");
  return out;
}

std::string caption(const RankLanes& lanes) {
  return "the last run, " + std::to_string(lanes.ranks.size()) + " ranks " + lanes.how + ", " + short_number(lanes.ms) +
         " ms: computing " + std::to_string(std::lround(100 * lanes.computing())) + " % of the time";
}

std::string forecast_text(const RanksPicture& picture) {
  if (!picture.forecast) return "";
  const distribute::Forecast& f = *picture.forecast;
  const auto share = [](double of) { return short_number(std::round(1000 * of) / 10) + " %"; };
  std::string out = "on paper, at " + short_number(picture.network.latency * 1e6) + " µs a message and " +
                    short_number(picture.network.bandwidth / 1e9) + " GB/s: computing " + share(f.efficiency()) +
                    " of the time";
  if (share(f.overlapped()) != share(f.efficiency()))
    out += ", " + share(f.overlapped()) + " were ghosts to travel meanwhile";
  out += "; the busiest rank computes " + short_number(f.work * 1e3) + " ms, messages take it " +
         short_number((f.ghosts + f.behind) * 1e3) + " ms";
  if (f.block)
    out += ", and it waits " + short_number(f.fill * 1e3) + " ms for the first blocks; blocks of about " +
           std::to_string(*f.block) + " iterations take least";
  return out;
}

std::string to_string(const RanksPicture& picture) {
  std::string out;
  bool sent = false;
  for (const RanksPicture::Owned& owned : picture.tensors)
    for (const RanksPicture::Cell& cell : owned.cells) sent |= !cell.readers.empty();
  if (!picture.tensors.empty())
    out += "whose elements are" + std::string(sent ? "; raised, to whom they are sent, ⁺ several:\n" : ":\n");
  for (const RanksPicture::Owned& owned : picture.tensors) out += owned_text(owned);
  if (!picture.bytes.empty()) out += who_sends_whom(picture);
  if (picture.forecast) out += forecast_text(picture) + "\n";
  if (picture.lanes) out += lanes_text(*picture.lanes);
  return out;
}

}  // namespace trellis::view
