#include "engine/place/no_order.hpp"

#include <algorithm>

#include "engine/lang/index_names.hpp"
#include "engine/place/failure.hpp"
#include "engine/place/place.hpp"
#include "engine/place/wording.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::place {
namespace {

constexpr int most_tried = 24;  ///< orders: all of four loops

/// In the first order that fails for that alone; of many loops each is outermost in some that are tried.
std::optional<BothWays> find_both_ways(const Analysis& analysis) {
  std::vector<std::string> names = analysis.kernel.variables();
  std::ranges::sort(names);
  const auto in = [&](const std::vector<std::string>& loops) {
    lang::Order order;
    for (const std::string& name : loops) order.push_back({name, false});
    return needed_both_ways(analysis, order);
  };
  for (std::size_t k = 0; k < names.size(); ++k) {
    std::vector<std::string> turned = names;
    std::ranges::rotate(turned, turned.begin() + static_cast<std::ptrdiff_t>(k));
    if (auto both = in(turned)) return both;
  }
  int tried = 0;
  do
    if (auto both = in(names)) return both;
  while (++tried < most_tried && std::ranges::next_permutation(names).found);
  return std::nullopt;
}

lang::Equation renamed(lang::Equation equation, const std::string& from, const std::string& to) {
  const lang::Expr index({lang::Variable{to}, format::ScalarType::i64, {}});
  equation.domain = equation.domain.substitute({{from, math::Affine::name(to)}});
  std::ranges::replace(equation.domain.variables, from, to);
  equation.left = lang::substitute(equation.left, {{from, index}});
  equation.right = lang::substitute(equation.right, {{from, index}});
  return equation;
}

/// These equations with an index, and so a loop, of their own, as they are written then; empty: no order is legal even
/// so.
std::vector<std::string> with_own_loop(const Analysis& analysis, const std::vector<int>& equations,
                                       const std::string& loop) {
  lang::Kernel kernel = analysis.kernel;
  const std::string index = lang::unused_index([&](const std::string& name) {
    return contains(kernel.variables(), name) || analysis.program.tensor(name) || analysis.program.parameter(name);
  });
  std::vector<std::string> written;
  for (const int equation : equations) {
    lang::Equation& changed = kernel.equations[static_cast<std::size_t>(equation)];
    changed = renamed(changed, loop, index);
    written.push_back(equation_text(analysis, changed));
  }
  text::Diagnostics unseen;
  const auto tried = analyse(analysis.program, kernel, unseen);
  return tried && choose_order(*tried) ? written : std::vector<std::string>();
}

}  // namespace

void offer_own_loop(const Analysis& analysis, const BothWays& both, text::Diagnostic& d) {
  // A fix takes the place of the equation that the message is about.
  const auto is_about = [&](const std::vector<int>& side) {
    const text::Span whole = analysis.kernel.equations[static_cast<std::size_t>(side.front())].span;
    return side.size() == 1 && whole.source == d.span.source && whole.begin <= d.span.begin && d.span.end <= whole.end;
  };
  // One equation alone where that is enough.
  std::vector<std::vector<int>> sides = {{both.downwards[0]}, {both.upwards[0]}};
  for (const std::vector<int>& side : {both.downwards, both.upwards})
    if (side.size() > 1) sides.push_back(side);
  std::ranges::stable_sort(sides, {}, &std::vector<int>::size);
  std::ranges::stable_partition(sides, is_about);
  for (const std::vector<int>& side : sides) {
    const std::vector<std::string> written = with_own_loop(analysis, side, both.loop);
    if (written.empty()) continue;
    std::string all;
    for (const std::string& equation : written) all += (all.empty() ? "" : "; ") + equation;
    if (is_about(side)) d.fixes.push_back({all, "a loop of its own", 0});
    else d.notes.push_back({{}, "give " + both.loop + " another name here, and so a loop of its own: " + all});
    return;
  }
  d.notes.push_back({{}, "give one of them another index, or a kernel of its own"});
}

void report_no_order(const Analysis& analysis, text::Diagnostics& diagnostics) {
  const std::string problem = "no loop order of kernel " + analysis.kernel.name + " is legal";
  const auto both = find_both_ways(analysis);
  if (!both && analysis.kernel.variables().size() > few_loops) {
    diagnostics
        .error("E0105", analysis.kernel.span, "no legal loop order of kernel " + analysis.kernel.name + " was found",
               "")
        .notes.push_back(
            {{},
             "not all orders of so many loops are tried; `order i j …` names one, `why` says what is wrong with it"});
    return;
  }
  if (!both) {
    diagnostics.error("E0105", analysis.kernel.span, problem, "")
        .notes.push_back({{}, "`orders down` says why, order by order"});
    return;
  }
  const bool down = both->downwards.size() == 1 || both->upwards.size() != 1;  // one equation alone can be renamed
  const int moved = down ? both->downwards[0] : both->upwards[0], other = down ? both->upwards[0] : both->downwards[0];
  const auto at = [&](int equation) -> const lang::Expr& {
    return analysis.kernel.equations[static_cast<std::size_t>(equation)].left;
  };
  const auto need = [&](int equation, bool downwards) {
    return analysis.kernel.equations[static_cast<std::size_t>(equation)].access().tensor + " needs it " +
           (downwards ? "downwards" : "upwards");
  };
  text::Diagnostic& d = diagnostics.error("E0105", at(moved)->span,
                                          problem + ": it needs loop " + both->loop + " both ways", need(moved, down));
  d.notes.push_back({at(other)->span, need(other, !down)});
  offer_own_loop(analysis, *both, d);
}

}  // namespace trellis::place
