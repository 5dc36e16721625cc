#include "tests/random/generate_runs.hpp"

namespace trellis::randomised {
namespace {

using Choices = std::vector<std::string>;

class RunsGenerator {
 public:
  explicit RunsGenerator(Dice& dice) : dice_(dice) {}

  Draft run() {
    type_ = dice_.pick(Choices{"i64", "i64", "f64", "i32"});
    const Choices rows{"{rle}",        "{rle}",      "{sparse_rle}", "{interval}", "{interval}",
                       "{compressed}", "{pinpoint}", "{vbl}",        "{band}",     ""};
    for (const char* vector : {"x", "y", "z"}) declare(std::string(vector) + "(n)", dice_.pick(rows));
    declare("A(m,n)",
            dice_.pick(Choices{"{dense, rle}", "{dense, sparse_rle}", "{rle, dense}", "{dense, interval}", "csr"}));
    if (dice_.chance(35)) return equations();
    for (const char* scalar : {"s", "t", "best"}) declare(scalar, "");
    for (const char* index : {"at", "more"}) draft_.declarations.push_back(std::string("tensor ") + index + ": i64");
    std::vector<Tree> body;
    const int count = 1 + dice_.below(2);
    for (int k = 0; k < count; ++k) body.push_back(statement(2));
    if (dice_.chance(30)) body = {block("for k in 0:m", std::move(body))};
    const std::string head = "for i" + Choices{"", "", " down"}[static_cast<std::size_t>(dice_.below(3))];
    draft_.actions = {leaf("at = -1"),
                      block(head + " in " + dice_.pick(Choices{"0:n", "0:n", "1:n", "0:n-1"}), std::move(body))};
    if (dice_.chance(50)) draft_.actions.insert(draft_.actions.begin(), leaf("best = " + number()));
    return draft_;
  }

 private:
  void declare(const std::string& what, const std::string& format) {
    const std::string fill = !format.empty() && dice_.chance(25) ? " fill 1" : "";
    draft_.declarations.push_back("tensor " + what + ": " + type_ + (format.empty() ? "" : " " + format) + fill);
  }

  static Tree block(const std::string& open, std::vector<Tree> body) {
    return {open + " {\n", std::move(body), "\n", "\n}"};
  }

  std::string number() { return std::to_string(dice_.below(3)); }
  std::string operand() { return dice_.pick(Choices{"x(i)", "x(i)", "y(i)", "z(i)", "x(n-1-i)"}); }

  std::string value() {
    const std::string a = operand();
    switch (dice_.below(5)) {
      case 0: return a + " + " + operand();
      case 1: return a + " * " + operand();
      case 2: return "max(" + a + ", " + operand() + ")";
      case 3: return number();
      default: return a;
    }
  }

  std::string condition() {
    return dice_.pick(Choices{operand(), operand() + " + " + operand(), "t"}) +
           dice_.pick(Choices{" > ", " == ", " < "}) + number();
  }

  Tree statement(int depth) {
    const int kind = dice_.below(10);
    if (kind < 3 && depth > 0) return branch(depth);
    if (kind < 6) return choice();
    if (kind < 7 && depth > 0)
      return block("let v = " + value(), {leaf(dice_.pick(Choices{"s += v", "s max= v", "t -= v"}))});
    return update();
  }

  Tree branch(int depth) {
    Tree then = block("if " + condition(), {statement(depth - 1)});
    then.close = "\n} else {\n";
    return {"", {std::move(then), {"", {statement(depth - 1)}, "\n", "\n}"}}, "", ""};
  }

  Tree update() {
    const std::string target = dice_.pick(Choices{"s", "s", "t", "t", "more"});
    if (target == "more") return leaf(target + dice_.pick(Choices{" += 1", " = i", " max= i"}));
    return leaf(target + dice_.pick(Choices{" += ", " += ", " += ", " -= ", " max= ", " min= ", " = "}) + value());
  }

  /// In the spellings that people use, and in some that are none.
  Tree choice() {
    const std::string candidate = dice_.chance(70) ? operand() : value();
    const std::string better = dice_.pick(Choices{" > ", " < ", " > ", " < ", " >= "});
    const std::string wins = "(" + candidate + ")" + better + "best";
    const std::string condition =
        dice_.pick(Choices{wins, wins, "at < 0 || " + wins, wins + " || at < 0 && (" + candidate + ") == best"});
    std::vector<Tree> taken{leaf("best = " + candidate)};
    if (dice_.chance(80))
      taken.push_back(leaf(dice_.pick(Choices{"at = i", "at = i", "at = i", "at = i + 2", "at = n-1-i"})));
    if (dice_.chance(25))
      taken.push_back(leaf(dice_.pick(Choices{"more += 1", "t += 1", "more = i", "s = " + operand()})));
    if (dice_.chance(20)) std::swap(taken.front(), taken.back());
    return block("if " + condition, std::move(taken));
  }

  Draft equations() {
    const std::string op = dice_.pick(Choices{"argmin", "argmax", "argmax", "sum", "max"});
    const std::string body =
        dice_.pick(Choices{value(), value(), "(" + condition() + " ? " + value() + " : " + value() + ")"});
    draft_.declarations.push_back("tensor X: " + (op.starts_with("arg") ? "i64" : type_));
    draft_.declarations.push_back("tensor Y(m): i64");
    draft_.declarations.push_back("tensor t: " + type_);
    draft_.equations.push_back({"X", leaf(op + "(i)(" + body + ")"), {}});
    draft_.equations.push_back({"Y(j)",
                                leaf(dice_.pick(Choices{"argmax", "argmin"}) + "(i)(A(j,i)" +
                                     dice_.pick(Choices{"", " + x(i)", " * z(i)"}) + ")"),
                                {}});
    return draft_;
  }

  Dice& dice_;
  Draft draft_;
  std::string type_;
};

}  // namespace

Draft generate_runs(Dice& dice) { return RunsGenerator(dice).run(); }

}  // namespace trellis::randomised
