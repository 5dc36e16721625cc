#include "gui/window.hpp"

#include <GLFW/glfw3.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>

#include "gui/pictures.hpp"
#include "gui/repaint.hpp"
#include "gui/script.hpp"
#include "gui/surface.hpp"

namespace trellis::gui {
namespace {

/// What GLFW said last.
std::string glfw_problem;

std::string key_name(int key, int scancode) {
  switch (key) {
    case GLFW_KEY_LEFT: return "Left";
    case GLFW_KEY_RIGHT: return "Right";
    case GLFW_KEY_UP: return "Up";
    case GLFW_KEY_DOWN: return "Down";
    case GLFW_KEY_HOME: return "Home";
    case GLFW_KEY_END: return "End";
    case GLFW_KEY_PAGE_UP: return "PageUp";
    case GLFW_KEY_PAGE_DOWN: return "PageDown";
    case GLFW_KEY_ENTER:
    case GLFW_KEY_KP_ENTER: return "Enter";
    case GLFW_KEY_ESCAPE: return "Escape";
    case GLFW_KEY_TAB: return "Tab";
    case GLFW_KEY_SPACE: return "Space";
    case GLFW_KEY_BACKSPACE: return "Backspace";
    case GLFW_KEY_DELETE: return "Delete";
    case GLFW_KEY_INSERT: return "Insert";
    case GLFW_KEY_KP_ADD: return "+";
    case GLFW_KEY_KP_SUBTRACT: return "-";
    default: break;
  }
  if (key >= GLFW_KEY_F1 && key <= GLFW_KEY_F25) return "F" + std::to_string(key - GLFW_KEY_F1 + 1);
  const char* name = glfwGetKeyName(key, scancode);
  if (!name) return "";
  std::string text = name;
  if (text.size() == 1) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

/// What came in since the last frame.
struct Collected {
  Input input;
  bool any = false;
  std::string dropped;
};

Collected& collected(GLFWwindow* window) { return *static_cast<Collected*>(glfwGetWindowUserPointer(window)); }

void on_key(GLFWwindow* window, int key, int scancode, int action, int mods) {
  Collected& c = collected(window);
  c.any = true;
  if (action == GLFW_RELEASE) return;
  std::string name = key_name(key, scancode);
  if (name.empty()) return;
  // `+` is typed with Shift on most keyboards.
  const bool plus = name == "=" && (mods & GLFW_MOD_SHIFT);
  if (plus) name = "+";
  c.input.keys.push_back(std::string(mods & GLFW_MOD_CONTROL ? "Ctrl+" : "") + (mods & GLFW_MOD_ALT ? "Alt+" : "") +
                         ((mods & GLFW_MOD_SHIFT) && !plus ? "Shift+" : "") + name);
}

void on_letter(GLFWwindow* window, unsigned int code) {
  Collected& c = collected(window);
  c.any = true;
  char bytes[5] = {};
  if (code < 0x80) bytes[0] = static_cast<char>(code);
  else if (code < 0x800)
    bytes[0] = static_cast<char>(0xC0 | code >> 6), bytes[1] = static_cast<char>(0x80 | (code & 0x3F));
  else if (code < 0x10000)
    bytes[0] = static_cast<char>(0xE0 | code >> 12), bytes[1] = static_cast<char>(0x80 | (code >> 6 & 0x3F)),
    bytes[2] = static_cast<char>(0x80 | (code & 0x3F));
  else
    bytes[0] = static_cast<char>(0xF0 | code >> 18), bytes[1] = static_cast<char>(0x80 | (code >> 12 & 0x3F)),
    bytes[2] = static_cast<char>(0x80 | (code >> 6 & 0x3F)), bytes[3] = static_cast<char>(0x80 | (code & 0x3F));
  c.input.typed += bytes;
}

/// As they are held, not as the last key says: what X11 tells of Ctrl itself is how it was before.
void hold_modifiers(GLFWwindow* window, Input& input) {
  const auto held = [&](int left, int right) {
    return glfwGetKey(window, left) == GLFW_PRESS || glfwGetKey(window, right) == GLFW_PRESS;
  };
  input.ctrl = held(GLFW_KEY_LEFT_CONTROL, GLFW_KEY_RIGHT_CONTROL);
  input.shift = held(GLFW_KEY_LEFT_SHIFT, GLFW_KEY_RIGHT_SHIFT);
  input.alt = held(GLFW_KEY_LEFT_ALT, GLFW_KEY_RIGHT_ALT);
}

void on_button(GLFWwindow* window, int button, int action, int) {
  Collected& c = collected(window);
  c.any = true;
  if (button == GLFW_MOUSE_BUTTON_RIGHT && action == GLFW_PRESS) c.input.right_pressed = true;
  if (button != GLFW_MOUSE_BUTTON_LEFT) return;
  static double last = -1;
  if (action == GLFW_PRESS) {
    const double now = glfwGetTime();
    c.input.double_clicked = now - last < 0.35;
    last = now;
    c.input.pressed = c.input.down = true;
  } else {
    c.input.released = true;
    c.input.down = false;
  }
}

class Glfw {
 public:
  Glfw() {
    glfwSetErrorCallback([](int, const char* text) { glfw_problem = text ? text : ""; });
    if (!glfwInit())
      throw std::runtime_error("there is no display to open a window on (" + glfw_problem +
                               "); `--screenshot` needs none");
  }
  ~Glfw() { glfwTerminate(); }
};

class Window {
 public:
  Window(const WindowOptions& options, const std::string& title) {
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3), glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 0);
    handle = glfwCreateWindow(options.width, options.height, title.c_str(), nullptr, nullptr);
    if (!handle) throw std::runtime_error("OpenGL 3 is not there (" + glfw_problem + "); try LIBGL_ALWAYS_SOFTWARE=1");
    glfwMakeContextCurrent(handle);
    glfwSwapInterval(1);
    glfwSetWindowUserPointer(handle, &got);
    glfwSetKeyCallback(handle, on_key), glfwSetCharCallback(handle, on_letter),
        glfwSetMouseButtonCallback(handle, on_button);
    glfwSetCursorPosCallback(handle, [](GLFWwindow* w, double, double) { collected(w).any = true; });
    glfwSetScrollCallback(handle, [](GLFWwindow* w, double across, double down) {
      collected(w).any = true;
      collected(w).input.wheel += static_cast<float>(down),
          collected(w).input.wheel_across += static_cast<float>(across);
    });
    glfwSetWindowRefreshCallback(handle, [](GLFWwindow* w) { collected(w).any = true; });
    glfwSetFramebufferSizeCallback(handle, [](GLFWwindow* w, int, int) { collected(w).any = true; });
    glfwSetDropCallback(handle, [](GLFWwindow* w, int count, const char** paths) {
      collected(w).any = true;
      if (count > 0) collected(w).dropped = paths[0];
    });
  }
  ~Window() { glfwDestroyWindow(handle); }
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  GLFWwindow* handle = nullptr;
  Collected got;
};

struct Renderer {
  Renderer() { ImGui_ImplOpenGL3_Init("#version 130"); }
  ~Renderer() { ImGui_ImplOpenGL3_Shutdown(); }
  Renderer(const Renderer&) = delete;
  Renderer& operator=(const Renderer&) = delete;
};

/// Surface and renderer of one scale: both begin anew when it changes.
struct Drawing {
  explicit Drawing(float scale) : surface(scale) {}
  Surface surface;
  Renderer renderer;
  Repaint repaint;
};

/// What the window holds, the lowest row last.
Pixels pixels_of(GLFWwindow* window) {
  Pixels pixels;
  glfwGetFramebufferSize(window, &pixels.width, &pixels.height);
  const auto width = static_cast<std::size_t>(pixels.width), height = static_cast<std::size_t>(pixels.height);
  pixels.colours.resize(width * height);
  glReadPixels(0, 0, pixels.width, pixels.height, GL_RGBA, GL_UNSIGNED_BYTE, pixels.colours.data());
  for (std::size_t y = 0; y < height / 2; ++y)
    std::swap_ranges(pixels.colours.begin() + static_cast<std::ptrdiff_t>(y * width),
                     pixels.colours.begin() + static_cast<std::ptrdiff_t>((y + 1) * width),
                     pixels.colours.end() - static_cast<std::ptrdiff_t>((y + 1) * width));
  for (std::uint32_t& colour : pixels.colours) colour |= 0xFF000000U;
  return pixels;
}

}  // namespace

void show_in_window(Script& script, const std::function<void()>& work) {
  const Stage& stage = script.stage();
  const Glfw glfw;
  Window window({static_cast<int>(stage.width * stage.scale), static_cast<int>(stage.height * stage.scale)},
                script.app().title());
  const Renderer renderer;
  Repaint repaint;
  const auto render = [&](const ImDrawData& data) {
    ImGui_ImplOpenGL3_NewFrame();
    int width = 0, height = 0;
    glfwGetFramebufferSize(window.handle, &width, &height);
    repaint.draw(data, width, height);
  };
  script.present = [&](const ImDrawData& data) {
    glfwPollEvents();
    render(data);
    glfwSwapBuffers(window.handle);
  };
  script.read_pixels = [&] {
    // What was swapped away is undefined: once more, behind what is shown.
    render(*ImGui::GetDrawData());
    return pixels_of(window.handle);
  };
  work();
  script.present = {};
  script.read_pixels = {};
}

int run_window(App::Start start, const std::string& file, const WindowOptions& options) try {
  Glfw glfw;
  start.wake = [] { glfwPostEmptyEvent(); };
  App app(std::move(start));
  if (!file.empty()) {
    if (!app.open(file)) throw std::runtime_error(why_not_opened(file));
  } else if (!app.files.left() && app.settings.toured) {
    app.carry_out("window gallery");
  } else if (!app.files.left()) {
    app.open("viterbi");
  }
  if (!app.files.left() && !app.settings.toured) app.carry_out("window tour");
  Window window(options, app.title());
  app.ui.pasted = [&] {
    const char* text = glfwGetClipboardString(window.handle);
    return std::string(text ? text : "");
  };
  app.ui.copy = [&](const std::string& text) { glfwSetClipboardString(window.handle, text.c_str()); };
  std::unique_ptr<Drawing> drawing;
  int more = 3;  // frames after the last event: what an item says is seen in the next one
  std::string title;
  while (!app.leaving) {
    if (glfwWindowShouldClose(window.handle)) {
      // What is not saved is asked about first.
      glfwSetWindowShouldClose(window.handle, GLFW_FALSE);
      app.carry_out("window quit");
      more = 3;
    }
    if (app.wants_frame() || more > 0) glfwPollEvents();
    else glfwWaitEventsTimeout(0.5);
    Collected& got = window.got;
    if (got.any) more = 3;
    if (!got.dropped.empty()) app.carry_out("window open \"" + std::exchange(got.dropped, {}) + "\"");

    int width = 0, height = 0, across = 1, down = 1;
    glfwGetFramebufferSize(window.handle, &width, &height);
    glfwGetWindowSize(window.handle, &across, &down);
    if (width <= 0 || height <= 0) continue;
    float x_scale = 1, y_scale = 1;
    glfwGetWindowContentScale(window.handle, &x_scale, &y_scale);
    const float scale = (options.scale > 0 ? options.scale : std::max(1.F, x_scale)) * app.settings.scale;
    if (!drawing || std::abs(drawing->surface.scale() - scale) > 0.001F)
      drawing.reset(), drawing = std::make_unique<Drawing>(scale);

    double x = 0, y = 0;
    glfwGetCursorPos(window.handle, &x, &y);
    const float pixels = static_cast<float>(width) / static_cast<float>(std::max(across, 1));
    got.input.mouse = {static_cast<float>(x) * pixels / scale, static_cast<float>(y) * pixels / scale};
    got.input.now = glfwGetTime();
    hold_modifiers(window.handle, got.input);
    ImGui_ImplOpenGL3_NewFrame();
    const ImDrawData& data =
        drawing->surface.draw(app, got.input, static_cast<float>(width) / scale, static_cast<float>(height) / scale);
    drawing->repaint.draw(data, width, height);
    glfwSwapBuffers(window.handle);
    make_pictures(app, drawing->surface, static_cast<float>(width) / scale, static_cast<float>(height) / scale);
    more = got.any ? 3 : std::max(0, more - 1);
    got.any = false;
    got.input.pressed = got.input.released = got.input.double_clicked = got.input.right_pressed = false;
    got.input.wheel = got.input.wheel_across = 0;
    got.input.keys.clear(), got.input.typed.clear();
    if (title != app.title()) title = app.title(), glfwSetWindowTitle(window.handle, title.c_str());
  }
  return 0;
} catch (const std::runtime_error& problem) {
  std::fprintf(stderr, "trellis gui: %s\n", problem.what());
  return 2;
}

}  // namespace trellis::gui
