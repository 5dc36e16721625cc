#include "engine/view/report.hpp"

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "engine/view/json.hpp"
#include "engine/view/packed.hpp"
#include "engine/view/svg.hpp"
#include "engine/view/tokens.hpp"

namespace trellis::view {
namespace {

/// Inside a script element no text may look like its end.
std::string embeddable(const nlohmann::ordered_json& model) {
  const std::string text = written(packed(model));
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (c == '<') out += "\\u003c";
    else out += c;
  }
  return out;
}

/// A colour that lets so much of what is behind it through.
std::string faded(const std::string& hex, double opacity) {
  char out[16];
  std::snprintf(out, sizeof out, "%s%02X", hex.c_str(), static_cast<unsigned>(std::lround(opacity * 255)));
  return out;
}

/// The declarations of one theme: a variable for each token, and fills behind text.
std::string declarations(const nlohmann::json& tokens, const char* theme) {
  const nlohmann::json& of_theme = tokens["themes"][theme];
  std::string css = std::string("color-scheme: ") + theme + ";";
  for (const auto& [name, hex] : of_theme.items()) css += " --t-" + name + ": " + hex.get<std::string>() + ";";
  const double kin = tokens["fills"]["kin"][theme], verdict = tokens["fills"]["verdict"][theme];
  const auto fill = [&](const char* name, const char* of, double opacity) {
    css += std::string(" --t-") + name + ": " + faded(of_theme[of].get<std::string>(), opacity) + ";";
  };
  fill("kin-fill", "kin", kin), fill("kin-near", "kin", kin / 2);
  fill("good-fill", "good", verdict), fill("bad-fill", "bad", verdict), fill("warn-fill", "warn", verdict);
  fill("accent-fill", "accent", tokens["fills"]["current"]);
  return css;
}

std::string themes_css() {
  const nlohmann::json tokens = nlohmann::json::parse(tokens_json);
  const std::string by_day = declarations(tokens, "light"), by_night = declarations(tokens, "dark");
  return ":root { " + by_day + " }\n@media (prefers-color-scheme: dark) { :root:not([data-theme=\"light\"]) { " +
         by_night + " } }\n:root[data-theme=\"dark\"] { " + by_night + " }";
}

void put(std::string& page, std::string_view mark, std::string_view content) {
  if (const std::size_t at = page.find(mark); at != std::string::npos) page.replace(at, mark.size(), content);
}

}  // namespace

std::string report_page(const nlohmann::ordered_json& model, const std::string& title) {
  std::string page(report_frame);
  // The model last: what it says must not be taken for a mark.
  put(page, "/*STYLE*/", report_style);
  put(page, "/*TOKENS*/", themes_css());
  put(page, "/*SCRIPT*/", report_script);
  put(page, "<!--TITLE-->", escaped_markup(title));
  put(page, "/*MODEL*/", embeddable(model));
  return page;
}

}  // namespace trellis::view
