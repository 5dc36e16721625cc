// Dependences by tuples of digits: what is legal, or certified, for all sizes is legal for each. Tensors hold the same
// elements in different shapes, and steps read them in one from what was written in another.
#include <doctest/doctest.h>

#include "engine/place/place.hpp"
#include "tests/random/generate.hpp"
#include "tests/random/program_case.hpp"
#include "tests/random/wanted.hpp"

namespace trellis::randomised {
namespace {

using Names = std::vector<std::string>;

class TuplesGenerator {
 public:
  explicit TuplesGenerator(Dice& dice) : dice_(dice) {}

  std::string run() {
    const int count = 2 + dice_.below(2);
    for (int t = 0; t < count; ++t) shapes_.push_back(shape());
    std::string text;
    for (int t = 0; t < count; ++t) text += "tensor " + tensor(t) + "(" + list(shapes_[index(t)]) + ")\n";
    for (int t = 0; t < count; ++t) text += equation(t) + "\n";
    return text;
  }

 private:
  static std::size_t index(int tensor) { return static_cast<std::size_t>(tensor); }
  static std::string tensor(int t) { return std::string(1, "XYZ"[t]); }

  /// The factors of all elements, some of them taken together.
  Names shape() {
    Names factors{"n", "m"};
    if (dice_.chance(50)) factors.push_back("2");
    else factors.front() = "2*n";
    if (dice_.chance(20)) std::swap(factors.front(), factors.back());
    Names dimensions;
    for (const std::string& f : factors) {
      if (dimensions.empty() || dice_.chance(60)) dimensions.push_back(f);
      else dimensions.back() += "*" + f;
    }
    return dimensions;
  }

  static Names variables(std::size_t rank) {
    return rank == 1 ? Names{"k"} : rank == 2 ? Names{"i", "j"} : Names{"i", "j", "l"};
  }

  std::string equation(int t) {
    const Names left = variables(shapes_[index(t)].size());
    std::string right = "1";
    for (int terms = 1 + dice_.below(2); terms > 0; --terms) {
      const int from = dice_.below(static_cast<int>(shapes_.size()));
      right += " + " + read(from, from < t && dice_.chance(60) ? "t" : "t-1", left, shapes_[index(t)]);
    }
    return tensor(t) + "[t](" + list(left) + ") = " + right + " : t < 3";
  }

  std::string read(int from, const std::string& step, const Names& wanted, const Names& sizes) {
    const Names& shape = shapes_[index(from)];
    if (shape == sizes) {
      Names own = wanted;
      if (own.size() > 1 && sizes.front() == sizes.back()) std::swap(own.front(), own.back());
      return tensor(from) + "[" + step + "](" + list(own) + ")";
    }
    Names inner;
    for (std::size_t d = 0; d < shape.size(); ++d) inner.push_back(std::string(1, "pqr"[d]) + std::to_string(reads_));
    ++reads_;
    const std::string operand = tensor(from) + "[" + step + "](" + list(inner) + ")";
    if (inner.size() > 1 && dice_.chance(25)) std::swap(inner.front(), inner.back());
    const auto grouped = [](const Names& names) { return names.size() == 1 ? names.front() : "(" + list(names) + ")"; };
    const std::string op = wanted.size() == 1 && inner.size() > 1   ? "collapse"
                           : inner.size() == 1 && wanted.size() > 1 ? "split"
                                                                    : "reshape";
    return op + "(" + operand + ", " +
           (op == "reshape" ? "(" + list(inner) + ")->(" + list(wanted) + ")"
                            : grouped(inner) + "->" + grouped(wanted)) +
           ")";
  }

  Dice& dice_;
  std::vector<Names> shapes_;
  int reads_ = 0;
};

const std::vector<std::pair<int, int>> some_sizes{{1, 2}, {2, 3}, {3, 2}, {2, 2}, {3, 1}, {2, 4}};

std::optional<place::Analysis> analysed(const std::string& source, std::string* complaint = nullptr) {
  auto program = read_case(source, complaint);
  if (!program) return std::nullopt;
  text::Diagnostics diagnostics;
  return place::analyse(program->program, program->kernel(), diagnostics);
}

std::string with_sizes(const std::string& source, std::pair<int, int> sizes) {
  return "param n = " + std::to_string(sizes.first) + "\nparam m = " + std::to_string(sizes.second) + "\n" + source;
}

TEST_CASE("random tuples: what is legal for all sizes is legal for each, and a certificate for all holds for each") {
  const int wanted = randomised::wanted(36);
  Dice dice(first_seed(370000));
  int orders = 0, exact = 0, certified = 0, legal = 0;
  for (int program = 0; program < wanted; ++program) {
    const std::string source = TuplesGenerator(dice).run();
    CAPTURE(source);
    std::string complaint;
    const auto by_names = analysed(source, &complaint);
    CAPTURE(complaint);
    std::vector<place::Analysis> each;
    for (const auto& sizes : some_sizes) {
      auto one = analysed(with_sizes(source, sizes), &complaint);
      REQUIRE(one);
      each.push_back(std::move(*one));
    }
    for (int k = 0; k < 4; ++k) {
      const lang::Order order = random_order(dice, each.front().kernel.variables());
      CAPTURE(lang::to_string(order));
      const auto legal_in = [&](const place::Analysis& analysis) { return place::is_legal(analysis, order); };
      const bool everywhere = std::ranges::all_of(each, legal_in);
      const bool for_all = by_names && legal_in(*by_names);
      CHECK((!for_all || everywhere));
      for (const place::Analysis& one : each) {
        const auto placement = place::place(one, order);
        const auto* placed = std::get_if<place::Placed>(&placement);
        if (!placed || !placed->certificate.sizes.starts_with("for all sizes")) continue;
        CHECK(everywhere);
        ++certified;
      }
      ++orders;
      legal += everywhere;
      exact += everywhere && for_all;
    }
  }
  CAPTURE(orders);
  MESSAGE(orders, " orders, ", legal, " legal, ", exact, " by tuples, ", certified, " certificates for all");
  CHECK(legal < orders);
  CHECK(exact * 2 > legal);
  CHECK(certified > exact);
}

}  // namespace
}  // namespace trellis::randomised
