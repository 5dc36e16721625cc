#pragma once
// The picture of a pattern that was found for a kernel, for windows and for the report: of what its operands store now.

#include <memory>
#include <optional>
#include <vector>

#include "engine/session/stages/mask_picture.hpp"
#include "engine/session/state/state.hpp"

namespace trellis::session {

/// What a picture is of, and by which it is known.
struct FoundPattern {
  std::shared_ptr<const symbolic::Elimination> how;
  lang::Kernel pattern;
  std::vector<const void*> data;  ///< what its operands store
  bool same_as(const FoundPattern& other) const { return how == other.how && data == other.data; }
};

/// Of a kernel with `mask X auto`, or of the one that finds its pattern. Empty where that is no factorisation's, where
/// an operand is not in memory yet, and where it has more rows than are looked at beside other work.
std::optional<FoundPattern> found_pattern(State& state, const lang::Kernel& kernel);
std::optional<MaskPicture> picture_of(State& state, const FoundPattern& found, view::FontSize font);

}  // namespace trellis::session
