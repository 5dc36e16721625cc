#include "tests/random/generate_pipelines.hpp"

namespace trellis::randomised {
namespace {

using Names = std::vector<std::string>;

class PipelineGenerator {
 public:
  explicit PipelineGenerator(Dice& dice) : dice_(dice), deep_(dice.chance(20)) {}

  Draft run() {
    draft_.declarations = {"tensor u" + shape(), "tensor x" + shape()};
    if (two_) draft_.declarations.push_back("tensor v" + shape());
    if (dice_.chance(60)) in_loops();
    else as_equations();
    const bool grid = dice_.chance(15);
    draft_.declarations.push_back(grid ? "ranks pe qe" : "ranks pe");
    draft_.schedule.push_back("distribute i over pe");
    if (grid) draft_.schedule.push_back(deep_ ? "distribute k over qe" : "distribute j over qe");
    draft_.schedule.push_back("pipeline j " + std::to_string(1 + dice_.below(4)));
    return draft_;
  }

 private:
  std::string shape() const { return deep_ ? "(n, n, n): f64" : "(n, n): f64"; }

  std::string number() { return dice_.pick(Names{"0.5", "0.25", "-0.5", "0.125"}); }

  std::string moved(const std::string& index, int by) {
    return by == 0 ? index : index + (by > 0 ? "+" : "-") + std::to_string(std::abs(by));
  }

  /// Mostly what lies behind, along i and along j.
  int offset() { return dice_.pick(std::vector<int>{-2, -1, -1, -1, 0, 0, 0, 1}); }

  Tree neighbour(const std::string& tensor, int sign) {
    const int i = offset() * sign, j = offset();
    const std::string k = deep_ ? "," + moved("k", dice_.pick(std::vector<int>{0, 0, -1, 1})) : "";
    return leaf(number() + "*" + tensor + "(" + moved("i", i) + "," + moved("j", j) + k + ")");
  }

  std::string here(const std::string& tensor) { return tensor + (deep_ ? "(i,j,k)" : "(i,j)"); }

  Tree right(const std::string& other, int sign) {
    std::vector<Tree> terms{leaf(here("x"))};
    for (int n = 0, all = 1 + dice_.below(3); n < all; ++n)
      terms.push_back(neighbour(dice_.chance(30) ? other : "u", sign));
    return join("", std::move(terms), " + ", "");
  }

  void in_loops() {
    const bool down = dice_.chance(25);
    std::vector<Tree> inside;
    inside.push_back(join(here("u") + " = ", {right(two_ ? "v" : "u", down ? -1 : 1)}, "", ""));
    if (two_) inside.push_back(join(here("v") + " = ", {right("u", down ? -1 : 1)}, "", ""));
    if (dice_.chance(20)) {
      draft_.declarations.push_back("tensor s");
      inside.push_back(leaf("s += " + here("u")));
    }
    if (dice_.chance(15)) {
      draft_.declarations.push_back("tensor w(n)");
      inside.push_back(leaf("w(j) max= " + here("u")));
    }
    Tree body = join("", std::move(inside), "\n", "");
    if (deep_) body = join("for k in 1:n-1 {\n", {std::move(body)}, "", "\n}");
    Tree nest = join(std::string("for j") + (dice_.chance(10) ? " down" : "") + " in " + range() + " {\n",
                     {std::move(body)}, "", "\n}");
    std::vector<Tree> beside;
    if (dice_.chance(20)) beside.push_back(leaf(deep_ ? "u(i,0,0) = x(i,0,0)" : "u(i,0) = x(i,0)"));
    beside.push_back(std::move(nest));
    nest = join(std::string("for i") + (down ? " down" : "") + " in 2:n-2 {\n", std::move(beside), "\n", "\n}");
    if (dice_.chance(30)) nest = join("for t in 0:2 {\n", {std::move(nest)}, "", "\n}");
    draft_.actions = {std::move(nest)};
  }

  std::string range() { return dice_.pick(Names{"2:n-1", "2:n-1", "2:n-2", "2:i"}); }

  void as_equations() {
    const std::string depth = deep_ ? ",k" : "";
    const auto element = [&](const std::string& tensor) { return tensor + "(i,j" + depth + ")"; };
    std::vector<Tree> terms{leaf(element("x"))};
    for (int n = 0, all = 1 + dice_.below(3); n < all; ++n) {
      const int i = dice_.below(3), j = i == 0 ? 1 : dice_.pick(std::vector<int>{0, 0, 1, 2});
      terms.push_back(leaf(number() + "*" + (two_ && i > 0 && dice_.chance(30) ? "v" : "u") + "(" + moved("i", -i) +
                           "," + moved("j", -j) + depth + ")"));
    }
    draft_.equations.push_back({element("u"), join("", std::move(terms), " + ", ""), {"2 <= i", "2 <= j"}});
    if (two_)
      draft_.equations.push_back({element("v"), join("", {leaf(element("u")), leaf(element("x"))}, " - ", ""), {}});
  }

  Dice& dice_;
  Draft draft_;
  const bool deep_;
  const bool two_ = dice_.chance(30);
};

}  // namespace

Draft generate_pipeline(Dice& dice) { return PipelineGenerator(dice).run(); }

}  // namespace trellis::randomised
