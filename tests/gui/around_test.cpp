#include <doctest/doctest.h>

#include "gui/find.hpp"
#include "gui/script.hpp"
#include "gui/views/views.hpp"

namespace trellis::gui {

TEST_CASE("find: words in a pane's text are counted and gone through, and replaced in the program") {
  Script s({}, {1600, 1000, 1});
  REQUIRE(s.run("open cholesky\ncommand window preset learn\ncommand window pane c\nkey Ctrl+F\n") == "");
  CHECK(s.app().ui.text_field() == "find/words");
  s.type("FOR ");
  REQUIRE(s.find("find/count"));
  const std::string count = s.find("find/count")->label;
  CHECK(count.starts_with("1 of "));
  s.key("Enter");
  CHECK(s.find("find/count")->label == "2" + count.substr(1));
  s.key("Shift+Enter"), s.key("Shift+Enter");
  CHECK(s.find("find/count")->label == count.substr(5) + count.substr(1));  // round to the last one
  s.key("Escape");
  CHECK(s.find("find/count") == nullptr);

  REQUIRE(s.run("command window pane program\ncommand window find replace\ntype spd\n") == "");
  CHECK(s.app().document().editor().selected() == "spd");
  CHECK(s.run("click find/other\ntype dps\nclick find/replace\n") == "");
  CHECK(s.app().document().editor().text().find("dps") != std::string::npos);
  CHECK(s.app().document().editor().text().find("random A seed 1 spd") == std::string::npos);
}

TEST_CASE("find: occurrences take no notice of case and do not overlap") {
  CHECK(occurrences("aAaAa", "aa").size() == 2);
  CHECK(occurrences("Row by row", "ROW")[1].begin == 7);
  CHECK(occurrences("anything", "").empty());
}

TEST_CASE("tabs: a pane is dragged by its tab into another stack, or beside it") {
  Script s({}, {1600, 1000, 1});
  REQUIRE(s.run("open cholesky\ndrag tab:graph dock:explain:tab\n") == "");
  const Layout* stack = find(s.app().panes.layout(), "explain");
  REQUIRE(stack);
  CHECK(stack->tabs == std::vector<std::string>{"explain", "graph"});
  CHECK(s.app().panes.active() == "graph");
  REQUIRE(s.run("drag tab:graph dock:console:right\n") == "");
  CHECK(find(s.app().panes.layout(), "graph")->tabs == std::vector<std::string>{"graph"});
  CHECK(s.app().panes.area_of("graph").x > s.app().panes.area_of("console").x);
  CHECK(s.app().panes.dragged.empty());
}

TEST_CASE("top bar: nothing overlaps in a window of any width") {
  Script s({}, {1600, 1000, 1});
  REQUIRE(s.run("open viterbi\n") == "");
  for (int width = 480; width <= 2000; width += 40) {
    CAPTURE(width);
    REQUIRE(s.run("size " + std::to_string(width) + " 800\n") == "");
    std::vector<Item> bar;
    for (const Item& item : s.app().ui.items())
      if (item.pane == "bar") bar.push_back(item);
    CHECK(bar.size() >= 5);
    for (std::size_t i = 0; i < bar.size(); ++i) {
      CHECK(bar[i].rect.right() <= static_cast<float>(width));
      for (std::size_t j = 0; j < i; ++j) {
        const std::string both = bar[i].id + " over " + bar[j].id;
        CAPTURE(both);
        CHECK_FALSE(bar[i].rect.inset(0.5F).meets(bar[j].rect));
      }
    }
  }
}

TEST_CASE("help: each pane is described, and the description says its command") {
  Script s({}, {1280, 800, 1});
  REQUIRE(s.run("open cholesky\n") == "");
  for (const View& view : views()) {
    CAPTURE(view.id);
    CHECK(s.run("command window help " + std::string(view.id) + "\n") == "");
    REQUIRE(s.find("overlay/help"));
    CHECK(s.find("overlay/help")->label.size() > 40);
    s.key("Escape");
  }
}

TEST_CASE("keys: a click and a chord bind an action, and the tour goes through five stops") {
  Script s({}, {1280, 800, 1});
  REQUIRE(
      s.run("open cholesky\ncommand window keys\nclick action:palette\nexpect action:palette waits\nkey Ctrl+L\n") ==
      "");
  CHECK(s.find("action:palette")->state == "Ctrl+L");
  REQUIRE(s.run("click reset:palette\nexpect action:palette Ctrl+P\nkey Escape\ncommand window tour\n") == "");
  for (int stop = 1; stop <= 5; ++stop) {
    CHECK(s.run("expect stop " + std::to_string(stop) + " of 5\n") == "");
    s.key("Enter");
  }
  CHECK(!s.app().modal.is_open());
  CHECK(s.app().settings.toured);
}

}  // namespace trellis::gui
