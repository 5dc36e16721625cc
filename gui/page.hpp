#pragma once
// Something to read, from top to bottom: headings, sentences with tags in them, captions, rows to click. It scrolls
// where it does not fit.
//
//   Page page(ui, "explain", area);
//   page.heading(Verdict::illegal, "order i j k reads V before it is computed");
//   page.caption("SMALLEST INSTANCE");
//   page.sentence({{"at"}, {.text = "i=0", .kind = Piece::Kind::tag, .colour = hue}, {"it reads"}});

#include <optional>
#include <string>
#include <vector>

#include "gui/scene.hpp"

namespace trellis::gui {

/// Of a sentence. Words are broken where the line ends, tags and code are not.
struct Piece {
  enum class Kind { words, code, tag, missing };  ///< missing: a tag with a dashed edge, of what is not there yet
  std::string text;
  Kind kind = Kind::words;
  std::optional<Colour> colour = {};  ///< else the usual one
};

class Page {
 public:
  Page(Ui& ui, const std::string& name, Rect area);
  ~Page();
  Page(const Page&) = delete;
  Page& operator=(const Page&) = delete;

  Ui& ui() { return ui_; }
  Rect take(float height);  ///< the next so many units, as wide as the page
  void space(float height) { y_ += height; }
  float width() const { return column_.w; }
  /// Scrolls, from the next frame on, so that this can be seen whole; once, then the user moves it.
  void bring_into_view(Rect part);

  void heading(std::optional<Verdict> verdict, const std::string& text);
  void caption(const std::string& text);
  void paragraph(const std::string& text, Token token = Token::soft, Font font = Font::text);
  void sentence(const std::vector<Piece>& pieces, float line = 26);
  /// A paragraph in which `code` stands between backticks.
  void prose(const std::string& text);
  /// Lines of loops or of C as they are, longer ones cut off at the right.
  void listing(const std::string& id, const std::string& text, const Scene& scene);
  /// One line to click: an icon, a command in its colours or words, a remark, something short at the right.
  struct Row {
    std::string id, role = "choice", state = {};
    std::optional<Verdict> icon = {};
    std::string code, words = {}, right = {};
    bool first = false;  ///< the one to take: raised
  };
  Response row(const Row& row);
  bool button(const std::string& id, const std::string& label);

 private:
  Ui& ui_;
  std::string name_;
  Rect area_, column_;
  float y_ = 0;
  struct Kept {
    float down = 0, height = 0;
  };
  Kept& kept_;
};

}  // namespace trellis::gui
