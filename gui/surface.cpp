#include "gui/surface.hpp"

#include <imgui.h>

#include <stdexcept>

#include "gui/svg.hpp"

namespace trellis::gui {

struct Surface::Context {
  ImGuiContext* imgui;
  Context() : imgui(ImGui::CreateContext()) {}
  ~Context() { ImGui::DestroyContext(imgui); }
};

Surface::Surface(float scale) : context_(std::make_unique<Context>()) {
  ImGui::SetCurrentContext(context_->imgui);
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.LogFilename = nullptr;
  io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
  std::string problem;
  auto fonts = bake(*io.Fonts, scale, problem);
  if (!fonts) throw std::runtime_error(problem);
  fonts_ = *fonts;
  io.FontDefault = fonts_[Font::text];
  ImGuiStyle& style = ImGui::GetStyle();
  style.CircleTessellationMaxError = 0.2F;
  style.AntiAliasedLinesUseTex = false;
}

Surface::~Surface() = default;

const ImDrawData& Surface::draw(App& app, const Input& input, float width, float height) {
  return draw(app, input, width, height, nullptr);
}

const ImDrawData& Surface::draw(App& app, const Input& input, float width, float height, Svg* svg) {
  ImGui::SetCurrentContext(context_->imgui);
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {width, height};
  io.DisplayFramebufferScale = {fonts_.scale, fonts_.scale};
  io.DeltaTime = 1.F / 60;
  ImGui::NewFrame();
  {
    Paint paint(*ImGui::GetBackgroundDrawList(), fonts_, svg);
    app.frame(input, paint, {0, 0, width, height});
  }
  ImGui::Render();
  return *ImGui::GetDrawData();
}

Pixels Surface::picture() const {
  ImGui::SetCurrentContext(context_->imgui);
  unsigned char* bytes = nullptr;
  int width = 0, height = 0;
  ImGui::GetIO().Fonts->GetTexDataAsAlpha8(&bytes, &width, &height);
  return rasterise(*ImGui::GetDrawData(), {bytes, width, height}, fonts_.scale);
}

std::string Surface::svg(App& app, float width, float height, Rect area) {
  Svg svg(area);
  Input nothing;
  nothing.now = app.ui.input().now;
  draw(app, nothing, width, height, &svg);
  return svg.finished();
}

}  // namespace trellis::gui
