#pragma once
// The iterations of an equation as a plane: its own first two indices span it, whatever the order of the loops, the
// third is counted at each place, and further ones are held fixed. The order of execution is the path through the
// places.
//
//   V(i,j) = max(k)(V(k,j-1) * …)     rows i, columns j; at each place the steps over k, and the one that writes V(i,j)

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "engine/explore/points.hpp"

namespace trellis::view {

struct Iterations {
  struct Place {
    std::int64_t row = 0, column = 0;
    std::vector<std::size_t> steps;  ///< of the execution, from 0
    bool operator==(const Place&) const = default;
  };
  /// From one place to the next, when the execution first goes that way.
  struct Leg {
    int from = 0, to = 0;
    std::size_t step = 0;  ///< that arrives
    bool operator==(const Leg&) const = default;
  };
  std::vector<std::string> variables;  ///< of the equation: the free ones, then those that it reduces over
  std::vector<Place> places;           ///< in the order of their first steps
  std::vector<Leg> path;               ///< likewise
  std::vector<int> place_of_step;      ///< by step; -1: it is none of the equation's, or of another slice
  std::int64_t first_row = 0, last_row = 0, first_column = 0, last_column = 0;

  /// Of one dimension the only row is 0.
  bool plane() const { return variables.size() > 1; }
  const Place* at(std::int64_t row, std::int64_t column) const;
  std::int64_t rows() const { return last_row - first_row + 1; }
  std::int64_t columns() const { return last_column - first_column + 1; }
};

/// The indices of an equation, and the fragments that compute it.
struct EquationIndices {
  std::vector<std::string> variables;
  std::set<int> fragments;
};
EquationIndices indices_of(const place::Fragments& fragments, int equation);

/// Steps that no fragment is known of stand in their loops: then each statement is an equation of its own, with a
/// negative number, `statement_equation`.
std::vector<explore::StepPoint> points_or_loops(const explore::Trace& trace, std::vector<explore::StepPoint> points);
constexpr int statement_equation(int statement) { return -2 - statement; }

/// What the fourth index and further ones are in turn, in ascending order; empty where there are three indices or
/// fewer.
std::vector<text::Point> slices_of(const std::vector<explore::StepPoint>& points, const EquationIndices& of);

/// `slice` holds what the fourth index and further ones are.
Iterations iterations_of(const std::vector<explore::StepPoint>& points, const EquationIndices& of,
                         const text::Point& slice = {});

}  // namespace trellis::view
