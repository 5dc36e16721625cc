#include "gui/changes.hpp"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace trellis::gui {
namespace {

constexpr int tile = 32;                // pixels
constexpr std::size_t most_rects = 12;  // each costs the triangles in it once more

std::uint64_t mixed(std::uint64_t hash, std::uint64_t more) {
  hash = (hash ^ more) * 0x9E3779B97F4A7C15U;
  return hash ^ (hash >> 29);
}

std::uint64_t hash_of(const ImDrawVert& v) {
  std::uint64_t parts[3] = {};
  static_assert(sizeof(ImDrawVert) <= sizeof parts);
  std::memcpy(parts, &v, sizeof v);
  return mixed(mixed(parts[0], parts[1]), parts[2]);
}

/// The tiles that a box within a clip rectangle touches.
struct Tiles {
  int left, top, right, bottom;  ///< the latter two behind the last
};

float area(const Rect& r) { return r.w * r.h; }

Rect around(const Rect& a, const Rect& b) {
  const float x = std::min(a.x, b.x), y = std::min(a.y, b.y);
  return {x, y, std::max(a.right(), b.right()) - x, std::max(a.bottom(), b.bottom()) - y};
}

/// Those two become one that cost the fewest pixels more, until there are few.
void join(std::vector<Rect>& rects) {
  while (rects.size() > most_rects) {
    std::size_t first = 0, second = 1;
    float least = INFINITY;
    for (std::size_t i = 0; i < rects.size(); ++i)
      for (std::size_t k = i + 1; k < rects.size(); ++k)
        if (const float more = area(around(rects[i], rects[k])) - area(rects[i]) - area(rects[k]); more < least)
          least = more, first = i, second = k;
    rects[first] = around(rects[first], rects[second]);
    rects.erase(rects.begin() + static_cast<std::ptrdiff_t>(second));
  }
}

/// Runs of changed tiles, those of one width below each other together.
std::vector<Rect> rects_of(const std::vector<bool>& changed, int across, int down) {
  std::vector<Rect> rects;
  for (int y = 0; y < down; ++y)
    for (int x = 0; x < across; ++x) {
      if (!changed[static_cast<std::size_t>(y * across + x)]) continue;
      int end = x;
      while (end < across && changed[static_cast<std::size_t>(y * across + end)]) ++end;
      const Rect run{static_cast<float>(x * tile), static_cast<float>(y * tile), static_cast<float>((end - x) * tile),
                     tile};
      const auto above = std::ranges::find_if(
          rects, [&](const Rect& r) { return r.x == run.x && r.w == run.w && r.bottom() == run.y; });
      if (above != rects.end()) above->h += tile;
      else rects.push_back(run);
      x = end;
    }
  join(rects);
  return rects;
}

}  // namespace

std::vector<Rect> Changes::since_last(const ImDrawData& data, int width, int height) {
  const int across = (width + tile - 1) / tile, down = (height + tile - 1) / tile;
  std::vector<std::uint64_t> tiles(static_cast<std::size_t>(across * down));
  const ImVec2 offset = data.DisplayPos, scale = data.FramebufferScale;
  for (int l = 0; l < data.CmdListsCount; ++l) {
    const ImDrawList& list = *data.CmdLists[l];
    for (const ImDrawCmd& command : list.CmdBuffer) {
      const float low_x = std::max(0.F, (command.ClipRect.x - offset.x) * scale.x);
      const float low_y = std::max(0.F, (command.ClipRect.y - offset.y) * scale.y);
      const float high_x = std::min(static_cast<float>(width), (command.ClipRect.z - offset.x) * scale.x);
      const float high_y = std::min(static_cast<float>(height), (command.ClipRect.w - offset.y) * scale.y);
      const auto texture = reinterpret_cast<std::uintptr_t>(command.GetTexID());
      const std::uint64_t from = mixed(mixed(texture, static_cast<std::uint64_t>(low_x * 4096 + high_x)),
                                       static_cast<std::uint64_t>(low_y * 4096 + high_y));
      for (unsigned i = 0; i + 2 < command.ElemCount; i += 3) {
        std::uint64_t hash = from;
        float left = INFINITY, top = INFINITY, right = -INFINITY, bottom = -INFINITY;
        for (unsigned k = 0; k < 3; ++k) {
          const auto at =
              static_cast<int>(list.IdxBuffer[static_cast<int>(command.IdxOffset + i + k)] + command.VtxOffset);
          const ImDrawVert& v = list.VtxBuffer[at];
          hash = mixed(hash, hash_of(v));
          const float x = (v.pos.x - offset.x) * scale.x, y = (v.pos.y - offset.y) * scale.y;
          left = std::min(left, x), right = std::max(right, x), top = std::min(top, y), bottom = std::max(bottom, y);
        }
        left = std::max(left - 1, low_x), top = std::max(top - 1, low_y);
        right = std::min(right + 1, high_x), bottom = std::min(bottom + 1, high_y);
        if (left >= right || top >= bottom) continue;
        const Tiles in{static_cast<int>(left) / tile, static_cast<int>(top) / tile,
                       std::min(across, static_cast<int>(right) / tile + 1),
                       std::min(down, static_cast<int>(bottom) / tile + 1)};
        for (int y = in.top; y < in.bottom; ++y)
          for (int x = in.left; x < in.right; ++x) {
            std::uint64_t& one = tiles[static_cast<std::size_t>(y * across + x)];
            one = mixed(one, hash);
          }
      }
    }
  }
  const bool all = tiles_.size() != tiles.size() || across_ != across || down_ != down;
  std::vector<bool> changed(tiles.size(), all);
  if (!all)
    for (std::size_t i = 0; i < tiles.size(); ++i) changed[i] = tiles[i] != tiles_[i];
  tiles_ = std::move(tiles), across_ = across, down_ = down;
  return all ? std::vector<Rect>{{0, 0, static_cast<float>(width), static_cast<float>(height)}}
             : rects_of(changed, across, down);
}

}  // namespace trellis::gui
