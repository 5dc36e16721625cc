#include "engine/format/promises.hpp"

namespace trellis::format {

std::string to_string(const Promises& promises) {
  std::string text;
  const auto add = [&](const std::string& word) { text += (text.empty() ? "" : " ") + word; };
  const std::string option = promises.strictly ? "(strictly)" : "";
  if (promises.sorted) add("sorted" + option);
  if (promises.decreasing) add("decreasing" + option);
  if (promises.injective) add("injective");
  if (promises.low && promises.high)
    add("range(" + math::to_string(*promises.low) + ", " + math::to_string(*promises.high) + ")");
  return text;
}

}  // namespace trellis::format
