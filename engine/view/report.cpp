#include "engine/view/report.hpp"

#include <nlohmann/json.hpp>

#include "engine/view/json.hpp"
#include "engine/view/svg.hpp"

namespace trellis::view {
namespace {

/// Inside a script element no text may look like its end.
std::string embeddable(const nlohmann::ordered_json& model) {
  const std::string text = written(model);
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (c == '<') out += "\\u003c";
    else out += c;
  }
  return out;
}

void put(std::string& page, std::string_view mark, std::string_view content) {
  if (const std::size_t at = page.find(mark); at != std::string::npos) page.replace(at, mark.size(), content);
}

}  // namespace

std::string report_page(const nlohmann::ordered_json& model, const std::string& title) {
  std::string page(report_frame);
  // The model last: what it says must not be taken for a mark.
  put(page, "/*STYLE*/", report_style);
  put(page, "/*SCRIPT*/", report_script);
  put(page, "<!--TITLE-->", escaped_markup(title));
  put(page, "/*MODEL*/", embeddable(model));
  return page;
}

}  // namespace trellis::view
