#include "tests/random/generate_merges.hpp"

#include "tests/random/random_format.hpp"

namespace trellis::randomised {
namespace {

using Names = std::vector<std::string>;

class MergesGenerator {
 public:
  explicit MergesGenerator(Dice& dice) : dice_(dice), truths_(dice.chance(30)), matrices_(dice.chance(30)) {}

  Draft run() {
    const int count = dice_.pick(std::vector<int>{2, 3, 3, 3, 4, 5});
    for (int k = 0; k < count; ++k) declare(std::string(1, static_cast<char>('A' + k)));
    Tree right = expression(3);
    if (dice_.chance(40)) {
      // The first operand, which stands for itself, says how far indices range.
      const std::string glue = truths_ ? dice_.pick(Names{" && ", " || "}) : dice_.pick(Names{"*", " + "});
      right = join("(", {leaf(operands_.front()), std::move(right)}, glue, ")");
      const std::string reduction =
          truths_ ? dice_.pick(Names{"any", "all"}) : dice_.pick(Names{"sum", "sum", "max", "min"});
      draft_.equations.push_back({"X", join(reduction + "(" + indices() + ")(", {std::move(right)}, "", ")"), {}});
    } else {
      const FormatWishes wishes{matrices_ ? 2 : 1, truths_ ? Values::truths : Values::numbers, true, 50};
      draft_.declarations.push_back("tensor X(" + sizes() + "): " + type() + random_attributes(dice_, wishes));
      draft_.equations.push_back({"X(" + indices() + ")", std::move(right), {}});
    }
    return draft_;
  }

 private:
  std::string indices() const { return matrices_ ? "i,j" : "i"; }
  std::string sizes() const { return matrices_ ? "n, n" : "n"; }
  std::string type() const { return truths_ ? "bool" : "f64"; }

  /// Mostly what can be merged: ordered levels, and the fill that annihilates.
  void declare(const std::string& name) {
    Names usual = matrices_ ? Names{" {dense, compressed}", " {compressed, compressed}"} : Names{" {compressed}"};
    if (truths_)
      usual = matrices_ ? Names{" {dense, compressed, pattern}", " {dense, compressed}"}
                        : Names{" {compressed, pattern}", " {compressed}"};
    const FormatWishes wishes{matrices_ ? 2 : 1, truths_ ? Values::truths : Values::numbers, false, 90};
    const std::string attributes = dice_.chance(75) ? dice_.pick(usual) : random_attributes(dice_, wishes);
    // Some are walked in steps, backwards, or each entry several times.
    static const std::vector<Way> ways{{"i", "n"},       {"2*i", "2*n"},    {"2*i+1", "2*n"}, {"2*n-1-2*i", "2*n"},
                                       {"3*i+1", "3*n"}, {"n-1-i", "n"},    {"i+1", "n+1"},   {"i/2", "n"},
                                       {"(i+1)/3", "n"}, {"(n-1-i)/2", "n"}};
    const Way& way = operands_.empty() || dice_.chance(65) ? ways.front() : dice_.pick(ways);
    const bool last = matrices_ && dice_.chance(50);
    std::string j = way.index;
    for (char& c : j)
      if (c == 'i') c = 'j';
    const std::string extents = !matrices_ ? way.extent : last ? "n, " + way.extent : way.extent + ", n";
    draft_.declarations.push_back("tensor " + name + "(" + extents + "): " + type() + attributes);
    operands_.push_back(name + "(" + (!matrices_ ? way.index : last ? "i, " + j : way.index + ", j") + ")");
  }

  /// Mostly one that is not read yet: only different ones walk beside each other.
  Tree operand() {
    std::string access = dice_.pick(operands_);
    if (unread_ < operands_.size() && dice_.chance(60)) access = operands_[unread_++];
    return leaf(access);
  }

  /// Its second factor is nowhere 0, so it only follows.
  Tree followed() { return join("", {operand(), join("(1 + ", {operand()}, "", ")")}, "*", ""); }

  Tree expression(int depth) {
    if (depth == 0 || dice_.chance(15)) return operand();
    std::vector<Tree> parts;
    for (int count = dice_.chance(75) ? 2 : 3; count > 0; --count) parts.push_back(expression(depth - 1));
    const int kind = dice_.below(100);
    if (truths_) {
      if (kind < 40) return join("(", std::move(parts), " && ", ")");
      if (kind < 75) return join("(", std::move(parts), " || ", ")");
      if (kind < 88) return join("!", {join("(", std::move(parts), " || ", ")")}, "", "");
      return join("(", {parts[0], parts[1]}, " != ", ")");
    }
    if (kind < 40) return join("(", std::move(parts), " + ", ")");
    if (kind < 64) return join("", std::move(parts), "*", "");
    if (kind < 72) return followed();
    if (kind < 78) return join("(1 + ", {parts[0]}, "", ")");
    if (kind < 86) return join(dice_.pick(Names{"min(", "max("}), std::move(parts), ", ", ")");
    if (kind < 93) return join("(", {parts[0], parts[1]}, " - ", ")");
    return join("(", {join("", {operand()}, "", " != 0 ? "), join("", {parts[0]}, "", " : "), parts[1]}, "", ")");
  }

  struct Way {
    std::string index, extent;
  };

  Dice& dice_;
  bool truths_, matrices_;
  Draft draft_;
  Names operands_;  ///< accesses
  std::size_t unread_ = 0;
};

}  // namespace

Draft generate_merges(Dice& dice) { return MergesGenerator(dice).run(); }

}  // namespace trellis::randomised
