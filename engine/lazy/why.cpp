#include "engine/lazy/why.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

#include "engine/text/glyphs.hpp"

namespace trellis::lazy {

void add_stored(Why& why, const std::map<std::string, double>& entries) {
  for (Why::Kernel& kernel : why.chosen.kernels)
    if (const auto found = entries.find(kernel.name); found != entries.end()) kernel.stored = found->second;
}

namespace {

/// "1.9 ms", "20 ms", "31 µs".
std::string time_text(double nanoseconds) {
  const auto [value, unit] = nanoseconds < 1e3   ? std::pair(nanoseconds, "ns")
                             : nanoseconds < 1e6 ? std::pair(nanoseconds / 1e3, "µs")
                             : nanoseconds < 1e9 ? std::pair(nanoseconds / 1e6, "ms")
                                                 : std::pair(nanoseconds / 1e9, "s");
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.*f %s", value < 10 ? 1 : 0, value, unit);
  return text.data();
}

std::size_t width_of(const std::string& utf8) {
  std::size_t width = 0;
  for (const text::Glyph& glyph : text::glyphs(utf8)) width += static_cast<std::size_t>(glyph.width);
  return width;
}

std::string repeated(const char* what, std::size_t times) {
  std::string all;
  while (times-- > 0) all += what;
  return all;
}

std::string padded(const std::string& text, std::size_t width) {
  return text + std::string(width - std::min(width, width_of(text)), ' ');
}

}  // namespace

std::string count_text(double count) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), count < 1e7 ? "%.0f" : "%.1e", count);
  return text.data();
}

std::string estimate_of(const Why::Way& way) {
  return "about " + time_text(way.nanoseconds) + (way.compiled ? ", " + time_text(*way.compiled) + " as compiled" : "");
}

std::vector<std::string> lines_of(const Why::Kernel& kernel) {
  std::string how = kernel.copy_of.empty() ? "" : "a copy of " + kernel.copy_of + ", ";
  how += kernel.format + (kernel.order.empty() ? "" : ", order " + kernel.order);
  std::string much = count_text(kernel.entries) + (kernel.entries == 1 ? " entry" : " entries");
  if (kernel.stored) much += " expected, " + count_text(*kernel.stored) + " stored";
  return {kernel.equation, how, much + ", " + time_text(kernel.nanoseconds)};
}

namespace {

/// A query as a box, an arrow for each table that it reads, and on that how much the table stores.
class Boxes {
 public:
  Boxes(const Why& why, const Why::Way& way) {
    for (const Why::Operand& operand : why.operands) entries_[operand.name] = operand.entries;
    for (const Why::Kernel& kernel : way.kernels) entries_[kernel.name] = kernel.stored.value_or(kernel.entries);
    for (const Why::Kernel& kernel : way.kernels)
      for (const std::string& name : kernel.reads) {
        name_width_ = std::max(name_width_, width_of(name));
        count_width_ = std::max(count_width_, count_text(entries_[name]).size());
      }
  }

  std::string draw(const Why::Kernel& kernel) {
    const std::vector<std::string> all = lines_of(kernel), lines = {all[0], all[1] + ", " + all[2]};
    const std::size_t width = std::max(width_of(lines[0]), width_of(lines[1]));
    const std::size_t rows = std::max(lines.size(), kernel.reads.size());
    std::string out = std::string(arrow_width(), ' ') + "┌" + repeated("─", width + 2) + "┐\n";
    for (std::size_t row = 0; row < rows; ++row)
      out += (row < kernel.reads.size() ? arrow(kernel.reads[row]) : std::string(arrow_width(), ' ')) + "│ " +
             padded(row < lines.size() ? lines[row] : "", width) + " │\n";
    return out + std::string(arrow_width(), ' ') + "└" + repeated("─", width + 2) + "┘\n";
  }

 private:
  std::size_t arrow_width() const { return name_width_ + count_width_ + 9; }

  std::string arrow(const std::string& name) {
    const std::string count = count_text(entries_[name]);
    return padded(name, name_width_) + " ──" + repeated("─", count_width_ - count.size()) + " " + count + " ──> ";
  }

  std::map<std::string, double> entries_;
  std::size_t name_width_ = 0, count_width_ = 0;
};

void print(const Why& why, const Why::Way& way, const std::string& title, std::string& out) {
  out += title + ", " + estimate_of(way) + "\n";
  Boxes boxes(why, way);
  for (const Why::Kernel& kernel : way.kernels) out += boxes.draw(kernel);
}

}  // namespace

std::string picture_of(const Why& why) {
  std::string out;
  print(why, why.chosen, "chosen", out);
  return out;
}

std::vector<std::string> remarks_of(const Why& why) {
  std::vector<std::string> all;
  for (const Why::Flip& flip : why.flips)
    all.push_back("flips at " + flip.table + " with " + count_text(flip.instead) + " entries instead of " +
                  count_text(flip.entries) + ": " + flip.outline);
  if (why.second && why.flips.empty())
    all.emplace_back("no number of entries of an operand changes it, up to 100 times");
  if (!why.second) all.emplace_back("there is no other way to reduce early");
  for (const std::string& step : why.rewrites) all.push_back("rewritten: " + step);
  if (why.associates) all.emplace_back("rounds: products are associated anew and distributed");
  if (why.greedy)
    all.emplace_back("too many plans to look at all: fields were eliminated one by one where that left least");
  return all;
}

std::string to_string(const Why& why) {
  std::string out = picture_of(why);
  if (why.second) print(why, *why.second, "second", out);
  for (const std::string& remark : remarks_of(why)) out += remark + "\n";
  return out;
}

}  // namespace trellis::lazy
