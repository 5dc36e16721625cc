// Curves over a size: their powers, and where they stand on logarithmic axes.
#include "engine/view/growth.hpp"

#include <doctest/doctest.h>

namespace trellis::view {

TEST_CASE("growth: the power is that between the last two sizes") {
  const Growth growth{"n", {2, 4, 8}, {{"steps", {5, 16, 64}}, {"entries", {0, 0, 4}}}};
  CHECK(power_of(growth, growth.curves[0]) == "n^2");
  CHECK(power_of(growth, growth.curves[1]) == "");
  CHECK_FALSE(exponent_of({"n", {2}, {{"steps", {5}}}}, {"steps", {5}}).has_value());
}

TEST_CASE("growth: letters stand at their values, higher ones above") {
  const std::string sketch = growth_sketch({"n", {10, 100}, {{"steps", {10, 1000}}, {"all", {100, 10000}}}});
  CHECK(sketch.find("1e+04 │") == 0);
  CHECK(sketch.find('a') < sketch.find('s'));
  CHECK(sketch.find("s steps, a all") != std::string::npos);
  CHECK(growth_chart({"n", {10, 100}, {{"steps", {10, 1000}}}}, "kernel main").shapes.size() > 10);
}

}  // namespace trellis::view
