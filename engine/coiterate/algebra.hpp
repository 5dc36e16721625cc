#pragma once
// Iteration algebras: which coordinates of a loop need a visit, as a Boolean function of what its operands offer there.
//
//   A(i)*B(i) + C(i)      (A ∩ B) ∪ C            literals are numbers, of the sequences that the loop walks
//
// A function is kept as its truth table over the literals that matter, so that equal functions are equal values and
// simplification is for free. Beyond `most_literals` it widens to "everywhere", which is always a correct superset.
// Source: Henry et al., Compilation of sparse array programming models, section 4.

#include <functional>
#include <string>
#include <vector>

namespace trellis::coiterate {

class Algebra {
 public:
  static constexpr int most_literals = 12;

  static Algebra nowhere() { return Algebra({}, {false}); }
  static Algebra everywhere() { return Algebra({}, {true}); }
  static Algebra literal(int number) { return Algebra({number}, {false, true}); }

  Algebra operator&(const Algebra& other) const;
  Algebra operator|(const Algebra& other) const;
  /// Of a literal; a superset of the complement in general, as widening may have happened.
  Algebra operator!() const;
  /// What is left where the sequence has ended (false) or has an entry (true).
  Algebra with(int literal, bool present) const;

  bool is_nowhere() const { return literals_.empty() && !table_[0]; }
  bool is_everywhere() const { return literals_.empty() && table_[0]; }
  /// Those on which the function depends, ascending.
  const std::vector<int>& literals() const { return literals_; }
  bool depends_on(int literal) const;
  /// Does an entry of the literal ever make a visit unnecessary?
  bool negates(int literal) const;

  bool operator==(const Algebra&) const = default;

 private:
  Algebra(std::vector<int> literals, std::vector<bool> table)
      : literals_(std::move(literals)), table_(std::move(table)) {}
  static Algebra combine(const Algebra& a, const Algebra& b, const std::function<bool(bool, bool)>& op);
  bool at(const std::vector<int>& literals, std::size_t row) const;
  Algebra normal() const;

  std::vector<int> literals_;
  std::vector<bool> table_;  ///< row r: literal k is present if bit k of r is set
};

/// A union of intersections, as few and as short as a greedy cover finds: `A ∩ B ∪ C`, `∅`, `U`.
std::string to_string(const Algebra& algebra, const std::vector<std::string>& names);

}  // namespace trellis::coiterate
