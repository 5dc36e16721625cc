#include "gui/theme.hpp"

#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "engine/view/tokens.hpp"

namespace trellis::gui {
namespace {

constexpr const char* token_names[] = {"window", "pane",   "raised", "hover",  "line",      "line2",   "edge",
                                       "ink",    "soft",   "faint",  "accent", "on_accent", "kin",     "good",
                                       "bad",    "warn",   "cell",   "word",   "number",    "comment", "index1",
                                       "index2", "index3", "index4", "index5", "index6"};
static_assert(std::size(token_names) == static_cast<std::size_t>(Token::count));

/// "#RRGGBB".
Colour parsed(const std::string& hex) {
  const unsigned long rgb = std::strtoul(hex.c_str() + 1, nullptr, 16);
  return static_cast<Colour>(0xFF000000U | (rgb & 0xFF) << 16 | (rgb & 0xFF00) | (rgb >> 16 & 0xFF));
}

Theme made(const std::string& name, const nlohmann::json& tokens) {
  Theme theme{.name = name};
  const auto& colours = tokens["themes"][name];
  for (std::size_t i = 0; i < theme.colours.size(); ++i) theme.colours[i] = parsed(colours[token_names[i]]);
  theme.light = name.starts_with("light");
  const char* kind = theme.light ? "light" : "dark";
  theme.kin_fill = tokens["fills"]["kin"][kind];
  theme.verdict_fill = tokens["fills"]["verdict"][kind];
  if (name == "contrast") theme.border = 1.5F;
  return theme;
}

}  // namespace

const char* name_of(Token token) { return token_names[static_cast<std::size_t>(token)]; }

Colour faded(Colour colour, float opacity) {
  const float whole = static_cast<float>(colour >> 24) * opacity;
  return (colour & 0xFFFFFFU) | static_cast<Colour>(std::lround(whole)) << 24;
}

Colour mixed(Colour a, Colour b, float how_far) {
  Colour out = 0;
  for (int shift = 0; shift < 32; shift += 8) {
    const float from = static_cast<float>(a >> shift & 0xFF), to = static_cast<float>(b >> shift & 0xFF);
    out |= static_cast<Colour>(std::lround(from + (to - from) * how_far)) << shift;
  }
  return out;
}

const std::vector<Theme>& themes() {
  static const std::vector<Theme> all = [] {
    const nlohmann::json tokens = nlohmann::json::parse(view::tokens_json);
    std::vector<Theme> made_ones;
    for (const char* name : {"dark", "light", "contrast", "dark-safe", "light-safe"})
      made_ones.push_back(made(name, tokens));
    return made_ones;
  }();
  return all;
}

const Theme& theme(std::string_view name) {
  for (const Theme& one : themes())
    if (one.name == name) return one;
  return themes().front();
}

}  // namespace trellis::gui
