// Programs of many equations are resolved in a time that grows with them.
#include <doctest/doctest.h>

#include <string>

#include "engine/lang/parse.hpp"
#include "engine/lang/program.hpp"
#include "tests/growth.hpp"

using namespace trellis;

namespace {

/// A tensor for each equation, declared or not, each from the one before or all from one, with a bound.
std::string many_equations(int count, bool declared, bool chain) {
  std::string text = "tensor x(n)\n";
  for (int k = 0; k < count; ++k) {
    const std::string name = "y" + std::to_string(10000 + k);
    if (declared) text += "tensor " + name + "(n)\n";
    text += name + "(i) = 2 * " + (chain && k > 0 ? "y" + std::to_string(10000 + k - 1) : "x") + "(i) : i < n\n";
  }
  return text;
}

}  // namespace

TEST_CASE("resolving grows with the equations, and not with their square") {
  for (const bool declared : {false, true})
    for (const bool chain : {false, true}) {
      CAPTURE(declared);
      CAPTURE(chain);
      const double growth = testing::growth_at_four_times(150, [&](int count) {
        text::Sources texts;
        text::Diagnostics diagnostics;
        const int source = texts.add("many", many_equations(count, declared, chain));
        CHECK(lang::resolve(lang::parse(texts, source, diagnostics), diagnostics).has_value());
      });
      CHECK(growth < 8);
    }
}
