#pragma once
// Index maps with sizes as factors: what shape operators make of indices.
//
//   index := size + Σ size * part        part := variable | (index div over) mod span      (a top digit has no mod)
//
// Digits cancel by laws that hold whatever the sizes are, as in (i*m + j) div m = i for j < m. Sizes are affine forms
// whose names may be products (sizes.hpp), and at least 0.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/math/affine.hpp"

namespace trellis::math {

struct Index;

struct Digit {
  std::shared_ptr<const Index> of;
  Affine over, span;
  bool top = false;  ///< nothing lies above: needs no mod
  bool operator==(const Digit& other) const;
};

/// A variable, or a digit.
struct Part {
  std::string name;  ///< empty: a digit
  std::optional<Digit> digit = {};
  bool operator==(const Part&) const = default;
};

struct Index {
  Affine constant;
  std::vector<std::pair<Part, Affine>> parts = {};  ///< each with its factor, none 0

  static Index name(std::string variable);
  bool operator==(const Index&) const = default;
};

/// Computes with indices over variables that run from 0 to their span; those without one may be anything.
class IndexMaps {
 public:
  explicit IndexMaps(std::map<std::string, Affine> spans) : spans_(std::move(spans)) {}
  void set_span(const std::string& variable, Affine span) { spans_[variable] = std::move(span); }

  /// Empty, here and below, where a product of sizes has no form.
  std::optional<Index> sum(const Index& a, const Index& b) const;
  std::optional<Index> scaled(const Index& a, const Affine& factor) const;
  /// (x div over) mod span; a top digit needs no mod.
  std::optional<Index> digit(const Index& x, const Affine& over, const Affine& span, bool top) const;
  /// The least and the greatest value, where factors have signs.
  std::optional<std::pair<Affine, Affine>> bounds(const Index& x) const;
  std::optional<Index> substitute(const Index& x, const std::map<std::string, Index>& replacements) const;
  /// With numbers for names of sizes.
  std::optional<Index> with_sizes(const Index& x, const std::map<std::string, Affine>& sizes) const;

 private:
  std::optional<Index> merged(Index x) const;
  std::optional<Index> remainder(const Index& x, const Affine& span) const;
  std::optional<std::int64_t> borrow(const Index& x, const Affine& limit) const;

  std::map<std::string, Affine> spans_;
};

/// At least 0 for all sizes, as far as the signs of its terms tell.
bool never_negative(const Affine& size);

}  // namespace trellis::math
