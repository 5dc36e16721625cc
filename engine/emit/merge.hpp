#pragma once
// One point of a lattice: a loop over the coordinates that its leads are at.
//
//   while (pA < pA_end && pB < pB_end) {
//     const int64_t jA = A_crd[pA], jB = B_crd[pB];
//     const int64_t j = jA < jB ? jA : jB;
//     …                                            by which of them stand at j
//     pA += jA == j; pB += jB == j;                unless the arms of the body do it
//   }
//
// Where something is done only at coordinates that all leads are at, one leads and the others are sought from where
// they are: nearly always the predicted branch is taken, while above coordinates wait for positions and these for
// coordinates.
//
//   while (pA < pA_end && pB < pB_end) {
//     const int64_t j = A_crd[pA];
//     while (pB < pB_end && B_crd[pB] < j) pB += 1;
//     if (pB < pB_end && B_crd[pB] == j) …
//     pA += 1;
//   }

#include <string>
#include <vector>

#include "engine/emit/arms.hpp"
#include "engine/emit/context.hpp"
#include "engine/emit/cursor.hpp"

namespace trellis::emit {

class Merge {
 public:
  Merge(Context& out, Arms& arms, const Body& body, const flow::Coiterate& loop, const flow::Coiterate::Point& point,
        std::vector<CCursor>& walks);
  void emit(const text::Origin& origin);

 private:
  c::Expr some_left() const;
  c::Expr bind_nearest();
  bool is_duel() const;
  bool is_chase() const;
  flow::Coiterate::Point led_by_one() const;
  void place(std::size_t k, const std::string& i);
  void chase_back();
  void face_rival(CCursor& walk, const std::string& rival, const std::string& i) const;
  void skip_beyond(const CCursor& walk, const std::string& i);
  CCursor& lead(std::size_t number) const { return walks_[static_cast<std::size_t>(point_.leads[number])]; }

  Context& out_;
  Arms& arms_;
  const Body& body_;
  const flow::Coiterate& loop_;
  const std::vector<int> needed_;  ///< the loop is over when one of these has run out, or, if any leads, all have
  flow::Coiterate::Point point_;
  std::vector<CCursor>& walks_;
  const bool down_;
  const bool one_;      ///< leads, alone or chased by those that are needed too
  const bool in_arms_;  ///< leads move on in the arms of the body
  const bool along_;    ///< the lead goes along with a loop inside (flow/carry_segments)
  const bool duel_;     ///< of two leads, of which at least one stands where the iteration does
};

}  // namespace trellis::emit
