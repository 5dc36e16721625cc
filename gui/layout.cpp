#include "gui/layout.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

namespace trellis::gui {
namespace {

constexpr float gutter = 6;

Layout split(Layout::Kind kind, std::vector<std::pair<float, Layout>> parts) {
  Layout layout{.kind = kind};
  for (auto& [share, part] : parts) layout.shares.push_back(share), layout.parts.push_back(std::move(part));
  return layout;
}

Size least_of(const Layout& layout) {
  Size size;
  if (layout.kind == Layout::Kind::stack) {
    for (const std::string& tab : layout.tabs) {
      const Size one = least_size(tab);
      size = {std::max(size.w, one.w), std::max(size.h, one.h)};
    }
    return size;
  }
  for (const Layout& part : layout.parts) {
    const Size one = least_of(part);
    if (layout.kind == Layout::Kind::row) size = {size.w + one.w + (size.w > 0 ? gutter : 0), std::max(size.h, one.h)};
    else size = {std::max(size.w, one.w), size.h + one.h + (size.h > 0 ? gutter : 0)};
  }
  return size;
}

void collect(const Layout& layout, std::vector<std::string>& tabs) {
  tabs.insert(tabs.end(), layout.tabs.begin(), layout.tabs.end());
  for (const Layout& part : layout.parts) collect(part, tabs);
}

/// The stack that is nearest to the corner of a part.
Layout& first_stack(Layout& layout) {
  return layout.kind == Layout::Kind::stack ? layout : first_stack(layout.parts.front());
}

float length_of(Size size, Layout::Kind kind) { return kind == Layout::Kind::row ? size.w : size.h; }

// Of what does not fit side by side, the part that asks for least goes to its neighbour, until the rest fits.
Layout fitted(Layout layout, Size room) {
  if (layout.kind == Layout::Kind::stack) return layout;
  const bool across = layout.kind == Layout::Kind::row;
  while (layout.parts.size() > 1 && length_of(least_of(layout), layout.kind) > (across ? room.w : room.h)) {
    std::size_t goes = 1;
    for (std::size_t i = 1; i < layout.parts.size(); ++i)
      if (layout.shares[i] < layout.shares[goes]) goes = i;
    std::vector<std::string> tabs;
    collect(layout.parts[goes], tabs);
    Layout& neighbour = first_stack(layout.parts[goes - 1]);
    neighbour.tabs.insert(neighbour.tabs.end(), tabs.begin(), tabs.end());
    layout.shares[goes - 1] += layout.shares[goes] / 2;
    layout.parts.erase(layout.parts.begin() + static_cast<std::ptrdiff_t>(goes));
    layout.shares.erase(layout.shares.begin() + static_cast<std::ptrdiff_t>(goes));
  }
  if (layout.parts.size() == 1) {
    const Layout only = layout.parts.front();
    return fitted(only, room);
  }
  return layout;
}

/// What each part takes: its share, but never less than it needs.
std::vector<float> lengths(const Layout& layout, float room) {
  const float all = std::accumulate(layout.shares.begin(), layout.shares.end(), 0.F);
  std::vector<float> out, least;
  for (std::size_t i = 0; i < layout.parts.size(); ++i) {
    out.push_back(room * layout.shares[i] / all);
    least.push_back(length_of(least_of(layout.parts[i]), layout.kind));
  }
  float missing = 0, spare = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    missing += std::max(0.F, least[i] - out[i]);
    spare += std::max(0.F, out[i] - least[i]);
  }
  for (std::size_t i = 0; i < out.size() && missing > 0 && spare > 0; ++i)
    out[i] = out[i] < least[i] ? least[i] : out[i] - (out[i] - least[i]) * std::min(1.F, missing / spare);
  for (float& one : out) one = std::round(one);
  return out;
}

void place(Layout& layout, Rect area, std::vector<std::size_t> path, Arrangement& out) {
  layout = fitted(std::move(layout), {area.w, area.h});
  if (layout.kind == Layout::Kind::stack) {
    layout.active = std::min(layout.active, layout.tabs.empty() ? 0 : layout.tabs.size() - 1);
    out.stacks.push_back({layout.tabs, layout.active, area, std::move(path)});
    return;
  }
  const bool across = layout.kind == Layout::Kind::row;
  const float gutters = gutter * static_cast<float>(layout.parts.size() - 1);
  const std::vector<float> sizes = lengths(layout, (across ? area.w : area.h) - gutters);
  for (std::size_t i = 0; i < layout.parts.size(); ++i) {
    const bool last = i + 1 == layout.parts.size();
    const Rect part = last ? area : across ? area.take_left(sizes[i]) : area.take_top(sizes[i]);
    path.push_back(i);
    place(layout.parts[i], part, path, out);
    path.pop_back();
    const float room = std::accumulate(sizes.begin(), sizes.end(), 0.F);
    if (!last)
      out.splitters.push_back({across ? area.take_left(gutter) : area.take_top(gutter), across, path, i, part, room});
  }
}

/// The user has put these panes, and no others, on each other.
bool has_stack(const Layout& layout, const std::vector<std::string>& tabs) {
  return layout.tabs == tabs ||
         std::ranges::any_of(layout.parts, [&](const Layout& part) { return has_stack(part, tabs); });
}

/// Drops empty stacks, and splits of one part.
bool tidy(Layout& layout) {
  if (layout.kind == Layout::Kind::stack) return !layout.tabs.empty();
  for (std::size_t i = layout.parts.size(); i-- > 0;)
    if (!tidy(layout.parts[i])) {
      layout.parts.erase(layout.parts.begin() + static_cast<std::ptrdiff_t>(i));
      layout.shares.erase(layout.shares.begin() + static_cast<std::ptrdiff_t>(i));
    }
  if (layout.parts.size() == 1) {
    Layout only = std::move(layout.parts.front());
    layout = std::move(only);
  }
  return layout.kind == Layout::Kind::stack ? !layout.tabs.empty() : !layout.parts.empty();
}

}  // namespace

Layout row(std::vector<std::pair<float, Layout>> parts) { return split(Layout::Kind::row, std::move(parts)); }
Layout column(std::vector<std::pair<float, Layout>> parts) { return split(Layout::Kind::column, std::move(parts)); }
Layout stack(std::vector<std::string> tabs) { return {.tabs = std::move(tabs)}; }

Size least_size(std::string_view pane) {
  pane = pane.substr(0, pane.find(':'));  // both sides of a comparison have the same
  if (pane == "program" || pane == "explain" || pane == "c" || pane == "assembly" || pane == "stages" ||
      pane == "passes")
    return {300, 160};
  if (pane == "placement" || pane == "lattice" || pane == "operands" || pane == "values") return {340, 190};
  if (pane == "timeline") return {300, 110};
  if (pane == "console" || pane == "loops") return {220, 130};
  return {240, 160};
}

Arrangement arrange(const Layout& layout, Rect area, const std::vector<std::string>& preferred) {
  Arrangement out;
  out.drawn = layout;
  place(out.drawn, area, {}, out);
  for (Placed& stack : out.stacks) {
    if (stack.tabs.empty() || has_stack(layout, stack.tabs)) continue;
    const auto first = std::ranges::find_first_of(preferred, stack.tabs);
    if (first == preferred.end()) continue;
    stack.active = static_cast<std::size_t>(std::ranges::find(stack.tabs, *first) - stack.tabs.begin());
    part_at(out.drawn, stack.path).active = stack.active;
  }
  return out;
}

Layout& part_at(Layout& layout, const std::vector<std::size_t>& path) {
  Layout* part = &layout;
  for (const std::size_t i : path) part = &part->parts[i];
  return *part;
}

Layout* find(Layout& layout, std::string_view pane) {
  if (std::ranges::find(layout.tabs, pane) != layout.tabs.end()) return &layout;
  for (Layout& part : layout.parts)
    if (Layout* found = find(part, pane)) return found;
  return nullptr;
}

void show(Layout& layout, const std::string& pane, const std::string& neighbour) {
  Layout* where = find(layout, pane);
  // What is read wants a column, and joins what is read.
  if (!where && (pane == "explain" || pane == "lesson" || pane == "quiz" || pane == "inspector"))
    for (const char* reading : {"explain", "c", "stages", "differs"})
      if (Layout* beside = find(layout, reading)) {
        beside->tabs.push_back(pane);
        where = beside;
        break;
      }
  if (!where) {
    where = find(layout, neighbour);
    for (where = where ? where : &layout; where->kind != Layout::Kind::stack;) where = &where->parts.back();
    where->tabs.push_back(pane);
  }
  where->active = static_cast<std::size_t>(std::ranges::find(where->tabs, pane) - where->tabs.begin());
}

void hide(Layout& layout, std::string_view pane) {
  if (Layout* where = find(layout, pane)) {
    std::erase(where->tabs, pane);
    where->active = 0;
    tidy(layout);
  }
}

bool same_shape(const Layout& a, const Layout& b) {
  if (a.kind != b.kind || a.parts.size() != b.parts.size()) return false;
  for (std::size_t i = 0; i < a.parts.size(); ++i)
    if (!same_shape(a.parts[i], b.parts[i])) return false;
  return true;
}

void move_splitter(Layout& layout, const Splitter& splitter, Point to) {
  Layout& split = part_at(layout, splitter.path);
  float& first = split.shares[splitter.before];
  float& second = split.shares[splitter.before + 1];
  const float all = std::accumulate(split.shares.begin(), split.shares.end(), 0.F), both = first + second;
  const float wanted = splitter.across ? to.x - splitter.first.x : to.y - splitter.first.y;
  first = std::clamp(wanted / splitter.room * all, both * 0.05F, both * 0.95F);
  second = both - first;
}

void move(Layout& layout, const std::string& pane, const std::string& to, Side side) {
  if (pane == to || !find(layout, to)) return;
  hide(layout, pane);
  Layout* there = find(layout, to);
  if (side == Side::tab) {
    there->tabs.push_back(pane);
    there->active = there->tabs.size() - 1;
    return;
  }
  const bool first = side == Side::left || side == Side::above;
  Layout old = *there, fresh = stack({pane});
  std::vector<std::pair<float, Layout>> parts;
  parts.emplace_back(1.F, first ? fresh : old);
  parts.emplace_back(1.F, first ? old : fresh);
  *there = side == Side::left || side == Side::right ? row(std::move(parts)) : column(std::move(parts));
}

nlohmann::json to_json(const Layout& layout) {
  if (layout.kind == Layout::Kind::stack) return {{"tabs", layout.tabs}, {"active", layout.active}};
  nlohmann::json parts = nlohmann::json::array();
  for (const Layout& part : layout.parts) parts.push_back(to_json(part));
  return {{layout.kind == Layout::Kind::row ? "row" : "column", parts}, {"shares", layout.shares}};
}

std::optional<Layout> layout_from(const nlohmann::json& json) {
  if (!json.is_object()) return std::nullopt;
  if (json.contains("tabs")) {
    Layout layout;
    for (const auto& tab : json["tabs"])
      if (tab.is_string()) layout.tabs.push_back(tab);
    layout.active = json.value("active", std::size_t{0});
    return layout;
  }
  const char* kind = json.contains("row") ? "row" : "column";
  if (!json.contains(kind) || !json[kind].is_array() || json[kind].empty()) return std::nullopt;
  Layout layout{.kind = json.contains("row") ? Layout::Kind::row : Layout::Kind::column};
  for (const auto& part : json[kind]) {
    auto read = layout_from(part);
    if (!read) return std::nullopt;
    layout.parts.push_back(std::move(*read));
  }
  if (!json.contains("shares") || !json["shares"].is_array() || json["shares"].size() != layout.parts.size())
    return std::nullopt;
  for (const auto& share : json["shares"])
    layout.shares.push_back(share.is_number() ? std::max(share.get<float>(), 1.F) : 1.F);
  return layout;
}

const std::vector<Preset>& presets() {
  static const std::vector<Preset> all = {
      {"learn", "Learn",
       row({{424, column({{452, stack({"program"})}, {270, stack({"loops"})}, {194, stack({"console"})}})},
            {690, column({{424, row({{344, stack({"graph"})}, {338, stack({"iterations"})}})},
                          {494, stack({"placement"})}})},
            {462, column({{320, stack({"stages"})}, {596, stack({"c", "lesson"})}})}})},
      {"illegal", "Illegal order",
       column(
           {{770, row({{416, column({{354, stack({"program"})}, {254, stack({"loops"})}, {146, stack({"console"})}})},
                       {772, column({{398, row({{380, stack({"iterations"})}, {386, stack({"graph"})}})},
                                     {362, stack({"values"})}})},
                       {384, column({{460, stack({"explain"})}, {300, stack({"orders"})}})}})},
            {152, stack({"timeline"})}})},
      {"lattice", "Lattice",
       row({{400, column({{408, stack({"program"})}, {314, stack({"step"})}, {190, stack({"console"})}})},
            {700, column({{528, stack({"lattice"})}, {390, stack({"operands", "pattern"})}})},
            {470, column({{520, stack({"c"})}, {392, stack({"formats"})}})}})},
      {"compare", "Compare",
       row({{496, column({{150, stack({"loops"})},
                          {300, stack({"iterations"})},
                          {260, stack({"values"})},
                          {140, stack({"timeline"})}})},
            {496, column({{150, stack({"loops:B"})},
                          {300, stack({"iterations:B"})},
                          {260, stack({"values:B"})},
                          {140, stack({"timeline:B"})}})},
            {584, column({{590, stack({"differs"})}, {190, stack({"console", "program"})}})}})},
      {"tune", "Tune",
       row({{416, column({{400, stack({"program"})}, {300, stack({"loops", "formats"})}, {190, stack({"console"})}})},
            {690, column({{400, stack({"timing", "plan", "ranks"})}, {500, stack({"orders"})}})},
            {470, column({{340, stack({"suggest"})}, {560, stack({"c", "assembly"})}})}})}};
  return all;
}

}  // namespace trellis::gui
