#pragma once
// The report: one page of HTML that holds a model, as JSON, and the style and scripts that show it. It asks the network
// for nothing. Its parts lie in engine/view/report/ and are embedded when Trellis is built.

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace trellis::view {

/// `title` goes into the window's title.
std::string report_page(const nlohmann::ordered_json& model, const std::string& title);

// Embedded: report/page.html, report/*.css, report/*.js.
extern const std::string_view report_frame;
extern const std::string_view report_style;
extern const std::string_view report_script;

}  // namespace trellis::view
