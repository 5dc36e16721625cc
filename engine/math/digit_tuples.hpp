#pragma once
// Dimensions whose size is a product, cut into digits, so that an element is a tuple of digits of variables and two of
// them are compared digit by digit (docs/design/shapes.md#symbolic-sizes). isl knows no products: with tuples it need
// not.
//
//   c(k), k < n*m, and c(i*m + j):   c and k are cut at m, and c(k) is element (k div m, k mod m), the other (i, j)
//
// What is cut at one end of an access is cut at the other. Where each cut divides the next, tuples compare as the
// numbers do.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/math/index_map.hpp"

namespace trellis::math {

class DigitTuples {
 public:
  /// One digit of a variable; `number` counts from the highest.
  struct Coordinate {
    std::string variable;
    int number = 0;
    bool operator==(const Coordinate&) const = default;
  };
  /// A coordinate a digit of the dimension, the highest first; empty where it is 0.
  using Tuple = std::vector<std::optional<Coordinate>>;

  /// A variable runs from 0 to its span. Those that stay whole need not be said.
  void add_variable(const std::string& variable, const Affine& span);
  /// The dimension, by a name of its own, is accessed at this index; returns the access's number.
  int add(const std::string& dimension, const Index& index);
  /// After all that is added.
  void solve();

  /// The element that an access is at; empty: any of the dimension.
  std::optional<Tuple> tuple(int access) const;
  /// How far each digit of a variable runs, the highest first; one alone, or none, where it stays whole.
  std::vector<Affine> spans(const std::string& variable) const;
  /// What a digit of it counts, in the same order.
  std::vector<Affine> weights(const std::string& variable) const;

 private:
  /// `span` elements of a dimension, from `low` on, go with as many of a variable, from `over` on.
  struct Link {
    int access;
    std::string dimension;
    Affine low;
    std::string variable;
    Affine over, span;
  };
  struct Node {
    std::vector<Affine> cuts = {Affine(1)};  ///< after `solve`, rising
    bool chain = true;                       ///< each divides the next
  };
  void link(int access, const std::string& dimension, const Part& part, const Affine& factor);
  bool cut(const std::string& node, const std::optional<Affine>& at);
  bool spread(const std::string& from, const Affine& base, const std::string& to, const Affine& other,
              const Affine& span);
  bool is_whole(int access) const;

  std::map<std::string, Node> nodes_;
  std::map<std::string, Affine> variables_;
  std::vector<Link> links_;
  std::vector<std::string> dimensions_;  ///< of each access
  std::vector<bool> any_;                ///< each access: may be any element
};

}  // namespace trellis::math
