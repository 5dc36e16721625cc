#pragma once
// What lattices say in words: one form of each, for text, drawings and data.

#include <string>
#include <vector>

#include "engine/coiterate/number_lattices.hpp"

namespace trellis::coiterate {

/// How wide it is on a page.
std::size_t columns(const std::string& text);
/// The names of operands, by number.
std::string listed(const Lattice& lattice, const std::vector<int>& operands, const char* between = ", ");

/// On one line: `t = 0; for k { t += A(i,k)*B(k,j) }`; "nothing".
std::string in_brief(const loop::Stmt& body);
/// `while A(i,j) and B(i,j) have entries`.
std::string condition(const Lattice& lattice, const Lattice::Point& point);

/// By operand, as short as tells them apart: "A", or "A(i,j)" where another one is of the same tensor.
std::vector<std::string> brief_names(const Lattice& lattice);
/// The same in signs: `while A ∧ B`, `while A ∨ B`, `at every i`.
std::string brief_condition(const Lattice& lattice, const Lattice::Point& point);

/// `for j: A(i,j) ∪ B(i,j)`.
std::string head(const Lattice& lattice);
/// What each operand does in the loop, and why: `leads A(i,j), B(i,j)`.
std::vector<std::string> remarks(const Lattice& lattice);
/// Of each operand that is walked in several levels at once, or in segments: which cursors go where, one below the
/// other.
///
///   A(k/8,k%8): k = 8*A.1 + A.2
///     A.1    every coordinate
///     └ A.2  what is stored below
///   c(8*i + j): i = c.1 / 8, all entries of one i together
std::vector<std::string> cursors_in_words(const Lattice& lattice);
/// `where A(i,:) is missing`, of the case of the loop around that the lattice is for; empty when there is only one.
std::string where_missing(const NumberedLattice& one);

}  // namespace trellis::coiterate
