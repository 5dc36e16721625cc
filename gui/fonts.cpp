#include "gui/fonts.hpp"

#include <imgui.h>
#include <imgui_freetype.h>

#include <cmath>
#include <filesystem>
#include <vector>

namespace trellis::gui {
namespace {

constexpr const char* folder = "/usr/share/fonts/";
constexpr const char* inter = "opentype/inter/Inter-Regular.otf";
constexpr const char* inter_medium = "opentype/inter/Inter-Medium.otf";
constexpr const char* inter_strong = "opentype/inter/Inter-SemiBold.otf";
constexpr const char* jetbrains = "truetype/jetbrains-mono/JetBrainsMono-Regular.ttf";
constexpr const char* dejavu = "truetype/dejavu/DejaVuSans.ttf";
constexpr const char* dejavu_mono = "truetype/dejavu/DejaVuSansMono.ttf";

// ImGui's size is the height of a line.
constexpr float inter_line = 1.21F, jetbrains_line = 1.32F, dejavu_line = 1.164F;

struct Face {
  const char* file;
  float em;           ///< at scale 1
  bool mono = false;
  float advance = 0;  ///< of a monospaced one, at scale 1
};
constexpr Face faces[] = {{inter, 11}, {inter_medium, 11}, {inter, 12}, {inter_strong, 13}, {inter_strong, 15}, {inter_strong, 20},
                          {jetbrains, 8.333F, true, 5}, {jetbrains, 10, true, 6}, {jetbrains, 10.833F, true, 6.5F},
                          {jetbrains, 11.667F, true, 7}, {jetbrains, 13.333F, true, 8}, {jetbrains, 15, true, 9}};
static_assert(std::size(faces) == static_cast<std::size_t>(Font::count));

const ImWchar common[] = {0x20, 0x7E, 0xA0, 0xFF, 0x100, 0x17F, 0x391, 0x3C9, 0x2010, 0x2027, 0x2030, 0x203A, 0x2070, 0x2094,
                          0x2190, 0x21FF, 0x2200, 0x22FF, 0x2300, 0x23FF, 0x2500, 0x257F, 0x2580, 0x259F, 0x25A0, 0x25FF, 0x2600,
                          0x26FF, 0x2700, 0x27BF, 0x27E8, 0x27E9, 0x2A00, 0x2AFF, 0};

std::string path_of(const char* file) {
  std::string path = std::string(folder) + file;
  return std::filesystem::exists(path) ? path : "";
}

/// The glyphs of one file at one size, merged into the font that was begun last or beginning one.
ImFont* add(ImFontAtlas& atlas, const std::string& path, float line, bool merge) {
  ImFontConfig config;
  config.MergeMode = merge;
  config.OversampleH = config.OversampleV = 1;
  config.PixelSnapH = false;
  config.FontBuilderFlags = ImGuiFreeTypeBuilderFlags_LightHinting;
  return atlas.AddFontFromFileTTF(path.c_str(), line, &config, common);
}

// The builder rounds advances up, which spreads letters: a monospaced font has its own back, and text of the others is set
// by the font's design as well as a whole pixel allows.
void set_advances(ImFont& font, float advance) {
  for (ImFontGlyph& glyph : font.Glyphs)
    if (glyph.AdvanceX > 0) glyph.AdvanceX = advance;
  font.FallbackAdvanceX = advance;
  for (float& one : font.IndexAdvanceX)
    if (one > 0) one = advance;
}

}  // namespace

float advance_of(Font font) { return faces[static_cast<std::size_t>(font)].advance; }

Font mono_for(float advance) {
  Font best = Font::tiny_mono;
  for (int i = static_cast<int>(Font::tiny_mono); i < static_cast<int>(Font::count); ++i)
    if (advance_of(static_cast<Font>(i)) <= advance + 0.01F) best = static_cast<Font>(i);
  return best;
}

std::optional<Fonts> bake(ImFontAtlas& atlas, float scale, std::string& problem) {
  atlas.Clear();
  atlas.FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
  atlas.Flags |= ImFontAtlasFlags_NoPowerOfTwoHeight | ImFontAtlasFlags_NoMouseCursors;
  atlas.TexDesiredWidth = 2048;
  Fonts fonts{.scale = scale};
  for (std::size_t i = 0; i < std::size(faces); ++i) {
    const Face& face = faces[i];
    const std::string first = path_of(face.file), second = path_of(face.mono ? dejavu_mono : dejavu);
    if (first.empty() && second.empty()) {
      problem = "no font is installed: install fonts-inter and fonts-jetbrains-mono, or fonts-dejavu-core";
      return std::nullopt;
    }
    ImFont* font = nullptr;
    if (!first.empty()) font = add(atlas, first, face.em * (face.mono ? jetbrains_line : inter_line) * scale, false);
    if (!second.empty()) {
      ImFont* merged = add(atlas, second, face.em * dejavu_line * scale, font != nullptr);
      if (!font) font = merged;
    }
    fonts.baked[i] = font;
  }
  if (!atlas.Build()) {
    problem = "the fonts cannot be read";
    return std::nullopt;
  }
  for (std::size_t i = 0; i < std::size(faces); ++i)
    if (faces[i].mono) set_advances(*fonts.baked[i], faces[i].advance * scale);
  return fonts;
}

}  // namespace trellis::gui
