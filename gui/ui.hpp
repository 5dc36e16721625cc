#pragma once
// What views do with a frame: place items, ask what the pointer and the keys do to them, remember what the user left
// there, and ask for commands. Every item is logged with its role, label, state and rectangle; the log is what the
// pointer is tested against in the next frame, what scripts and tests act on, and the outline of the window for those
// who cannot see it.

#include <any>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/text/kin.hpp"
#include "gui/paint.hpp"

namespace trellis::gui {

/// What happened since the last frame. Keys are chords such as "Ctrl+P", "Shift+Left", "Enter", "F1", "[", "I".
struct Input {
  Point mouse{-1, -1};
  bool down = false, pressed = false, released = false, double_clicked = false, right_pressed = false;
  float wheel = 0, wheel_across = 0;  ///< notches; down and right are positive
  bool ctrl = false, shift = false, alt = false;
  std::vector<std::string> keys;  ///< in order
  std::string typed;              ///< UTF-8
  double now = 0;                 ///< seconds
};

struct Item {
  std::string id;     ///< "slot:2"; unique in its pane
  std::string role;   ///< "button", "slot", "text", "cell", "node", …
  std::string label;  ///< what is read out: "j i k"
  std::string state;  ///< "legal", "pressed", …
  Rect rect;          ///< as far as it can be seen
  std::string pane;   ///< in which it lies
  bool takes_keys = false;
};

struct Response {
  bool hovered = false;
  bool pressed = false;   ///< the button went down on it
  bool held = false;      ///< and is still down, wherever the pointer is
  bool released = false;  ///< it was held until now, wherever
  bool clicked = false;   ///< pressed and released on it, or Enter while it has the focus
  bool double_clicked = false;
  bool right_clicked = false;
  bool focused = false;  ///< the keys' focus
  Point since{};         ///< while held: where it was pressed
  explicit operator bool() const { return clicked; }
};

class Ui {
 public:
  // ---- the frame, which App begins and ends ----
  void begin(Input input, Paint& paint, const Theme& theme);
  void end();
  Paint& paint() { return *paint_; }
  const Theme& theme() const { return *theme_; }
  const Input& input() const { return input_; }
  bool reduced_motion = false;
  /// Something moves: another frame is wanted soon.
  void animate() { animated_ = true; }
  bool animated() const { return animated_; }

  // ---- panes ----
  /// Items from here on lie in that pane, until the next call; its body is where wheel and keys are taken from.
  void enter_pane(const std::string& pane, bool has_keys, bool covered);
  const std::string& pane() const { return pane_; }
  bool pane_has_keys() const { return has_keys_; }

  // ---- items ----
  /// Logs an item and says what is done to it. Decoration that only informs has role "text" and does not take the
  /// pointer.
  Response item(const std::string& id, const std::string& role, const std::string& label, const std::string& state,
                Rect area);
  void label(const std::string& id, const std::string& text, Rect area, const std::string& state = {});
  const std::vector<Item>& items() const { return items_; }  ///< of this frame so far
  const std::vector<Item>& last_items() const { return last_; }
  const Item* find(std::string_view id, std::string_view pane = {}) const;  ///< of the last frame
  /// Where the button went down is what it is about until it is released.
  bool holding(const std::string& id) const { return held_ == pane_ + "/" + id; }

  // ---- keys ----
  /// Takes the chord if it was pressed and nobody took it before. `anywhere`: also when another pane has the keys.
  bool key(std::string_view chord, bool anywhere = false);
  std::string take_typed();  ///< for who has the text focus
  float take_wheel(Rect area);
  float take_wheel_across(Rect area);
  /// A text field of this pane that typing goes to; single keys are text there.
  void focus_text(const std::string& field) { text_field_ = field; }
  const std::string& text_field() const { return text_field_; }
  void focus(const std::string& item) { focused_ = item; }
  /// Up and Down, where no view has taken them, go from one item of the pane to the next; Enter then does what a click
  /// would.
  void walk_focus(const std::string& pane);
  /// A press in this frame, though beside the field, leaves it the text focus.
  void keep_text_focus() { keeps_text_ = true; }

  // ---- clipboard: the desktop's where there is a window, else a text kept here ----
  std::function<std::string()> pasted = [this] { return clipboard_; };
  std::function<void(const std::string&)> copy = [this](const std::string& text) { clipboard_ = text; };

  // ---- above all panes ----
  /// Drawn once they all are, with nothing cut off: a list at a caret. Its items belong to this pane.
  void above(std::function<void()> draw) { above_.push_back({pane_, has_keys_, covered_, std::move(draw)}); }
  void draw_above();

  // ---- what is looked for ----
  struct Find {
    std::string pane = {}, query = {};
    std::size_t at = 0;     ///< the match that is looked at
    std::size_t count = 0;  ///< said by who shows the text
    bool moved = false;     ///< in this frame: what is looked at comes into view
    bool answered = false;  ///< by the view; else the items of the pane are searched
  };
  Find find_words;  ///< an empty pane: nothing is looked for
  /// Of the pane that is being drawn; null: nothing is looked for in it.
  Find* finding() { return !find_words.query.empty() && find_words.pane == pane_ ? &find_words : nullptr; }

  // ---- commands ----
  /// A command of the language, or one of the window's own (`window …`): echoed in the console, then carried out.
  void act(std::string command) { commands_.push_back(std::move(command)); }
  std::vector<std::string> take_commands() { return std::exchange(commands_, {}); }

  // ---- what the user left behind, by pane and name ----
  template <class T>
  T& memory(const std::string& name) {
    std::any& kept = memory_[pane_ + "/" + name];
    if (!kept.has_value()) kept = T{};
    return std::any_cast<T&>(kept);
  }

  /// What was left behind in panes that show the program; what is being typed in the console stays, as do overlays.
  void forget() {
    std::erase_if(memory_, [](const auto& one) {
      return !one.first.starts_with("console/") && !one.first.starts_with("overlay/");
    });
  }

  // ---- kin ----
  enum class Glow { none, weak, strong, pinned };
  /// The area stands for these nodes, innermost first: hovering lights their kin up everywhere, a click pins them.
  void nodes(const std::vector<text::NodeId>& innermost_first, Rect area);
  void node(text::NodeId id, Rect area) { nodes({id}, area); }
  Glow glow(text::NodeId id) const;
  const std::vector<text::NodeId>& hovered_nodes() const { return hovered_nodes_; }  ///< of the last frame
  void light(text::Kin::Lit lit, std::set<text::NodeId> pinned) { lit_ = std::move(lit), pinned_ = std::move(pinned); }

  // ---- small widgets ----
  bool button(const std::string& id, const std::string& label, Rect area, bool strong = false, bool chosen = false);
  /// Shown beside the pointer once it rests on the item before.
  void tooltip(const std::string& text);
  /// Several lines beside the pointer, drawn above all panes at the end of the frame.
  const std::string& pending_tooltip() const { return tooltip_; }
  /// Thin bar at the right, with a thumb to drag; keeps `offset` within what there is.
  void scroll(const std::string& id, Rect area, float content, float& offset);
  void scroll_across(const std::string& id, Rect area, float content, float& offset);
  /// A tag: text on its own colour.
  Rect tag(Point at, std::string_view text, Colour colour, Font font = Font::small_mono);

 private:
  std::string key_of(const std::string& id) const { return pane_ + "/" + id; }
  Input input_;
  Paint* paint_ = nullptr;
  const Theme* theme_ = nullptr;
  bool animated_ = false;
  std::string pane_;
  bool has_keys_ = false, covered_ = false;
  std::vector<Item> items_, last_;
  std::string hot_, held_, clicked_, focused_, text_field_;
  Point pressed_at_;
  std::set<std::string, std::less<>> keys_left_;
  struct Above {
    std::string pane;
    bool has_keys, covered;
    std::function<void()> draw;
  };
  std::vector<Above> above_;
  bool keeps_text_ = false;
  std::vector<std::string> commands_;
  std::string clipboard_;
  std::map<std::string, std::any> memory_;
  std::vector<text::NodeId> hovered_nodes_, next_hovered_;
  text::Kin::Lit lit_;
  std::set<text::NodeId> pinned_;
  std::string tooltip_;
};

}  // namespace trellis::gui
