#include "tests/random/generate_rows.hpp"

namespace trellis::randomised {

Draft generate_rows(Dice& dice) {
  using Choices = std::vector<std::string>;
  const std::string before = dice.pick(Choices{"X(i-1,j)", "X(i-1,j)", "X(i-2,j)", "sum(k)(X(k,j))", "max(k)(X(k,j))"});
  const std::string other = dice.pick(Choices{"A(i,j)", "A(i,j)", "A(j,i)", "A(i-1,j)"});
  const std::string last = dice.chance(40) ? "B(i,j)" : "1", rows = before == "X(i-2,j)" ? "2" : "1";
  DraftEquation first{"X(i,j)", leaf(dice.pick(Choices{"A(i,j)", "B(i,j)", "B(i,j)*2"})), {"i < " + rows}};
  const std::string operation = dice.pick(Choices{" + ", " - ", " * "});
  DraftEquation next{"X(i,j)", join("(", {leaf(before), leaf(other), leaf(last)}, operation, ")"), {rows + " <= i"}};
  if (before.find("(k") != std::string::npos) next.constraints.push_back("k < i");
  return {{"tensor A(n,n): i64", "tensor B(n,n): i64", "tensor X(n,n): i64"}, {std::move(first), std::move(next)}};
}

}  // namespace trellis::randomised
