#pragma once
// How many steps of a tensor are kept (docs/design/placement.md#buffers): the fewest buffers, step k in number k mod m,
// for which every overwrite follows the last read and no forall becomes a for. One buffer is the result itself, and
// implicit copies vanish. A tensor that is wanted in place has one buffer also where a forall becomes a for by it.
// Where all reads that one buffer would spoil lie in slices of fewer dimensions, those are saved before they are
// overwritten.
//
//   for k { for i { for j { D[k](i,j) = min(D[k-1](i,j), D[k-1](i,k) + D[k-1](k,j)) } } }      row k and D(i,k) are saved

#include <optional>
#include <string>
#include <vector>

#include "engine/place/analysis.hpp"
#include "engine/place/placement.hpp"
#include "engine/place/temporaries.hpp"

namespace trellis::place {

/// What a read sees at the start of each iteration of the loops around it, kept until it reads.
struct SavedSlice {
  int fragment;
  std::vector<int> reads;      ///< of the fragment: one access, perhaps under several guards
  std::size_t depth;           ///< of the body that begins with saving it
  std::vector<int> variables;  ///< of the fragment, that walk the slice: a dimension each
  std::vector<math::Affine> lows;
  lang::TensorInfo temporary;
};

/// The buffers of one tensor.
struct Buffers {
  std::string tensor;
  int slots = 1;                         ///< 1: the result itself; `all_steps`: one for each step
  std::vector<SavedSlice> saved;         ///< with one buffer
  std::optional<lang::TensorInfo> kept;  ///< the temporary that holds them: one dimension more, in front
  std::optional<Overwrite> obstacle;     ///< why one buffer does not do
  std::string because = {};              ///< why no fewer do, in words; empty where there is one
  /// Loops of the tree whose iterations would not depend on each other if each step had a buffer of its own: with one
  /// for all they have to run in order.
  std::vector<int> ordered = {};
  /// With several: nothing reads copies before the last step, so there are none. What each element is in the end goes
  /// into the result when it is computed.
  bool drops_copies = false;
  /// With several: copies of elements that no equation ever gives. Each buffer has these from the start.
  std::vector<int> still = {};
  static constexpr int all_steps = 0;
};

using BufferPlan = std::vector<Buffers>;

/// `in_place`: tensors of which one buffer is wanted.
BufferPlan plan_buffers(const Analysis& analysis, const Tree& tree, const std::vector<Initialiser>& initialisers,
                        const std::vector<std::string>& in_place);
/// All steps of every tensor, whatever the tree does with them: what a replay shows.
BufferPlan keep_all_steps(const Analysis& analysis);

/// Does each read find its value in these buffers, whatever the sizes? Says which does not. `proven` counts what was
/// shown.
std::optional<std::string> verify_buffers(const Analysis& analysis, const Tree& tree,
                                          const std::vector<Initialiser>& initialisers, const BufferPlan& plan,
                                          int& proven);

/// The tree without the copies that one buffer makes superfluous, or that nothing reads.
Tree without_copies(const Tree& tree, const Fragments& fragments, const BufferPlan& plan);

/// "one buffer and a saved slice of 1 dimension".
std::string in_words(const Buffers& buffers);

}  // namespace trellis::place
