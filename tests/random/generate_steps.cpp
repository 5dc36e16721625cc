#include "tests/random/generate_steps.hpp"

#include <algorithm>

namespace trellis::randomised {
namespace {

using Names = std::vector<std::string>;

struct StepTensor {
  std::string name;
  int rank = 1;
};

class StepsGenerator {
 public:
  explicit StepsGenerator(Dice& dice) : dice_(dice) {}

  Draft run() {
    type_ = dice_.pick(Names{"f64", "f64", "f64", "i64", "i32"});
    over_dimension_ = dice_.chance(40);
    step_ = over_dimension_ ? "k" : "t";
    const int count = 1 + dice_.below(2);
    for (int r = 0; r < count; ++r) {
      tensors_.push_back({std::string(1, static_cast<char>('X' + r)), dice_.chance(45) ? 2 : 1});
      declare(tensors_.back().name, tensors_.back().rank);
    }
    declare("A", 2), declare("b", 1);
    if (dice_.chance(35)) {
      tensors_.push_back({"u", 0});
      declare("u", 0);
    }
    for (const StepTensor& tensor : tensors_) define(tensor);
    if (dice_.chance(30)) stop();
    return draft_;
  }

 private:
  void declare(const std::string& name, int rank) {
    draft_.declarations.push_back("tensor " + name + (rank == 0 ? "" : rank == 1 ? "(n)" : "(n, n)") + ": " + type_);
  }

  static std::string element(const std::string& name, const Names& at, const std::string& step = "") {
    std::string text = name + (step.empty() ? "" : "[" + step + "]");
    for (std::size_t d = 0; d < at.size(); ++d) text += (d ? "," : "(") + at[d];
    return at.empty() ? text : text + ")";
  }

  Names free_of(const StepTensor& tensor) const {
    return tensor.rank == 0 ? Names{} : tensor.rank == 1 ? Names{"i"} : Names{"i", "j"};
  }

  void define(const StepTensor& tensor) {
    const Names free = free_of(tensor);
    if (dice_.chance(25)) draft_.equations.push_back({element(tensor.name, free, "-1"), sum({operand(free)}), {}});
    const int shape = tensor.rank == 0 ? 0 : dice_.below(6);
    if (shape == 1) {  // a border of its own
      Names border = free;
      border[0] = "0";
      Names rest(free.begin() + 1, free.end());
      equation(tensor, border, rest, {});
      equation(tensor, free, free, {"1 <= i"});
    } else if (shape == 2) {  // red and black
      const std::string parity = tensor.rank == 2 ? "(i+j)%2" : "i%2";
      equation(tensor, free, free, {parity + " = 0"});
      if (dice_.chance(70)) equation(tensor, free, free, {parity + " = 1"});
    } else if (shape == 3) {  // what is not defined keeps its value
      equation(tensor, free, free, {tensor.rank == 2 && dice_.chance(50) ? "j < i" : "1 <= i"});
    } else if (shape == 5) {
      advance(tensor, free);
    } else {
      equation(tensor, free, free, {});
    }
  }

  /// A front that goes forward by one row in each step: its borders, and what lies between them. Seldom is anything
  /// else read.
  void advance(const StepTensor& tensor, const Names& free) {
    const Names rest(free.begin() + 1, free.end());
    const auto row = [&](const std::string& index) {
      Names at = rest;
      at.insert(at.begin(), index);
      return at;
    };
    const Names limits = over_dimension_ ? Names{} : Names{step_ + " < " + std::to_string(dice_.below(5))};
    const auto with = [&](Names constraints) {
      constraints.insert(constraints.end(), limits.begin(), limits.end());
      return constraints;
    };
    draft_.equations.push_back({element(tensor.name, row(step_), step_), sum({leaf(step_)}), with({step_ + " < n"})});
    if (dice_.chance(70))
      draft_.equations.push_back(
          {element(tensor.name, row("0"), step_), sum({operand(rest)}), with({"1 <= " + step_})});
    std::vector<Tree> terms{leaf(element(tensor.name, row("i-1"), step_ + "-1"))};
    if (dice_.chance(50)) terms.push_back(leaf(element(tensor.name, row("i"), step_ + "-1")));
    Names between{"1 <= i", "i < " + step_};
    if (dice_.chance(40)) between.push_back(step_ + " <= i + 2");
    draft_.equations.push_back({element(tensor.name, free, step_), sum(std::move(terms)), with(std::move(between))});
  }

  void equation(const StepTensor& tensor, const Names& at, const Names& free, Names constraints) {
    const bool inner = !constraints.empty() && constraints[0] == "1 <= i";
    std::vector<Tree> terms;
    const int count = 1 + dice_.below(3);
    for (int c = 0; c < count; ++c) terms.push_back(term(tensor, free, inner));
    if (over_dimension_ && dice_.chance(70)) terms.push_back(leaf(element("b", {step_})));
    if (!over_dimension_) constraints.push_back(step_ + " < " + std::to_string(dice_.below(4)));
    draft_.equations.push_back({element(tensor.name, at, step_), sum(std::move(terms)), std::move(constraints)});
  }

  Tree sum(std::vector<Tree> terms) {
    const bool least = dice_.chance(40);
    if (terms.size() < 2) return Tree{"", std::move(terms), "", ""};
    return Tree{least ? "min(" : "", std::move(terms), least ? ", " : " + ", least ? ")" : ""};
  }

  Tree term(const StepTensor& self, const Names& free, bool inner) {
    const StepTensor& other = tensors_[static_cast<std::size_t>(dice_.below(static_cast<int>(tensors_.size())))];
    const bool before = other.name == self.name || dice_.chance(60);
    Names at = free_of(other);
    // Indices that the left side lacks are summed over, or fixed to the step where that is a dimension.
    for (std::string& index : at) {
      const bool bound = std::find(free.begin(), free.end(), index) != free.end();
      if (over_dimension_ && dice_.chance(35)) index = step_;
      else if (!bound || dice_.chance(15)) return reduction(other, free, at);
      else if (inner && index == "i" && dice_.chance(50)) index = "i-1";
    }
    if (!at.empty() && other.rank == 2 && dice_.chance(20)) std::swap(at[0], at[1]);
    // The step under way may be read where a sweep has passed: row i-1.
    const bool passed = other.name == self.name && !at.empty() && at[0] == "i-1" && dice_.chance(50);
    return leaf(element(other.name, at, before && !passed ? step_ + "-1" : step_));
  }

  Tree reduction(const StepTensor& other, const Names& free, Names at) {
    const std::string op = dice_.pick(Names{"sum", "max", "min"});
    Names bound;
    for (std::size_t d = 0; d < at.size(); ++d) {
      at[d] = d == 0 ? "p" : "q";
      if (d == 1 && free.size() > 0 && dice_.chance(50)) at[d] = free[0];
      else bound.push_back(at[d]);
    }
    std::string names;
    for (const std::string& name : bound) names += (names.empty() ? "" : ",") + name;
    return leaf(op + "(" + names + ")(" + element(other.name, at, step_ + "-1") + ")");
  }

  Tree operand(const Names& free) {
    if (free.size() == 2) return leaf(element("A", free));
    return leaf(free.empty() ? std::to_string(dice_.below(3)) : element("b", free));
  }

  void stop() {
    const StepTensor& tensor = tensors_.front();
    const Names at = free_of(tensor);
    const std::string names = at.size() == 2 ? "i,j" : "i";
    draft_.schedule.push_back("until " + dice_.pick(Names{"max", "sum", "min"}) + "(" + names + ")(" +
                              element(tensor.name, at, step_) + ") " + dice_.pick(Names{"< ", "> "}) +
                              std::to_string(dice_.below(6)));
  }

  Dice& dice_;
  Draft draft_;
  std::string type_, step_;
  bool over_dimension_ = false;
  std::vector<StepTensor> tensors_;
};

}  // namespace

Draft generate_steps(Dice& dice) { return StepsGenerator(dice).run(); }

}  // namespace trellis::randomised
