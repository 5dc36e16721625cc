#pragma once
// Elements of dimensions whose size is a product, as tuples of digits: for dependences where indices multiply or divide
// by sizes, as `k/m` and `i*m + j` do, and no affine form says which element that is
// (docs/design/shapes.md#symbolic-sizes; math/digit_tuples.hpp).
//
// A variable that is cut keeps its own dimension, and gets one more for each of its digits. isl does not know that they
// belong together: both are right, so that whatever follows from either holds.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/math/digit_tuples.hpp"
#include "engine/place/fragment.hpp"

namespace trellis::place {

class ElementTuples {
 public:
  /// Cuts nothing where all indices are affine.
  explicit ElementTuples(const Fragments& fragments);
  bool none() const { return !any_; }

  /// A variable's digits, the highest first: the names of their dimensions, with `mark` behind the variable's own, and
  /// how far each runs. None where it stays whole.
  struct Digit {
    std::string name;
    math::Affine span, weight;
  };
  std::vector<Digit> digits(const Fragment& fragment, const std::string& variable, const std::string& mark) const;

  /// What holds where the element that `writer` writes is the one of that read, as far as tuples say.
  std::vector<math::Constraint> same_element(const Fragment& writer, const std::string& writer_mark,
                                             const Fragment& reader, int read, const std::string& reader_mark) const;
  /// Both write one element.
  std::vector<math::Constraint> same_written(const Fragment& one, const std::string& mark, const Fragment& other,
                                             const std::string& other_mark) const;

  /// The dimensions of the digits of what stands at a name's dimension, the highest first, if both are cut alike; empty
  /// otherwise.
  static std::vector<std::pair<int, int>> alike(const std::vector<std::string>& dimensions, int one, int other);

 private:
  using Tuples = std::vector<std::optional<math::DigitTuples::Tuple>>;  ///< one a dimension
  Tuples tuples(const std::vector<int>& accesses) const;
  std::vector<math::Constraint> equal(const Tuples& one, const Fragment& f, const std::string& mark,
                                      const Tuples& other, const Fragment& g, const std::string& other_mark) const;
  std::string key(const Fragment& fragment, const std::string& variable) const;
  std::vector<int> add(const Fragment& fragment, const lang::Access& access);

  math::DigitTuples cuts_;
  bool any_ = false;
  std::map<std::string, std::vector<math::Affine>> spans_;  ///< by name, all that a variable of this name has
  std::vector<std::map<std::string, math::Affine>> of_;     ///< each fragment's variables
  std::vector<std::vector<int>> writes_;  ///< each fragment's accesses, one a dimension; -1: any element
  std::vector<std::vector<std::vector<int>>> reads_;
};

}  // namespace trellis::place
