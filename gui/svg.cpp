#include "gui/svg.hpp"

#include <cstdio>

#include "engine/view/svg.hpp"

namespace trellis::gui {
namespace {

std::string number(float value) {
  char out[32];
  std::snprintf(out, sizeof out, "%.2f", static_cast<double>(value));
  return out;
}

std::string attribute(const char* name, float value) { return std::string(" ") + name + "=\"" + number(value) + "\""; }

/// `fill="#rrggbb" fill-opacity="…"`; nothing for what cannot be seen.
std::string paint(const char* what, Colour colour) {
  if (colour >> 24 == 0) return std::string(" ") + what + "=\"none\"";
  char out[64];
  std::snprintf(out, sizeof out, " %s=\"#%02x%02x%02x\"", what, colour & 0xFF, colour >> 8 & 0xFF, colour >> 16 & 0xFF);
  std::string text = out;
  if (colour >> 24 < 255)
    text += std::string(" ") + what + "-opacity=\"" + number(static_cast<float>(colour >> 24) / 255) + "\"";
  return text;
}

std::string style(Colour fill, Colour stroke, float thickness, bool dashed) {
  std::string text = paint("fill", fill) + paint("stroke", stroke);
  if (stroke >> 24 != 0) text += attribute("stroke-width", thickness);
  return dashed ? text + " stroke-dasharray=\"5 4\"" : text;
}

}  // namespace

void Svg::rect(Rect area, Colour fill, Colour stroke, float thickness, float radius, bool dashed) {
  body_ += "<rect" + attribute("x", area.x) + attribute("y", area.y) + attribute("width", area.w) +
           attribute("height", area.h);
  if (radius > 0) body_ += attribute("rx", radius);
  body_ += style(fill, stroke, thickness, dashed) + "/>\n";
}

void Svg::path(std::span<const Point> points, Colour fill, Colour stroke, float thickness, bool closed, bool dashed) {
  if (points.empty()) return;
  std::string d = "M";
  for (const Point& p : points) d += number(p.x) + " " + number(p.y) + " ";
  if (closed) d += "Z";
  body_ += "<path d=\"" + d + "\"" + style(fill, stroke, thickness, dashed) + "/>\n";
}

void Svg::circle(Point centre, float radius, Colour fill, Colour stroke, float thickness, bool dashed) {
  body_ += "<circle" + attribute("cx", centre.x) + attribute("cy", centre.y) + attribute("r", radius) +
           style(fill, stroke, thickness, dashed) + "/>\n";
}

void Svg::text(Point at, std::string_view characters, float size, bool mono, bool strong, Colour colour) {
  body_ += "<text" + attribute("x", at.x) + attribute("y", at.y) + attribute("font-size", size) +
           (mono ? " font-family=\"JetBrains Mono, DejaVu Sans Mono, monospace\""
                 : " font-family=\"Inter, DejaVu Sans, sans-serif\"") +
           (strong ? " font-weight=\"600\"" : "") + paint("fill", colour) + " xml:space=\"preserve\">" +
           view::escaped_markup(std::string(characters)) + "</text>\n";
}

void Svg::clip(Rect area) {
  const std::string id = "c" + std::to_string(++clips_);
  body_ += "<clipPath id=\"" + id + "\"><rect" + attribute("x", area.x) + attribute("y", area.y) +
           attribute("width", area.w) + attribute("height", area.h) + "/></clipPath><g clip-path=\"url(#" + id +
           ")\">\n";
}

void Svg::unclip() { body_ += "</g>\n"; }

std::string Svg::finished() const {
  return "<svg xmlns=\"http://www.w3.org/2000/svg\"" + attribute("width", area_.w) + attribute("height", area_.h) +
         " viewBox=\"" + number(area_.x) + " " + number(area_.y) + " " + number(area_.w) + " " + number(area_.h) +
         "\">\n" + body_ + "</svg>\n";
}

}  // namespace trellis::gui
