#pragma once
// What frames are drawn on: ImGui's context with the baked fonts at one scale. A window shows what comes out with
// OpenGL; without a window it becomes pixels, or nothing, which is how tests run.

#include <memory>
#include <string>

#include "gui/app.hpp"
#include "gui/raster.hpp"

struct ImDrawData;

namespace trellis::gui {

class Surface {
 public:
  /// `scale` pixels a unit. Throws std::runtime_error when no font can be read.
  explicit Surface(float scale);
  ~Surface();
  Surface(const Surface&) = delete;
  Surface& operator=(const Surface&) = delete;

  float scale() const { return fonts_.scale; }
  /// A frame of the app, `width` by `height` units. The result is valid until the next one.
  const ImDrawData& draw(App& app, const Input& input, float width, float height);
  /// The last frame as pixels.
  Pixels picture() const;
  /// A frame's part as SVG: the app is drawn once more.
  std::string svg(App& app, float width, float height, Rect area);

 private:
  const ImDrawData& draw(App& app, const Input& input, float width, float height, Svg* svg);
  struct Context;
  std::unique_ptr<Context> context_;
  Fonts fonts_;
};

}  // namespace trellis::gui
