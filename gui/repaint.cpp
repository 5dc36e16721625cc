#define GL_GLEXT_PROTOTYPES
#include "gui/repaint.hpp"

#include <GL/gl.h>
#include <GL/glext.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include <algorithm>
#include <vector>

namespace trellis::gui {

Repaint::~Repaint() {
  if (picture_) glDeleteTextures(1, &picture_);
  if (buffer_) glDeleteFramebuffers(1, &buffer_);
}

void Repaint::resize(int width, int height) {
  if (width == width_ && height == height_) return;
  width_ = width, height_ = height;
  changes_.forget();
  if (!buffer_) glGenFramebuffers(1, &buffer_), glGenTextures(1, &picture_);
  glBindTexture(GL_TEXTURE_2D, picture_);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glBindFramebuffer(GL_FRAMEBUFFER, buffer_);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, picture_, 0);
}

void Repaint::draw(const ImDrawData& data, int width, int height) {
  resize(width, height);
  const std::vector<Rect> rects = changes_.since_last(data, width, height);
  glBindFramebuffer(GL_FRAMEBUFFER, buffer_);
  const ImVec2 offset = data.DisplayPos, scale = data.FramebufferScale;
  // Each command once for each rectangle, within it.
  std::vector<ImVector<ImDrawCmd>> whole(static_cast<std::size_t>(data.CmdListsCount));
  for (int l = 0; l < data.CmdListsCount; ++l) {
    ImDrawList& list = *data.CmdLists[l];
    ImVector<ImDrawCmd> parts;
    for (const ImDrawCmd& command : list.CmdBuffer)
      for (const Rect& rect : rects) {
        ImDrawCmd part = command;
        part.ClipRect.x = std::max(command.ClipRect.x, rect.x / scale.x + offset.x);
        part.ClipRect.y = std::max(command.ClipRect.y, rect.y / scale.y + offset.y);
        part.ClipRect.z = std::min(command.ClipRect.z, rect.right() / scale.x + offset.x);
        part.ClipRect.w = std::min(command.ClipRect.w, rect.bottom() / scale.y + offset.y);
        if (part.ClipRect.x < part.ClipRect.z && part.ClipRect.y < part.ClipRect.w) parts.push_back(part);
      }
    whole[static_cast<std::size_t>(l)].swap(list.CmdBuffer);
    list.CmdBuffer.swap(parts);
  }
  if (!rects.empty()) ImGui_ImplOpenGL3_RenderDrawData(const_cast<ImDrawData*>(&data));
  for (int l = 0; l < data.CmdListsCount; ++l) data.CmdLists[l]->CmdBuffer.swap(whole[static_cast<std::size_t>(l)]);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, buffer_);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
  glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

}  // namespace trellis::gui
