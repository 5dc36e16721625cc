#include "engine/access/sequence.hpp"

namespace trellis::access {

std::optional<Sequence> sequence(const std::string& tensor, int level, const format::Facts& stored,
                                 const lang::Expr& index, const std::string& variable) {
  const std::optional<math::Affine> form = lang::affine(index);
  const std::optional<Inverse> back = form ? inverse(*form, variable) : std::nullopt;
  if (!back || (back->stretch != 1 && !stored.unique)) return std::nullopt;
  return Sequence{tensor, level, stored, *back};
}

std::string to_string(const Sequence& sequence) {
  const Inverse& map = sequence.inverse;
  std::string text = sequence.tensor + "." + std::to_string(sequence.level + 1);
  if (map.stretch != 1) text += " | stretch " + std::to_string(map.stretch);
  const std::string offset = math::to_string(map.offset);
  if (map.reversed)
    text += " | reverse " + offset;
  else if (offset != "0")
    text += " | shift " + offset;
  if (map.stride != 1) text += " | slice " + std::to_string(map.stride);
  return text;
}

}  // namespace trellis::access
