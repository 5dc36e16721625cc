#include "tests/place/kernels.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "engine/lang/parse.hpp"
#include "engine/lang/program.hpp"
#include "engine/loop/print.hpp"

namespace trellis::place {
namespace {

std::optional<Analysis> analyse_source(const std::string& source, text::Diagnostics& diagnostics, std::string& shown) {
  text::Sources sources;
  const int file = sources.add("test.tr", source);
  auto program = lang::resolve(lang::parse(sources, file, diagnostics), diagnostics);
  std::optional<Analysis> result;
  if (program) result = analyse(*program, program->kernels.at(0), diagnostics);
  for (const text::Diagnostic& d : diagnostics.all()) shown += text::render(d, sources, text::Colour::off);
  return result;
}

std::string to_text(const lang::Order& order) {
  std::string out;
  for (const lang::LoopName& l : order) out += l.name + (l.descending ? "-" : "");
  return out;
}

lang::Order parsed(const std::string& order) { return lang::parse_order(order).value(); }

}  // namespace

Analysis analysed(const std::string& source) {
  text::Diagnostics diagnostics;
  std::string shown;
  auto result = analyse_source(source, diagnostics, shown);
  if (!result) FAIL(shown);
  return *result;
}

text::Diagnostics problems(const std::string& source) {
  text::Diagnostics diagnostics;
  std::string shown;
  analyse_source(source, diagnostics, shown);
  INFO(shown);
  return diagnostics;
}

std::string legal_orders(const std::string& source, Directions directions) {
  const Analysis analysis = analysed(source);
  std::vector<std::string> names = analysis.kernel.variables();
  std::sort(names.begin(), names.end());
  const unsigned choices = directions == Directions::all ? 1u << names.size() : 1u;
  std::string result;
  do {
    for (unsigned down = 0; down < choices; ++down) {
      lang::Order order;
      for (std::size_t k = 0; k < names.size(); ++k)
        order.push_back({names[k], ((down >> (names.size() - 1 - k)) & 1u) != 0});
      if (is_legal(analysis, order)) result += (result.empty() ? "" : " ") + to_text(order);
    }
  } while (std::next_permutation(names.begin(), names.end()));
  return result;
}

std::string nest(const std::string& source, const std::string& order) {
  const Placement placement = place(analysed(source), parsed(order));
  if (const auto* placed = std::get_if<Placed>(&placement)) return loop::to_string(placed->nest);
  return std::get<Rejected>(placement).failure.reason;
}

Failure failure(const std::string& source, const std::string& order) {
  const Placement placement = place(analysed(source), parsed(order));
  REQUIRE(std::holds_alternative<Rejected>(placement));
  return std::get<Rejected>(placement).failure;
}

}  // namespace trellis::place
