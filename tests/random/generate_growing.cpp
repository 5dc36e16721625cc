#include "tests/random/generate_growing.hpp"

#include "tests/random/random_format.hpp"

namespace trellis::randomised {
namespace {

using Names = std::vector<std::string>;

class GrowingGenerator {
 public:
  explicit GrowingGenerator(Dice& dice) : dice_(dice) {
    const Names all = {"i", "j", "k", "l"};
    indices_.assign(all.begin(), all.begin() + dice.pick(std::vector<int>{2, 3, 3, 3, 4}));
  }

  Draft run() {
    declare("X", result_attributes());
    if (dice_.chance(50)) {
      const std::string back = dice_.pick(indices_);
      Names before = indices_;
      for (std::string& index : before)
        index = index == back ? back + "-1" : dice_.chance(20) ? dice_.pick(indices_) : index;
      define("X",
             join("", {source("A"), join("X(" + list(before), {}, "", ")")}, dice_.pick(Names{" + ", " - ", "*"}), ""),
             {back + " > 0"});
      Names first = indices_;
      for (std::string& index : first)
        if (index == back) index = "0";
      draft_.equations.push_back({"X(" + list(first) + ")", source("B", first), {}});
    } else {
      define("X", source("A"), {});
    }
    for (int reader = 0, readers = dice_.pick(std::vector<int>{0, 1, 1, 2}); reader < readers; ++reader)
      read(std::string(1, static_cast<char>('Y' + reader)));
    return draft_;
  }

 private:
  void declare(const std::string& name, const std::string& attributes) {
    draft_.declarations.push_back("tensor " + name + "(" + list(Names(indices_.size(), "n")) + "): f64" + attributes);
  }

  void define(const std::string& name, Tree right, std::vector<std::string> constraints) {
    draft_.equations.push_back({name + "(" + list(indices_) + ")", std::move(right), std::move(constraints)});
  }

  /// Mostly levels that are appended to, in any sequence, in the order of the most usual loops.
  std::string result_attributes() {
    if (dice_.chance(20))
      return random_attributes(dice_, {static_cast<int>(indices_.size()), Values::numbers, true, 100});
    Names levels;
    for (std::size_t l = 0; l < indices_.size(); ++l)
      levels.push_back(dice_.chance(l + 1 < indices_.size() ? 50 : 15) ? "dense"
                       : dice_.chance(8)                               ? "compressed(wide)"
                                                                       : "compressed");
    return " {" + list(levels) + "}" + (dice_.chance(15) ? " fill 1" : "");
  }

  /// A sparse operand of as many indices, or a product or a sum of ones with fewer.
  Tree source(const std::string& name) { return source(name, indices_); }
  Tree source(const std::string& name, const Names& indices) {
    const int kind = dice_.below(100);
    if (kind < 45) return access(name, indices);
    const auto cut = indices.begin() + 1 + dice_.below(static_cast<int>(indices.size()) - 1);
    return join("(", {access(name + "1", Names(indices.begin(), cut)), access(name + "2", Names(cut, indices.end()))},
                kind < 85 ? "*" : " + ", ")");
  }

  Tree access(const std::string& name, const Names& indices) {
    draft_.declarations.push_back(
        "tensor " + name + "(" + list(Names(indices.size(), "n")) + "): f64" +
        random_attributes(dice_, {static_cast<int>(indices.size()), Values::numbers, false, 75}));
    return leaf(name + "(" + list(indices) + ")");
  }

  /// An element of X chosen by fewer indices, or the sum over one of them.
  void read(const std::string& name) {
    Names chosen = indices_;
    const std::string gone = dice_.pick(indices_), kept = dice_.pick(indices_);
    const bool sum = dice_.chance(50);
    Names left;
    for (const std::string& index : indices_)
      if (index != gone) left.push_back(index);
    if (!sum)
      for (std::string& index : chosen)
        if (index == gone) index = kept == gone ? dice_.pick(left) : kept;
    if (dice_.chance(30))
      std::swap(chosen[static_cast<std::size_t>(dice_.below(static_cast<int>(chosen.size())))], chosen.front());
    Tree element = leaf("X(" + list(chosen) + ")");
    draft_.declarations.push_back("tensor " + name + "(" + list(Names(left.size(), "n")) + "): f64");
    draft_.equations.push_back({name + "(" + list(left) + ")",
                                sum ? join("sum(" + gone + ")(", {std::move(element)}, "", ")") : std::move(element),
                                {}});
  }

  Dice& dice_;
  Names indices_;
  Draft draft_;
};

}  // namespace

Draft generate_growing(Dice& dice) { return GrowingGenerator(dice).run(); }

}  // namespace trellis::randomised
