#include "tests/random/generate_products.hpp"

#include "tests/random/random_format.hpp"

namespace trellis::randomised {
namespace {

using Names = std::vector<std::string>;

/// by * n + more
std::string times(int by, const std::string& n, int more = 0) {
  const std::string all = by == 1 ? n : std::to_string(by) + "*" + n;
  return more == 0 ? all : all + "+" + std::to_string(more);
}

class ProductsGenerator {
 public:
  explicit ProductsGenerator(Dice& dice)
      : dice_(dice), n_(dice.chance(40) ? "n" : dice.pick(Names{"1", "2", "3"})), rows_(dice.chance(35)) {}

  /// Operands have 12 * n + 12 elements, results no more than 12 * n.
  Draft run() {
    if (rows_) row_ = dice_.pick(std::vector<int>{2, 3, 4, 5, 6});
    Tree right = expression(3);
    const bool sums = dice_.chance(25);
    const std::string size = times(12, n_);
    const Names indices = rows_ ? Names{"i", "j"} : Names{"k"};
    const std::string sizes = rows_ ? times(rows_per(), n_) + ", " + std::to_string(row_) : size;
    Names constraints;
    if (rows_) constraints = {"i < " + times(rows_per(), n_), "j < " + std::to_string(row_)};
    else constraints = {"k < " + size};
    if (sums) {
      right = join(dice_.pick(Names{"sum(", "sum(", "max("}) + list(indices) + ")(", {std::move(right)}, "", ")");
      draft_.equations.push_back({"X", std::move(right), constraints});
      return draft_;
    }
    draft_.declarations.push_back("tensor X(" + sizes + "): f64" + result(static_cast<int>(indices.size())));
    draft_.equations.push_back({"X(" + list(indices) + ")", std::move(right), {}});
    return draft_;
  }

 private:
  static constexpr int margin = 6;

  /// As many rows of the result as there is room for, whatever the operand's index is moved by.
  int rows_per() const { return row_ <= 3 ? 2 : 1; }

  /// Not of one region: what is 0 * -1 in the reference, and nothing else, has no room there.
  std::string result(int rank) {
    std::string attributes = random_attributes(dice_, {rank, Values::numbers, true, 60});
    const auto has = [&](const char* word) { return attributes.find(word) != std::string::npos; };
    return has("pinpoint") || has("interval") ? rank == 1 ? " {compressed}" : " csr" : attributes;
  }

  /// What stands for the number of an element: within the range whatever n is.
  std::string number() {
    const std::string k = rows_ ? std::to_string(row_) + "*i+j" : "k";
    const int kind = dice_.below(100);
    if (kind < 50) return k;
    if (kind < 70) return k + "+" + std::to_string(1 + dice_.below(margin));
    if (kind < 85) return times(12, n_, 12 - 1 - dice_.below(margin)) + "-" + (rows_ ? "(" + k + ")" : k);
    return rows_ ? k : "k+2";
  }

  /// A digit times the factor plus the offset.
  struct Moved {
    int factor = 1, offset = 0;
    std::string of(const std::string& digit) const { return times(factor, digit, offset); }
  };
  Moved moved(bool moves) {
    if (!moves || dice_.chance(40)) return {};
    return {dice_.chance(70) ? 1 : 2 + dice_.below(2), dice_.below(4)};
  }

  Tree operand() {
    static const std::vector<std::vector<int>> cuts{{2}, {3}, {4}, {6}, {12}, {2, 2}, {3, 2}, {2, 6}, {4, 3}};
    const std::vector<int>& sizes = dice_.pick(cuts);
    const std::string name(1, static_cast<char>('A' + operands_++));
    int inside = 1;
    for (const int size : sizes) inside *= size;
    const std::string of = number();
    const bool moves = dice_.chance(35);
    const Moved top = moved(moves);
    const int rows = top.factor * (12 / inside);
    std::string shape = times(rows, n_, rows + top.offset);
    Names indices{top.of("((" + of + ")/" + std::to_string(inside) + ")")};
    for (const int size : sizes) {
      const int below = inside / size;
      const Moved one = moved(moves);
      shape += ", " + std::to_string(one.factor * size + one.offset + (moves ? dice_.below(2) : 0));
      const std::string digit = below == 1 ? "(" + of + ")" : "((" + of + ")/" + std::to_string(below) + ")";
      indices.push_back(one.of("(" + digit + "%" + std::to_string(size) + ")"));
      inside = below;
    }
    const int rank = static_cast<int>(indices.size());
    const Names usual =
        rank == 2 ? Names{" csr", " dcsr", " coo"} : Names{" csf", " coo", " {dense, dense, compressed}"};
    const FormatWishes wishes{rank, Values::numbers, false, 80};
    const std::string attributes = dice_.chance(70) ? dice_.pick(usual) : random_attributes(dice_, wishes);
    draft_.declarations.push_back("tensor " + name + "(" + shape + "): f64" + attributes);
    return leaf(name + "(" + list(indices) + ")");
  }

  /// Stored as it is, in one level.
  Tree vector() {
    if (rows_) return operand();
    const std::string name(1, static_cast<char>('A' + operands_++));
    draft_.declarations.push_back("tensor " + name + "(" + times(12, n_, 12) + "): f64" +
                                  dice_.pick(Names{" {compressed}", " {compressed}", "", " {rle}"}));
    return leaf(name + "(" + number() + ")");
  }

  Tree expression(int depth) {
    if (depth == 0 || operands_ > 4 || dice_.chance(20)) return dice_.chance(80) ? operand() : vector();
    std::vector<Tree> parts{expression(depth - 1), expression(depth - 1)};
    const int kind = dice_.below(100);
    if (kind < 40) return join("(", std::move(parts), " + ", ")");
    if (kind < 80) return join("(", std::move(parts), "*", ")");
    if (kind < 90) return join(dice_.pick(Names{"max(", "min("}), std::move(parts), ", ", ")");
    return join("(1 + ", {parts[0]}, "", ")");
  }

  Dice& dice_;
  const std::string n_;
  const bool rows_;
  int row_ = 1, operands_ = 0;
  Draft draft_;
};

}  // namespace

Draft generate_products(Dice& dice) { return ProductsGenerator(dice).run(); }

}  // namespace trellis::randomised
