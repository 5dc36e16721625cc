// What a window draws anew: where a frame differs from the one before, and no more.
#include "gui/changes.hpp"

#include <doctest/doctest.h>

#include "gui/script.hpp"

namespace trellis::gui {

TEST_CASE("changes: a frame like the last one changes nothing, a step only the panes that show it") {
  Changes changes;
  std::vector<Rect> last, all;
  Script s({}, {1600, 1000, 1});
  s.present = [&](const ImDrawData& data) {
    last = changes.since_last(data, 1600, 1000);
    all.insert(all.end(), last.begin(), last.end());
  };
  const auto pixels = [](const std::vector<Rect>& rects) {
    float sum = 0;
    for (const Rect& rect : rects) sum += rect.w * rect.h;
    return sum;
  };
  s.frame();
  REQUIRE(last.size() == 1);
  CHECK(pixels(last) == 1600 * 1000);
  REQUIRE(s.run("open viterbi\ncommand window goto execution 5\n") == "");
  s.frame(), s.frame();
  all.clear();
  s.frame();
  CHECK(pixels(all) < 1600 * 1000 / 40);  // a caret may blink, a tag fade
  all.clear();
  REQUIRE(s.run("command window step execution\n") == "");
  CHECK(all.size() > 2);
  CHECK(pixels(last) < 1600 * 1000 / 2);

  changes.forget();
  s.frame();
  CHECK(pixels(last) == 1600 * 1000);
}

}  // namespace trellis::gui
