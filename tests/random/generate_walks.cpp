#include "tests/random/generate_walks.hpp"

namespace trellis::randomised {
namespace {

using Names = std::vector<std::string>;

class WalkGenerator {
 public:
  explicit WalkGenerator(Dice& dice) : dice_(dice) {}

  Draft run() {
    const std::string outside = least_ ? " fill inf" : "";
    for (const std::string matrix : {"A", "B"})
      draft_.declarations.push_back("tensor " + matrix + "(n, n): f64 " + layout() + outside);
    const std::string shape = columns_ ? "(n, m): f64" : "(n): f64";
    for (const std::string vector : {"x", "z", "y"}) draft_.declarations.push_back("tensor " + vector + shape);
    std::vector<Tree> terms;
    for (int k = 0, all = 1 + dice_.below(3); k < all; ++k) terms.push_back(walk());
    if (dice_.chance(40)) terms.push_back(leaf("z" + at("i")));
    draft_.equations.push_back({now("y"), join("", std::move(terms), " + ", ""), until()});
    if (dice_.chance(30) && !steps_)
      draft_.equations.push_back(
          {"s", join("sum(i" + std::string(columns_ ? ",c" : "") + ")(", {leaf("y" + at("i"))}, "", ")"), {}});
    draft_.declarations.push_back("ranks pe");
    draft_.schedule.push_back("distribute i over pe" + dice_.pick(Names{"", "", " by A", " by B", " by parts A"}));
    return draft_;
  }

 private:
  /// Mostly one whose rows are walked.
  std::string layout() {
    return dice_.pick(Names{"csr", "csr", "csr", "csr", "csr", "csr", "csr", "csr", "csr", "csc", "dcsr", "coo"});
  }

  std::string at(const std::string& index) const { return "(" + index + (columns_ ? ",c)" : ")"); }
  std::string now(const std::string& tensor) const { return tensor + (steps_ ? "[t]" : "") + at("i"); }
  Names until() const { return steps_ ? Names{"t < 3"} : Names{}; }

  Tree walk() {
    const std::string matrix = dice_.pick(Names{"A", "A", "B"}),
                      read = steps_ && dice_.chance(70) ? "y[t-1]" : dice_.pick(Names{"x", "z"});
    const std::string index = dice_.chance(92) ? "(i,j)" : "(j,i)";
    std::vector<Tree> factors{leaf(matrix + index), leaf(read + at("j"))};
    if (least_) return join("min(j)(", std::move(factors), " + ", ")");
    if (dice_.chance(20)) factors[1] = join("(", {leaf(read + at("j")), leaf("z" + at("i"))}, " - ", ")");
    if (dice_.chance(15)) factors.push_back(leaf(dice_.pick(Names{"A", "B"}) + "(i,j)"));
    return join(dice_.chance(94) ? "sum(j)(" : "max(j)(", std::move(factors), " * ", ")");
  }

  Dice& dice_;
  Draft draft_;
  const bool least_ = dice_.chance(20), columns_ = dice_.chance(25), steps_ = dice_.chance(30);
};

}  // namespace

Draft generate_walks(Dice& dice) { return WalkGenerator(dice).run(); }

}  // namespace trellis::randomised
