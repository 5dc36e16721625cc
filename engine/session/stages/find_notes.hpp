#pragma once
// How what is looked up is found, and who has proven that a pointer may go on: for the places where it can be seen.
//
//   const int64_t px = march(x_crd, &x_scan[0], …);      x(p(i)): by a pointer that goes on, proven by Z3
//   for j: A(i,j) ∩ b(j)                                 looks up b(j) by bisection, which would be …

#include <string>
#include <vector>

#include "engine/compile.hpp"
#include "engine/text/text.hpp"

namespace trellis::session {

struct FindNote {
  enum class Trust { stated, proven, refuted, unknown } trust = Trust::stated;
  std::string words;
  int node = -1;              ///< of the control flow: the statement that looks it up
  std::string variable = {};  ///< that it sets
};
/// "proven", for data; empty where there is nothing to prove.
std::string name_of(FindNote::Trust trust);

/// A whole sentence: may a pointer go on from where it stood?
std::string in_words(const flow::ScanProof& proof);
FindNote::Trust trust_of(const flow::ScanProof& proof);

/// Of each look-up in the control flow that is not a mere computation of a place.
std::vector<FindNote> find_notes(const Compilation& compilation);
/// What the operands of a loop do and why, and what was proven of those that it looks up.
std::vector<FindNote> find_notes(const Compilation& compilation, const coiterate::Lattice& lattice);

/// By line of a text that shows the control flow, or what was made of it; as many as it has lines. Several of one line
/// are one sentence.
std::vector<std::string> at_lines(const std::vector<FindNote>& notes, const text::Text& text);

}  // namespace trellis::session
