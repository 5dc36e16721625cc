#include "gui/fonts.hpp"

#include <ft2build.h>
#include <imgui.h>
#include <imgui_freetype.h>
#include FT_FREETYPE_H

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

struct Style {
  const char* file;
  float em;  ///< at scale 1
  bool mono = false;
  float advance = 0;  ///< of a monospaced one, at scale 1
};
constexpr Style styles[] = {{inter, 11},
                            {inter_medium, 11},
                            {inter, 12},
                            {inter_strong, 13},
                            {inter_strong, 15},
                            {inter_strong, 20},
                            {jetbrains, 8.333F, true, 5},
                            {jetbrains, 10, true, 6},
                            {jetbrains, 10.833F, true, 6.5F},
                            {jetbrains, 11.667F, true, 7},
                            {jetbrains, 13.333F, true, 8},
                            {jetbrains, 15, true, 9}};
static_assert(std::size(styles) == static_cast<std::size_t>(Font::count));

const ImWchar common[] = {0x20,   0x7E,   0xA0,   0xFF,   0x100,  0x17F,  0x391,  0x3C9,  0x2010,
                          0x2027, 0x2030, 0x203A, 0x2070, 0x2094, 0x2190, 0x21FF, 0x2200, 0x22FF,
                          0x2300, 0x23FF, 0x2500, 0x257F, 0x2580, 0x259F, 0x25A0, 0x25FF, 0x2600,
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

// The builder rounds advances up, which spreads letters. A monospaced font has whole ones of its own; the others get
// back what their designer gave them.
void set_advance(ImFont& font, ImFontGlyph& glyph, float advance) {
  glyph.AdvanceX = advance;
  if (static_cast<int>(glyph.Codepoint) < font.IndexAdvanceX.Size)
    font.IndexAdvanceX[static_cast<int>(glyph.Codepoint)] = advance;
}

void set_mono_advances(ImFont& font, float advance) {
  for (ImFontGlyph& glyph : font.Glyphs)
    if (glyph.AdvanceX > 0) set_advance(font, glyph, advance);
  font.FallbackAdvanceX = advance;
}

class Face {
 public:
  Face(FT_Library library, const std::string& path, float pixels_per_em) {
    if (FT_New_Face(library, path.c_str(), 0, &face_) != 0) face_ = nullptr;
    else FT_Set_Char_Size(face_, 0, static_cast<FT_F26Dot6>(pixels_per_em * 64), 72, 72);
  }
  ~Face() {
    if (face_) FT_Done_Face(face_);
  }
  Face(const Face&) = delete;
  Face& operator=(const Face&) = delete;

  void set_advances(ImFont& font) const {
    if (!face_) return;
    for (ImFontGlyph& glyph : font.Glyphs) {
      const FT_UInt index = FT_Get_Char_Index(face_, glyph.Codepoint);
      if (index != 0 && FT_Load_Glyph(face_, index, FT_LOAD_NO_HINTING | FT_LOAD_NO_BITMAP) == 0)
        set_advance(font, glyph, static_cast<float>(face_->glyph->linearHoriAdvance) / 65536);
    }
  }

 private:
  FT_Face face_ = nullptr;
};

}  // namespace

float advance_of(Font font) { return styles[static_cast<std::size_t>(font)].advance; }

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
  for (std::size_t i = 0; i < std::size(styles); ++i) {
    const Style& style = styles[i];
    const std::string first = path_of(style.file), second = path_of(style.mono ? dejavu_mono : dejavu);
    if (first.empty() && second.empty()) {
      problem = "no font is installed: install fonts-inter and fonts-jetbrains-mono, or fonts-dejavu-core";
      return std::nullopt;
    }
    ImFont* font = nullptr;
    if (!first.empty()) font = add(atlas, first, style.em * (style.mono ? jetbrains_line : inter_line) * scale, false);
    if (!second.empty()) {
      ImFont* merged = add(atlas, second, style.em * dejavu_line * scale, font != nullptr);
      if (!font) font = merged;
    }
    fonts.baked[i] = font;
  }
  if (!atlas.Build()) {
    problem = "the fonts cannot be read";
    return std::nullopt;
  }
  FT_Library library = nullptr;
  FT_Init_FreeType(&library);
  for (std::size_t i = 0; i < std::size(styles); ++i) {
    const Style& style = styles[i];
    if (style.mono) set_mono_advances(*fonts.baked[i], style.advance * scale);
    else if (const std::string path = path_of(style.file); !path.empty())
      Face(library, path, style.em * scale).set_advances(*fonts.baked[i]);
  }
  FT_Done_FreeType(library);
  return fonts;
}

}  // namespace trellis::gui
