#pragma once
// Iteration algebras: which coordinates of a loop need a visit, as a Boolean function of what its operands offer there.
//
//   A(i)*B(i) + C(i)      (A ∩ B) ∪ C            literals are numbers, of the sequences that the loop walks
//
// A function is kept as its reduced decision diagram, numbered in the order of one walk, so that equal functions are
// equal values and simplification is for free; sums and products of many operands take a node each. Beyond `most_nodes`
// it widens to "everywhere", which is always a correct superset.
// Sources: Henry et al., Compilation of sparse array programming models, section 4; Bryant, Graph-based algorithms for
// Boolean function manipulation.

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace trellis::coiterate {

class Algebra {
 public:
  /// More than any function of twelve literals has.
  static constexpr std::size_t most_nodes = 1024;

  static Algebra nowhere() { return Algebra({}, no); }
  static Algebra everywhere() { return Algebra({}, yes); }
  static Algebra literal(int number) { return Algebra({{number, no, yes}}, first_node); }

  Algebra operator&(const Algebra& other) const;
  Algebra operator|(const Algebra& other) const;
  /// Of a literal; a superset of the complement in general, as widening may have happened.
  Algebra operator!() const;
  /// What is left where the sequence has ended (false) or has an entry (true).
  Algebra with(int literal, bool present) const;

  bool is_nowhere() const { return root_ == no; }
  bool is_everywhere() const { return root_ == yes; }
  /// Those on which the function depends, ascending.
  const std::vector<int>& literals() const { return literals_; }
  /// Of all subsets of its literals, how many are there where it holds.
  double cases() const;
  bool depends_on(int literal) const;
  /// Does an entry of the literal ever make a visit unnecessary?
  bool negates(int literal) const;

  bool operator==(const Algebra&) const = default;

 private:
  /// An end, or which node is next, counted from `first_node`.
  using Next = int;
  static constexpr Next no = 0, yes = 1, first_node = 2;
  struct Node {
    int literal;
    Next absent, present;
    auto operator<=>(const Node&) const = default;
  };
  class Builder;

  Algebra(std::vector<Node> nodes, Next root);
  const Node& at(Next node) const { return nodes_[static_cast<std::size_t>(node - first_node)]; }

  std::vector<Node> nodes_;  ///< each behind those that it leads to, the absent side first; literals rise on every way
  Next root_;
  std::vector<int> literals_;
};

/// A union of intersections, as few and as short as a greedy search finds; of very many the first.
struct Cover {
  using Term = std::vector<std::pair<int, bool>>;  ///< literals, and whether they are present; ascending
  std::vector<Term> terms;
  bool whole = true;  ///< they are all
};
Cover cover(const Algebra& algebra, std::size_t most_terms);

/// `A ∩ B ∪ C`, `∅`, `U`. Of very many terms `…` stands for the rest.
std::string to_string(const Algebra& algebra, const std::vector<std::string>& names);

}  // namespace trellis::coiterate
