#include "gui/layout.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

namespace trellis::gui {
namespace {

std::vector<std::string> all_tabs(const Arrangement& arrangement) {
  std::vector<std::string> tabs;
  for (const Placed& stack : arrangement.stacks) tabs.insert(tabs.end(), stack.tabs.begin(), stack.tabs.end());
  std::ranges::sort(tabs);
  return tabs;
}

}  // namespace

TEST_CASE("layout: what has no room becomes a neighbour's tab, nothing is lost and nothing overlaps") {
  for (const Preset& preset : presets()) {
    CAPTURE(preset.name);
    const auto wide = arrange(preset.layout, {0, 0, 1600, 926}), narrow = arrange(preset.layout, {0, 0, 700, 420});
    CHECK(all_tabs(wide) == all_tabs(narrow));
    CHECK(narrow.stacks.size() < wide.stacks.size());
    for (const Arrangement* one : {&wide, &narrow})
      for (const Placed& a : one->stacks) {
        const Size least = least_size(a.tabs[a.active]);
        CHECK(a.area.w >= least.w);
        CHECK(a.area.h >= least.h);
        for (const Placed& b : one->stacks)
          if (&a != &b) CHECK_FALSE(a.area.meets(b.area));
      }
  }
}

TEST_CASE("layout: of panes that share a place for want of room, the one that was wanted last is seen") {
  const Layout layout = row({{1, stack({"program"})}, {1, stack({"graph", "values"})}, {1, stack({"explain"})}});
  const auto seen = [&](float width, const std::vector<std::string>& preferred) {
    std::vector<std::string> panes;
    for (const Placed& one : arrange(layout, {0, 0, width, 600}, preferred).stacks)
      panes.push_back(one.tabs[one.active]);
    return panes;
  };
  using Seen = std::vector<std::string>;
  CHECK(seen(1200, {"values", "explain"}) == Seen{"program", "graph", "explain"});  // there is room: as it was put
  CHECK(seen(400, {}) == Seen{"program"});
  CHECK(seen(400, {"explain", "program"}) == Seen{"explain"});
  CHECK(seen(400, {"lattice", "values"}) == Seen{"values"});
}

TEST_CASE("layout: panes move, and a layout survives being written") {
  Layout layout = presets()[1].layout;
  move(layout, "graph", "explain", Side::tab);
  CHECK(find(layout, "graph")->tabs == std::vector<std::string>{"explain", "graph"});
  move(layout, "graph", "values", Side::left);
  CHECK(find(layout, "graph")->tabs == std::vector<std::string>{"graph"});
  show(layout, "storage");
  CHECK(find(layout, "storage")->active + 1 == find(layout, "storage")->tabs.size());
  hide(layout, "storage");
  CHECK(find(layout, "storage") == nullptr);
  const auto read = layout_from(to_json(layout));
  REQUIRE(read);
  CHECK(*read == layout);
  CHECK_FALSE(layout_from(nlohmann::json::parse(R"({"row": [], "shares": []})")));
}

TEST_CASE("layout: a splitter moves the line between two parts and nothing else") {
  Layout layout = row({{1, stack({"program"})}, {1, stack({"graph"})}, {1, stack({"c"})}});
  const Arrangement before = arrange(layout, {0, 0, 1212, 600});
  move_splitter(layout, before.splitters[0], {500, 0});
  const Arrangement after = arrange(layout, {0, 0, 1212, 600});
  CHECK(after.stacks[0].area.w == doctest::Approx(500).epsilon(0.01));
  CHECK(after.stacks[2].area == before.stacks[2].area);
}

}  // namespace trellis::gui
