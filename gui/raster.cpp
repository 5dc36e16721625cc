#include "gui/raster.hpp"

#include <imgui.h>
#include <stb/stb_image_write.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace trellis::gui {
namespace {

struct Scissor {
  int left, top, right, bottom;
};

void blend(std::uint32_t& below, const float colour[4], float opacity) {
  const float a = colour[3] * opacity / 255;
  if (a <= 0) return;
  std::uint32_t out = 0xFF000000U;
  for (int c = 0; c < 3; ++c) {
    const float old = static_cast<float>(below >> (8 * c) & 0xFF);
    out |= static_cast<std::uint32_t>(std::lround(old + (colour[c] - old) * a)) << (8 * c);
  }
  below = out;
}

float edge(ImVec2 a, ImVec2 b, float x, float y) { return (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x); }

/// On an edge that two triangles share, one of them paints.
bool owns(ImVec2 a, ImVec2 b) { return b.y < a.y || (b.y == a.y && b.x > a.x); }

void paint(Pixels& out, const Coverage& fonts, const Scissor& scissor, ImDrawVert a, ImDrawVert b, ImDrawVert c) {
  float area = edge(a.pos, b.pos, c.pos.x, c.pos.y);
  if (area == 0) return;
  if (area < 0) std::swap(b, c), area = -area;
  const float left = std::min({a.pos.x, b.pos.x, c.pos.x}), right = std::max({a.pos.x, b.pos.x, c.pos.x});
  const float top = std::min({a.pos.y, b.pos.y, c.pos.y}), bottom = std::max({a.pos.y, b.pos.y, c.pos.y});
  const int x0 = std::max(scissor.left, static_cast<int>(std::floor(left))),
            x1 = std::min(scissor.right, static_cast<int>(std::ceil(right)) + 1);
  const int y0 = std::max(scissor.top, static_cast<int>(std::floor(top))),
            y1 = std::min(scissor.bottom, static_cast<int>(std::ceil(bottom)) + 1);
  const bool flat = a.col == b.col && b.col == c.col;
  for (int y = y0; y < y1; ++y)
    for (int x = x0; x < x1; ++x) {
      const float px = static_cast<float>(x) + 0.5F, py = static_cast<float>(y) + 0.5F;
      const float wa = edge(b.pos, c.pos, px, py), wb = edge(c.pos, a.pos, px, py), wc = edge(a.pos, b.pos, px, py);
      if (wa < 0 || wb < 0 || wc < 0) continue;
      if ((wa == 0 && !owns(b.pos, c.pos)) || (wb == 0 && !owns(c.pos, a.pos)) || (wc == 0 && !owns(a.pos, b.pos)))
        continue;
      const float u = (wa * a.uv.x + wb * b.uv.x + wc * c.uv.x) / area,
                  v = (wa * a.uv.y + wb * b.uv.y + wc * c.uv.y) / area;
      const int tx = std::clamp(static_cast<int>(u * static_cast<float>(fonts.width)), 0, fonts.width - 1);
      const int ty = std::clamp(static_cast<int>(v * static_cast<float>(fonts.height)), 0, fonts.height - 1);
      float colour[4];
      for (int i = 0; i < 4; ++i) {
        const auto channel = [&](ImU32 col) { return static_cast<float>(col >> (8 * i) & 0xFF); };
        colour[i] = flat ? channel(a.col) : (wa * channel(a.col) + wb * channel(b.col) + wc * channel(c.col)) / area;
      }
      blend(
          out.colours[static_cast<std::size_t>(y) * static_cast<std::size_t>(out.width) + static_cast<std::size_t>(x)],
          colour, static_cast<float>(fonts.bytes[ty * fonts.width + tx]) / 255);
    }
}

}  // namespace

bool Pixels::write_png(const std::string& path) const {
  return stbi_write_png(path.c_str(), width, height, 4, colours.data(), width * 4) != 0;
}

Pixels Pixels::part(int x, int y, int w, int h) const {
  Pixels out{std::clamp(w, 0, width - x), std::clamp(h, 0, height - y), {}};
  for (int row = 0; row < out.height; ++row) {
    const auto begin = colours.begin() + (y + row) * static_cast<std::ptrdiff_t>(width) + x;
    out.colours.insert(out.colours.end(), begin, begin + out.width);
  }
  return out;
}

Pixels Pixels::sheet(const std::vector<Pixels>& pictures, int columns) {
  if (pictures.empty()) return {};
  const int w = pictures[0].width, h = pictures[0].height, count = static_cast<int>(pictures.size());
  columns = std::min(columns, count);
  const int rows = (count + columns - 1) / columns;
  Pixels out{columns * w, rows * h, {}};
  out.colours.resize(static_cast<std::size_t>(out.width) * static_cast<std::size_t>(out.height));
  for (int k = 0; k < count; ++k)
    for (int row = 0; row < h; ++row) {
      const auto from = pictures[static_cast<std::size_t>(k)].colours.begin() + row * static_cast<std::ptrdiff_t>(w);
      const std::ptrdiff_t at = (k / columns * h + row) * static_cast<std::ptrdiff_t>(out.width) + k % columns * w;
      std::copy(from, from + w, out.colours.begin() + at);
    }
  return out;
}

double difference(const Pixels& a, const Pixels& b) {
  if (a.width != b.width || a.height != b.height || a.colours.empty()) return 1;
  constexpr int visible = 48;
  std::size_t off = 0;
  for (std::size_t i = 0; i < a.colours.size(); ++i)
    for (int shift = 0; shift < 24; shift += 8)
      if (std::abs(static_cast<int>(a.colours[i] >> shift & 0xFF) - static_cast<int>(b.colours[i] >> shift & 0xFF)) >
          visible) {
        ++off;
        break;
      }
  return static_cast<double>(off) / static_cast<double>(a.colours.size());
}

Pixels rasterise(const ImDrawData& data, const Coverage& fonts, float scale) {
  Pixels out;
  out.width = static_cast<int>(std::lround(data.DisplaySize.x * scale));
  out.height = static_cast<int>(std::lround(data.DisplaySize.y * scale));
  out.colours.assign(static_cast<std::size_t>(out.width) * static_cast<std::size_t>(out.height), 0xFF000000U);
  const auto scaled = [&](ImDrawVert v) {
    v.pos.x *= scale, v.pos.y *= scale;
    return v;
  };
  for (int l = 0; l < data.CmdListsCount; ++l) {
    const ImDrawList& list = *data.CmdLists[l];
    for (const ImDrawCmd& command : list.CmdBuffer) {
      if (command.UserCallback) continue;
      const Scissor scissor{std::max(0, static_cast<int>(command.ClipRect.x * scale)),
                            std::max(0, static_cast<int>(command.ClipRect.y * scale)),
                            std::min(out.width, static_cast<int>(command.ClipRect.z * scale)),
                            std::min(out.height, static_cast<int>(command.ClipRect.w * scale))};
      for (unsigned i = 0; i + 2 < command.ElemCount; i += 3) {
        const ImDrawIdx* index = &list.IdxBuffer[static_cast<int>(command.IdxOffset + i)];
        const auto vertex = [&](int k) {
          return scaled(list.VtxBuffer[static_cast<int>(command.VtxOffset) + index[k]]);
        };
        paint(out, fonts, scissor, vertex(0), vertex(1), vertex(2));
      }
    }
  }
  return out;
}

}  // namespace trellis::gui
