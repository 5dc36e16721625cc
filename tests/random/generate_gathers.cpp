#include "tests/random/generate_gathers.hpp"

namespace trellis::randomised {
namespace {

using Names = std::vector<std::string>;

class GathersGenerator {
 public:
  explicit GathersGenerator(Dice& dice) : dice_(dice) {}

  Draft run() {
    const std::string promised = promise();  // whose values are below n, whether or not that is promised as well
    const bool ranged = promised.empty() || dice_.chance(70);
    draft_.declarations = {
        "tensor s(n): i64 " + promised + (ranged ? " range(0, n)" : ""),
        "tensor r(n, n): i64 " + dice_.pick(Names{"sorted", "sorted(strictly)", "decreasing", ""}) + " range(0, n)"};
    if (dice_.chance(25)) return scatter();
    const bool matrix = dice_.chance(50);
    const std::string format = dice_.pick(Names{"compressed", "compressed", "compressed", "compressed(wide)"});
    const std::string stored = dice_.pick(Names{"{dense, " + format + "}", "{dense, " + format + "}", "csc", "dcsr"});
    draft_.declarations.push_back(matrix ? "tensor B(n, n): f64 " + stored : "tensor B(n): f64 {" + format + "}");
    const std::string element = "B(" + (matrix ? index() + "," : "") + index() + ")";
    Tree right = leaf(element);
    if (dice_.chance(40)) {
      draft_.declarations.push_back("tensor A(n, n): f64 " + dice_.pick(Names{"csr", "dense"}));
      right = join("(", {leaf("A(i,j)"), std::move(right)}, "*", ")");
    }
    const bool sum = dice_.chance(40);
    draft_.declarations.push_back(sum ? "tensor Y(n): f64" : "tensor Y(n, n): f64");
    if (sum) right = join("sum(j)(", {std::move(right)}, "", ")");
    draft_.equations.push_back({sum ? "Y(i)" : "Y(i,j)", std::move(right), sum ? Names{"j < n"} : Names{}});
    if (dice_.chance(80)) draft_.schedule.push_back("find B " + dice_.pick(Names{"scan", "gallop"}));
    return draft_;
  }

 private:
  std::string promise() {
    return dice_.pick(Names{"sorted", "sorted", "sorted(strictly)", "decreasing", "injective", "injective sorted", ""});
  }

  std::string index() {
    return dice_.pick(Names{"i", "j", "i/2", "(i + j)/2", "n - 1 - j", "s(i)", "s(i)", "s(j)", "s(j/2)", "r(i,j)",
                            "r(j,i)", "s(s(i))", "n - 1 - s(j)", "s(n - 1 - i)", "(s(i) + s(j))/2"});
  }

  Draft scatter() {
    draft_.declarations.push_back("tensor x(n): f64");
    draft_.declarations.push_back("tensor Y(n): f64");
    const std::string to = dice_.pick(Names{"s(i)", "s(i)", "s(n - 1 - i)"});
    draft_.actions = {leaf("for i { Y(" + to + ")" + dice_.pick(Names{" = ", " += "}) + "x(i) }")};
    draft_.schedule.push_back("parallel i");
    return draft_;
  }

  Dice& dice_;
  Draft draft_;
};

}  // namespace

Draft generate_gathers(Dice& dice) { return GathersGenerator(dice).run(); }

}  // namespace trellis::randomised
